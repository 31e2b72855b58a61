"""Running configurations of the CLI family: captures to stanzas, stanzas to statements, equal stanzas read once."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from itertools import chain
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from auditor.grammar.history import Extent, Layers
from auditor.grammar.layers import Layer
from auditor.grammar.lines import Line, LineSyntax
from auditor.grammar.sections import StanzaSyntax, cut
from auditor.grammar.sharing import find_repeated, hide_address, list_histories, read_distinct
from auditor.grammar.stanzas import INTERFACE_KIND, HasStates, Place, Sections, Stanza
from auditor.grammar.vlans import find_vlan_line, names_vlans, select_lines
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

B = TypeVar("B", bound=Layer)
C = TypeVar("C", bound=HasStates)


@dataclass(slots=True)
class CapturedStanza:
    """A stanza to read: its capture, its lines that matter, and the interfaces that it configures.

    `own` are the lines that name the port-channel and the description of an interface, `vlans` those on VLANs and
    addresses; `shape` is what equal stanzas have in common. `orphans` are lines that may belong to the stanza or to
    another one.
    """

    capture: Capture
    states: list[LineState]
    stanza: Stanza
    head: Line
    lines: list[Line]
    names: tuple[str, ...] = ()
    own: Sequence[Line] = ()
    vlans: tuple[str, ...] = ()
    shape: tuple[object, ...] = ()
    orphans: frozenset[int] = frozenset()

    def mark(self, index: int, state: LineState) -> None:
        """Set the state of a line of the capture."""
        self.states[index] = state


@dataclass(slots=True)
class InterfaceStanzas(Generic[B]):
    """One interface: the head of its first stanza, the statements of all, and what is its own.

    Interfaces with equal stanzas share `body`. `lag` holds None where a statement takes the membership back, `mlag`
    the number of a port-channel that two switches share. `vlans` are the lines on the VLANs that it carries.
    """

    where: Where
    body: B
    lag: Known[str | None] | None = None
    mlag: Known[str | None] | None = None
    description: Known[str] | None = None
    vlans: tuple[str, ...] = ()


@dataclass(frozen=True)
class StanzaDialect(Generic[B]):
    """The interfaces of one operating system.

    `names` returns the interfaces of a head, None where their range is malformed. `read` returns the statements of a
    block, whose places the second argument gives. `is_ignored` returns whether a line has no bearing on quality of
    service. `lag` returns the port-channel that a line joins, empty if the line leaves one, None for another line.
    `unfold` returns a head and the statements that the same line holds, where a system prints whole commands. `shared`
    has the group `number`, which a line gives a port-channel that two switches share.
    """

    syntax: StanzaSyntax
    names: Callable[[str], tuple[str, ...] | None]
    read: Callable[[CapturedStanza, Place], B]
    is_ignored: Callable[[str], bool]
    lag: Callable[[str], str | None]
    unfold: Callable[[str], tuple[str, ...]] | None = None
    shared: re.Pattern[str] | None = None

    def find_number(self, text: str) -> str | None:
        """Return the number that a line gives a port-channel that two switches share.

        Empty where the line takes it back, None for another line.
        """
        match = self.shared.match(text) if self.shared else None
        return match["number"] or "" if match else None


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
    running, selector = Running(), _Selector(dialect)
    for capture in captures:
        sections = cut(capture.lines, dialect.syntax)
        running.states[id(capture)] = sections.states
        running.lines.append((capture, sections.lines))
        for stanza in sections.stanzas:
            block = _block(capture, sections, stanza)
            if dialect.unfold:
                _unfold_head(block, dialect.unfold(block.head.text))
            if stanza.kind == INTERFACE_KIND:
                names = dialect.names(block.head.text.partition(" ")[2].strip())
                if names is None:
                    continue
                running.extent.take(len(names), capture, stanza.head)
                block.names = names
                selector.select(block)
            running.blocks.append(block)
    return running


def _block(capture: Capture, sections: Sections, stanza: Stanza) -> CapturedStanza:
    first, end = stanza.head + 1, stanza.head + 1 + len(stanza.body)
    if not stanza.orphans and (not stanza.body or stanza.body[-1] == end - 1):
        lines = list(sections.lines[first:end])
    else:
        lines = [sections.lines[place] for place in (*stanza.body, *stanza.orphans)]
    head, orphans = sections.lines[stanza.head], frozenset(stanza.orphans)
    return CapturedStanza(capture, sections.states, stanza, head, lines, orphans=orphans)


def _unfold_head(block: CapturedStanza, texts: Sequence[str]) -> None:
    """Give a block the head and the statements that its first line holds; all stand on that line."""
    head = block.head
    block.head = head._replace(text=texts[0])
    block.lines = [*(head._replace(text=text, indent=head.indent + 1) for text in texts[1:]), *block.lines]


@dataclass(frozen=True, slots=True)
class _Selection:
    """What the lines of a stanza are to it: places of those that are read, own, and on VLANs; states, and shape."""

    kept: tuple[int, ...]
    own: tuple[int, ...]
    vlans: tuple[int, ...]
    states: tuple[LineState, ...]
    shape: tuple[object, ...]


class _Essences(dict[str, str]):
    """What equal stanzas have in common of a line, by its text; it begins with a line end for a line that is not read.

    Addresses are each port's own, and so is its port-channel. Addresses are read apart (`grammar/routing.py`), with
    the lines of the whole configuration. `own` are lines with the port-channel or the description, `vlans` those on
    VLANs and addresses, of all lines so far.
    """

    def __init__(self, dialect: StanzaDialect[B]) -> None:
        self._dialect: StanzaDialect[Any] = dialect
        self.own: set[str] = set()
        self.vlans: set[str] = set()

    def __missing__(self, text: str) -> str:
        is_lag = self._dialect.lag(text) is not None or self._dialect.find_number(text) is not None
        if is_lag or text.startswith(_DESCRIPTION):
            self.own.add(text)
        if find_vlan_line(text):
            self.vlans.add(text)
        if not is_lag and self._dialect.is_ignored(text):
            state = LineState.MODELLED if names_vlans(text) else LineState.IGNORED
            found = f"\n{state}\n{text in self.own:d}{text in self.vlans:d}"
        else:
            found = "lag\n" if is_lag else hide_address(text)
        self[text] = found
        return found


class _Selector(Generic[B]):
    """Selects the lines of stanzas that bear on quality of service, once for all stanzas that are alike."""

    def __init__(self, dialect: StanzaDialect[B]) -> None:
        self._essences = _Essences(dialect)
        self._known: dict[Hashable, _Selection] = {}
        self._vlans: dict[tuple[str, ...], tuple[str, ...]] = {}

    def select(self, block: CapturedStanza) -> None:
        """Keep the lines of *block* that are read, and mark the other ones."""
        lines, head = block.lines, block.head.index
        texts = [line[0] for line in lines]
        essences = tuple(map(self._essences.__getitem__, texts))
        places: Sequence[int] = range(1, len(lines) + 1)
        if block.orphans or (lines and lines[-1].index != head + len(lines)):
            places = tuple([line.index - head for line in lines])
        key = (tuple([line[1] for line in lines]), essences, places)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._judge(lines, essences, places)
        if isinstance(places, range):
            block.states[head + 1 : head + 1 + len(lines)] = found.states
        else:
            for line, state in zip(lines, found.states, strict=True):
                block.states[line.index] = state
        block.lines = [lines[number] for number in found.kept]
        block.own = [lines[number] for number in found.own]
        block.vlans = self._list_vlans(tuple([texts[number] for number in found.vlans]))
        block.shape = (block.capture.file, found.shape)

    def _list_vlans(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        if texts not in self._vlans:
            self._vlans[texts] = select_lines(texts)
        return self._vlans[texts]

    def _judge(self, lines: Sequence[Line], essences: Sequence[str], places: Sequence[int]) -> _Selection:
        """Return what *lines* are to their stanza; what stands below a line that is not read goes with that."""
        kept: list[int] = []
        states = [LineState.UNRECOGNISED] * len(lines)
        ignored_indent: int | None = None
        for number, (line, essence) in enumerate(zip(lines, essences, strict=True)):
            below = ignored_indent is not None and 0 < ignored_indent < line.indent
            if below or essence[:1] == "\n":
                states[number] = LineState.IGNORED if below else LineState(essence.split()[0])
                ignored_indent = ignored_indent if below else line.indent
            else:
                kept.append(number)
                ignored_indent = None
        own = tuple([number for number, line in enumerate(lines) if line.text in self._essences.own])
        vlans = tuple([number for number, line in enumerate(lines) if line.text in self._essences.vlans])
        shape = tuple((places[number], lines[number].indent, essences[number]) for number in kept)
        return _Selection(tuple(kept), own, vlans, tuple(states), shape)


def read_interfaces(running: Running, dialect: StanzaDialect[B]) -> dict[str, InterfaceStanzas[B]]:
    """Return the interfaces of all blocks; each distinct stanza is read once, and so is each sequence of stanzas.

    Places count from the head of a stanza, except where an interface has several: its body is absolute then. Raises
    BoundlessError where the VLAN lines of all interfaces are too many.
    """
    own = [block for block in running.blocks if block.stanza.kind == INTERFACE_KIND]
    bodies = read_distinct(own, find_repeated(own), _get_shape, dialect.read)
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


_DESCRIPTION = "description "


def _read_part(block: CapturedStanza, body: B, dialect: StanzaDialect[B]) -> InterfaceStanzas[B]:
    """Return what one stanza says of each of its interfaces, with the statements *body* that equal stanzas share."""
    found = InterfaceStanzas(block.capture.where(block.head.index), body, vlans=block.vlans)
    for line in block.own:
        joined = dialect.lag(line.text)
        if joined is not None:
            found.lag = Known(joined or None, Origin.INTENDED, block.capture.where(line.index))
            block.mark(line.index, LineState.MODELLED)
        elif (shared := dialect.find_number(line.text)) is not None:
            found.mlag = Known(shared or None, Origin.INTENDED, block.capture.where(line.index))
            block.mark(line.index, LineState.MODELLED)
        elif line.text.startswith(_DESCRIPTION):
            text = line.text.removeprefix(_DESCRIPTION).strip()
            found.description = Known(text, Origin.INTENDED, block.capture.where(line.index))
    return found


def _get_shape(block: CapturedStanza) -> tuple[object, ...]:
    return block.shape


def _join(parts: Sequence[InterfaceStanzas[B]], layers: Layers[B]) -> InterfaceStanzas[B]:
    """Return an interface with several stanzas: the place of the first, and the last word on each statement."""
    return InterfaceStanzas(
        parts[0].where,
        layers.join([part.body for part in parts]),
        next((part.lag for part in reversed(parts) if part.lag), None),
        next((part.mlag for part in reversed(parts) if part.mlag), None),
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


_FILTERED = regex(
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
    told = [(c, is_part(c)) for c in rest]
    parts = [c for c, is_excerpt in told if is_excerpt]
    wholes = [c for c, is_excerpt in told if not is_excerpt]
    return [*wholes[:1], *parts, *sessions], wholes[1:]
