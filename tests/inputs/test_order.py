"""What `show` says of a device does not depend on the order of its captures, or on how they are cut into files."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.engine.load import read_device
from auditor.inputs.snapshot import DeviceUnit, find
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.view.port_view import device_view

FIXTURES = Path(__file__).parents[2] / "fixtures" / "dumps"
FOLDERS = {each.folder for each in systems().values() if each.kind == "switch"}
SESSIONS = {
    "cisco_nxos": """\
leaf7# show running-config
hostname leaf7
feature lldp
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos IN
  class RDMA
    set qos-group 3
interface Ethernet1/1
  mtu 9216
  service-policy type qos input IN
interface Ethernet1/2
  mtu 9216
leaf7# show interface status
Port          Name               Status    Vlan      Duplex  Speed   Type
Eth1/1        --                 connected routed    full    400G    QSFP-400G-DR4
leaf7# conf t
leaf7(config)# interface Ethernet1/2
leaf7(config-if)# priority-flow-control mode on
leaf7(config-if)# exit
""",
    "arista_eos": """\
leaf7(config)# qos profile ROCE
leaf7(config-qos-profile-ROCE)# priority-flow-control on
leaf7(config-qos-profile-ROCE)# priority-flow-control priority 3 no-drop
leaf7(config)# interface Ethernet3
leaf7(config-if-Et3)# service-profile ROCE
leaf7(config-if-Et3)# mtu 9214
leaf7# show interfaces status
Port       Name   Status       Vlan     Duplex Speed  Type            Flags Encapsulation
Et3               connected    routed   full   400G   400GBASE-DR4
""",
    "huawei_vrp": """\
<leaf7>display lldp neighbor brief
Local Interface         Exptime(s) Neighbor Interface            Neighbor Device
25GE1/0/1               101        swp7                          spine1
[~leaf7]dcb pfc
[*leaf7-dcb-pfc-default]priority 4
[*leaf7]interface 25GE1/0/1
[*leaf7-25GE1/0/1]dcb pfc enable mode manual
""",
    "dell_enterprise_sonic": """\
sonic# show qos map tc-queue
TC-Q-MAP: Q7
----------------------------
    TC  Q
----------------------------
    3    3
----------------------------
sonic# show interface counters
Interface   State  RX_OK
sonic(config)# interface Eth 1/7
sonic(conf-if-Eth1/7)# qos-map tc-queue Q7
sonic(conf-if-Eth1/7)# priority-flow-control priority 3
""",
}


def list_units() -> list[ParameterSet]:
    """Return the devices of the fixtures of switches that have several captures."""
    paths = (path for path in sorted(FIXTURES.glob("*/*")) if path.parent.name in FOLDERS)
    units = (
        (path, unit)
        for path in paths
        if not path.name.endswith((".view.json", ".warnings.txt"))
        for unit in find([str(path)]).units
    )
    return [pytest.param(unit, id=f"{path.parent.name}/{path.name}") for path, unit in units if len(unit.captures) > 1]


def view(unit: DeviceUnit, captures: Sequence[Capture]) -> dict[str, object]:
    """Return what `show` says of the device, which has neither lines nor files, ports by their name."""
    device = fill_defaults(systems()[unit.os].parse(unit.name, "", captures))
    device = replace(device, ports=tuple(sorted(device.ports, key=lambda port: port.name)))
    return device_view(device).model_dump()


@pytest.mark.parametrize("unit", list_units())
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_order_of_captures(unit: DeviceUnit, data: st.DataObject) -> None:
    """The more specific source wins wherever it stands."""
    captures = data.draw(st.permutations(unit.captures))
    assert view(unit, captures) == view(unit, unit.captures)


@pytest.mark.parametrize("os", SESSIONS)
def test_session_cut_into_files(os: str, tmp_path: Path) -> None:
    """A folder of the parts of a session, each named after its command, is the same device."""
    (tmp_path / "whole.txt").write_text(SESSIONS[os])
    (whole,) = find([str(tmp_path / "whole.txt")]).units
    assert whole.os == os
    folder = tmp_path / "leaf7"
    folder.mkdir()
    for capture in whole.captures:
        name = re.sub(r"[^A-Za-z0-9.-]+", "_", capture.command or "typed")
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in capture.lines))
    (cut,) = find([str(folder)]).units
    shown, parts = read_device(whole).device, read_device(cut).device
    assert cut.os == os
    assert [port.name for port in parts.ports] == [port.name for port in shown.ports] != []
    assert view(cut, cut.captures)["ports"] == view(whole, whole.captures)["ports"]
