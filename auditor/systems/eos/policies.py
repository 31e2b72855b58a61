"""Policy maps of type quality-of-service: which traffic class a packet gets by what it matches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap, Mark, list_indices, match_of, split_type
from auditor.grammar.layers import NOTHING
from auditor.grammar.policing import PolicedClass, list_policers, parse_police
from auditor.grammar.rows import number, skip, value
from auditor.grammar.statements import Table
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Classifier, Match, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.systems.eos.statements import QOS_PAGE, UNDO

CATCH_ALL = "class-default"
QOS_TYPES = frozenset({"qos", "quality-of-service"})


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


@dataclass(slots=True)
class PolicyMap:
    """A policy map, its classes in the order of writing."""

    name: str
    where: Where
    steps: list[Step] = field(default_factory=list)

    def step(self, class_name: str, where: Where) -> Step:
        """Return the class *class_name*, added before the catch-all where it is new: stanzas of one name merge."""
        found = next((step for step in self.steps if step.class_name == class_name), None)
        if found is None:
            found = Step(class_name, where)
            is_last = class_name == CATCH_ALL or not self.steps or self.steps[-1].class_name != CATCH_ALL
            self.steps.insert(len(self.steps) if is_last else -1, found)
        return found

    def doubt(self, text: str, where: Where, why: str) -> None:
        """Make unknown whatever the line *text* would set, if it belongs to the policy map."""
        name = _class_name(text)
        if name:
            self.step(name, where).to = Unknown(why)
        for step in self.steps[-1:]:
            STEP.doubt(step, text, why)


def read_policy_map(node: Node, place: Callable[[int], Where], mark: Mark, known: dict[str, PolicyMap]) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = split_type(node.text)
    if kind not in QOS_TYPES:
        for index in list_indices(node):
            mark(index, LineState.NOT_MODELLED)
        return
    if len(words) != 1:
        return
    mark(node.index, LineState.MODELLED)
    policy = known.setdefault(words[0], PolicyMap(words[0], place(node.index)))
    for child in node.children:
        undo, line = STEP.split(child.text)
        name = _class_name(line)
        if name and undo:
            mark(child.index, LineState.MODELLED)
            policy.steps = [step for step in policy.steps if step.class_name != name]
        elif name:
            mark(child.index, LineState.MODELLED)
            step = policy.step(name, place(child.index))
            for below in child.children:
                mark(below.index, STEP.read(step, below.text, place(below.index)))


def _class_name(text: str) -> str | None:
    """Return the class that a line opens, None where it opens none; a number may stand before it.

    >>> _class_name("class RDMA"), _class_name("10 class type qos RDMA"), _class_name("set dscp 1")
    ('RDMA', 'RDMA', None)
    """
    words = text.split()
    words = words[1:] if words[:1] and words[0].isdecimal() else words
    return words[-1] if words[:1] == ["class"] and len(words) > 1 else None


def list_classifiers(
    policy: PolicyMap, class_maps: Mapping[tuple[str, str], ClassMap], acls: Mapping[str, Acl]
) -> Setting[tuple[Known[Classifier], ...]]:
    """Return the steps of a policy; a class that sets no traffic class leaves the packet to what the port trusts."""
    found: list[Known[Classifier]] = []
    unread = next((step.to for step in policy.steps if isinstance(step.to, Unknown)), None)
    if unread:
        return unread
    passing = [n for n, step in enumerate(policy.steps) if not isinstance(step.to, Known)]
    if passing and any(isinstance(step.to, Known) for step in policy.steps[passing[0] :]):
        name = policy.steps[passing[0]].class_name
        return Unknown(f"class {name} sets no traffic class and keeps its packets from the classes behind it")
    for order, step in enumerate(policy.steps):
        class_map = class_maps.get(("qos", step.class_name))
        if class_map is None and step.class_name != CATCH_ALL:
            return Unknown(f"class-map type qos {step.class_name} is not in the dump")
        to = step.to
        if not isinstance(to, Known):
            continue
        terms = class_map.terms if class_map else []
        alternatives = [[t] for t in terms] if class_map and class_map.match_any else [terms]
        matches = [match_of(each, acls) for each in alternatives if each] or [Match()]
        found.extend(Known(Classifier(match, str(to.value), order), to.origin, to.where) for match in matches)
    return Known(tuple(found), Origin.INTENDED, policy.where)


def build_policers(
    policy: PolicyMap, class_maps: Mapping[tuple[str, str], ClassMap], acls: Mapping[str, Acl]
) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the classes of a policy police."""
    classes = [PolicedClass(s.class_name, class_maps.get(("qos", s.class_name)), s.police) for s in policy.steps]
    return list_policers(classes, CATCH_ALL, acls, policy.where)
