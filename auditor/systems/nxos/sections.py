"""The stanzas of NX-OS, with or without indentation."""

import re
from collections.abc import Sequence

from auditor.grammar.lines import WRAPPED, Line, LineSyntax
from auditor.grammar.prompts import find_mode_lines
from auditor.grammar.sections import StanzaSyntax, judge_by
from auditor.grammar.stanzas import Stanza
from auditor.util.regex import regex

_HEADS = regex(
    r"(?P<kind>interface (?!breakout)|port-profile |class-map |policy-map |system qos\b|ip access-list |"
    r"ipv6 access-list )",
    re.IGNORECASE,
)
_FORCED = regex(
    r"(?:class-map (?:type|match)|policy-map type|system qos$|interface (?:ethernet|port-channel) ?\d)", re.IGNORECASE
)
_POLICY_LINE = (
    r"(?:no )?(?:class (?!-)|set |pause\b|bandwidth |random-detect|priority(?: level|$)|queue-limit|shape |mtu \d|"
    r"congestion-control|police |description )"
)
_CHILD_ONLY = {
    "interface": regex(
        r"(?:no )?(?:switchport|mtu \d|mtu$|channel-group|service-policy type|service-policy (?:in|out)put|"
        r"description |inherit port-profile|"
        r"speed |duplex |shutdown|priority-flow-control mode|flowcontrol |ip address|negotiate |fec )"
    ),
    "class-map": regex(r"(?:no )?(?:match |description )"),
    "policy-map": regex(_POLICY_LINE),
    "system qos": regex(r"(?:no )?service-policy "),
    "access-list": regex(r"(?:\d+ )?(?:permit|deny|remark) "),
}
_AMBIGUOUS = {
    "interface": regex(
        r"(?:no )?(?:priority-flow-control|ip |ipv6 |spanning-tree |vpc \d|vpc peer-link|lldp |cdp |logging event|"
        r"vrf member|hsrp|bfd|storm-control|udld|lacp|load-interval|snmp trap|beacon|bandwidth|delay|hardware|"
        r"autostate|link )"
    ),
}


def _find_kind(lines: Sequence[Line], index: int, _above: Stanza | None) -> str:
    head = _HEADS.match(lines[index].text)
    if head is None:
        return ""
    kind = head["kind"].strip().lower()
    return "access-list" if kind.endswith("access-list") else kind


SYNTAX = StanzaSyntax(
    lines=LineSyntax(
        continued=WRAPPED,
        find_sessions=find_mode_lines,
        banner=regex(r"banner (?:motd|exec) (?P<mark>\S)(?P<rest>.*)", re.IGNORECASE),
        comment=regex(r"(?<!\s)\s+!.*"),
    ),
    kind=_find_kind,
    judge=judge_by(
        _CHILD_ONLY | {"port-profile": _CHILD_ONLY["interface"]},
        _AMBIGUOUS | {"port-profile": _AMBIGUOUS["interface"]},
    ),
    always=_FORCED,
    reopened=frozenset({"policy-map", "class-map", "system qos"}),
)
"""An `exit` may leave a class within a policy map, which goes on behind it."""
