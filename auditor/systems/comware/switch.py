"""The statements of Comware for all ports: PFC, deadlock detection, priority maps, WRED tables."""

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from auditor.grammar.body import PortBody, QueueStatements
from auditor.grammar.dialect import ViewForm
from auditor.grammar.interfaces import parse_numbers
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import choice, entries, number, skip, value, within, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.grammar.viewrouting import build_static_route
from auditor.model.dump import LineState
from auditor.model.port import WatchdogAction
from auditor.model.setting import Setting, Where
from auditor.model.spreading import HashField
from auditor.systems.comware.buffers import POOL
from auditor.systems.comware.policies import POLICY, POLICY_PAGE, POLICY_VIEWS
from auditor.systems.comware.spreading import LOAD_SHARING
from auditor.systems.comware.statements import (
    IGNORED,
    NOT_MODELLED,
    PFC,
    PFC_PAGE,
    UNDO,
    UNDO_PAGE,
    WRED_TABLE,
    list_wred,
)
from auditor.util.values import dataclass

MAP_TABLE = "qos map-table"
MAPS = ("dot1p-lp", "dscp-dot1p", "dscp-lp")
"""The tables that are modelled; each is there by default."""


@dataclass(slots=True)
class Comware:
    """The statements for the whole switch; `ports` are those of PFC that hold for all ports.

    `watched` are the local precedences with a deadlock timer. `learns_ecn`: the switch sets its thresholds of ECN by
    itself. `pools` are the headrooms that ports share, `policy` is that for what arrives at any port,
    `hash_fields` what the hash over equal-cost paths reads, empty for the default.
    """

    ports: PortBody = field(default_factory=lambda: PortBody(Where("", 0)))
    watched: dict[int, Setting[bool]] = field(default_factory=dict)
    action: Setting[WatchdogAction] = NOTHING
    learns_ecn: Setting[bool] = NOTHING
    pools: dict[str, Setting[int]] = field(default_factory=dict)
    policy: Setting[str] = NOTHING
    static_routes: dict[tuple[str, str], Setting[str]] = field(default_factory=dict)
    hash_fields: Setting[frozenset[HashField]] = NOTHING

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the policy of all ports, by its kind."""
        return ((POLICY, self.policy),)


@dataclass(slots=True)
class MapTable:
    """A table of priorities, by the value that comes in."""

    where: Where
    values: dict[int, Setting[int]] = field(default_factory=dict)


def _learns(form: str) -> Statement[Comware]:
    def write(switch: Comware, _: Arguments, where: Where) -> LineState:
        switch.learns_ecn = setting(found=True, where=where)
        return LineState.NOT_MODELLED

    return Statement(f"{form} ...", form, write, Negation(UNDO_PAGE, ("learns_ecn",)))


_ACTIONS = {"discard": WatchdogAction.DROP, "forwarding": WatchdogAction.FORWARD}
SWITCH: Table[Comware] = Table(
    (
        entries(
            "priority-flow-control deadlock cos {cos} interval {time} [pause-recover]",
            "watched",
            lambda arguments: parse_numbers(arguments["cos"], 7),
            lambda _: True,
            example="priority-flow-control deadlock cos 3 interval 10",
            page=PFC_PAGE,
            every=tuple(range(8)),
        ),
        value(
            "priority-flow-control deadlock auto-recover action {action}",
            "action",
            choice(_ACTIONS),
            example="priority-flow-control deadlock auto-recover action discard",
            page=PFC_PAGE,
        ),
        POOL,
        LOAD_SHARING,
        build_static_route(UNDO_PAGE),
        replace(
            value(
                "qos apply policy {name} global inbound",
                "policy",
                word,
                example="qos apply policy SORT global inbound",
                page=POLICY_PAGE,
            ),
            least=5,
        ),
        *within(lambda switch, _arguments, _where: (switch.ports,), *PFC),
        skip("priority-flow-control ...", LineState.UNRECOGNISED),
        _learns("ai-service"),
        _learns("ai-ecn"),
    ),
    undo=UNDO,
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


def _map(name: str) -> ViewForm[MapTable]:
    highest = 63 if name.startswith("dscp") else 7
    table: Table[MapTable] = Table(
        (
            entries(
                "import {values+} export {to}",
                "values",
                lambda arguments: parse_numbers(arguments["values"], highest),
                lambda arguments: number(0, 7)(arguments["to"]),
                example="import 3 to 4 export 3",
                page=UNDO_PAGE,
            ),
        ),
        undo=UNDO,
    )
    return ViewForm(MAP_TABLE, f"qos map-table [inbound] {{name:{name}}}", f"qos map-table {name}", MapTable, table)


_WRED: Table[QueueStatements] = Table(list_wred(""), undo=UNDO)
VIEWS: tuple[ViewForm[Any], ...] = (
    *map(_map, MAPS),
    ViewForm(WRED_TABLE, "qos wred queue table {name}", "qos wred queue table ROCE", QueueStatements, _WRED, UNDO_PAGE),
    *POLICY_VIEWS,
)
