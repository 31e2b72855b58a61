"""Valleys: ways that come down to a switch and go up again. Without one, no pauses wait for each other in a circle.

Switches are ranked by how many links they are above those with hosts. Where each link leads one rank up or down, and no
shortest path turns from down to up, a path that has once come down stays down, and so does every wait: none comes back.

All goals are looked at at once: a set of them is an integer with a bit for each, so that the cost is that of the links.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

Hop: TypeAlias = tuple[str, str]
"""A link in one direction: the switch it leaves and the switch it enters."""
Goals: TypeAlias = dict[str, int]
"""For each switch a set of goals, as bits."""


def may_turn_up(links: Collection[Hop], edges: Collection[str]) -> bool:
    """Tell whether a shortest path between two of *edges* may come down and go up again.

    True also where ranks do not tell, because a link joins two switches of one rank.

    >>> may_turn_up({("l1", "s"), ("s", "l1"), ("l2", "s"), ("s", "l2")}, {"l1", "l2"})
    False
    """
    ranks = _rank_switches(links, edges)
    if any(ranks.get(near) == ranks.get(far) for near, far in links):
        return True
    goals = {name: 1 << index for index, name in enumerate(sorted(edges))}
    return _turns_up(links, edges, _group_goals(links, goals), ranks)


def _rank_switches(links: Iterable[Hop], edges: Iterable[str]) -> Mapping[str, int]:
    """Return how many links each switch is above the switches with hosts, whichever way a link leads."""
    beside: dict[str, list[str]] = {}
    for near, far in links:
        beside.setdefault(near, []).append(far)
        beside.setdefault(far, []).append(near)
    ranks = dict.fromkeys(edges, 0)
    waiting = deque(ranks)
    while waiting:
        here = waiting.popleft()
        for there in beside.get(here, ()):
            if there not in ranks:
                ranks[there] = ranks[here] + 1
                waiting.append(there)
    return ranks


def _group_goals(links: Collection[Hop], goals: Goals) -> Sequence[Goals]:
    """Return by distance, from 0 on, which goals are just so many links away from each switch."""
    levels = [dict(goals)]
    reached = dict(goals)
    while levels[-1]:
        found: Goals = {}
        for near, far in links:
            new = levels[-1].get(far, 0) & ~reached.get(near, 0)
            if new:
                found[near] = found.get(near, 0) | new
        for name, new in found.items():
            reached[name] = reached.get(name, 0) | new
        levels.append(found)
    return levels[:-1]


def _turns_up(
    links: Collection[Hop], edges: Collection[str], levels: Sequence[Goals], ranks: Mapping[str, int]
) -> bool:
    """Tell whether packets, from afar to their goals, go up behind a link that they came down."""
    arriving: Goals = {}
    falling: Goals = {}
    for distance in range(len(levels) - 1, 0, -1):
        nearer, came_down = levels[distance - 1], falling
        carried = {
            name: goals if name in edges else goals & arriving.get(name, 0) for name, goals in levels[distance].items()
        }
        arriving, falling = {}, {}
        for near, far in links:
            goals = carried.get(near, 0) & nearer.get(far, 0)
            if not goals:
                continue
            if ranks[far] > ranks[near] and goals & came_down.get(near, 0):
                return True
            arriving[far] = arriving.get(far, 0) | goals
            if ranks[far] < ranks[near]:
                falling[far] = falling.get(far, 0) | goals
    return False
