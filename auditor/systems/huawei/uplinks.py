"""PFC uplink groups of VRP: packets that come down to a leaf and go up again leave in another queue."""

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from auditor.grammar.body import intend
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import parse_whole
from auditor.grammar.rows import entries
from auditor.grammar.statements import Arguments, Table
from auditor.grammar.views import list_names, make_speller
from auditor.model.device import TurnGroup
from auditor.model.setting import Known, Setting, Where
from auditor.systems.huawei.show import KINDS
from auditor.util.regex import regex
from auditor.util.values import dataclass

UPLINKS = "dcb pfc uplink group"
"""The kind of the view of an uplink group."""
_BOOK = "CloudEngine CE6800 V300R023 Command Reference"
VIEW_PAGE = f"{_BOOK}, dcb pfc uplink group"
MOVE_PAGE = f"{_BOOK}, adjust"
"""What enters and leaves by ports of the group gets the queue and the DSCP, by the DSCP that it came with."""
MEMBER_PAGE = f"{_BOOK}, group-member interface"
_spell = make_speller(KINDS)


@dataclass(slots=True)
class UplinkGroup:
    """An uplink group: its ports, and by DSCP the priority that such packets get."""

    where: Where
    name: Setting[str] = NOTHING
    ports: dict[str, Setting[bool]] = field(default_factory=dict)
    moves: dict[int, Setting[int]] = field(default_factory=dict)

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the group itself, which is in effect wherever it stands."""
        return ((UPLINKS, self.name),)


def _list_dscp(arguments: Arguments) -> tuple[int] | None:
    found = parse_whole(arguments["dscp"], range(64))
    return None if found is None else (found,)


_TABLE: Table[UplinkGroup] = Table(
    (
        entries(
            "adjust original-dscp {dscp} to priority {priority:0|1|2|3|4|5|6|7} dscp {after#}",
            "moves",
            _list_dscp,
            lambda arguments: int(arguments["priority"]),
            example="adjust original-dscp 26 to priority 4 dscp 32",
            page=MOVE_PAGE,
            every=tuple(range(64)),
        ),
        entries(
            "group-member interface {names+}",
            "ports",
            lambda arguments: list_names(_spell(arguments["names"]).split()),
            lambda _: True,
            example="group-member interface 100GE1/0/1 to 100GE1/0/4",
            page=MEMBER_PAGE,
        ),
    ),
    undo=("undo",),
    ignored=regex("description "),
)


def _read_head(group: UplinkGroup, arguments: Arguments, where: Where) -> None:
    group.name = intend(arguments["name"], where)


UPLINK_VIEW: ViewForm[Any] = ViewForm(
    UPLINKS, f"{UPLINKS} {{name}}", f"{UPLINKS} UP", UplinkGroup, _TABLE, VIEW_PAGE, _read_head
)


def find_turn_groups(config: ViewConfig[Any]) -> tuple[TurnGroup, ...]:
    """Return the uplink groups of the switch."""
    groups = (found for found in config.objects.values() if isinstance(found, UplinkGroup))
    return tuple(
        TurnGroup(
            ports=frozenset(name for name, said in each.ports.items() if isinstance(said, Known)),
            moves={dscp: said.value for dscp, said in each.moves.items() if isinstance(said, Known)},
            where=each.where,
        )
        for each in groups
    )
