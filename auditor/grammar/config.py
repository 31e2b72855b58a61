"""Statements from running configurations and sessions, each with its line; no reference is followed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Generic

from auditor.grammar.body import Own, PortBody
from auditor.grammar.configuration import InterfaceViews, Key, S, ViewConfig
from auditor.grammar.dialect import ViewDialect, ViewForm
from auditor.grammar.history import Extent, Layers
from auditor.grammar.running import is_filtered, read_first_whole
from auditor.grammar.sections import Stands, cut
from auditor.grammar.sharing import find_repeated, hide_address, read_distinct
from auditor.grammar.stanzas import INTERFACE_KIND, Place
from auditor.grammar.tree import Node
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unset, Where
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class _Orphan:
    """A line that stands in no view, with the capture that it stands in and the states of that capture's lines."""

    capture: Capture
    states: list[LineState]
    node: Node


@dataclass(slots=True)
class _Block:
    """A view of interfaces to read; `is_removal`: it takes them back. `orphans` are lines that may belong to it."""

    capture: Capture
    states: list[LineState]
    head: Node
    names: tuple[str, ...]
    lines: tuple[Node, ...] = ()
    is_removal: bool = False
    orphans: list[_Orphan] = field(default_factory=list)


def read_config(captures: Sequence[Capture], dialect: ViewDialect[S], new: Callable[[], S]) -> ViewConfig[S]:
    """Return the statements of the running configurations and sessions of one switch.

    A whole configuration comes first, excerpts of it follow, then sessions. Of several whole ones the first counts.
    """
    return read_first_whole(
        captures,
        dialect.lines,
        lambda own: _Reader(own, dialect, new()).read(),
        lambda capture: not _is_whole(capture, dialect),
    )


def _is_whole(capture: Capture, dialect: ViewDialect[S]) -> bool:
    is_told = any(dialect.whole.match(line) or dialect.hostname.match(line) for line in capture.lines)
    return is_told and not is_filtered(capture)


