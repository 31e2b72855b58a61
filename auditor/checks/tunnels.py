"""Tunnels: what the packets of RDMA inside of them are on the way."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Context, Params
from auditor.intent import Intent, TrafficKind
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.setting import Known, value_of
from auditor.packet.classify import takes_part


@dataclass(frozen=True, slots=True)
class TunnelMarking:
    """The DSCP that a switch gives all packets of its tunnels on the outside, and those that RDMA has inside."""

    outer: Known[int]
    rdma: tuple[int, ...]


def list_tunnel_markings(device: Device, context: Context) -> Iterable[TunnelMarking]:
    """Judge switches with ports for RDMA that give all packets of their tunnels one DSCP."""
    outer, rdma = device.tunnel_dscp, _list_rdma_dscps(context.intent)
    if device.kind != "switch" or not isinstance(outer, Known) or not rdma:
        return ()
    takes = any(takes_part(port.config, ecn_only=context.intent.is_ecn_only) for port in device.ports)
    return (TunnelMarking(outer, rdma),) if takes else ()


def _list_rdma_dscps(intent: Intent) -> tuple[int, ...]:
    told = (value_of(traffic.dscp) or () for traffic in intent.of_kind(TrafficKind.RDMA))
    return tuple(sorted({dscp for each in told for dscp in each}))


def marking_lost(given: TunnelMarking, _params: Params, _context: Context) -> Iterator[Finding]:
    """Switches between the ends of a tunnel sort by the outer header alone, and pause by what they sort."""
    outer, rdma = given.outer, given.rdma
    if outer.value not in rdma:
        inside = " or ".join(map(str, rdma))
        message = f"VXLAN packets get DSCP {outer.value} on the outside, also those with RDMA (DSCP {inside}) inside"
        yield Finding(message, outer.where)
