"""Where pauses come from: each switch that pauses others is followed to the neighbour that pauses it most.

A switch sends pauses because its own egress is paused, or because more arrives than a port sends. The neighbour that
pauses it most is the cause in the first case, and the walk goes on there; it ends at a NIC that takes packets too
slowly, or at a switch that nobody pauses.
"""

from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field

from auditor.checks.base import Params, Whole
from auditor.fabric.route import Exit
from auditor.model.counters import Counter, CounterKind, Growth, select_counters
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Level, Related
from auditor.util.listing import join_first
from auditor.util.natsort import natural
from auditor.util.values import dataclass

_PRIORITIES = range(8)


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses of one priority over one cable: their sender, and the counter that tells of them, at `counted`."""

    sender: Attached
    receiver: Attached
    counted: Attached
    counter: Counter

    @property
    def growth(self) -> Growth | None:
        """How many came since an earlier sample, None without one."""
        return (self.counted.port.growths or {}).get(self.counter.name)

    @property
    def count(self) -> int:
        """How many there were: since the earlier sample where there is one, else in all."""
        return self.growth.count if self.growth else self.counter.value.value


@dataclass(frozen=True, slots=True)
class Root:
    """The pauses of one priority that a host sends, and the switches that they made pause others, nearest first."""

    priority: int
    pauses: Pauses
    spread: tuple[str, ...]


class SpreadParams(Params):
    """Which roots make a finding."""

    least_switches: int = Field(default=2, ge=1, description="that the pauses of one NIC made send pauses themselves")
    least_pauses: int = Field(default=1000, ge=1, description="that the NIC sent, in all or since the earlier sample")


def list_roots(given: Whole, _params: object) -> Iterable[Root]:
    """Return the NICs of hosts whose pauses a dump counts, for each priority."""
    graph = given.graph
    counting = {
        device.name: [cable for cable in graph.exits(device.name) if _is_counted(cable)]
        for device in given.fabric.devices
    }
    for priority in _PRIORITIES:
        worst: dict[str, Pauses] = {}
        from_hosts: list[Pauses] = []
        for device in given.fabric.devices:
            sent = [found for cable in counting[device.name] if (found := _find_pauses(cable, priority))]
            from_hosts += [each for each in sent if device.kind == "host"]
            for each in sent:
                there = each.receiver.device
                if there.kind == "switch" and each.count > (worst[there.name].count if there.name in worst else 0):
                    worst[there.name] = each
        roots = _follow(worst)
        for each in from_hosts:
            leaf = each.receiver.device.name
            first = worst.get(leaf) is each
            yield Root(priority, each, tuple(sorted(roots.get(leaf, ()), key=natural)) if first else ())


def _is_counted(cable: Exit) -> bool:
    return bool(cable.near.port.counters or cable.far.port.counters)


def _find_pauses(cable: Exit, priority: int) -> Pauses | None:
    """Return the pauses that the near end of *cable* sends; None where neither end counts them."""
    ways = ((cable.near, CounterKind.PFC_SENT), (cable.far, CounterKind.PFC_RECEIVED))
    found = [
        Pauses(cable.near, cable.far, end, counter)
        for end, kind in ways
        for counter in select_counters(end.port.counters, kind, {priority})
    ]
    return max(found, key=lambda each: each.count, default=None)


def _follow(worst: Mapping[str, Pauses]) -> Mapping[str, set[str]]:
    """Return, by the switch that a host pauses most, the switches whose pauses go back to it, with itself.

    *worst* are the most pauses that each switch receives. A circle has no root.
    """
    roots: dict[str, set[str]] = {}
    ends: dict[str, str] = {}
    for start in worst:
        way: list[str] = []
        here, end = start, ""
        while here not in ends and here not in way:
            way.append(here)
            sender = worst[here].sender.device if here in worst else None
            if sender is None or sender.kind != "switch":
                end = here if sender else ""
                break
            here = sender.name
        end = ends.get(here, end)
        ends.update(dict.fromkeys(way, end))
    for name, end in ends.items():
        roots.setdefault(end, set()).add(name)
    return roots


def pauses_spread(given: Root, params: SpreadParams, _context: object) -> Iterator[Finding]:
    """One host that takes packets too slowly pauses its leaf, and the leaf all that send to it and to others."""
    pauses = given.pauses
    if pauses.count < params.least_pauses or len(given.spread) < params.least_switches:
        return
    sender, counted = pauses.sender, pauses.counted
    where = counted.port.locate(pauses.counter.value.where) or counted.port.where
    growth = f", {pauses.growth}" if pauses.growth else ""
    names = join_first(given.spread, _SHOWN)
    yield Finding(
        f"its pauses of priority {given.priority} ({pauses.counter.value.value:,}{growth}) spread over {names}",
        where,
        key=f"priority {given.priority}",
        related=tuple(_list_related(pauses)),
        level=None if pauses.growth else Level.NOTE,
        device=sender.device.name,
        port=sender.port.name,
    )


def _list_related(pauses: Pauses) -> Iterator[Related]:
    """Yield the place where the other end counts how long it was paused, where one does."""
    for end, kind in ((pauses.receiver, CounterKind.PAUSED_FOR), (pauses.sender, CounterKind.PAUSED_OTHERS_FOR)):
        for each in select_counters(end.port.counters, kind, {pauses.counter.number or 0}):
            place = end.port.locate(each.value.where)
            if each.value.value and place:
                yield Related(f"{end.end} {each.name} {each.value.value:,}", place)


_SHOWN = 4
