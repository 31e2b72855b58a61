"""Priority flow control of a port: sent and honoured pauses, watchdog, and input buffers."""

from collections.abc import Mapping
from typing import Any

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import Pfc, PfcMode, Watchdog, WatchdogAction
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.junos.definitions import NOTHING, ForwardingClass, Notification, WatchdogStatements
from auditor.systems.junos.sorting import DOCS, PCP_KINDS, Sorting

DEFAULT_PAUSES = (
    f"{DOCS}/cli-reference/topics/ref/statement/"
    "flow-control-queue-edit-class-of-service-output-congestion-notification-qfx-series.html"
)
ALPHA = "a dynamic threshold is written as a number from 0 to 10; the factor that it stands for is on no page"
_PAUSED_BY_DEFAULT = {3: (3,), 4: (4,)}
_WATCHDOG = (
    "https://www.juniper.net/documentation/us/en/software/junos/cos/topics/topic-map/cos-pfc-watchdog-configure.html"
)
_DETECTION, _POLLING_MS, _RECOVERY_MS = 2, 100.0, 200.0
"""Defaults of the PFC watchdog: polls before a queue counts as stalled, and milliseconds."""


def resolve_pfc(sorting: Sorting, profile: Notification | Unknown | None, nothing: Unset) -> Pfc:
    """Return PFC: only a congestion notification profile makes a port pause, by its `input`."""
    if isinstance(profile, Unknown):
        watchdog = Watchdog(profile, profile, profile, profile, profile, profile)
        return Pfc(profile, priorities=profile, tx_priorities=profile, rx_priorities=profile, watchdog=watchdog)
    if profile is None or sorting.bound.profile is None:
        nothing = sorting.bound.unbound if sorting.bound.unbound.where else nothing
        return Pfc(nothing, priorities=nothing, tx_priorities=nothing, rx_priorities=nothing, watchdog=_none(nothing))
    honours = list_honoured_priorities(sorting, profile)
    return Pfc(
        mode=Known(PfcMode.ON, Origin.INTENDED, sorting.bound.profile.where),
        priorities=list_paused_priorities(sorting, profile),
        tx_priorities=nothing,
        rx_priorities=honours,
        watchdog=_watchdog(profile, profile.watchdog, honours),
    )


def _none(nothing: Unset) -> Watchdog:
    return Watchdog(nothing, nothing, nothing, nothing, nothing, nothing)


def _watchdog(profile: Notification, said: WatchdogStatements | None, honours: Setting[tuple[int, ...]]) -> Watchdog:
    """Return the watchdog, which watches only the queues in `flow-control-queue`."""
    if said is None:
        return _none(profile.unwatched if profile.unwatched.where else Unset(profile.where))
    count = _default(said.detection, _DETECTION, said)
    polling = _default(said.polling_ms, _POLLING_MS, said)
    detection: Setting[float] = polling
    if isinstance(count, Known) and isinstance(polling, Known):
        proof = count if said.detection is not NOTHING else polling
        detection = Known(count.value * polling.value, proof.origin, proof.where, proof.reference)
    elif not isinstance(count, Known):
        detection = count
    watched = honours if profile.honours is not None else Known((), Origin.DEFAULT, said.where, _WATCHDOG)
    return Watchdog(
        enabled=Known(value=True, origin=Origin.INTENDED, where=said.where),
        detection_ms=detection,
        restoration_ms=_default(said.recovery_ms, _RECOVERY_MS, said),
        polling_ms=polling,
        action=_action(said),
        priorities=watched,
    )


def _default(setting: Setting[Any], value: float, said: WatchdogStatements) -> Setting[Any]:
    where = setting.where or said.where if isinstance(setting, Unset) else None
    return Known(value, Origin.DEFAULT, where, _WATCHDOG) if where else setting


def _action(said: WatchdogStatements) -> Setting[WatchdogAction]:
    if not isinstance(said.action, Known):
        return Unset((said.action.where if isinstance(said.action, Unset) else None) or said.where)
    word = said.action.value
    if word not in {"drop", "forward"}:
        return Unknown(f"{word} is no action that is known")
    return Known(WatchdogAction(word), said.action.origin, said.action.where)


def find_pfc_priority(sorting: Sorting, found: ForwardingClass) -> Setting[int]:
    """Return the priority of a class's pauses: as configured, else the paused 802.1p code point of its profile."""
    if not isinstance(found.pfc_priority, Unset):
        return found.pfc_priority
    profile = sorting.profile()
    if not isinstance(found.lossless, Known) or not found.lossless.value:
        return Unset(found.where)
    if isinstance(profile, Unknown):
        return profile
    points = (
        []
        if profile is None
        else [
            (value, where)
            for (kind, value), where in profile.pauses.items()
            if kind == "ieee-802.1" and found.name in list_classes_of_pcp(sorting, profile, value)
        ]
    )
    if len(points) == 1:
        return Known(points[0][0], Origin.INTENDED, points[0][1])
    return Unset(found.where)


def list_classes_of_pcp(sorting: Sorting, profile: Notification, priority: int) -> tuple[str, ...]:
    """Return the forwarding classes of a priority: by the port's table, else by the queues that its pause stops."""
    table = sorting.table(*PCP_KINDS)
    if isinstance(table, Known) and (priority in table.value or not sorting.imports_default(*PCP_KINDS)):
        entry = table.value.get(priority)
        return (entry.value,) if entry else ()
    queues = _queues_by_pause(profile).get(priority, ())
    return tuple(
        found.name
        for found in sorting.classes.values()
        if isinstance(found.queue, Known)
        and found.queue.value in queues
        and isinstance(found.lossless, Known)
        and found.lossless.value
    )


