"""Running configurations of the CLI family: captures to stanzas, stanzas to statements, equal stanzas read once."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import PurePath
from typing import Generic, TypeVar

from auditor.grammar.history import Extent, Layers
from auditor.grammar.layers import Layer
from auditor.grammar.lines import Line, LineSyntax
from auditor.grammar.sections import StanzaSyntax, cut
from auditor.grammar.sharing import find_repeated, hide_address, list_histories, read_distinct
from auditor.grammar.stanzas import INTERFACE_KIND, HasStates, Place, Sections, Stanza
from auditor.grammar.vlans import names_vlans
from auditor.grammar.vlans import select_lines as vlan_statements
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unknown, Where

B = TypeVar("B", bound=Layer)
C = TypeVar("C", bound=HasStates)


@dataclass(slots=True)
class CapturedStanza:
    """A stanza to read: its capture, its lines that matter, and the interfaces that it configures.

    `own` are all lines of an interface, also those without a bearing on quality of service; `orphans` those that may
    belong to the stanza or to another one.
    """

    capture: Capture
    states: list[LineState]
    stanza: Stanza
    head: Line
    lines: list[Line]
    names: tuple[str, ...] = ()
    own: list[Line] = field(default_factory=list)
    orphans: frozenset[int] = frozenset()

    def mark(self, index: int, state: LineState) -> None:
        """Set the state of a line of the capture."""
        self.states[index] = state


@dataclass(slots=True)
class InterfaceStanzas(Generic[B]):
    """One interface: the head of its first stanza, the statements of all, and what is its own.

    Interfaces with equal stanzas share `body`. `lag` holds None where a statement takes the membership back. `vlans`
    are the lines on the VLANs that it carries.
    """

    where: Where
    body: B
    lag: Known[str | None] | None = None
    description: Known[str] | None = None
    vlans: tuple[str, ...] = ()


@dataclass(frozen=True)
class StanzaDialect(Generic[B]):
    """The interfaces of one operating system.

    `names` returns the interfaces of a head, None where their range is malformed. `read` returns the statements of a
    block, whose places the second argument gives. `is_ignored` returns whether a line has no bearing on quality of
    service. `lag` returns the port-channel that a line joins, empty if the line leaves one, None for another line.
    """

    syntax: StanzaSyntax
    names: Callable[[str], tuple[str, ...] | None]
    read: Callable[[CapturedStanza, Place], B]
    is_ignored: Callable[[str], bool]
    lag: Callable[[str], str | None]


@dataclass(slots=True)
class Running:
    """Captures cut into stanzas: their blocks in order, and the states of all lines by the identity of a capture.

    `lines` are all lines of each capture as they count. `extent` bounds the interfaces that the stanzas name.
    """

    lines: list[tuple[Capture, Sequence[Line]]] = field(default_factory=list)
    blocks: list[CapturedStanza] = field(default_factory=list)
    states: dict[int, list[LineState]] = field(default_factory=dict)
    extent: Extent = field(default_factory=lambda: Extent("interfaces"))


def cut_captures(captures: Iterable[Capture], dialect: StanzaDialect[B]) -> Running:
    """Cut the captures of one device into the stanzas of one configuration, in the order of the captures.

    Raises BoundlessError where the stanzas name too many interfaces.
    """
    running = Running()
    for capture in captures:
        sections = cut(capture.lines, dialect.syntax)
        running.states[id(capture)] = sections.states
        running.lines.append((capture, sections.lines))
        for stanza in sections.stanzas:
            block = _block(capture, sections, stanza)
            if stanza.kind == INTERFACE_KIND:
                names = dialect.names(block.head.text.partition(" ")[2].strip())
                if names is None:
                    continue
                running.extent.take(len(names), capture, stanza.head)
                block.names = names
                block.own = block.lines
                block.lines = _select_lines(block, dialect)
            running.blocks.append(block)
    return running


def _block(capture: Capture, sections: Sections, stanza: Stanza) -> CapturedStanza:
    lines = [sections.lines[index] for index in (*stanza.body, *stanza.orphans)]
    head, orphans = sections.lines[stanza.head], frozenset(stanza.orphans)
    return CapturedStanza(capture, sections.states, stanza, head, lines, orphans=orphans)


def _select_lines(block: CapturedStanza, dialect: StanzaDialect[B]) -> list[Line]:
    """Return the lines that bear on quality of service; what stands below another line goes with that."""
    kept: list[Line] = []
    ignored_indent: int | None = None
    for line in block.lines:
        below = ignored_indent is not None and 0 < ignored_indent < line.indent
        if below or dialect.is_ignored(line.text):
            is_carried = not below and names_vlans(line.text)
            block.mark(line.index, LineState.MODELLED if is_carried else LineState.IGNORED)
            ignored_indent = ignored_indent if below else line.indent
        else:
            kept.append(line)
            ignored_indent = None
    return kept


def read_interfaces(running: Running, dialect: StanzaDialect[B]) -> dict[str, InterfaceStanzas[B]]:
    """Return the interfaces of all blocks; each distinct stanza is read once, and so is each sequence of stanzas.

    Places count from the head of a stanza, except where an interface has several: its body is absolute then. Raises
    BoundlessError where the VLAN lines of all interfaces are too many.
    """
    own = [block for block in running.blocks if block.stanza.kind == INTERFACE_KIND]
    bodies = read_distinct(own, find_repeated(own), partial(_shape, dialect), dialect.read)
    parts = [_read_part(block, body, dialect) for block, body in zip(own, bodies, strict=True)]
    layers, extent = Layers[B](), Extent("VLAN lines")
    joined: dict[tuple[int, ...], InterfaceStanzas[B]] = {}
    found: dict[str, InterfaceStanzas[B]] = {}
    for name, numbers in list_histories(own).items():
        if numbers not in joined:
            several = [parts[number] for number in numbers]
            if len(several) > 1:
                last = own[numbers[-1]]
                extent.take(sum(len(part.vlans) for part in several), last.capture, last.head.index)
            joined[numbers] = _join(several, layers)
        found[name] = joined[numbers]
    return found


def _shape(dialect: StanzaDialect[B], block: CapturedStanza) -> tuple[object, ...]:
    """Return what equal stanzas have in common: the lines that matter, and how far below the head they stand."""
    head = block.head.index
    lines = [(line.index - head, line.indent, _find_essence(dialect, line.text)) for line in block.lines]
    return block.capture.file, tuple(lines)


def _find_essence(dialect: StanzaDialect[B], text: str) -> str:
    """Return what equal stanzas have in common of a line: addresses are each port's own, and so is its port-channel.

    Addresses are read apart (`grammar/routing.py`), with the lines of the whole configuration.
    """
    if dialect.lag(text) is not None:
        return "lag"
    return hide_address(text)


def _read_part(block: CapturedStanza, body: B, dialect: StanzaDialect[B]) -> InterfaceStanzas[B]:
    """Return what one stanza says of each of its interfaces, with the statements *body* that equal stanzas share."""
    found = InterfaceStanzas(block.capture.where(block.head.index), body)
    for line in block.own:
        joined = dialect.lag(line.text)
        if joined is not None:
            found.lag = Known(joined or None, Origin.INTENDED, block.capture.where(line.index))
            block.mark(line.index, LineState.MODELLED)
        elif line.text.startswith("description "):
            text = line.text.removeprefix("description ").strip()
            found.description = Known(text, Origin.INTENDED, block.capture.where(line.index))
    found.vlans = vlan_statements(line.text for line in block.own)
    return found


def _join(parts: Sequence[InterfaceStanzas[B]], layers: Layers[B]) -> InterfaceStanzas[B]:
    """Return an interface with several stanzas: the place of the first, and the last word on each statement."""
    return InterfaceStanzas(
        parts[0].where,
        layers.join([part.body for part in parts]),
        next((part.lag for part in reversed(parts) if part.lag), None),
        next((part.description for part in reversed(parts) if part.description), None),
        tuple(chain.from_iterable(part.vlans for part in parts)),
    )


def read_first_whole(
    captures: Sequence[Capture],
    syntax: LineSyntax,
    read: Callable[[Sequence[Capture]], C],
    is_part: Callable[[Capture], bool] = lambda _: False,
) -> C:
    """Return the configuration of the first whole capture with its parts and sessions, as *read* returns it.

    Other whole captures are read for the states of their lines alone.
    """
    own, others = _sort_captures(captures, syntax, is_part)
    config = read(own)
    for other in others:
        config.states |= read([other]).states
    return config


ONLY_PART = Unknown("the dump is a part of a configuration, which does not show all names")
"""Why references that lead out of a part are not judged."""


_FILTERED = re.compile(
    r"(?:show|display) (?:run|curr|start|saved)\S*(?: \|)? (?:sec(?:tion)?|int(?:erfaces?)?|inc(?:lude)?|beg(?:in)?"
    r"|exc(?:lude)?|grep|egrep|match|router|bgp|qos|class-map|policy-map|vlan)(?![\w-])"
)


def is_filtered(capture: Capture) -> bool:
    """Return whether the command of a capture, or else the name of its file, prints a part of a configuration alone.

    >>> [is_filtered(Capture(file, (), command)) for file, command in (
    ...     ("a.txt", "show running-config | section interface"), ("a.txt", "show running-config | no-more"),
    ...     ("show_running-config_interface_Ethernet1_31.txt", ""), ("show_running-config.txt", ""))]
    [True, False, True, False]
    """
    return _FILTERED.search(capture.command or PurePath(capture.file).stem.replace("_", " ")) is not None


def holds_print(captures: Sequence[Capture], syntax: LineSyntax) -> bool:
    """Return whether a capture is a printed configuration: lines of a session, or a filter's, are a part alone."""
    return any(not (syntax.is_session(capture.lines) or is_filtered(capture)) for capture in captures)


def _sort_captures(
    captures: Sequence[Capture], syntax: LineSyntax, is_part: Callable[[Capture], bool]
) -> tuple[list[Capture], list[Capture]]:
    """Return the captures of one configuration, the last word last, and the captures of other configurations.

    The first whole configuration comes first, then parts of it, then sessions. Of several whole ones only the first
    counts.
    """
    sessions = [c for c in captures if syntax.is_session(c.lines)]
    rest = [c for c in captures if all(c is not session for session in sessions)]
    parts = [c for c in rest if is_part(c)]
    wholes = [c for c in rest if not is_part(c)]
    return [*wholes[:1], *parts, *sessions], wholes[1:]
