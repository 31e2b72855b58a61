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

from auditor.model.counters import Count, Counter, counted
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.finding import Sign, Trace
from auditor.model.port import Port
from auditor.model.qos import TrafficClass
from auditor.model.setting import value_of


class Verdict(StrEnum):
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
class Counted:
    """What counters say of a finding, and which: those that prove it, or all that might have and do not."""

    verdict: Verdict
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """A finding's port, and what its counters can show."""

    device: str
    port: str
    trace: Trace


class Of(StrEnum):
    """The number space in which something is counted."""

    PORT = "port"
    PRIORITY = "priority"
    GROUP = "priority group"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class Telling:
    """A counter that proves a sign if it is not zero, and, where `without` names another, only if that one is zero.

    `far`: it is counted at the other end of the cable.
    """

    count: Count
    of: Of = Of.PRIORITY
    far: bool = False
    without: tuple[Count, Of] | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A sign in words, with the counters that tell it."""

    text: str
    tellings: tuple[Telling, ...]


SIGNS: Mapping[Sign, Meaning] = {
    Sign.PAUSES_NOT_HONOURED: Meaning(
        "pauses of the priority are received from the neighbour, or sent by it",
        (Telling(Count.PFC_RECEIVED), Telling(Count.PFC_SENT, far=True)),
    ),
    Sign.DISCARDED_ON_ARRIVAL: Meaning(
        "packets of the priority are discarded on arrival for want of a buffer",
        (Telling(Count.DISCARDED), Telling(Count.GROUP_DISCARDED, Of.GROUP)),
    ),
    Sign.QUEUE_OVERFLOWS: Meaning(
        "packets are dropped from the full egress queue of the traffic", (Telling(Count.QUEUE_DISCARDED, Of.QUEUE),)
    ),
    Sign.WRED_DROPS: Meaning("WRED has dropped packets of the queue", (Telling(Count.QUEUE_WRED_DISCARDED, Of.QUEUE),)),
    Sign.PAUSED: Meaning(
        "pauses of the priority are sent or received", (Telling(Count.PFC_SENT), Telling(Count.PFC_RECEIVED))
    ),
    Sign.LINK_PAUSED: Meaning(
        "frames of link pause are sent or received",
        (Telling(Count.PAUSE_SENT, Of.PORT), Telling(Count.PAUSE_RECEIVED, Of.PORT)),
    ),
    Sign.TOO_LONG: Meaning(
        "frames that are longer than the port takes are dropped on arrival", (Telling(Count.OVERSIZE, Of.PORT),)
    ),
    Sign.MARKS_UNANSWERED: Meaning(
        "packets marked as congested arrive, and the NIC has sent no CNP",
        (Telling(Count.ECN_MARKED, Of.PORT, without=(Count.CNP_SENT, Of.PORT)),),
    ),
    Sign.CNPS_IGNORED: Meaning("the NIC has ignored CNPs", (Telling(Count.CNP_IGNORED, Of.PORT),)),
    Sign.NEVER_RECEIVED_AS: Meaning(
        "the NIC receives RDMA, and nothing at the priority of RDMA",
        (Telling(Count.RDMA_RECEIVED, Of.PORT, without=(Count.PACKETS_RECEIVED, Of.PRIORITY)),),
    ),
    Sign.NEVER_SENT_AS: Meaning(
        "the NIC sends RDMA, and nothing at the priority of RDMA",
        (Telling(Count.RDMA_SENT, Of.PORT, without=(Count.PACKETS_SENT, Of.PRIORITY)),),
    ),
    Sign.PAUSE_STORM: Meaning(
        "the NIC at the other end has paused the port for long without a break",
        (Telling(Count.PAUSE_STORM, Of.PORT, far=True),),
    ),
}
"""What counters show of a fault at work."""


@dataclass(frozen=True, slots=True)
class _Site:
    """The port of a finding, the other end of its cable where the dumps have it, and where to look."""

    here: Attached
    peer: Attached | None
    trace: Trace

    def at(self, *, far: bool) -> Attached | None:
        """Return the end where something is counted."""
        return self.peer if far else self.here


def seen(fabric: Fabric, traced: Sequence[Traced | None]) -> tuple[Counted | None, ...]:
    """Return what the counters say of each; None where no counter that could was captured."""
    ends = fabric.ends() if any(traced) else {}
    across = {near: far for link in fabric.links for near, far in ((link.a, link.b), (link.b, link.a))}
    told: list[Counted | None] = []
    for each in traced:
        end = End(each.device, each.port) if each else None
        here = ends.get(end) if end else None
        far = across.get(end) if end else None
        told.append(_told(_Site(here, ends.get(far) if far else None, each.trace)) if each and here else None)
    return tuple(told)


def _told(site: _Site) -> Counted | None:
    proof: dict[Evidence, None] = {}
    silent: dict[Evidence, None] = {}
    for sign in site.trace.signs:
        for telling in SIGNS[sign].tellings:
            proves, read = _read(site, telling)
            (proof if proves else silent).update(dict.fromkeys(read))
    if proof:
        return Counted(Verdict.CONFIRMED, tuple(proof))
    return Counted(Verdict.NO_SIGN, tuple(silent)) if silent else None


def _read(site: _Site, telling: Telling) -> tuple[bool, tuple[Evidence, ...]]:
    """Return whether what *telling* names proves its sign, and the counters that were read for it."""
    end = site.at(far=telling.far)
    if end is None:
        return False, ()
    found = _counters(site, end, telling.count, telling.of)
    moved = [each for each in found if each.value.value]
    if telling.without is None:
        return bool(moved), tuple(_evidence(end, moved or found))
    instead = _counters(site, end, *telling.without)
    if not found or not instead:
        return False, ()
    return bool(moved) and not any(each.value.value for each in instead), tuple(_evidence(end, (*found, *instead)))


def _counters(site: _Site, end: Attached, count: Count, of: Of) -> tuple[Counter, ...]:
    if of is Of.PORT:
        return counted(end.port.counters, count)
    if of is Of.QUEUE:
        return counted(end.port.counters, count, _queues(end.port, site.trace))
    if of is Of.GROUP:
        return counted(end.port.counters, count, _groups(end.port, site.trace))
    found = counted(end.port.counters, count, site.trace.priorities)
    if not found and _all_of_it(site, end, count):
        return counted(end.port.counters, count)
    return found


def _all_of_it(site: _Site, end: Attached, count: Count) -> bool:
    """Tell whether pauses that the whole port counts are of the priorities asked for: their sender sends no others."""
    if count not in {Count.PFC_SENT, Count.PFC_RECEIVED}:
        return False
    is_here = (end is site.here) is (count is Count.PFC_SENT)
    sender = site.here if is_here else site.peer
    sent = value_of(sender.port.config.pfc.tx_priorities) if sender else None
    return bool(sent) and set(sent or ()) <= set(site.trace.priorities)


def _queues(port: Port, trace: Trace) -> set[int]:
    """Return the queue of the trace, else the egress queues that hold nothing but its priorities."""
    if trace.queue is not None:
        return {trace.queue}
    fed = {q.queue: value_of(q.priorities) for q in value_of(port.config.queues) or ()}
    return _only(trace, fed, ((value_of(c.queue), value_of(c.pfc_priority)) for c in _classes(port)))


def _groups(port: Port, trace: Trace) -> set[int]:
    """Return the group of the trace, else the ingress priority groups that hold nothing but its priorities."""
    if trace.group is not None:
        return {trace.group}
    fed = {g.pg: value_of(g.priorities) for g in value_of(port.config.priority_groups) or ()}
    return _only(trace, fed, ((value_of(c.pg), value_of(c.pfc_priority)) for c in _classes(port)))


def _classes(port: Port) -> tuple[TrafficClass, ...]:
    return value_of(port.config.classification.classes) or ()


def _only(
    trace: Trace, fed: Mapping[int, tuple[int, ...] | None], classes: Iterable[tuple[int | None, int | None]]
) -> set[int]:
    """Return the numbers into which only priorities of the trace go, by what is said of them, else by the classes."""
    held: dict[int, set[int | None]] = {number: {*priorities} for number, priorities in fed.items() if priorities}
    by_class: dict[int, set[int | None]] = {}
    for number, priority in classes:
        if number is not None:
            by_class.setdefault(number, set()).add(priority)
    return {number for number, priorities in (by_class | held).items() if priorities <= {*trace.priorities}}


def _evidence(end: Attached, counters: Sequence[Counter]) -> Iterator[Evidence]:
    for each in counters:
        where = end.port.locate(each.value.where)
        if where:
            yield Evidence(end.device.name, end.port.name, each.name, each.value.value, where.file, where.line)
