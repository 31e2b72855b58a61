"""Maps between code points, traffic classes and queues: written ones, and those that OS10 brings along."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.grammar.classmaps import Mark
from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import ValueMap
from auditor.model.setting import Known, Origin, Where

CLASSES = range(8)
"""Traffic classes, which OS10 also calls qos-groups, and the queues that carry them."""
USER_GUIDE = "https://www.manualshelf.com/manual/dell/powerswitch-s4248fb-on-s4248fbl-on/4-3-2-1-users-guide-english"
DEFAULT_DOT1P_PAGE = f"{USER_GUIDE}/page-1517.html"
DEFAULT_DSCP_PAGE = (
    "https://manualshelf.com/manual/dell/smartfabric-os10-documentation/1-reference-guide-english/page-478.html"
)
DEFAULT_QUEUE_PAGE = (
    "https://www.dell.com/support/manuals/en-us/force10-s4048-on/os10-enterprise-user-guide-pub/"
    "egress-traffic-classification?guid=guid-f9b1d27a-d05a-427c-a5c5-fb0f7c7e287c&lang=en-us"
)
_SWAPPED = {0: 1, 1: 0}


@dataclass(slots=True)
class CodePoints:
    """A `trust dot1p-map` or `trust dscp-map`: what is not named goes to class 0."""

    where: Where
    entries: dict[int, Known[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Queues:
    """A `qos-map traffic-class`: the queue of each class that it names."""

    where: Where
    entries: dict[int, Known[int]] = field(default_factory=dict)


def default_dot1p() -> ValueMap:
    """Return the map that `trust-map dot1p default` binds: the two lowest priorities change places."""
    return {n: Known(str(_SWAPPED.get(n, n)), Origin.DEFAULT, reference=DEFAULT_DOT1P_PAGE) for n in CLASSES}


def default_dscp() -> ValueMap:
    """Return the map that `trust-map dscp default` binds: eight code points to a class."""
    return {n: Known(str(n // 8), Origin.DEFAULT, reference=DEFAULT_DSCP_PAGE) for n in range(64)}


def default_queues() -> Mapping[int, Known[int]]:
    """Return which queue carries a class where no map is bound: the one of its number."""
    return {n: Known(n, Origin.DEFAULT, reference=DEFAULT_QUEUE_PAGE) for n in CLASSES}


_TO_CLASS = re.compile(r"(?P<no>no )?qos-group (?P<group>\d{1,2}) (?:dot1p|dscp) (?P<values>\S.*)")
_SPACED = re.compile(r" ?([,-]) ?")


def read_trust(node: Node, place: Callable[[int], Where], mark: Mark, known: dict[str, CodePoints]) -> None:
    """Read a trust map into *known*, where one of the same name may stand already; marks each line."""
    words = node.text.split()
    if len(words) != 3:  # noqa: PLR2004  `trust dscp-map NAME`
        return
    names, highest = (DSCP_NAMES, 63) if words[1].lower() == "dscp-map" else (None, 7)
    mark(node.index, LineState.MODELLED)
    found = known.setdefault(words[2], CodePoints(place(node.index)))
    for child in node.children:
        match = _TO_CLASS.match(" ".join(child.text.split()))
        values = (
            expand(re.sub(r"\s*([,-])\s*", r"\1", match["values"]).split()[0], 0, highest, names) if match else None
        )
        if match is None or values is None or int(match["group"]) not in CLASSES:
            mark(child.index, LineState.UNRECOGNISED)
            continue
        mark(child.index, LineState.MODELLED)
        for value in values:
            if match["no"]:
                found.entries.pop(value, None)
            else:
                found.entries[value] = Known(match["group"], Origin.INTENDED, place(child.index))


_TO_QUEUE = re.compile(r"(?P<no>no )?queue (?P<queue>\d{1,2}) qos-group (?P<groups>[\d,\s-]+?)(?: type ucast)?\Z")


def read_queues(node: Node, place: Callable[[int], Where], mark: Mark, known: dict[str, Queues]) -> None:
    """Read a map of classes to queues into *known*, where one of the same name may stand already; marks each line."""
    words = node.text.split()
    if len(words) != 3:  # noqa: PLR2004  `qos-map traffic-class NAME`
        return
    mark(node.index, LineState.MODELLED)
    found = known.setdefault(words[2], Queues(place(node.index)))
    for child in node.children:
        match = _TO_QUEUE.match(child.text)
        groups = expand(match["groups"], 0, 7) if match else None
        if match is None or groups is None:
            is_multicast = child.text.endswith(" type mcast")
            mark(child.index, LineState.NOT_MODELLED if is_multicast else LineState.UNRECOGNISED)
            continue
        mark(child.index, LineState.MODELLED)
        for group in groups:
            if match["no"]:
                found.entries.pop(group, None)
            else:
                found.entries[group] = Known(int(match["queue"]), Origin.INTENDED, place(child.index))
