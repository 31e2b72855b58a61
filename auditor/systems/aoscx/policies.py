"""Classifier policies of AOS-CX: classes of packets, and what a policy does to each."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, TypeVar

from auditor.grammar.acl import Acl, AclRule
from auditor.grammar.body import PortBody
from auditor.grammar.classmaps import Term, match_of
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.mqc import Binding, TrafficBehavior
from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.rows import entries, skip, value, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.grammar.steps import Sorting, Step, Steps
from auditor.model.dump import LineState
from auditor.model.port import Forwarding
from auditor.model.qos import IpFamily, Match
from auditor.model.setting import Known, Setting, Unknown, Unset, Where, value_of
from auditor.systems.aoscx.acls import LIST, PAGE, read_words
from auditor.systems.aoscx.statements import APPLY_PAGE, KBPS_PER_GBPS, POLICY, TECHHUB
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
CLASS_PAGE = f"{TECHHUB}/OS-CX_10.04/5200-6690/GUID-E4B25D44-211E-4703-9541-FE4180B5EB6B.html"
"""`class ip`: entries in the order of their numbers, of which `no` takes one back."""
POLICY_PAGE = f"{TECHHUB}/OS-CX_10.04/5200-6690/GUID-C1CCF6CE-FE12-4F4A-8CB8-DFB4FB2EB45D.html"
"""`policy`: entries in the order of their numbers, of which `no` takes one back."""
FAMILIES: Mapping[str, IpFamily | None] = {
    "class ip": IpFamily.IPV4,
    "class ipv6": IpFamily.IPV6,
    "class mac": None,
}
"""The version of IP that a class of a kind takes; one of `mac` reads no IP header."""
BUILT_IN = frozenset({"default"})
"""Names of classes that need no definition."""
_STEP = 10
_MOST_MATCHES = 1024
"""Entries of all classes of a policy: each of its ports has them all."""
_DSCP_NAMES = {"cs0": 0, **DSCP_NAMES}
_LARGEST = 4_294_967_295


@dataclass(slots=True)
class ClassEntries:
    """The entries of a class by their numbers; one that does not permit leaves its packets to the next class."""

    where: Where
    rules: dict[int, Setting[AclRule]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PolicyEntry:
    """A class of a policy, and what happens to its packets; `kbps` is the rate beyond which they are dropped."""

    kind: str
    name: str
    to: int | None = None
    dscp: int | None = None
    kbps: int | None = None
    is_dropped: bool = False
    writes_precedence: bool = False


@dataclass(slots=True)
class PolicyEntries:
    """The entries of a policy by their numbers; `steps` are what they come to, which all its ports share."""

    where: Where
    entries: dict[int, Setting[PolicyEntry]] = field(default_factory=dict)
    steps: Steps | None = field(default=None, compare=False)

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the classes that the policy names, by their kind."""
        for entry in self.entries.values():
            if isinstance(entry, Known):
                yield entry.value.kind, Known(entry.value.name, entry.origin, entry.where)


@dataclass(slots=True)
class VlanPolicy:
    """A VLAN, which needs no use to be there, the policy and access list of what arrives in it, and of what leaves."""

    where: Where
    name: Setting[str] = NOTHING
    policy: Setting[str] = NOTHING
    leaving: Setting[str] = NOTHING
    access: Setting[str] = NOTHING

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the VLAN itself, its policies and its access list, by their kind."""
        return (_VLAN, self.name), (POLICY, self.policy), (POLICY, self.leaving), (LIST, self.access)


_VLAN = "vlan"


def _numbers(arguments: Arguments) -> tuple[int] | None:
    number = int(arguments["sequence"])
    return (number,) if 0 < number <= _LARGEST else None


_PROTOCOL = regex(r"(?:any|ip|ipv6)(?= any any\b)")


def _parse_rule(arguments: Arguments) -> AclRule:
    """Return an entry of a class in the words of an access list."""
    text = _PROTOCOL.sub("ip", read_words(arguments["words"])).replace("dscp cs0", "dscp 0")
    return AclRule(0, arguments["action"] == "match", text)


def _append_rule(body: ClassEntries, arguments: Arguments, where: Where) -> LineState:
    body.rules[max(body.rules, default=0) + _STEP] = setting(_parse_rule(arguments), where)
    return LineState.MODELLED


_CLASS: Table[ClassEntries] = Table(
    (
        replace(
            entries(
                "{sequence#} {action:match|ignore} {words+}",
                "rules",
                _numbers,
                _parse_rule,
                example="10 match any any any dscp AF31",
                page=CLASS_PAGE,
            ),
            least=1,
        ),
        Statement("{action:match|ignore} {words+}", "match any any any dscp AF31", _append_rule, Negation(CLASS_PAGE)),
        skip("{sequence#} comment ...", LineState.IGNORED),
        skip("comment ...", LineState.IGNORED),
    ),
)
_ACTION = regex(
    r"(?:action )?(?:local-priority (?P<to>[0-7])|dscp (?P<dscp>\S+)|(?P<precedence>ip-precedence) [0-7]|pcp [0-7]|"
    r"cir kbps (?P<kbps>\d{1,9}) cbs \d{1,12} exceed drop|(?P<drop>drop)|mirror \S+)(?: |\Z)"
)
"""Of all remarks the local priority alone changes the queue; the others change packets as they leave.

