"""Layer 3 interfaces above bridge domains: subinterfaces of `irb` interfaces, and the ports in their domain."""

from collections.abc import Iterator

from auditor.model.device import VlanInterface
from auditor.model.setting import value_of
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.interfaces import find_ip_mtu
from auditor.systems.srlinux.names import LAG, PORT


def list_vlan_interfaces(config: Config) -> tuple[VlanInterface, ...]:
    """Return the subinterfaces of `irb` interfaces with the ports of their bridge domain."""
    members: dict[str, list[str]] = {}
    for entry in config.top.entries("interface"):
        lag = value_of(entry.word("ethernet", "aggregate-id"))
        if PORT.match(entry.node.word) and lag:
            members.setdefault(lag, []).append(entry.node.word)
    return tuple(_list(config, members))


def _list(config: Config, members: dict[str, list[str]]) -> Iterator[VlanInterface]:
    for domain in config.top.entries("network-instance"):
        if value_of(domain.word("type")) != "mac-vrf":
            continue
        names = [entry.node.word for entry in domain.entries("interface")]
        bases = [name.partition(".")[0] for name in names]
        ports = [port for base in bases for port in (members.get(base, []) if LAG.match(base) else [base])]
        for name in names:
            base, _, index = name.partition(".")
            unit = config.top.below("interface", base, "subinterface", index) if base.startswith("irb") else None
            if unit:
                mtu = find_ip_mtu(config, unit)
                yield VlanInterface(name, unit.where, mtu, tuple(filter(PORT.match, ports)), mtu)
