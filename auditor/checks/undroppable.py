"""Buffers of no-drop classes: what their egress queues may hold, against what their priority groups let in."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, list_pausing_switch_ports
from auditor.fabric.chip import find_chip, is_voq
from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.port import PortConfig
from auditor.model.qos import Queue, TrafficClass
from auditor.model.setting import Known, Setting, Undetermined, Unset, Where, is_chosen, value_of
from auditor.util.values import dataclass

FEWEST, SOME = 2, 4
"""Ports that send into a queue at once: two are the least that can fill it, four a small incast."""
MOST_SLICES = 4
"""Parts into which the memory of a switch may be cut that nothing names: what one queue gets is no less."""
EXACT = 0.99
ALL = 100.0


@dataclass(frozen=True, slots=True)
class KeptQueue:
    """The egress queue of a no-drop class on a port that pauses it, and the priority group of the class."""

    device: Device
    port: PortConfig
    queue: Queue
    group: PriorityGroup
    name: str

    @property
    def title(self) -> str:
        """The queue in words."""
        return f"queue {self.queue.queue} of the no-drop class {self.name}"


def list_kept_queues(port: PortConfig, context: Context) -> Iterable[KeptQueue]:
    """Return the egress queues of the classes that a switch port pauses; switches with virtual queues have none."""
    if is_voq(context.device) or not any(map(_is_sized, value_of(port.queues) or ())):
        return ()
    found = []
    for judged in list_pausing_switch_ports(port, context):
        paused = judged.pfc.priorities.known().value
        queues, groups = judged.queues.known().value, value_of(judged.priority_groups) or ()
        for each in judged.classification.classes.known().value:
            if value_of(each.lossless) and value_of(each.pfc_priority) in paused:
                numbers = value_of(each.queue), _find_group(each)
                queue = next((q for q in queues if q.queue == numbers[0]), None)
                group = next((g for g in groups if g.pg == numbers[1]), None)
                if queue and group:
                    found.append(KeptQueue(context.device, judged, queue, group, each.name))
    return tuple(found)


def _find_group(each: TrafficClass) -> int | None:
    """Return the priority group of a class: its own, or the one of its priority where groups have no map."""
    number = value_of(each.pg)
    return value_of(each.pfc_priority) if number is None else number


def _is_sized(queue: Queue) -> bool:
    """Return whether the configuration says what a queue may hold, or leaves out only this queue."""
    return is_chosen(queue.pool, queue.alpha, queue.static_threshold_bytes) or _is_unbound(queue)


def _is_unbound(queue: Queue) -> bool:
    return all(isinstance(each, Unset) for each in (queue.pool, queue.alpha, queue.static_threshold_bytes))


def egress_drops(given: KeptQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A pause is sent by what an ingress port holds: an egress queue that is full before drops without one."""
    key = f"queue {given.queue.queue}"
    pool = _find_pool(given.queue.pool, given.device)
    if pool and value_of(pool.lossless) is False and isinstance(given.queue.pool, Known):
        message = f"{given.title} draws from {pool.name}, a pool of packets that may be dropped"
        yield Finding(message, given.queue.pool.where, key=key, is_certain=True)
        return
    if _is_unbound(given.queue):
        yield from _report_unbound(given, key)
    else:
        yield from _compare(given, key)


def _report_unbound(given: KeptQueue, key: str) -> Iterator[Finding]:
    """Yield a finding on a queue without a buffer profile, where the same queue of another port has one."""
    for port in given.device.ports:
        for queue in value_of(port.config.queues) or ():
            if queue.queue == given.queue.queue and isinstance(queue.pool, Known):
                message = f"{given.title} has no buffer profile, as the one of {port.name} has"
                where = given.port.queues.known().where
                place = port.locate(queue.pool.where)
                related = (Related("the profile there", place),) if place else ()
                yield Finding(message, where, key=key, level=Level.WARNING, related=related)
                return


def _compare(given: KeptQueue, key: str) -> Iterator[Finding]:
    """Compare what the queue may hold with what it holds when those that fill it are paused."""
    limit = _find_limit(given)
    if limit is None:
        return
    for what, depth, level in _list_depths(given, limit):
        if limit.amount < EXACT * depth:
            holds, need = (_format_amount(amount, limit) for amount in (limit.amount, depth))
            message = f"{given.title} may hold {holds}, but {what} that fill it send pauses only at {need}"
            proof = _prove_depth(given.group)
            related = (Related("the threshold at which a port pauses", proof, is_at_odds=True),) if proof else ()
            yield Finding(message, limit.where, key=key, level=level, related=related, is_certain=True)
            return


@dataclass(frozen=True, slots=True)
class _Limit:
    """What a queue may hold: bytes, or a share of the memory in percent."""

    amount: float
    is_share: bool
    where: Where | None


def _format_amount(amount: float, limit: _Limit) -> str:
    return f"{amount:.3g} percent of the buffer" if limit.is_share else f"{amount:,.0f} bytes"


