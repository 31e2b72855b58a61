"""The VLANs that a SONiC switch routes into, and the ports that carry them."""

from collections.abc import Collection

from auditor.model.device import VlanInterface
from auditor.model.setting import value_of
from auditor.systems.sonic.config import Config, convert_number
from auditor.util.natsort import natural


def list_vlan_interfaces(config: Config) -> tuple[VlanInterface, ...]:
    """Return the VLANs that have an address and are not shut down.

    The MTU in a VLAN's row is that of its router interface, in bytes of the IP packet.
    """
    parts = (key.partition("|") for key in config.entries.get("VLAN_INTERFACE", ()))
    addressed = {name for name, _, address in parts if address}
    routed = {
        name: vlan
        for name, vlan in config.entries.get("VLAN", {}).items()
        if name in addressed and value_of(vlan.get("admin_status")) != "down"
    }
    ports = _carrying(config, routed.keys()) if routed else {}
    return tuple(
        VlanInterface(
            name, vlan.where, convert_number(vlan.get("mtu")), tuple(sorted(ports.get(name, ()), key=natural))
        )
        for name, vlan in routed.items()
    )


def _carrying(config: Config, vlans: Collection[str]) -> dict[str, set[str]]:
    """Return the ports of each of *vlans*, directly or as members of a port channel."""
    in_lag: dict[str, list[str]] = {}
    for port, (lag, _) in config.members.items():
        in_lag.setdefault(lag, []).append(port)
    found: dict[str, set[str]] = {}
    for key in config.entries.get("VLAN_MEMBER", ()):
        vlan, _, member = key.partition("|")
        if vlan in vlans:
            found.setdefault(vlan, set()).update(in_lag.get(member, (member,)))
    return found
