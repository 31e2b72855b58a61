"""Buffers of SONiC: pools, and the priority groups of a port with their profiles.

A profile's `size` has one of three meanings: all of the group's memory (`xon` + `xoff`), only `xon` where groups draw
headroom from a shared pool, or a guaranteed minimum beside the headroom. The headroom is `xoff` in all three.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from auditor.model.buffers import HeadroomSource, Pool, PriorityGroup
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.sonic.config import COMMUNITY, Config, PortRows, convert_number, convert_setting, find_target
from auditor.systems.sonic.lookup import HeadroomRow, Lookup
from auditor.systems.sonic.maps import Maps, invert
from auditor.systems.sonic.rows import RowEntry
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
GENERATED = "NULL"
_NAMED = regex(r"pg_lossless_(?P<mbps>\d{1,8})_(?P<cable>\d{1,6})m(?:_\w{1,40})?_profile")


def list_pools(config: Config) -> Setting[tuple[Pool, ...]]:
    """Return the buffer pools of the switch."""
    found = config.entries.get("BUFFER_POOL")
    if found is None:
        return config.absent("BUFFER_POOL")
    return Known(tuple(_pool(config, name, entry) for name, entry in found.items()), Origin.INTENDED)


def find_direction(name: str, direction: str | None) -> str:
    """Return the direction of a pool: *direction*, else the one that SONiC's own pool names imply."""
    return direction or ("egress" if name.startswith("egress") else "ingress")


def _pool(config: Config, name: str, entry: RowEntry) -> Pool:
    direction = find_direction(name, value_of(entry.get("type")))
    is_named = direction != "egress" or "lossless" in name or "lossy" in name
    return Pool(
        name=name,
        direction=direction,
        lossless=Known(_is_lossless(config, name), Origin.INTENDED, entry.where) if is_named else _UNNAMED,
        size_bytes=convert_number(entry.get("size")),
        shared_headroom_bytes=_find_shared_headroom(config, entry),
        mode=entry.get("mode"),
    )


_UNNAMED = Unknown("neither the name of the egress pool nor a field tells whether its packets may be dropped")


