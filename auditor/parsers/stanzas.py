"""What a running configuration is cut into."""

from dataclasses import dataclass, field

from auditor.model.dump import LineState


@dataclass(slots=True)
class Stanza:
    """One stanza: its kind, the index of its first line, and the indices of the lines that belong to it."""

    kind: str
    head: int
    body: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Sections:
    """The stanzas that matter, the other top-level lines, and the states of lines that need no reading."""

    stanzas: list[Stanza]
    single: list[Stanza]
    states: list[LineState]
