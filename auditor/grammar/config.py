"""A running configuration read into the statements that matter, each with its line; nothing is resolved yet."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from auditor.grammar.body import Body
from auditor.grammar.layers import laid_over, later
from auditor.grammar.tree import Node
from auditor.grammar.views import Syntax, views
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where

S = TypeVar("S")
MAX_PORTS = 65_536
"""No switch has so many; views of interfaces beyond are not read, so that ranges cannot grow a dump without bound."""
Place: TypeAlias = Callable[[int], Where]
Reader: TypeAlias = Callable[[Body, Sequence[str], Where, bool], LineState | None]
"""Reads a statement of an interface: its words, its place, whether it is negated; None where it is malformed."""
Stanza: TypeAlias = tuple[tuple[str, ...], tuple[Node, ...]]
"""The interfaces that a view speaks of, and its statements."""
Own: TypeAlias = tuple[Known[str] | None, Known[str] | None]


@dataclass(slots=True)
class Written:
    """One interface as written: its view's head, the statements (shared by equal views), and its own lines."""

    where: Where
    body: Body
    lag: Known[str] | None = None
    description: Known[str] | None = None


@dataclass(slots=True)
class Config(Generic[S]):
    """All statements of a running configuration.

    `system` holds what is written for the whole switch, `defined` the named objects by kind and name, `used` those that
    the switch itself uses. `complete` tells a whole configuration from an excerpt, of which nothing silent may be
    concluded.
    """

    file: str
    states: list[LineState]
    system: S
    complete: bool = False
    name: Known[str] | None = None
    version: Known[str] | None = None
    interfaces: dict[str, Written] = field(default_factory=dict)
    defined: dict[tuple[str, str], Where] = field(default_factory=dict)
    used: dict[tuple[str, str], Where] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialect(Generic[S]):
    """How one operating system writes its configuration.

    `stanza` returns what a view says of interfaces, None for another view, which `block` reads, and tells whether it
    knew it. `known` are statements that are recognised and not modelled, `irrelevant` those without quality of service.
    `hostname`, `version` and `member` have the group `value`; `whole` is what only a whole configuration has.
    """

    syntax: Syntax
    negation: str
    stanza: Callable[[Node], Stanza | None]
    readers: Mapping[str, Reader]
    block: Callable[[Config[S], Node, Place], bool]
    hostname: re.Pattern[str]
    version: re.Pattern[str]
    whole: re.Pattern[str]
    member: re.Pattern[str]
    lag: Callable[[str], str]
    known: re.Pattern[str]
    irrelevant: re.Pattern[str]


def read_config(capture: Capture, dialect: Dialect[S], system: S) -> Config[S]:
    """Return the statements of the running configuration *capture*; the state of each line is in `states`."""
    nodes, states = views(capture.lines, dialect.syntax)
    config = Config(capture.file, states, system)
    _header(config, capture, dialect)
    stanzas: list[tuple[Node, Stanza]] = []
    left = MAX_PORTS
    for node in nodes:
        found = dialect.stanza(node) if left > 0 else None
        if found is not None:
            left -= len(found[0])
            mark(config, node, LineState.MODELLED)
            stanzas.append((node, found))
        elif not _hostname(config, capture, dialect, node) and not dialect.block(config, node, capture.where):
            _unread(config, dialect, node)
    _interfaces(config, capture, dialect, stanzas)
    return config


def _header(config: Config[S], capture: Capture, dialect: Dialect[S]) -> None:
    """Read the release, which stands in a comment or a line of its own, and what tells a whole configuration."""
    for index, line in enumerate(capture.lines):
        version = dialect.version.match(line) if config.version is None else None
        if version:
            config.version = Known(version["value"], Origin.LEARNED, capture.where(index))
            config.states[index] = LineState.MODELLED
        config.complete = config.complete or dialect.whole.match(line) is not None


def _hostname(config: Config[S], capture: Capture, dialect: Dialect[S], node: Node) -> bool:
    found = dialect.hostname.match(node.text)
    if found:
        config.name = Known(found["value"].strip('"'), Origin.INTENDED, capture.where(node.index))
        config.states[node.index] = LineState.MODELLED
    return found is not None


