"""What the script of the page reads: findings as rows of numbers, and ports with the lines behind their settings."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from auditor.engine.fabric_map import MapDevice
from auditor.engine.findings import ReportedFinding
from auditor.report.html.index import Index
from auditor.report.html.ports import Pipelines
from auditor.report.presentation import Presentation, clean_text

KINDS = ("fail", "open", "ignored")
LEVELS = ("error", "warning", "note")
Path = Callable[[str], str]
"""Returns the name of a file as the page shows it."""


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def list_all(self) -> list[str]:
        return [clean_text(text) for text in self._numbers]


def build_data(index: Index, pipelines: Pipelines, shown: Presentation) -> dict[str, Any]:
    """Return the data of the page; each text stands in it once."""
    texts, path = _Texts(), cache(shown.path)
    vectors: dict[tuple[int, ...], int] = {}
    devices = [
        _build_device(at, each, index, pipelines, texts, vectors, path) for at, each in enumerate(index.map.devices)
    ]
    findings = [_build_finding(each, index, texts, path) for each in index.report.findings]
    return {
        "devices": devices,
        "names": [clean_text(name) for name in index.numbers],
        "stages": [[each.name, each.number] for each in index.map.stages],
        "places": [list(vector) for vector in vectors],
        "findings": findings,
        "texts": texts.list_all(),
    }


def _build_device(  # noqa: PLR0913, PLR0917  what numbers a device
    at: int,
    device: MapDevice,
    index: Index,
    pipelines: Pipelines,
    texts: _Texts,
    vectors: dict[tuple[int, ...], int],
    path: Path,
) -> list[Any]:
    shapes = []
    for number, shape in enumerate(device.shapes):
        vector = tuple(part for place in shape.places for part in place)
        files = [texts.add(path(file)) for file in shape.files]
        drawn = pipelines.drawn.get((at, number), -1)
        shapes.append([list(shape.stages), files, vectors.setdefault(vector, len(vectors)), drawn])
    ports = []
    for port in device.ports:
        heads = [part for file, line in port.heads for part in (texts.add(path(file)) if file else -1, line)]
        peer = index.numbers.get(port.peer, -1)
        ports.append([texts.add(port.name), port.shape, heads, peer, texts.add(port.peer), texts.add(port.peer_port)])
    return [device.tier, device.pod, device.kind, shapes, ports]


def _build_finding(found: ReportedFinding, index: Index, texts: _Texts, path: Path) -> Sequence[Any]:
    row = [
        texts.add(found.rule),
        LEVELS.index(found.level.value),
        index.numbers[found.device],
        texts.add(found.port or ""),
        texts.add(found.message),
        texts.add(path(found.file)) if found.file else -1,
        found.line or 0,
        index.cause_of.get(id(found), -1),
    ]
    seldom = [
        KINDS.index(found.kind.value),
        {None: 0, True: 1, False: 2}[found.is_new],
        texts.add(found.counters.verdict.value) if found.counters else -1,
        texts.add(found.ignored) if found.ignored else -1,
    ]
    return [*row, *seldom] if seldom != _USUAL else row


_USUAL = [0, 0, -1, -1]
"""A failure that nothing was compared with, of which counters say nothing, and that the site does not ignore."""
