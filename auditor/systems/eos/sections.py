"""The stanzas of EOS, with or without indentation, and a stanza's lines with those below them."""

import re
from collections.abc import Sequence

from auditor.grammar.lines import WRAPPED, Line, LineSyntax
from auditor.grammar.prompts import find_mode_lines
from auditor.grammar.sections import StanzaSyntax, judge_by
from auditor.grammar.stanzas import TOP_KIND, Stanza
from auditor.grammar.tree import Node
from auditor.util.regex import regex

_HEADS = regex(
    r"(?P<kind>(?:(?:no|default) )?interface(?! defaults\b)(?P<profile> profile)?|qos profile|class-map|policy-map|"
    r"(?:ip|ipv6|mac) access-list|platform trident mmu queue profile(?!.* apply$)) ",
)
_TOP_ONLY = regex(
    r"(?:no |default )?(?:qos map (?:dscp|cos|traffic-class|exp) (?!to )|priority-flow-control all |hostname |"
    r"priority-flow-control pause watchdog (?:default|action) |switchport default |"
    r"platform trident mmu queue profile .* apply$)|"
    r"(?:no|default) (?:qos profile|interface profile|policy-map|class-map|(?:ip|ipv6|mac) access-list) "
)
_QUEUE = regex(r"(?:uc-|mc-)?tx-queue \d")
_IN_QUEUE = (
    r"(?:no |default )?(?:priority(?: strict)?$|bandwidth (?:guaranteed|percent)\b|shape rate|"
    r"random-detect )"
)
_OF_QUEUE = regex(_IN_QUEUE)
_IN_INTERFACE = regex(
    rf"{_IN_QUEUE}|"
    r"(?:no |default )?(?:switchport(?! default)|mtu \d|l2 mtu|channel-group|service-policy |service-profile |"
    r"description |speed |shutdown$|priority-flow-control(?:$| on$| mode | priority | pause watchdog(?: port|$))|"
    r"flowcontrol |ip address |qos (?:trust|cos|dscp)\b|dcbx |(?:uc-|mc-)?tx-queue \d|load-interval|error-correction|"
    r"shape rate|lldp (?:transmit|receive)|spanning-tree portfast|ipv6 (?:address|enable))"
)
_BELONGS = {
    "interface": _IN_INTERFACE,
    "qos profile": _IN_INTERFACE,
    "interface profile": regex(r"command "),
    "class-map": regex(r"(?:no |default |\d+ )?match "),
    "policy-map": regex(r"(?:no |default |\d+ )?(?:class (?!-)|set |police |bandwidth |priority |shape )"),
    "access-list": regex(r"(?:\d+ )?(?:permit|deny|remark) |counters per-entry"),
    "platform": regex(r"(?:no |default )?(?:ingress|egress) "),
}
_BOTH = regex(
    r"(?:no |default )?(?:ip |ipv6 |lldp |spanning-tree |mac |logging |vrf |vxlan |ptp |sflow |"
    r"bfd |mlag |lacp |storm-control |dot1x |hardware |pim |isis |mpls |traffic-loopback|link-debounce|phy |"
    r"transceiver )"
)


def _find_kind(lines: Sequence[Line], index: int, _above: Stanza | None) -> str:
    text = lines[index].text
    if _TOP_ONLY.match(text):
        return TOP_KIND
    head = _HEADS.match(text)
    if head is None:
        return ""
    if head["profile"]:
        return "interface profile"
    kind = head["kind"].removeprefix("no ").removeprefix("default ")
    return next((short for short in ("access-list", "platform") if short in kind), kind)


SYNTAX = StanzaSyntax(
    lines=LineSyntax(
        continued=WRAPPED,
        find_sessions=find_mode_lines,
        banner=regex(r"banner (?:login|motd)\b|comment$"),
        end_of_banner="EOF",
        comment=regex(r"(?<!\s)\s+!+ .*"),
    ),
    kind=_find_kind,
    judge=judge_by(_BELONGS, {"interface": _BOTH, "qos profile": _BOTH}),
    reopened=frozenset(_BELONGS),
)
"""An `exit` may leave a queue within an interface, which goes on behind it."""


def nest(head: Line, body: Sequence[Line]) -> Node:
    """Return a stanza as a tree of two levels: by indentation, and where that is lost by what a queue can hold."""
    top = min((line.indent for line in body), default=0)
    flat = all(line.indent == top for line in body)
    lines: list[tuple[Line, list[Node]]] = []
    for line in body:
        opener = lines[-1][0] if lines else None
        below = _goes_below(opener.text, line.text) if flat and opener else line.indent > top
        if below and lines:
            lines[-1][1].append(Node(line.text, line.index))
        else:
            lines.append((line, []))
    return Node(head.text, head.index, tuple(Node(line.text, line.index, tuple(under)) for line, under in lines))


def _goes_below(opener: str, text: str) -> bool:
    """Return whether *text* belongs to the queue or class that *opener* begins, where nothing is indented."""
    if _QUEUE.match(opener):
        return _OF_QUEUE.match(text) is not None
    return (
        re.match(r"(?:\d+ )?class ", opener) is not None and re.match(r"(?:(?:no|default) |\d+ )?class ", text) is None
    )
