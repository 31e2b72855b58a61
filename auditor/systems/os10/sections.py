"""A running configuration cut into stanzas, and a stanza into its lines and those below them."""

import re
from collections.abc import Sequence

from auditor.grammar.stanzas import Line, Sections, Stanza
from auditor.grammar.tree import Node
from auditor.model.dump import LineState

PROMPT = re.compile(r"\s*[\w.-]{1,80}\(conf[^)\s]{0,80}\)#\s?")
"""What stands before a line that was copied from a terminal."""
_OTHER_PROMPT = re.compile(r"\s*[\w.-]{1,80}[#>] ?(?:show|enable|conf)")
_HEADS = re.compile(
    r"(?P<kind>interface (?!breakout)|class-map |policy-map |wred |trust (?:dot1p|dscp)-map |qos-map traffic-class |"
    r"port-group |system qos$|(?:ip|ipv6|mac) access-list )",
    re.IGNORECASE,
)
_BANNER = re.compile(r"banner (?:motd|login)(?: (?!disable\b)(?P<mark>\^?\S)(?P<rest>.*))?", re.IGNORECASE)
_BOTH_WAYS = "qos-map traffic-class"
"""It opens a map at the top level, and binds one below an interface or `system qos`."""
_BINDERS = frozenset({"interface", "system qos"})
_IN_MAP = re.compile(r"queue \d+ qos-group ")
_CHILD_ONLY = {
    "interface": re.compile(
        r"(?:no )?(?:switchport|mtu \d|channel-group|service-policy |description |speed |shutdown$|flowcontrol |fec |"
        r"priority-flow-control mode |trust-map |qos-map traffic-class|ets mode |ip address|ip access-group|"
        r"ipv6 address|vlt-port-channel|spanning-tree (?:bpduguard|guard|port|bpdufilter)|negotiation|"
        r"lacp (?:mode|rate))"
    ),
    "class-map": re.compile(r"(?:no )?(?:match |description )"),
    "policy-map": re.compile(
        r"(?:no )?(?:class (?!-)|set |pause\b|pfc-cos|bandwidth |random-detect|priority$|queue-limit|shape |police |"
        r"trust |description )"
    ),
    "wred": re.compile(r"(?:no )?random-detect "),
    "trust": re.compile(r"(?:no )?qos-group \d"),
    "qos-map": re.compile(r"(?:no )?queue \d"),
    "port-group": re.compile(r"(?:no )?(?:mode eth|profile |port \d)", re.IGNORECASE),
    "system qos": re.compile(
        r"(?:no )?(?:ets mode |trust-map |service-policy |qos-map |pfc-|llfc-|buffer-|random-detect|queue )"
    ),
    "access-list": re.compile(r"(?:seq )?(?:\d+ )?(?:permit|deny|remark) "),
}


def cut(lines: Sequence[str]) -> Sections:
    """Cut a configuration into stanzas.

    What can begin a stanza only, begins one however far it is indented. What is indented further than a stanza's head
    belongs to it; so does a line that lost its indentation where the command cannot stand by itself. A bare `!` ends
    nothing: it also stands between the classes of a policy map.
    """
    states = [LineState.UNRECOGNISED] * len(lines)
    stanzas: list[Stanza] = []
    single: list[Stanza] = []
    current: Stanza | None = None
    depth = 0
    banner: str | None = None
    for index, raw in enumerate(lines):
        stripped = raw.strip()
        if banner is not None:
            states[index] = LineState.IGNORED
            banner = None if banner in stripped else banner
            continue
        if not stripped or stripped[0] in "!#" or _OTHER_PROMPT.match(raw):
            states[index] = LineState.IGNORED
            continue
        line = line_of(raw, index)
        opened = _BANNER.match(line.text)
        if not line.text or line.text in {"exit", "end"} or opened:
            states[index] = LineState.IGNORED
            banner = _until(opened) if opened else None
            current = current if current and current.kind == "policy-map" and line.text == "exit" else None
            continue
        kind = _kind(line.text, current, lines, index)
        if current and kind == "other" and (line.indent > depth or _is_child(current.kind, line.text)):
            current.body.append(index)
            continue
        current, depth = Stanza(kind, index), line.indent
        (single if kind == "other" else stanzas).append(current)
    return Sections(stanzas, single, states)


def line_of(raw: str, index: int) -> Line:
    """Return a line as it counts; what follows a prompt has no indentation."""
    prompt = PROMPT.match(raw)
    text = raw[prompt.end() :] if prompt else raw
    return Line(text.strip(), 0 if prompt else len(text) - len(text.lstrip()), index)


def _until(opened: re.Match[str]) -> str | None:
    """Return the mark that ends a banner, None where it stands on the first line already or there is none."""
    mark = opened["mark"]
    return None if mark is None or mark in opened["rest"] else mark


def _kind(text: str, current: Stanza | None, lines: Sequence[str], index: int) -> str:
    """Return which stanza a line opens, `other` where it opens none of those that matter."""
    head = _HEADS.match(text)
    if head is None:
        return "other"
    words = head["kind"].lower().split()
    if words[-1] == "access-list" or words == ["system", "qos"]:
        return "access-list" if words[-1] == "access-list" else "system qos"
    is_binding = text.startswith(_BOTH_WAYS) and current is not None and current.kind in _BINDERS
    return "other" if is_binding and not _opens_map(lines, index) else words[0]


def _opens_map(lines: Sequence[str], index: int) -> bool:
    """Tell whether the line that follows, comments left out, is an entry of a map."""
    for place in range(index + 1, len(lines)):
        text = line_of(lines[place], place).text
        if text and text[0] not in "!#":
            return _IN_MAP.match(text) is not None
    return False


def _is_child(kind: str, text: str) -> bool:
    only = _CHILD_ONLY.get(kind)
    return only is not None and only.match(text) is not None


def nested(head: Line, body: Sequence[Line]) -> Node:
    """Return a stanza as a tree: the lines of a class below it, whatever their indentation, and all others flat."""
    lines: list[tuple[Line, list[Node]]] = []
    in_class = False
    for line in body:
        opens = line.text.startswith("class ")
        if in_class and not opens:
            lines[-1][1].append(Node(line.text, line.index))
        else:
            lines.append((line, []))
        in_class = in_class or opens
    return Node(head.text, head.index, tuple(Node(line.text, line.index, tuple(under)) for line, under in lines))
