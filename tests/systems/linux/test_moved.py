"""An output that was read on another host gives what it gives where it stands, for all outputs that there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.load import DeviceReading, read_device
from auditor.grammar.repeats import Repeats
from auditor.inputs.snapshot import DeviceUnit, find
from auditor.model.dump import Capture

FIXTURES = Path(__file__).parents[3] / "fixtures"
SHARED = Path(__file__).parents[4] / "shared"
FOLDERS = (*(FIXTURES / "hosts").iterdir(), FIXTURES / "pod-faulty", FIXTURES / "dumps", FIXTURES / "fabric-mixed")
CORPORA = (SHARED / "corpus" / "nic", SHARED / "corpus2" / "nic")


def list_hosts(folder: Path) -> Iterator[DeviceUnit]:
    """Yield the hosts of *folder*, each once."""
    for unit in find([str(folder)]).units:
        if unit.os == "linux":
            yield unit


def move(unit: DeviceUnit) -> DeviceUnit:
    """Return *unit* as if its captures stood in other files, each further down by other lines."""
    moved = (
        replace(capture, file=f"moved/{capture.file}", first_line=capture.first_line + 1000)
        for capture in unit.captures
    )
    return replace(unit, captures=tuple(moved))


def read_at_once(_: object, capture: Capture, __: object, read: Callable[[Capture], Any]) -> object:
    """Return what *read* gives for *capture*, as if nothing were kept."""
    return read(capture)


def check(folders: Sequence[Path], monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare the hosts of *folders*; return their number."""
    units = [unit for folder in folders for unit in list_hosts(folder)]
    with monkeypatch.context() as patch:
        patch.setattr(Repeats, "read", read_at_once)
        expected: list[DeviceReading] = [read_device(move(unit)) for unit in units]
    for unit in units:
        read_device(unit)
        read_device(unit)
    for unit, reading in zip(units, expected, strict=True):
        assert repr(read_device(move(unit))) == repr(reading), unit.source
    return len(units)


@pytest.mark.long
def test_outputs_of_fixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(FOLDERS, monkeypatch) > 20


@pytest.mark.long
@pytest.mark.skipif(not SHARED.is_dir(), reason="no corpus here")
def test_outputs_of_the_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check([folder for folder in CORPORA if folder.is_dir()], monkeypatch) > 20
