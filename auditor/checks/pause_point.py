"""ECN before PFC: the depth at which a queue marks against the depth at which its senders are paused."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, PortTraffic, list_lossless_traffic
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.finding import Facts, Finding, Level, Related
from auditor.model.port import Port, PortConfig
from auditor.model.qos import Queue, Threshold, TrafficClass
from auditor.model.setting import Known, Undetermined
from auditor.packet.classify import find_lossless_class, find_queue
from auditor.util.values import dataclass

FEW, MANY = 2, 8
"""Ingress ports at once: with few the queue is paused soonest, many are what an incast of one rail has."""


@dataclass(frozen=True, slots=True)
class PausedQueue:
    """A queue, and the priority group in which its packets arrive; `pool_bytes` None where that is static."""

    queue: Queue
    group: PriorityGroup
    pool_bytes: int | None


def list_paused_queues(port: PortConfig, context: Context) -> Iterable[PausedQueue]:
    """Return the marking queue of each lossless class of RDMA on switch ports; raises Undetermined."""
    if context.device.kind != "switch" or not context.intent.uses_dcqcn:
        return ()
    found = (_find_paused_queue(given, context.device) for given in list_lossless_traffic(port, context))
    return tuple(each for each in found if each)


def _find_paused_queue(given: PortTraffic, device: Device) -> PausedQueue | None:
    kept = find_lossless_class(given.port, given.traffic.priority.known().value)
    queue = find_queue(given.port, kept) if kept else None
    if kept is None or queue is None or not queue.ecn.known().value:
        return None
    return pair_with_group(queue, kept, given.port, device)


def pair_with_group(queue: Queue, kept: TrafficClass, port: PortConfig, device: Device) -> PausedQueue:
    """Return *queue* with the priority group in which the packets of its class *kept* arrive; raises Undetermined."""
    number = kept.pg.known().value
    group = next((g for g in port.priority_groups.known().value if g.pg == number), None)
    if group is None:
        raise Undetermined(f"priority group {number} is not described in the dump")
    return PausedQueue(queue, group, _find_shared_bytes(group, device))


COUNTS_HEADROOM = frozenset({"cumulus_nvue"})
"""Systems whose static threshold counts the headroom of Spectrum, of which an egress queue says nothing.

The kernel's mlxsw driver describes it with the register PBMC.
"""


def _find_shared_bytes(group: PriorityGroup, device: Device) -> int | None:
    """Return the size of the pool that a dynamic threshold shares, None for a static one; raises Undetermined."""
    is_static = isinstance(group.static_threshold_bytes, Known) and device.os not in COUNTS_HEADROOM
    return None if is_static else _find_pool_bytes(group, device)


def _find_pool_bytes(group: PriorityGroup, device: Device) -> int:
    name = group.pool.known().value
    pool = next((p for p in device.pools.known().value if p.name == name), None)
    if pool is None:
        raise Undetermined(f"buffer pool {name} is not in the dump")
    size = pool.size_bytes.known()
    if size.value <= 0:
        raise Undetermined(f"buffer pool {name} is written with {size.value} bytes", size.where)
    return size.value


def marks_after_pause(given: PausedQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """Marks slow senders down only where they come before the pauses.

    The queue that N ingress ports fill is paused where each has filled its priority group: at N times the static
    threshold, or at N*alpha*S/(1 + alpha*N) of a pool of S bytes, whoever else holds nothing of it.
    """
    kmin = given.queue.ecn_min.known()
    low = convert_to_bytes(kmin)
    if low > convert_to_bytes(given.queue.ecn_max.known()):
        return  # the curve has no meaning: another rule's matter
    for ports, level in ((MANY, Level.ERROR), (FEW, None)):
        point = compute_pause_point(given, ports)
        if low >= point:
            queue = f"queue {given.queue.queue}"
            paused = f"{ports} ports that fill it are paused at {point:,.0f}"
            message = f"{queue} marks from {low:,.0f} bytes on, but {paused}"
            yield Finding(
                message,
                kmin.where,
                key=queue,
                level=level,
                related=relate_threshold(given),
                is_certain=True,
                facts=_list_fitting(given),
            )
            return


LOW_SHARE, HIGH_SHARE, KILOBYTE = 0.1, 0.8, 1024
"""Of the depth at which senders are paused: where a remedy lets marking begin and end, in whole kilobytes."""


def _list_fitting(given: PausedQueue) -> Facts:
    """Return thresholds at which marks come before the pauses of a few ports, in bytes."""
    point = compute_pause_point(given, FEW)
    low, high = (max(1, int(part * point / KILOBYTE)) * KILOBYTE for part in (LOW_SHARE, HIGH_SHARE))
    kilobytes = ("kmin_kb", low // 1000), ("kmax_kb", high // 1000)
    return ("kmin", low), ("kmax", high), *kilobytes, ("kmin_kib", low // 1024), ("kmax_kib", high // 1024)


def relate_threshold(given: PausedQueue, port: Port | None = None) -> tuple[Related, ...]:
    """Return the line that sets the threshold of one port: that of *port* where it shares its configuration."""
    group = given.group
    proof = (group.static_threshold_bytes if given.pool_bytes is None else group.alpha).known().where
    where = port.locate(proof) if port else proof
    return (Related("the threshold at which a port pauses", where, is_at_odds=True),) if where else ()


def convert_to_bytes(given: Known[Threshold]) -> float:
    """Return a threshold in bytes; raises Undetermined."""
    if given.value.bytes is None:
        raise Undetermined(f"what a threshold in {given.value.unit.value} holds is not known", given.where)
    return given.value.bytes


def compute_pause_point(given: PausedQueue, ports: int) -> float:
    """Return the depth in bytes of a queue that *ports* ports fill at which they are paused; raises Undetermined."""
    return _compute_point(given.group, given.pool_bytes, ports)


def compute_fill_at_pause(group: PriorityGroup, device: Device) -> float:
    """Return the fill in bytes at which *group* pauses while no other one holds anything; raises Undetermined."""
    return _compute_point(group, _find_shared_bytes(group, device), 1)


def _compute_point(group: PriorityGroup, pool_bytes: int | None, ports: int) -> float:
    if pool_bytes is None:
        return ports * float(group.static_threshold_bytes.known().value)
    from auditor.estimate.threshold import share  # noqa: PLC0415  numpy is slow to import, and few ports come here

    alpha = group.alpha.known()
    if alpha.value <= 0:
        raise Undetermined(f"a dynamic threshold with the factor {alpha.value:g} has no pause point", alpha.where)
    return ports * float(share(pool_bytes, alpha.value, ports))
