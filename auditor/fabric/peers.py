"""The neighbour of a port whose own dump names none, from the links of the fabric."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.model.fabric import Attached, End, Fabric, Link
from auditor.model.port import PeerPort, Port
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset


def fill_peers(fabric: Fabric) -> Fabric:
    """Return *fabric* with the neighbour of each port of which one link alone tells; the dump of a port goes first.

    The proof is the line of the other end. A port stays as it is where two links end, where outputs of its own dump
    contradict each other, and where the other end is cabled to another port too and does not name this one.
    """
    links, ends = _group_links(fabric.links), fabric.ends()
    devices = tuple(
        replace(
            device, ports=tuple(_fill_port(port, End(device.name, port.name), links, ends) for port in device.ports)
        )
        for device in fabric.devices
    )
    return Fabric(devices, fabric.links)


def _group_links(links: Iterable[Link]) -> Mapping[End, tuple[Link, ...]]:
    """Return the links of each end."""
    found: dict[End, list[Link]] = {}
    for link in links:
        found.setdefault(link.a, []).append(link)
        found.setdefault(link.b, []).append(link)
    return {end: tuple(ends) for end, ends in found.items()}


def _fill_port(port: Port, end: End, links: Mapping[End, tuple[Link, ...]], ends: Mapping[End, Attached]) -> Port:
    own = links.get(end, ())
    if len(own) != 1 or not _is_silent(port.peer):
        return port
    (link,) = own
    far = link.b if link.a == end else link.a
    if len(links[far]) > 1 and far not in link.told_by:
        return port
    return replace(port, peer=_name_peer(far, link, ends.get(far)))


def _is_silent(peer: Setting[PeerPort]) -> bool:
    """Return whether a dump names no neighbour; two outputs that name different ones are not silent."""
    return isinstance(peer, Unset) or peer == NOT_COLLECTED


def _name_peer(far: End, link: Link, attached: Attached | None) -> Known[PeerPort]:
    """Return *far* as the neighbour, proved by its own line if it names the link, else by the file of cables."""
    said = attached.port.peer if attached and far in link.told_by else None
    if attached is None or not isinstance(said, Known):
        return Known(PeerPort(far.device, far.port, link.evidence[0]), Origin.INTENDED)
    return Known(PeerPort(far.device, far.port, said.value.evidence), said.origin, attached.port.locate(said.where))
