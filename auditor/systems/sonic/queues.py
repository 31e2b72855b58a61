"""Egress queues: their traffic classes, scheduling and WRED."""

from auditor.model.qos import Queue, Scheduler, Threshold, Unit, WredDrop
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.sonic.config import COMMUNITY, Config, PortRows, convert_number, convert_setting
from auditor.systems.sonic.egress import add_buffer
from auditor.systems.sonic.maps import Maps, invert
from auditor.systems.sonic.rows import RowEntry

_COLORS = ("green", "yellow", "red")
_NOT_MARKING = Unknown("the queue does not mark")
_BITS = 8


def list_queues(config: Config, rows: PortRows, maps: Maps, location: str) -> Setting[tuple[Queue, ...]]:
    """Return the queues of a port that a row configures or a map feeds."""
    entries = rows.items.get("QUEUE", {})
    fed = invert(maps.queue)
    held = rows.items.get("BUFFER_QUEUE", {})
    numbers = sorted({*entries, *fed})
    silent = config.silent("QUEUE")
    if not numbers:
        return silent if isinstance(silent, Unknown) else Known((), Origin.INTENDED)
    found = tuple(
        add_buffer(
            config,
            held.get(number),
            _queue(config, number, entries.get(number), _feeders(maps, fed.get(number, ())), location),
        )
        for number in numbers
    )
    first = next(iter(entries.values()), None)
    where = first.where if first else maps.queue.where if isinstance(maps.queue, Known) else None
    return Known(found, Origin.INTENDED, where)


def _feeders(maps: Maps, classes: tuple[int, ...]) -> Setting[tuple[int, ...]]:
    return convert_setting(maps.queue, lambda _: classes)


def _queue(
    config: Config, number: int, entry: RowEntry | None, feeders: Setting[tuple[int, ...]], location: str
) -> Queue:
    silent = config.silent("QUEUE")
    wred_name: Setting[str] = entry.get("wred_profile") if entry else silent
    name: Setting[str] = entry.get("scheduler") if entry else silent
    profile = config.entry("WRED_PROFILE", wred_name)
    missing: Setting[str] = wred_name
    if isinstance(wred_name, Known) and profile is None:
        missing = config.missing("WRED_PROFILE", wred_name.value) if wred_name.value else Unset(wred_name.where)
    marks = _marks(profile, missing)
    marking = isinstance(marks, Known) and marks.value
    return Queue(
        queue=number,
        priorities=feeders,
        location=location,
        ecn=marks,
        ecn_min=_threshold(profile, "min") if profile and marking else _NOT_MARKING,
        ecn_max=_threshold(profile, "max") if profile and marking else _NOT_MARKING,
        ecn_max_probability=_probability(profile) if profile and marking else _NOT_MARKING,
        ecn_colors=_colors(profile) if profile else Unset(),
        curved_colors=_list_curves(profile) if profile and config.dialect is COMMUNITY else NOT_COLLECTED,
        wred_drop=_drops(profile, missing),
        scheduler=convert_setting(_field(config, name, "type"), lambda text: Scheduler(text.lower())),
        bandwidth_basis=convert_setting(_field(config, name, "weight"), lambda _: "weight"),
        weight=convert_number(_field(config, name, "weight")),
        shape_gbps=find_rate(config, name),
    )


def _marks(profile: RowEntry | None, missing: Setting[str]) -> Setting[bool]:
    """Return whether the queue marks RDMA packets, which are green."""
    if profile is None:
        return missing if not isinstance(missing, Known) else Unknown("the profile is not known")
    marks = convert_setting(profile.get("ecn"), lambda mode: mode == "ecn_all" or "green" in mode)
    return _NOT_ENABLED if value_of(marks) and value_of(profile.get("wred_green_enable")) != "true" else marks


_NOT_ENABLED = Unknown(
    "ecn marks green packets, but wred_green_enable is not true: releases and ASICs differ in which one counts"
)


def _colors(profile: RowEntry) -> Setting[tuple[str, ...]]:
    return convert_setting(
        profile.get("ecn"), lambda mode: tuple(color for color in _COLORS if mode == "ecn_all" or color in mode)
    )


def _list_curves(profile: RowEntry) -> Setting[tuple[str, ...]]:
    """Return the colours with an enabled curve; without a line the curve is off."""
    told = {color: profile.get(f"wred_{color}_enable") for color in _COLORS}
    first = next((each for each in told.values() if isinstance(each, Known)), None)
    on = tuple(color for color, each in told.items() if value_of(each) == "true")
    return Known(on, Origin.INTENDED, first.where if first else profile.where)


def _threshold(profile: RowEntry, end: str) -> Setting[Threshold]:
    apart = profile.get(f"ecn_green_{end}_threshold")
    written = apart if isinstance(apart, Known) else profile.get(f"green_{end}_threshold")
    return convert_setting(written, lambda text: Threshold(int(text), Unit.BYTES))


def _probability(profile: RowEntry) -> Setting[float]:
    apart = profile.get("ecn_green_mark_probability")
    written = apart if isinstance(apart, Known) else profile.get("green_drop_probability")
    return convert_setting(written, lambda text: int(text) / 100)


def _drops(profile: RowEntry | None, missing: Setting[str]) -> Setting[tuple[WredDrop, ...]]:
    """Return the drop curves: those of colours with WRED on and ECN off."""
    if profile is None:
        return missing if not isinstance(missing, Known) else Unknown("the profile is not known")
    mode = profile.get("ecn")
    if isinstance(mode, Unknown):
        return mode
    marked = value_of(_colors(profile)) or ()
    enabled = {color: profile.get(f"wred_{color}_enable") for color in _COLORS if color not in marked}
    unknown = next((each for each in enabled.values() if isinstance(each, Unknown)), None)
    if unknown:
        return unknown
    dropped = [(color, each) for color, each in enabled.items() if isinstance(each, Known) and each.value == "true"]
    place = dropped[0][1].where if dropped else profile.where
    return Known(tuple(_curve(profile, color) for color, _ in dropped), Origin.INTENDED, place)


def _curve(profile: RowEntry, color: str) -> WredDrop:
    low, high, share = (
        float(found.value) if isinstance(found := profile.get(f"{color}_{name}"), Known) else None
        for name in ("min_threshold", "max_threshold", "drop_probability")
    )
    return WredDrop(color, low, high, 1.0 if share is None else share / 100)


def _field(config: Config, name: Setting[str], field: str) -> Setting[str]:
    """Return a field of the scheduler that *name* refers to."""
    if not isinstance(name, Known):
        return name
    scheduler = config.entry("SCHEDULER", name)
    if scheduler is None:
        return config.missing("SCHEDULER", name.value) if name.value else Unset(name.where)
    return scheduler.get(field)


def find_rate(config: Config, name: Setting[str]) -> Setting[float]:
    """Return the peak rate of a scheduler, which counts bytes a second."""
    unit = _field(config, name, "meter_type")
    if isinstance(unit, Known) and unit.value != "bytes":
        return Unknown("the scheduler counts packets")
    return convert_setting(_field(config, name, "pir"), lambda text: int(text) * _BITS / 1e9)
