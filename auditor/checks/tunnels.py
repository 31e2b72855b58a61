"""Tunnels: what switches between their ends see of RDMA packets, and what becomes of the marks that they set."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.intent import Intent, TrafficKind
from auditor.model.device import Device
from auditor.model.finding import Finding, Level
from auditor.model.port import Forwarding
from auditor.model.setting import Known, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class TunnelMarking:
    """A switch with ports for RDMA that gives all packets of its tunnels one DSCP on the outside.

    `rdma` are those that RDMA has inside. `is_used`: the ports of RDMA are on both sides of the tunnel's end.
    """

    outer: Known[int]
    rdma: tuple[int, ...]
    is_used: bool


@dataclass(frozen=True, slots=True)
class TunnelEcn:
    """A switch with ports for RDMA, and whether its tunnels carry ECN on; `is_used` as above."""

    carries: Known[bool]
    is_used: bool


def list_tunnel_markings(device: Device, context: Context) -> Iterable[TunnelMarking]:
    """Return switches with ports for RDMA that give all packets of their tunnels one DSCP."""
    outer, rdma = device.tunnels.outer_dscp, _list_rdma_dscps(context.intent)
    if not isinstance(outer, Known) or outer.value is None or not rdma:
        return ()
    sides = _list_sides(device, context.intent)
    return (TunnelMarking(Known(outer.value, outer.origin, outer.where), rdma, _has_both(sides)),) if sides else ()


def list_tunnel_ecn(device: Device, context: Context) -> Iterable[TunnelEcn]:
    """Return switches with ports for RDMA and tunnels, in fabrics whose RDMA slows down by ECN."""
    carries = device.tunnels.copies_ecn
    sides = _list_sides(device, context.intent)
    slows_by_ecn = context.intent.uses_dcqcn
    return (TunnelEcn(carries, _has_both(sides)),) if isinstance(carries, Known) and sides and slows_by_ecn else ()


def _list_sides(device: Device, intent: Intent) -> frozenset[Forwarding | None]:
    """Return how the ports for RDMA forward packets; empty without such ports."""
    ports = (port.config for port in device.ports if takes_part(port.config, ecn_only=intent.is_ecn_only))
    return frozenset(value_of(config.ethernet.forwarding) for config in ports)


def _has_both(sides: frozenset[Forwarding | None]) -> bool:
    """Return whether RDMA arrives on bridged ports and leaves by routed ones: a tunnel is its way between leaves."""
    return sides >= {Forwarding.ROUTED, Forwarding.SWITCHED}


def _list_rdma_dscps(intent: Intent) -> tuple[int, ...]:
    told = (value_of(traffic.dscp) or () for traffic in intent.of_kind(TrafficKind.RDMA))
    return tuple(sorted({dscp for each in told for dscp in each}))


def marking_lost(given: TunnelMarking, _params: Params, _context: Context) -> Iterator[Finding]:
    """Switches between the ends of a tunnel sort by the outer header alone, and pause by what they sort."""
    outer, rdma = given.outer, given.rdma
    if outer.value not in rdma:
        inside = " or ".join(map(str, rdma))
        message = f"VXLAN packets get DSCP {outer.value} on the outside, also those with RDMA (DSCP {inside}) inside"
        yield Finding(message, outer.where, level=Level.WARNING if given.is_used else None)


def tunnel_ecn_lost(given: TunnelEcn, _params: Params, _context: Context) -> Iterator[Finding]:
    """What is not ECN-capable on the outside is dropped where it would be marked, or its mark is lost at the end."""
    if not given.carries.value:
        message = "VXLAN tunnels do not carry ECN on: switches between their ends cannot slow down RDMA inside"
        yield Finding(message, given.carries.where, level=Level.WARNING if given.is_used else None)
