"""The lines of a session: commands behind a prompt, as a configuration prints them."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line behind a prompt: its text, and the mode that the prompt names.

    `mode` is empty at the top level of the configuration, None at a prompt where nothing is configured.
    """

    text: str
    mode: str | None


PLACE = r"(?:RP/\d{1,2}/\w{1,8}/CPU\d{1,2}:)?"
"""The processor that a prompt of Cisco IOS XR names before the router, such as `RP/0/RP0/CPU0:spine1#`."""
FindSessions: TypeAlias = Callable[[Sequence[str]], Mapping[int, SessionLine]]
"""Returns the lines behind prompts by their index, in their order."""
MODE = regex(
    r"\s*[\w.()-]{1,80}\(config(?:-s-\w{1,40})?-?(?P<mode>[^)\s]{0,80})\)#(?P<text>.*)"  # `config-s-NAME`: a session
)
_OTHER = regex(rf"\s*{PLACE}[\w.-]{{1,80}}[#>] ?(?:show|enable|conf|copy)")


def find_mode_lines(lines: Sequence[str], mode: re.Pattern[str] = MODE) -> Mapping[int, SessionLine]:
    """Return the lines behind prompts such as `leaf1(config-if)#`, by their index.

    >>> find_mode_lines(["leaf1(config)# interface 1/1/1", "leaf1(config-if)# mtu 9198", "vlan 1"])[1]
    SessionLine(text='mtu 9198', mode='if')
    """
    found = {}
    text = "\n".join(lines)
    has_marks = "#" in text or ">" in text
    for index, line in enumerate(lines) if has_marks else ():
        if match := mode.match(line) if ")#" in line else None:
            found[index] = SessionLine(_spell(match["text"]), match["mode"])
        elif ("#" in line or ">" in line) and _OTHER.match(line):
            found[index] = SessionLine("", None)
    return found


_VIEW = regex(r"\s*\[[~*]?(?P<name>[^\[\]\s]{1,120})\](?P<text>.*)")
_USER = regex(r"\s*<(?P<name>[^<>\s]{1,120})>")


def find_view_lines(lines: Sequence[str]) -> Mapping[int, SessionLine]:
    """Return the lines behind prompts such as `[~leaf1-100GE1/0/1]`, by their index.

    The prompt of the system view is the name of the switch, which may hold hyphens; the prompt of a view begins with
    it. A line behind `<leaf1>` configures nothing.

    >>> found = find_view_lines(["[~leaf-1]interface 100GE1/0/1", "[~leaf-1-100GE1/0/1]undo shutdown", "<leaf-1>save"])
    >>> found[0].mode, found[1], found[2].mode
    ('', SessionLine(text='undo shutdown', mode='leaf-1-100GE1/0/1'), None)
    """
    views = {n: match for n, line in enumerate(lines) if "]" in line and (match := _VIEW.match(line))}
    users = {n: match for n, line in enumerate(lines) if ">" in line and (match := _USER.match(line))}
    names = frozenset(match["name"] for match in (*views.values(), *users.values()))
    found = {n: SessionLine(_spell(each["text"]), _find_mode(each["name"], names)) for n, each in views.items()}
    return dict(sorted((found | dict.fromkeys(users, SessionLine("", None))).items()))


def _find_mode(name: str, names: frozenset[str]) -> str:
    """Return *name* where its words begin with those of another one of *names*, which is the system view then."""
    *shorter, _ = accumulate(name.split("-"), "{}-{}".format)
    return name if any(each in names for each in shorter) else ""


_ANY = regex(
    rf"\s*(?:{PLACE}[\w.-]{{1,80}} ?\(conf[^)\s]{{0,100}}\) ?#|\[[~*]?[A-Za-z][^\[\]\s]{{0,119}}\]|"
    rf"(?:[\w.-]{{1,64}}@)?{PLACE}[\w.-]{{1,64}}[#>](?=\s?[a-z]))\s*(?P<text>\S.*)"
)


def list_behind_prompts(lines: Sequence[str]) -> list[str]:
    """Return what stands behind the prompts of any system, for detection: each line flush, and indented as in a stanza.

    >>> list_behind_prompts(["leaf1(config-if)# mtu 9216", "[~leaf1]dcb pfc", "mtu 9000"])
    ['mtu 9216', ' mtu 9216', 'dcb pfc', ' dcb pfc']
    """
    marked = (line for line in lines if "#" in line or "]" in line or ">" in line)
    found = (match["text"] for line in marked if (match := _ANY.match(line)))
    return [each for text in found for each in (text, f" {text}")]


_CUT_SHORT = regex(r"\A(?P<undo>(?:no |undo |default )?)int(?:e|er|erf|erfa|erfac)?(?= \S)")


def _spell(text: str) -> str:
    """Return what was typed, the word `interface` in full.

    >>> _spell(" int e1/2"), _spell("no inter po7"), _spell("intf x")
    ('interface e1/2', 'no interface po7', 'intf x')
    """
    return _CUT_SHORT.sub(r"\g<undo>interface", text.strip())


def find_no_prompts(_lines: Sequence[str]) -> Mapping[int, SessionLine]:
    """Return that no line stands behind a prompt."""
    return {}
