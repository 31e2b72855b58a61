"""Links that no route uses: their ends are in different subnets, or have no BGP session."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from auditor.checks.base import Params, Whole
from auditor.fabric.link_addresses import AddressedEnd, AddressedLink
from auditor.model.finding import Finding, Level, Related
from auditor.model.routing import BgpNeighbour
from auditor.model.setting import Known
from auditor.util.values import dataclass


def list_addressed(given: Whole, _params: object) -> Iterable[AddressedLink]:
    """Return the links whose ends have addresses."""
    return given.addressed_links


def ends_apart(given: AddressedLink, _params: Params, _context: object) -> Iterator[Finding]:
    """Ends in different subnets do not reach each other: the cable leads elsewhere than the addresses were planned."""
    if given.shares_subnet:
        return
    (_, own), (_, other) = given.near.addresses[0], given.far.addresses[0]
    there, at = str(given.far.at.end), given.near.at
    yield Finding(
        f"has {own.address}, but {there} at the other end of the cable {other.address}: no subnet in common",
        own.where if given.is_misaddressed else given.near.cable or own.where,
        key=there,
        related=(Related("the address", own.where), Related(f"the address of {there}", other.where)),
        level=None if given.near.is_told else Level.WARNING,
        device=at.device.name,
        port=at.port.name,
    )


@dataclass(frozen=True, slots=True)
class RoutedLink:
    """A link between switches of which one, `near`, has BGP sessions over most of its links; the subnet is common.

    `neighbours` are those of `near` at the addresses of `far`. `accused`: most switches expect another autonomous
    system of `far` than it has.
    """

    near: AddressedEnd
    far: AddressedEnd
    neighbours: tuple[BgpNeighbour, ...]
    accused: bool = False

    @property
    def other_as(self) -> Known[int] | None:
        """The autonomous system of `far`, where the neighbours of `near` expect another one."""
        own = self.far.sessions.device.routing.own_as
        expected = {each.remote_as for each in self.neighbours} - {None}
        return own if isinstance(own, Known) and expected and own.value not in expected else None


def list_routed_links(given: Whole, _params: object) -> Iterable[RoutedLink]:
    """Return each direction of each link between switches over which BGP is to route."""
    found: dict[str, list[RoutedLink]] = {}
    for link in given.addressed_links:
        for near, far in ((link.near, link.far), (link.far, link.near)):
            if near.at.device.kind == far.at.device.kind == "switch" and link.shares_subnet:
                found.setdefault(near.at.device.name, []).append(_make_routed(near, far))
    routed = [each for links in found.values() if _are_routed_by_bgp(links) for each in links]
    total = Counter(each.far.at.device.name for each in routed)
    wrong = Counter(each.far.at.device.name for each in routed if each.other_as)
    accused = {name for name, count in wrong.items() if count > 1 and count * 2 > total[name]}
    return tuple(replace(each, accused=True) if each.far.at.device.name in accused else each for each in routed)


def _make_routed(near: AddressedEnd, far: AddressedEnd) -> RoutedLink:
    at = near.addresses[0][1].netdev
    told = [near.sessions.find_neighbour(address, each.address, at) for address, each in far.addresses]
    return RoutedLink(near, far, tuple([each for each in told if each]))


def _are_routed_by_bgp(links: Sequence[RoutedLink]) -> bool:
    """Return whether most links of a switch to others have a neighbour: there BGP routes between switches."""
    told = sum(bool(link.neighbours) for link in links)
    return told > 1 and told * 2 > len(links)


def session_missing(given: RoutedLink, _params: Params, _context: object) -> Iterator[Finding]:
    """A link without a session carries nothing, and its equals carry more than they were planned for."""
    found = given.neighbours
    if found and not given.other_as and not all(each.is_shut for each in found):
        return
    at, own, there = given.near.at, given.near.addresses[0][1], str(given.far.at.end)
    name = f"{given.far.addresses[0][0].ip} ({there})"
    if not found:
        message, where = f"BGP has no neighbour {name}, as it has over most links", own.where
    elif all(each.is_shut for each in found):
        message, where = f"the BGP session with {name} is shut down or not activated", found[0].where
    else:
        if other := given.other_as:
            yield _report_other_as(given, other)
        return
    message = f"{message}: the link carries nothing"
    yield Finding(message, where, key=there, device=at.device.name, port=at.port.name)


def _report_other_as(given: RoutedLink, own: Known[int]) -> Finding:
    """Return the finding that a neighbour is not of the autonomous system that is expected of it."""
    wanted, near, far = given.neighbours[0], given.near.at, given.far.at
    proof = own.where if given.accused else wanted.where
    at, other = (far, near) if given.accused else (near, far)
    told = Related(f"{near.end} expects {wanted.remote_as}", wanted.where)
    mine = (Related(f"{far.device.name} has {own.value}", own.where),) if own.where else ()
    return Finding(
        f"{near.end} expects autonomous system {wanted.remote_as} of {far.device.name}, which is {own.value}: "
        "the session does not come up, and the link carries nothing",
        proof,
        key=f"{other.end} AS",
        related=(told,) if given.accused else mine,
        device=at.device.name,
        port=at.port.name,
    )
