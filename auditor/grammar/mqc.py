"""The statements of traffic policies, and of the classifiers and behaviors that they bind."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial

from auditor.grammar.classmaps import Term
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import DSCP_NAMES, expand, parse_dscp
from auditor.grammar.policing import parse_police
from auditor.grammar.rows import choice, entries, skip, value
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Unknown, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

CLASSIFIER, BEHAVIOR = "traffic classifier", "traffic behavior"
"""The kinds of the named objects that a policy is made of."""


@dataclass(slots=True)
class TrafficClassifier:
    """The packets of a class: those that match one of its terms, or all with `takes_all`; `terms` by their words."""

    where: Where
    takes_all: Setting[bool] = NOTHING
    terms: dict[str, Setting[Term]] = field(default_factory=dict)


@dataclass(slots=True)
class TrafficBehavior:
    """What happens to the packets of a class: the class that they get, their DSCP, and the rate of a policer in Gb/s.

    `passes` is False where they are dropped.
    """

    where: Where
    to: Setting[int] = NOTHING
    dscp: Setting[int] = NOTHING
    police: Setting[float] = NOTHING
    passes: Setting[bool] = NOTHING


@dataclass(frozen=True, slots=True)
class Binding:
    """A behavior that a policy binds to a classifier, with its precedence, None without one."""

    behavior: str
    precedence: int | None = None


@dataclass(slots=True)
class TrafficPolicy:
    """A policy: the bindings of its classifiers by their names, in writing order."""

    where: Where
    bindings: dict[str, Setting[Binding]] = field(default_factory=dict)

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the classifiers and behaviors that the policy names, by their kind."""
        for name, bound in self.bindings.items():
            if isinstance(bound, Known):
                yield CLASSIFIER, Known(name, bound.origin, bound.where)
                yield BEHAVIOR, Known(bound.value.behavior, bound.origin, bound.where)


@dataclass(frozen=True, slots=True)
class PolicySyntax:
    """The words of one command line.

    `dscp` and `pcp` stand behind `if-match` before code points. `family` is the version of IP that `if-match dscp`
    reads, None for both. `numbers` are the names of classes; `car_unit` counts a rate without a unit. `operator` stands
    before `and` or `or` in the head of a classifier; `takes_all_by_default` is None where no page tells the default.
    """

    page: str
    undo: tuple[str, ...]
    dscp: tuple[str, ...]
    pcp: tuple[str, ...]
    numbers: Mapping[str, int]
    operator: str
    takes_all_by_default: bool | None
    family: IpFamily | None = None
    car_unit: str = "kbps"


def read_operator(syntax: PolicySyntax, body: TrafficClassifier, arguments: Arguments, where: Where) -> None:
    """Write from the head of a classifier whether its packets match all of its terms."""
    words = arguments["options"].split()
    if words[:1] == [syntax.operator]:
        known = {"and": True, "or": False}.get(words[1] if len(words) > 1 else "")
        body.takes_all = (
            Unknown("the operator of the classifier is malformed")
            if known is None
            else Known(known, Origin.INTENDED, where)
        )


def make_head(syntax: PolicySyntax) -> Callable[[TrafficClassifier, Arguments, Where], None]:
    """Return what reads the head of a classifier."""
    return partial(read_operator, syntax)


def build_classifier_table(syntax: PolicySyntax) -> Table[TrafficClassifier]:
    """Return the statements of a classifier."""
    return Table(
        (
            entries(
                "if-match {words+}",
                "terms",
                lambda arguments: (arguments["words"],),
                partial(_parse_term, syntax),
                example=f"if-match {syntax.dscp[0]} 26",
                page=syntax.page,
            ),
            skip("description ...", LineState.IGNORED),
        ),
        undo=syntax.undo,
    )


