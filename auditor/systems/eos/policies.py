"""Policy maps of type quality-of-service: which traffic class a packet gets by what it matches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap, Mark, indices, match_of, typed
from auditor.grammar.numbers import decimal
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Classifier, Match
from auditor.model.setting import Known, Origin, Setting, Unknown, Where

CATCH_ALL = "class-default"
QOS_TYPES = frozenset({"qos", "quality-of-service"})


@dataclass(slots=True)
class Step:
    """A class inside a policy map; `to` is the traffic class that it sets, None where it sets none."""

    class_name: str
    where: Where
    to: Known[int] | None = None


@dataclass(slots=True)
class PolicyMap:
    """A policy map, its classes in the order of writing."""

    name: str
    where: Where
    steps: list[Step] = field(default_factory=list)


def read_policy_map(node: Node, place: Callable[[int], Where], mark: Mark, known: dict[str, PolicyMap]) -> None:
    """Read the policy map of a stanza into *known*, where one of the same name may stand already; marks each line."""
    kind, words = typed(node.text)
    if kind not in QOS_TYPES:
        for index in indices(node):
            mark(index, LineState.NOT_MODELLED)
        return
    if len(words) != 1:
        return
    mark(node.index, LineState.MODELLED)
    policy = known.setdefault(words[0], PolicyMap(words[0], place(node.index)))
    for child in node.children:
        name = _class_name(child.text)
        if name:
            mark(child.index, LineState.MODELLED)
            step = Step(name, place(child.index))
            policy.steps.append(step)
            for line in child.children:
                mark(line.index, _act(step, line.text, place(line.index)))


def _class_name(text: str) -> str | None:
    """Return the class that a line opens, None where it opens none; a number may stand before it.

    >>> _class_name("class RDMA"), _class_name("10 class type qos RDMA"), _class_name("set dscp 1")
    ('RDMA', 'RDMA', None)
    """
    words = text.split()
    words = words[1:] if words[0].isdecimal() else words
    return words[-1] if words[:1] == ["class"] and len(words) > 1 else None


def _act(step: Step, text: str, where: Where) -> LineState:
    words = text.split()
    if words[:2] == ["set", "traffic-class"] and len(words) > 2:  # noqa: PLR2004  `set traffic-class N`
        number = decimal(words[2], 0, 7)
        if number is None:
            return LineState.UNRECOGNISED
        step.to = Known(int(number), Origin.INTENDED, where)
        return LineState.MODELLED
    known = words[0] in {"set", "police", "no", "bandwidth", "shape"}
    return LineState.NOT_MODELLED if known else LineState.UNRECOGNISED


def classifiers(
    policy: PolicyMap, class_maps: Mapping[tuple[str, str], ClassMap], acls: Mapping[str, Acl]
) -> Setting[tuple[Known[Classifier], ...]]:
    """Return the steps of a policy; a class that sets no traffic class leaves the packet to what the port trusts."""
    found: list[Known[Classifier]] = []
    passing = [n for n, step in enumerate(policy.steps) if step.to is None]
    if passing and any(step.to for step in policy.steps[passing[0] :]):
        name = policy.steps[passing[0]].class_name
        return Unknown(f"class {name} sets no traffic class and keeps its packets from the classes behind it")
    for order, step in enumerate(policy.steps):
        class_map = class_maps.get(("qos", step.class_name))
        if class_map is None and step.class_name != CATCH_ALL:
            return Unknown(f"class-map type qos {step.class_name} is not in the dump")
        if step.to is None:
            continue
        to = step.to
        terms = class_map.terms if class_map else []
        alternatives = [[t] for t in terms] if class_map and class_map.match_any else [terms]
        matches = [match_of(each, acls) for each in alternatives if each] or [Match()]
        found.extend(Known(Classifier(match, str(to.value), order), to.origin, to.where) for match in matches)
    return Known(tuple(found), Origin.INTENDED, policy.where)
