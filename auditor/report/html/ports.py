"""The way of packets through ports: each distinct stage once, with the ports that have it, and thresholds to scale."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from markupsafe import Markup

from auditor.engine.fabric_map import MapDevice, MapPort, PortShape, list_settings
from auditor.report.causes import fold_ports
from auditor.report.html.index import Index
from auditor.report.html.thresholds import Thresholds, draw_thresholds, read_thresholds
from auditor.report.html.values import ORIGINS, format_setting
from auditor.report.presentation import Presentation
from auditor.util.values import dataclass
from auditor.view.stages import Setting, Stage

ORDER = ("in", "class", "priority group", "pool", "queue", "wire", "NIC", "out")
MOST_USERS = 3
"""Devices that are named below a stage; the text counts the others."""


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A row of a stage: label, value, origin, where the first port has it, and the number of the reason, 0 for none."""

    label: str
    value: str
    state: str
    origin: str
    place: str
    why: int


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage, its number in the page, and who has it; `file` is that of the lines that name none."""

    number: int
    title: str
    file: str
    settings: Sequence[ShownSetting]
    ports: int
    users: str


@dataclass(frozen=True, slots=True)
class ShownThresholds:
    """Thresholds of a priority group and of the queue of its packets, and how many ports have them."""

    number: int
    title: str
    sizes: Thresholds
    drawing: Markup
    ports: int
    users: str


@dataclass(frozen=True, slots=True)
class Pipelines:
    """All stages and thresholds; `drawn` has the number of the thresholds of each shape, by device and shape.

    `reasons` are the pages and reasons that settings name by number, from 1.
    """

    stages: Sequence[ShownStage]
    reasons: Sequence[str]
    thresholds: Sequence[ShownThresholds]
    drawn: Mapping[tuple[int, int], int]


def build_pipelines(index: Index, shown: Presentation) -> Pipelines:
    """Return the stages of all ports of the map, in the order of a packet's way."""
    users = _list_users(index)
    firsts = _find_firsts(index)
    stages = sorted(range(len(index.map.stages)), key=lambda number: (_rank(index.map.stages[number]), number))
    thresholds, drawn = _list_thresholds(index)
    names = _Names(shown)
    return Pipelines(
        [_show_stage(index.map.stages[at], at, users[at], firsts[at], names) for at in stages],
        list(names.reasons),
        thresholds,
        drawn,
    )


@dataclass(frozen=True, slots=True)
class _Names:
    """How files are named, and the reasons that settings name by number."""

    shown: Presentation
    reasons: dict[str, int] = field(default_factory=dict)


def _rank(stage: Stage) -> int:
    return ORDER.index(stage.name)


Users = Mapping[str, Sequence[str]]


def _list_users(index: Index) -> Mapping[int, Users]:
    """Return the ports that have each stage, by device."""
    found: dict[int, dict[str, list[str]]] = defaultdict(dict)
    for device in index.map.devices:
        for port in device.ports:
            for stage in device.shapes[port.shape].stages:
                found[stage].setdefault(device.name, []).append(port.name)
    return found


First = tuple[MapPort, PortShape, Sequence[int]]


def _find_firsts(index: Index) -> Mapping[int, First]:
    """Return the first port that has each stage, with its shape and the numbers of the places of the stage."""
    found: dict[int, First] = {}
    for device in index.map.devices:
        firsts = {port.shape: port for port in reversed(device.ports)}
        for number, shape in enumerate(device.shapes):
            for stage, (_, settings) in zip(shape.stages, list_settings(shape, index.map.stages), strict=True):
                found.setdefault(stage, (firsts[number], shape, [place for _, place in settings]))
    return found


def _show_stage(stage: Stage, number: int, users: Users, first: First, names: "_Names") -> ShownStage:
    port, shape, numbers = first
    places = [port.locate(shape, at) for at in numbers]
    files = Counter(place[0] for place in places if place)
    main = max(files, key=files.__getitem__) if files else ""
    rows = [_show_setting(*each, main, names) for each in zip(stage.settings, places, strict=True)]
    title = f"{stage.name} {stage.number}".strip()
    file = names.shown.path(main) if main else ""
    return ShownStage(number, title, file, rows, sum(map(len, users.values())), _describe_users(users))


def _show_setting(setting: Setting, place: tuple[str, int] | None, main: str, names: "_Names") -> ShownSetting:
    told = "" if place is None else str(place[1]) if place[0] == main else f"{names.shown.path(place[0])}:{place[1]}"
    origin = ORIGINS[setting.origin] if setting.state == "known" else ""
    why = names.reasons.setdefault(setting.why, len(names.reasons) + 1) if setting.why else 0
    return ShownSetting(setting.label, format_setting(setting), setting.state, origin, told, why)


def _describe_users(users: Users) -> str:
    """Return the ports of some devices in words."""
    named = [f"{device} {fold_ports(ports)}" for device, ports in list(users.items())[:MOST_USERS]]
    more = len(users) - MOST_USERS
    return "; ".join((*named, f"and at {more} more devices") if more > 0 else named)


def _list_thresholds(index: Index) -> tuple[list[ShownThresholds], dict[tuple[int, int], int]]:
    """Return the distinct thresholds of all ports, and the number of those of each shape."""
    numbers: dict[tuple[int, int], int] = {}
    users: dict[int, dict[str, list[str]]] = defaultdict(dict)
    drawn: dict[tuple[int, int], int] = {}
    made: dict[int, tuple[str, Thresholds]] = {}
    for at, device in enumerate(index.map.devices):
        for shape_number, shape in enumerate(device.shapes):
            pair = _find_pair(shape, index.map.stages)
            sizes = read_thresholds(*(index.map.stages[each] if each >= 0 else None for each in pair))
            if device.kind != "switch" or not sizes.is_drawn:
                continue
            number = numbers.setdefault(pair, len(numbers))
            made.setdefault(number, (_title(pair, index.map.stages), sizes))
            drawn[at, shape_number] = number
        for device_name, port, number in _list_drawn(device, at, drawn):
            users[number].setdefault(device_name, []).append(port)
    return [
        ShownThresholds(
            number,
            title,
            sizes,
            draw_thresholds(sizes),
            sum(map(len, users[number].values())),
            _describe_users(users[number]),
        )
        for number, (title, sizes) in made.items()
    ], drawn


def _list_drawn(device: MapDevice, at: int, drawn: Mapping[tuple[int, int], int]) -> Iterator[tuple[str, str, int]]:
    for port in device.ports:
        number = drawn.get((at, port.shape))
        if number is not None:
            yield device.name, port.name, number


def _find_pair(shape: PortShape, stages: Sequence[Stage]) -> tuple[int, int]:
    """Return the numbers of the first lossless group and of the queue of its packets, -1 for none."""
    named = [(number, stages[number]) for number in shape.stages]
    first = next((stage for _, stage in named if stage.name == "class"), None)
    numbers = {each.label: each.value for each in first.settings if each.state == "known"} if first else {}
    group = next(
        (n for n, s in named if s.name == "priority group" and s.number == numbers.get("priority group", s.number)), -1
    )
    queue = next((n for n, s in named if s.name == "queue" and s.number == numbers.get("queue", s.number)), -1)
    return group, queue


def _title(pair: tuple[int, int], stages: Sequence[Stage]) -> str:
    return " and ".join(f"{stages[each].name} {stages[each].number}" for each in pair if each >= 0)
