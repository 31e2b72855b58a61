"""The views of an operating system: their heads, and the tables of their statements."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeAlias

from auditor.grammar.body import Own, PortBody
from auditor.grammar.configuration import Key, S, V, ViewConfig
from auditor.grammar.lines import Line, LineSyntax
from auditor.grammar.sections import Stands, StanzaSyntax
from auditor.grammar.stanzas import INTERFACE_KIND, TOP_KIND, Stanza
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.setting import Unset, Where
from auditor.util.values import dataclass

InterfaceView: TypeAlias = tuple[tuple[str, ...], tuple[Node, ...]]
"""The interfaces that a view configures, and its statements."""


@dataclass(frozen=True)
class ViewForm(Generic[V]):
    """A view that has a name: the form of its head, with the argument `name` if it may differ, and its statements.

    Without *page* the negated head is no command. `read_head` writes what the head says beside the name.
    """

    kind: str
    form: str
    example: str
    new: Callable[[Where], V]
    table: Table[V]
    page: str = ""
    read_head: Callable[[V, Arguments, Where], None] = lambda _body, _arguments, _where: None

    @cached_property
    def head(self) -> Statement[Any]:
        """Return the statement that opens the view; its negation removes the object."""
        negation = Negation(self.page, member=("objects", self._keys)) if self.page else None
        return Statement(self.form, self.example, self._open, negation)

    def _keys(self, arguments: Arguments) -> tuple[Key]:
        return ((self.kind, arguments.get("name", "")),)

    def _open(self, config: ViewConfig[Any], arguments: Arguments, where: Where) -> LineState:
        (key,) = self._keys(arguments)
        found: Any = config.objects.get(key, Unset())
        if isinstance(found, Unset):
            found = config.objects[key] = self.new(where)
        self.read_head(found, arguments, where)
        return LineState.MODELLED


@dataclass(frozen=True, eq=False)
class ViewTables(Generic[S]):
    """The statements of one operating system by the view in which they stand.

    `own` are the statements of an interface in which equal ports differ, `interface` all others. `switch` are those of
    the top level, `views` those of named views. `apart` are views that take all lines below their head or typed in
    their mode, also those that could stand at the top level.
    """

    interface: Table[PortBody]
    own: Table[Own]
    switch: Table[S]
    views: tuple[ViewForm[Any], ...]
    apart: tuple[ViewForm[Any], ...] = ()

    def find_apart(self, line: str) -> ViewForm[Any] | None:
        """Return the view apart that a line opens, None for another line."""
        text = " ".join(line.split())
        return next((view for view in self.apart if view.head.pattern.match(text)), None)

    @cached_property
    def heads(self) -> Table[ViewConfig[S]]:
        """Return the heads of the named views as statements."""
        return Table(tuple(view.head for view in self.views), self.switch.undo)

    def view(self, head: str) -> ViewForm[Any] | None:
        """Return the named view that a line opens, None for another line."""
        if not self.heads.begins(head) or self.switch.reads(head):
            return None
        return next((view for view in self.views if view.head.pattern.match(" ".join(head.split()))), None)


@dataclass(frozen=True, eq=False)
class ViewDialect(Generic[S]):
    """The configuration of one operating system.

    `opens` matches the heads of views of interfaces, of which `stanza` returns the interfaces and the statements, None
    where they are malformed. `port` matches the names of physical ports. `hostname` and `version` have the group
    `value`; `whole` matches a line that only a whole configuration has. `find_vlan_line` returns a line of an interface
    if it is one on VLANs, empty for another; without it these lines are not kept.
    """

    lines: LineSyntax
    opens: re.Pattern[str]
    stanza: Callable[[Node], InterfaceView | None]
    port: re.Pattern[str]
    tables: ViewTables[S]
    hostname: re.Pattern[str]
    version: re.Pattern[str]
    whole: re.Pattern[str]
    find_vlan_line: Callable[[str], str] | None = None

    @cached_property
    def stanzas(self) -> StanzaSyntax:
        """Return the syntax of stanzas, which are views here."""
        return StanzaSyntax(self.lines, self._find_kind, self.judge)

    def _find_kind(self, lines: Sequence[Line], index: int, above: Stanza | None) -> str:
        return _find_kind(self, above.kind if above else "", lines[index].text)

    def judge(self, kind: str, text: str) -> Stands:
        """Return where a line can stand, seen from a view of this kind."""
        return _judge(self, kind, text)

    def list_tables(self, kind: str) -> tuple[Table[Any], ...]:
        """Return the tables of the statements in views of a kind; none for a view without a reader."""
        if kind == INTERFACE_KIND:
            return (self.tables.own, self.tables.interface)
        return tuple(view.table for view in self.tables.views if view.kind == kind)

    def is_head(self, text: str) -> bool:
        """Return whether a line opens a view, removes what a view describes, or names the switch."""
        line = self.tables.switch.split(text)[1]
        is_view = self.opens.match(line) or self.tables.view(line) or self.tables.heads.reads(text)
        return bool(is_view or self.hostname.match(text))


@lru_cache(maxsize=16384)
def _find_kind(dialect: ViewDialect[Any], above: str, text: str) -> str:
    """Return the kind of view that a line opens; a line that cannot stand in the view above is one of the top level."""
    if dialect.opens.match(text):
        return INTERFACE_KIND
    view = dialect.tables.view(text)
    if view:
        return view.kind
    is_top = dialect.judge(above, text) is Stands.OUTSIDE if dialect.list_tables(above) else dialect.is_head(text)
    return TOP_KIND if is_top else ""


@lru_cache(maxsize=16384)
def _judge(dialect: ViewDialect[Any], kind: str, text: str) -> Stands:
    inside = dialect.list_tables(kind)
    if not inside or dialect.is_head(text):
        return Stands.OUTSIDE
    is_inside, is_outside = any(table.reads(text) for table in inside), dialect.tables.switch.reads(text)
    if is_inside:
        return Stands.BOTH if is_outside else Stands.INSIDE
    return Stands.OUTSIDE if is_outside else Stands.NEITHER
