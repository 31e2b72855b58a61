"""Packets of one flow on several paths: what switches do, and what NICs allow or can put in order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Params, Whole
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Level, Related
from auditor.model.setting import value_of
from auditor.model.spreading import Spreading
from auditor.packet.classify import takes_part

_VENDOR = "NVIDIA"
"""The vendor whose switches spread only the packets that a NIC marks for it."""
_ASKING = "cumulus_nvue"


@dataclass(frozen=True, slots=True)
class AdaptivePath:
    """A RoCE NIC, and a port of its switch on which adaptive routing runs."""

    nic: Attached
    by: Attached


def list_adaptive_paths(given: Whole, _params: object) -> Iterable[AdaptivePath]:
    """Return the RoCE NICs behind switches that spread packets; of those that ask the NIC, NVIDIA's alone."""
    spreading = {device.name: port for device in given.fabric.devices if (port := _find_adaptive_port(device))}
    if not spreading:
        return
    ends = given.fabric.ends()
    for link in given.fabric.links:
        a, b = ends.get(link.a), ends.get(link.b)
        for near, far in ((a, b), (b, a)):
            nic = near.port.config.nic if near else None
            asks = far is not None and far.device.os == _ASKING
            is_judged = nic and (not asks or value_of(nic.vendor) in {None, _VENDOR})
            if near and far and is_judged and takes_part(near.port.config) and far.device.name in spreading:
                yield AdaptivePath(near, spreading[far.device.name])


def _find_adaptive_port(device: Device) -> Attached | None:
    port = next((port for port in device.ports if value_of(port.config.spreading) is Spreading.PACKET), None)
    return Attached(device, port) if port and device.kind == "switch" else None


def adaptive_routing_refused(given: AdaptivePath, _params: Params, _context: object) -> Iterator[Finding]:
    """A NIC that is not asked gets its packets out of order; one that is asked keeps them on the path of their flow."""
    nic, by = given.nic.port.config.nic, given.by
    if nic is None:
        return
    own = given.nic.known(nic.adaptive_routing)
    if own.value:
        return
    place = by.port.locate(getattr(by.port.config.spreading, "where", None))
    name = str(by.end)
    asks = by.device.os == _ASKING
    message = (
        f"adaptive routing is off, but {by.device.name} spreads packets by it: RDMA that does not ask for it by itself "
        "stays on one path a flow"
        if asks
        else f"takes packets in order alone (adaptive routing is off), but {by.device.name} spreads the packets of a "
        "flow one by one: the NIC takes what is late for lost and asks for it again"
    )
    yield Finding(
        message,
        given.nic.port.locate(own.where) or given.nic.port.where,
        key=by.device.name,
        related=(Related(f"{name} {'routes adaptively' if asks else 'spreads packet by packet'}", place),)
        if place
        else (),
        level=None if asks else Level.ERROR,
        device=given.nic.device.name,
        port=given.nic.port.name,
    )