def _find_limit(given: KeptQueue) -> _Limit | None:
    """Return what the queue may hold, None where nothing limits it."""
    queue = given.queue
    static, alpha, kept = queue.static_threshold_bytes, queue.alpha, value_of(queue.reserved_bytes) or 0
    pool = _find_pool(queue.pool, given.device)
    size, percent = (value_of(pool.size_bytes), value_of(pool.memory_percent)) if pool else (None, ALL)
    if isinstance(static, Known):
        return _Limit(min(static.value, size or static.value) + kept, is_share=False, where=static.where)
    if isinstance(alpha, Known):
        part = alpha.value / (1 + alpha.value)
        if size:
            return _Limit(part * size / _count_slices(given.device) + kept, is_share=False, where=alpha.where)
        return None if percent is None else _Limit(part * percent, is_share=True, where=alpha.where)
    if pool is None or not isinstance(pool.memory_percent, Known):
        return None
    return _Limit(pool.memory_percent.value, is_share=True, where=pool.memory_percent.where)


def _list_depths(given: KeptQueue, limit: _Limit) -> Iterator[tuple[str, float, Level | None]]:
    """Yield what a queue holds when those that fill it are paused, in the limit's unit, and what less is worth.

    Raises Undetermined. Where the dump does not tell when a port pauses, it may fill the pool of its priority group.
    """
    group = given.group
    if limit.is_share and not isinstance(group.alpha, Known):
        pool = _find_pool(group.pool, given.device)
        if pool is None:
            group.alpha.known()
            return
        percent = pool.memory_percent.known().value
        yield "ports", percent / FEWEST, None
        yield "ports", percent, Level.WARNING
        return
    for ports, level in ((FEWEST, None), (SOME, Level.WARNING)):
        depth = _share_depth(given, ports) if limit.is_share else _count_depth(given, ports)
        yield f"{ports} ports", depth, level


def _share_depth(given: KeptQueue, ports: int) -> float:
    pool = _find_pool(given.group.pool, given.device)
    percent = pool.memory_percent.known().value if pool else ALL
    each = ports * given.group.alpha.known().value
    return percent * each / (1 + each)


def _count_depth(given: KeptQueue, ports: int) -> float:
    group = given.group
    after = ports * (value_of(group.xoff_bytes) or 0)
    static = group.static_threshold_bytes
    if isinstance(static, Known):
        return ports * static.value + after
    from auditor.estimate.threshold import share  # noqa: PLC0415  numpy is slow to import, and few ports come here

    pool = _find_pool(group.pool, given.device)
    if pool is None:
        raise Undetermined("the pool of the priority group is not in the dump")
    size = round(pool.size_bytes.known().value / _count_slices(given.device))
    alpha = group.alpha.known().value
    return (ports * float(share(size, alpha, ports)) if size > 0 else 0.0) + after


def _prove_depth(group: PriorityGroup) -> Where | None:
    proofs = (group.static_threshold_bytes, group.alpha, group.pool)
    return next((proof.where for proof in proofs if isinstance(proof, Known)), None)


def _find_pool(name: Setting[str], device: Device) -> Pool | None:
    """Return the pool of that name, None where no dump describes it."""
    if not isinstance(name, Known) or not isinstance(device.pools, Known):
        return None
    return next((pool for pool in device.pools.value if pool.name == name.value), None)


def _count_slices(device: Device) -> int:
    """Return into how many parts the memory of a switch is cut that no queue crosses."""
    chip = find_chip(device)
    return (chip.slices if chip else None) or MOST_SLICES


@dataclass(frozen=True, slots=True)
class PooledGroup:
    """A no-drop priority group and the pool that its profile names."""

    group: PriorityGroup
    pool: Pool


def list_pooled_groups(port: PortConfig, context: Context) -> Iterable[PooledGroup]:
    """Return the no-drop priority groups of switch ports whose configuration names their pool."""
    if context.device.kind != "switch":
        return ()
    found = []
    for group in value_of(port.priority_groups) or ():
        if value_of(group.lossless) and is_chosen(group.pool):
            pool = _find_pool(group.pool, context.device)
            if pool is None:
                raise Undetermined(
                    f"buffer pool {group.pool.known().value} is not in the dump", group.pool.known().where
                )
            found.append(PooledGroup(group, pool))
    return tuple(found)


def group_in_lossy_pool(given: PooledGroup, _params: Params, _context: Context) -> Iterator[Finding]:
    """Packets that may be dropped fill the pool first: nothing is left of it when a pause is to be sent."""
    name = given.group.pool.known()
    what = f"the no-drop priority group {given.group.pg} draws from {name.value}"
    if given.pool.direction == "egress":
        message = f"{what}, a pool of egress queues: it has no memory for what arrives"
    elif not given.pool.lossless.known().value:
        message = f"{what}, a pool of packets that may be dropped"
    else:
        return
    yield Finding(message, name.where, key=f"priority group {given.group.pg}", is_certain=True)
