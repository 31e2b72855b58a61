"""Deadlock after a failure: links that, when one of them is gone, let pauses wait for each other in a circle.

Packets whose shortest path is gone take the next one, which may come down and go up again. A whole fabric seldom has
such a path; one with a cable missing is often one failure away from it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.checks.base import Params
from auditor.checks.deadlock import PauseGraph, TwinGraph, find_circle, list_waiting_ports, locate_pauses, merge_twins
from auditor.checks.valley import Hop
from auditor.model.finding import Finding
from auditor.model.setting import Undetermined
from auditor.util.values import dataclass

MOST_STEPS = 2_000_000
"""Links looked at for all failures together: a fabric without any order has as many kinds of links as links."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """A link that may fail, how many fail alike, and the circle that then is there."""

    link: Hop
    alike: int
    circle: Sequence[str]


def pause_cycle_after_failure(given: PauseGraph, _params: Params, _context: object) -> Iterator[Finding]:
    """Where one link is missing, packets may turn at a leaf, and a burst can stop the fabric for good."""
    whole = merge_twins(given)
    if find_circle(whole):
        return  # it needs no failure
    kinds = _list_kinds(given, whole)
    if len(kinds) * len(whole.links) > MOST_STEPS:
        raise Undetermined(f"{len(kinds)} kinds of links are too many to try the failure of each")
    found = [failure for link, alike in kinds.items() if (failure := _try_failure(whole, link, alike))]
    if found:
        first = min(found, key=lambda failure: failure.link)
        more = sum(failure.alike for failure in found) - 1
        also = f"; so do {more} other links" if more > 1 else "; so does one other link" if more else ""
        port = given.links[first.link]
        yield Finding(
            f"if the link {first.link[0]} - {first.link[1]} fails, {given.describe()} can wait for each other in a "
            f"circle: {' -> '.join([*first.circle, first.circle[0]])} (by topology alone{also})",
            locate_pauses(port),
            key=f"priority {given.priority}",
            device=port.device.name,
            port=port.port.name,
            circle=tuple((p.device.name, p.port.name) for p in list_waiting_ports(given, first.circle)),
        )


def _list_kinds(given: PauseGraph, whole: TwinGraph) -> Mapping[Hop, int]:
    """Return a link of each kind with how many there are; links of several cables outlast the failure of one."""
    twins = whole.twins
    single = sorted(
        (near, far)
        for near, far in given.links
        if near < far and (near, far) not in given.doubled and (far, near) not in given.doubled
    )
    count = Counter(frozenset({twins[near], twins[far]}) for near, far in single)
    first: dict[frozenset[str], Hop] = {}
    for near, far in single:
        first.setdefault(frozenset({twins[near], twins[far]}), (near, far))
    return {hop: count[kind] for kind, hop in first.items()}


def _try_failure(whole: TwinGraph, link: Hop, alike: int) -> _Failure | None:
    circle = find_circle(remove_link(whole, link))
    return _Failure(link, alike, circle) if circle else None


def remove_link(whole: TwinGraph, link: Hop) -> TwinGraph:
    """Return the graph without *link*: its two ends are no longer twins of any other switch."""
    graph = whole
    for name in link:
        graph = _set_apart(graph, name)
    return replace(graph, links=graph.links - {link, (link[1], link[0])})


def _set_apart(graph: TwinGraph, name: str) -> TwinGraph:
    """Return the graph in which *name* stands for itself alone, and its twins for each other."""
    stood = graph.twins[name]
    others = [twin for twin, by in graph.twins.items() if by == stood and twin != name]
    if not others:
        return graph
    rest = min(others)
    parts = {stood: (name, rest)}
    links = {(near, far) for a, b in graph.links for near in parts.get(a, (a,)) for far in parts.get(b, (b,))}
    members = dict(graph.members)
    if stood in members:
        count = members.pop(stood)
        members.update({name: 1, rest: count - 1})
    twins = {**graph.twins, **dict.fromkeys(others, rest), name: name}
    diverting = graph.diverting | {name, rest} if stood in graph.diverting else graph.diverting
    return TwinGraph(twins, frozenset(links), members, diverting)
