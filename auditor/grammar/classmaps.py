"""Class maps: the packets that each line matches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from auditor.grammar.acl import Acl
from auditor.grammar.numbers import DSCP_NAMES, PRECEDENCE_NAMES, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import IpFamily, Match
from auditor.model.setting import Where
from auditor.util.values import dataclass

Mark = Callable[[int, LineState], None]
"""Sets the state of the line that stands at an index of the tree's lines."""

REST = "class-default"
"""The class of what no other one takes."""
_SAME: Mapping[str, IpFamily] = {}
_PLAIN_TERMS = frozenset({"dscp", "cos", "qos-group", "queue", "traffic-class"})


@dataclass(slots=True)
class Term:
    """One `match` line: its field (`dscp`, `cos`, `qos-group`, `queue`, `traffic-class`, `acl`, or another word).

    `family` is the only version of IP that it takes, None where it takes both.
    """

    kind: str
    values: tuple[int, ...]
    name: str
    where: Where
    family: IpFamily | None = None


@dataclass(slots=True)
class ClassMap:
    """A class map of one type; with `match_any` one of its terms suffices."""

    type: str
    name: str
    where: Where
    match_any: bool
    terms: list[Term] = field(default_factory=list)

    def list_alternatives(self) -> list[list[Term]]:
        """Return the terms of which a packet has to match all, for each way into the class."""
        alternatives = [[term] for term in self.terms] if self.match_any else [self.terms]
        return [terms for terms in alternatives if terms]


def split_type(text: str) -> tuple[str, list[str]]:
    """Return the type in the head of a class map or policy map (default: `qos`), and the words behind it.

    >>> split_type("policy-map type queuing OUT"), split_type("class-map match-any A")
    (('queuing', ['OUT']), ('qos', ['match-any', 'A']))
    """
    words = text.split()[1:]
    return (words[1], words[2:]) if words[:1] == ["type"] and len(words) > 1 else ("qos", words)


def open_map(node: Node, kind: str, words: Sequence[str], mark: Mark) -> bool:
    """Mark the head of a map of class or policy; return whether its lines bear on the packets of ports.

    *words* are those behind the type: the name of the map alone, where the head is well formed.
    """
    if len(words) != 1:
        return False
    if kind == "control-plane":
        for index in list_indices(node):
            mark(index, LineState.NOT_MODELLED)
        return False
    mark(node.index, LineState.MODELLED)
    return True


def read_class_map(
    node: Node,
    place: Callable[[int], Where],
    mark: Mark,
    known: dict[tuple[str, str], ClassMap],
    families: Mapping[str, IpFamily] = _SAME,
) -> None:
    """Read the class map of a stanza into *known*, where one of the same name may stand already; marks each line.

    *families* are the words behind `match` that take DSCPs of one version of IP only. A `no match` removes its term.
    """
    kind, words = split_type(node.text)
    match_any = "match-any" in words[:1]
    words = [w for w in words if w not in {"match-any", "match-all"}]
    if not open_map(node, kind, words, mark):
        return
    found = known.setdefault((kind, words[0]), ClassMap(kind, words[0], place(node.index), match_any))
    for child in node.children:
        _read_match(found, child, place, mark, families)


def _read_match(
    found: ClassMap, node: Node, place: Callable[[int], Where], mark: Mark, families: Mapping[str, IpFamily]
) -> None:
    """Read one line of a class map."""
    text = node.text.removeprefix("no ")
    term = _term(text, place(node.index), families)
    if term is None and text.startswith("match "):  # the line narrows or widens the class in an unknown way
        term = Term("unread", (), text.removeprefix("match ").strip(), place(node.index))
    elif term is None:
        if text.startswith("description "):
            mark(node.index, LineState.IGNORED)
        return
    else:
        mark(node.index, LineState.MODELLED if term.kind in _PLAIN_TERMS else LineState.CONDITIONAL)
    if text == node.text:
        found.terms.append(term)
    else:
        found.terms = [each for each in found.terms if replace(each, where=term.where) != term]


def _term(text: str, where: Where, families: Mapping[str, IpFamily]) -> Term | None:
    words = text.split()
    words = words[1:] if words[0].isdecimal() else words  # a sequence number
    if len(words) < 3 or words[0] != "match":  # noqa: PLR2004  `match WHAT VALUE`
        return None
    kind, value = words[1], "".join(words[2:])
    family = families.get(kind)
    if kind in {"ip", "ipv6", "ip-any"} and len(words) > 3:  # noqa: PLR2004  `match ip dscp 26`
        kind, value = words[2], "".join(words[3:])
    if kind == "dscp":
        values = expand(value, 0, 63, DSCP_NAMES)
    elif kind == "precedence":
        levels = expand(value, 0, 7, PRECEDENCE_NAMES)
        values = tuple(8 * level + low for level in levels for low in range(8)) if levels else None
        kind = "dscp"
    elif kind in {"cos", "qos-group", "queue", "traffic-class"}:
        values = expand(value, 0, 7)
    elif kind == "access-group":
        return Term("acl", (), words[-1], where)
    else:
        return Term(kind, (), " ".join(words[2:]), where)
    return None if values is None else Term(kind, values, "", where, family if kind == "dscp" else None)


def list_indices(node: Node) -> Iterator[int]:
    """Yield the place of a line and of all lines below it."""
    yield node.index
    for child in node.children:
        yield from list_indices(child)


def match_of(terms: Sequence[Term], acls: Mapping[str, Acl]) -> Match:
    """Return what a packet must be to match all of *terms*."""
    others = [t.name for t in terms if t.kind not in {"dscp", "cos"}]
    listed = acls.get(others[0]) if others else None
    own = tuple(v for t in terms if t.kind == "dscp" for v in t.values)
    permitted = listed.dscp if listed else ()
    dscp = tuple(v for v in own if v in permitted) if own and permitted else own or permitted
    families = {each.family for each in (*terms, listed) if each and each.family}
    is_one = len(families) == 1
    return Match(
        dscp=dscp,
        pcp=tuple(v for t in terms if t.kind == "cos" for v in t.values),
        pcp_at=next((t.where for t in terms if t.kind == "cos"), None),
        dscp_at=next((t.where for t in terms if t.kind == "dscp"), None),
        acl=others[0] if others else None,
        udp_port=listed.udp_port if listed else None,
        family=next(iter(families)) if is_one else None,
        is_whole=(is_one or not families)
        and (not others or (len(others) == 1 and listed is not None and listed.is_whole and bool(dscp or not own))),
    )
