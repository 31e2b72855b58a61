"""Queues and priority groups that carry packets of given priorities and of no other."""

from collections.abc import Collection, Iterable, Mapping

from auditor.model.port import PortConfig
from auditor.model.qos import TrafficClass
from auditor.model.setting import value_of


def list_queues_of(config: PortConfig, priorities: Collection[int]) -> set[int]:
    """Return the egress queues that only *priorities* feed."""
    fed = {q.queue: value_of(q.priorities) for q in value_of(config.queues) or ()}
    ways = ((value_of(c.queue), value_of(c.pfc_priority)) for c in _list_classes(config))
    return _select_exclusive(priorities, fed, ways)


def list_groups_of(config: PortConfig, priorities: Collection[int]) -> set[int]:
    """Return the ingress priority groups that only *priorities* feed."""
    fed = {g.pg: value_of(g.priorities) for g in value_of(config.priority_groups) or ()}
    ways = ((value_of(c.pg), value_of(c.pfc_priority)) for c in _list_classes(config))
    return _select_exclusive(priorities, fed, ways)


def _list_classes(config: PortConfig) -> tuple[TrafficClass, ...]:
    return value_of(config.classification.classes) or ()


def _select_exclusive(
    priorities: Collection[int],
    fed: Mapping[int, tuple[int, ...] | None],
    classes: Iterable[tuple[int | None, int | None]],
) -> set[int]:
    """Return the numbers that only *priorities* feed, by their own setting, else by the classes."""
    held: dict[int, set[int | None]] = {number: {*each} for number, each in fed.items() if each}
    by_class: dict[int, set[int | None]] = {}
    for number, priority in classes:
        if number is not None:
            by_class.setdefault(number, set()).add(priority)
    return {number for number, each in (by_class | held).items() if each <= {*priorities}}
