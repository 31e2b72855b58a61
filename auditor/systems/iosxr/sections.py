"""The stanzas of IOS XR, printed, typed, or in the form of `show running-config formal`: one whole command a line."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from auditor.grammar.lines import Line, LineSyntax
from auditor.grammar.prompts import PLACE, find_mode_lines
from auditor.grammar.sections import StanzaSyntax, judge_by
from auditor.grammar.stanzas import Stanza
from auditor.systems.iosxr.statements import PRECONFIGURE
from auditor.util.regex import regex

ACCESS_LIST, CLASS_MAP, POLICY_MAP, PROFILE, OPTICS, WATCHDOG = (
    "access-list",
    "class-map",
    "policy-map",
    "profile",
    "optics",
    "watchdog",
)
_HEADS = (
    ("interface", regex(r"interface \S")),
    (CLASS_MAP, regex(r"class-map \S")),
    (POLICY_MAP, regex(r"policy-map \S")),
    (PROFILE, regex(r"hw-module profile priority-flow-control location \S")),
    (OPTICS, regex(r"controller optics ?\d", re.IGNORECASE)),
    (WATCHDOG, regex(r"priority-flow-control watchdog\Z")),
    (ACCESS_LIST, regex(r"ipv[46] access-list \S")),
)
_CHILDREN = {
    "interface": regex(
        r"(?:no )?(?:description |mtu \d|bundle id |service-policy |priority-flow-control mode|ipv4 address |shutdown$|"
        r"l2transport$|load-interval |flow-control |fec )"
    ),
    CLASS_MAP: regex(r"(?:no )?(?:match |description )"),
    POLICY_MAP: regex(
        r"(?:no )?(?:class |set |bandwidth |random-detect |priority(?: level|$)|queue-limit |shape |police )"
    ),
    PROFILE: regex(r"(?:no )?buffer-(?:internal|extended) "),
    OPTICS: regex(r"(?:no )?(?:breakout|fec) "),
    WATCHDOG: regex(r"(?:no )?(?:interval|shutdown-multiplier|auto-restart-multiplier|mode) \S"),
    ACCESS_LIST: regex(r"(?:no )?(?:\d+ )?(?:permit|deny|remark) "),
}
_BOTH = {"interface": regex(r"(?:no )?(?:priority-flow-control|ipv4 |ipv6 |lldp|bfd|vrf |cdp|mpls )")}
_PROMPT = regex(rf"\s*{PLACE}[\w.-]{{1,80}}\(config-?(?P<mode>[^)\s]{{0,80}})\)#(?P<text>.*)", re.ASCII)


def _find_kind(lines: Sequence[Line], index: int, _above: Stanza | None) -> str:
    text = lines[index].text
    return next((kind for kind, head in _HEADS if head.match(text)), "")


SYNTAX = StanzaSyntax(
    lines=LineSyntax(
        find_sessions=partial(find_mode_lines, mode=_PROMPT),
        silent=regex(
            r"(?:end-(?:policy-map|class-map)|commit(?: .*)?|root|Building configuration\.*|RP/\S+#.*|"
            r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d\b.*)\Z"  # the time of a command, above its output
        ),
        banner=regex(r"banner \S+ (?P<mark>\S)(?P<rest>.*)"),
    ),
    kind=_find_kind,
    judge=judge_by(_CHILDREN, _BOTH),
    reopened=frozenset({POLICY_MAP, CLASS_MAP}),
)
"""An `exit` may leave a class within a policy map, which goes on behind it."""
_FLAT = (
    regex(
        r"(?P<head>interface (?:preconfigure )?(?:[A-Za-z-]{1,40} ?\d[\d/.]{0,40}|[A-Za-z-]{1,40}\d\S{0,40}))"
        r" (?P<one>\S.*)"
    ),
    regex(r"(?P<head>class-map (?:type \S+ )?(?:match-(?:any|all) )?\S+) (?P<one>(?:match|description) .+)"),
    regex(r"(?P<head>policy-map (?:type \S+ )?\S+) (?P<one>class (?:type \S+ )?\S+)(?: (?P<two>\S.*))?"),
    regex(r"(?P<head>hw-module profile priority-flow-control location \S+) (?P<one>\S.*)"),
    regex(r"(?P<head>controller [Oo]ptics ?\d[\d/]*) (?P<one>\S.*)"),
    regex(r"(?P<head>ipv[46] access-list (?!standard |extended )\S+) (?P<one>\S.*)"),
)


@lru_cache(maxsize=4096)
def unfold(text: str) -> tuple[str, ...]:
    """Return the head of a stanza and its statements, which the formal form writes on one line.

    >>> unfold("interface HundredGigE0/0/0/1 mtu 9216"), unfold("policy-map P class C set traffic-class 3")
    (('interface HundredGigE0/0/0/1', 'mtu 9216'), ('policy-map P', 'class C', 'set traffic-class 3'))
    >>> unfold("interface HundredGigE 0/0/0/1"), unfold("interface preconfigure TenGigE0/1/0/1")
    (('interface HundredGigE 0/0/0/1',), ('interface TenGigE0/1/0/1', 'preconfigure'))
    """
    match = next(filter(None, (each.fullmatch(text) for each in _FLAT)), None)
    head, *rest = filter(None, match.groupdict().values()) if match else (text,)
    name = head.removeprefix(f"interface {PRECONFIGURE} ")
    return (head, *rest) if name == head else (f"interface {name}", PRECONFIGURE, *rest)
