"""The switch-wide maps: code points to traffic classes, and traffic classes to queues and back to code points."""

from collections.abc import Mapping
from dataclasses import replace

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.rows import number
from auditor.grammar.statements import Arguments
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where

DEFAULT_MAP = (
    "https://www.arista.com/en/um-eos/eos-quality-of-service: traffic class N takes CoS N and DSCP 8N to 8N+7, "
    "with 0 and 1 swapped"
)
ONE_NUMBER = "https://www.arista.com/en/um-eos/eos-quality-of-service: traffic class N leaves by transmit queue N"
CLASSES = range(8)
DSCP, COS, QUEUE, TO_DSCP, TO_COS = "dscp", "cos", "queue", "to_dscp", "to_cos"
Maps = dict[tuple[str, int], Setting[int]]
"""The entries of all maps, each by the name of its map and the number that it maps."""
_NAMES: Mapping[tuple[str, str], str] = {
    ("dscp", "traffic-class"): DSCP,
    ("cos", "traffic-class"): COS,
    ("traffic-class", "tx-queue"): QUEUE,
    ("traffic-class", "uc-tx-queue"): QUEUE,
    ("traffic-class", "dscp"): TO_DSCP,
    ("traffic-class", "cos"): TO_COS,
}
_OTHERS = frozenset({"exp", "mc-tx-queue"})


def is_other(arguments: Arguments) -> bool:
    """Return whether a `qos map` line is about MPLS or multicast queues, or gives a map a name."""
    words = arguments["words"].split()
    return arguments["source"] in _OTHERS or not _OTHERS.isdisjoint(words) or "name" in words


def list_keys(arguments: Arguments) -> tuple[tuple[str, int], ...] | None:
    """Return the entries that a `qos map` line names, None if it is malformed; without a target, of each target.

    >>> list_keys({"source": "dscp", "words": "26 27 to traffic-class 3"})
    (('dscp', 26), ('dscp', 27))
    >>> list_keys({"source": "traffic-class", "words": "3"})
    (('queue', 3), ('to_dscp', 3), ('to_cos', 3))
    """
    source, (listed, target, _) = arguments["source"], _words_of(arguments)
    values = expand(listed, 0, 63 if source == "dscp" else 7, DSCP_NAMES if source == "dscp" else None)
    names = dict.fromkeys(name for (s, to), name in _NAMES.items() if s == source and target in {"", to})
    return tuple((name, value) for name in names for value in values) if values is not None and names else None


def find_target(arguments: Arguments) -> int | None:
    """Return the number that a `qos map` line maps to, None where it is missing or out of range."""
    _, target, text = _words_of(arguments)
    return number(0, 63 if target == "dscp" else 15)(text)


def _words_of(arguments: Arguments) -> tuple[str, str, str]:
    """Return the list of numbers, the target and the number that a `qos map` line maps to.

    >>> _words_of({"words": "26, 27 28 to traffic-class 3 drop-precedence 2"}), _words_of({"words": "26"})
    (('26,27,28', 'traffic-class', '3'), ('26', '', ''))
    """
    values, _, rest = arguments["words"].partition(" to ")
    target, text, *_ = [*rest.split(), "", ""]
    return ",".join(values.replace(",", " ").split()), target, text


def select_entries(maps: Maps, name: str) -> dict[int, Known[int]]:
    """Return the entries of one map that hold."""
    return {each: to for (own, each), to in maps.items() if own == name and isinstance(to, Known)}


def doubt_of(maps: Maps, name: str) -> Unknown | None:
    """Return why an entry of a map is not known, None where all are."""
    return next((to for (own, _), to in maps.items() if own == name and isinstance(to, Unknown)), None)


def find_default_class(group: int) -> int:
    """Return the traffic class of CoS *group*, or of the eight DSCPs from 8 times *group* on, by default.

    >>> [find_default_class(group) for group in range(8)]
    [1, 0, 2, 3, 4, 5, 6, 7]
    """
    return {0: 1, 1: 0}.get(group, group)


def complete_map(maps: Maps, name: str, size: int, silent: Where) -> dict[int, Known[str]]:
    """Return a map of *size* code points to class ids: its entries, and the documented default for the rest.

    *silent* is the place of a default, unless a line takes the entry back. The default gives each class an equal run of
    code points.
    """
    run = size // len(CLASSES)
    defaults = [Known(str(find_default_class(group)), Origin.DEFAULT, silent, DEFAULT_MAP) for group in CLASSES]
    table = {point: defaults[point // run] for point in range(size)}
    for (own, point), entry in maps.items():
        if own == name and isinstance(entry, Known):
            table[point] = Known(str(entry.value), entry.origin, entry.where)
        elif own == name and isinstance(entry, Unset):
            table[point] = replace(table[point], where=entry.where)
    return table
