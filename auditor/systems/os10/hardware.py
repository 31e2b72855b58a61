"""Speeds that a port gets from its breakout or its port-group."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from auditor.grammar.layers import NOTHING, is_silent
from auditor.grammar.rows import entries, skip
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.setting import Setting, Unset, Where
from auditor.systems.os10.statements import LINK_PAGE
from auditor.util.regex import regex
from auditor.util.values import dataclass

GROUPS: Mapping[str, Mapping[int, range]] = {
    "S5248F-ON": {
        **{group: range(4 * group - 3, 4 * group + 1) for group in range(1, 13)},
        13: range(49, 51),
        14: range(51, 53),
        **{group: range(group + 38, group + 39) for group in range(15, 19)},
    },
}
"""The ports of each port-group by model: a configuration names the groups, and the model fixes their ports."""
_GROUP = regex(r"(?P<unit>\d+/\d+)/(?P<group>\d{1,3})\Z")
_PORT = regex(r"\d+/\d+/\d+\Z")
_LANES = regex(r"(?P<speed>\d{1,4})g-\dx", re.IGNORECASE)


@dataclass(slots=True)
class LaneGroup:
    """A port-group: its members, the speed in Gb/s of the ports that it makes, and that of single ports."""

    members: tuple[str, ...]
    speed_gbps: Setting[float] = NOTHING
    ports: dict[str, Setting[float]] = field(default_factory=dict)

    def speeds(self) -> Mapping[str, Setting[float]]:
        """Return the speed of each port that a line of the group names or stands for."""
        whole = {} if is_silent(self.speed_gbps) else dict.fromkeys(self.members, self.speed_gbps)
        return {**whole, **self.ports}


def list_members(name: str, model: str) -> tuple[str, ...] | None:
    """Return the ports of the port-group *name* where the model's are known, None where it is no such name.

    >>> list_members("1/1/13", "S5248F-ON"), list_members("1/1/13", ""), list_members("x", "")
    (('ethernet1/1/49', 'ethernet1/1/50'), (), None)
    """
    match = _GROUP.match(name)
    if match is None:
        return None
    numbers = GROUPS.get(model.upper(), {}).get(int(match["group"]), ())
    return tuple(f"ethernet{match['unit']}/{number}" for number in numbers)


def parse_ports(arguments: Arguments) -> Sequence[str] | None:
    """Return the port that a line splits, None where its name is malformed."""
    return (f"ethernet{arguments['port']}",) if _PORT.match(arguments["port"]) else None


def parse_lane_speed(arguments: Arguments) -> float | None:
    """Return the speed in Gb/s of each port that a mode such as `25g-4x` makes."""
    match = _LANES.match(arguments["mode"])
    return float(match["speed"]) if match else None


def _mode(group: LaneGroup, arguments: Arguments, where: Where) -> LineState | None:
    """Write the mode of all ports of a group; under a condition where the model's ports are not known."""
    speed = parse_lane_speed(arguments)
    if speed is None:
        return None
    group.speed_gbps = setting(speed, where)
    return LineState.MODELLED if group.members else LineState.CONDITIONAL


def _disable(group: LaneGroup, arguments: Arguments, where: Where) -> LineState | None:
    """Write `port PORT mode Eth disabled`, which makes no port."""
    group.ports.update(dict.fromkeys(parse_ports(arguments) or (), Unset(where)))
    return LineState.MODELLED


PORT_GROUP: Table[LaneGroup] = Table(
    (
        Statement("mode Eth|eth {mode}", "mode Eth 25g-4x", _mode, Negation(LINK_PAGE, ("speed_gbps",))),
        Statement("port {port} mode Eth|eth disabled", "", _disable),
        entries(
            "port {port} mode Eth|eth {mode}",
            "ports",
            parse_ports,
            parse_lane_speed,
            example="port 1/1/3 mode Eth 25g-4x",
            page=LINK_PAGE,
        ),
        skip("profile {name}"),
    )
)
