"""Policy maps of type quality-of-service: which traffic class a packet gets by what it matches."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from auditor.grammar import policymaps
from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import REST, ClassMap, Mark, match_of
from auditor.grammar.layers import NOTHING
from auditor.grammar.policing import parse_police
from auditor.grammar.policymaps import ClassSyntax, find_class
from auditor.grammar.rows import number, skip, value
from auditor.grammar.stanzas import Place
from auditor.grammar.statements import Table
from auditor.grammar.tree import Node
from auditor.model.qos import Classifier, Match
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.systems.eos.statements import QOS_PAGE, UNDO
from auditor.util.values import dataclass

QOS = "qos"
"""The type of maps of quality of service."""


@dataclass(slots=True)
class Step:
    """A class inside a policy map; `to` is the traffic class that it sets, `police` the Gb/s beyond which it drops."""

    class_name: str
    where: Where
    to: Setting[int] = NOTHING
    police: Setting[float] = NOTHING


STEP: Table[Step] = Table(
    (
        value("set traffic-class {class} ...", "to", number(0, 7), example="set traffic-class 3", page=QOS_PAGE),
        value(
            "police {rate+}", "police", parse_police, example="police rate 100 gbps burst-size 16 mbytes", page=QOS_PAGE
        ),
        skip("set|bandwidth|shape ..."),
    ),
    undo=UNDO,
)


PolicyMap: TypeAlias = policymaps.PolicyMap[Step]
_SYNTAX = ClassSyntax(STEP, Step, frozenset({QOS}))


def spell_type(text: str) -> str:
    """Return the head of a map with the short word for its type, which may stand in full.

    >>> spell_type("policy-map type quality-of-service P")
    'policy-map type qos P'
    """
    return text.replace(" type quality-of-service ", " type qos ")


def read_policy_map(node: Node, place: Place, mark: Mark, known: dict[tuple[str, str], PolicyMap]) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    policymaps.read_policy_map(Node(spell_type(node.text), node.index, node.children), place, mark, known, _SYNTAX)


def doubt_policy(policy: PolicyMap, text: str, where: Where, why: str) -> None:
    """Make unknown whatever the line *text* would set, if it belongs to the policy map."""
    name = find_class(text)
    if name:
        policy.open_class(name, where, Step).to = Unknown(why)
    for step in policy.classes[-1:]:
        STEP.doubt(step, text, why)


def list_classifiers(
    policy: PolicyMap, pairs: Iterable[tuple[Step, ClassMap | None]], acls: Mapping[str, Acl]
) -> Setting[tuple[Known[Classifier], ...]]:
    """Return the steps of a policy; a class that sets no traffic class leaves the packet to what the port trusts.

    *pairs* are its classes with their class maps.
    """
    found: list[Known[Classifier]] = []
    unread = next((step.to for step in policy.classes if isinstance(step.to, Unknown)), None)
    if unread:
        return unread
    passing = [n for n, step in enumerate(policy.classes) if not isinstance(step.to, Known)]
    if passing and any(isinstance(step.to, Known) for step in policy.classes[passing[0] :]):
        name = policy.classes[passing[0]].class_name
        return Unknown(f"class {name} sets no traffic class and keeps its packets from the classes behind it")
    for order, (step, class_map) in enumerate(pairs):
        if class_map is None and step.class_name != REST:
            return Unknown(f"class-map type qos {step.class_name} is not in the dump")
        to = step.to
        if not isinstance(to, Known):
            continue
        alternatives = class_map.list_alternatives() if class_map else []
        matches = [match_of(each, acls) for each in alternatives] or [Match()]
        found.extend(Known(Classifier(match, str(to.value), order), to.origin, to.where) for match in matches)
    return Known(tuple(found), Origin.INTENDED, policy.where)
