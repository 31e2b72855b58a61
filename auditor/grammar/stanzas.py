"""What a running configuration is cut into, and stanzas that are alike read once."""

from collections import Counter
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Where

B = TypeVar("B")
Place = Callable[[int], Where]
"""Returns the place of the line that stands at an index of the dump."""


@dataclass(slots=True)
class Stanza:
    """One stanza: its kind, the index of its first line, and the indices of the lines that belong to it.

    `orphans` are lines elsewhere that can stand in such a stanza only, and may belong to this one.
    """

    kind: str
    head: int
    body: list[int] = field(default_factory=list)
    orphans: list[int] = field(default_factory=list)


class Line(NamedTuple):
    """A line as it counts: its text without indentation, prompt and comment, how far it is indented, and its index.

    `typed`: it stands behind the prompt of a configuration mode.
    """

    text: str
    indent: int
    index: int  # type: ignore[assignment]  # a position, not the method of tuples
    typed: bool = False


@dataclass(slots=True)
class Sections:
    """The stanzas that matter, the other top-level lines, and the states of lines that need no reading.

    `lines` are all lines of the dump without indentation, prompt and comment.
    """

    stanzas: list[Stanza]
    single: list[Stanza]
    states: list[LineState]
    lines: Sequence[Line] = ()


@dataclass(slots=True)
class Block:
    """A stanza to be read: the lines of it that matter, and the interfaces it speaks of."""

    stanza: Stanza
    head: Line
    lines: list[Line]
    names: tuple[str, ...] = ()


class Alike(Generic[B]):
    """Reads each distinct stanza of interfaces once; ports with equal stanzas share what was read.

    Places count from the stanza's head, except where an interface has several stanzas.
    """

    def __init__(
        self,
        capture: Capture,
        states: MutableSequence[LineState],
        blocks: Sequence[Block],
        read: Callable[[Block, Place], B],
    ) -> None:
        named = Counter(chain.from_iterable(block.names for block in blocks))
        self._repeated = {name for name, count in named.items() if count > 1}
        self._capture = capture
        self._states = states
        self._read = read
        self._known: dict[tuple[object, ...], tuple[Block, B]] = {}

    def body(self, block: Block) -> B:
        """Return what a stanza says, and set the states of its lines."""
        is_shared = self._repeated.isdisjoint(block.names)
        key = _shape(block) if is_shared else (block.head.index,)
        if key not in self._known:
            place = _relative(self._capture, block.head.index) if is_shared else self._capture.where
            self._known[key] = block, self._read(block, place)
        template, body = self._known[key]
        for here, there in zip(block.lines, template.lines, strict=True):
            self._states[here.index] = self._states[there.index]
        self._states[block.head.index] = LineState.MODELLED
        return body


def _shape(block: Block) -> tuple[object, ...]:
    """Return what equal stanzas have in common: the lines that matter, and how far below the head they stand."""
    head = block.head.index
    return tuple([(line.index - head, line.indent, _essence(line.text)) for line in block.lines])


def _essence(text: str) -> str:
    return "channel-group" if text.startswith("channel-group ") else text


def _relative(capture: Capture, head: int) -> Place:
    """Return what gives the place of a line as counted from line *head*."""
    return lambda index: Where(capture.file, index - head, relative=True)
