"""Counters as evidence: each sign with counters that prove it, that stand still, and that are of something else."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from auditor.checks import CHECKS
from auditor.cli import main
from auditor.diagnosis.counters import SIGNS, Confirmation, PortSymptom, judge_counters
from auditor.model.buffers import PriorityGroup
from auditor.model.counters import Growth
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.finding import Sign, Symptom
from auditor.model.port import Pfc, Port, PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
CONFIRMED, EXPOSED, NO_SIGN = Confirmation
Counters = Mapping[str, int]


def known(value: Any) -> Known[Any]:  # noqa: ANN401  whatever a setting holds
    return Known(value, Origin.INTENDED)


GROUPS = (PriorityGroup(0, known((0, 1, 2, 4, 5, 6, 7))), PriorityGroup(2, known((3,))))
QUEUES = (Queue(0, priorities=known((0, 1, 2, 4, 5, 6, 7))), Queue(6, priorities=known((3,))))


def end(name: str, counters: Counters, sends: tuple[int, ...] | None) -> Device:
    """Return a device with one port, which pauses the priorities that it *sends* pauses of."""
    pfc = Pfc(tx_priorities=NOT_COLLECTED if sends is None else known(sends))
    config = PortConfig(pfc=pfc, priority_groups=known(GROUPS), queues=known(QUEUES))
    told = {n: Known(v, Origin.LEARNED, Where(f"{name}.txt", 7)) for n, v in counters.items()}
    return Device(name, "switch", "sonic", name, (Port("p", config, counters=told or None),))


def told(
    trace: Symptom, here: Counters, far: Counters, sends: tuple[int, ...] | None = None
) -> tuple[Confirmation | None, list[str]]:
    """Return the verdict on the port `here p` and the counters that it rests on; *sends* is what the far end pauses."""
    link = Link(End("far", "p"), End("here", "p"), ("lldp",), confirmed=True)
    fabric = Fabric((end("here", here, None), end("far", far, sends)), (link,))
    (found,) = judge_counters(fabric, [PortSymptom("here", "p", trace)])
    if found is None:
        return None, []
    assert {(each.file, each.line) for each in found.evidence} <= {("here.txt", 7), ("far.txt", 7)}
    return found.verdict, [f"{each.device} {each.name} {each.value}" for each in found.evidence]


DEAF, LOST = Sign.PAUSES_NOT_HONOURED, Sign.DISCARDED_ON_ARRIVAL


@pytest.mark.parametrize(
    ("sign", "here", "far", "expected"),
    [
        (DEAF, {"rx_prio3_pause": 5}, {}, (EXPOSED, ["here rx_prio3_pause 5"])),
        (DEAF, {"rx_prio3_pause": 0}, {}, (NO_SIGN, ["here rx_prio3_pause 0"])),
        (DEAF, {"rx_prio4_pause": 5, "tx_prio3_pause": 5}, {}, (None, [])),
        (DEAF, {"rx_prio3_pause": 0}, {"tx_pfc_3": 8}, (EXPOSED, ["far tx_pfc_3 8"])),
        (DEAF, {}, {"tx_pfc_3": 0, "tx_pfc_4": 8, "rx_pfc_3": 9}, (NO_SIGN, ["far tx_pfc_3 0"])),
        (DEAF, {}, {"tx_pfc": 8}, (None, [])),
        (LOST, {"rx_prio3_discards": 2, "rx_discards_phy": 9}, {}, (EXPOSED, ["here rx_prio3_discards 2"])),
        (LOST, {"rx_discards_phy": 9, "rx_prio0_discards": 9}, {}, (None, [])),
        (LOST, {"rx_pg2_discards": 2}, {}, (EXPOSED, ["here rx_pg2_discards 2"])),
        (LOST, {"rx_pg0_discards": 2, "rx_pg3_discards": 9}, {}, (None, [])),
        (LOST, {"rx_pg2_discards": 0, "rx_pg0_discards": 2}, {}, (NO_SIGN, ["here rx_pg2_discards 0"])),
        (Sign.QUEUE_OVERFLOWS, {"tx_queue6_discards": 1}, {}, (EXPOSED, ["here tx_queue6_discards 1"])),
        (Sign.QUEUE_OVERFLOWS, {"tx_queue3_discards": 1, "tx_queue0_discards": 4}, {}, (None, [])),
        (Sign.WRED_DROPS, {"tx_queue6_wred_discards": 1}, {}, (EXPOSED, ["here tx_queue6_wred_discards 1"])),
        (Sign.WRED_DROPS, {"tx_queue6_discards": 1}, {}, (None, [])),
        (Sign.PAUSED, {"tx_prio3_pause": 1}, {}, (EXPOSED, ["here tx_prio3_pause 1"])),
        (Sign.LINK_PAUSED, {"rx_pause_frames": 1}, {}, (EXPOSED, ["here rx_pause_frames 1"])),
        (Sign.LINK_PAUSED, {"tx_global_pause": 0}, {}, (NO_SIGN, ["here tx_global_pause 0"])),
        (Sign.LINK_PAUSED, {"rx_pause_ctrl_phy": 1, "rx_prio3_pause": 1}, {}, (None, [])),
        (Sign.TOO_LONG, {"rx_oversize": 3}, {}, (EXPOSED, ["here rx_oversize 3"])),
        (
            Sign.MARKS_UNANSWERED,
            {"np_ecn_marked_roce_packets": 3, "np_cnp_sent": 0},
            {},
            (EXPOSED, ["here np_ecn_marked_roce_packets 3", "here np_cnp_sent 0"]),
        ),
        (
            Sign.MARKS_UNANSWERED,
            {"np_ecn_marked_roce_packets": 3, "np_cnp_sent": 2},
            {},
            (NO_SIGN, ["here np_ecn_marked_roce_packets 3", "here np_cnp_sent 2"]),
        ),
        (
            Sign.MARKS_UNANSWERED,
            {"np_ecn_marked_roce_packets": 0, "np_cnp_sent": 0},
            {},
            (NO_SIGN, ["here np_ecn_marked_roce_packets 0", "here np_cnp_sent 0"]),
        ),
        (Sign.MARKS_UNANSWERED, {"np_ecn_marked_roce_packets": 3}, {}, (None, [])),
        (Sign.CNPS_IGNORED, {"rp_cnp_ignored": 3, "rp_cnp_handled": 0}, {}, (EXPOSED, ["here rp_cnp_ignored 3"])),
        (
            Sign.NEVER_SENT_AS,
            {"tx_vport_rdma_unicast_packets": 9, "tx_prio3_packets": 0, "tx_prio0_packets": 9},
            {},
            (EXPOSED, ["here tx_vport_rdma_unicast_packets 9", "here tx_prio3_packets 0"]),
        ),
        (
            Sign.NEVER_RECEIVED_AS,
            {"rx_vport_rdma_unicast_packets": 9, "rx_prio3_packets": 1},
            {},
            (NO_SIGN, ["here rx_vport_rdma_unicast_packets 9", "here rx_prio3_packets 1"]),
        ),
        (Sign.PAUSE_STORM, {"tx_pause_storm_error_events": 9}, {}, (None, [])),
        (
            Sign.PAUSE_STORM,
            {},
            {"tx_pause_storm_warning_events": 1, "tx_pause_storm_error_events": 0},
            (EXPOSED, ["far tx_pause_storm_warning_events 1"]),
        ),
        (DEAF, {}, {}, (None, [])),
    ],
)
def test_a_sign_is_shown_by_its_own_counters_alone(
    sign: Sign, here: Counters, far: Counters, expected: tuple[Confirmation | None, list[str]]
) -> None:
    assert told(Symptom((sign,), (3,)), here, far) == expected


@pytest.mark.parametrize(
    ("sends", "expected"),
    [((3,), EXPOSED), ((3, 4), None), ((4,), None), ((), None), (None, None)],
    ids=["it alone", "another as well", "another", "none", "not known"],
)
def test_pauses_of_a_whole_port_are_of_the_one_priority_that_their_sender_pauses(
    sends: tuple[int, ...] | None, expected: Confirmation | None
) -> None:
    trace = Symptom((DEAF,), (3,))
    assert told(trace, {"rx_pfc": 7}, {}, sends)[0] is expected
    assert told(trace, {}, {"tx_pfc": 7}, sends)[0] is expected
    assert told(trace, {"tx_pfc": 7}, {"rx_pfc": 7}, sends)[0] is None


def test_a_queue_and_a_group_that_the_finding_names_are_those_that_count() -> None:
    assert told(Symptom((LOST,), group=0), {"rx_pg0_discards": 4}, {})[0] is EXPOSED
    assert told(Symptom((Sign.QUEUE_OVERFLOWS,), queue=0), {"tx_queue0_discards": 4}, {})[0] is EXPOSED


def test_one_proof_is_enough_and_only_proofs_are_named() -> None:
    found = told(Symptom((DEAF, LOST), (3,)), {"rx_prio3_pause": 0, "rx_prio3_discards": 6}, {"tx_pfc_3": 0})
    assert found == (EXPOSED, ["here rx_prio3_discards 6"])


@pytest.mark.parametrize(
    ("sign", "name", "growth", "expected"),
    [
        (LOST, "rx_prio3_discards", Growth(4, 60), CONFIRMED),
        (LOST, "rx_prio3_discards", Growth(0, 60), EXPOSED),
        (LOST, "rx_prio3_discards", Growth(9, 60, was_reset=True), CONFIRMED),
        (LOST, "rx_prio3_discards", None, EXPOSED),
        (Sign.TOO_LONG, "rx_oversize", Growth(1), CONFIRMED),
        (Sign.PAUSED, "rx_prio3_pause", Growth(4, 60), EXPOSED),
        (Sign.CNPS_IGNORED, "rp_cnp_ignored", Growth(4, 60), EXPOSED),
    ],
)
def test_a_fault_is_confirmed_only_by_lost_packets_that_grew(
    sign: Sign, name: str, growth: Growth | None, expected: Confirmation
) -> None:
    device = end("here", {name: 9}, None)
    growths = None if growth is None else {name: growth}
    grown = replace(device, ports=(replace(device.ports[0], growths=growths),))
    (found,) = judge_counters(Fabric((grown,), ()), [PortSymptom("here", "p", Symptom((sign,), (3,)))])
    assert found is not None
    assert (found.verdict, [each.growth for each in found.evidence]) == (expected, [growth])


def test_evidence_says_since_when_a_cleared_counter_counts() -> None:
    device = end("here", {"rx_prio3_pause": 9}, None)
    cleared = replace(device, ports=(replace(device.ports[0], counted_since={"rx_prio3_pause": "2026-11-20"}),))
    (found,) = judge_counters(Fabric((cleared,), ()), [PortSymptom("here", "p", Symptom((Sign.PAUSED,), (3,)))])
    assert found is not None
    assert [each.since for each in found.evidence] == ["2026-11-20"]


def test_how_long_pauses_lasted_stands_beside_the_pauses_that_they_explain() -> None:
    link = Link(End("far", "p"), End("here", "p"), ("lldp",), confirmed=True)
    here = {"rx_prio3_pause": 5, "rx_prio3_pause_duration": 70, "rx_prio4_pause_duration": 80}
    far = {"pfc_pri3_tx_duration_us": 60, "tx_prio3_pause_duration": 0}
    fabric = Fabric((end("here", here, None), end("far", far, None)), (link,))
    trace = [PortSymptom("here", "p", Symptom((sign,), (3,))) for sign in (DEAF, Sign.PAUSED, Sign.CNPS_IGNORED)]
    deaf, paused, ignored = judge_counters(fabric, trace)
    for each in (deaf, paused):
        assert each
        assert [(e.device, e.name, e.value) for e in each.beside] == [
            ("here", "rx_prio3_pause_duration", 70),
            ("far", "pfc_pri3_tx_duration_us", 60),
        ]
    assert ignored is None


def test_what_was_mended_stands_beside_what_was_damaged() -> None:
    counters = {"rx_symbol_err_phy": 4, "rx_corrected_bits_phy": 70, "link_down_events_phy": 0}
    (found,) = judge_counters(
        Fabric((end("here", counters, None),), ()), [PortSymptom("here", "p", Symptom((Sign.DAMAGED,)))]
    )
    assert found is not None
    assert [each.name for each in found.evidence] == ["rx_symbol_err_phy"]
    assert [each.name for each in found.beside] == ["rx_corrected_bits_phy"]


def test_every_sign_has_a_meaning_and_a_rule() -> None:
    assert set(SIGNS) == set(Sign)
    assert {sign for check in CHECKS.values() for sign in check.signs} == set(Sign)


def statistics(**counters: int) -> str:
    return "$ ethtool -S ens1f0\nNIC statistics:\n" + "".join(f"     {n}: {v}\n" for n, v in counters.items())


def queuing(queue: int, dropped: int) -> str:
    rows = (f"|{f'QOS GROUP {queue}':^60}|", "|  |  Unicast       |Multicast       |")
    count = f"| WRED/AFD & Tail Drop Pkts | {dropped:>15}| {0:>15}|"
    return "\n".join(("Egress Queuing for Ethernet1/1 [System]", *rows, count, ""))


def giants(count: int) -> str:
    return f"Ethernet1/1 is up\nadmin state is up\n  RX\n    0 runts  {count} giants  0 CRC  0 no buffer\n"


@dataclass(frozen=True)
class Case:
    """A finding in the bad fixture of a rule, and output for one of its dumps: with counters that moved, and not."""

    rule: str
    device: str
    port: str
    file: str
    moved: str
    still: str
    says: str = ""


CASES = [
    Case(
        "pfc-on-one-side",
        "leaf1",
        "Ethernet1/6",
        "host2.txt",
        statistics(tx_prio3_pause=812),
        statistics(tx_prio3_pause=0, tx_prio4_pause=3),
    ),
    Case(
        "dcqcn-off-on-rdma-priority",
        "first1",
        "ens1f0",
        "first1.txt",
        statistics(np_ecn_marked_roce_packets=3, np_cnp_sent=0),
        statistics(np_ecn_marked_roce_packets=0, np_cnp_sent=0),
        says="NP is off",
    ),
    Case(
        "dcqcn-off-on-rdma-priority",
        "host2",
        "ens1f0",
        "host2.txt",
        statistics(rp_cnp_ignored=1),
        statistics(rp_cnp_ignored=0),
    ),
    Case(
        "nic-marking-differs-from-intent",
        "host1",
        "ens1f0",
        "host1.txt",
        statistics(tx_vport_rdma_unicast_packets=88, tx_prio3_packets=0),
        statistics(tx_vport_rdma_unicast_packets=88, tx_prio3_packets=88),
    ),
    Case(
        "nic-buffer-unfit-for-pfc",
        "host1",
        "ens1f0",
        "host1.txt",
        statistics(rx_prio3_discards=1),
        statistics(rx_prio3_discards=0, rx_discards_phy=4),
    ),
    Case("ecn-off-on-rdma-queue", "leaf4", "Ethernet1/1", "leaf4.cfg", queuing(3, 52), queuing(3, 0)),
    Case("peer-mtu-too-small", "spine1", "Ethernet1/1", "spine1.cfg", giants(7), giants(0)),
    Case("mtu-below-rdma-path-mtu", "leaf1", "Ethernet1/1", "leaf1.cfg", giants(7), giants(0)),
]


def found(case: Case, more: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the finding of *case* where *more* output is added to the dump that it names."""
    shutil.copytree(FIXTURES / case.rule / "bad", folder)
    dump = folder / case.file
    if more and dump.suffix == ".txt":
        dump.write_text(f"{dump.read_text()}{more}")
    elif more:
        captures = folder / dump.stem
        captures.mkdir()
        dump.rename(captures / "show_running-config.txt")
        (captures / "more.txt").write_text(more)
    links = ["--links", str(folder / "links.yaml")] if (folder / "links.yaml").is_file() else []
    capsys.readouterr()
    main(["check", str(folder), "--format", "json", *links])
    where = (case.rule, case.device, case.port, "fail")
    findings = json.loads(capsys.readouterr().out)["findings"]
    own = [f for f in findings if (f["name"], f["device"], f["port"], f["kind"]) == where and case.says in f["message"]]
    assert own
    told: dict[str, Any] = own[0]
    return told


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule} {case.device}")
def test_a_finding_with_counters_and_without(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without = found(case, "", tmp_path / "without", capsys)
    moved = found(case, case.moved, tmp_path / "moved", capsys)
    still = found(case, case.still, tmp_path / "still", capsys)
    assert without["counters"] is None
    assert [each["counters"]["verdict"] for each in (moved, still)] == ["exposed", "no sign yet"]
    for evidence in (*moved["counters"]["evidence"], *still["counters"]["evidence"]):
        line = Path(evidence["file"]).read_text().splitlines()[evidence["line"] - 1]
        assert str(evidence["value"]) in line
    # counters change with every capture: a finding stays the same and as bad
    same = {(each["fingerprint"], each["level"], each["message"]) for each in (without, moved, still)}
    assert len(same) == 1
