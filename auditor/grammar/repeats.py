"""Outputs that ports and hosts print alike: read twice at most, then made again for other places."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from functools import partial
from typing import Generic, TypeVar

from auditor.model.dump import Capture
from auditor.model.setting import Where
from auditor.util.codec import Codec
from auditor.util.template import Template
from auditor.util.values import dataclass

R = TypeVar("R")
LONGEST = 2000
"""Lines of an output that is kept."""
MOST_LINES = 40_000
"""Lines of all outputs that are kept: thirty kinds of hosts of eight NICs."""
MOST_SIGHTS = 100_000
"""Outputs that are known to have been read once."""


@dataclass(frozen=True, slots=True)
class _Entry(Generic[R]):
    """An output that was read at a place, as a template."""

    template: Template[R, Where]
    first_line: int
    size: int


class Repeats(Generic[R]):
    """Results of reading outputs, each a *kind* that holds no place but those of its output.

    The first output of its kind is read and forgotten but for a number, the second one is kept. Values of the types
    *told_apart* are never shared by two results.
    """

    def __init__(self, kind: type[R], told_apart: Collection[type] = ()) -> None:
        self._codec = Codec(kind)
        self._told_apart = told_apart
        self._sights: OrderedDict[int, None] = OrderedDict()
        self._kept: OrderedDict[Hashable, _Entry[R]] = OrderedDict()
        self._size = 0

    def read(self, capture: Capture, call: Hashable, read: Callable[[Capture], R]) -> R:
        """Return what *read* gives for *capture*, which must depend on *call* and the output alone.

        Places that are relative stay as they are.
        """
        if not 0 < len(capture.lines) <= LONGEST:
            return read(capture)
        key = call, capture.command, capture.ends_mid_line, capture.lines
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept.template.fill(partial(_move, capture.file, capture.first_line - kept.first_line))
        found = read(capture)
        if self._is_seen(hash(key)):
            self._keep(key, capture, found)
        return found

    def _is_seen(self, sight: int) -> bool:
        """Return whether the output was read before; from now on it was."""
        if sight in self._sights:
            return True
        self._sights[sight] = None
        if len(self._sights) > MOST_SIGHTS:
            self._sights.popitem(last=False)
        return False

    def _keep(self, key: Hashable, capture: Capture, found: R) -> None:
        """Keep *found*, unless one of its texts names the file."""
        template = Template(self._codec, found, Where, self._told_apart, _moves)
        if any(capture.file in text and text != capture.file for text in template.list_texts()):
            return
        self._kept[key] = kept = _Entry(template, capture.first_line, len(capture.lines))
        self._size += kept.size
        while self._size > MOST_LINES:
            self._size -= self._kept.popitem(last=False)[1].size


def _moves(where: Where) -> bool:
    return not where.relative


def _move(file: str, lines: int, where: Where) -> Where:
    """Return *where*, which counts from the head of a file, in *file* and so many *lines* further down."""
    return Where(file, where.line + lines, pointer=where.pointer)
