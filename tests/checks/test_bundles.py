"""Members of a port-channel: what each may have for itself, and what all have in common."""

from dataclasses import replace

import pytest

from auditor.checks.base import Context, Params
from auditor.checks.bundles import Bundle, members_differ
from auditor.intent import settle_intents
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.port import Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting


def known(value: int) -> Setting[int]:
    return Known(value, Origin.INTENDED)


def member(name: str, length: int | None, headroom: int, alpha: int = 1) -> Port:
    group = PriorityGroup(3, xoff_bytes=known(headroom), alpha=Known(float(alpha), Origin.INTENDED))
    length_m: Setting[float] = NOT_COLLECTED if length is None else Known(float(length), Origin.INTENDED)
    config = PortConfig(priority_groups=Known((group,), Origin.INTENDED))
    return Port(name, replace(config, cable_length_m=length_m))


@pytest.mark.parametrize(
    ("other", "is_fault"),
    [
        (member("b", 5, 1000), False),
        (member("b", 40, 9000), False),
        (member("b", 40, 1000), False),
        (member("b", 5, 9000), True),
        (member("b", None, 9000), True),
        (member("b", 40, 9000, alpha=2), True),
    ],
    ids=["equal", "longer", "longer, as large", "larger alone", "unknown length", "another alpha"],
)
def test_a_longer_cable_has_its_own_headroom(other: Port, *, is_fault: bool) -> None:
    usual = [member(name, 5, 1000) for name in ("a", "c")]
    context = Context(Device("leaf1", "switch", "sonic", "leaf1"), settle_intents(None, ()).general)
    found = list(members_differ(Bundle("PortChannel1", (*usual, other)), Params(), context))
    assert bool(found) is is_fault