def _queues_by_pause(profile: Notification) -> Mapping[int, tuple[int, ...]]:
    """Return the queues that a pause of each priority stops."""
    if profile.honours is None:
        return _PAUSED_BY_DEFAULT
    return {priority: queues for priority, (queues, _) in profile.honours.items()}


def list_paused_priorities(sorting: Sorting, profile: Notification) -> Setting[tuple[int, ...]]:
    """Return the paused priorities: those of code points in the profile with a lossless class."""
    found: dict[int, Where] = {}
    for (kind, value), where in profile.pauses.items():
        if kind == "ieee-802.1":
            lossless = [
                _is_lossless(sorting.classes.get(name)) for name in list_classes_of_pcp(sorting, profile, value)
            ]
            if any(lossless):
                found[value] = where
            continue
        priority = _priority_of_dscp(sorting, value)
        if isinstance(priority, Unknown):
            return priority
        if isinstance(priority, Known):
            found[priority.value] = where
    proof = next(iter(found.values()), next(iter(profile.pauses.values()), profile.where))
    return Known(tuple(sorted(found)), Origin.INTENDED, proof)


def _is_lossless(found: ForwardingClass | None) -> bool:
    return found is not None and isinstance(found.lossless, Known) and found.lossless.value


def _priority_of_dscp(sorting: Sorting, dscp: int) -> Setting[int]:
    """Return the priority in the pauses of a DSCP; Unset if its class is lossy."""
    table = sorting.table("dscp", "dscp-ipv6")
    if isinstance(table, Unknown):
        return table
    entry = table.value.get(dscp) if isinstance(table, Known) else None
    if entry is None and sorting.imports_default("dscp", "dscp-ipv6"):
        return Unknown(f"the built-in classifier sorts DSCP {dscp}, and the dump does not show it")
    found = sorting.classes.get(entry.value) if entry else None
    if found is None or not _is_lossless(found):
        return NOTHING
    if isinstance(found.pfc_priority, Known):
        return found.pfc_priority
    return Unknown(f"class {found.name} has no pfc-priority, which pauses by DSCP need")


def list_honoured_priorities(sorting: Sorting, profile: Notification) -> Setting[tuple[int, ...]]:
    """Return the priorities whose pauses stop the queue of their own class."""
    stopped = _queues_by_pause(profile)
    queue_of = {
        found.pfc_priority.value: found.queue.value
        for found in sorting.classes.values()
        if isinstance(found.pfc_priority, Known) and isinstance(found.queue, Known)
    }
    priorities = tuple(
        sorted(p for p, queues in stopped.items() if queue_of.get(p, next(iter(queues), None)) in queues)
    )
    if profile.honours is None:
        return Known(priorities, Origin.DEFAULT, profile.where, DEFAULT_PAUSES)
    proof = next((where for p, (_, where) in profile.honours.items() if p in priorities), None)
    proof = proof or next((where for _, where in profile.honours.values()), profile.where)
    return Known(priorities, Origin.INTENDED, proof)


def list_priority_groups(
    sorting: Sorting, profile: Notification | None, priorities: Setting[tuple[int, ...]]
) -> Setting[tuple[PriorityGroup, ...]]:
    """Return one input buffer for each paused priority; Junos does not number priority groups.

    The switch sizes its headroom from cable length and maximum receive unit.
    """
    if profile is None and sorting.complete:
        return Known((), Origin.INTENDED, priorities.where if isinstance(priorities, Unset) else None)
    if not isinstance(priorities, Known):
        return priorities
    lossless = next((p for p in sorting.cos.partitions if (p.direction, p.name) == ("ingress", "lossless")), None)
    groups = tuple(
        PriorityGroup(
            pg=number,
            priorities=Known((number,), priorities.origin, priorities.where),
            lossless=Known(value=True, origin=priorities.origin, where=priorities.where),
            xon_offset_bytes=_XON_IN_CELLS if profile and profile.xon else NOTHING,
            headroom_source=Known(HeadroomSource.GENERATED, Origin.DEFAULT, priorities.where, _HEADROOM),
            alpha=Unknown(ALPHA) if lossless and not isinstance(lossless.threshold, Unset) else NOTHING,
            pool=Known("ingress lossless", Origin.INTENDED, lossless.where) if lossless else NOTHING,
            made_for_cable_m=_cable(profile),
        )
        for number in priorities.value
    )
    return Known(groups, Origin.INTENDED, priorities.where)


def _cable(profile: Notification | None) -> Setting[float]:
    """Return the cable for which the switch sizes headroom: the configured length, else 100 m."""
    if profile is None or isinstance(profile.cable_length_m, Known):
        return profile.cable_length_m if profile else NOTHING
    return Known(_CABLE_M, Origin.DEFAULT, profile.where, _CABLE)


_CABLE_M = 100.0
_CABLE = (
    "https://juniper.net/documentation/en_US/junos13.2/topics/reference/configuration-statement/"
    "cable-length-edit-class-of-service-congestion-notification-qfx-series.html"
)
_XON_IN_CELLS = Unknown("the offset is written in cells, whose size differs per switch")
_HEADROOM = (
    f"{DOCS}/cli-reference/topics/ref/statement/mru-edit-class-of-service-congestion-notification-qfx-series.html"
)
