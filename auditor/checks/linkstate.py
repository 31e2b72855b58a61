"""Links that do not come up, or carry nothing, though no line shuts them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from auditor.checks.base import Cable, Context, Params, Whole
from auditor.checks.neighbours import LLDP, hears
from auditor.checks.topology import make_difference
from auditor.fabric.topology import DESCRIPTION
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.port import PortConfig
from auditor.model.setting import Known, value_of
from auditor.util.values import dataclass


def list_negotiating(cable: Cable, _context: object) -> Iterable[Cable]:
    """Return each link that is up and whose ends both say whether they negotiate."""
    ends = [end.port.config.ethernet for end in (cable.a, cable.b)]
    return (cable,) if not cable.is_shut and all(isinstance(end.negotiates, Known) for end in ends) else ()


def negotiation_differs(cable: Cable, _params: Params, _context: object) -> Iterator[Finding]:
    """An end that negotiates waits for pages that the other end never sends."""
    near, far = sorted((cable.a, cable.b), key=lambda end: not _is_odd(end))
    own, theirs = (end.known(end.port.config.ethernet.negotiates) for end in (near, far))
    if own.value != theirs.value:
        there = f"{far.end} at the other end of the cable does {'' if theirs.value else 'not'}".rstrip()
        message = f"{'negotiates the link' if own.value else 'does not negotiate the link'}, but {there}"
        found = make_difference(message, (near, own), (far, theirs))
        yield replace(found, facts=tuple(_list_words(near, is_on=theirs.value)))


def _list_words(end: Attached, *, is_on: bool) -> Iterator[tuple[str, str | int | float]]:
    """Yield the words by which the switches make a port negotiate as the other end of its cable does."""
    no = "" if is_on else "no "
    yield "autoneg", "enabled" if is_on else "disabled"
    yield "autoneg_nxos", f"{no}negotiate auto"
    yield "autoneg_iosxr", f"{no}negotiation auto"
    yield "autoneg_huawei", f"{'undo ' if is_on else ''}negotiation disable"
    yield "autoneg_junos", f"{no.replace(' ', '-')}auto-negotiation"
    speed = value_of(end.port.config.ethernet.speed_gbps)
    if speed:
        yield "autoneg_aoscx", f"{'auto ' if is_on else ''}{speed:g}g"
        yield "autoneg_eos", f"{'auto' if is_on else 'forced'} {speed:g}gfull"


def _is_odd(end: Attached) -> bool:
    """Return whether most ports of the device that say so decide otherwise."""
    counted = Counter(value_of(port.config.ethernet.negotiates) for port in end.device.ports)
    own = value_of(end.port.config.ethernet.negotiates)
    return counted[not own] > counted[own]


def list_loopback_ports(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return ports that are up and say whether they are in loopback."""
    is_up = not port.ethernet.is_shut
    return (port,) if is_up and isinstance(port.ethernet.loopback, Known) else ()


def port_in_loopback(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A port in loopback hears itself: it is up, and its cable carries nothing."""
    loopback = port.ethernet.loopback.known()
    if loopback.value:
        yield Finding("is in loopback: it is up, and its cable carries nothing", loopback.where)


@dataclass(frozen=True, slots=True)
class DescribedLink:
    """A link between switches that hear LLDP, whose ends name each other; `is_heard`: LLDP tells of it."""

    a: Attached
    b: Attached
    is_heard: bool


def list_described_links(given: Whole, _params: object) -> Iterable[DescribedLink]:
    """Return the links of which the descriptions of both ends tell, where LLDP of both switches names neighbours."""
    ends = given.fabric.ends()
    hearing = {end.device for end, port in ends.items() if hears(port)}
    links = [
        DescribedLink(ends[link.a], ends[link.b], LLDP in link.evidence)
        for link in given.fabric.links
        if DESCRIPTION in link.evidence and len(link.told_by) != 1 and {link.a.device, link.b.device} <= hearing
    ]
    return tuple(each for each in links if not each.a.is_shut and not each.b.is_shut)


def silent_link(given: DescribedLink, _params: Params, _context: object) -> Iterator[Finding]:
    """LLDP crosses every link that is up: where neither end hears the other, the link is down."""
    if given.is_heard:
        return
    near, far = given.a, given.b
    proof = far.port.where
    yield Finding(
        f"its description and that of {far.end} name each other, but LLDP hears no neighbour at either end: the link "
        "is down",
        near.port.where,
        key=str(far.end),
        related=(Related(str(far.end), proof),) if proof else (),
        device=near.device.name,
        port=near.port.name,
    )
