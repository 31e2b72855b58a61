"""Names of ports, and the words of their settings."""

from auditor.grammar.numbers import DSCP_NAMES, parse_whole
from auditor.util.regex import regex

PORT = regex(r"ethernet-\d{1,2}(?:/m\d)?/\d{1,3}(?:/\d{1,2})?\Z")
LAG = regex(r"lag\d{1,4}\Z")
_SPEED = regex(r"(?P<number>\d{1,4})(?P<unit>[MGT])\Z")
_GBPS = {"M": 0.001, "G": 1.0, "T": 1000.0}
FEC = frozenset({"rs-528", "rs-544", "rs-108", "base-r", "disabled"})
_DSCP = {**DSCP_NAMES, "cs0": 0, "le": 1}


def find_parent(name: str) -> str | None:
    """Return the port that a breakout port is part of, None for another port.

    >>> find_parent("ethernet-1/3/1"), find_parent("ethernet-1/3")
    ('ethernet-1/3', None)
    """
    parts = name.split("/")
    return "/".join(parts[:-1]) if len(parts) > 2 and not parts[1].startswith("m") else None  # noqa: PLR2004  port/lane


def parse_gbps(word: str) -> float | None:
    """Return a speed in Gb/s, None where *word* is none.

    >>> parse_gbps("400G"), parse_gbps("1T"), parse_gbps("None")
    (400.0, 1000.0, None)
    """
    match = _SPEED.match(word)
    return int(match["number"]) * _GBPS[match["unit"]] if match else None


def parse_dscp(word: str) -> int | None:
    """Return a code point by its number or name, None where *word* is none.

    >>> parse_dscp("26"), parse_dscp("AF31"), parse_dscp("64")
    (26, 26, None)
    """
    return _DSCP.get(word.lower(), parse_whole(word, range(64)))


QUEUES = 8
_DEFAULT_QUEUE = regex(r"(?:unicast-|queue-)?([0-7])\Z")
_DEFAULT_CLASS = regex(r"fc([0-7])\Z")


def find_default_queue(name: str) -> int | None:
    """Return the number of a queue with a name that the system reserves, None for another queue.

    >>> find_default_queue("unicast-3"), find_default_queue("3"), find_default_queue("multicast-3")
    (3, 3, None)
    """
    match = _DEFAULT_QUEUE.match(name)
    return int(match[1]) if match else None


def find_default_class(name: str) -> int | None:
    """Return the index of a forwarding class with a name that the system reserves, None for another class.

    >>> find_default_class("fc3"), find_default_class("roce")
    (3, None)
    """
    match = _DEFAULT_CLASS.match(name)
    return int(match[1]) if match else None
