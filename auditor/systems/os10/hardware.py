"""Speeds that a port gets from its breakout or its port-group."""

import re
from collections.abc import Callable, Iterator, Mapping

from auditor.grammar.classmaps import Mark
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Where

Speeds = dict[str, Known[float]]
"""Port or parent port to the speed in Gb/s of each port it makes."""

GROUPS: Mapping[str, Mapping[int, range]] = {
    "S5248F-ON": {
        **{group: range(4 * group - 3, 4 * group + 1) for group in range(1, 13)},
        13: range(49, 51),
        14: range(51, 53),
        **{group: range(group + 38, group + 39) for group in range(15, 19)},
    },
}
"""By model the ports of each port-group: a configuration names the groups, and only the model tells their ports."""
_BREAKOUT = re.compile(r"interface breakout (?P<port>\d+/\d+/\d+) map (?P<speed>\d{1,4})g-\dx", re.IGNORECASE)
_GROUP = re.compile(r"port-group (?P<unit>\d+/\d+)/(?P<group>\d{1,3})\Z", re.IGNORECASE)
_MODE = re.compile(r"mode Eth (?P<speed>\d{1,4})g-\dx\Z", re.IGNORECASE)
_PORT_MODE = re.compile(r"port (?P<port>\d+/\d+/\d+) mode Eth (?:(?P<speed>\d{1,4})g-\dx|disabled)\Z", re.IGNORECASE)


def read_breakout(text: str, where: Where, speeds: Speeds) -> bool:
    """Read an `interface breakout` line into *speeds*; False where it is none."""
    match = _BREAKOUT.match(text)
    if match:
        speeds[f"ethernet{match['port']}"] = Known(float(match["speed"]), Origin.INTENDED, where)
    return match is not None


def read_group(node: Node, model: str, place: Callable[[int], Where], mark: Mark, speeds: Speeds) -> None:
    """Read a port-group into *speeds*; marks each line, under a condition where the model's ports are not known."""
    group = _GROUP.match(node.text)
    if group is None:
        return
    ports = tuple(_ports_of(group, model))
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        whole, single = _MODE.match(child.text), _PORT_MODE.match(child.text)
        said = whole or single
        if said is None:
            mark(child.index, LineState.NOT_MODELLED if child.text.startswith("profile ") else LineState.UNRECOGNISED)
            continue
        named = ports if whole else (f"ethernet{said['port']}",)
        mark(child.index, LineState.MODELLED if named else LineState.CONDITIONAL)
        if said["speed"]:
            speed = Known(float(said["speed"]), Origin.INTENDED, place(child.index))
            speeds.update(dict.fromkeys(named, speed))


def _ports_of(group: re.Match[str], model: str) -> Iterator[str]:
    for number in GROUPS.get(model.upper(), {}).get(int(group["group"]), ()):
        yield f"ethernet{group['unit']}/{number}"
