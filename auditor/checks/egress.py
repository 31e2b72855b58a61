"""Scheduling of RDMA's egress queue: its share of the line, its rate limit, and the queues served before it."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params, list_cnp_markings
from auditor.checks.shares import (
    ALL,
    ServedQueue,
    compute_shares,
    find_limit,
    find_share,
    is_before,
    is_strict,
    list_bulk_queues,
    list_rdma_queues,
    list_served_queues,
)
from auditor.model.finding import Finding, Level, Related
from auditor.model.port import PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import Known, Undetermined, is_unclear, value_of
from auditor.packet.classify import Landing, classify, find_queue, judge_landing
from auditor.util.values import dataclass


class ShareParams(Params):
    """What RDMA's queue is to have of the line while all queues send."""

    least_percent: float = Field(default=5, ge=0, le=100, description="share below which the queue starves")
    wanted_percent: float = Field(default=25, ge=0, le=100, description="share below which others may not have more")
    times: float = Field(default=1.25, ge=1, description="how many times its share another queue may have then")


def list_shared_queues(port: PortConfig, context: Context) -> Iterable[ServedQueue]:
    """Return the queues of RDMA and of no-drop classes that share the line with others."""
    return tuple(each for each in list_served_queues(port, context) if not is_strict(each.queue))


def queue_starved(given: ServedQueue, params: ShareParams, _context: Context) -> Iterator[Finding]:
    """A no-drop queue that gets no share stands paused while any other queue sends."""
    queue = given.queue
    shares = compute_shares(given.port.queues.known().value, queue)
    share, proof = shares[queue.queue], find_share(queue).known()
    key = f"queue {queue.queue}"
    if not proof.value:
        yield Finding(
            f"{given.title} has a share of 0: it sends only while no other queue does",
            proof.where,
            key=key,
            is_certain=True,
        )
        return
    others = {number: each for number, each in shares.items() if number not in given.rdma}
    largest = max(others, key=lambda number: others[number], default=None)
    if not given.is_rdma or largest is None or others[largest] < params.times * share:
        return
    if share < params.wanted_percent:
        message = (
            f"{given.title} is sure of {share:.3g} percent of the line, but queue {largest} of {others[largest]:.3g}"
        )
        yield Finding(message, proof.where, key=key, level=None if share < params.least_percent else Level.WARNING)


def list_limited_queues(port: PortConfig, context: Context) -> Iterable[ServedQueue]:
    """Return the queues of RDMA that have a rate limit."""
    limited = any(_is_limited(each) for each in value_of(port.queues) or ())
    found = list_rdma_queues(port, context) if limited else ()
    return tuple(each for each in found if _is_limited(each.queue))


def _is_limited(queue: Queue) -> bool:
    """Return whether a queue has a rate limit, or one that is not understood."""
    shape = queue.shape_gbps
    return is_unclear(shape) or bool(value_of(shape))


FACTORS = (125, 1000, 8000, 125_000, 1_000_000, 8_000_000)
"""How far off a rate is whose unit is mistaken: bits for bytes, thousands, or both."""
EXACT = 0.01