def _unread(config: Config[S], dialect: Dialect[S], node: Node) -> None:
    """Mark a view that nobody reads by its head; one whose head was read before has its states."""
    if config.states[node.index] is LineState.MODELLED:
        return
    state = _state(dialect, node.text)
    for each in (node, *node.children):
        config.states[each.index] = state


def _state(dialect: Dialect[S], text: str) -> LineState:
    bare = text.removeprefix(f"{dialect.negation} ")
    if dialect.known.match(bare):
        return LineState.NOT_MODELLED
    return LineState.IGNORED if dialect.irrelevant.match(bare) else LineState.UNRECOGNISED


def _interfaces(
    config: Config[S], capture: Capture, dialect: Dialect[S], stanzas: Sequence[tuple[Node, Stanza]]
) -> None:
    """Read each distinct view of an interface once: ports with equal views share its statements."""
    count = Counter(name for _, (names, _) in stanzas for name in names)
    read: dict[tuple[object, ...], tuple[tuple[Node, ...], Body]] = {}
    for node, (names, lines) in stanzas:
        head = node.index
        is_shared = all(count[name] == 1 for name in names)
        place = _relative(capture, head) if is_shared else capture.where
        key = tuple((n.index - head, _essence(dialect, n.text)) for n in lines) if is_shared else (head,)
        if key not in read:
            read[key] = lines, _body(config, dialect, place(head), lines, place)
        template, body = read[key]
        for here, there in zip(lines, template, strict=True):
            config.states[here.index] = config.states[there.index]
        config.states[head] = LineState.MODELLED
        own = _own(capture, dialect, lines)
        for name in names:
            _keep(config, name, capture.where(head), body, own)


def _relative(capture: Capture, head: int) -> Place:
    return lambda index: Where(capture.file, index - head, relative=True)


def _essence(dialect: Dialect[S], text: str) -> str:
    """Return what equal views have in common of a line: not the port's own description, address and port-channel."""
    for own in ("description ", "ip address "):
        if text.startswith(own):
            return own
    return "member" if dialect.member.match(text) else text


def _body(config: Config[S], dialect: Dialect[S], head: Where, lines: Sequence[Node], place: Place) -> Body:
    body = Body(head)
    for node in lines:
        text = node.text.removeprefix(f"{dialect.negation} ")
        words = text.split()
        reader = dialect.readers.get(words[0]) if words else None
        if dialect.member.match(node.text) or text.startswith("description "):
            config.states[node.index] = LineState.MODELLED
        elif reader is None:
            config.states[node.index] = _state(dialect, node.text)
        else:
            state = reader(body, words, place(node.index), text != node.text)
            config.states[node.index] = state or LineState.UNRECOGNISED
    return body


def _own(capture: Capture, dialect: Dialect[S], lines: Sequence[Node]) -> Own:
    """Return the port-channel and the description of a view, None where it has none."""
    lag: Known[str] | None = None
    description: Known[str] | None = None
    for line in lines:
        member = dialect.member.match(line.text)
        if member:
            lag = Known(dialect.lag(member["value"]), Origin.INTENDED, capture.where(line.index))
        elif line.text.startswith("description "):
            told = line.text.removeprefix("description ").strip().strip('"')
            description = Known(told, Origin.INTENDED, capture.where(line.index))
    return lag, description


def _keep(config: Config[S], name: str, head: Where, body: Body, own: Own) -> None:
    """File the statements of a view under one of its interfaces, over those of an earlier view."""
    before = config.interfaces.get(name)
    lag, description = own
    if before is None:
        config.interfaces[name] = Written(head, body, lag, description)
        return
    merged = laid_over(before.body, body, later)
    config.interfaces[name] = Written(before.where, merged, lag or before.lag, description or before.description)


def mark(config: Config[S], node: Node, state: LineState) -> None:
    """Set the state of a line and of all lines below it."""
    for each in (node, *node.children):
        config.states[each.index] = state
