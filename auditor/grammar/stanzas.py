"""The parts of a running configuration: stanzas, and the states of their lines."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from auditor.grammar.lines import Line
from auditor.model.dump import LineState
from auditor.model.setting import Where
from auditor.util.values import dataclass

Place = Callable[[int], Where]
"""Returns the place of the line that stands at an index of the dump."""
INTERFACE_KIND = "interface"
"""The kind of the stanzas that configure ports."""
TOP_KIND = "top"
"""The kind of a line of the top level that leaves a stanza, whatever the mode in which it is typed."""
OTHER_KIND = "other"
"""The kind of a line of the top level, with the lines below it, that opens none of the stanzas that matter."""


@dataclass(slots=True)
class Stanza:
    """One stanza: its kind, the index of its first line, and the indices of the lines that belong to it.

    `orphans` are lines elsewhere that can stand in such a stanza only, and may belong to this one.
    """

    kind: str
    head: int
    body: list[int] = field(default_factory=list)
    orphans: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Sections:
    """The stanzas of a configuration, its lines as they count, and the states of lines that need no reading."""

    stanzas: list[Stanza]
    lines: Sequence[Line]
    states: list[LineState]


class HasStates(Protocol):
    """A running configuration, with the states of the lines of each of its captures by the identity of the capture."""

    states: dict[int, list[LineState]]
