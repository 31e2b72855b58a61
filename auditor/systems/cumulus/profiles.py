"""Profiles of the object model to a port's classification and marking."""

from collections.abc import Mapping
from typing import TypeVar

from auditor.model.port import Pfc
from auditor.model.qos import (
    Classification,
    Marking,
    TrafficClass,
    Trust,
    ValueMap,
)
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.cumulus.names import parse_numbers
from auditor.systems.cumulus.objects import ObjectNode, Proof, find_value, list_numbered, or_silent, parse_number
from auditor.systems.cumulus.presets import QOS_PAGE, list_default_maps

T = TypeVar("T")
PRIORITIES = range(8)
_TRUSTS = {"l2": Trust.PCP, "l3": Trust.DSCP, "both": Trust.BOTH, "port": Trust.NONE}


def resolve_classification(
    profile: ObjectNode | None, classes: tuple[TrafficClass, ...], root: ObjectNode, silent: Unset
) -> Classification:
    """Return the classification of a mapping profile; the default maps fill its gaps."""
    trust = find_value(profile, "trust", _TRUSTS.get)
    default = find_value(profile, "port-default-sp", _priority)
    return Classification(
        trust=or_silent(trust, silent),
        classes=Known(classes, Origin.DEFAULT, silent.where, QOS_PAGE),
        dscp_to_class=_map(profile, "dscp", 63, root),
        pcp_to_class=_map(profile, "pcp", 7, root),
        default_class=Known("0", Origin.DEFAULT, silent.where, QOS_PAGE) if isinstance(default, Unset) else default,
        classifiers=Known((), Origin.DEFAULT, silent.where, QOS_PAGE),
        dscp_before_pcp=True,
    )


def _priority(text: str) -> str | None:
    return text if parse_numbers(text, 0, 7) else None


def _map(profile: ObjectNode | None, kind: str, highest: int, root: ObjectNode) -> Setting[ValueMap]:
    entries: dict[int, Known[str]] = {}
    is_whole = profile is not None and profile.at(f"{kind}-only") is not None
    for node in (None if is_whole else list_default_maps(root), profile):
        for point, entry in list_numbered(node, kind, highest).items():
            priority = find_value(entry, "switch-priority", _priority)
            if isinstance(priority, Unknown):
                return priority
            if isinstance(priority, Known):
                entries[point] = priority
    written = [entry for entry in entries.values() if entry.origin is Origin.INTENDED]
    proof = written[-1] if written else next(iter(entries.values()), None)
    if proof is None:
        return Known({}, Origin.INTENDED, profile.proof.where if profile else None)
    return Known(entries, proof.origin, proof.where, proof.reference)


def list_traffic_classes(root: ObjectNode, pfc: Pfc, lines: Mapping[int, Proof]) -> tuple[TrafficClass, ...]:
    """Return the eight switch priorities with their queues; those that PFC pauses, by *lines*, are lossless."""
    mapping = root.at("qos", "egress-queue-mapping", "default-global")
    queues = list_numbered(mapping, "switch-priority")
    return tuple(
        make_traffic_class(priority, find_value(queues.get(priority), "traffic-class", parse_number), pfc, lines)
        for priority in PRIORITIES
    )


_NO_LINES: Mapping[int, Proof] = {}


def make_traffic_class(
    priority: int, queue: Setting[int], pfc: Pfc, lines: Mapping[int, Proof] = _NO_LINES
) -> TrafficClass:
    """Return a switch priority, which feeds *queue*, and is lossless where PFC pauses it, by its own of *lines*."""
    own = Known(priority, Origin.DEFAULT, None, QOS_PAGE)
    paused = pfc.tx_priorities if isinstance(pfc.tx_priorities, Known) else pfc.priorities
    lossless: Setting[bool] = (
        paused if not isinstance(paused, Known) else _as_lossless(priority, paused, lines.get(priority))
    )
    is_lossless = isinstance(lossless, Known) and lossless.value
    return TrafficClass(
        id=str(priority),
        name=f"switch priority {priority}",
        internal=own,
        pfc_priority=own,
        queue=queue,
        pg=own if is_lossless else Unset(),
        lossless=lossless,
    )


def _as_lossless(priority: int, paused: Known[tuple[int, ...]], line: Proof | None) -> Known[bool]:
    if line and priority in paused.value:
        return Known(value=True, origin=line.origin, where=line.where, reference=line.reference)
    return Known(priority in paused.value, paused.origin, paused.where, paused.reference)


def resolve_marking(profile: ObjectNode | None, silent: Unset) -> Marking:
    """Return the marking of leaving packets by a remark profile."""
    rewrite = find_value(profile, "rewrite", lambda text: text in {"l2", "l3", "both"})
    to_dscp: dict[str, Known[int]] = {}
    to_pcp: dict[str, Known[int]] = {}
    where: Where | None = None
    for priority, entry in list_numbered(profile, "switch-priority").items():
        for kind, table in (("dscp", to_dscp), ("pcp", to_pcp)):
            point = find_value(entry, kind, parse_number)
            if isinstance(point, Unknown):
                return Marking(point, point, or_silent(rewrite, silent))
            if isinstance(point, Known):
                table[str(priority)] = point
                where = point.where
    applied = or_silent(rewrite, silent)
    if where is None:
        unwritten: Setting[Mapping[str, Known[int]]] = Known({}, Origin.DEFAULT, silent.where, QOS_PAGE)
        return Marking(unwritten, unwritten, applied)
    return Marking(Known(to_dscp, Origin.INTENDED, where), Known(to_pcp, Origin.INTENDED, where), applied)
