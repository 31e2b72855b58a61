"""Outputs that were read before: the same results at other places, within bounds."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from auditor.grammar import repeats
from auditor.grammar.repeats import Repeats
from auditor.model.dump import Capture
from auditor.model.setting import Where


@dataclass(frozen=True, slots=True)
class Lines:
    """The places of the lines that count, and a text."""

    places: tuple[Where, ...]
    text: str = ""


class Reader:
    """Reads each line with a word; counts its calls."""

    def __init__(self, text: str = "") -> None:
        self.calls = 0
        self._text = text

    def __call__(self, capture: Capture) -> Lines:
        """Return the places in *capture*."""
        self.calls += 1
        places = (capture.where(index) for index, line in enumerate(capture.lines) if line)
        return Lines(tuple(places), self._text.format(capture.file))


def captures(lines: tuple[str, ...]) -> Iterator[Capture]:
    for number in range(1, 6):
        yield Capture(f"host{number}.txt", lines, "show x", 10 * number)


@pytest.mark.parametrize("lines", [("a", "", "b"), ("x",) * 50])
def test_an_output_is_read_twice_and_then_moved(lines: tuple[str, ...]) -> None:
    kept, reader = Repeats(Lines), Reader()
    for capture in captures(lines):
        assert kept.read(capture, "x", reader) == Reader()(capture)
    assert reader.calls == 2


@pytest.mark.parametrize("text", ["see {}:7", "in {}"])
def test_a_text_that_names_the_file_is_made_for_each(text: str) -> None:
    kept, reader = Repeats(Lines), Reader(text)
    for capture in captures(("a",)):
        assert kept.read(capture, "x", reader) == Reader(text)(capture)
    assert reader.calls == 5


@pytest.mark.parametrize(
    "other",
    [
        Capture("host9.txt", ("a", "c"), "show x"),
        Capture("host9.txt", ("a", "b"), "show y"),
        Capture("host9.txt", ("a", "b"), "show x", ends_mid_line=True),
        Capture("host9.txt", (), "show x"),
    ],
)
def test_another_output_is_read(other: Capture) -> None:
    kept, reader = Repeats(Lines), Reader()
    for capture in captures(("a", "b")):
        kept.read(capture, "x", reader)
    kept.read(other, "x", reader)
    kept.read(Capture("host9.txt", ("a", "b"), "show x"), "another call", reader)
    assert reader.calls == 4


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "MOST_LINES", 4)
    kept, reader = Repeats(Lines), Reader()
    for lines in (("a", "b"), ("c", "d"), ("e", "f")):
        for capture in captures(lines):
            kept.read(capture, "x", reader)
    assert reader.calls == 6
    kept.read(Capture("host9.txt", ("e", "f"), "show x"), "x", reader)
    assert reader.calls == 6
    kept.read(Capture("host9.txt", ("a", "b"), "show x"), "x", reader)
    assert reader.calls == 7
