"""Counters as evidence of a fault.

A counter counts since its last reset or the boot of the device. One sample proves events at some time before: a fault
whose counter is above zero is exposed. Two samples tell what happens now: a fault is confirmed by a counter of lost
packets that only this fault moves, and that grew between them. If all such counters are zero, there is no sign yet.
No outcome changes the finding or its level.

Counters with several causes are left out. Packets out of sequence, retransmissions and discards of a whole port come
from any loss on the path.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from auditor.model.counters import LOSSES, Counter, CounterKind, Growth, select_counters
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.finding import Sign, Symptom
from auditor.model.port import PortConfig
from auditor.model.setting import value_of
from auditor.packet.number_spaces import list_groups_of, list_queues_of
from auditor.util.values import dataclass


class Confirmation(StrEnum):
    """The outcome of the counters for a finding."""

    CONFIRMED = "confirmed"
    EXPOSED = "exposed"
    NO_SIGN = "no sign yet"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A counter with its device, port, name, value and line, its growth, and since when it counts if the dump tells."""

    device: str
    port: str
    name: str
    value: int
    file: str
    line: int
    growth: Growth | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class CounterVerdict:
    """The outcome for a finding, with the counters that prove the finding or else all silent counters.

    `beside` are counters that other causes move too: how long both ends of the cable obeyed or sent pauses of the
    priorities, and what error correction mended.
    """

    verdict: Confirmation
    evidence: tuple[Evidence, ...]
    beside: tuple[Evidence, ...] = ()


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
    Sign.DAMAGED: SignMeaning(
        "frames arrive damaged beyond repair, or the port has lost its link",
        tuple(
            CounterSign(kind, CountedBy.PORT, far=far)
            for kind in (CounterKind.CORRUPT, CounterKind.LINK_DOWN)
            for far in (False, True)
        ),
    ),
}
"""The counters of each sign."""
_DURATIONS = (CounterKind.PAUSED_FOR, CounterKind.PAUSED_OTHERS_FOR)
_BESIDE: Mapping[Sign, tuple[CounterKind, ...]] = {
    **dict.fromkeys((Sign.PAUSES_NOT_HONOURED, Sign.DISCARDED_ON_ARRIVAL, Sign.PAUSED, Sign.PAUSE_STORM), _DURATIONS),
    Sign.DAMAGED: (CounterKind.CORRECTED,),
}
"""What stands beside each sign: counters that explain it and prove nothing."""


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
    sites = (_find_site(fabric, each) if each else None for each in traced)
    return tuple(_judge_site(site) if site else None for site in sites)


def _find_site(fabric: Fabric, traced: PortSymptom) -> _Site | None:
    """Return where a symptom shows; None at a port that no dump has."""
    end = End(traced.device, traced.port)
    here = fabric.ends().get(end)
    return _Site(here, fabric.far_ends().get(end), traced.symptom) if here else None


@dataclass(frozen=True, slots=True)
class _Sighting:
    """What the counters of one telling say: they prove it, and it goes on; `read` are these counters."""

    proves: bool
    goes_on: bool
    read: tuple[Evidence, ...]


def _judge_site(site: _Site) -> CounterVerdict | None:
    seen = [_read_sign(site, telling) for sign in site.symptom.signs for telling in SIGNS[sign].tellings]
    proof = _join_evidence(each for each in seen if each.proves)
    if proof:
        verdict = Confirmation.CONFIRMED if any(each.goes_on for each in seen) else Confirmation.EXPOSED
        return CounterVerdict(verdict, proof, _list_beside(site))
    silent = _join_evidence(seen)
    return CounterVerdict(Confirmation.NO_SIGN, silent) if silent else None


def _join_evidence(sightings: Iterable[_Sighting]) -> tuple[Evidence, ...]:
    """Return the counters of *sightings*, each once."""
    return tuple({each: None for sighting in sightings for each in sighting.read})


def _read_sign(site: _Site, telling: CounterSign) -> _Sighting:
    """Return what the counters of *telling* say."""
    end = site.at(far=telling.far)
    if end is None:
        return _Sighting(proves=False, goes_on=False, read=())
    found = _select_counters(site, end, telling.count, telling.of)
    moved = [each for each in found if each.value.value]
    if telling.without is None:
        evidence = tuple(_list_evidence(end, moved or found))
        goes_on = telling.count in LOSSES and any(each.growth and each.growth.count for each in evidence)
        return _Sighting(bool(moved), goes_on, evidence)
    instead = _select_counters(site, end, *telling.without)
    if not found or not instead:
        return _Sighting(proves=False, goes_on=False, read=())
    proves = bool(moved) and not any(each.value.value for each in instead)
    return _Sighting(proves, goes_on=False, read=tuple(_list_evidence(end, (*found, *instead))))


def _list_beside(site: _Site) -> tuple[Evidence, ...]:
    """Return the counters beside the signs of the symptom at both ends that are not zero."""
    kinds = dict.fromkeys(kind for sign in site.symptom.signs for kind in _BESIDE.get(sign, ()))
    return tuple(
        each
        for end in (site.here, site.peer)
        if end
        for kind in kinds
        for numbers in ((site.symptom.priorities,) if kind in _DURATIONS else (None,))
        for each in _list_evidence(end, select_counters(end.port.counters, kind, numbers))
        if each.value
    )


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
            growth = (end.port.growths or {}).get(each.name)
            since = (end.port.counted_since or {}).get(each.name)
            counted = each.value.value
            yield Evidence(end.device.name, end.port.name, each.name, counted, where.file, where.line, growth, since)
