"""Class maps and policy maps: matches, and the actions of each class."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.grammar.classmaps import ClassMap, Mark, open_map, read_class_map, split_type
from auditor.grammar.lines import Line
from auditor.grammar.stanzas import Place
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import IpFamily
from auditor.model.setting import Where
from auditor.systems.iosxr.actions import ACTION, Action

REST = "class-default"
"""The class of what no other one takes."""
QOS = "qos"
"""The type of maps of quality of service, where a head names none."""


@dataclass(slots=True)
class PolicyMap:
    """A policy map, its classes in the order of writing."""

    type: str
    name: str
    where: Where
    classes: list[Action] = field(default_factory=list)

    def action(self, class_name: str, where: Where) -> Action:
        """Return the class *class_name*, added where it is new: stanzas of one name merge."""
        for known in self.classes:
            if known.class_name == class_name:
                return known
        self.classes.append(Action(class_name, where))
        return self.classes[-1]

    @property
    def serves(self) -> bool:
        """Whether a class says how its queue is served."""
        return any(each.serves for each in self.classes)


_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
_LISTS = re.compile(
    r"(?P<no>no )?match (?P<what>dscp|precedence|cos|qos-group|traffic-class)(?: (?P<family>ipv4|ipv6))?"
    r" (?P<values>[\w ,-]+)"
)


def _spell_match(text: str) -> str:
    """Return a `match` line as other systems of the CLI family write it: the values as a list with commas.

    >>> _spell_match("match dscp ipv4 cs3 26"), _spell_match("match access-group ipv4 A")
    ('match ip dscp cs3,26', 'match access-group ipv4 A')
    """
    match = _LISTS.fullmatch(text)
    if match is None:
        return text
    family = {"ipv4": "ip ", "ipv6": "ipv6 "}.get(match["family"] or "", "")
    values = ",".join(match["values"].replace(",", " ").split())
    return f"{match['no'] or ''}match {family}{match['what']} {values}"


def _spell_head(text: str) -> str:
    """Return the head of a class map with the word for what holds where it has none: any line suffices (POLICY_MODEL).

    >>> _spell_head("class-map RDMA"), _spell_head("class-map match-all RDMA")
    ('class-map match-any RDMA', 'class-map match-all RDMA')
    """
    kind, words = split_type(text)
    return text if len(words) != 1 else f"class-map type {kind} match-any {words[0]}".replace("type qos ", "")


def read_match_map(
    head: Line, lines: Sequence[Line], place: Place, mark: Mark, known: dict[tuple[str, str], ClassMap]
) -> None:
    """Read the class map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    children = tuple(Node(_spell_match(" ".join(line.text.split())), line.index) for line in lines)
    read_class_map(Node(_spell_head(head.text), head.index, children), place, mark, known, _FAMILIES)


def read_policy_map(
    head: Line, lines: Sequence[Line], place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap]
) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = split_type(head.text)
    if not open_map(Node(head.text, head.index), kind, words, mark):
        return
    policy = known.setdefault((kind, words[0]), PolicyMap(kind, words[0], place(head.index)))
    action: Action | None = None
    for line in lines:
        name = _find_class(line.text.removeprefix("no "))
        if name and line.text.startswith("no "):
            policy.classes = [each for each in policy.classes if each.class_name != name]
            action = None
        elif name:
            action = policy.action(name, place(line.index))
        if name:
            mark(line.index, LineState.MODELLED)
        elif action is not None and kind == QOS:
            mark(line.index, ACTION.read(action, line.text, place(line.index)))
        else:
            mark(line.index, LineState.IGNORED if line.text.startswith("description ") else LineState.NOT_MODELLED)


def _find_class(text: str) -> str:
    words = text.split()
    if words[:1] != ["class"]:
        return ""
    words = words[3:] if words[1:2] == ["type"] else words[1:]
    return words[0] if words else ""