https://support.hpe.com/techhub/eginfolib/Aruba/OS-CX_10.02/5200-5313/GUID-F4A7DCFF-0D60-4DC2-A7A9-8B0B78A3AB2C.html
"""


def _parse_entry(arguments: Arguments) -> PolicyEntry | Unknown:
    """Return what a policy does to a class, Unknown where one of its actions is not understood."""
    text, found = arguments["actions"], PolicyEntry(f"class {arguments['kind']}", arguments["name"])
    place = 0
    while place < len(text):
        match = _ACTION.match(text, place)
        points = expand(match["dscp"].lower(), 0, 63, _DSCP_NAMES) if match and match["dscp"] else (None,)
        if match is None or points is None or len(points) > 1:
            return Unknown(f"what `{text[place : place + 40]}` does to packets is not modelled")
        found = replace(
            found,
            to=int(match["to"]) if match["to"] else found.to,
            dscp=found.dscp if points[0] is None else points[0],
            kbps=int(match["kbps"]) if match["kbps"] else found.kbps,
            is_dropped=found.is_dropped or bool(match["drop"]),
            writes_precedence=found.writes_precedence or bool(match["precedence"]),
        )
        place = match.end()
    return found


def _append_entry(body: PolicyEntries, arguments: Arguments, where: Where) -> LineState:
    body.entries[max(body.entries, default=0) + _STEP] = setting(_parse_entry(arguments), where)
    return LineState.MODELLED


_POLICY: Table[PolicyEntries] = Table(
    (
        replace(
            entries(
                "{sequence#} class {kind:ip|ipv6|mac} {name} {actions*}",
                "entries",
                _numbers,
                _parse_entry,
                example="10 class ip RDMA action local-priority 3",
                page=POLICY_PAGE,
            ),
            least=1,
        ),
        Statement(
            "class {kind:ip|ipv6|mac} {name} {actions+}",
            "class ip RDMA action local-priority 3",
            _append_entry,
            Negation(POLICY_PAGE),
        ),
        skip("{sequence#} comment ...", LineState.IGNORED),
        skip("comment ...", LineState.IGNORED),
    ),
)
_IN_VLAN: Table[VlanPolicy] = Table(
    (
        value("apply policy {name} in", "policy", word, example="apply policy SORT in", page=APPLY_PAGE),
        replace(
            value("apply policy {name} out", "leaving", word, example="apply policy SORT out", page=APPLY_PAGE), least=4
        ),
        value("apply access-list ip {name} in", "access", word, example="apply access-list ip HOST-IN in", page=PAGE),
    ),
    not_modelled=regex("apply "),
    ignored=regex(""),
)


def _name(body: VlanPolicy, arguments: Arguments, where: Where) -> None:
    body.name = setting(arguments["name"], where)


VIEWS: tuple[ViewForm[Any], ...] = (
    *(ViewForm(kind, f"{kind} {{name}}", f"{kind} RDMA", ClassEntries, _CLASS, CLASS_PAGE) for kind in FAMILIES),
    ViewForm(POLICY, "policy {name}", "policy SORT", PolicyEntries, _POLICY, POLICY_PAGE),
    ViewForm(_VLAN, "vlan {name!access|trunk|translate}", "vlan 7", VlanPolicy, _IN_VLAN, APPLY_PAGE, _name),
)


def find_sorting(config: ViewConfig[Any], body: PortBody) -> Sorting:
    """Return what the policy of a port does to packets that arrive.

    A policy for routed packets alone comes beside it, and so does that of a VLAN.
    """
    why = _find_rival(config, body)
    if why:
        return Sorting(None, why)
    own = body.policy
    if isinstance(own, Unset):
        return Sorting(None, ())
    if isinstance(own, Unknown):
        return Sorting(None, own)
    policy = config.find(POLICY, own.value, PolicyEntries)
    if policy is None:
        return Sorting(None, Unknown(f"{POLICY} {own.value} is not in the dump"))
    if policy.steps is None:
        policy.steps = _list_steps(config, policy)
    return Sorting(policy, policy.steps)


def _find_rival(config: ViewConfig[Any], body: PortBody) -> Unknown | None:
    """Return why more than the port's own policy sorts its packets, None if nothing else does."""
    routed = body.names.get(POLICY, NOTHING)
    if isinstance(routed, Unknown):
        return routed
    if isinstance(routed, Known):
        return Unknown(f"policy {routed.value} sorts the packets that are routed, which is not modelled")
    if value_of(body.forwarding) is Forwarding.ROUTED:
        return None
    vlans = (each.policy for each in config.objects.values() if isinstance(each, VlanPolicy))
    routing = (each.body.names.get(POLICY, NOTHING) for each in config.interfaces.values())
    applied = next((each for each in (*vlans, *routing) if isinstance(each, Known)), None)
    return Unknown(f"policy {applied.value} sorts the packets of a VLAN, which is not modelled") if applied else None


