"""Counters as evidence: which of them show that a fault is at work, and what those of the dumps say.

A counter counts since it was cleared or the device booted. What it has counted did happen; what it has not counted may
only lack traffic. So a finding is confirmed by a counter that nothing but its fault, as configured, would move, and
where all such counters stand still there is no sign of it yet. Neither changes what is found, nor how bad it is.

Left out are counters that move for other reasons as well: packets out of sequence, retransmissions and discards of a
whole port come from a loss anywhere on the way, or of any traffic.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditor.model.counters import Counter, CounterKind, select_counters
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.finding import Sign, Symptom
from auditor.model.port import Port
from auditor.model.qos import TrafficClass
from auditor.model.setting import value_of


class Confirmation(StrEnum):
    """What the counters say of a finding."""

    CONFIRMED = "confirmed"
    NO_SIGN = "no sign yet"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A counter: whose it is, its name and value, and the line that shows it."""

    device: str
    port: str
    name: str
    value: int
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CounterVerdict:
    """What counters say of a finding, and which: those that prove it, or all that might have and do not."""

    verdict: Confirmation
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class PortSymptom:
    """A finding's port, and what its counters can show."""

    device: str
    port: str
    trace: Symptom


class CountedBy(StrEnum):
    """The number space in which something is counted."""

    PORT = "port"
    PRIORITY = "priority"
    GROUP = "priority group"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class CounterSign:
    """A counter that proves a sign if it is not zero, and, where `without` names another, only if that one is zero.

    `far`: it is counted at the other end of the cable.
    """

    count: CounterKind
    of: CountedBy = CountedBy.PRIORITY
    far: bool = False
    without: tuple[CounterKind, CountedBy] | None = None


@dataclass(frozen=True, slots=True)
class SignMeaning:
    """A sign in words, with the counters that tell it."""

    text: str
    tellings: tuple[CounterSign, ...]


SIGNS: Mapping[Sign, SignMeaning] = {
    Sign.PAUSES_NOT_HONOURED: SignMeaning(
        "pauses of the priority are received from the neighbour, or sent by it",
        (CounterSign(CounterKind.PFC_RECEIVED), CounterSign(CounterKind.PFC_SENT, far=True)),
    ),
    Sign.DISCARDED_ON_ARRIVAL: SignMeaning(
        "packets of the priority are discarded on arrival for want of a buffer",
        (CounterSign(CounterKind.DISCARDED), CounterSign(CounterKind.GROUP_DISCARDED, CountedBy.GROUP)),
    ),
    Sign.QUEUE_OVERFLOWS: SignMeaning(
        "packets are dropped from the full egress queue of the traffic",
        (CounterSign(CounterKind.QUEUE_DISCARDED, CountedBy.QUEUE),),
    ),
    Sign.WRED_DROPS: SignMeaning(
        "WRED has dropped packets of the queue", (CounterSign(CounterKind.QUEUE_WRED_DISCARDED, CountedBy.QUEUE),)
    ),
    Sign.PAUSED: SignMeaning(
        "pauses of the priority are sent or received",
        (CounterSign(CounterKind.PFC_SENT), CounterSign(CounterKind.PFC_RECEIVED)),
    ),
    Sign.LINK_PAUSED: SignMeaning(
        "frames of link pause are sent or received",
        (CounterSign(CounterKind.PAUSE_SENT, CountedBy.PORT), CounterSign(CounterKind.PAUSE_RECEIVED, CountedBy.PORT)),
    ),
    Sign.TOO_LONG: SignMeaning(
        "frames that are longer than the port takes are dropped on arrival",
        (CounterSign(CounterKind.OVERSIZE, CountedBy.PORT),),
    ),
    Sign.MARKS_UNANSWERED: SignMeaning(
        "packets marked as congested arrive, and the NIC has sent no CNP",
        (CounterSign(CounterKind.ECN_MARKED, CountedBy.PORT, without=(CounterKind.CNP_SENT, CountedBy.PORT)),),
    ),
    Sign.CNPS_IGNORED: SignMeaning("the NIC has ignored CNPs", (CounterSign(CounterKind.CNP_IGNORED, CountedBy.PORT),)),
    Sign.NEVER_RECEIVED_AS: SignMeaning(
        "the NIC receives RDMA, and nothing at the priority of RDMA",
        (
            CounterSign(
                CounterKind.RDMA_RECEIVED, CountedBy.PORT, without=(CounterKind.PACKETS_RECEIVED, CountedBy.PRIORITY)
            ),
        ),
    ),
    Sign.NEVER_SENT_AS: SignMeaning(
        "the NIC sends RDMA, and nothing at the priority of RDMA",
        (CounterSign(CounterKind.RDMA_SENT, CountedBy.PORT, without=(CounterKind.PACKETS_SENT, CountedBy.PRIORITY)),),
    ),
    Sign.PAUSE_STORM: SignMeaning(
        "the NIC at the other end has paused the port for long without a break",
        (CounterSign(CounterKind.PAUSE_STORM, CountedBy.PORT, far=True),),
    ),
}
"""What counters show of a fault at work."""


