"""The statements that classes of a policy map share: marking, pauses, shares of the bandwidth, and order of service."""

from dataclasses import field, fields
from functools import partial
from typing import Any

from auditor.grammar.policing import parse_police
from auditor.grammar.rows import number, skip, value
from auditor.grammar.statements import Arguments, Negation, Statement, setting
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler
from auditor.model.setting import Known, Origin, Setting, Unset, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(slots=True)
class ClassActions:
    """A class inside a policy map; each field is one statement, Unset at the head of the class without one.

    `qos_group` is the internal class that it chooses, `pause` whether it is never dropped. `bandwidth` is a share in
    percent of what `basis` names, `weight` a share of the sum of all weights. `level` orders strict classes.
    """

    class_name: str
    where: Where
    qos_group: Setting[int] = field(init=False)
    dscp: Setting[int] = field(init=False)
    cos: Setting[int] = field(init=False)
    police: Setting[float] = field(init=False)
    pause: Setting[bool] = field(init=False)
    bandwidth: Setting[float] = field(init=False)
    basis: Setting[str] = field(init=False)
    weight: Setting[int] = field(init=False)
    scheduler: Setting[Scheduler] = field(init=False)
    level: Setting[int] = field(init=False)
    shape_gbps: Setting[float] = field(init=False)
    queue_limit: Setting[int] = field(init=False)

    def __post_init__(self) -> None:
        for each in fields(self):
            if not each.init:
                setattr(self, each.name, Unset(self.where))


_SHARE = regex(r"(?P<rest>remaining )?percent (?P<percent>\d{1,3})\Z")


def write_share(action: ClassActions, arguments: Arguments, where: Where) -> LineState | None:
    """Write `bandwidth [remaining] percent N`."""
    match = _SHARE.match(arguments["share"])
    share = number(0, 100)(match["percent"]) if match else None
    if match is None or share is None:
        return None
    action.bandwidth = setting(float(share), where)
    action.basis = setting("remaining" if match["rest"] else "line", where)
    return LineState.MODELLED


_HIGHEST = 8


def _write_priority(levels: range, action: ClassActions, arguments: Arguments, where: Where) -> LineState | None:
    """Write `priority [level N]`, of which level 1 is served first."""
    level = number(levels[0], levels[-1])(arguments.get("level", "1"))
    if level is None:
        return None
    action.scheduler = setting(Scheduler.STRICT, where)
    action.level = setting(_HIGHEST - level, where)
    return LineState.MODELLED


def list_class_rows(page: str, levels: range) -> tuple[Statement[Any], ...]:
    """Return the statements that classes share; those of other words behind `set` come before them in a table.

    *levels* are those of `priority`; *page* documents the commands and their `no` forms.
    """
    write = partial(_write_priority, levels)
    off = Negation(page, ("scheduler", "level"))
    return (
        value("set cos {cos}", "cos", number(0, 7), example="set cos 3", page=page),
        skip("set {words+}"),
        value("police {rate+}", "police", parse_police, example="police cir 100 gbps", page=page),
        Statement("priority", "priority", write, off),
        Statement("priority level {level} ...", "priority level 1", write, off),
    )


def find_scheduler(action: ClassActions) -> Setting[Scheduler]:
    """Return the scheduler of a queue: a share of the bandwidth makes it weighted."""
    share = next((each for each in (action.weight, action.bandwidth) if isinstance(each, Known)), None)
    if share and not isinstance(action.scheduler, Known):
        return Known(Scheduler.DWRR, Origin.INTENDED, share.where)
    return action.scheduler
