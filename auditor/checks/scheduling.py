"""Scheduling: what shares an egress queue shares its pauses and its losses."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, list_switch_ports
from auditor.model.finding import Finding
from auditor.model.port import PortConfig
from auditor.model.qos import TrafficClass
from auditor.model.setting import Known, Setting, Where, is_chosen, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class NoDropQueue:
    """A port and a no-drop class that has packets of its own."""

    port: PortConfig
    no_drop: TrafficClass


def list_no_drop_queues(port: PortConfig, context: Context) -> Iterable[NoDropQueue]:
    """Return each no-drop class in use on each switch port that takes part."""
    if not list_switch_ports(port, context) or not takes_part(port):
        return ()
    used = _list_used_classes(port)
    return tuple(
        NoDropQueue(port, c) for c in port.classification.classes.known().value if _is_lossless(c) and c.id in used
    )


def _is_lossless(found: TrafficClass) -> bool:
    return bool(value_of(found.lossless))


def _list_used_classes(port: PortConfig) -> dict[str, Where | None]:
    """Return the classes into which the port sorts packets, each with a line that does."""
    sorting = port.classification
    found: dict[str, Where | None] = {}
    for table in (sorting.dscp_to_class, sorting.pcp_to_class):
        for entry in (value_of(table) or {}).values():
            found.setdefault(entry.value, entry.where)
    for step in value_of(sorting.classifiers) or ():
        found.setdefault(step.value.class_id, step.where)
    default = sorting.default_class
    if isinstance(default, Known):
        found.setdefault(default.value, default.where)
    return found


def lossless_queue_shared(given: NoDropQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """Where a class that may drop shares the queue of one that may not, a pause for one stops both."""
    number = given.no_drop.queue.known()
    used = _list_used_classes(given.port)
    for other in given.port.classification.classes.known().value:
        if other.id not in used or other.lossless.known().value or value_of(other.queue) != number.value:
            continue
        message = (
            f"class {other.id} ({other.name}) may drop, but leaves by queue {number.value} of the no-drop class "
            f"{given.no_drop.id} ({given.no_drop.name})"
        )
        where = _find_written(other.queue) or _find_written(number) or used[other.id] or number.where
        yield Finding(message, where, key=f"queue {number.value} {other.id}", facts=(("lossy", other.id),))


def _find_written(queue: Setting[int]) -> Where | None:
    """Return the line that sends a class to *queue*, None where it goes there by default."""
    return queue.where if is_chosen(queue) and isinstance(queue, Known) else None