@dataclass(frozen=True, slots=True)
class _Site:
    """The port of a finding, the other end of its cable where the dumps have it, and where to look."""

    here: Attached
    peer: Attached | None
    trace: Symptom

    def at(self, *, far: bool) -> Attached | None:
        """Return the end where something is counted."""
        return self.peer if far else self.here


def judge_counters(fabric: Fabric, traced: Sequence[PortSymptom | None]) -> tuple[CounterVerdict | None, ...]:
    """Return what the counters say of each; None where no counter that could was captured."""
    ends = fabric.ends() if any(traced) else {}
    across = {near: far for link in fabric.links for near, far in ((link.a, link.b), (link.b, link.a))}
    told: list[CounterVerdict | None] = []
    for each in traced:
        end = End(each.device, each.port) if each else None
        here = ends.get(end) if end else None
        far = across.get(end) if end else None
        told.append(_judge_site(_Site(here, ends.get(far) if far else None, each.trace)) if each and here else None)
    return tuple(told)


def _judge_site(site: _Site) -> CounterVerdict | None:
    proof: dict[Evidence, None] = {}
    silent: dict[Evidence, None] = {}
    for sign in site.trace.signs:
        for telling in SIGNS[sign].tellings:
            proves, read = _read_sign(site, telling)
            (proof if proves else silent).update(dict.fromkeys(read))
    if proof:
        return CounterVerdict(Confirmation.CONFIRMED, tuple(proof))
    return CounterVerdict(Confirmation.NO_SIGN, tuple(silent)) if silent else None


def _read_sign(site: _Site, telling: CounterSign) -> tuple[bool, tuple[Evidence, ...]]:
    """Return whether what *telling* names proves its sign, and the counters that were read for it."""
    end = site.at(far=telling.far)
    if end is None:
        return False, ()
    found = _select_counters(site, end, telling.count, telling.of)
    moved = [each for each in found if each.value.value]
    if telling.without is None:
        return bool(moved), tuple(_list_evidence(end, moved or found))
    instead = _select_counters(site, end, *telling.without)
    if not found or not instead:
        return False, ()
    return bool(moved) and not any(each.value.value for each in instead), tuple(_list_evidence(end, (*found, *instead)))


def _select_counters(site: _Site, end: Attached, count: CounterKind, of: CountedBy) -> tuple[Counter, ...]:
    if of is CountedBy.PORT:
        return select_counters(end.port.counters, count)
    if of is CountedBy.QUEUE:
        return select_counters(end.port.counters, count, _list_queues(end.port, site.trace))
    if of is CountedBy.GROUP:
        return select_counters(end.port.counters, count, _list_groups(end.port, site.trace))
    found = select_counters(end.port.counters, count, site.trace.priorities)
    if not found and _counts_only_priorities(site, end, count):
        return select_counters(end.port.counters, count)
    return found


def _counts_only_priorities(site: _Site, end: Attached, count: CounterKind) -> bool:
    """Tell whether pauses that the whole port counts are of the priorities asked for: their sender sends no others."""
    if count not in {CounterKind.PFC_SENT, CounterKind.PFC_RECEIVED}:
        return False
    is_here = (end is site.here) is (count is CounterKind.PFC_SENT)
    sender = site.here if is_here else site.peer
    sent = value_of(sender.port.config.pfc.tx_priorities) if sender else None
    return bool(sent) and set(sent or ()) <= set(site.trace.priorities)


def _list_queues(port: Port, trace: Symptom) -> set[int]:
    """Return the queue of the trace, else the egress queues that hold nothing but its priorities."""
    if trace.queue is not None:
        return {trace.queue}
    fed = {q.queue: value_of(q.priorities) for q in value_of(port.config.queues) or ()}
    return _select_exclusive(trace, fed, ((value_of(c.queue), value_of(c.pfc_priority)) for c in _list_classes(port)))


def _list_groups(port: Port, trace: Symptom) -> set[int]:
    """Return the group of the trace, else the ingress priority groups that hold nothing but its priorities."""
    if trace.group is not None:
        return {trace.group}
    fed = {g.pg: value_of(g.priorities) for g in value_of(port.config.priority_groups) or ()}
    return _select_exclusive(trace, fed, ((value_of(c.pg), value_of(c.pfc_priority)) for c in _list_classes(port)))


def _list_classes(port: Port) -> tuple[TrafficClass, ...]:
    return value_of(port.config.classification.classes) or ()


def _select_exclusive(
    trace: Symptom, fed: Mapping[int, tuple[int, ...] | None], classes: Iterable[tuple[int | None, int | None]]
) -> set[int]:
    """Return the numbers into which only priorities of the trace go, by what is said of them, else by the classes."""
    held: dict[int, set[int | None]] = {number: {*priorities} for number, priorities in fed.items() if priorities}
    by_class: dict[int, set[int | None]] = {}
    for number, priority in classes:
        if number is not None:
            by_class.setdefault(number, set()).add(priority)
    return {number for number, priorities in (by_class | held).items() if priorities <= {*trace.priorities}}


def _list_evidence(end: Attached, counters: Sequence[Counter]) -> Iterator[Evidence]:
    for each in counters:
        where = end.port.locate(each.value.where)
        if where:
            yield Evidence(end.device.name, end.port.name, each.name, each.value.value, where.file, where.line)
