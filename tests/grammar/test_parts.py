"""References that lead out of a part are not judged; those of a whole configuration are, in every system."""

import pytest

from auditor.model.dump import Capture
from auditor.systems import systems

CASES = {
    "cisco_nxos": ("hostname a1", ("interface Ethernet1/1", "  service-policy type qos input GONE")),
    "arista_eos": ("hostname a1", ("interface Ethernet1", "   service-profile GONE")),
    "dell_os10": ("hostname a1", ("interface ethernet1/1/1", " service-policy input type qos GONE")),
    "cisco_iosxr": ("hostname a1", ("interface HundredGigE0/0/0/1", " service-policy input GONE")),
    "huawei_vrp": ("sysname a1", ("interface 100GE1/0/1", " trust upstream GONE")),
    "hp_comware": ("sysname a1", ("interface HundredGigE1/0/1", " qos wred apply GONE")),
    "nokia_srlinux": (
        "set / system name host-name a1",
        (
            "set / interface ethernet-1/1 admin-state enable",
            "set / qos interfaces interface ethernet-1/1 output scheduler scheduler-policy GONE",
        ),
    ),
    "aruba_aoscx": ("hostname a1", ("interface 1/1/1", "    apply qos threshold-profile GONE")),
}


@pytest.mark.parametrize("os", CASES)
def test_references_out_of_a_part(os: str) -> None:
    name, lines = CASES[os]
    whole, part = (systems()[os].parse("x", "x", [Capture("x", each)]) for each in ((name, *lines), lines))
    assert [each.name for each in whole.undefined] == ["GONE"]
    assert (whole.part, part.undefined) == (None, ())
    assert part.part is not None


def test_typed_lines_are_a_part() -> None:
    """A session that names the switch does not show what was there before."""
    lines = (
        "a1(config)# hostname a2",
        "a2(config)# interface Eth1/1",
        "a2(config-if)# service-policy type qos input G",
    )
    found = systems()["cisco_nxos"].parse("x", "x", [Capture("x", lines)])
    assert (found.undefined, found.part is not None) == ((), True)
