"""Inference of the intent from the majority of ports, never from factory defaults alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from auditor.fabric.gid import find_families
from auditor.fabric.job_environment import read_environment
from auditor.intent.model import Design, Intent, Intents, Traffic, TrafficKind, Tuning
from auditor.model.device import Device
from auditor.model.nic import CcEngine, Nic
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Unknown, is_chosen, value_of

T = TypeVar("T")


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


def count_votes(device: Device) -> Votes:
    """Return the votes of the ports of *device* for the intent; a shared configuration votes once per port.

    Defaults of the operating system do not vote, nor do ports that are down or speak no RoCE.
    """
    votes = Votes()
    voters = [p.config for p in device.ports if _may_vote(p.config)]
    weights = Counter(map(id, voters))
    families: dict[tuple[int, str | None], frozenset[IpFamily]] = {}  # the ports of an RDMA device share its table
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
            table = id(value_of(port.nic.gids)), value_of(port.nic.rdma_device)
            if table not in families:
                families[table] = find_families(port.nic, read_environment(device))
            for family in families[table]:
                votes.families[family] += weight
    return votes


def _may_vote(port: PortConfig) -> bool:
    """Return whether a port is in use and may speak RoCE, as far as the dumps tell."""
    nic = port.nic
    if value_of(port.ethernet.enabled) is False:
        return False
    if nic is None:
        return True
    is_other = value_of(nic.link_layer) == "infiniband" or value_of(nic.transport) in {"infiniband", "iwarp"}
    return not is_other and value_of(nic.link_up) is not False


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
    classes = {c.id: c for c in value_of(port.classification.classes) or ()}
    paused = []
    for dscp, entry in (value_of(port.classification.dscp_to_class) or {}).items():
        found = classes.get(entry.value)
        if found is None:
            continue
        priority = value_of(found.pfc_priority)
        number = value_of(found.internal) if priority is None else priority
        if number is not None:
            votes.priority_of[dscp, number] += weight
        if value_of(found.lossless) and is_chosen(entry, found.lossless):
            paused.append(dscp)
    return tuple(sorted(paused))


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


def infer_intents(votes: Iterable[Votes]) -> Intents:
    """Return the intent of most ports; a value without a majority is Unknown.

    A fleet can be uniformly wrong. An inferred intent serves consistency and arithmetic only.
    """
    total = sum(votes, Votes())
    evidence: list[str] = []
    lossless = _infer_lossless(total, evidence)
    dscp = _infer_rdma_dscp(total, evidence)
    priority = _infer_priority(total.priority_of, dscp, "RDMA priority", evidence)
    if isinstance(lossless, Known) and not isinstance(priority, Known) and len(lossless.value) == 1:
        priority = Known(lossless.value[0], Origin.LEARNED)
    cnp = _infer_majority(total.cnp_dscp, "CNP DSCP", "host ports", evidence, str)
    cnp_priority = _infer_priority(total.priority_of, cnp, "CNP priority", evidence)
    in_lossless: Setting[bool] = lossless if isinstance(lossless, Unknown) else Unknown("no RDMA priority is known")
    if isinstance(lossless, Known) and isinstance(priority, Known):
        in_lossless = Known(priority.value in lossless.value, Origin.LEARNED)
    path_mtu = _infer_path_mtu(total, evidence)
    design = _infer_majority(total.design, "design", "switch ports that pause or mark", evidence, str)
    control = _infer_majority(total.congestion_control, "congestion control", "host ports", evidence, str)
    rdma = Traffic("RDMA", TrafficKind.RDMA, _as_tuple(dscp), priority, in_lossless)
    answers = Known(value=False, origin=Origin.LEARNED)
    ip = _infer_families(total, evidence)
    return Intents(
        Intent(
            declared=False,
            evidence=tuple(evidence),
            traffic=(rdma, Traffic("CNP", TrafficKind.CNP, _as_tuple(cnp), cnp_priority, answers)),
            lossless=lossless,
            path_mtu_bytes=path_mtu,
            cable_length_m=Unknown("no intent is declared"),
            design=design,
            congestion_control=control,
            ip=ip,
            nothing_marks=_does_nothing_mark(total),
        )
    )


def _does_nothing_mark(votes: Votes) -> bool:
    """Return whether all queues that the dumps show are silent, and no NIC answers marks."""
    return votes.marks[False] > 0 and not votes.marks[True] and not votes.reacts[True]


def _infer_lossless(votes: Votes, evidence: list[str]) -> Setting[tuple[int, ...]]:
    """Return the priorities that most ports with PFC pause; Unknown if more switch ports mark without pauses."""
    what, paused, marking = "lossless priorities", sum(votes.lossless.values()), votes.design[Design.ECN_ONLY]
    if paused < marking and find_majority(votes.design) is Design.ECN_ONLY:
        return Unknown(f"{what} cannot be inferred: {paused} ports pause, {marking} switch ports mark ECN and do not")
    return _infer_majority(votes.lossless, what, "ports with PFC on", evidence, _join)


def _infer_families(votes: Votes, evidence: list[str]) -> tuple[IpFamily, ...]:
    """Return IPv4 and IPv6 if a host port uses IPv6, else an empty tuple."""
    count = votes.families[IpFamily.IPV6]
    if not count:
        return ()
    evidence.append(f"RDMA over IPv6: {count} of {sum(votes.families.values())} host ports")
    return IpFamily.IPV4, IpFamily.IPV6


def settle_intents(declared: Intents | None, votes: Iterable[Votes]) -> Intents:
    """Return the declared intent, with IP and path MTU of the hosts if missing; without one the inferred intent."""
    if declared is None:
        return infer_intents(votes)
    total = sum(votes, Votes())
    ip, path_mtu = _infer_families(total, []), _infer_path_mtu(total, [])
    is_silent = _does_nothing_mark(total)

    def fill(intent: Intent) -> Intent:
        is_told = isinstance(intent.path_mtu_bytes, Known) or not isinstance(path_mtu, Known)
        is_open = not isinstance(intent.congestion_control, Known) and not intent.of_kind(TrafficKind.CNP)
        return replace(
            intent,
            ip=intent.ip or ip,
            path_mtu_bytes=intent.path_mtu_bytes if is_told else path_mtu,
            nothing_marks=is_open and not intent.is_ecn_only and is_silent,
        )

    roles = tuple(replace(role, intent=fill(role.intent)) for role in declared.roles)
    return replace(declared, general=fill(declared.general), roles=roles)


def _infer_path_mtu(votes: Votes, evidence: list[str]) -> Setting[int]:
    return _infer_majority(votes.path_mtu, "RDMA path MTU", "host ports", evidence, str)


def _infer_rdma_dscp(votes: Votes, evidence: list[str]) -> Setting[int]:
    """Return the RDMA DSCP of most hosts or, without hosts, the single lossless DSCP of most switch ports."""
    if votes.rdma_dscp:
        return _infer_majority(votes.rdma_dscp, "RDMA DSCP", "host ports", evidence, str)
    told: list[str] = []
    witnesses = "switch ports that map a DSCP to a no-drop class"
    points = _infer_majority(votes.lossless_dscp, "RDMA DSCP", witnesses, told, _join)
    if not isinstance(points, Known):
        return points
    if len(points.value) > 1:
        return Unknown(f"RDMA DSCP cannot be inferred: the no-drop class takes DSCP {_join(points.value)}")
    evidence.extend(told)
    return Known(points.value[0], Origin.LEARNED)


def _join(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _as_tuple(setting: Setting[int]) -> Setting[tuple[int, ...]]:
    return Known((setting.value,), setting.origin) if isinstance(setting, Known) else setting


def find_majority(table: "Counter[T]") -> T | None:
    """Return the value of more than half of the votes, None without a majority.

    >>> find_majority(Counter({3: 2, 4: 1})), find_majority(Counter({3: 1, 4: 1}))
    (3, None)
    """
    value, count = next(iter(table.most_common(1)), (None, 0))
    return value if 2 * count > sum(table.values()) else None


def _infer_majority(
    table: "Counter[T]", what: str, witnesses: str, evidence: list[str], show: Callable[[T], str]
) -> Setting[T]:
    """Return the value of more than half of the votes; Unknown without a majority."""
    total = sum(table.values())
    if not total:
        return Unknown(f"{what} cannot be inferred: no evidence from {witnesses}")
    value = find_majority(table)
    if value is None:
        return Unknown(f"{what} cannot be inferred: no majority among {total} {witnesses}")
    evidence.append(f"{what} {show(value)}: {table[value]} of {total} {witnesses}")
    return Known(value, Origin.LEARNED)


def _infer_priority(
    table: "Counter[tuple[int, int]]", dscp: Setting[int], what: str, evidence: list[str]
) -> Setting[int]:
    if not isinstance(dscp, Known):
        return dscp
    votes = Counter({priority: count for (point, priority), count in table.items() if point == dscp.value})
    return _infer_majority(votes, what, f"ports that map DSCP {dscp.value}", evidence, str)


def describe_intents(intents: Intents) -> Mapping[str, Any]:
    """Return the general intent as data for a report."""
    intent = intents.general
    return {
        "declared": intent.declared,
        "preset": intent.preset,
        "evidence": list(intent.evidence),
        "traffic": [
            {
                "name": t.name,
                "kind": t.kind.value,
                "dscp": _list_values(t.dscp),
                "priority": value_of(t.priority),
                "lossless": value_of(t.lossless),
            }
            for t in intent.traffic
        ],
        "lossless_priorities": _list_values(intent.lossless),
        "design": value_of(intent.design),
        "congestion_control": value_of(intent.congestion_control),
        "path_mtu_bytes": value_of(intent.path_mtu_bytes),
        "cable_length_m": value_of(intent.cable_length_m),
        "oversubscription": intent.oversubscription,
        "gpus_per_nic": intent.gpus_per_nic,
        "incast": intent.incast,
        "rails": intent.rails or None,
        "homing": intent.homing.value if intent.homing else None,
        "roles": [role.intent.role for role in intents.roles],
        "changed_rules": _describe_changes(intents.tuning),
    }


def _list_values(setting: Setting[tuple[int, ...]]) -> list[int] | None:
    return list(setting.value) if isinstance(setting, Known) else None


def _describe_changes(tuning: Tuning) -> list[str]:
    """Return the changes of a site to the rules, one line each."""
    found = [f"pack {pack}: off" for pack, _, _ in tuning.packs_off]
    for change in tuning.rules:
        words = [f"level {change.level}"] if change.level else []
        words += [f"{name} {value}" for name, value in change.params]
        if not change.enabled:
            words = ["off"]
        found += [f"{change.rule}: {', '.join(words)}"] if words else []
    return found