class _Reader(Generic[S]):
    def __init__(self, captures: Sequence[Capture], dialect: ViewDialect[S], switch: S) -> None:
        self._captures, self._dialect = captures, dialect
        self._config = ViewConfig(captures[0].file, switch)
        self._blocks: list[_Block] = []
        self._opened: dict[str, _Block | Key] = {}
        self._extent, self._line_extent = Extent("interfaces"), Extent("lines of interfaces")
        self._essences: dict[str, str] = {}

    def read(self) -> ViewConfig[S]:
        config = self._config
        for capture in self._captures:
            sections = cut(capture.lines, self._dialect.stanzas)
            config.states[id(capture)] = sections.states
            config.lines.append((capture, sections.lines))
            self._header(capture, sections.states)
            for stanza in sections.stanzas:
                head, *below = (Node(sections.lines[index].text, index) for index in (stanza.head, *stanza.body))
                self._node(capture, sections.states, Node(head.text, head.index, tuple(below)))
        self._interfaces()
        return config

    def _header(self, capture: Capture, states: list[LineState]) -> None:
        """Read the release, in a comment or a line of its own, and the signs of a whole configuration."""
        config, dialect = self._config, self._dialect
        for index, line in enumerate(capture.lines):
            version = dialect.version.match(line) if config.version is None else None
            if version:
                config.version = Known(version["value"], Origin.LEARNED, capture.where(index))
                states[index] = LineState.MODELLED
        config.complete = config.complete or _is_whole(capture, dialect)

    def _node(self, capture: Capture, states: list[LineState], node: Node) -> None:
        """Read a line of the top level and the lines below it."""
        config, dialect = self._config, self._dialect
        undo, text = dialect.tables.switch.split(node.text)
        opens = dialect.opens.match(text)
        found = dialect.stanza(Node(text, node.index, node.children)) if opens else None
        where = capture.where(node.index)
        if found is not None:
            self._extent.take(len(found[0]), capture, node.index)
            block = _Block(capture, states, node, *found, is_removal=bool(undo))
            _mark(states, node, LineState.MODELLED)
            self._blocks.append(block)
            self._open(INTERFACE_KIND, block)
        elif hostname := dialect.hostname.match(node.text):
            config.name = Known(hostname["value"].strip('"'), Origin.INTENDED, where)
            states[node.index] = LineState.MODELLED
        elif dialect.tables.switch.reads(node.text):
            state = dialect.tables.switch.read(config.switch, node.text, where)
            states[node.index] = state
            for child in node.children:
                states[child.index] = state if state is LineState.NOT_MODELLED else LineState.UNRECOGNISED
        elif dialect.tables.heads.reads(node.text):
            self._view(capture, states, node)
        elif apart := dialect.tables.find_apart(text):
            self._read_apart(apart, capture, states, node, is_removal=bool(undo))
        else:
            self._mark_unread(capture, states, node)

    def _view(self, capture: Capture, states: list[LineState], node: Node) -> None:
        config, dialect = self._config, self._dialect
        states[node.index] = dialect.tables.heads.read(config, node.text, capture.where(node.index))
        view = dialect.tables.view(node.text)
        match = view.head.pattern.match(" ".join(node.text.split())) if view else None
        if view is None or match is None:
            return
        key = (view.kind, match.groupdict().get("name") or "")
        self._open(view.kind, key)
        for child in node.children:
            states[child.index] = view.table.read(config.objects[key], child.text, capture.where(child.index))

    def _read_apart(
        self, view: ViewForm[Any], capture: Capture, states: list[LineState], node: Node, *, is_removal: bool
    ) -> None:
        """Read a view apart with the lines below its head, or take it back."""
        where, key = capture.where(node.index), (view.kind, "")
        states[node.index] = LineState.MODELLED
        if is_removal:
            self._config.objects[key] = Unset(where)
            return
        found: Any = self._config.objects.get(key, Unset())
        if isinstance(found, Unset):
            found = self._config.objects[key] = view.new(where)
        match = view.head.pattern.match(" ".join(node.text.split()))
        view.read_head(found, match.groupdict() if match else {}, where)
        for child in node.children:
            states[child.index] = view.table.read(found, child.text, capture.where(child.index))

    def _open(self, kind: str, opened: _Block | Key) -> None:
        """Keep the last view of a kind; the kind that was opened last stands last."""
        self._opened.pop(kind, None)
        self._opened[kind] = opened

    def _mark_unread(self, capture: Capture, states: list[LineState], node: Node) -> None:
        """Mark a view without a reader by its head; a view whose head was read has its states.

        A line that can only stand in a view makes unknown what it would write in the last one of its kind.
        """
        if states[node.index] is LineState.MODELLED:
            return
        _mark(states, node, self._dialect.tables.switch.state_of(self._dialect.tables.switch.split(node.text)[1]))
        kinds = (kind for kind in reversed(self._opened) if self._dialect.judge(kind, node.text) is Stands.INSIDE)
        owner = self._opened.get(next(kinds, ""))
        if isinstance(owner, _Block):
            owner.orphans.append(_Orphan(capture, states, node))
        elif owner and (view := next(view for view in self._dialect.tables.views if view.kind == owner[0])):
            body, where = self._config.objects[owner], capture.where(node.index)
            if not isinstance(body, Unset):
                states[node.index] = view.table.doubt(body, node.text, _UNCLAIMED, where)

    def _interfaces(self) -> None:
        """Read each distinct view of an interface once: ports with equal views share its statements."""
        kept = [block for block in self._blocks if not block.is_removal]
        bodies = iter(read_distinct(kept, find_repeated(self._blocks), self._shape, self._body))
        parts = [_make_bare(each) if each.is_removal else self._read_part(each, next(bodies)) for each in self._blocks]
        layers, own_layers = Layers[PortBody](), Layers[Own]()
        joined: dict[tuple[int, ...], InterfaceViews] = {}
        for name, numbers in self._list_histories().items():
            if numbers not in joined:
                several = [parts[number] for number in numbers]
                body = layers.join([part.body for part in several])
                own = own_layers.join([part.own for part in several])
                vlans, network = self._join_lines(numbers, several)
                joined[numbers] = InterfaceViews(several[0].where, body, own, vlans, network)
            self._config.interfaces[name] = joined[numbers]

    def _list_histories(self) -> Mapping[str, tuple[int, ...]]:
        """Return the numbers of the views of each interface that count.

        Where interfaces are taken back, a port loses its statements, and another interface is gone.
        """
        found: dict[str, list[int]] = {}
        for number, block in enumerate(self._blocks):
            for name in block.names:
                if not block.is_removal:
                    found.setdefault(name, []).append(number)
                elif self._dialect.port.match(name):
                    found[name] = [number]
                else:
                    found.pop(name, None)
        return {name: tuple(numbers) for name, numbers in found.items()}

    def _shape(self, block: _Block) -> tuple[object, ...] | None:
        """Return what equal views have in common: not the port's own description, address and port-channel.

        None for a view to which a line elsewhere may belong.
        """
        if block.orphans:
            return None
        lines = tuple((line.index - block.head.index, self._essence(line.text)) for line in block.lines)
        return block.capture.file, lines

    def _essence(self, text: str) -> str:
        """Return what equal views have in common of a line; empty for a line in which they differ."""
        if text not in self._essences:
            is_own = self._dialect.tables.own.reads(text)
            self._essences[text] = "" if is_own else hide_address(text)
        return self._essences[text]

    def _body(self, block: _Block, place: Place) -> PortBody:
        body = PortBody(place(block.head.index))
        for node in block.lines:
            if self._essence(node.text):
                block.states[node.index] = self._dialect.tables.interface.read(body, node.text, place(node.index))
        for orphan in block.orphans:
            where = orphan.capture.where(orphan.node.index)
            state = self._dialect.tables.interface.doubt(body, orphan.node.text, _UNCLAIMED, where)
            orphan.states[orphan.node.index] = state
        return body

    def _read_part(self, block: _Block, body: PortBody) -> InterfaceViews:
        """Return what one view says of each of its interfaces, with the statements *body* that equal views share."""
        own, where = Own(), block.capture.where
        for line in block.lines:
            if not self._essence(line.text):
                block.states[line.index] = self._dialect.tables.own.read(own, line.text, where(line.index))
        network = tuple(
            (line.text, where(line.index))
            for line in (block.lines if self._dialect.find_vlan_line else ())
            if line.text.startswith(_NETWORK)
        )
        return InterfaceViews(where(block.head.index), body, own, self._list_vlan_lines(block), network)

    def _list_vlan_lines(self, block: _Block) -> tuple[str, ...]:
        find = self._dialect.find_vlan_line
        return tuple(filter(None, (find(line.text) for line in block.lines))) if find else ()

    def _join_lines(
        self, numbers: Sequence[int], parts: Sequence[InterfaceViews]
    ) -> tuple[tuple[str, ...], tuple[tuple[str, Where], ...]]:
        """Return the lines on VLANs and those on addresses of all views of an interface in their order."""
        if len(parts) == 1:
            return parts[0].vlans, parts[0].network
        last, count = self._blocks[numbers[-1]], sum(len(part.vlans) + len(part.network) for part in parts)
        self._line_extent.take(count, last.capture, last.head.index)
        vlans = tuple(line for part in parts for line in part.vlans)
        return vlans, tuple(line for part in parts for line in part.network)


def _make_bare(block: _Block) -> InterfaceViews:
    """Return a port that was taken back."""
    where = block.capture.where(block.head.index)
    return InterfaceViews(where, PortBody(where), Own())


_NETWORK = ("ip address ", "ipv6 address ", "undo ip address", "undo ipv6 address", "ip binding vpn-instance ")
_UNCLAIMED = "a line that sets this stands in no stanza"


def _mark(states: list[LineState], node: Node, state: LineState) -> None:
    """Set the state of a line and of all lines below it."""
    for each in (node, *node.children):
        states[each.index] = state
