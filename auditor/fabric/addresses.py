"""Addresses of RoCE NICs, of `ip addr` and of GID tables."""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv6Address

from auditor.fabric.gid import is_link_local
from auditor.model.device import Device
from auditor.model.nic import find_other_fabric
from auditor.model.port import Port
from auditor.model.setting import Known, Where, value_of
from auditor.util.addresses import parse_interface
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_WHOLE = regex(r"[0-9a-fA-F]{4}(?::[0-9a-fA-F]{4}){7}")
"""A GID as tools print it."""
_MAPPED, _V4 = 0xFFFF, 2**32 - 1
"""The first 96 bits of an IPv4-mapped address (RFC 4291, section 2.5.5.2), and its last 32."""


@dataclass(frozen=True, slots=True)
class NicAddress:
    """An address of a RoCE NIC, without its prefix length; `subnet` is None where no capture shows it.

    `identity` holds what tells the NIC apart from every other: its MAC address and its link-local GIDs.
    """

    device: Device
    port: Port
    address: str
    where: Where | None
    subnet: str | None
    identity: frozenset[str]

    @property
    def name(self) -> str:
        """The host and the netdev."""
        return f"{self.device.name} {self.port.name}"

    @property
    def base(self) -> tuple[str, str]:
        """The host and the bond, the parent or the netdev: ports that share it share their addresses."""
        above = value_of(self.port.lag) or value_of(self.port.parent) or self.port.name
        return self.device.name, above.partition(".")[0]


def list_nic_addresses(device: Device) -> Iterator[NicAddress]:
    """Yield the routable addresses of the RoCE NICs of a host, each once for a NIC."""
    if device.kind != "host":
        return
    subnets = {
        (each.netdev, str(parse_interface(each.address).ip)): (str(parse_interface(each.address).network), each.where)
        for each in device.text.addresses
    }
    rows = {(row.device, read_gid(row.gid)): row.where for row in device.text.gid_rows if not is_link_local(row.gid)}
    for port in device.ports:
        nic = port.config.nic
        if nic is None or not nic.has_rdma_device or find_other_fabric(nic):
            continue
        names = (port.name, *port.aliases)
        identity = _identify(port)
        places = _list_gid_places(port, rows)
        found: dict[str, tuple[str | None, Where | None]] = {address: (None, at) for address, at in places.items()}
        found |= {address: told for (name, address), told in subnets.items() if name in names}
        for address, (subnet, place) in found.items():
            yield NicAddress(device, port, address, place, subnet, identity)


def _list_gid_places(port: Port, rows: Mapping[tuple[str, str], Where]) -> Mapping[str, Where | None]:
    """Return the routable addresses of a GID table with their lines, else with that of the table."""
    table, device = port.rdma.gids, value_of(port.rdma.name) or ""
    if not isinstance(table, Known):
        return {}
    own = {read_gid(gid.gid): gid for gid in table.value if not is_link_local(gid.gid)}
    shown = port.locate(table.where)
    return {address: rows.get((device, address), shown) for address in own if address}


def _identify(port: Port) -> frozenset[str]:
    local = {gid.gid for gid in value_of(port.rdma.gids) or () if is_link_local(gid.gid)}
    mac = value_of(port.mac)
    return frozenset(local | ({mac} if mac else set()))


@remember
def read_gid(text: str) -> str:
    """Return the IP address that a GID stands for; empty for another text.

    >>> read_gid("::ffff:10.0.0.1"), read_gid("fd00:0::1"), read_gid("x")
    ('10.0.0.1', 'fd00::1', '')
    >>> read_gid("0000:0000:0000:0000:0000:ffff:0a00:0001"), read_gid("fe80:0000:0000:0000:0200:5eff:fe00:0001")
    ('10.0.0.1', 'fe80::200:5eff:fe00:1')
    """
    if _WHOLE.fullmatch(text):
        number = int(text.replace(":", ""), 16)
        return str(IPv4Address(number & _V4) if number >> 32 == _MAPPED else IPv6Address(number))
    try:
        address = IPv6Address(text) if ":" in text else IPv4Address(text)
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
