"""Policies on arrival in effect: the internal class that packets get by what the classes of a policy match."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import REST, ClassMap, match_of
from auditor.grammar.policymaps import PolicyClass
from auditor.model.qos import Classification, Classifier, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.util.values import dataclass

A = TypeVar("A", bound=PolicyClass)


@dataclass(frozen=True, slots=True)
class PolicySorting:
    """The way in which a policy sorts packets, the same wherever it is attached.

    `names` are those of the internal classes that it chooses; `default` is the class of packets that no class map
    matches, None where the policy does not say.
    """

    trust: Setting[Trust]
    names: Mapping[int, str]
    dscp: ValueMap
    pcp: ValueMap
    default: Known[str] | None
    steps: tuple[Known[Classifier], ...]
    asked_at: Mapping[str, Where]

    def classify(
        self, classes: Setting[tuple[TrafficClass, ...]], where: Where | None, silent: Unset
    ) -> Classification:
        """Return the classification by the policy where it is attached; *silent* stands for its default class."""
        return Classification(
            trust=replace(self.trust, where=where) if isinstance(self.trust, Known) else self.trust,
            classes=classes,
            dscp_to_class=Known(self.dscp, Origin.INTENDED, where),
            pcp_to_class=Known(self.pcp, Origin.INTENDED, where),
            default_class=self.default or silent,
            classifiers=Known(self.steps, Origin.INTENDED, where),
            steps_decide=True,
            asked_at=self.asked_at,
        )


def sort_packets(
    pairs: Iterable[tuple[A, ClassMap | None]],
    find_class: Callable[[A], Known[str]],
    default: Known[str] | None,
    acls: Mapping[str, Acl],
) -> PolicySorting:
    """Return how the classes of a policy, without that of the rest, sort packets.

    *find_class* returns the internal class that a class chooses, *default* is that of the rest.
    """
    dscp: dict[int, Known[str]] = {}
    pcp: dict[int, Known[str]] = {}
    steps: list[Known[Classifier]] = []
    asked_at: dict[str, Where] = {}
    names: dict[int, str] = {}
    kinds: set[str] = set()
    plain = True
    for order, (action, class_map) in enumerate(pairs):
        if class_map is None:
            continue
        to = find_class(action)
        names.setdefault(int(to.value), action.class_name)
        kinds |= {term.kind for term in class_map.terms}
        for terms in class_map.list_alternatives():
            if terms[0].kind == "dscp":
                asked_at.setdefault(to.value, terms[0].where)
            if len(terms) == 1 and terms[0].kind in {"dscp", "cos"} and terms[0].family is None:
                table = dscp if terms[0].kind == "dscp" else pcp
                for value in terms[0].values:
                    table.setdefault(value, to)
            else:
                plain = False
            steps.append(Known(Classifier(match_of(terms, acls), to.value, order), Origin.INTENDED, to.where))
    if default:
        names.setdefault(int(default.value), REST)
    return PolicySorting(_find_trust(kinds), names, dscp, pcp, default, () if plain else tuple(steps), asked_at)


_TRUST = {
    frozenset(): Trust.NONE,
    frozenset({"dscp"}): Trust.DSCP,
    frozenset({"cos"}): Trust.PCP,
    frozenset({"dscp", "cos"}): Trust.BOTH,
}


def _find_trust(kinds: set[str]) -> Setting[Trust]:
    read = frozenset(kinds & {"dscp", "cos"})
    if kinds and not read:
        return Unknown("the policy matches neither DSCP nor CoS: see its classifiers")
    return Known(_TRUST[read], Origin.INTENDED)


def find_undefined_class(pairs: Iterable[tuple[A, ClassMap | None]]) -> str:
    """Return the first class whose class map is not in the dump, empty where all are."""
    return next((action.class_name for action, class_map in pairs if class_map is None), "")