def _find_shared_headroom(config: Config, entry: RowEntry) -> Setting[int]:
    """Return the headroom that all ports share; Unknown where the switch computes it from a ratio."""
    written = convert_number(entry.get("xoff"))
    ratios = [
        ratio
        for parameters in config.entries.get("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {}).values()
        if isinstance(ratio := parameters.get("over_subscribe_ratio"), Known) and ratio.value != "0"
    ]
    return (
        Unknown("the switch works it out from over_subscribe_ratio")
        if isinstance(written, Unset) and ratios
        else written
    )


def _is_lossless(config: Config, pool: str) -> bool:
    """Return whether the pool's name says lossless, or a profile with headroom draws from it; no lossy pool is."""
    users = (
        entry
        for entry in config.entries.get("BUFFER_PROFILE", {}).values()
        if isinstance(name := entry.get("pool"), Known) and find_target(name.value) == pool
    )
    is_used = any(isinstance(entry.get("xoff"), Known) for entry in users)
    return "lossless" in pool or (is_used and "lossy" not in pool)


@dataclass(frozen=True, slots=True)
class PortFacts:
    """The facts that decide a port's headroom: speed, Mb/s, and cable, m."""

    speed: Setting[int]
    cable: Setting[int]
    paused: Setting[tuple[int, ...]]


def list_lossless_groups(
    config: Config, rows: PortRows, maps: Maps, facts: PortFacts, lookup: Lookup | None
) -> Mapping[int, Setting[bool]]:
    """Return for each priority group whether it keeps headroom; groups without any evidence are left out."""
    found: dict[int, Setting[bool]] = {}
    for number, entry in rows.items.get("BUFFER_PG", {}).items():
        kept = _lossless(config, entry, facts)
        found[number] = replace(kept, where=entry.where) if isinstance(kept, Known) and kept.value else kept
    for number in _list_pausing_groups(facts.paused, maps):
        if number not in found and "BUFFER_PG" in config.tables:
            found[number] = _is_automatic(config, facts, lookup)
    return found


def _is_automatic(config: Config, facts: PortFacts, lookup: Lookup | None) -> Setting[bool]:
    """Return whether the switch gives headroom to a paused priority group without a row.

    The traditional buffer model does so at link-up, if its table of headroom has the port's speed and cable
    (sonic-net/sonic-swss, cfgmgr/buffermgr.cpp, doSpeedUpdateTask). The dynamic model needs a row.
    """
    model = _buffer_model(config)
    if not isinstance(model, Known):
        return Unknown(
            "no profile is bound to the priority group, and the dump does not tell whether the switch binds one"
        )
    place = facts.paused.where if isinstance(facts.paused, Known) else model.where
    if model.value != "traditional":
        return Known(value=False, origin=Origin.INTENDED, where=place)
    cable, speed = facts.cable, facts.speed
    if lookup and isinstance(cable, Known) and isinstance(speed, Known) and not lookup.row(speed.value, cable.value):
        return Known(value=False, origin=Origin.INTENDED, where=cable.where)
    return _unless_unplugged(facts, Known(value=True, origin=Origin.DEFAULT, where=place, reference=MADE_REFERENCE))


def _buffer_model(config: Config) -> Setting[str]:
    """Return the buffer model of the switch; a whole configuration without the field means `traditional`."""
    metadata = config.metadata
    if metadata is None:
        return Unset()
    model = metadata.get("buffer_model")
    if isinstance(model, Unset) and config.complete and config.dialect is COMMUNITY:
        return Known("traditional", Origin.DEFAULT, metadata.where, MODEL_REFERENCE)
    return model


MADE_REFERENCE = (
    "sonic-net/sonic-swss, cfgmgr/buffermgr.cpp: the traditional buffer model makes it when the port comes up"
)
MODEL_REFERENCE = "sonic-net/SONiC, doc/qos/dynamically-headroom-calculation.md: buffer_model is traditional by default"


def _unless_unplugged(facts: PortFacts, made: Known[bool]) -> Known[bool]:
    """Return *made*, or False for a cable of 0 m: both buffer models then give no headroom.

    A length of 0 m marks an unused port (sonic-net/sonic-swss, pull requests 1830 and 3548).
    """
    cable = facts.cable
    if isinstance(cable, Known) and cable.value == 0:
        return Known(value=False, origin=Origin.INTENDED, where=cable.where)
    return made


def _list_pausing_groups(paused: Setting[tuple[int, ...]], maps: Maps) -> tuple[int, ...]:
    """Return the priority groups that send pauses."""
    priorities = value_of(paused) or ()
    table = value_of(maps.pfc_group)
    if table is None:
        return priorities
    return tuple(table[p].value for p in priorities if p in table)


def _lossless(config: Config, entry: RowEntry, facts: PortFacts) -> Setting[bool]:
    name = entry.get("profile")
    if not isinstance(name, Known):
        return name
    if find_target(name.value) == GENERATED:
        made = Known(value=True, origin=name.origin, where=name.where, reference=name.reference)
        return _unless_unplugged(facts, made)
    profile = config.entry("BUFFER_PROFILE", name)
    if profile is None:
        if _NAMED.fullmatch(find_target(name.value)):
            return Known(value=True, origin=Origin.INTENDED, where=name.where)
        return config.missing("BUFFER_PROFILE", find_target(name.value))
    is_lossless = isinstance(profile.get("xoff"), Known) or value_of(profile.get("headroom_type")) == "dynamic"
    return Known(is_lossless, Origin.INTENDED, name.where)


def list_priority_groups(
    config: Config, rows: PortRows, maps: Maps, facts: PortFacts, lookup: Lookup | None
) -> Setting[tuple[PriorityGroup, ...]]:
    """Return the priority groups of a port that a row sizes or a map fills."""
    entries = rows.items.get("BUFFER_PG", {})
    kept = list_lossless_groups(config, rows, maps, facts, lookup)
    given = _Given(config, facts, lookup, kept)
    filled = invert(maps.group)
    numbers = sorted({*entries, *filled, *kept})
    if not numbers:
        silent = config.silent("BUFFER_PG")
        return silent if isinstance(silent, Unknown) else Known((), Origin.INTENDED)
    first = next(iter(entries.values()), None)
    where = first.where if first else maps.group.where if isinstance(maps.group, Known) else None
    senders = invert(maps.pfc_group)
    found = tuple(
        replace(
            _group(given, number, entries.get(number)),
            priorities=convert_setting(maps.group, _constant(filled.get(number, ()))),
            paused_for=_list_paused_for(number, entries.get(number), maps, senders),
        )
        for number in numbers
    )
    return Known(found, Origin.INTENDED, where)


def _list_paused_for(
    number: int, entry: RowEntry | None, maps: Maps, senders: Mapping[int, tuple[int, ...]]
) -> Setting[tuple[int, ...]]:
    """Return the priorities that the group pauses when it fills; without a map, that of its own number.

    The place is that of the entry that gives it another number than its own, if there is one.
    """
    if isinstance(maps.pfc_group, Unset) and entry is not None:
        return Known((number,), Origin.DEFAULT, entry.where, NO_PFC_MAP)
    own = senders.get(number, ())
    table = value_of(maps.pfc_group) or {}
    where = next((table[priority].where for priority in own if priority != number), None)
    found = convert_setting(maps.pfc_group, _constant(own))
    return replace(found, where=where) if where and isinstance(found, Known) else found


NO_PFC_MAP = "SAI, inc/saiport.h, SAI_PORT_ATTR_QOS_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP: no map by default"


def _constant(value: T) -> Callable[[object], T]:
    return lambda _: value


@dataclass(frozen=True, slots=True)
class _Given:
    """The facts that decide the priority groups of a port; `kept` are the groups with headroom."""

    config: Config
    facts: PortFacts
    lookup: Lookup | None
    kept: Mapping[int, Setting[bool]]


def _group(given: _Given, number: int, entry: RowEntry | None) -> PriorityGroup:
    config = given.config
    paused = given.facts.paused
    lossless = given.kept.get(number, config.silent("BUFFER_PG"))
    if isinstance(lossless, Unset) and isinstance(paused, Known):
        lossless = Known(value=False, origin=Origin.INTENDED, where=paused.where)
    if entry is None:
        where = lossless.where if isinstance(lossless, Known) else None
        return _generate_group(given, number, where) if value_of(lossless) else PriorityGroup(number, lossless=lossless)
    name = entry.get("profile")
    speed, cable = _design_point(name)
    profile = config.entry("BUFFER_PROFILE", name)
    if profile is None:
        where = name.where if isinstance(name, Known) else None
        group = (
            _generate_group(given, number, where) if value_of(lossless) else PriorityGroup(number, lossless=lossless)
        )
        return replace(group, made_for_gbps=speed, made_for_cable_m=cable)
    is_named = isinstance(name, Known) and _NAMED.fullmatch(find_target(name.value)) is not None
    is_dynamic = value_of(profile.get("headroom_type")) == "dynamic" and not isinstance(profile.get("xoff"), Known)
    source = HeadroomSource.GENERATED if is_named or is_dynamic else HeadroomSource.CONFIGURED
    xoff = profile.get("xoff")
    return PriorityGroup(
        pg=number,
        lossless=lossless,
        reserved_bytes=convert_number(profile.get("size")),
        size_bytes=convert_number(profile.get("size")),
        xon_bytes=convert_number(profile.get("xon")),
        xon_offset_bytes=convert_number(profile.get("xon_offset")),
        xoff_bytes=Unknown(SELF_SIZED) if is_dynamic else convert_number(xoff),
        headroom_source=Known(source, Origin.INTENDED, name.where if isinstance(name, Known) else None),
        alpha=convert_setting(profile.get("dynamic_th"), lambda text: 2.0 ** int(text)),
        static_threshold_bytes=convert_number(profile.get("static_th")),
        pool=convert_setting(profile.get("pool"), find_target),
        made_for_gbps=speed,
        made_for_cable_m=cable,
    )


def _design_point(name: Setting[str]) -> tuple[Setting[float], Setting[float]]:
    """Return the speed, Gb/s, and the cable, m, that a generated profile name contains."""
    match = _NAMED.fullmatch(find_target(name.value)) if isinstance(name, Known) else None
    if match is None:
        return NOT_COLLECTED, NOT_COLLECTED
    return convert_setting(name, lambda _: int(match["mbps"]) / 1000), convert_setting(
        name, lambda _: float(match["cable"])
    )


LOOKUP_REFERENCE = "the platform's pg_profile_lookup.ini"
SELF_SIZED = (
    "the switch sizes it from speed and cable length, and no output of `show buffer information` is in the dump"
)


def _generate_group(given: _Given, number: int, where: Where | None) -> PriorityGroup:
    """Return a priority group that the switch sizes by itself, from its table of headroom if the dump has it."""
    group = PriorityGroup(
        pg=number,
        lossless=given.kept[number],
        headroom_source=Known(HeadroomSource.GENERATED, Origin.INTENDED, where),
        alpha=_default_alpha(given.config),
        xoff_bytes=Unknown(SELF_SIZED),
        pool=Known("ingress_lossless_pool", Origin.INTENDED, where),
    )
    metadata, facts = given.config.metadata, given.facts
    is_dynamic = metadata is not None and value_of(metadata.get("buffer_model")) == "dynamic"
    table = None if is_dynamic else given.lookup
    row = table.row(value_of(facts.speed), value_of(facts.cable)) if table else None
    return _from_table(group, row) if row else group


def _from_table(group: PriorityGroup, row: HeadroomRow) -> PriorityGroup:
    def supply(value: T) -> Known[T]:
        return Known(value, Origin.DEFAULT, row.where, LOOKUP_REFERENCE)

    sized = replace(
        group,
        reserved_bytes=supply(row.size),
        size_bytes=supply(row.size),
        xon_bytes=supply(row.xon),
        xoff_bytes=supply(row.xoff),
    )
    if row.xon_offset is not None:
        sized = replace(sized, xon_offset_bytes=supply(row.xon_offset))
    if row.alpha is None:
        return replace(sized, static_threshold_bytes=supply(row.threshold))
    return replace(sized, alpha=supply(row.alpha))


def _default_alpha(config: Config) -> Setting[float]:
    for entry in config.entries.get("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {}).values():
        found = entry.get("default_dynamic_th")
        if isinstance(found, Known):
            return convert_setting(found, lambda text: 2.0 ** int(text))
    return config.absent("DEFAULT_LOSSLESS_BUFFER_PARAMETER")
