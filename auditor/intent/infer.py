"""Inference of the intent from the majority of ports, never from factory defaults alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from auditor.intent.model import Design, Intent, Intents, Role, Traffic, TrafficKind, Tuning
from auditor.intent.votes import Votes
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Unknown, value_of

T = TypeVar("T")


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

    def fill_all(roles: Iterable[Role]) -> tuple[Role, ...]:
        return tuple(replace(role, intent=fill(role.intent)) for role in roles)

    campaigns = tuple(
        replace(each, general=fill(each.general) if each.general else None, roles=fill_all(each.roles))
        for each in declared.campaigns
    )
    return replace(declared, general=fill(declared.general), roles=fill_all(declared.roles), campaigns=campaigns)


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
