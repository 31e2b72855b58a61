"""The egress queues that carry RDMA or another no-drop class, and what the scheduler of their port leaves to them."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, PortTraffic, list_rdma_traffic
from auditor.intent import Traffic, TrafficKind
from auditor.model.port import PortConfig
from auditor.model.qos import Queue, Scheduler
from auditor.model.setting import Known, Origin, Setting, Undetermined, Unset, value_of
from auditor.packet.classify import UNMARKED, classify, find_lossless_class, find_queue, takes_part
from auditor.util.values import dataclass

ALL = 100.0


@dataclass(frozen=True, slots=True)
class ServedQueue:
    """An egress queue and the traffic that leaves by it; `rdma` are the queues of RDMA at the port."""

    port: PortConfig
    queue: Queue
    name: str
    rdma: frozenset[int]

    @property
    def is_rdma(self) -> bool:
        """Whether RDMA leaves by the queue."""
        return self.queue.queue in self.rdma

    @property
    def title(self) -> str:
        """The queue in words."""
        return f"queue {self.queue.queue} ({self.name})"


def list_rdma_queues(port: PortConfig, context: Context) -> tuple[ServedQueue, ...]:
    """Return the queues of RDMA on a port that takes part; raises Undetermined."""
    return tuple(each for each in list_served_queues(port, context) if each.is_rdma)


def list_served_queues(port: PortConfig, context: Context) -> tuple[ServedQueue, ...]:
    """Return the queues of RDMA on a port that takes part, else of its no-drop classes; raises Undetermined."""
    if not takes_part(port, ecn_only=context.intent.is_ecn_only):
        return ()
    found: dict[int, tuple[Queue, str]] = {}
    for given in list_rdma_traffic(port, context):
        queue = _find_rdma_queue(given)
        if queue is not None:
            found.setdefault(queue.queue, (queue, given.traffic.name))
    rdma = frozenset(found)
    for number, name in _list_no_drop(port) if not found else ():
        queue = next((each for each in value_of(port.queues) or () if each.queue == number), None)
        if queue is not None:
            found.setdefault(number, (queue, name))
    return tuple(ServedQueue(port, queue, name, rdma) for queue, name in found.values())


def _find_rdma_queue(given: PortTraffic) -> Queue | None:
    """Return the queue of an RDMA class, None where the port describes no such queue; raises Undetermined."""
    traffic = given.traffic
    kept = None
    if value_of(traffic.lossless) is not False:
        kept = find_lossless_class(given.port, traffic.priority.known().value)
    return find_queue(given.port, kept or classify(given.port, traffic)[0])


def _list_no_drop(port: PortConfig) -> Iterator[tuple[int, str]]:
    paused = value_of(port.pfc.priorities) or ()
    for each in value_of(port.classification.classes) or ():
        number = value_of(each.queue)
        if number is not None and value_of(each.lossless) and value_of(each.pfc_priority) in paused:
            yield number, f"no-drop class {each.name}"


def find_traffic_queue(port: PortConfig, traffic: Traffic) -> Queue | None:
    """Return the queue by which *traffic* leaves, None where the port describes no such queue; raises Undetermined."""
    return find_queue(port, classify(port, traffic)[0])


def list_bulk_queues(port: PortConfig, context: Context) -> Iterator[tuple[Queue, str]]:
    """Yield the queues of storage and of unmarked packets, as far as the dump tells them."""
    for traffic in (*context.intent.of_kind(TrafficKind.STORAGE), _UNMARKED):
        try:
            queue = find_traffic_queue(port, traffic)
        except Undetermined:
            continue
        if queue is not None:
            yield queue, traffic.name


_UNMARKED = Traffic(
    "unmarked packets",
    TrafficKind.OTHER,
    Known((UNMARKED,), Origin.DEFAULT),
    Known(UNMARKED, Origin.DEFAULT),
    Known(value=False, origin=Origin.DEFAULT),
)


def is_strict(queue: Queue) -> bool:
    """Return whether a queue is known to be served before all that share the rest."""
    return value_of(queue.scheduler) is Scheduler.STRICT


def rank_strict(queue: Queue) -> tuple[int, int]:
    """Return the order of strict queues, the first served being the largest.

    Without a level that is written, the higher number is served first (IEEE Std 802.1Q, 8.6.8.1: strict priority).
    """
    return (value_of(queue.level) or 0, queue.queue)


def is_before(one: Queue, other: Queue) -> bool:
    """Return whether queue *one* is known to be emptied before *other* sends."""
    return is_strict(one) and (not is_strict(other) or rank_strict(one) > rank_strict(other))


def find_limit(queue: Queue) -> Known[float] | None:
    """Return the rate limit of a queue in Gb/s, None without one; raises Undetermined."""
    limit = queue.shape_gbps
    return None if isinstance(limit, Unset) or value_of(limit) == 0 else limit.known()


def find_share(queue: Queue) -> Setting[float] | Setting[int]:
    """Return the bandwidth or the weight of a queue that is not strict."""
    return queue.bandwidth_percent if isinstance(queue.bandwidth_percent, Known) else queue.weight


def compute_shares(queues: Iterable[Queue], like: Queue) -> dict[int, float]:
    """Return the share in percent of each queue that is not strict, counted as the share of *like* is.

    A queue whose share is not written the same way is left out, so that the shares are upper bounds. Raises
    Undetermined where the share of *like* is not known, or all are 0.
    """
    is_percent = isinstance(like.bandwidth_percent, Known)
    if not is_percent and not isinstance(like.weight, Known):
        like.scheduler.known()
        like.weight.known()
    field = "bandwidth_percent" if is_percent else "weight"
    known = {
        each.queue: float(value)
        for each in queues
        if not is_strict(each) and (value := value_of(getattr(each, field))) is not None
    }
    total = sum(known.values())
    if not total:
        raise Undetermined("no queue of the port has a share of the line", find_share(like).known().where)
    return {number: ALL * value / total for number, value in known.items()}
