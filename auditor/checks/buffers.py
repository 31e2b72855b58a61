"""Buffers: whether each paused priority has headroom, enough of it, and made for the port that has it."""

from collections.abc import Iterable, Iterator
from math import ceil

from auditor.checks.base import (
    Context,
    Params,
    PortPriorityGroup,
    format_priorities,
    list_pausing_switch_ports,
    list_switch_ports,
)
from auditor.estimate.headroom import FASTEST_RESPONSE_S, HeadroomTerms, compute_headroom, ieee_response_s
from auditor.estimate.vendor_headroom import BEYOND_FORMULA_BYTES, PUBLISHED_BELOW_BOUND
from auditor.intent import Intent
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.finding import Facts, Finding, Level, LossKind, Related, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Undetermined, Where, is_chosen, value_of
from auditor.util.values import dataclass

LARGEST_PAYLOAD_BYTES = 4096
FRAME_OVERHEAD_BYTES = 82
"""Of an RDMA write with immediate data: Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, data 4, ICRC 4, FCS 4."""


def headroom_short(given: PortPriorityGroup, _params: Params, context: Context) -> Iterator[Finding]:
    """HeadroomTerms must hold what still arrives after a pause is sent; below the physical bound loss is certain.

    The bound counts frames of RDMA, of which a class may have nothing else; the standard's worst case those of the
    port's MTU. A size that a vendor has published is not called an error.
    """
    port, group = given.port, given.group
    if value_of(group.headroom_source) is HeadroomSource.GENERATED and value_of(group.xoff_bytes) is None:
        raise Undetermined("the switch sizes the headroom by itself, and the dump does not show it")
    have = group.xoff_bytes.known()
    speed = port.ethernet.speed_gbps.known().value
    cable = value_of(_find_cable_length(port, context))
    bound = compute_least_headroom(port, cable or 0.0, context.intent)
    key = f"priority group {group.pg}"
    what = f"headroom of {key} ({have.value} bytes)"
    symptom = Symptom((Sign.DISCARDED_ON_ARRIVAL,), value_of(group.priorities) or (), group=group.pg)
    if have.value < bound.total:
        message = f"{what} cannot hold {bound.total:.0f} bytes = {_format_terms(bound, cable)}"
        level = Level.WARNING if (speed, cable, have.value) in PUBLISHED_BELOW_BOUND else None
        yield Finding(
            message,
            have.where,
            key=key,
            level=level,
            loss=LossKind.SHORT_HEADROOM,
            symptom=symptom,
            is_certain=True,
            facts=_list_needed(given, cable, context),
        )
        return
    if cable is None:
        raise Undetermined("the headroom passes the physical bound; its worst case needs the cable length", have.where)
    worst = compute_worst_headroom(port, cable)
    chip = value_of(context.device.asic) or ""
    more = BEYOND_FORMULA_BYTES.get(chip, 0)
    if have.value < worst.total + more:
        worst_case = f"the IEEE worst case{f' and what {chip} needs beyond it' if more else ''}"
        terms = f"{_format_terms(worst, cable)}{f' + {more} of the chip' if more else ''}"
        message = f"{what} is below {worst_case}, {worst.total + more:.0f} bytes = {terms}"
        yield Finding(
            message,
            have.where,
            key=key,
            level=Level.WARNING,
            loss=LossKind.SHORT_HEADROOM,
            symptom=symptom,
            facts=_list_needed(given, cable, context),
        )


def compute_least_headroom(port: PortConfig, cable_m: float, intent: Intent) -> HeadroomTerms:
    """Return the headroom below which loss is certain: frames of RDMA, the fastest response; raises Undetermined."""
    frame = port.ethernet.max_frame_bytes.known().value
    payload = value_of(intent.path_mtu_bytes) or LARGEST_PAYLOAD_BYTES
    speed = port.ethernet.speed_gbps.known().value
    return compute_headroom(speed, min(frame, payload + FRAME_OVERHEAD_BYTES), cable_m, FASTEST_RESPONSE_S)


SLOWEST_GBPS = 10.0
"""No port of an RDMA fabric is slower."""


def bound_headroom(port: PortConfig, intent: Intent) -> float:
    """Return the bytes that still arrive after a pause at a port, whatever its speed and its cable."""
    frame = (value_of(intent.path_mtu_bytes) or LARGEST_PAYLOAD_BYTES) + FRAME_OVERHEAD_BYTES
    speed, longest = value_of(port.ethernet.speed_gbps), value_of(port.ethernet.max_frame_bytes)
    sent = frame if longest is None else min(frame, longest)
    return compute_headroom(speed or SLOWEST_GBPS, sent, 0.0, FASTEST_RESPONSE_S).total


def compute_worst_headroom(port: PortConfig, cable_m: float) -> HeadroomTerms:
    """Return the headroom of the standard's worst case: frames of the port's MTU; raises Undetermined."""
    speed = port.ethernet.speed_gbps.known().value
    return compute_headroom(speed, port.ethernet.max_frame_bytes.known().value, cable_m, ieee_response_s(speed))


