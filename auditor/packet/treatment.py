"""What the ports of a device do for a packet that crosses it, beside its class."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from auditor.model.fabric import Attached
from auditor.model.qos import Queue, Scheduler, TrafficClass
from auditor.model.setting import Setting, Undetermined, value_of
from auditor.packet.classify import find_queue
from auditor.util.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Treatment:
    """What the port of arrival and the ports of departure do for a class; None where a port leaves it unknown.

    `pauses`: the port of arrival sends pauses. `watched`: a watchdog ends pauses that last, on the ports of departure.
    `marks`: the egress queues mark ECN. `scheduler` is how these queues are served, None also where they differ.
    `ip_mtu_bytes` is the least of all ports.
    """

    pauses: bool | None
    watched: bool | None
    marks: bool | None
    scheduler: Scheduler | None
    ip_mtu_bytes: int | None


def find_treatment(at: Attached, exits: Sequence[Attached], found: TrafficClass | None) -> Treatment:
    """Return what a device does for class *found* of packets that arrive *at* a port and leave by *exits*."""
    left = tuple(exits) if at.device.kind == "switch" else ()
    served = {_read_queue(end, found, lambda queue: queue.scheduler) for end in left if found}
    return Treatment(
        pauses=_find_pauses(at, found),
        watched=_all_true([value_of(end.port.config.pfc.watchdog.enabled) for end in left]),
        marks=_all_true([_read_queue(end, found, lambda queue: queue.ecn, missing=False) for end in left if found]),
        scheduler=served.pop() if len(served) == 1 else None,
        ip_mtu_bytes=_find_least_mtu([at, *exits]),
    )


def _read_queue(
    end: Attached, found: TrafficClass, get: Callable[[Queue], Setting[T]], *, missing: T | None = None
) -> T | None:
    """Return a setting of the queue of a class at a port; None if unknown, *missing* if no policy names the queue."""
    try:
        queue = find_queue(end.port.config, found)
    except Undetermined:
        return None
    return value_of(get(queue)) if queue else missing


def _all_true(values: Sequence[bool | None]) -> bool | None:
    return None if None in values or not values else all(values)


def _find_pauses(at: Attached, found: TrafficClass | None) -> bool | None:
    paused = value_of(at.port.config.pfc.tx_priorities)
    priority = value_of(found.pfc_priority) if found else None
    return None if paused is None or priority is None else priority in paused


def _find_least_mtu(ports: Sequence[Attached]) -> int | None:
    known = [value_of(port.port.config.ethernet.ip_mtu_bytes) for port in ports]
    return None if None in known else min(mtu for mtu in known if mtu is not None)
