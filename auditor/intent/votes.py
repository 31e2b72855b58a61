"""Votes for the intent: what the ports of a device are set to, never by factory defaults alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, fields
from functools import lru_cache
from typing import TypeAlias, TypeVar

from auditor.fabric.gid import find_families
from auditor.fabric.job_environment import read_environment
from auditor.intent.model import Design
from auditor.model.device import Device
from auditor.model.nic import CcEngine, Nic, RdmaDevice, find_other_fabric
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import IpFamily, TrafficClass
from auditor.model.setting import Known, Setting, is_chosen, value_of
from auditor.util.values import dataclass

T = TypeVar("T")
Choice: TypeAlias = bool | int | tuple[int, ...] | Design | CcEngine | IpFamily
MOST_BALLOTS = 1024
"""Ballots that devices may share; the devices of a fleet cast few."""


@dataclass(frozen=True, slots=True)
class Votes:
    """The settings of ports of one or more devices: each table counts ports by value."""

    lossless: Counter[tuple[int, ...]] = field(default_factory=Counter)
    rdma_dscp: Counter[int] = field(default_factory=Counter)
    lossless_dscp: Counter[tuple[int, ...]] = field(default_factory=Counter)
    priority_of: Counter[tuple[int, int]] = field(default_factory=Counter)
    cnp_dscp: Counter[int] = field(default_factory=Counter)
    path_mtu: Counter[int] = field(default_factory=Counter)
    design: Counter[Design] = field(default_factory=Counter)
    congestion_control: Counter[CcEngine] = field(default_factory=Counter)
    lossless_pcp: Counter[tuple[int, ...]] = field(default_factory=Counter)
    families: Counter[IpFamily] = field(default_factory=Counter)
    marks: Counter[bool] = field(default_factory=Counter)
    reacts: Counter[bool] = field(default_factory=Counter)

    def __add__(self, other: "Votes") -> "Votes":
        return Votes(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Votes)))


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes of a device as they are kept: devices that vote alike share one.

    `counts` has for each table of `Votes`, in their order, its values with their number.
    """

    counts: tuple[tuple[tuple[Choice, int], ...], ...] = ()


@lru_cache(maxsize=MOST_BALLOTS)
def _share(ballot: Ballot) -> Ballot:
    return ballot


def cast_ballot(votes: Votes) -> Ballot:
    """Return *votes* as a ballot, one object for all that are equal.

    >>> ballot = cast_ballot(Votes(cnp_dscp=Counter({48: 2})))
    >>> ballot is cast_ballot(Votes(cnp_dscp=Counter({48: 2}))), add_ballots([ballot, ballot]).cnp_dscp
    (True, Counter({48: 4}))
    """
    return _share(Ballot(tuple(tuple(getattr(votes, each.name).items()) for each in fields(Votes))))


def add_ballots(ballots: Iterable[Ballot]) -> Votes:
    """Return the votes of all *ballots*; one that several devices share is opened once."""
    cast = list(ballots)
    number_of, total = Counter(map(id, cast)), Votes()
    tables = [getattr(total, each.name) for each in fields(Votes)]
    for ballot in {id(each): each for each in cast}.values():
        for table, counts in zip(tables, ballot.counts, strict=bool(ballot.counts)):
            for value, count in counts:
                table[value] += count * number_of[id(ballot)]
    return total


def count_votes(device: Device) -> Votes:
    """Return the votes of the ports of *device* for the intent; a shared configuration votes once per port.

    Defaults of the operating system do not vote, nor do ports that are down or speak no RoCE.
    """
    votes = Votes()
    voting = [port for port in device.ports if _may_vote(port.config)]
    voters = [port.config for port in voting]
    weights = Counter(map(id, voters))
    for number_of, port in {id(config): config for config in voters}.items():
        weight = weights[number_of]
        _count_pauses(votes, port, weight)
        paused_dscp = _count_sorting(votes, port, weight)
        if device.kind == "switch":
            if paused_dscp:
                votes.lossless_dscp[paused_dscp] += weight
            if paused_pcp := _list_paused_pcps(port):
                votes.lossless_pcp[paused_pcp] += weight
            _count(votes.design, _find_design(port), weight)
            _count(votes.marks, _find_marks(port), weight)
        if port.nic:
            _count_marks(votes, port.nic, weight)
            _count(votes.reacts, _find_reaction(port.nic), weight)
    votes.families.update(_list_families(device, [port.rdma for port in voting if port.config.nic]))
    return votes


