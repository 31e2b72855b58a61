"""Blocks of a dump, found in one pass: those that a walk from each line upwards finds."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.diagnosis import dumptext
from auditor.diagnosis.dumptext import DumpText, index_texts
from auditor.inputs.snapshot import DeviceUnit, Snapshot, find
from auditor.model.dump import Capture

ROOT = Path(__file__).parents[2]
FOLDERS = [
    *(ROOT / "fixtures" / name for name in ("fabric", "fabric-mixed", "hosts", "dumps")),
    *(ROOT.parent / "shared" / corpus / kind for corpus in ("corpus", "corpus2") for kind in ("switch", "nic")),
]
WORDS = st.sampled_from(["interface 1", "! x", "# x", "mtu 9000", '"PORT": {', "}", ""])
LINES = st.lists(st.none() | st.builds(lambda depth, text: " " * depth + text, st.integers(0, 4), WORDS), max_size=30)


def walk(lines: Sequence[str | None], number: int, farthest: int) -> Iterator[str]:
    """Yield the heads above a line, the nearest first, by looking at each line above it."""
    line = lines[number - 1]
    depth = len(line or "") - len((line or "").lstrip())
    for above in range(number - 1, max(0, number - farthest), -1):
        text = lines[above - 1]
        if text is None or not depth:
            return
        own = len(text) - len(text.lstrip())
        if text.strip() and text.strip()[0] not in "!#" and own < depth:
            depth = own
            yield text.strip()


@given(LINES, st.integers(1, 40))
def test_heads_are_those_that_a_walk_finds(lines: Sequence[str | None], farthest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dumptext, "FARTHEST", farthest)
        text = DumpText(lines)
        for number, line in enumerate(lines, start=1):
            if line is not None and line.strip():
                assert [*text.list_above(number)] == [*walk(lines, number, farthest)]
    assert [*text.list_above(0)] == [*text.list_above(len(lines) + 1)] == []


@st.composite
def captures(draw: st.DrawFn) -> tuple[Capture, ...]:
    """Return captures of one file: outputs, and typed lines around them that may hold others."""
    numbers = iter(range(10**6))
    return tuple(
        Capture("f.txt", tuple(f"line {next(numbers)}" for _ in range(length)), command, first)
        for first, length, command in draw(
            st.lists(
                st.tuples(st.integers(1, 20), st.integers(0, 20), st.sampled_from(["", "show version"])), max_size=6
            )
        )
    )


@given(captures())
def test_a_text_has_the_lines_of_its_captures(found: tuple[Capture, ...]) -> None:
    snapshot = Snapshot((DeviceUnit("a", "f.txt", "linux", found),))
    find_capture, written = snapshot.index_captures(), snapshot.index_files()("f.txt")
    for number in range(1, 50):
        capture = find_capture("f.txt", number)
        index = number - capture.first_line if capture else 0
        expected = capture.lines[index] if capture and index < len(capture.lines) else None
        assert (written[number - 1] if number <= len(written) else None) == expected
    assert index_texts(snapshot)("another.txt").read(1) is None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_hidden_stands_in_the_same_block(folder: Path) -> None:
    """A line without its secrets is indented as before, so that both stand below the same heads."""
    if not folder.exists():
        pytest.skip("no real dumps here")
    snapshot = find([str(folder)])
    shown, written = snapshot.index_lines(), snapshot.index_files()
    for file in {capture.file for unit in snapshot.units for capture in unit.captures}:
        for number, line in enumerate(written(file), start=1):
            text = shown(file, number)
            assert (line is None) == (text is None)
            if line is not None and text is not None and text != line:
                assert text.strip()[:1] not in {"", "!", "#"} or line.strip()[:1] == text.strip()[:1]
                assert len(text) - len(text.lstrip()) == len(line) - len(line.lstrip())
