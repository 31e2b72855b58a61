"""Links that run slower than their like: those of one host's NICs of a model, and those between two switches."""

from collections import Counter
from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.nic import Function
from auditor.model.setting import Known, Where, is_chosen, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class LinkSpeed:
    """A link: the end that is compared with its like, and the other end where a dump shows it."""

    near: Attached
    far: Attached | None
    gbps: float


@dataclass(frozen=True, slots=True)
class LikeLinks:
    """Links that are to run at one speed; `what` says which."""

    what: str
    links: tuple[LinkSpeed, ...]


def list_like_links(given: Whole, _params: object) -> Iterable[LikeLinks]:
    """Return the links of the NICs of each model of each host, and those between each two switches."""
    across = given.fabric.far_ends()
    found: dict[tuple[str, str], list[LinkSpeed]] = {}
    for device in given.fabric.devices:
        for port in device.ports if device.kind == "host" else ():
            nic = port.config.nic
            is_own = nic is not None and value_of(nic.function) not in {Function.VF, Function.BOND}
            if nic and is_own and takes_part(port.config) and not value_of(port.parent):
                near = Attached(device, port)
                what = f"the other links of {value_of(nic.model) or 'NICs'} of {device.name}"
                _add(found, (what, device.name), near, across.get(near.end))
    for link, one, other in given.fabric.inner_links():
        if one.device.kind == other.device.kind == "switch":
            _add(found, (f"the other links between {link.a.device} and {link.b.device}", ""), one, other)
    return tuple(LikeLinks(what, tuple(links)) for (what, _), links in found.items() if len(links) >= _LEAST)


_LEAST = 3
"""Links from which on a majority says what is usual."""


def _add(
    found: dict[tuple[str, str], list[LinkSpeed]], key: tuple[str, str], near: Attached, far: Attached | None
) -> None:
    """Add a link that is up and whose speed is known at some end."""
    ends = [end for end in (near, far) if end]
    if any(end.is_shut for end in ends):
        return
    told = [speed for end in ends if (speed := value_of(end.port.config.ethernet.speed_gbps))]
    if told:
        found.setdefault(key, []).append(LinkSpeed(near, far, min(told)))


def slower_than_like(given: LikeLinks, _params: Params, _context: object) -> Iterator[Finding]:
    """A link that was brought up at a lower speed slows the whole job down, and its ends agree on it."""
    counted = Counter(each.gbps for each in given.links)
    usual, count = counted.most_common(1)[0]
    if count * 2 <= len(given.links):
        return
    for each in given.links:
        if each.gbps < usual and not _is_limit_known(each.near):
            at, where = _find_place(each)
            related = _relate(each, at)
            yield Finding(
                f"the link runs at {each.gbps:g} Gb/s, but {count} of {given.what} at {usual:g}",
                where,
                key=str(each.near.end),
                related=related,
                device=at.device.name,
                port=at.port.name,
            )


def _is_limit_known(at: Attached) -> bool:
    """Return whether a NIC tells how fast its port can be: another rule compares the link with that."""
    return at.port.config.nic is not None and isinstance(at.port.config.nic.max_speed_gbps, Known)


def _find_place(link: LinkSpeed) -> tuple[Attached, Where | None]:
    """Return the end whose configuration sets the speed, with the line; else the near one."""
    for end in (link.far, link.near):
        speed = end.port.config.ethernet.speed_gbps if end else None
        if end and isinstance(speed, Known) and is_chosen(speed) and speed.value == link.gbps and speed.where:
            return end, end.port.locate(speed.where)
    return link.near, link.near.port.where


def _relate(link: LinkSpeed, at: Attached) -> tuple[Related, ...]:
    """Return the line on the speed at the other end."""
    other = next((end for end in (link.near, link.far) if end and end.end != at.end), None)
    speed = other.port.config.ethernet.speed_gbps if other else None
    where = other.port.locate(speed.where) if other and isinstance(speed, Known) else None
    return (Related(f"the speed at {other.end}", where),) if other and where else ()
