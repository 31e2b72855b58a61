"""Silent ports of NX-OS under `system default switchport shutdown`."""

import pytest

from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.nxos.parse import parse

SHUT = "system default switchport shutdown"
CASES: dict[str, tuple[tuple[str, ...], str, bool | None]] = {
    "switched, as a routed port shows that it is the default": ((SHUT,), "", False),
    "switched by its own line": ((SHUT,), "  switchport mode trunk", False),
    "its own word": ((SHUT,), "  no shutdown", True),
    "routed": ((SHUT,), "  no switchport", None),
    "routed by default": ((SHUT, "no system default switchport"), "", None),
    "taken back": ((SHUT, "no " + SHUT), "", None),
    "not written": ((), "", None),
}


@pytest.mark.parametrize("case", CASES)
def test_silent_ports(case: str) -> None:
    top, line, expected = CASES[case]
    lines = ("hostname x", *top, "interface Ethernet1/1", line, "interface Ethernet1/2", "  no switchport")
    port = parse("x", "x.cfg", [Capture("x.cfg", lines)]).ports[0]
    assert value_of(port.config.ethernet.enabled) is expected
