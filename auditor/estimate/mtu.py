"""RoCE packets: their sizes, the path MTU that a NIC takes, and what a hop with a smaller MTU swallows."""

from auditor.util.values import dataclass

PATH_MTUS = (256, 512, 1024, 2048, 4096)
RETH_BYTES = 16
"""Extended header of the first (or only) packet of a WRITE, and of a READ request."""
AETH_BYTES = 4
"""Extended header of an acknowledgement, and of the first, last or only packet of a READ response."""
_IP_BYTES = {4: 20, 6: 40}
_UDP_BYTES = 8
_BTH_BYTES = 12
_ICRC_BYTES = 4
_LARGEST_HEADERS_BYTES = 40 + _UDP_BYTES + _BTH_BYTES + 4 + 28 + _ICRC_BYTES
"""As the kernel counts them: GRH, UDP, BTH, XRC, AtomicETH, ICRC."""
_ETHERNET_BYTES = 14 + 4
_VLAN_BYTES = 4


@dataclass(frozen=True, slots=True)
class Packet:
    """The parts of a RoCEv2 packet, bytes."""

    payload: int
    pad: int
    headers: int

    @property
    def ip(self) -> int:
        """The IP packet, which an L3 MTU limits."""
        return self.payload + self.pad + self.headers

    def frame(self, *, tagged: bool = False) -> int:
        """Return the size of the Ethernet frame with its FCS, and with a VLAN tag."""
        return self.ip + _ETHERNET_BYTES + (_VLAN_BYTES if tagged else 0)


def packet(payload_bytes: int, extended_bytes: int = 0, ip_version: int = 4) -> Packet:
    """Return the parts of a RoCEv2 packet.

    IP (20 or 40) + UDP (8) + BTH (12) + extended headers + payload + padding to 4 bytes + ICRC (4).

    payload_bytes: at most the path MTU, bytes. extended_bytes: such as RETH_BYTES. ip_version: 4 or 6.

    >>> packet(4096).ip, packet(4096).frame(), packet(4096, RETH_BYTES + 4, ip_version=6).ip
    (4140, 4158, 4180)

    References: [1] InfiniBand Architecture Specification, volume 1, annex A17 (RoCEv2); sizes quoted from memory, and
    in agreement with the kernel's constants [2]. [2] Linux, include/rdma/ib_addr.h, iboe_get_mtu.
    """
    if payload_bytes < 0 or extended_bytes < 0:
        raise ValueError(
            f"payload and extended headers must be at least 0 bytes, not {payload_bytes}, {extended_bytes}"
        )
    if ip_version not in _IP_BYTES:
        raise ValueError(f"the IP version must be 4 or 6, not {ip_version}")
    headers = _IP_BYTES[ip_version] + _UDP_BYTES + _BTH_BYTES + extended_bytes + _ICRC_BYTES
    return Packet(payload_bytes, -payload_bytes % 4, headers)


def active_mtu(netdev_mtu: int) -> int:
    """Return the path MTU that the kernel derives from a network device's MTU, bytes; 0 where none fits.

    The largest of 256, 512, 1024, 2048 and 4096 that leaves 96 bytes for the largest headers.

    netdev_mtu: MTU of the network device, bytes.

    >>> active_mtu(1500), active_mtu(4200), active_mtu(9000), active_mtu(300)
    (1024, 4096, 4096, 0)

    References: [1] Linux, include/rdma/ib_addr.h, iboe_get_mtu (the headers seen there by name, their sizes quoted from
    memory).
    """
    return max((mtu for mtu in PATH_MTUS if mtu + _LARGEST_HEADERS_BYTES <= netdev_mtu), default=0)


def compute_lost_fraction(
    message_bytes: int, path_mtu: int, hop_mtu: int, *, write: bool = True, ip_version: int = 4
) -> float:
    """Return the fraction of a message's packets that a hop with a small MTU drops, each time they are sent.

    Of ceil(M/q) packets those larger than m at IP are lost, since no switch ASIC fragments RoCE: all full ones where
    q + 44 > m, the first of a WRITE from q + 60 > m on. Small messages pass, large ones never end.

    message_bytes: M. path_mtu: q, the payload of a full packet, bytes. hop_mtu: m, the largest IP packet that passes,
    bytes. write: the first packet carries the header of a WRITE. ip_version: 4 or 6.

    >>> [compute_lost_fraction(*each) for each in ((1 << 20, 4096, 1500), (1024, 4096, 1500), (16384, 4096, 4150))]
    [1.0, 0.0, 0.25]

    References: [1] derived from the sizes of `packet`.
    """
    if message_bytes < 0 or hop_mtu <= 0 or path_mtu not in PATH_MTUS:
        raise ValueError(
            f"message must be at least 0, hop MTU above 0 and path MTU one of {PATH_MTUS}, "
            f"not {message_bytes}, {hop_mtu} and {path_mtu}"
        )
    full, rest = divmod(message_bytes, path_mtu)
    payloads = {path_mtu: full, rest: 1} if rest or not full else {path_mtu: full}
    first = path_mtu if full else rest
    lost = {size: packet(size, ip_version=ip_version).ip > hop_mtu for size in payloads}
    first_lost = packet(first, RETH_BYTES if write else 0, ip_version).ip > hop_mtu
    return (sum(payloads[size] * lost[size] for size in payloads) + first_lost - lost[first]) / sum(payloads.values())
