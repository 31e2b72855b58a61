"""Traffic policies in effect: which class a packet gets by what it matches, and what is policed."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar

from auditor.grammar.classmaps import match_of
from auditor.grammar.configuration import ViewObject
from auditor.grammar.mqc import (
    BEHAVIOR,
    CLASSIFIER,
    Binding,
    PolicySyntax,
    TrafficBehavior,
    TrafficClassifier,
    TrafficPolicy,
)
from auditor.model.qos import Classification, Classifier, Match, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.util.values import dataclass

V = TypeVar("V", bound=ViewObject)


class Objects(Protocol):
    """The named views of a configuration."""

    def find(self, kind: str, name: str, type_: type[V]) -> V | None:
        """Return the object of a kind and a name, None if it is missing or removed."""


@dataclass(frozen=True, slots=True)
class Step:
    """A classifier of a policy: what it matches, and what happens to these packets."""

    binding: Known[Binding]
    matches: tuple[Match, ...]
    behavior: TrafficBehavior


Steps: TypeAlias = tuple[Step, ...] | Unknown
"""The steps of a policy in the order in which they are tried, Unknown where one cannot be read."""


def list_steps(objects: Objects, policy: TrafficPolicy, syntax: PolicySyntax) -> Steps:
    """Return the steps of a policy."""
    found: list[Step] = []
    for name, bound in policy.bindings.items():
        if isinstance(bound, Unknown):
            return bound
        if isinstance(bound, Known):
            step = _build_step(objects, name, bound, syntax)
            if isinstance(step, Unknown):
                return step
            found.append(step)
    precedences = [step.binding.value.precedence for step in found]
    told = [each for each in precedences if each is not None]
    if told and (len(told) != len(precedences) or told != sorted(told)):
        return Unknown("the precedences of the classifiers are not in the order in which these are written")
    return tuple(found)


def _build_step(objects: Objects, name: str, bound: Known[Binding], syntax: PolicySyntax) -> Step | Unknown:
    classifier = objects.find(CLASSIFIER, name, TrafficClassifier)
    behavior = objects.find(BEHAVIOR, bound.value.behavior, TrafficBehavior)
    if classifier is None or behavior is None:
        missing = f"{CLASSIFIER} {name}" if classifier is None else f"{BEHAVIOR} {bound.value.behavior}"
        return Unknown(f"{missing} is not in the dump")
    matches = _list_matches(classifier, syntax)
    return matches if isinstance(matches, Unknown) else Step(bound, matches, behavior)


def _list_matches(classifier: TrafficClassifier, syntax: PolicySyntax) -> tuple[Match, ...] | Unknown:
    settings = (classifier.takes_all, *classifier.terms.values())
    unread = next((each for each in settings if isinstance(each, Unknown)), None)
    if unread:
        return unread
    lines = [term for term in classifier.terms.values() if isinstance(term, Known)]
    terms = [replace(line.value, where=line.where or classifier.where) for line in lines]
    if any(term.kind == "any" for term in terms):
        return (Match(),)
    told = value_of(classifier.takes_all)
    takes_all = syntax.takes_all_by_default if told is None else told
    if takes_all is None and len(terms) > 1:
        return Unknown("whether a packet has to match one line of the classifier or all is not written")
    alternatives = [terms] if takes_all else [[term] for term in terms]
    return tuple(match_of(each, {}) for each in alternatives if each)


def classify(found: Classification, steps: Steps, policy: ViewObject, get_id: Callable[[int], str]) -> Classification:
    """Return how a port sorts: the *steps* of a policy come before what it trusts.

    *get_id* gives the id of a class.
    """
    if isinstance(steps, Unknown):
        return doubt_classification(found, steps)
    sorting: list[Known[Classifier]] = []
    passing = False
    for order, step in enumerate(steps):
        to = step.behavior.to
        if isinstance(to, Unknown):
            return doubt_classification(found, to)
        if isinstance(to, Known) and passing:
            why = Unknown("a behavior that sets no class keeps its packets from the classifiers behind it")
            return doubt_classification(found, why)
        passing = passing or isinstance(to, Unset)
        if isinstance(to, Known):
            sorting.extend(
                Known(Classifier(each, get_id(to.value), order), to.origin, to.where) for each in step.matches
            )
    return replace(found, classifiers=Known(tuple(sorting), Origin.INTENDED, policy.where))


def doubt_classification(found: Classification, why: Unknown) -> Classification:
    """Return *found* with nothing known of how packets are sorted."""
    return replace(found, trust=why, dscp_to_class=why, pcp_to_class=why, default_class=why, classifiers=why)


def list_policers(steps: Steps, policy: ViewObject) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the behaviors of a policy police, nothing where none has a rate; one that drops has the rate 0."""
    if isinstance(steps, Unknown):
        return steps
    found: list[Known[Policer]] = []
    has_rate = False
    for step in steps:
        rate = _find_rate(step.behavior)
        if isinstance(rate, Unknown):
            return rate
        has_rate = has_rate or isinstance(rate, Known)
        gbps = rate.value if isinstance(rate, Known) and math.isfinite(rate.value) else None
        where = rate.where if isinstance(rate, Known) else step.binding.where
        found.extend(Known(Policer(match, gbps), Origin.INTENDED, where) for match in step.matches)
    return Known(tuple(found) if has_rate else (), Origin.INTENDED, policy.where)


def _find_rate(behavior: TrafficBehavior) -> Setting[float]:
    passes = behavior.passes
    is_dropped = isinstance(passes, Known) and not passes.value
    return Known(0.0, passes.origin, passes.where) if is_dropped and isinstance(passes, Known) else behavior.police


def find_rewriting(steps: Steps) -> Unknown | None:
    """Return why a policy leaves open which DSCP leaves, None where no behavior writes one."""
    if isinstance(steps, Unknown):
        return steps
    writes = any(not isinstance(step.behavior.dscp, Unset) for step in steps)
    return Unknown("a behavior of the traffic policy writes the DSCP of packets that arrive") if writes else None


@dataclass(frozen=True, slots=True)
class Sorting:
    """What a traffic policy does to packets that arrive; without one it has no step."""

    policy: ViewObject | None
    steps: Steps

    def classify(self, found: Classification, get_id: Callable[[int], str]) -> Classification:
        """Return how a port sorts, which would be *found* without the policy."""
        if self.policy:
            return classify(found, self.steps, self.policy, get_id)
        return doubt_classification(found, self.steps) if isinstance(self.steps, Unknown) else found

    def police(self, nothing: Unset) -> Setting[tuple[Known[Policer], ...]]:
        """Return the policers, *nothing* without a policy."""
        return list_policers(self.steps, self.policy) if self.policy else nothing


def find_sorting(objects: Objects, kind: str, own: Setting[str], of_all: Setting[str], syntax: PolicySyntax) -> Sorting:
    """Return the sorting of a port by the name of its *own* policy, else by that of the policy of all ports."""
    named = of_all if isinstance(own, Unset) else own
    if isinstance(named, Unset):
        return Sorting(None, ())
    if isinstance(named, Unknown):
        return Sorting(None, named)
    if isinstance(own, Known) and isinstance(of_all, Known):
        why = Unknown("the port has a traffic policy beside that of the system; which comes first is not read")
        return Sorting(None, why)
    policy = objects.find(kind, named.value, TrafficPolicy)
    if policy is None:
        return Sorting(None, Unknown(f"{kind} {named.value} is not in the dump"))
    return Sorting(policy, list_steps(objects, policy, syntax))
