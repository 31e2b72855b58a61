"""A running configuration cut into stanzas, and a stanza into its lines and those below them."""

import re
from collections.abc import Sequence

from auditor.grammar.stanzas import Line, Sections, Stanza
from auditor.grammar.tree import Node
from auditor.model.dump import LineState

PROMPT = re.compile(r"\s*[\w.-]{1,80}\(config[^)\s]{0,80}\)#\s?")
"""What stands before a line that was copied from a terminal."""
_OTHER_PROMPT = re.compile(r"\s*[\w.-]{1,80}[#>] ?(?:show|enable|conf)")
_HEADS = re.compile(
    r"(?P<kind>interface|qos profile|class-map|policy-map|(?:ip|ipv6|mac) access-list|"
    r"platform trident mmu queue profile) (?!defaults\b)",
)
_BANNER = re.compile(r"banner (?:login|motd)\b")
_END_OF_BANNER = "EOF"
_QUEUE = re.compile(r"(?:uc-|mc-)?tx-queue \d")
_IN_QUEUE = re.compile(
    r"(?:no |default )?(?:priority(?: strict)?$|bandwidth (?:guaranteed |percent )|bandwidth guaranteed$|shape rate|"
    r"random-detect )"
)
_CHILD_ONLY = {
    "interface": re.compile(
        r"(?:no |default )?(?:switchport|mtu \d|l2 mtu|channel-group|service-policy |service-profile |description |"
        r"speed |shutdown$|priority-flow-control (?:on$|mode |priority |pause watchdog(?: port|$))|flowcontrol |"
        r"ip address |qos (?:trust|cos|dscp)\b|dcbx |(?:uc-|mc-)?tx-queue \d|load-interval|error-correction|shape rate|"
        r"lldp (?:transmit|receive)|spanning-tree portfast|ipv6 (?:address|enable))"
    ),
    "class-map": re.compile(r"(?:no |\d+ )?match "),
    "policy-map": re.compile(r"(?:no |\d+ )?(?:class (?!-)|set |police |bandwidth |priority |shape )"),
    "access-list": re.compile(r"(?:\d+ )?(?:permit|deny|remark) |counters per-entry"),
    "platform": re.compile(r"(?:no )?(?:ingress|egress) "),
}
_CHILD_ONLY["qos profile"] = _CHILD_ONLY["interface"]


def cut(lines: Sequence[str]) -> Sections:
    """Cut a configuration into stanzas.

    What is indented further than a stanza's head belongs to it; so does a line that lost its indentation where the
    command cannot stand by itself.
    """
    states = [LineState.UNRECOGNISED] * len(lines)
    stanzas: list[Stanza] = []
    single: list[Stanza] = []
    current: Stanza | None = None
    depth = 0
    skipping = False
    for index, raw in enumerate(lines):
        if skipping or not raw.strip() or raw.lstrip()[0] in "!#" or _OTHER_PROMPT.match(raw):
            states[index] = LineState.IGNORED
            skipping = skipping and raw.strip() != _END_OF_BANNER
            continue
        line = line_of(raw, index)
        if not line.text or line.text in {"exit", "end", "comment"} or _BANNER.match(line.text):
            states[index] = LineState.IGNORED
            skipping = line.text == "comment" or _BANNER.match(line.text) is not None
            current = None if line.text == "end" else current
            continue
        if current and (line.indent > depth or _is_child(current.kind, line.text)):
            current.body.append(index)
            continue
        current, depth = Stanza(_kind(line.text), index), line.indent
        (single if current.kind == "other" else stanzas).append(current)
    return Sections(stanzas, single, states)


def line_of(raw: str, index: int) -> Line:
    """Return a line as it counts; what follows a prompt has no indentation."""
    prompt = PROMPT.match(raw)
    text = raw[prompt.end() :] if prompt else raw
    text = text if text.lstrip().startswith("description ") else re.sub(r"\s+!+ .*", "", text)
    return Line(text.strip(), 0 if prompt else len(text) - len(text.lstrip()), index)


def _kind(text: str) -> str:
    head = _HEADS.match(text)
    if head is None or (text.startswith("platform") and text.endswith(" apply")):
        return "other"
    return head["kind"].split()[-1] if head["kind"].endswith("access-list") else head["kind"].split(" trident")[0]


def _is_child(kind: str, text: str) -> bool:
    only = _CHILD_ONLY.get(kind)
    if only is None or _kind(text) != "other":
        return False
    return bool(only.match(text)) or (kind in {"interface", "qos profile"} and bool(_IN_QUEUE.match(text)))


def nested(head: Line, body: Sequence[Line]) -> Node:
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
    """Tell whether *text* belongs to the queue or class that *opener* begins, where nothing is indented."""
    if _QUEUE.match(opener):
        return _IN_QUEUE.match(text) is not None
    return opener.startswith("class ") and not text.startswith("class ")