def _list_steps(config: ViewConfig[Any], policy: PolicyEntries) -> Steps:
    found: list[Step] = []
    count = 0
    for number, entry in sorted(policy.entries.items()):
        if isinstance(entry, Unknown):
            return entry
        if isinstance(entry, Known):
            matches = _list_matches(config, entry.value)
            if isinstance(matches, Unknown):
                return matches
            count += len(matches)
            if count > _MOST_MATCHES:
                return Unknown(f"the classes of the policy have more than {_MOST_MATCHES} entries")
            bound = _know(entry, Binding(entry.value.name, number))
            found.append(Step(bound, matches, _build_behavior(entry, policy.where)))
    return tuple(found)


def _list_matches(config: ViewConfig[Any], entry: PolicyEntry) -> tuple[Match, ...] | Unknown:
    """Return what the packets of a class are, one value for each entry unless one of them takes packets out."""
    listed = config.find(entry.kind, entry.name, ClassEntries)
    if listed is None:
        return Unknown(f"{entry.kind} {entry.name} is not in the dump")
    unread = next((rule for rule in listed.rules.values() if isinstance(rule, Unknown)), None)
    if unread:
        return unread
    rules = [rule for _, rule in sorted(listed.rules.items()) if isinstance(rule, Known)]
    if all(rule.value.permits for rule in rules):
        return tuple(_build_match(entry, (rule.value,), rule.where or listed.where) for rule in rules)
    return (_build_match(entry, tuple(rule.value for rule in rules), listed.where),)


def _build_match(entry: PolicyEntry, rules: tuple[AclRule, ...], where: Where) -> Match:
    family = FAMILIES[entry.kind]
    acl = Acl(entry.name, where, rules, family)
    found = match_of([Term("acl", (), entry.name, where)], {entry.name: acl})
    if family is None or not found.is_whole:
        return replace(found, is_whole=False)
    return replace(found, acl=None, dscp_at=where if found.dscp else None)


def _build_behavior(entry: Known[PolicyEntry], where: Where) -> TrafficBehavior:
    said = entry.value
    dscp: Setting[int] = NOTHING if said.dscp is None else _know(entry, said.dscp)
    if said.writes_precedence:
        dscp = Unknown("the policy writes the IP precedence, which is a part of the DSCP")
    return TrafficBehavior(
        where,
        to=NOTHING if said.to is None else _know(entry, said.to),
        dscp=dscp,
        police=NOTHING if said.kbps is None else _know(entry, said.kbps / KBPS_PER_GBPS),
        passes=_know(entry, False) if said.is_dropped else NOTHING,
    )


def _know(entry: Known[PolicyEntry], value: T) -> Known[T]:
    return Known(value, entry.origin, entry.where)
