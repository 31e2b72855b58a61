"""Marking curves of RDMA's queues against packets, memory and the depth at which ports pause."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params, PortTraffic, list_signalled_traffic
from auditor.checks.pause_point import (
    MANY,
    PausedQueue,
    compute_pause_point,
    convert_to_bytes,
    relate_threshold,
)
from auditor.checks.pools import ROUNDING, SURE
from auditor.checks.shares import list_rdma_queues
from auditor.fabric.chip import find_chip
from auditor.model.device import Device
from auditor.model.finding import Finding, Level
from auditor.model.port import PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import Known, value_of
from auditor.util.values import dataclass

BESIDE_PAYLOAD_BYTES = 64
"""Headers of an RDMA packet beside its payload, rounded."""
LARGEST_MTU, SMALL_MTU = 4096, 1024
"""The largest RDMA path MTU, and the one that a path of plain Ethernet has."""
PACKETS = 2


@dataclass(frozen=True, slots=True)
class MarkingQueue:
    """A queue of RDMA that marks; `title` names it."""

    queue: Queue
    title: str


def list_rdma_curves(port: PortConfig, context: Context) -> Iterable[MarkingQueue]:
    """Return the marking queues of RDMA on switch ports, where their senders slow down by marks."""
    signalled: Iterable[PortTraffic] = list_signalled_traffic(port, context)
    if not signalled or not any(value_of(queue.ecn) for queue in value_of(port.queues) or ()):
        return ()
    served = list_rdma_queues(port, context)
    return tuple(MarkingQueue(each.queue, each.title) for each in served if value_of(each.queue.ecn))


def kmin_below_packets(given: MarkingQueue, _params: Params, context: Context) -> Iterator[Finding]:
    """A queue of one or two packets is what any line has: marks at that depth say nothing of congestion."""
    kmin = given.queue.ecn_min.known()
    low = 0.0 if kmin.value.value == 0 else convert_to_bytes(kmin)
    told = value_of(context.intent.path_mtu_bytes)
    need = PACKETS * ((told or LARGEST_MTU) + BESIDE_PAYLOAD_BYTES)
    if low < need:
        is_sure = told or low < PACKETS * (SMALL_MTU + BESIDE_PAYLOAD_BYTES)
        message = f"{given.title} marks from {low:,.0f} bytes on, less than {PACKETS} packets ({need:,} bytes)"
        level = None if is_sure else Level.WARNING
        yield Finding(message, kmin.where, key=f"queue {given.queue.queue}", level=level, is_certain=True)


def kmax_above_memory(given: MarkingQueue, _params: Params, context: Context) -> Iterator[Finding]:
    """No queue is longer than the memory of its switch."""
    kmax = given.queue.ecn_max.known()
    high = convert_to_bytes(kmax)
    name, memory = _find_memory(context.device)
    if memory is None:
        return
    if high > memory:
        message = f"{given.title} marks in full from {high:,.0f} bytes on, but {name} {memory:,.0f}"
        yield Finding(message, kmax.where, key=f"queue {given.queue.queue}", is_certain=True)


LARGEST_MEMORY_BYTES = 1_000_000_000
"""More than the packet memory of any chip whose ports share it: 2026's have up to 0.4 GB."""


def _find_memory(device: Device) -> tuple[str, float | None]:
    """Return in words whose memory bounds a queue, and its size; None where packets may lie outside of the chip."""
    chip = find_chip(device)
    voq = value_of(device.buffer_architecture) == "voq" or (chip is not None and chip.architecture == "voq")
    if voq:
        return "", None
    if chip and chip.buffer_bytes and chip.confidence["buffer_bytes"] in SURE:
        return f"{chip.name} has", ROUNDING * chip.buffer_bytes
    sizes = [(p.name, p.size_bytes.value) for p in value_of(device.pools) or () if isinstance(p.size_bytes, Known)]
    total = sum(size for _, size in sizes)
    return ("all pools together have", float(total)) if total else ("no chip has", LARGEST_MEMORY_BYTES)


class ReachParams(Params):
    """How many packets are to be marked at the least when ports pause."""

    least_percent: float = Field(default=0.5, gt=0, le=100, description="marking probability at the pause point")


def marks_too_few(given: PausedQueue, params: ReachParams, context: Context) -> Iterator[Finding]:
    """Where the curve ends far above the pause point, its lower end marks next to nothing before ports pause."""
    queue = given.queue
    kmin, kmax, most = queue.ecn_min.known(), queue.ecn_max.known(), queue.ecn_max_probability.known()
    low, high = convert_to_bytes(kmin), convert_to_bytes(kmax)
    point = compute_pause_point(given, MANY)
    _, memory = _find_memory(context.device)
    if not low < point < high or not most.value or (memory is not None and high > memory):
        return
    reached = 100 * most.value * (point - low) / (high - low)
    if reached < params.least_percent:
        message = (
            f"queue {queue.queue} marks {reached:.2g} percent of its packets at {point:,.0f} bytes, where {MANY} ports "
            f"that fill it are paused; its curve ends at {high:,.0f}"
        )
        related = relate_threshold(given)
        yield Finding(message, kmax.where, key=f"queue {queue.queue}", related=related, is_certain=True)
