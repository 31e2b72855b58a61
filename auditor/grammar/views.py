"""The heads of views of interfaces: one name, a range or a list."""

import re
from collections.abc import Callable, Iterable, Sequence

from auditor.grammar.numbers import LONGEST_STEM, expand
from auditor.grammar.tree import Node
from auditor.util.regex import regex

_LAST_NUMBER = regex(r"(?P<stem>.*?)(?P<number>\d{1,6})\Z")


def list_range(first: str, last: str) -> tuple[str, ...] | None:
    """Return the interfaces from *first* to *last*, which differ in their last number; None for other ends.

    >>> list_range("1/1/3", "1/1/5"), list_range("100GE1/0/1", "25GE1/0/4")
    (('1/1/3', '1/1/4', '1/1/5'), None)
    """
    low, high = _LAST_NUMBER.match(first), _LAST_NUMBER.match(last)
    if low is None or high is None or low["stem"] != high["stem"] or len(low["stem"]) > LONGEST_STEM:
        return None
    numbers = expand(f"{low['number']}-{high['number']}", 0, 10**6)
    return None if numbers is None else tuple(f"{low['stem']}{number}" for number in numbers)


def list_names(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the interfaces of a list such as `A to B C`, None if it is malformed.

    >>> list_names("10GE1/0/1 to 10GE1/0/3 10GE1/0/9".split()), list_names(["to"])
    (('10GE1/0/1', '10GE1/0/2', '10GE1/0/3', '10GE1/0/9'), None)
    """
    found: list[str] = []
    rest = [word for word in words if word != ","]
    while rest:
        first = rest.pop(0)
        if first == "to":
            return None
        if rest[:1] == ["to"] and len(rest) > 1:
            span = list_range(first, rest[1])
            if span is None:
                return None
            found.extend(span)
            rest = rest[2:]
        else:
            found.append(first)
    return tuple(found)


def read_interface_view(node: Node) -> tuple[tuple[str, ...], tuple[Node, ...]] | None:
    """Return the interfaces of `interface NAME` or `interface range A to B` with their lines, None for another view.

    >>> read_interface_view(Node("interface range 25GE1/0/1 to 25GE1/0/2", 0)), read_interface_view(Node("aaa", 0))
    ((('25GE1/0/1', '25GE1/0/2'), ()), None)
    """
    words = node.text.split()
    if words[0] != "interface" or len(words) == 1:
        return None
    if words[1] != "range":
        return ("".join(words[1:]),), node.children
    rest = words[5:] if words[2:3] == ["name"] else words[2:]
    names = list_names(rest)
    return (names, node.children) if names else None


def make_speller(kinds: Iterable[str]) -> Callable[[str], str]:
    """Return what spells the names of interfaces in a line as the switch does, given the *kinds* before their numbers.

    >>> make_speller(("100GE", "Eth-Trunk"))("interface range 100ge 1/0/3 to 100ge 1/0/4 eth-trunk7")
    'interface range 100GE1/0/3 to 100GE1/0/4 Eth-Trunk7'
    """
    spelled = {kind.lower(): kind for kind in kinds}
    longest_first = sorted(map(re.escape, spelled.values()), key=len, reverse=True)
    spaced = re.compile(rf"(?<!\S)(?P<kind>{'|'.join(longest_first)}) ?(?=\d)", re.IGNORECASE | re.ASCII)
    return lambda text: spaced.sub(lambda match: spelled[match["kind"].lower()], text)
