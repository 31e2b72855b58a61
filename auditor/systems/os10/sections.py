"""The stanzas of OS10, with or without indentation, and their nesting."""

import re
from collections.abc import Sequence
from functools import partial

from auditor.grammar.lines import WRAPPED, Line, LineSyntax
from auditor.grammar.prompts import find_mode_lines
from auditor.grammar.sections import StanzaSyntax, judge_by
from auditor.grammar.stanzas import OTHER_KIND, TOP_KIND, Stanza
from auditor.util.regex import regex

_MODE = regex(r"\s*[\w.-]{1,80}\(conf(?:ig)?-?(?P<mode>[^)\s]{0,80})\)#(?P<text>.*)")
_HEADS = regex(
    r"(?P<kind>interface (?!breakout)|class-map |policy-map |wred |trust (?:dot1p|dscp)-map |qos-map traffic-class |"
    r"port-group |system qos$|(?:ip|ipv6|mac) access-list )",
    re.IGNORECASE,
)
_TOP_ONLY = regex(
    r"no (?:class-map|policy-map|wred|trust (?:dot1p|dscp)-map|interface|(?:ip|ipv6|mac) access-list) |hostname |"
    r"interface breakout "
)
_BOTH_WAYS = "qos-map traffic-class"
"""It opens a map at the top level, and binds one below an interface or `system qos`."""
_BINDERS = frozenset({"interface", "system qos"})
_IN_MAP = regex(r"queue \d+ qos-group ")
_CHILD_ONLY = {
    "interface": regex(
        r"(?:no )?(?:switchport|mtu \d|mtu$|channel-group|service-policy |description |speed |shutdown$|flowcontrol |"
        r"fec |priority-flow-control mode|trust-map |qos-map traffic-class|ets mode |ip address|ip access-group|"
        r"ipv6 address|vlt-port-channel|spanning-tree (?:bpduguard|guard|port|bpdufilter)|negotiation|"
        r"lacp (?:mode|rate))"
    ),
    "class-map": regex(r"(?:no )?(?:match |description )"),
    "policy-map": regex(
        r"(?:no )?(?:class (?!-)|set |pause\b|pfc-cos|bandwidth |random-detect|priority$|queue-limit|shape |police |"
        r"trust |description )"
    ),
    "wred": regex(r"(?:no )?random-detect "),
    "trust": regex(r"(?:no )?qos-group \d"),
    "qos-map": regex(r"(?:no )?queue \d"),
    "port-group": regex(r"(?:no )?(?:mode eth|profile |port \d)", re.IGNORECASE),
    "system qos": regex(
        r"(?:no )?(?:ets mode |trust-map |service-policy |qos-map |pfc-|llfc-|buffer-|random-detect|queue )"
    ),
    "access-list": regex(r"(?:seq )?(?:\d+ )?(?:permit|deny|remark) "),
}
_BOTH = {
    "interface": regex(
        r"(?:no )?(?:ip |ipv6 |mac |spanning-tree |lldp |lacp |dcbx |vrrp|sflow |udld |storm-control |ptp )"
    ),
}


def _find_kind(lines: Sequence[Line], index: int, above: Stanza | None) -> str:
    """Return which stanza a line opens, empty where it opens none of those that matter."""
    text = lines[index].text
    if _TOP_ONLY.match(text):
        return TOP_KIND
    head = _HEADS.match(text)
    if head is None:
        return ""
    words = head["kind"].lower().split()
    if words[-1] == "access-list" or words == ["system", "qos"]:
        return "access-list" if words[-1] == "access-list" else "system qos"
    return "" if text.startswith(_BOTH_WAYS) and _is_binding(lines, index, above) else words[0]


def _is_binding(lines: Sequence[Line], index: int, above: Stanza | None) -> bool:
    """Return whether a `qos-map` line binds a map: by the stanza above, and its mode or the line that follows."""
    line = lines[index]
    if line.typed:
        is_binder = above is None or above.kind in {*_BINDERS, OTHER_KIND, TOP_KIND}
        return is_binder and line.indent > 0 and not line.moves
    return above is not None and above.kind in _BINDERS and not _opens_map(lines, index)


def _opens_map(lines: Sequence[Line], index: int) -> bool:
    """Return whether the line that follows, comments left out, is an entry of a map."""
    following = (lines[place].text for place in range(index + 1, len(lines)) if lines[place].text)
    return _IN_MAP.match(next(following, "")) is not None


SYNTAX = StanzaSyntax(
    lines=LineSyntax(
        continued=WRAPPED,
        find_sessions=partial(find_mode_lines, mode=_MODE),
        banner=regex(r"banner (?:motd|login) (?!disable\b)(?P<mark>\^?\S)(?P<rest>.*)", re.IGNORECASE),
    ),
    kind=_find_kind,
    judge=judge_by(_CHILD_ONLY, _BOTH),
    always=_HEADS,
    reopened=frozenset({"policy-map"}),
)
"""An `exit` may leave a class within a policy map, which goes on behind it."""
