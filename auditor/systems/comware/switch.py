"""What a Comware switch has written for all its ports: PFC, deadlock detection, priority maps, WRED tables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.grammar.body import Body, QueueBody, known
from auditor.grammar.config import Config, Place, mark
from auditor.grammar.interfaces import numbers
from auditor.grammar.layers import NOTHING
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.port import WatchdogAction
from auditor.model.setting import Known, Setting, Where
from auditor.systems.comware.interfaces import WRED_TABLE, pfc, wred


@dataclass(slots=True)
class Comware:
    """What is written for the whole switch; `ports` are the statements of PFC that hold for all ports.

    `maps` are keyed by the name of the table; `watched` are the local precedences with a deadlock timer.
    """

    ports: Body
    maps: dict[str, dict[int, Known[int]]] = field(default_factory=dict)
    tables: dict[str, dict[int, QueueBody]] = field(default_factory=dict)
    watched: dict[int, Where] = field(default_factory=dict)
    action: Setting[WatchdogAction] = NOTHING
    learns_ecn: bool = False
    """Whether the switch sets its thresholds of ECN by itself."""


_HIGHEST: Mapping[str, tuple[int, int]] = {
    "dot1p-lp": (7, 7),
    "dscp-dot1p": (63, 7),
    "dscp-lp": (63, 7),
}
"""The tables that are modelled, with the highest value that they import and export."""
_ENTRY = re.compile(r"import (?P<values>\d[\d to]*?) export (?P<to>\d)\Z")
_TIMER = re.compile(r"priority-flow-control deadlock cos (?P<cos>[0-7]) interval \d+(?: pause-recover)?\Z")
_ACTION = re.compile(r"priority-flow-control deadlock auto-recover action (?P<action>discard|forwarding)\Z")
_ACTIONS = {"discard": WatchdogAction.DROP, "forwarding": WatchdogAction.FORWARD}


def block(config: Config[Comware], node: Node, place: Place) -> bool:
    """Read a view or line of the whole switch."""
    words, where = node.text.split(), place(node.index)
    if words[:2] == ["qos", "map-table"] and len(words) > 2:  # noqa: PLR2004  and its name
        _map_table(config, node, words[-1], place)
    elif node.text.startswith(f"{WRED_TABLE} ") and len(words) > 4:  # noqa: PLR2004  and its name
        _wred_table(config, node, words[-1], place)
    elif timer := _TIMER.match(node.text):
        config.system.watched[int(timer["cos"])] = where
        config.states[node.index] = LineState.MODELLED
    elif action := _ACTION.match(node.text):
        config.system.action = known(_ACTIONS[action["action"]], where)
        config.states[node.index] = LineState.MODELLED
    elif words[0] == "priority-flow-control":
        state = pfc(config.system.ports, words, where, undo=False)
        config.states[node.index] = state or LineState.UNRECOGNISED
    elif words[0] in {"ai-service", "ai-ecn"}:
        config.system.learns_ecn = True
        mark(config, node, LineState.NOT_MODELLED)
    else:
        return False
    return True


def _map_table(config: Config[Comware], node: Node, name: str, place: Place) -> None:
    highest = _HIGHEST.get(name)
    if highest is None:
        mark(config, node, LineState.NOT_MODELLED)
        return
    config.states[node.index] = LineState.MODELLED
    table = config.system.maps.setdefault(name, {})
    for child in node.children:
        entry = _ENTRY.match(child.text)
        values = numbers(entry["values"], highest[0]) if entry else None
        if entry and values is not None and int(entry["to"]) <= highest[1]:
            table.update(dict.fromkeys(values, known(int(entry["to"]), place(child.index))))
            config.states[child.index] = LineState.MODELLED


def _wred_table(config: Config[Comware], node: Node, name: str, place: Place) -> None:
    config.states[node.index] = LineState.MODELLED
    config.defined.setdefault((WRED_TABLE, name), place(node.index))
    queues = config.system.tables.setdefault(name, {})
    for child in node.children:
        text = child.text.removeprefix("undo ")
        state = wred(queues, text, place(child.index), undo=text != child.text)
        config.states[child.index] = state or LineState.UNRECOGNISED
