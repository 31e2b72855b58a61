"""The parts of a running configuration: stanzas, their lines, and the lines outside of stanzas."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from auditor.model.dump import LineState
from auditor.model.setting import Where

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


class HasStates(Protocol):
    """A running configuration, with the states of the lines of each of its captures by the identity of the capture."""

    states: dict[int, list[LineState]]
