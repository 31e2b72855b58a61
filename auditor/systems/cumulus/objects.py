"""The NVUE object model: statements laid over each other into one tree in which each value has its proof."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import product
from typing import TypeVar

from auditor.grammar.numbers import parse_whole
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.cumulus.names import MAX_ITEMS, list_interfaces, parse_numbers
from auditor.util.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proof:
    """The evidence of a value; `is_own`: its line concerns one interface alone."""

    where: Where
    origin: Origin = Origin.INTENDED
    reference: str = ""
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class NvueStatement:
    """One `nv set` or `nv unset` in any notation: the words behind the verb.

    `lines` are the indices of its lines in the capture; the last line holds the value.
    """

    words: tuple[str, ...]
    proof: Proof
    is_unset: bool = False
    lines: tuple[int, ...] = ()


@dataclass(slots=True)
class ObjectNode:
    """An object or a value; a value is the name of the last child.

    `gone` are removed children, each with the statement that removed it. `ended` is the statement that removed the last
    child, until a statement sets another.
    """

    proof: Proof
    children: "dict[str, ObjectNode]" = field(default_factory=dict)
    gone: dict[str, Proof] = field(default_factory=dict)
    ended: Proof | None = None

    def at(self, *path: str) -> "ObjectNode | None":
        """Return the node at *path*, None if the path does not exist."""
        node: ObjectNode | None = self
        for step in path:
            node = node.children.get(step) if node else None
        return node

    def find_object(self, *path: str) -> "ObjectNode | None":
        """Return the object at *path*, None if the object is empty."""
        found = self.at(*path)
        return found if found and found.children else None

    def put(self, path: tuple[str, ...], proof: Proof) -> None:
        """Set *path*; it replaces an earlier value and keeps the siblings."""
        node = self
        for step in path:
            child = node.children.pop(step, None) or ObjectNode(proof)
            node.children[step] = child
            node.gone.pop(step, None)
            node.ended = None
            node = child
        node.proof = proof

    def drop(self, path: tuple[str, ...], proof: Proof) -> None:
        """Remove *path* and all nodes below it, and keep *proof* if the path existed."""
        holder = self.at(*path[:-1])
        if holder is None or path[-1] not in holder.children:
            return
        if next(reversed(holder.children)) == path[-1]:
            holder.ended = proof
        del holder.children[path[-1]]
        holder.gone[path[-1]] = proof

    def find_negation(self, *path: str) -> Proof | None:
        """Return the statement that removed *path* or a node above it, None if no statement did."""
        node = self
        for step in path:
            child = node.children.get(step)
            if child is None:
                return node.gone.get(step)
            node = child
        return node.ended

    def lay(self, other: "ObjectNode") -> None:
        """Lay *other* over this node; its removals show where no other value is set.

        A removed value leaves the value below it active.
        """
        if other.ended and self.children and not any(child.children for child in other.children.values()):
            return
        for name, theirs in other.children.items():
            own = self.children.pop(name, None) or ObjectNode(theirs.proof)
            self.children[name] = own
            self.gone.pop(name, None)
            own.lay(theirs)
            own.proof = theirs.proof if not theirs.children else own.proof
        self.gone |= {name: proof for name, proof in other.gone.items() if name not in self.children}
        self.ended = other.ended

    def leaves(self, path: tuple[str, ...] = ()) -> "Iterator[tuple[tuple[str, ...], Proof]]":
        """Yield the paths that end in a value, in the order of setting."""
        for name, child in self.children.items():
            if child.children:
                yield from child.leaves((*path, name))
            else:
                yield (*path, name), child.proof

    def negations(self, path: tuple[str, ...] = ()) -> "Iterator[tuple[tuple[str, ...], Proof]]":
        """Yield the removed paths, each with the statement that removed it."""
        yield from (((*path, name), proof) for name, proof in self.gone.items())
        for name, child in self.children.items():
            yield from child.negations((*path, name))


_MOST_WORDS = 64
"""Words of a statement, of which the longest has some fifteen: a tree is as deep as its longest statement."""
_LISTS = {"dscp": 63, "pcp": 7, "switch-priority": 7, "traffic-class": 15}
"""Keys below `qos` whose own keys may be number lists, with the highest number."""


def list_paths(words: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    """Return the paths that a statement stands for: its interface and number lists spelled out; None: malformed.

    >>> list_paths(("interface", "swp1-2", "qos", "pfc-watchdog"))
    [('interface', 'swp1', 'qos', 'pfc-watchdog'), ('interface', 'swp2', 'qos', 'pfc-watchdog')]
    >>> list_paths(("qos", "mapping", "p", "dscp", "10,12", "switch-priority", "3"))
    [('qos', 'mapping', 'p', 'dscp', '10', 'switch-priority', '3'), ('qos', 'mapping', 'p', 'dscp', '12', \
'switch-priority', '3')]
    """
    if len(words) > _MOST_WORDS:
        return None
    steps: list[tuple[str, ...]] = []
    count = 1
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        found: tuple[str, ...] | None = (word,)
        if words[0] == "interface" and (place == 1 or before == "member"):
            found = list_interfaces(word)
        elif words[0] == "qos" and place > 2 and before in _LISTS:  # noqa: PLR2004  `qos PROFILE-KIND NAME` come first
            listed = parse_numbers(word, 0, _LISTS[before])
            found = None if listed is None else tuple(map(str, listed))
        count *= len(found or ())
        if found is None or count > MAX_ITEMS:
            return None
        steps.append(found)
    return list(product(*steps))


def find_value(node: ObjectNode | None, name: str, convert: Callable[[str], T | None]) -> Setting[T]:
    """Return the value of *name* in *node*; Unset without a value, Unknown for one that *convert* does not accept."""
    holder = node.at(name) if node else None
    taken = node.find_negation(name) if node else None
    if holder is None or taken or not holder.children:
        proof = taken or (holder.proof if holder else None)
        return Unset(proof.where) if proof else Unset()
    text, leaf = next(reversed(holder.children.items()))
    value = convert(text)
    if value is None:
        is_left = text == "auto"  # to the switch, as where no line says anything
        return Unset(leaf.proof.where) if is_left else Unknown(f"`{name} {text[:60]}` is not understood")
    return Known(value, leaf.proof.origin, leaf.proof.where, leaf.proof.reference)


def list_numbered(node: ObjectNode | None, name: str, highest: int = 7) -> Mapping[int, ObjectNode]:
    """Return the numbered entries below *name*, by number."""
    holder = node.at(name) if node else None
    return dict(sorted(_entries_by_number(holder.children, highest))) if holder else {}


def _entries_by_number(children: Mapping[str, ObjectNode], highest: int) -> Iterator[tuple[int, ObjectNode]]:
    for text, child in children.items():
        found = parse_numbers(text, 0, highest)
        if found and len(found) == 1:
            yield found[0], child


def or_silent(setting: Setting[T], silent: Unset) -> Setting[T]:
    """Return *setting*, or *silent* if *setting* is Unset without a line."""
    return silent if isinstance(setting, Unset) and setting.where is None else setting


def parse_word(text: str) -> str:
    """Return the text of a value unchanged."""
    return text


_SIZES = range(10**11)


def parse_number(text: str) -> int | None:
    """Return a whole number, None where *text* is none; a unit of bytes may follow it."""
    digits = text.removesuffix("B").strip()
    return parse_whole(digits, _SIZES)


def parse_switch(text: str) -> bool | None:
    """Return the state of a switch; NVUE writes it `on`, `enable` or `enabled`, and other tools `true` or `True`.

    >>> parse_switch("enabled"), parse_switch("off"), parse_switch("maybe")
    (True, False, None)
    """
    text = text.lower()
    if text in {"on", "enable", "enabled", "true", "yes"}:
        return True
    return False if text in {"off", "disable", "disabled", "false", "no"} else None


def is_up(text: str) -> bool | None:
    """Return whether the configured state of a link is up."""
    return {"up": True, "down": False}.get(text, parse_switch(text))


def parse_gbps(text: str) -> float | None:
    """Return a speed; `auto` is none that the dump knows.

    >>> parse_gbps("400G"), parse_gbps("100M"), parse_gbps("25000"), parse_gbps("auto")
    (400.0, 0.1, 25.0, None)
    """
    match = re.fullmatch(r"(\d{1,6})([GMgm]?)", text)
    if match is None:
        return None
    return float(match[1]) * (1.0 if match[2] in {"G", "g"} else 1e-3)