def _list_families(device: Device, found: Iterable[RdmaDevice]) -> Iterator[IpFamily]:
    """Yield the versions of IP that each of the RDMA devices of a host uses."""
    known: dict[tuple[int, str | None], frozenset[IpFamily]] = {}  # the ports of an RDMA device share its table
    for rdma in found:
        table = id(value_of(rdma.gids)), value_of(rdma.name)
        if table not in known:
            known[table] = find_families(rdma, read_environment(device))
        yield from known[table]


def _may_vote(port: PortConfig) -> bool:
    """Return whether a port is in use and may speak RoCE, as far as the dumps tell."""
    nic = port.nic
    if port.ethernet.is_shut:
        return False
    if nic is None:
        return True
    return not find_other_fabric(nic) and value_of(nic.link_up) is not False


def _find_marks(port: PortConfig) -> bool | None:
    """Return whether a queue of a port that pauses marks, None where the dump does not tell of every queue."""
    if not isinstance(port.queues, Known) or not _list_paused(port):
        return None
    marks = [value_of(queue.ecn) for queue in port.queues.value]
    return True if any(marks) else None if None in marks else False


def _find_reaction(nic: Nic) -> bool | None:
    """Return whether a NIC is set up to send or heed CNPs, None where no capture tells."""
    if is_chosen(nic.cnp_dscp):
        return True
    told = [setting for setting in (nic.dcqcn_np, nic.dcqcn_rp) if isinstance(setting, Known)]
    return any(each.value for setting in told for each in setting.value.values()) if told else None


def _read_chosen(setting: Setting[T]) -> T | None:
    return value_of(setting) if is_chosen(setting) else None


def _list_paused(port: PortConfig) -> tuple[int, ...]:
    """Return the priorities with chosen PFC."""
    is_on = value_of(port.pfc.mode) is PfcMode.ON and is_chosen(port.pfc.mode, port.pfc.priorities)
    return tuple(sorted(value_of(port.pfc.priorities) or ())) if is_on else ()


def _count_pauses(votes: Votes, port: PortConfig, weight: int) -> None:
    if paused := _list_paused(port):
        votes.lossless[paused] += weight


def _count_sorting(votes: Votes, port: PortConfig, weight: int) -> tuple[int, ...]:
    """Count the priority of each DSCP and return the DSCPs of a chosen no-drop class."""
    classes = value_of(port.classification.classes) or ()
    numbers = {c.id: _find_number(c) for c in classes}
    lossless = {c.id: c.lossless for c in classes if value_of(c.lossless)}
    paused = []
    for dscp, entry in (value_of(port.classification.dscp_to_class) or {}).items():
        sorted_to = entry.value
        number = numbers.get(sorted_to)
        if number is not None:
            votes.priority_of[dscp, number] += weight
        if sorted_to in lossless and is_chosen(entry, lossless[sorted_to]):
            paused.append(dscp)
    return tuple(sorted(paused))


def _find_number(found: TrafficClass) -> int | None:
    """Return the priority of a class: the one that pauses, else the internal one."""
    priority = value_of(found.pfc_priority)
    return value_of(found.internal) if priority is None else priority


def _list_paused_pcps(port: PortConfig) -> tuple[int, ...]:
    """Return the PCPs of a chosen no-drop class."""
    kept = {c.id: c.lossless for c in value_of(port.classification.classes) or () if value_of(c.lossless)}
    table = value_of(port.classification.pcp_to_class) or {}
    return tuple(sorted(pcp for pcp, entry in table.items() if entry.value in kept and is_chosen(entry)))


def _find_design(port: PortConfig) -> Design | None:
    """Return the design of a switch port: pauses, or marks without pauses; None for neither."""
    if _list_paused(port):
        return Design.LOSSLESS
    marks = any(_read_chosen(queue.ecn) for queue in value_of(port.queues) or ())
    pauses_nothing = value_of(port.pfc.mode) is PfcMode.OFF or value_of(port.pfc.priorities) == ()
    return Design.ECN_ONLY if marks and pauses_nothing else None


def _count_marks(votes: Votes, nic: Nic, weight: int) -> None:
    own, marked = _read_chosen(nic.roce_dscp), _read_chosen(nic.traffic_class) or _read_chosen(nic.rdma_cm_tos)
    if own is not None:
        votes.rdma_dscp[own] += weight
    elif marked:
        votes.rdma_dscp[marked >> 2] += weight
    _count(votes.cnp_dscp, _read_chosen(nic.cnp_dscp), weight)
    _count(votes.path_mtu, _read_chosen(nic.active_mtu_bytes), weight)
    _count(votes.congestion_control, _read_chosen(nic.cc_engine), weight)


def _count(table: "Counter[T]", value: T | None, weight: int) -> None:
    if value is not None:
        table[value] += weight
