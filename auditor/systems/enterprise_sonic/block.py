"""Blocks of command lines whose statements become fields of database entries."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from auditor.grammar.assign import Assigns
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Known, Setting, Unknown, Where
from auditor.systems.enterprise_sonic.store import Place, Writer
from auditor.systems.sonic.vocabulary import MODELLED, UNRECOGNISED
from auditor.util.values import dataclass

QOS_PAGE = "sonic-net/SONiC, doc/SONiC_QoS_Mgmt_HLD-1.1.md, 3.2.2.1"
PFC_PAGE = "project-arlo/SONiC, doc/qos, PFC management HLD, 3.3.2"
ROCE_PAGE = "project-arlo/SONiC, doc/qos/SONiC_ROCEv2_support.md (RoCEv2 HLD for 4.1), 3.6.2.2"
_MODULES = "https://ansible-community.github.io/package-doc-builds/collections/dellemc/enterprise_sonic"
INTERFACES_PAGE = f"{_MODULES}/sonic_interfaces_module.html"
QOS_INTERFACES_PAGE = f"{_MODULES}/sonic_qos_interfaces_module.html"
L2_PAGE = f"{_MODULES}/sonic_l2_interfaces_module.html"
BUFFER_PAGE = f"{_MODULES}/sonic_qos_buffer_module.html"
VXLAN_PAGE = (
    "https://docs.ansible.com/projects/ansible/14/collections/dellemc/enterprise_sonic/sonic_vxlans_module.html"
)
BREAKOUT_PAGE = f"{_MODULES}/sonic_port_breakout_module.html"
L3_PAGE = "https://docs.ansible.com/ansible/6/collections/dellemc/enterprise_sonic/sonic_l3_interfaces_module.html"
LAG_PAGE = (
    "https://docs.ansible.com/ansible/devel/collections/dellemc/enterprise_sonic/sonic_lag_interfaces_module.html"
)
SYSTEM_PAGE = "https://docs.ansible.com/ansible/4/collections/dellemc/enterprise_sonic/sonic_system_module.html"
"""The pages of Dell's modules show what the switch does when a setting is deleted."""


@dataclass(slots=True)
class QosBlock(Assigns):
    """A block of statements that line `head` opens, indented by `indent`."""

    writer: Writer
    head: int
    indent: int

    @property
    @abstractmethod
    def table(self) -> Table[Any]:
        """Return the statements of the block."""

    @abstractmethod
    def places(self, name: str, member: object = None) -> Iterable[Place]:
        """Yield the fields of the database that the setting *name* is, or its entry *member*."""

    @property
    def start(self) -> int:
        """Return the line that begins the entries of the block."""
        return self.head

    def open(self) -> LineState:
        """Begin the entries of the block."""
        return MODELLED

    def read(self, text: str, where: Where) -> LineState | None:
        """Return the state of a line, None if the line is not part of the block."""
        return self.table.read(self, text, where) if self.table.begins(text) else None

    def doubt(self, text: str, why: str) -> bool:
        """Make the settings of a line outside the block unknown; return whether it has any."""
        begins = self.table.begins(text)
        if begins:
            self.table.doubt(self, text, why)
        return begins

    def put(self, texts: Mapping[str, str], where: Where, member: object = None) -> LineState:
        """Keep settings by name, or their entry *member*; return the state of their line."""
        index = self.writer.index(where)
        states = {
            self.writer.put(table, key, {field: text}, index, self.start)
            for name, text in texts.items()
            for table, key, field in self.places(name, member)
        }
        return UNRECOGNISED if UNRECOGNISED in states else MODELLED

    def put_each(self, name: str, text: str, where: Where, members: Iterable[object]) -> LineState:
        """Keep one text for several entries of a setting; return the state of their line."""
        states = {self.put({name: text}, where, member) for member in members}
        return UNRECOGNISED if UNRECOGNISED in states else MODELLED

    def assign(self, name: str, found: Setting[str]) -> None:
        """Keep the setting of a field."""
        self._assign(self.places(name), found)

    def assign_members(self, name: str, keys: Iterable[Any], found: Setting[str]) -> None:
        """Keep the setting of entries of a field."""
        for key in keys:
            self._assign(self.places(name, key), found)

    def _assign(self, places: Iterable[Place], found: Setting[str]) -> None:
        where = None if isinstance(found, Unknown) else found.where
        index = self.writer.index(where) if where else self.start
        why = found.why if isinstance(found, Unknown) else ""
        for table, key, field in places:
            if isinstance(found, Known):
                self.writer.put(table, key, {field: found.value}, index, self.start)
            elif field:
                self.writer.blank((table, key, field), index, self.start, why)
            elif not why:
                self.writer.remove(table, key, index)


def field(  # noqa: PLR0913  the columns of a row
    form: str,
    name: str,
    *,
    example: str,
    page: str,
    convert: Callable[[str], str | None] | None = None,
    state: LineState = MODELLED,
) -> Statement[QosBlock]:
    """Return a statement that writes its `value` into a field, as *convert* returns it; without *convert* one word."""
    to_text = convert or parse_word

    def write(body: QosBlock, arguments: Arguments, where: Where) -> LineState | None:
        text = to_text(arguments["value"])
        if text is None:
            return None
        written = body.put({name: text}, where)
        return state if written is MODELLED else written

    return Statement(form, example, write, Negation(page, (name,)))


def parse_word(text: str) -> str | None:
    """Return *text* where it is one word, else None.

    >>> parse_word("9216"), parse_word("9216 bytes"), parse_word("")
    ('9216', None, None)
    """
    return text if text and " " not in text else None
