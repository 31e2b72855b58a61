"""Thresholds and sizes as outputs show them, where a configuration leaves them open."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from auditor.model.buffers import PriorityGroup
from auditor.model.port import PortConfig
from auditor.model.qos import Queue, Threshold
from auditor.model.setting import Known, Origin, Setting, Unset, value_of
from auditor.util.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Curve:
    """The thresholds of ECN of a queue as an output shows them, and the highest probability (0..1)."""

    low: Known[Threshold]
    high: Known[Threshold]
    probability: Known[float]


def fill_setting(written: Setting[T], learned: Setting[T]) -> Setting[T]:
    """Return the configured setting, else the operational one; an Unset of a show output does not count."""
    return written if isinstance(written, Known) or (isinstance(learned, Unset) and learned.where is None) else learned


def learn_buffers(config: PortConfig, curves: Mapping[int, Curve], learned: Mapping[int, PriorityGroup]) -> PortConfig:
    """Return a configuration with the thresholds and sizes that outputs show where its own are open."""
    queues = config.queues
    if isinstance(queues, Known):
        queues = replace(queues, value=tuple(_learn_curve(queue, curves.get(queue.queue)) for queue in queues.value))
    groups = {group.pg: group for group in value_of(config.priority_groups) or ()}
    merged = {number: _merge_group(groups.get(number, group), group) for number, group in learned.items()}
    if not merged:
        return replace(config, queues=queues)
    own = config.priority_groups
    where = own.where if isinstance(own, Known) else None
    origin = own.origin if isinstance(own, Known) else Origin.LEARNED
    every = tuple(group for _, group in sorted((groups | merged).items()))
    return replace(config, queues=queues, priority_groups=Known(every, origin, where))


def _learn_curve(queue: Queue, curve: Curve | None) -> Queue:
    if curve is None or value_of(queue.ecn) is not True:
        return queue
    return replace(
        queue,
        ecn_min=fill_setting(queue.ecn_min, curve.low),
        ecn_max=fill_setting(queue.ecn_max, curve.high),
        ecn_max_probability=fill_setting(queue.ecn_max_probability, curve.probability),
    )


def _merge_group(own: PriorityGroup, learned: PriorityGroup) -> PriorityGroup:
    filled: dict[str, Any] = {n: fill_setting(getattr(own, n), getattr(learned, n)) for n in _SIZES}
    return replace(own, **filled)


_SIZES = tuple(each.name for each in fields(PriorityGroup) if each.name != "pg")
