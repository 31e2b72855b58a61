"""What a port of AOS-CX pauses, with which buffers, and what watches its pauses."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from auditor.grammar import assemble
from auditor.grammar.body import BufferBody, PortBody
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.layers import fall_back
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import Pfc, Watchdog
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.aoscx.flowcontrol import CABLE_PAGE, GUIDE, KBYTE
from auditor.systems.aoscx.switch import AosCx

T = TypeVar("T")
ALPHA, XON_OFFSET = 2.0, 12 * KBYTE
"""The factor of the free buffer at which a priority pauses, and how far below it resumes, where no line says."""
CABLE_M = 350.0
"""The cable for which the switch sizes headroom by itself."""
_NO_CABLE = Unknown("a line sizes the headroom, and names no cable")
_BY_ITSELF = Unknown("the switch sizes the headroom by itself, for the length of a cable")
_IGNORED = Unknown("the length of a cable has no effect where each priority's headroom has a size")
_BY_MODEL = Unknown("the buffers on arrival are fixed, or no line of this part of the configuration sets them")
_LOOKS = Unknown("how often the watchdog looks is on no page of the vendor that could be read")


def build_pfc(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Pfc:
    """Return PFC of a port; it may send pauses alone for some priorities, and honour them alone for others."""
    found = assemble.build_pfc(body, nothing, fall_back(body.pfc_mode, nothing), _build_watchdog(config, body, nothing))
    paused = value_of(found.priorities) or ()
    heard = {priority for priority in paused if value_of(body.honoured_only.get(priority, nothing))}
    told = {priority for priority in paused if value_of(body.sent_only.get(priority, nothing))}
    if not (heard or told) or not isinstance(found.priorities, Known):
        return found
    return replace(
        found,
        tx_priorities=replace(found.priorities, value=tuple(p for p in paused if p not in heard)),
        rx_priorities=replace(found.priorities, value=tuple(p for p in paused if p not in told)),
    )


def _build_watchdog(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Watchdog:
    """Return the watchdog, which watches all no-drop queues of its port; its times hold for the whole switch."""
    silent = nothing if config.complete else assemble.PARTIAL
    return Watchdog(
        enabled=fall_back(body.watchdog, nothing),
        detection_ms=fall_back(config.switch.detection_ms, silent),
        restoration_ms=fall_back(config.switch.restoration_ms, silent),
        polling_ms=_LOOKS,
        action=nothing,
        priorities=nothing,
    )


def build_groups(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Setting[tuple[PriorityGroup, ...]]:
    """Return the buffers on arrival, one for each paused priority.

    Models without lossless pools that a line sizes have no such thresholds either.
    """
    pools = _find_pools(config)
    paused = {priority for priority, said in body.no_drop.items() if value_of(said)}
    numbers = sorted(paused | body.buffers.keys())
    if not numbers or not (pools or body.buffers):
        return _BY_MODEL
    bodies = {number: body.buffers.get(number, BufferBody(body.where)) for number in numbers}
    groups = tuple(_build_group(number, each, body, pools, nothing) for number, each in bodies.items())
    return Known(groups, Origin.INTENDED, next(iter(bodies.values())).where)


def _find_pools(config: ViewConfig[AosCx]) -> Mapping[int, Known[str]]:
    """Return the lossless pool of each priority that a line gives one."""
    switch = config.switch
    return {
        priority: Known(name, Origin.INTENDED, pool.lossless.where)
        for name, pool in switch.pools.items()
        if not isinstance(pool, Unset | Unknown) and isinstance(pool.lossless, Known)
        for priority in switch.members.get(name, ())
    }


def _build_group(
    number: int, said: BufferBody, body: PortBody, pools: Mapping[int, Known[str]], nothing: Unset
) -> PriorityGroup:
    own = Known((number,), Origin.DEFAULT, said.where)
    is_sized = isinstance(said.headroom, Known)
    source = HeadroomSource.CONFIGURED if is_sized else HeadroomSource.GENERATED
    return PriorityGroup(
        pg=number,
        priorities=own,
        paused_for=own,
        lossless=body.no_drop.get(number, nothing),
        xon_offset_bytes=_or_default(said.xon_offset, XON_OFFSET, nothing),
        xoff_bytes=said.headroom if is_sized or isinstance(said.headroom, Unknown) else _BY_ITSELF,
        headroom_source=Known(source, Origin.INTENDED if is_sized else Origin.DEFAULT, said.where, GUIDE),
        alpha=said.alpha if isinstance(said.xoff, Known) else _or_default(said.alpha, ALPHA, nothing),
        static_threshold_bytes=fall_back(said.xoff, nothing),
        made_for_cable_m=_NO_CABLE if is_sized else _find_cable(body, said.where),
        pool=pools.get(number, Unknown(f"no line puts priority {number} into a lossless pool")),
    )


def _find_cable(body: PortBody, where: Where) -> Setting[float]:
    default = Known(CABLE_M, Origin.DEFAULT, where, CABLE_PAGE)
    return default if isinstance(body.cable_m, Unset) else body.cable_m


def find_cable_length(body: PortBody, nothing: Unset) -> Setting[float]:
    """Return the length that a line gives the cable, which decides where a paused priority has no size of its own."""
    paused = [priority for priority, said in body.no_drop.items() if value_of(said)]
    sized = [priority for priority, said in body.buffers.items() if isinstance(said.headroom, Known)]
    if isinstance(body.cable_m, Known) and paused and set(paused) <= set(sized):
        return _IGNORED
    return fall_back(body.cable_m, nothing)


def _or_default(said: Setting[T], default: T, nothing: Unset) -> Setting[T]:
    return Known(default, Origin.DEFAULT, said.where or nothing.where, GUIDE) if isinstance(said, Unset) else said
