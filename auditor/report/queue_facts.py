"""Sections of the sheet of a port: egress queues, priority groups, pools, and the depth of a queue to scale."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from auditor.checks.pause_point import FEW, MANY, compute_pause_point, convert_to_bytes, pair_with_group
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.qos import Queue, TrafficClass
from auditor.model.setting import Known, Setting, Undetermined, value_of
from auditor.report.columns import lay_row
from auditor.report.facts import Fact, Reader, format_value, prove
from auditor.report.grid import Grid, Row
from auditor.report.presentation import clean_text, format_number
from auditor.report.scale import Bar, Span, draw_scale
from auditor.report.sheet import Section
from auditor.util.values import dataclass

_BUFFERS = (
    ("pool", "pool"),
    ("reserved", "reserved_bytes"),
    ("alpha", "alpha"),
    ("static limit", "static_threshold_bytes"),
    ("buffer %", "buffer_percent"),
)
_GROUP = (
    ("priorities", "priorities", ""),
    ("no-drop", "lossless", ""),
    ("pool", "pool", ""),
    ("reserved", "reserved_bytes", "bytes"),
    ("size", "size_bytes", "bytes"),
    ("threshold", "static_threshold_bytes", "bytes"),
    ("alpha", "alpha", ""),
    ("xon", "xon_bytes", "bytes"),
    ("xon offset", "xon_offset_bytes", "bytes"),
    ("headroom", "xoff_bytes", "bytes"),
    ("headroom is", "headroom_source", ""),
)
_POOL = (
    ("no-drop", "lossless"),
    ("mode", "mode"),
    ("bytes", "size_bytes"),
    ("share %", "memory_percent"),
    ("headroom", "shared_headroom_bytes"),
)
_PERCENT = 100
_Build: TypeAlias = Callable[[Reader, str, Mapping[str, Any]], tuple[Fact, ...]]


def build_queue_sections(reader: Reader, device: Device, port: Port) -> Iterator[Section]:
    """Yield the sections of priority groups, queues and pools; *reader* reads the view of *port* of *device*."""
    groups = reader.list_items("/priority_groups")
    for at, group in groups:
        facts = tuple(reader.describe(label, f"{at}/{field}", unit) for label, field, unit in _GROUP)
        yield Section(f"priority group {group['pg']}", facts)
    if not groups:
        yield Section("priority groups", (reader.describe("priority groups", "/priority_groups"),))
    yield from _build_queues(reader)
    if device.kind == "switch":
        for queue in value_of(port.config.queues) or ():
            yield from _draw_depths(queue, device, port)
        yield build_pools(device)


def _build_queues(reader: Reader) -> Iterator[Section]:
    queues = reader.list_items("/queues")
    if not queues:
        yield Section("queues", (reader.describe("queues", "/queues"),))
        return
    yield Section("queues", grid=Grid("queue", _list_rows(reader, queues, _list_service)))
    yield Section("queues: ECN in bytes", grid=Grid("queue", _list_rows(reader, queues, _list_marking)))
    yield Section("queues: buffers in bytes", grid=Grid("queue", _list_rows(reader, queues, _list_buffers)))


def _list_rows(reader: Reader, queues: Iterable[tuple[str, Any]], build: _Build) -> tuple[Row, ...]:
    """Return a row for each of *queues*, whose facts *build* lists."""
    return tuple((str(queue["queue"]), build(reader, at, queue)) for at, queue in queues)


def _list_service(reader: Reader, at: str, queue: Mapping[str, Any]) -> tuple[Fact, ...]:
    basis = f" of {queue['bandwidth_basis']}" if queue["bandwidth_basis"] else ""
    share = f"{format_value(queue['bandwidth_percent'])} %{basis}"
    return (
        reader.describe("classes", f"{at}/priorities"),
        reader.describe("scheduler", f"{at}/scheduler"),
        reader.describe("share", f"{at}/bandwidth_percent", text=share),
        reader.describe("weight", f"{at}/weight"),
        reader.describe("level", f"{at}/level"),
        reader.describe("limit", f"{at}/shape_gbps", "Gb/s"),
    )


def _list_marking(reader: Reader, at: str, queue: Mapping[str, Any]) -> tuple[Fact, ...]:
    most = queue["ecn_max_probability"]
    drops = "; ".join(map(_describe_drop, queue["wred_drop"] or ())) or "none"
    return (
        reader.describe("marks", f"{at}/ecn"),
        _describe_threshold(reader, "Kmin", at, "ecn_min", queue),
        _describe_threshold(reader, "Kmax", at, "ecn_max", queue),
        reader.describe("Pmax", f"{at}/ecn_max_probability", text="none" if most is None else _format_percent(most)),
        reader.describe("above", f"{at}/ecn_above_max"),
        reader.describe("colours", f"{at}/ecn_colors"),
        reader.describe("WRED drops", f"{at}/wred_drop", text=drops),
    )


def _describe_threshold(reader: Reader, label: str, at: str, name: str, queue: Mapping[str, Any]) -> Fact:
    """Return a threshold in bytes, or as written where its unit has no known size."""
    written, size = queue[name], queue[f"{name}_bytes"]
    as_written = f"{format_value(written['value'])} {written['unit']}" if written else "none"
    return reader.describe(label, f"{at}/{name}_bytes", text=as_written if size is None else format_value(size))


def _describe_drop(drop: Mapping[str, Any]) -> str:
    low, high = ("?" if drop[name] is None else format_number(drop[name]) for name in ("min_bytes", "max_bytes"))
    most = "?" if drop["probability"] is None else _format_percent(drop["probability"])
    return f"{clean_text(drop['color'])} {low} to {high}, {most}"


def _format_percent(part: float) -> str:
    return f"{part * _PERCENT:.10g} %"


def _list_buffers(reader: Reader, at: str, _queue: Mapping[str, Any]) -> tuple[Fact, ...]:
    return tuple(reader.describe(label, f"{at}/{field}") for label, field in _BUFFERS)


def build_pools(device: Device) -> Section:
    """Return the buffer pools of *device*."""
    pools = value_of(device.pools)
    if not pools:
        return Section("pools", (describe_setting("pools", device.pools),))
    rows = (
        (
            clean_text(pool.name),
            (
                Fact("direction", pool.direction),
                *(describe_setting(label, getattr(pool, name)) for label, name in _POOL),
            ),
        )
        for pool in pools
    )
    return Section("pools", grid=Grid("pool", tuple(rows)))


def describe_setting(label: str, setting: Setting[Any]) -> Fact:
    """Return a value of a device as a fact."""
    return Fact(label, format_value(setting.value) if isinstance(setting, Known) else "", prove(setting))


@dataclass(frozen=True, slots=True)
class _Depths:
    """The depths of a queue in bytes; `why` says what is not known of them."""

    marks: tuple[float, float] | None
    pauses: tuple[tuple[int, float], ...]
    headroom: float
    why: tuple[str, ...]


def _draw_depths(queue: Queue, device: Device, port: Port) -> Iterator[Section]:
    """Yield where *queue* marks and where the ports that fill it are paused, for each no-drop class that it serves."""
    classes = value_of(port.config.classification.classes) or ()
    kept = [each for each in classes if value_of(each.queue) == queue.queue and value_of(each.lossless)]
    marks = value_of(queue.ecn)
    served: list[TrafficClass | None] = [*kept] or [None] * bool(marks)
    for each in served:
        name = f", class {clean_text(each.id)}," if each and len(kept) > 1 else ""
        title = f"depth of queue {queue.queue}{name} to scale: / marks some, # marks all, | paused, = headroom"
        depths = _find_depths(queue, each, device, port)
        facts = tuple(
            Fact(f"paused, {count} ports", f"{point:,.0f} bytes when {count} ports fill it (computed)")
            for count, point in depths.pauses
        )
        reasons = (line for why in depths.why for line in lay_row([("not drawn", 18), (clean_text(why), 59)]))
        yield Section(title, facts, lines=(*draw_scale(_list_bars(depths)), *reasons))


def _find_depths(queue: Queue, kept: TrafficClass | None, device: Device, port: Port) -> _Depths:
    marks: tuple[float, float] | None = None
    pauses: tuple[tuple[int, float], ...] = ()
    headroom, why = 0.0, []
    try:
        marks = convert_to_bytes(queue.ecn_min.known()), convert_to_bytes(queue.ecn_max.known())
    except Undetermined as unknown:
        why.append(f"Kmin, Kmax: {unknown.why}")
    try:
        paused = pair_with_group(queue, kept, port.config, device) if kept else None
        pauses = tuple((count, compute_pause_point(paused, count)) for count in (FEW, MANY)) if paused else ()
        headroom = float(value_of(paused.group.xoff_bytes) or 0) if paused else 0.0
    except Undetermined as unknown:
        why.append(f"pause point: {unknown.why}")
    return _Depths(marks, pauses, headroom, tuple(why))


def _list_bars(depths: _Depths) -> list[Bar]:
    bars = []
    if depths.marks:
        low, high = depths.marks
        bars.append(Bar("marks", (Span(low, high, "/"), Span(high, None, "#"))))
    for count, point in depths.pauses:
        spans = (Span(point, point + count * depths.headroom, "="), Span(point, point, "|"))
        bars.append(Bar(f"paused, {count} ports", spans if depths.headroom else spans[1:]))
    return bars
