"""Maps to classes: how a port of SONiC sorts packets, and which numbers a traffic class has elsewhere.

A traffic class reaches a priority group by `tc_to_pg_map` and a queue by `tc_to_queue_map`. A pause frame of a priority
stops the queue of `pfc_to_queue_map`; a priority group sends pauses of the priority that `pfc_to_pg_map` gives it, of
its own number where there is none.
"""

from collections.abc import Mapping

from auditor.grammar.numbers import parse_whole
from auditor.model.port import Pfc
from auditor.model.qos import Classification, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.sonic.config import COMMUNITY, Config, convert_setting, find_target
from auditor.systems.sonic.rows import RowEntry
from auditor.util.values import dataclass

NumberMap = Mapping[int, Known[int]]


@dataclass(frozen=True, slots=True)
class Maps:
    """The active maps of a port; `trust` is the header field that the bound maps make it read."""

    trust: Setting[Trust]
    dscp: Setting[NumberMap]
    pcp: Setting[NumberMap]
    queue: Setting[NumberMap]
    group: Setting[NumberMap]
    pfc_queue: Setting[NumberMap]
    pfc_group: Setting[NumberMap]
    to_dscp: Setting[NumberMap]
    to_pcp: Setting[NumberMap]


class MapReader:
    """A reader of the maps that ports name; it reads each map once."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._read: dict[tuple[str, str], NumberMap] = {}

    def maps(self, row: RowEntry | None) -> Maps:
        """Return the maps that a port's row of PORT_QOS_MAP names, or the one for all ports."""
        dscp = self._find(row, "dscp_to_tc_map", "DSCP_TO_TC_MAP")
        pcp = self._find(row, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP")
        return Maps(
            trust=_trust(
                self._bound(row, "dscp_to_tc_map", "DSCP_TO_TC_MAP", dscp),
                self._bound(row, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP", pcp),
            ),
            dscp=dscp,
            pcp=pcp,
            queue=self._find(row, "tc_to_queue_map", "TC_TO_QUEUE_MAP"),
            group=self._find_groups(row),
            pfc_queue=self._find(row, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
            pfc_group=self._find(row, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
            to_dscp=self._find(row, "tc_to_dscp_map", "TC_TO_DSCP_MAP"),
            to_pcp=self._find(row, "tc_to_dot1p_map", "TC_TO_DOT1P_MAP"),
        )

    def _reference(self, row: RowEntry | None, name: str) -> Setting[str]:
        reference: Setting[str] = row.get(name) if row else self._config.silent("PORT_QOS_MAP")
        general = self._config.general.get("PORT_QOS_MAP")
        if isinstance(reference, Unset) and general:
            from_all = general.get(name)
            reference = from_all if isinstance(from_all, Known) else reference
        return reference

    def _bound(self, row: RowEntry | None, name: str, table: str, found: Setting[NumberMap]) -> Setting[object]:
        """Return a map bound to a port, Unknown if the dump lacks the maps of its kind."""
        return found if table in self._config.tables else self._reference(row, name)

    def _find_groups(self, row: RowEntry | None) -> Setting[NumberMap]:
        """Return the map to priority groups; a port whose row names none sorts all packets into group 0."""
        found = self._find(row, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP")
        is_whole = row is not None and self._config.complete and self._config.dialect is COMMUNITY
        if isinstance(found, Unset) and found.where and is_whole:
            return Known({}, Origin.DEFAULT, found.where, SAI_GROUP_DEFAULT)
        return found

    def _find(self, row: RowEntry | None, name: str, table: str) -> Setting[NumberMap]:
        reference = self._reference(row, name)
        if not isinstance(reference, Known):
            return reference
        if not reference.value:
            return Unset(reference.where)
        wanted = find_target(reference.value)
        entry = self._config.entries.get(table, {}).get(wanted)
        if entry is None:
            return self._config.missing(table, wanted)
        if (table, wanted) not in self._read:
            self._read[table, wanted] = {
                number: Known(int(value.value), value.origin, value.where, value.reference)
                for code, value in entry.fields().items()
                if (number := parse_whole(code)) is not None
            }
        return Known(self._read[table, wanted], reference.origin, reference.where, reference.reference)


def invert(table: Setting[NumberMap]) -> Mapping[int, tuple[int, ...]]:
    """Return the source numbers of each target of a map; empty if the map is unknown."""
    found: dict[int, list[int]] = {}
    if isinstance(table, Known):
        for number, entry in sorted(table.value.items()):
            found.setdefault(entry.value, []).append(number)
    return {number: tuple(sources) for number, sources in found.items()}


def make_value_map(table: Setting[NumberMap], shared: dict[int, ValueMap]) -> Setting[ValueMap]:
    """Return a map to traffic classes as a map to class ids; one object for each map."""
    if not isinstance(table, Known):
        return table
    if id(table.value) not in shared:
        shared[id(table.value)] = {
            code: Known(str(entry.value), entry.origin, entry.where, entry.reference)
            for code, entry in sorted(table.value.items())
        }
    return Known(shared[id(table.value)], table.origin, table.where, table.reference)


def _trust(dscp: Setting[object], pcp: Setting[object]) -> Setting[Trust]:
    """Return the header field that a port reads: the one with a bound map."""
    unknown = next((bound for bound in (dscp, pcp) if isinstance(bound, Unknown)), None)
    if isinstance(dscp, Known) and isinstance(pcp, Known):
        return Known(Trust.BOTH, dscp.origin, dscp.where, dscp.reference)
    if unknown:
        return unknown
    if isinstance(dscp, Known):
        return Known(Trust.DSCP, dscp.origin, dscp.where, dscp.reference)
    if isinstance(pcp, Known):
        return Known(Trust.PCP, pcp.origin, pcp.where, pcp.reference)
    return Unset()


def resolve_marking(maps: Maps) -> Marking:
    """Return the marking of leaving packets."""
    written = next((m for m in (maps.to_dscp, maps.to_pcp) if isinstance(m, Known)), None)
    rewrite: Setting[bool] = maps.to_dscp if not isinstance(maps.to_dscp, Known) else maps.to_pcp  # type: ignore[assignment]
    return Marking(
        class_to_dscp=_to_codes(maps.to_dscp),
        class_to_pcp=_to_codes(maps.to_pcp),
        rewrite=Known(value=True, origin=written.origin, where=written.where) if written else rewrite,
    )


def _to_codes(table: Setting[NumberMap]) -> Setting[Mapping[str, Known[int]]]:
    if not isinstance(table, Known):
        return table
    return Known({str(tc): entry for tc, entry in table.value.items()}, table.origin, table.where)


@dataclass(frozen=True, slots=True)
class PausePlan:
    """The pauses of a port: its priorities, and for each priority group whether it is no-drop."""

    priorities: Setting[tuple[int, ...]]
    groups: Mapping[int, Setting[bool]]


def resolve_classification(
    maps: Maps, paused: PausePlan, silent: Unset | Unknown, shared: dict[int, ValueMap], classifiers: Setting[tuple[()]]
) -> Classification:
    """Return how a port sorts packets into traffic classes."""
    return Classification(
        trust=silent if isinstance(maps.trust, Unset) else maps.trust,
        classes=_classes(maps, paused, silent),
        dscp_to_class=make_value_map(maps.dscp, shared),
        pcp_to_class=make_value_map(maps.pcp, shared),
        default_class=silent if isinstance(silent, Unknown) else Unset(_place(maps, silent)),
        classifiers=classifiers,
    )


def _place(maps: Maps, silent: Unset | Unknown) -> Where | None:
    bound = next((m for m in (maps.dscp, maps.pcp) if isinstance(m, Known)), None)
    return bound.where if bound else silent.where if isinstance(silent, Unset) else None


def _classes(maps: Maps, paused: PausePlan, silent: Unset | Unknown) -> Setting[tuple[TrafficClass, ...]]:
    used: set[int] = set()
    bound: Known[NumberMap] | None = None
    for table in (maps.dscp, maps.pcp):
        if isinstance(table, Known):
            used |= {entry.value for entry in table.value.values()}
            bound = bound or table
    for table in (maps.queue, maps.group):
        if isinstance(table, Known):
            used |= set(table.value)
            bound = bound or table
    if bound is None:
        return silent
    return Known(tuple(_class(tc, maps, paused) for tc in sorted(used)), Origin.INTENDED, bound.where)


def _class(tc: int, maps: Maps, paused: PausePlan) -> TrafficClass:
    queue, group = _entry(maps.queue, tc), _entry(maps.group, tc)
    priority = _pfc_priority(maps, paused, queue, group)
    return TrafficClass(
        id=str(tc),
        name=f"TC {tc}",
        internal=Known(tc, Origin.INTENDED),
        pfc_priority=priority,
        queue=queue,
        pg=group,
        lossless=_lossless(paused, priority, group),
    )


def _entry(table: Setting[NumberMap], number: int) -> Setting[int]:
    """Return the target of *number*; without an entry, 0 (SAI, `SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST`)."""
    if not isinstance(table, Known):
        return table
    found = table.value.get(number)
    return found or Known(0, Origin.DEFAULT, table.where, SAI_MAP_DEFAULT)


SAI_GROUP_DEFAULT = "SAI, inc/saiport.h, SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP: without a map group 0 takes all"
SAI_MAP_DEFAULT = "SAI, inc/saiqosmap.h, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST: what a map leaves out is 0"


def _pfc_priority(maps: Maps, paused: PausePlan, queue: Setting[int], group: Setting[int]) -> Setting[int]:
    """Return the paused priority of a class: by its priority group, else by its queue; Unset without a pause."""
    if not isinstance(paused.priorities, Known):
        return paused.priorities
    if not paused.priorities.value:
        return Unset(paused.priorities.where)
    for number, table in ((group, maps.pfc_group), (queue, maps.pfc_queue)):
        if not isinstance(number, Known):
            continue
        mine = invert(table).get(number.value, ()) if isinstance(table, Known) else (number.value,)
        found = next((p for p in paused.priorities.value if p in mine), None)
        if found is not None:
            return Known(found, number.origin, number.where, number.reference)
        return Unset(number.where)
    missing = next((setting for setting in (group, queue) if isinstance(setting, Unknown)), None)
    return missing or Unknown("no tc_to_pg_map and no tc_to_queue_map is bound to the port")


def list_honoured_priorities(pfc: Pfc, maps: Maps) -> Setting[tuple[int, ...]]:
    """Return the priorities whose pauses stop a queue that packets of their class leave by.

    Another queue in `pfc_to_queue_map` means that the pause stops packets of another class.
    """
    if not isinstance(pfc.rx_priorities, Unset) or not isinstance(maps.pfc_queue, Known):
        return pfc.rx_priorities
    if not isinstance(pfc.priorities, Known):
        return pfc.rx_priorities
    paused = PausePlan(pfc.priorities, {})
    leaves: dict[int, set[int]] = {}
    for tc in sorted(_numbers(maps.queue)):
        queue = _entry(maps.queue, tc)
        priority = value_of(_pfc_priority(maps, paused, queue, _entry(maps.group, tc)))
        if priority is not None and isinstance(queue, Known):
            leaves.setdefault(priority, set()).add(queue.value)
    stopped = {priority: _entry(maps.pfc_queue, priority) for priority in leaves}
    deaf = [p for p, queue in stopped.items() if isinstance(queue, Known) and queue.value not in leaves[p]]
    if not deaf:
        return pfc.rx_priorities
    kept = tuple(priority for priority in pfc.priorities.value if priority not in deaf)
    return Known(kept, Origin.INTENDED, stopped[deaf[0]].known().where or maps.pfc_queue.where)


def _numbers(table: Setting[NumberMap]) -> set[int]:
    return set(table.value) if isinstance(table, Known) else set()


def _lossless(paused: PausePlan, priority: Setting[int], group: Setting[int]) -> Setting[bool]:
    """Return whether a class never drops: its priority is paused, and its priority group keeps headroom."""
    if not isinstance(paused.priorities, Known):
        return paused.priorities
    if isinstance(priority, Unknown):
        return priority
    if isinstance(priority, Unset):
        return convert_setting(paused.priorities, lambda _: False)
    if isinstance(group, Known):
        kept = paused.groups.get(group.value)
        if isinstance(kept, Known) and not kept.value:
            return kept
    return convert_setting(paused.priorities, lambda _: True)
