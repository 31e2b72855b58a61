"""The switch-wide maps: code points to traffic classes, and traffic classes to queues and back to code points."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Where

DEFAULT_MAP = (
    "https://www.arista.com/en/um-eos/eos-quality-of-service: traffic class N takes CoS N and DSCP 8N to 8N+7, "
    "with 0 and 1 swapped"
)
ONE_NUMBER = "https://www.arista.com/en/um-eos/eos-quality-of-service: traffic class N leaves by transmit queue N"
CLASSES = range(8)


@dataclass(slots=True)
class Maps:
    """What `qos map` lines write; each table is from a number to a number."""

    dscp: dict[int, Known[int]] = field(default_factory=dict)
    cos: dict[int, Known[int]] = field(default_factory=dict)
    queue: dict[int, Known[int]] = field(default_factory=dict)
    to_dscp: dict[int, Known[int]] = field(default_factory=dict)
    to_cos: dict[int, Known[int]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Tell whether no line wrote any of the tables."""
        return not (self.dscp or self.cos or self.queue or self.to_dscp or self.to_cos)


_LINE = re.compile(
    r"(?P<form>no |default )?qos map (?P<what>dscp|cos|traffic-class|exp) (?P<values>[\w, -]+?)"
    r"(?: to (?P<target>traffic-class|(?:uc-|mc-)?tx-queue|dscp|cos|exp) (?P<number>\d{1,2}))?"
    r"(?: drop-precedence \d)?\Z"
)
_TABLES: Mapping[tuple[str, str], str] = {
    ("dscp", "traffic-class"): "dscp",
    ("cos", "traffic-class"): "cos",
    ("traffic-class", "tx-queue"): "queue",
    ("traffic-class", "uc-tx-queue"): "queue",
    ("traffic-class", "dscp"): "to_dscp",
    ("traffic-class", "cos"): "to_cos",
}
_OTHERS = frozenset({"exp", "mc-tx-queue"})


def read(maps: Maps, text: str, where: Where) -> LineState | None:
    """Read a `qos map` line into *maps* and return its state, None where it is malformed."""
    match = _LINE.match(text)
    if match is None:
        return None
    what, target = match["what"], match["target"] or ""
    if what in _OTHERS or target in _OTHERS:
        return LineState.NOT_MODELLED
    highest = 63 if what == "dscp" else 7
    listed = ",".join(match["values"].replace(",", " ").split())
    values = expand(listed, 0, highest, DSCP_NAMES if what == "dscp" else None)
    if values is None:
        return None
    if match["form"]:
        for (source, _), name in _TABLES.items():
            for value in values if source == what and target in {"", _} else ():
                getattr(maps, name).pop(value, None)
        return LineState.MODELLED
    table = _TABLES.get((what, target))
    if table is None or int(match["number"]) > (63 if target == "dscp" else 15):
        return None
    getattr(maps, table).update(dict.fromkeys(values, Known(int(match["number"]), Origin.INTENDED, where)))
    return LineState.MODELLED


def class_by_default(group: int) -> int:
    """Return the traffic class of CoS *group*, or of the eight DSCPs from 8 times *group* on, where no map says.

    >>> [class_by_default(group) for group in range(8)]
    [1, 0, 2, 3, 4, 5, 6, 7]
    """
    return {0: 1, 1: 0}.get(group, group)


def completed(written: Mapping[int, Known[int]], size: int, silent: Where) -> dict[int, Known[str]]:
    """Return a table of *size* code points to class ids: what is written, and the documented default for the rest.

    *silent* is the place of a default. The default map gives each class an equal run of code points.
    """
    run = size // len(CLASSES)
    defaults = [Known(str(class_by_default(group)), Origin.DEFAULT, silent, DEFAULT_MAP) for group in CLASSES]
    table = {point: defaults[point // run] for point in range(size)}
    return table | {point: Known(str(to.value), to.origin, to.where) for point, to in written.items()}
