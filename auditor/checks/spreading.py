"""Packets of one flow on several paths: what switches do, and what NICs allow or can put in order."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Level, Related
from auditor.model.nic import Nic
from auditor.model.setting import value_of
from auditor.model.spreading import Spreading
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_VENDOR, _ASKING = "NVIDIA", "cumulus_nvue"
"""The vendor whose switches spread only the packets that a NIC marks for it, and their operating system."""


@dataclass(frozen=True, slots=True)
class SpreadPackets:
    """A switch that sends the packets of one flow on several paths, and RoCE NICs that get or send them.

    `asks`: it spreads only what a NIC marks for it; then there is one NIC.
    """

    by: Attached
    nics: tuple[Attached, ...]
    asks: bool


def list_spread_packets(given: Whole, _params: object) -> Iterable[SpreadPackets]:
    """Return each switch that spreads, with the NICs behind it; a switch without NICs has those of the whole fabric.

    A switch that asks is returned once for each NIC of its vendor behind it.
    """
    spreading = [port for device in given.fabric.devices if (port := _find_spreading_port(device))]
    if not spreading:
        return
    behind: dict[str, list[Attached]] = {}
    for nic, switch in _list_attached_nics(given):
        behind.setdefault(switch, []).append(nic)
    for by in spreading:
        own = behind.get(by.device.name, [])
        if by.device.os == _ASKING:
            theirs = (nic for nic in own if value_of(_get_nic(nic).vendor) in {None, _VENDOR})
            yield from (SpreadPackets(by, (nic,), asks=True) for nic in theirs)
        elif nics := own or [nic for each in behind.values() for nic in each]:
            yield SpreadPackets(by, tuple(nics), asks=False)


def _find_spreading_port(device: Device) -> Attached | None:
    port = next((port for port in device.ports if value_of(port.config.spreading) is Spreading.PACKET), None)
    return Attached(device, port) if port and device.kind == "switch" else None


def _list_attached_nics(given: Whole) -> Iterator[tuple[Attached, str]]:
    """Yield each RoCE NIC, and the device at the other end of its cable."""
    ends = given.fabric.ends()
    for link in given.fabric.links:
        for near, far in ((link.a, link.b), (link.b, link.a)):
            end = ends.get(near)
            if end and end.port.config.nic and takes_part(end.port.config):
                yield end, far.device


def _get_nic(end: Attached) -> Nic:
    return end.port.config.nic or Nic()


def packets_out_of_order(given: SpreadPackets, _params: Params, _context: object) -> Iterator[Finding]:
    """A NIC that is not asked gets its packets out of order; one that is asked keeps them on the path of their flow."""
    if given.asks:
        yield from _check_asked(given.by, given.nics[0])
        return
    told = [(nic, value_of(_get_nic(nic).adaptive_routing)) for nic in given.nics]
    in_order = [nic for nic, takes_any in told if takes_any is False]
    if in_order:
        yield _report_overtaken(given.by, in_order)
    elif unknown := next((nic for nic, takes_any in told if takes_any is None), None):
        unknown.known(_get_nic(unknown).adaptive_routing)


def _check_asked(by: Attached, nic: Attached) -> Iterator[Finding]:
    own = nic.known(_get_nic(nic).adaptive_routing)
    if own.value:
        return
    place = by.port.locate(getattr(by.port.config.spreading, "where", None))
    yield Finding(
        f"adaptive routing is off, but {by.device.name} spreads packets by it: RDMA that does not ask for it by itself "
        "stays on one path a flow",
        nic.port.locate(own.where) or nic.port.where,
        key=by.device.name,
        related=(Related(f"{by.end} routes adaptively", place),) if place else (),
        device=nic.device.name,
        port=nic.port.name,
    )


def _report_overtaken(by: Attached, in_order: list[Attached]) -> Finding:
    first = in_order[0]
    more = f" and {len(in_order) - 1} more" if len(in_order) > 1 else ""
    proof = first.port.locate(getattr(_get_nic(first).adaptive_routing, "where", None))
    return Finding(
        f"spreads the packets of each flow over its ports, but {first.end}{more} take packets in order alone (adaptive "
        "routing is off): they ask for late packets again, as if these were lost",
        by.port.locate(getattr(by.port.config.spreading, "where", None)) or by.port.where,
        key="packets",
        level=Level.ERROR,
        related=(Related(f"{first.end}", proof),) if proof else (),
        device=by.device.name,
        port=by.port.name,
    )