def queue_limited(given: ServedQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A lossless queue with a rate limit below the speed of its port pauses its senders on an idle line."""
    limit = given.queue.shape_gbps.known()
    speed = given.port.ethernet.speed_gbps.known().value
    if limit.value >= speed * (1 - EXACT):
        return
    factor = next((each for each in FACTORS if abs(limit.value * each / speed - 1) < EXACT), None)
    hint = f", 1/{factor} of it: another unit than was meant" if factor else ""
    message = f"{given.title} is limited to {limit.value:.6g} Gb/s on a port of {speed:g} Gb/s{hint}"
    yield Finding(message, limit.where, key=f"queue {given.queue.queue}", is_certain=True)


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A queue of RDMA, and a strict queue of other bulk data; `name` says which."""

    rdma: ServedQueue
    strict: Queue
    name: str


def list_strict_bulk(port: PortConfig, context: Context) -> Iterable[Overtaken]:
    """Return each strict queue of storage or unmarked packets beside each queue of RDMA."""
    if not any(is_strict(each) for each in value_of(port.queues) or ()):
        return ()
    served = list_rdma_queues(port, context)
    bulk = {queue.queue: (queue, name) for queue, name in list_bulk_queues(port, context) if is_strict(queue)}
    return tuple(
        Overtaken(each, queue, name) for each in served for queue, name in bulk.values() if queue.queue not in each.rdma
    )


def bulk_overtakes(given: Overtaken, params: ShareParams, _context: Context) -> Iterator[Finding]:
    """Strict priority has no end: bulk data that is served first leaves to RDMA what it does not want."""
    served, strict = given.rdma, given.strict
    if not is_before(strict, served.queue):
        return
    proof, limit = strict.scheduler.known(), find_limit(strict)
    if limit:
        left = ALL * (1 - limit.value / served.port.ethernet.speed_gbps.known().value)
        if left >= params.wanted_percent:
            return
    message = f"queue {strict.queue} ({given.name}) is strict and served before {served.title}, which may get nothing"
    yield Finding(message, proof.where, key=f"queue {strict.queue}", facts=(("queue", strict.queue),))


def list_strict_rdma(port: PortConfig, context: Context) -> Iterable[ServedQueue]:
    """Return the strict queues of RDMA on switch ports."""
    if context.device.kind != "switch" or not any(is_strict(each) for each in value_of(port.queues) or ()):
        return ()
    return tuple(each for each in list_rdma_queues(port, context) if is_strict(each.queue))


def rdma_strict(given: ServedQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """RDMA fills any line: what shares the port with it in weighted queues gets nothing meanwhile."""
    others = [each.queue for each in given.port.queues.known().value if is_before(given.queue, each)]
    if others and not find_limit(given.queue):
        proof = given.queue.scheduler.known()
        behind = ",".join(map(str, others))
        message = f"{given.title} is strict without a limit: queues {behind} send only while RDMA does not"
        yield Finding(message, proof.where, key=f"queue {given.queue.queue}")


@dataclass(frozen=True, slots=True)
class CnpQueue:
    """The queue of CNPs, and the queues of RDMA at its port."""

    port: PortConfig
    queue: Queue
    name: str
    rdma: tuple[ServedQueue, ...]


def list_cnp_queues(port: PortConfig, context: Context) -> Iterable[CnpQueue]:
    """Return the queues of CNPs on switch ports, where they are not those of RDMA; raises Undetermined."""
    marked = list_cnp_markings(port, context) if context.device.kind == "switch" else ()
    if not marked:
        return ()
    served = list_rdma_queues(port, context)
    found: dict[int, CnpQueue] = {}
    for given in marked:
        landed, _ = classify(port, given.traffic)
        if judge_landing(landed, given.traffic, declared=context.intent.declared, port=port) is not Landing.AS_MEANT:
            continue  # the class is wrong: another rule's matter
        queue = find_queue(port, landed)
        if queue is not None and served and queue.queue not in served[0].rdma:
            found.setdefault(queue.queue, CnpQueue(port, queue, given.traffic.name, served))
    return tuple(found.values())


class CnpParams(Params):
    """What CNPs need of the line."""

    least_gbps: float = Field(
        default=0.2, ge=0, description="rate limit that still carries the CNPs of one NIC: one of 98 bytes each 4 us"
    )


def cnps_late(given: CnpQueue, params: CnpParams, context: Context) -> Iterator[Finding]:
    """A CNP that waits behind data slows its sender down too late."""
    queue, title = given.queue, f"queue {given.queue.queue} ({given.name})"
    limit = queue.shape_gbps
    key, facts = f"queue {queue.queue}", (("queue", queue.queue),)
    if isinstance(limit, Known) and 0 < limit.value < params.least_gbps:
        message = f"{title} is limited to {limit.value:.3g} Gb/s; the CNPs of one NIC may take {params.least_gbps:g}"
        yield Finding(message, limit.where, key=f"{key} limit", facts=facts)
    scheduler = queue.scheduler if isinstance(queue.scheduler, Known) else None
    ahead = next((each for each in given.rdma if is_before(each.queue, queue)), None)
    if ahead:
        proof = ahead.queue.scheduler.known()
        related = (Related("how CNPs are served", scheduler.where),) if scheduler and scheduler.where else ()
        yield Finding(f"{ahead.title} is served before {title}", proof.where, key=key, related=related, facts=facts)
    elif scheduler is None:
        raise Undetermined(f"how {title} is served is not known", given.port.queues.known().where)
    elif not is_strict(queue):
        yield _report_shared(given, title, scheduler, key, is_meant=context.intent.declared)


def _report_shared(given: CnpQueue, title: str, scheduler: "Known[object]", key: str, *, is_meant: bool) -> Finding:
    """Return the finding on CNPs that wait for their turn: a note where their share is RDMA's or none is declared."""
    share = find_share(given.queue)
    data = [find_share(each.queue) for each in given.rdma]
    is_large = isinstance(share, Known) and all(isinstance(d, Known) and share.value >= d.value for d in data)
    message = f"{title} is not strict: CNPs wait for their turn behind data"
    level = Level.NOTE if is_large or not is_meant else None
    return Finding(message, scheduler.where, key=key, level=level, facts=(("queue", given.queue.queue),))
