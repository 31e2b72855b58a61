"""Maps between code points, traffic classes and queues: written ones, and those that OS10 brings along."""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.rows import entries, number
from auditor.grammar.statements import Arguments, Keys, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.qos import ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.systems.os10.statements import QOS_PAGE
from auditor.util.values import dataclass

T = TypeVar("T")
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
    entries: dict[int, Setting[str]] = field(default_factory=dict)


@dataclass(slots=True)
class TrafficClassMap:
    """A `qos-map traffic-class`: the queue of each class that it names."""

    where: Where
    entries: dict[int, Setting[int]] = field(default_factory=dict)


def build_default_dot1p() -> ValueMap:
    """Return the map that `trust-map dot1p default` binds: the two lowest priorities change places."""
    return {n: Known(str(_SWAPPED.get(n, n)), Origin.DEFAULT, reference=DEFAULT_DOT1P_PAGE) for n in CLASSES}


def build_default_dscp() -> ValueMap:
    """Return the map that `trust-map dscp default` binds: eight code points to a class."""
    return {n: Known(str(n // 8), Origin.DEFAULT, reference=DEFAULT_DSCP_PAGE) for n in range(64)}


def build_default_queues() -> Mapping[int, Known[int]]:
    """Return which queue carries a class where no map is bound: the one of its number."""
    return {n: Known(n, Origin.DEFAULT, reference=DEFAULT_QUEUE_PAGE) for n in CLASSES}


def _values(highest: int, names: Mapping[str, int] | None) -> Keys:
    """Return what turns the values of a line of a trust map into code points."""

    def expand_values(arguments: Arguments) -> tuple[int, ...] | None:
        joined = re.sub(r" ?([,-]) ?", r"\1", arguments["values"])
        return expand(joined.partition(" ")[0], 0, highest, names)

    return expand_values


def _group(arguments: Arguments) -> str | None:
    return arguments["group"] if number(0, 7)(arguments["group"]) is not None else None


DOT1P_MAP: Table[CodePoints] = Table(
    (
        entries(
            "qos-group {group} dot1p {values+}",
            "entries",
            _values(7, None),
            _group,
            example="qos-group 3 dot1p 3-4",
            page=QOS_PAGE,
        ),
    )
)
DSCP_MAP: Table[CodePoints] = Table(
    (
        entries(
            "qos-group {group} dscp {values+}",
            "entries",
            _values(63, DSCP_NAMES),
            _group,
            example="qos-group 3 dscp 26,cs5",
            page=QOS_PAGE,
        ),
    )
)
_UNICAST, _MULTICAST = " type ucast", " type mcast"


def _groups(arguments: Arguments) -> tuple[int, ...] | None:
    """Return the classes of a line of a queue map; a queue of multicast packets has none here."""
    listed = arguments["groups"]
    return () if listed.endswith(_MULTICAST) else expand(listed.removesuffix(_UNICAST), 0, 7)


def _queue(found: TrafficClassMap, arguments: Arguments, where: Where) -> LineState | None:
    """Write the queue of classes; those of multicast packets are not modelled."""
    groups, queue = _groups(arguments), number(0, 99)(arguments["queue"])
    if groups is None or queue is None:
        return None
    found.entries.update(dict.fromkeys(groups, setting(queue, where)))
    return LineState.MODELLED if groups else LineState.NOT_MODELLED


QUEUE_MAP: Table[TrafficClassMap] = Table(
    (
        Statement(
            "queue {queue} qos-group {groups+}",
            "queue 3 qos-group 0-2,4",
            _queue,
            Negation(QOS_PAGE, member=("entries", _groups)),
        ),
    )
)


def filter_entries(written: Mapping[int, Setting[T]]) -> Mapping[int, Known[T]] | Unknown:
    """Return the entries of a map that no line takes back; Unknown where a line of it cannot be read."""
    unread = next((entry for entry in written.values() if isinstance(entry, Unknown)), None)
    return unread or {key: entry for key, entry in written.items() if isinstance(entry, Known)}