ASSUMED_CABLE_M, SPARE, CELL_BYTES = 100.0, 1.02, 1024
"""For a remedy: the length of a cable of which nothing is known, and sizes that are whole numbers of cells."""


def _list_needed(given: PortPriorityGroup, cable: float | None, context: Context) -> Facts:
    """Return the headroom that the standard's worst case needs at a port, in bytes, and the length of its cable.

    `pause` is the depth at which the group pauses, `buffer` that depth with the headroom above it.
    """
    port, length = given.port, ASSUMED_CABLE_M if cable is None else cable
    worst = compute_worst_headroom(port, length)
    more = BEYOND_FORMULA_BYTES.get(value_of(context.device.asic) or "", 0)
    headroom = ceil(SPARE * (worst.total + more) / CELL_BYTES) * CELL_BYTES
    sizes = (("headroom", headroom), ("headroom_kbytes", headroom // CELL_BYTES))
    known = (*sizes, ("headroom_iosxr", _round_iosxr(headroom)), ("length_m", ceil(length)))
    pause, resume = value_of(given.group.static_threshold_bytes), value_of(given.group.xon_bytes)
    if pause is None or resume is None:
        return known
    return (*known, ("pause", pause), ("resume", resume), ("buffer", pause + headroom))


# Cisco-IOS-XR-um-8000-hw-module-profile-cfg.yang: the range of `buffer-internal … headroom`, whole numbers of cells
_IOSXR_HEADROOM, _IOSXR_CELL_BYTES = (345_600, 1_651_200), 384


def _round_iosxr(headroom: int) -> int:
    """Return the headroom that a Cisco 8000 takes for one of so many bytes.

    >>> _round_iosxr(58_368), _round_iosxr(400_000), _round_iosxr(2_000_000)
    (345600, 400128, 1651200)
    """
    low, high = _IOSXR_HEADROOM
    return min(max(ceil(headroom / _IOSXR_CELL_BYTES) * _IOSXR_CELL_BYTES, low), high)


def _format_terms(need: HeadroomTerms, cable: float | None) -> str:
    return (
        f"{need.blocking_frame:.0f} blocking frame + {need.pause_frame:.0f} pause frame + {need.cable:.0f} cable"
        f"{'' if cable is None else f' of {cable:g} m'} + {need.response:.0f} response + "
        f"{need.last_frame:.0f} last frame"
    )


@dataclass(frozen=True, slots=True)
class PausedGroup:
    """A priority that PFC pauses, and the priority group in which its packets arrive.

    `peer` names a port whose same group has headroom that the switch has made and written down. `moved` is the line of
    a map that makes this group pause for the priority, while the group of the priority's own number keeps headroom and
    pauses nothing.
    """

    priority: int
    group: PriorityGroup
    peer: str | None
    moved: Where | None


def list_paused_groups(port: PortConfig, context: Context) -> Iterable[PausedGroup]:
    """Return the paused priorities of switch ports whose priority groups and classes the dump tells."""
    groups = {group.pg: group for group in value_of(port.priority_groups) or ()}
    ways = [(value_of(c.pfc_priority), value_of(c.pg)) for c in value_of(port.classification.classes) or ()]
    if all(pg is None for _, pg in ways):  # no map fills the groups: a row of each tells what it pauses
        ways = [(priority, pg) for pg, group in groups.items() for priority in value_of(group.paused_for) or ()]
    behind = {(priority, pg): groups[pg] for priority, pg in ways if priority is not None and pg in groups}
    if not behind or not list_pausing_switch_ports(port, context):
        return ()
    paused = port.pfc.priorities.known().value
    return tuple(
        PausedGroup(
            priority,
            group,
            _find_served_port(context, group) if _is_left_to_switch(group) else None,
            _find_move(priority, group, groups.get(priority)),
        )
        for (priority, _), group in behind.items()
        if priority in paused
    )


def _find_move(priority: int, group: PriorityGroup, own: PriorityGroup | None) -> Where | None:
    is_idle = own is not None and own is not group and value_of(own.lossless) and value_of(own.paused_for) == ()
    if not is_idle or not isinstance(group.paused_for, Known) or priority not in group.paused_for.value:
        return None
    return group.paused_for.where


def _is_left_to_switch(group: PriorityGroup) -> bool:
    return isinstance(group.lossless, Known) and group.lossless.origin is Origin.DEFAULT


def _find_served_port(context: Context, group: PriorityGroup) -> str | None:
    """Return the first port on which the switch has made headroom for the group of that number."""
    for port in context.device.ports:
        for each in value_of(port.config.priority_groups) or ():
            if each.pg == group.pg and is_chosen(each.made_for_gbps):
                return port.name
    return None


def headroom_missing(given: PausedGroup, _params: Params, _context: Context) -> Iterator[Finding]:
    """Without headroom a priority group sends no pause, and its packets are dropped."""
    kept = given.group.lossless.known()
    if not kept.value:
        message = f"PFC pauses priority {given.priority}, but its priority group {given.group.pg} has no headroom"
        related = (Related("the headroom of the group", kept.where),) if given.moved and kept.where else ()
        where = given.moved or kept.where
        yield Finding(message, where, key=f"priority {given.priority}", related=related, loss=LossKind.LOSSY)
    elif given.peer:
        made = f"which has made headroom for priority group {given.group.pg} of {given.peer}, has made none here"
        message = f"PFC pauses priority {given.priority}, but the switch, {made}"
        yield Finding(message, kept.where, key=f"priority {given.priority}", level=Level.WARNING)


def list_labelled_groups(port: PortConfig, context: Context) -> Iterable[PortPriorityGroup]:
    """Return no-drop priority groups of switch ports whose headroom has a labelled speed and cable.

    Where only the vendor tells, for all ports alike, the port's cable must be known.
    """
    is_used = value_of(port.pfc.mode) in {None, PfcMode.ON}
    is_cable_known = isinstance(_find_cable_length(port, context), Known)
    return tuple(
        PortPriorityGroup(judged, group)
        for judged in (list_switch_ports(port, context) if is_used else ())
        for group in value_of(judged.priority_groups) or ()
        if value_of(group.lossless)
        and (
            is_chosen(group.made_for_gbps, group.made_for_cable_m)
            or (isinstance(group.made_for_cable_m, Known) and is_cable_known)
        )
    )


def _find_cable_length(port: PortConfig, context: Context) -> Setting[float]:
    return port.cable_length_m if isinstance(port.cable_length_m, Known) else context.intent.cable_length_m


def headroom_of_another(given: PortPriorityGroup, _params: Params, context: Context) -> Iterator[Finding]:
    """Headroom for a slower port or a shorter cable is too small here; the other way it wastes buffer."""
    port, group = given.port, given.group
    what = f"the headroom of priority group {group.pg} was made for"
    speed = group.made_for_gbps
    if isinstance(speed, Known):
        runs = port.ethernet.speed_gbps.known().value
        if runs != speed.value:
            level = Level.NOTE if runs < speed.value else None
            message = f"{what} {speed.value:g} Gb/s, but the port runs at {runs:g}"
            facts, key = _list_headroom_facts(port, context), f"priority group {group.pg} speed"
            own = port.ethernet.speed_gbps.known().where
            related = (Related("the speed of the port", own, is_at_odds=True),) if own else ()
            yield Finding(message, speed.where, key=key, level=level, facts=facts, related=related)
    cable = group.made_for_cable_m
    if isinstance(cable, Known):
        length = _find_cable_length(port, context)
        if not isinstance(length, Known):
            raise Undetermined(
                f"{what} a cable of {cable.value:g} m, and nothing tells the cable's length", cable.where
            )
        is_written = is_chosen(cable) and length.where is not None
        if length.value > cable.value or (length.value < cable.value and is_written):
            level = Level.NOTE if length.value < cable.value else None
            message = f"{what} a cable of {cable.value:g} m, but the port's has {length.value:g}"
            facts = _list_headroom_facts(port, context)
            yield Finding(message, cable.where, key=f"priority group {group.pg} cable", level=level, facts=facts)


def _list_headroom_facts(port: PortConfig, context: Context) -> Facts:
    """Return the speed and the cable for which the headroom of a port is to be made, as far as they are known."""
    speed, length = value_of(port.ethernet.speed_gbps), value_of(_find_cable_length(port, context))
    known = (("speed_mbps", speed and round(speed * 1000)), ("length_m", length and ceil(length)))
    return tuple((name, value) for name, value in known if value)


@dataclass(frozen=True, slots=True)
class IdleHeadroom:
    """A priority group with headroom of its own, on a port that pauses some priorities."""

    group: PriorityGroup
    paused: Known[tuple[int, ...]]


def list_written_headrooms(port: PortConfig, context: Context) -> Iterable[IdleHeadroom]:
    """Return the priority groups of switch ports whose configuration gives them headroom."""
    groups = [g for g in value_of(port.priority_groups) or () if value_of(g.lossless) and is_chosen(g.lossless)]
    if not groups or not list_pausing_switch_ports(port, context):
        return ()
    paused = port.pfc.priorities.known()
    return tuple(IdleHeadroom(group, paused) for group in groups if group.paused_for != NOT_COLLECTED)


def headroom_idle(given: IdleHeadroom, _params: Params, _context: Context) -> Iterator[Finding]:
    """Headroom holds what arrives after a pause; without a pause it holds nothing, and its class drops."""
    group, paused = given.group, given.paused
    served = group.paused_for.known().value
    if set(served) & set(paused.value):
        return
    uses = f"priority {format_priorities(served)}, which PFC does not pause" if served else "no priority of PFC"
    yield Finding(
        f"priority group {group.pg} has headroom, but it serves {uses}",
        group.lossless.known().where,
        key=f"priority group {group.pg}",
        related=(Related(f"PFC pauses {format_priorities(paused.value)}", paused.where),) if paused.where else (),
    )
