"""Counters as evidence of a fault.

A counter counts since its last reset or the boot of the device. A count proves an event; a zero may only lack traffic.
A finding is confirmed by a counter that only its fault moves. If all such counters are zero, there is no sign yet.
Neither outcome changes the finding or its level.

Counters with several causes are left out. Packets out of sequence, retransmissions and discards of a whole port come
from any loss on the path.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditor.model.counters import Counter, CounterKind, select_counters
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.finding import Sign, Symptom
from auditor.model.port import PortConfig
from auditor.model.setting import value_of
from auditor.packet.number_spaces import list_groups_of, list_queues_of


class Confirmation(StrEnum):
    """The outcome of the counters for a finding."""

    CONFIRMED = "confirmed"
    NO_SIGN = "no sign yet"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A counter with its device, port, name, value and line."""

    device: str
    port: str
    name: str
    value: int
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CounterVerdict:
    """The outcome for a finding, with the counters that prove the finding or else all silent counters."""

    verdict: Confirmation
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class PortSymptom:
    """A finding's port with the symptom that its counters can show."""

    device: str
    port: str
    symptom: Symptom


class CountedBy(StrEnum):
    """The number space of a counter."""

    PORT = "port"
    PRIORITY = "priority"
    GROUP = "priority group"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class CounterSign:
    """A counter that proves a sign with a value above zero; a counter in `without` must be zero.

    `far`: the counter is at the other end of the cable.
    """

    count: CounterKind
    of: CountedBy = CountedBy.PRIORITY
    far: bool = False
    without: tuple[CounterKind, CountedBy] | None = None


@dataclass(frozen=True, slots=True)
class SignMeaning:
    """A sign in words, with its counters."""

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
"""The counters of each sign."""


@dataclass(frozen=True, slots=True)
class _Site:
    """The port of a finding, the dumped other end of its cable, and the symptom."""

    here: Attached
    peer: Attached | None
    symptom: Symptom

    def at(self, *, far: bool) -> Attached | None:
        """Return the end of the counter."""
        return self.peer if far else self.here


def judge_counters(fabric: Fabric, traced: Sequence[PortSymptom | None]) -> tuple[CounterVerdict | None, ...]:
    """Return the outcome for each finding; None if no counter of its signs was captured."""
    ends = fabric.ends() if any(traced) else {}
    across = {near: far for link in fabric.links for near, far in ((link.a, link.b), (link.b, link.a))}
    told: list[CounterVerdict | None] = []
    for each in traced:
        end = End(each.device, each.port) if each else None
        here = ends.get(end) if end else None
        far = across.get(end) if end else None
        told.append(_judge_site(_Site(here, ends.get(far) if far else None, each.symptom)) if each and here else None)
    return tuple(told)


def _judge_site(site: _Site) -> CounterVerdict | None:
    proof: dict[Evidence, None] = {}
    silent: dict[Evidence, None] = {}
    for sign in site.symptom.signs:
        for telling in SIGNS[sign].tellings:
            proves, read = _read_sign(site, telling)
            (proof if proves else silent).update(dict.fromkeys(read))
    if proof:
        return CounterVerdict(Confirmation.CONFIRMED, tuple(proof))
    return CounterVerdict(Confirmation.NO_SIGN, tuple(silent)) if silent else None


def _read_sign(site: _Site, telling: CounterSign) -> tuple[bool, tuple[Evidence, ...]]:
    """Return whether the counters of *telling* prove its sign, and these counters."""
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
        return select_counters(end.port.counters, count, _list_queues(end.port.config, site.symptom))
    if of is CountedBy.GROUP:
        return select_counters(end.port.counters, count, _list_groups(end.port.config, site.symptom))
    found = select_counters(end.port.counters, count, site.symptom.priorities)
    if not found and _counts_only_priorities(site, end, count):
        return select_counters(end.port.counters, count)
    return found


def _counts_only_priorities(site: _Site, end: Attached, count: CounterKind) -> bool:
    """Return whether all pauses of a port belong to the priorities of the symptom: the sender pauses no others."""
    if count not in {CounterKind.PFC_SENT, CounterKind.PFC_RECEIVED}:
        return False
    is_here = (end is site.here) is (count is CounterKind.PFC_SENT)
    sender = site.here if is_here else site.peer
    sent = value_of(sender.port.config.pfc.tx_priorities) if sender else None
    return bool(sent) and set(sent or ()) <= set(site.symptom.priorities)


def _list_queues(config: PortConfig, symptom: Symptom) -> set[int]:
    """Return the queue of the symptom, else the egress queues of its priorities alone."""
    return {symptom.queue} if symptom.queue is not None else list_queues_of(config, symptom.priorities)


def _list_groups(config: PortConfig, symptom: Symptom) -> set[int]:
    """Return the priority group of the symptom, else the ingress priority groups of its priorities alone."""
    return {symptom.group} if symptom.group is not None else list_groups_of(config, symptom.priorities)


def _list_evidence(end: Attached, counters: Sequence[Counter]) -> Iterator[Evidence]:
    for each in counters:
        where = end.port.locate(each.value.where)
        if where:
            yield Evidence(end.device.name, end.port.name, each.name, each.value.value, where.file, where.line)
