"""VLANs of SONiC: those that route, and the ports that carry them."""

import json
from typing import Any

import pytest

from auditor.model.device import Device, VlanInterface
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unknown, Unset
from auditor.systems.effective import fill_defaults
from auditor.systems.sonic import parse as sonic

CONFIG: dict[str, dict[str, dict[str, Any]]] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
    "PORT": {f"Ethernet{n}": {"mtu": "9100", "admin_status": "up"} for n in (0, 4, 8, 12)},
    "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet8": {}, "PortChannel1|Ethernet12": {}},
    "VLAN": {"Vlan10": {"vlanid": "10", "mtu": "1500", "dhcp_servers": ["192.0.2.9"]}},
    "VLAN_INTERFACE": {"Vlan10": {}, "Vlan10|192.0.2.1/26": {}},
    "VLAN_MEMBER": {"Vlan10|Ethernet4": {"tagging_mode": "untagged"}, "Vlan11|Ethernet0": {"tagging_mode": "tagged"}},
}


def parsed(config: object) -> Device:
    lines = tuple(json.dumps(config, indent=1).splitlines())
    return sonic.parse("leaf1", "config_db.json", [Capture("config_db.json", lines)])


def changed(table: str, *without: str, **rows: dict[str, str]) -> dict[str, dict[str, dict[str, Any]]]:
    kept = {key: row for key, row in CONFIG[table].items() if key not in without}
    return {**CONFIG, table: {**kept, **rows}}


def one(config: object) -> VlanInterface:
    (found,) = parsed(config).vlan_interfaces
    return found


def test_a_vlan_with_an_address_bounds_by_its_mtu_what_its_members_route() -> None:
    found = one(CONFIG)
    assert isinstance(found.mtu_bytes, Known)
    assert found.mtu_bytes.where is not None
    assert (found.name, found.mtu_bytes.value, found.members) == ("Vlan10", 1500, ("Ethernet4",))
    lines = json.dumps(CONFIG, indent=1).splitlines()
    assert '"mtu": "1500"' in lines[found.mtu_bytes.where.line - 1]
    assert '"Vlan10": {' in lines[found.where.line - 1]


def test_members_of_a_port_channel_carry_what_it_carries() -> None:
    members = changed("VLAN_MEMBER", **{"Vlan10|PortChannel1": {"tagging_mode": "tagged"}})
    assert one(members).members == ("Ethernet4", "Ethernet8", "Ethernet12")


@pytest.mark.parametrize(
    "config",
    [
        changed("VLAN_INTERFACE", "Vlan10|192.0.2.1/26"),
        changed("VLAN", Vlan10={"vlanid": "10", "mtu": "1500", "admin_status": "down"}),
        changed("VLAN", "Vlan10", Vlan11={"vlanid": "11", "mtu": "1500"}),
        {table: rows for table, rows in CONFIG.items() if table != "VLAN_INTERFACE"},
    ],
)
def test_what_does_not_route_is_no_vlan_interface(config: object) -> None:
    assert parsed(config).vlan_interfaces == ()


def test_a_silent_vlan_has_the_documented_mtu() -> None:
    device = parsed(changed("VLAN", Vlan10={"vlanid": "10"}))
    (silent,) = device.vlan_interfaces
    assert silent.mtu_bytes == Unset(silent.where)
    (filled,) = fill_defaults(device).vlan_interfaces
    assert isinstance(filled.ip_mtu_bytes, Known)
    assert (filled.ip_mtu_bytes.value, filled.ip_mtu_bytes.origin) == (9100, Origin.DEFAULT)
    assert filled.ip_mtu_bytes.where == silent.where
    assert "vlanmgr" in filled.ip_mtu_bytes.reference


def test_an_mtu_that_cannot_stand_there_is_unknown() -> None:
    assert isinstance(one(changed("VLAN", Vlan10={"mtu": "99999"})).mtu_bytes, Unknown)


@pytest.mark.parametrize("table", ["VLAN", "VLAN_INTERFACE", "VLAN_MEMBER"])
def test_other_fields_of_vlans_are_of_no_interest(table: str) -> None:
    key = next(iter(CONFIG[table]))
    device = parsed(changed(table, **{key: {"vendor_field": "1"}}))
    assert LineState.UNRECOGNISED not in device.dumps[0].states
    assert device.doubts == ()


def test_flat_rows_and_yang_say_the_same() -> None:
    flat = {f"{table}|{key}": row for table, rows in CONFIG.items() for key, row in rows.items()}
    assert one(flat).members == ("Ethernet4",)
    yang = {table: rows for table, rows in CONFIG.items() if not table.startswith("VLAN")} | {
        "sonic-vlan:sonic-vlan": {
            "sonic-vlan:VLAN": {"VLAN_LIST": [{"name": "Vlan10", "vlanid": 10, "mtu": 1500}]},
            "sonic-vlan:VLAN_INTERFACE": {
                "VLAN_INTERFACE_LIST": [{"name": "Vlan10"}],
                "VLAN_INTERFACE_IPPREFIX_LIST": [{"name": "Vlan10", "ip-prefix": "192.0.2.1/26"}],
            },
            "sonic-vlan:VLAN_MEMBER": {"VLAN_MEMBER_LIST": [{"name": "Vlan10", "port": "Ethernet4"}]},
        }
    }
    assert one(yang).members == ("Ethernet4",)
