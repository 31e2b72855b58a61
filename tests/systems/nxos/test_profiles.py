"""Port-profiles that the dump does not hold: what a port leaves to them is Unknown, and is said once."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import PfcMode
from auditor.model.setting import Unknown, value_of
from auditor.systems.nxos.parse import parse

HEAD = "!Command: show running-config\nversion 10.3(4a)\nhostname leaf1\n"
PROFILE = "port-profile type ethernet GPU\n  mtu 9216\n  priority-flow-control mode on\n"
SYSTEM = "system qos\n  service-policy type qos input ALL\n"
PORT = "interface Ethernet1/1\n  inherit port-profile GPU\n  no shutdown\n"


def read(*texts: str) -> Device:
    return parse("leaf1", "leaf1", [Capture("leaf1.cfg", tuple("".join(texts).splitlines()))])


def test_a_profile_gives_what_the_port_leaves_to_it() -> None:
    device = read(HEAD, PROFILE, PORT)
    port = device.ports[0].config
    assert (value_of(port.ethernet.mtu_bytes), value_of(port.pfc.mode)) == (9216, PfcMode.ON)
    assert device.undefined == ()


@pytest.mark.parametrize("around", ["", SYSTEM])
def test_what_a_profile_that_is_missing_may_say_is_unknown(around: str) -> None:
    device = read(HEAD, around, PORT)
    port = device.ports[0].config
    for setting in (port.ethernet.mtu_bytes, port.pfc.mode, port.classification.dscp_to_class, port.queues):
        assert isinstance(setting, Unknown), setting
    assert value_of(port.ethernet.enabled) is True
    named = [(each.kind, each.name, each.where.line) for each in device.undefined if each.kind == "port-profile"]
    assert named == [("port-profile", "GPU", len(f"{HEAD}{around}".splitlines()) + 2)]


def test_a_port_without_a_profile_is_as_the_system_says() -> None:
    port = read(HEAD, "interface Ethernet1/1\n  mtu 9216\n").ports[0].config
    assert value_of(port.ethernet.mtu_bytes) == 9216
    assert not isinstance(port.pfc.mode, Unknown)