def _parse_term(syntax: PolicySyntax, arguments: Arguments) -> Term | Unknown | None:
    """Return what one line matches; a line of which the meaning is not modelled is a term of its own kind."""
    text = arguments["words"]
    where = Where("", 0)
    for kind, heads, highest, names in (("dscp", syntax.dscp, 63, DSCP_NAMES), ("cos", syntax.pcp, 7, None)):
        head = next((each for each in heads if text.startswith(f"{each} ")), None)
        if head is not None:
            values = expand(_join_list(text.removeprefix(head)), 0, highest, names)
            return None if values is None else Term(kind, values, "", where, syntax.family if kind == "dscp" else None)
    if text.startswith("ipv6 dscp "):
        values = expand(_join_list(text.removeprefix("ipv6 dscp")), 0, 63, DSCP_NAMES)
        return None if values is None else Term("dscp", values, "", where, IpFamily.IPV6)
    if text == "any":
        return Term("any", (), "", where)
    return Term("acl" if text.startswith("acl ") else "unread", (), text, where)


_SPAN = regex(r"(?<=\d) to (?=\d)")


def _join_list(text: str) -> str:
    """Return a list such as `24 26 to 28` with commas and hyphens.

    >>> _join_list(" 24 26 to 28")
    '24,26-28'
    """
    return ",".join(_SPAN.sub("-", text.strip()).split())


def build_behavior_table(syntax: PolicySyntax, dot1p: str) -> Table[TrafficBehavior]:
    """Return the statements of a behavior; *dot1p* is the word for the priority in a tag."""
    page = syntax.page
    numbers = choice({**{str(n): n for n in range(8)}, **syntax.numbers})
    return Table(
        (
            value(
                "remark local-precedence {class} [green|yellow|red]",
                "to",
                numbers,
                example="remark local-precedence 3",
                page=page,
            ),
            value("remark dscp {dscp}", "dscp", parse_dscp, example="remark dscp 26", page=page),
            value("car {rate+}", "police", partial(_parse_car, syntax), example="car cir 10000000 kbps", page=page),
            value("filter {action}", "passes", choice(_ACTIONS), example="filter deny", page=page),
            Statement("deny", "deny", _deny, Negation(page, ("passes",))),
            skip("permit", LineState.MODELLED),
            skip(f"remark {dot1p}|qos-local-id|drop-precedence|ip-precedence ..."),
            skip("statistics|accounting|description ...", LineState.IGNORED),
        ),
        undo=syntax.undo,
        not_modelled=re.compile(""),
    )


_ACTIONS = {"deny": False, "permit": True}


def _deny(body: TrafficBehavior, _arguments: Arguments, where: Where) -> LineState:
    body.passes = Known(value=False, origin=Origin.INTENDED, where=where)
    return LineState.MODELLED


_PASSES = regex(r"\bred pass\b|\bred pass\Z")
_BARE = regex(r"\b(?P<what>cir|pir) (?P<amount>\d+)(?! ?(?:kbps|mbps|gbps|percent|pps))(?=\D|\Z)")


def _parse_car(syntax: PolicySyntax, text: str) -> float | Unknown | None:
    """Return the rate in Gb/s above which a `car` line drops, infinity where it drops nothing."""
    if _PASSES.search(text):
        return math.inf
    return parse_police(_BARE.sub(rf"\g<what> \g<amount> {syntax.car_unit}", text).split(" cbs ")[0])


def build_policy_table(syntax: PolicySyntax) -> Table[TrafficPolicy]:
    """Return the statements of a policy."""
    return Table(
        (
            entries(
                "classifier {classifier} behavior {behavior} {options*}",
                "bindings",
                lambda arguments: (arguments["classifier"],),
                _parse_binding,
                example="classifier RDMA behavior RDMA",
                page=syntax.page,
            ),
            skip("description|share-mode|statistics ...", LineState.IGNORED),
        ),
        undo=syntax.undo,
    )


_PRECEDENCE = regex(r"precedence (?P<number>\d{1,5})\Z")


def _parse_binding(arguments: Arguments) -> Binding | Unknown | None:
    options = arguments["options"]
    match = _PRECEDENCE.match(options)
    if match:
        return Binding(arguments["behavior"], int(match["number"]))
    if options.startswith(("insert-before ", "mode ")):
        return Unknown(f"the order that `{options[:40]}` gives is not modelled")
    return None if options else Binding(arguments["behavior"])
