"""Neighbours: the two ends of a cable, the declaration of the site, and the LLDP agents on a port.

Only ports of dumped devices are judged, because a device without a dump may have many names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params, Whole
from auditor.model.fabric import Attached, End, Link
from auditor.model.finding import Finding, Level, Related
from auditor.model.setting import NOT_COLLECTED, Known, Unset, Where, value_of
from auditor.util.values import dataclass

LLDP = "lldp"
_DECLARED = {"links_file": "the declared links", "device_neighbor": "DEVICE_NEIGHBOR"}
_CABLED = frozenset({LLDP, *_DECLARED})


@dataclass(frozen=True, slots=True)
class FarEnd:
    """The other end of a cable, by some evidence."""

    link: Link
    port: Attached


@dataclass(frozen=True, slots=True)
class PortNeighbours:
    """A port and its cables.

    `announced` gives, for each port, the far ends of which LLDP tells; `hearing` are the devices that show neighbours.
    """

    at: Attached
    fars: Sequence[FarEnd]
    announced: Mapping[End, Sequence[FarEnd]]
    hearing: frozenset[str]


def list_neighbours(given: Whole, _params: object) -> Iterable[PortNeighbours]:
    """Return ports that LLDP or a declaration cables to a port of these dumps, or on which several agents speak."""
    ends = given.fabric.ends()
    fars: dict[End, list[FarEnd]] = {}
    for link, a, b in given.fabric.inner_links():
        if not _CABLED.isdisjoint(link.evidence):
            fars.setdefault(link.a, []).append(FarEnd(link, b))
            fars.setdefault(link.b, []).append(FarEnd(link, a))
    announced = {end: [far for far in found if LLDP in far.link.evidence] for end, found in fars.items()}
    hearing = frozenset(port.device.name for port in ends.values() if hears(port))
    return tuple(
        PortNeighbours(port, fars.get(end, ()), announced, hearing)
        for end, port in ends.items()
        if end in fars or (port.port.other_peers and port.device.kind == "switch")
    )


def hears(port: Attached) -> bool:
    """Return whether LLDP names a neighbour at *port*."""
    peer = value_of(port.port.peer)
    return peer is not None and peer.evidence == LLDP


def lldp_contradicts(given: PortNeighbours, _params: Params, _context: object) -> Iterator[Finding]:
    """A cable of which the evidence disagrees is not where it is taken to be, or something stands between its ends."""
    if _is_plain(given):
        return
    yield from _check_announcements(given)
    yield from _check_declaration(given)
    yield from _check_silence(given)
    yield from _check_agents(given)


def _is_plain(given: PortNeighbours) -> bool:
    """Return whether a port has one cable, whose ends name each other, as nearly all, and no other agent speaks."""
    link = given.fars[0].link if len(given.fars) == 1 else None
    return link is not None and link.confirmed and link.evidence == (LLDP,) and not given.at.port.other_peers


def _check_announcements(given: PortNeighbours) -> Iterator[Finding]:
    """Two ports cannot be at the other end; those of one host may share a wire (partitions, Socket Direct)."""
    fars = {_identify_owner(far.port): far for far in given.announced.get(given.at.end, ())}
    if len(fars) > 1:
        told = " and ".join(f"{far.port.end} ({_describe_witness(given.at, far)})" for far in fars.values())
        message = f"is cabled to {told}: one is out of date, or something stands between"
        yield _make_finding(given.at, message, tuple(fars.values()))


def _identify_owner(port: Attached) -> object:
    return port.device.own_name if port.device.kind == "host" else (port.device.own_name, port.port.name)


def _describe_witness(at: Attached, far: FarEnd) -> str:
    tellers = [name for name, port in (("this end", at), ("that end", far.port)) if port.end in far.link.told_by]
    return "both ends say so" if len(tellers) > 1 else f"{tellers[0]} says so"


def _check_declaration(given: PortNeighbours) -> Iterator[Finding]:
    """Yield a declared cable that differs from LLDP at one of its ends."""
    here = given.at.end
    for far in given.fars:
        link = far.link
        source = next((_DECLARED[kind] for kind in link.evidence if kind in _DECLARED), "")
        if not source or LLDP in link.evidence or link.a != here:
            continue
        for near, other in ((given.at, far.port), (far.port, given.at)):
            told = [
                each
                for each in given.announced.get(near.end, ())
                if _identify_owner(each.port) != _identify_owner(other)
            ]
            if told:
                message = f"is cabled to {other.end} by {source}, but LLDP tells of {told[0].port.end}"
                yield _make_finding(near, message, told)
                break


def _check_silence(given: PortNeighbours) -> Iterator[Finding]:
    """Of two switches each names the other; that a host is not heard may be its own choice."""
    at = given.at
    is_silent = at.port.peer == NOT_COLLECTED or isinstance(at.port.peer, Unset)
    is_up = not at.is_shut
    if not is_silent or not is_up or at.device.kind != "switch" or at.device.name not in given.hearing:
        return
    for far in given.announced.get(at.end, ()):
        if far.port.device.kind == "switch" and far.link.told_by == (far.port.end,):
            message = f"hears no LLDP neighbour, but {far.port.end} hears this port"
            yield _make_finding(at, f"{message}: LLDP is off at one end, or the link is one-way", (far,), Level.NOTE)


def _check_agents(given: PortNeighbours) -> Iterator[Finding]:
    first = given.at.port.peer
    if given.at.device.kind != "switch" or not given.at.port.other_peers or not isinstance(first, Known):
        return
    everybody = (first, *given.at.port.other_peers)
    names = ", ".join(f"{peer.value.device} {peer.value.port}" for peer in everybody)
    yield Finding(
        f"hears {len(everybody)} LLDP agents: {names}; DCBX expects one",
        given.at.port.locate(everybody[1].where) or given.at.port.where,
        key="agents",
        device=given.at.device.name,
        port=given.at.port.name,
    )


def _make_finding(at: Attached, message: str, fars: Sequence[FarEnd], level: Level | None = None) -> Finding:
    proofs = ((str(far.port.end), _locate_peer(far.port)) for far in fars)
    return Finding(
        message,
        _locate_peer(at) or at.port.where,
        key=", ".join(str(far.port.end) for far in fars),
        related=tuple(Related(f"{name} names its neighbour", place) for name, place in proofs if place),
        level=level,
        device=at.device.name,
        port=at.port.name,
    )


def _locate_peer(port: Attached) -> Where | None:
    peer = port.port.peer
    return port.port.locate(peer.where) if isinstance(peer, Known) else None
