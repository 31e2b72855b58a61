"""A dump as diagnosis reads it: its lines without secrets, and the blocks in which they stand."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial

from auditor.inputs.snapshot import Snapshot

FARTHEST = 20_000
"""Lines: a block whose head lies farther above is not looked for."""
MOST_TEXTS = 64
"""Texts whose blocks are remembered; findings on one dump are together for the most."""


class DumpText:
    """The lines of a dump, numbered from 1.

    *written* are the lines as they are in the file, None where no capture has one. *read* gives a line that may be
    shown, None beyond the ends; without it, lines are shown as they are written.
    """

    def __init__(self, written: Sequence[str | None], read: Callable[[int], str | None] | None = None) -> None:
        self._written = written
        self._read = read

    def read(self, number: int) -> str | None:
        """Return a line, None where there is none."""
        if self._read is not None:
            return self._read(number)
        return self._written[number - 1] if 0 < number <= len(self._written) else None

    def list_lines(self) -> list[str]:
        """Return the lines from the first on, up to one that no capture has, and no more than `FARTHEST`."""
        lines: list[str] = []
        while len(lines) < FARTHEST and (line := self.read(len(lines) + 1)) is not None:
            lines.append(line)
        return lines

    def list_above(self, number: int) -> Iterator[str]:
        """Yield the heads of the indented blocks around line *number*, the nearest first.

        Blank lines and comments are no heads, and nothing stands above a line that no capture has.

        >>> list(DumpText(["policy-map P", "  class C", "! class D", "    pause", "  class E"]).list_above(4))
        ['class C', 'policy-map P']
        """
        head = self._heads[number - 1] if 0 < number <= len(self._written) else 0
        while head > max(0, number - FARTHEST):
            yield (self.read(head) or "").strip()
            head = self._heads[head - 1]

    @cached_property
    def _heads(self) -> "array[int]":
        """The number of the head above each line, 0 without one: the nearest line that is indented less."""
        found = array("l")
        numbers: list[int] = []
        depths: list[int] = []
        for number, line in enumerate(self._written, start=1):
            text = (line or "").lstrip()
            if line is None:
                numbers.clear()
                depths.clear()
            depth = len(line or "") - len(text)
            above = bisect_left(depths, depth)
            found.append(numbers[above - 1] if above else 0)
            if text and text[0] not in "!#":
                del numbers[above:], depths[above:]
                numbers.append(number)
                depths.append(depth)
        return found


def index_texts(snapshot: Snapshot) -> Callable[[str], DumpText]:
    """Return a function that gives the text of a file of *snapshot*, empty for a file that is not there."""
    read_line, list_lines = snapshot.index_lines(), snapshot.index_files()
    return lru_cache(MOST_TEXTS)(lambda file: DumpText(list_lines(file), partial(read_line, file)))
