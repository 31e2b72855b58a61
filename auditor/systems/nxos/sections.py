"""A running configuration cut into stanzas, whether or not its indentation survived."""

import re
from collections.abc import Sequence

from auditor.grammar.stanzas import Sections, Stanza
from auditor.model.dump import LineState

_HEADS = re.compile(
    r"(?P<kind>interface (?!breakout)|port-profile |class-map |policy-map |system qos\b|ip access-list |"
    r"ipv6 access-list )",
    re.IGNORECASE,
)
_FORCED = re.compile(
    r"(?:class-map (?:type|match)|policy-map type|system qos$|interface (?:ethernet|port-channel) ?\d)", re.IGNORECASE
)
_POLICY_LINE = (
    r"(?:no )?(?:class (?!-)|set |pause\b|bandwidth |random-detect|priority(?: level|$)|queue-limit|shape |mtu \d|"
    r"congestion-control|police |description )"
)
_CHILD_ONLY = {
    "interface": re.compile(
        r"(?:no )?(?:switchport|mtu \d|mtu$|channel-group|service-policy type|service-policy (?:in|out)put|"
        r"description |inherit port-profile|"
        r"speed |duplex |shutdown|priority-flow-control mode|flowcontrol |ip address|negotiate |fec )"
    ),
    "class-map": re.compile(r"(?:no )?(?:match |description )"),
    "policy-map": re.compile(_POLICY_LINE),
    "system qos": re.compile(r"(?:no )?service-policy "),
    "access-list": re.compile(r"(?:\d+ )?(?:permit|deny|remark) "),
}
_AMBIGUOUS = {
    "interface": re.compile(
        r"(?:no )?(?:priority-flow-control|ip |ipv6 |spanning-tree |vpc \d|vpc peer-link|lldp |cdp |logging event|"
        r"vrf member|hsrp|bfd|storm-control|udld|lacp|load-interval|snmp trap|beacon|bandwidth|delay|hardware|"
        r"autostate|link )"
    ),
}
_BANNER = re.compile(r"banner (?:motd|exec) (?P<mark>\S)(?P<rest>.*)", re.IGNORECASE)
_TYPED = re.compile(r"\s*[\w.()-]{1,80}\(config(?P<mode>[\w-]{0,40})\)# ?(?P<text>.*)")
_PROMPT = re.compile(r"\s*[\w.()-]{1,80}\(config[\w-]{0,40}\)#|\s*[\w.-]{1,80}# ?(?:show|conf\w*|copy)\b")
_PAGER = "--More--"
_NESTED = frozenset({"policy-map", "class-map", "system qos"})
"""Stanzas that go on behind an `exit`: it may leave a class within them."""


def typed(lines: Sequence[str]) -> tuple[str, ...]:
    """Return *lines* with each command of a session indented as a configuration prints it, in place of its prompt.

    What asks for help stays as it is, and so does the command that the switch prints again below it.

    >>> typed(["n9k(config)# system qos", "n9k(config-sys-qos)# exit", "n9k(config)# qos ?", "n9k(config)# qos"])
    ('system qos', '  exit', 'n9k(config)# qos ?', 'n9k(config)# qos')
    """
    found = []
    asked = ""
    for line in lines:
        match = _TYPED.match(line) if ")#" in line else None
        text = match["text"].strip() if match else ""
        if match is None or text.endswith("?") or not text or text == asked:
            found.append(line)
        else:
            found.append(("  " if match["mode"] else "") + text)
        asked = text.removesuffix("?").strip() if match else asked
    return tuple(found)


def cut(lines: Sequence[str]) -> Sections:
    """Cut a configuration into stanzas.

    A stanza begins at an unindented line, or at a line that can begin nothing else (`policy-map type …`). A line that
    lost its indentation is given back to its stanza where the command cannot stand at the top level, and where no
    stanza of the file is indented, also where it could.
    """
    states = [LineState.UNRECOGNISED] * len(lines)
    flat = _is_flat(lines)
    stanzas: list[Stanza] = []
    single: list[Stanza] = []
    current: Stanza | None = None
    banner = ""
    in_help = False
    for index, raw in enumerate(lines):
        text = raw.strip()
        if banner:
            states[index] = LineState.IGNORED
            banner = "" if banner in text else banner
            continue
        if not text or text[0] in "!#" or text == _PAGER:
            states[index] = LineState.IGNORED
            in_help = in_help and bool(text)
            continue
        if text in {"exit", "end"}:
            states[index] = LineState.IGNORED
            current = current if current and current.kind in _NESTED else None
            continue
        if in_help or _PROMPT.match(raw):
            states[index] = LineState.IGNORED
            in_help = in_help or text.endswith("?")
            continue
        indented = raw[0] in " \t"
        if current and (indented or _is_child(current.kind, text, flat=flat)) and not _FORCED.match(text):
            current.body.append(index)
            continue
        opened = _BANNER.match(text)
        if opened:
            states[index] = LineState.IGNORED
            banner = "" if opened["mark"] in opened["rest"] else opened["mark"]
            continue
        current = _open(text, index)
        (single if current.kind == "other" else stanzas).append(current)
    return Sections(stanzas, single, states)


def _open(text: str, index: int) -> Stanza:
    head = _HEADS.match(text)
    if head is None:
        return Stanza("other", index)
    kind = head["kind"].strip().lower()
    return Stanza("access-list" if kind.endswith("access-list") else kind, index)


def _is_child(kind: str, text: str, *, flat: bool) -> bool:
    kind = "interface" if kind == "port-profile" else kind
    only = _CHILD_ONLY.get(kind)
    if only is None:
        return False
    either = _AMBIGUOUS.get(kind)
    return bool(only.match(text)) or (flat and either is not None and bool(either.match(text)))


def _is_flat(lines: Sequence[str]) -> bool:
    """Tell whether no line below a stanza's head is indented."""
    after_head = False
    for raw in lines:
        if after_head and raw[:1] in {" ", "\t"} and raw.strip():
            return False
        if raw.strip():
            after_head = _HEADS.match(raw) is not None
    return True
