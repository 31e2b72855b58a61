"""PFC on what no fixture can show: ends that pause one way only, and a mode that is off by default."""

from typing import TypeAlias

import pytest

from auditor.checks.base import Cable, Context, Params, PortTraffic
from auditor.checks.pfc import cable_priorities, one_sided, pfc_off
from auditor.intent import Intent, Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.port import Pfc, PfcMode, Port, PortConfig
from auditor.model.setting import Known, Origin, Unknown, Where

Priorities: TypeAlias = tuple[int, ...]

RDMA = Traffic(
    "RDMA",
    TrafficKind.RDMA,
    Known((26,), Origin.INTENDED),
    Known(3, Origin.INTENDED),
    Known(value=True, origin=Origin.INTENDED),
)


def intent(*lossless: int, declared: bool = False) -> Intent:
    return Intent(
        declared=declared,
        evidence=(),
        traffic=(RDMA,),
        lossless=Known(lossless, Origin.INTENDED),
        path_mtu_bytes=Unknown("not asked for"),
        cable_length_m=Unknown("not asked for"),
    )


def end(name: str, sends: Priorities, honours: Priorities) -> Attached:
    tx = Known(sends, Origin.INTENDED, Where(f"{name}.cfg", 2))
    rx = Known(honours, Origin.INTENDED, Where(f"{name}.cfg", 3))
    port = Port("p1", PortConfig(pfc=Pfc(tx_priorities=tx, rx_priorities=rx)), Where(f"{name}.cfg", 1))
    return Attached(Device(name, "switch", "cisco_nxos", f"{name}.cfg", (port,)), port)


@pytest.mark.parametrize(
    ("a", "b", "lossless", "expected"),
    [
        (((3,), (3,)), ((3,), (3,)), (3,), []),
        (((), ()), ((), ()), (3,), []),
        # Asymmetric: `a` honours pauses and sends none, and nothing that arrives at it is lossless.
        (((), (3,)), ((3,), ()), (), []),
        (((), (3,)), ((), ()), (), []),
        (((), (3,)), ((3,), ()), (3,), []),
        (((), (3,)), ((), ()), (3,), ["b.cfg:2: does not send pauses of priority 3, on which a p1 relies"]),
        (((3,), ()), ((), ()), (), ["b.cfg:3: does not honour pauses of priority 3, on which a p1 relies"]),
        (((3,), ()), ((), (3,)), (), []),
        (((3,), (3,)), ((), (3,)), (3,), ["b.cfg:2: does not send pauses of priority 3, on which a p1 relies"]),
        (((3,), (3,)), ((3,), ()), (3,), ["b.cfg:3: does not honour pauses of priority 3, on which a p1 relies"]),
        (((3,), (3,)), ((), ()), (3,), ["b.cfg:3: does not honour or send pauses of priority 3, on which a p1 relies"]),
        (
            ((3,), (3,)),
            ((4,), (4,)),
            (3, 4),
            [
                "b.cfg:3: does not honour or send pauses of priority 3, on which a p1 relies",
                "a.cfg:3: does not honour or send pauses of priority 4, on which b p1 relies",
            ],
        ),
    ],
)
def test_each_direction_of_a_link_is_judged_for_itself(
    a: tuple[Priorities, Priorities], b: tuple[Priorities, Priorities], lossless: Priorities, expected: list[str]
) -> None:
    cable = Cable(end("a", *a), end("b", *b), intent(*lossless), intent(*lossless))
    found = [f for given in cable_priorities(cable, None) for f in one_sided(given, Params(), None)]
    assert [f"{f.where.file}:{f.where.line}: {f.message}" for f in found if f.where] == expected


def test_a_priority_that_the_intent_does_not_call_lossless_is_another_rules_matter() -> None:
    ends = end("a", (3, 4), (3, 4)), end("b", (), ())
    objects = cable_priorities(Cable(*ends, intent(3, declared=True), intent(5, declared=True)), None)
    assert [given.priority for given in objects] == [3]


@pytest.mark.parametrize(
    ("origin", "said"), [(Origin.INTENDED, "off,"), (Origin.DEFAULT, "off by default,"), (Origin.LEARNED, "off in ")]
)
def test_a_finding_says_who_turned_pfc_off(origin: Origin, said: str) -> None:
    port = PortConfig(pfc=Pfc(mode=Known(PfcMode.OFF, origin)))
    context = Context(Device("leaf1", "switch", "cisco_nxos", "leaf1.cfg"), intent(3))
    (found,) = pfc_off(PortTraffic(port, RDMA), Params(), context)
    assert found.message.startswith(f"PFC is {said}")
