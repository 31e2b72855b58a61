"""Access lists of AOS-CX, and the one that what arrives at a port has to pass."""

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from auditor.grammar.acl import Acl, AclRule
from auditor.grammar.body import PortBody
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING, fall_back
from auditor.grammar.rows import entries, skip
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.port import AccessList, Forwarding
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Setting, Unknown, Unset, Where, value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass

PAGE = "https://support.hpe.com/techhub/eginfolib/Aruba/8320_10.01/5200-5121/GUID-F1290194-1755-49E8-A1BC-B844DECFF888.html"
"""Entries are tried in the order of their numbers; what none of them takes is dropped."""
LIST = "access-list ip"
"""The kind of a list's name; among the names that an interface or a VLAN uses, that of the list for what arrives."""
_LARGEST, _STEP = 4_294_967_295, 10
_COUNTED = regex(r"(?<! count)(?<! log)(?>(?: (?:count|log))+)\Z")
"""The words at the end of an entry, sought from the first one alone."""
_PROTOCOL = regex(r"\Aany(?= )")


@dataclass(slots=True)
class AccessEntries:
    """The entries of an access list by their numbers; a list needs no use to be there, and has many besides ports."""

    where: Where
    name: Setting[str] = NOTHING
    rules: dict[int, Setting[AclRule]] = field(default_factory=dict)

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the list itself."""
        return ((LIST, self.name),)


def _numbers(arguments: Arguments) -> tuple[int] | None:
    number = int(arguments["sequence"])
    return (number,) if 0 < number <= _LARGEST else None


def _parse_rule(arguments: Arguments) -> AclRule:
    """Return an entry; the protocol `any` is that of each packet."""
    text = _PROTOCOL.sub("ip", read_words(arguments["words"]))
    return AclRule(0, arguments["action"] == "permit", text)


def read_words(words: str) -> str:
    """Return the words of an entry in small letters, without those at the end that count and log it.

    >>> read_words("any any any dscp AF31 count log")
    'any any any dscp af31'
    """
    return _COUNTED.sub("", words.lower())


def _append_rule(body: AccessEntries, arguments: Arguments, where: Where) -> LineState:
    body.rules[max(body.rules, default=0) + _STEP] = setting(_parse_rule(arguments), where)
    return LineState.MODELLED


def _name(body: AccessEntries, arguments: Arguments, where: Where) -> None:
    body.name = setting(arguments["name"], where)


_ENTRIES: Table[AccessEntries] = Table(
    (
        replace(
            entries(
                "{sequence#} {action:permit|deny} {words+}",
                "rules",
                _numbers,
                _parse_rule,
                example="10 permit udp any any eq 4791",
                page=PAGE,
            ),
            least=1,
        ),
        Statement("{action:permit|deny} {words+}", "permit udp any any eq 4791", _append_rule, Negation(PAGE)),
        skip("{sequence#} comment ...", LineState.IGNORED),
        skip("comment ...", LineState.IGNORED),
    ),
)
ACCESS_VIEW: ViewForm[Any] = ViewForm(
    LIST, "access-list ip {name}", "access-list ip HOST-IN", AccessEntries, _ENTRIES, PAGE, _name
)
APPLIED: Statement[Any] = entries(
    "apply access-list ip {name} in",
    "names",
    lambda _: (LIST,),
    lambda arguments: arguments["name"],
    example="apply access-list ip HOST-IN in",
    page=PAGE,
)


def find_access(config: ViewConfig[Any], body: PortBody, nothing: Unset) -> Setting[AccessList]:
    """Return the access list on what arrives at a port; one of a VLAN comes beside it, on ports that switch."""
    if value_of(body.forwarding) is not Forwarding.ROUTED and (of_vlan := _find_vlan_list(config)):
        return Unknown(f"access list {of_vlan} is on what arrives in a VLAN, which is not modelled")
    named = body.names.get(LIST, NOTHING)
    if not isinstance(named, Known):
        return fall_back(named, nothing)
    found = config.find(LIST, named.value, AccessEntries)
    if found is None:
        return Unknown(f"access list {named.value} is not in the dump")
    return Known(AccessList(named.value, _build(named.value, found).passes_roce), named.origin, named.where)


def _find_vlan_list(config: ViewConfig[Any]) -> str | None:
    named = (getattr(each, "access", NOTHING) for each in config.objects.values())
    return next((each.value for each in named if isinstance(each, Known)), None)


def _build(name: str, found: AccessEntries) -> Acl:
    """Return the list with its entries in their order, none where one of them cannot be read."""
    rules = [rule.value for _, rule in sorted(found.rules.items()) if isinstance(rule, Known)]
    is_read = not any(isinstance(rule, Unknown) for rule in found.rules.values())
    return Acl(name, found.where, tuple(rules) if is_read else (), IpFamily.IPV4)
