"""Sessions in a file: prompts, the commands behind them, and the captures between them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import TypeAlias

from auditor.grammar.elsewhere import follow
from auditor.grammar.prompts import PLACE
from auditor.inputs.heads import MODE, NAME, PREFIX, STANDBY, is_session_head, list_flush, list_marked, match_head
from auditor.inputs.loops import unroll
from auditor.inputs.pastes import unwrap
from auditor.inputs.rawtext import Raw
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_USER_AND_HOST = regex(rf"{PREFIX}\[?([\w.-]{{1,64}}@[\w.-]{{1,64}})")
_CONFIGURING = regex(r"[\w.-]{1,64}@(?P<host>[\w.-]{1,64})# ?(?:set|delete|edit|top|up|commit)\b")
"""The prompt of Junos while it is configured, below a banner with the place in the hierarchy."""
_HOST_AND_PATH = regex(r"([A-Za-z][\w.-]{1,63})(?::| )[~/][^\s#$]{0,200} ?[#$] ")
_TYPED = regex(
    rf"\s*(?:{PLACE}(?P<mode>{NAME}) ?{MODE} ?#|"
    r"\[(?P<mark>[~*])?(?P<view>(?!edit\])[A-Za-z][^\[\]\s]{0,119})\](?=\s*(?:[a-z]|$))|"
    rf"<(?P<user>[A-Za-z][^<>\s]{{0,119}})>|(?P<place>--\{{[^}}]{{0,80}}\}}--\[)|"
    rf"(?:{STANDBY})?(?:[\w.-]{{1,64}}@|{PLACE})(?P<exec>{NAME})[#>%](?P<text>.*))"
)
"""A switch's prompt in any mode, before any line or none; a log may begin its lines with a word in brackets, too."""


Cut: TypeAlias = tuple[int, int, bool]
"""Where the lines of a capture begin and end in its file, and whether the line above runs its command."""


class Part(Enum):
    """What begins at a line of a session: an output, lines typed at prompts, or lines without a prompt."""

    OUTPUT = auto()
    TYPED = auto()
    PLAIN = auto()


@dataclass(frozen=True, slots=True)
class _Prompts:
    """The prompts of a file: the indexes of its commands, the names of the switches in its prompts, and all `matches`.

    A command may stand behind a prompt that no switch has.
    """

    commands: frozenset[int]
    names: frozenset[str]
    matches: Mapping[int, re.Match[str]]


def find_commands(lines: Sequence[str]) -> tuple[int, ...]:
    """Return the indexes of the lines that run a command whose output follows; no line of a banner does.

    >>> find_commands(["banner motd $", "# show version", "$", "$ ibstat"])
    (3,)
    """
    heads = [number for number in list_flush(tuple(lines)) if is_session_head(lines[number])]
    banners = list(_find_banners(lines)) if heads else []
    return tuple(number for number in heads if not any(number in banner for banner in banners))


_BANNER = regex(r"banner \S{1,40} (?P<mark>[^\s\w])\s*\Z")
LONGEST_BANNER = 200


def _find_banners(lines: Sequence[str]) -> Iterator[range]:
    """Yield the lines of each banner, up to that which ends with the mark of the first one."""
    if "banner " not in "\n".join(lines):
        return
    for start in [number for number, line in enumerate(lines) if line.startswith("banner ")]:
        match = _BANNER.match(lines[start])
        below = lines[start + 1 : start + 1 + LONGEST_BANNER] if match else ()
        end = next(
            (number for number, text in enumerate(below) if match and text.rstrip().endswith(match["mark"])), None
        )
        if end is not None:
            yield range(start, start + end + 2)


@remember
def find_command(line: str) -> str:
    """Return the command behind the prompt of a line, empty without one.

    >>> find_command("leaf1(config-if)# do show lldp neighbors"), find_command("leaf1(config-if)# mtu 9216")
    ('show lldp neighbors', '')
    """
    found = match_head(line)
    return found["command"].strip().removeprefix("do ") if found else ""


def find_parts(lines: Sequence[str], commands: Sequence[int], breaks: Collection[int] = frozenset()) -> tuple[int, ...]:
    """Return the first lines of all parts of a session: the outputs of *commands*, and what is typed between them.

    A prompt is one of a configuration mode, or has the name of a switch that stands in such a prompt or before a
    command. Without a typed line, these are *commands*, and *breaks*, where an output of no command begins.
    """
    prompts = _find_prompts(lines, commands)
    found: list[int] = []
    part = Part.PLAIN
    for index in sorted({*prompts.matches, *prompts.commands, *breaks}):
        if index in prompts.commands:
            found.append(index)
            part = Part.OUTPUT
        elif index in breaks:
            found.append(index)
            part = Part.PLAIN
        elif part is not Part.TYPED and _is_typed(prompts.matches[index], prompts.names):
            found.append(index)
            part = Part.TYPED
    return tuple(found)


def _find_prompts(lines: Sequence[str], commands: Sequence[int]) -> _Prompts:
    matches = {index: match for index in list_marked(tuple(lines)) if (match := _match_prompt(lines[index]))}
    modes = {match["mode"] or match["view"] for match in matches.values() if _is_mode(match)} - {None}
    names = {name for index in commands if (name := _find_host(lines[index]))}
    return _Prompts(frozenset(commands), frozenset(modes | names), matches)


def _match_prompt(line: str) -> re.Match[str] | None:
    return _TYPED.match(line) if "#" in line or ">" in line or "%" in line or "]" in line else None


def _is_mode(match: re.Match[str]) -> bool:
    """Return whether a prompt can be nothing but that of a configuration mode."""
    return bool(match["mode"] or match["mark"] or match["place"])


def _find_host(line: str) -> str:
    """Return the name in a prompt, empty without one; that of a view begins with the name of the switch.

    >>> _find_host("leaf1(config-if)# mtu 9216"), _find_host("leaf1# show"), _find_host("[~leaf1-25GE1/0/1]quit")
    ('leaf1', 'leaf1', 'leaf1-25GE1/0/1')
    """
    match = _match_prompt(line)
    return _get_host(match) if match else ""


def _get_host(match: re.Match[str]) -> str:
    return next(filter(None, match.group("mode", "view", "user", "exec")), "")


def _is_typed(match: re.Match[str], names: frozenset[str]) -> bool:
    """Return whether a prompt is that of one of the switches *names*, or of a configuration mode."""
    if _is_mode(match):
        return True
    name = _get_host(match)
    return name in names or bool(match["view"] and any(name.startswith(f"{each}-") for each in names))


def name_part(lines: Sequence[str], start: int) -> Part:
    """Return what begins at the line *start*."""
    if is_session_head(lines[start]) or find_command(lines[start]):
        return Part.OUTPUT  # of no command behind a shell's bare prompt
    return Part.TYPED if _match_prompt(lines[start]) else Part.PLAIN


def split_captures(raw: Raw, starts: Sequence[int]) -> tuple[Capture, ...]:
    """Return the captures of *raw*, whose parts begin at the lines *starts*; one capture without any.

    All typed lines are one capture, with empty lines in place of the outputs: a mode outlasts a command that shows.
    """
    paste = unwrap(raw.lines)
    if not starts:
        return (Capture(raw.name, paste.join(), ends_mid_line=not raw.ends_with_newline),)
    raw = replace(raw, lines=paste.lines)
    ends = (*starts[1:], len(raw.lines))
    preface = _make_capture(raw, 0, starts[0], "")
    found = [preface] if any(each.has_facts(preface) for each in systems().values()) else []
    typed: list[tuple[int, int]] = []
    for start, end in zip(starts, ends, strict=True):
        part = name_part(raw.lines, start)
        if part is Part.TYPED:
            typed.append((start, end))
        else:
            found.extend(unroll(_make_capture(raw, start + (part is Part.OUTPUT), end, find_command(raw.lines[start]))))
    if typed:
        found.append(_join_typed(raw, typed))
    around = Capture(raw.name, paste.prose)
    if any(each.has_facts(around) or each.owns(around) for each in systems().values()):
        found.append(around)
    return tuple(each for each in found if each.command or any(line.strip() for line in each.lines))


def find_cuts(raw: Raw, captures: Sequence[Capture]) -> tuple[Cut, ...] | None:
    """Return the cuts by which `cut_captures` makes the *captures* of *raw*; None where they have other lines."""
    ends = [(each.first_line - 1, each.first_line - 1 + len(each.lines)) for each in captures]
    cuts = tuple((*end, bool(each.command)) for end, each in zip(ends, captures, strict=True))
    return cuts if cut_captures(raw, cuts) == tuple(captures) else None


def cut_captures(raw: Raw, cuts: Iterable[Cut]) -> tuple[Capture, ...]:
    """Return the captures that stand at *cuts*."""
    return tuple(
        _make_capture(raw, start, end, find_command(raw.lines[start - 1]) if below else "")
        for start, end, below in cuts
    )


def _make_capture(raw: Raw, start: int, end: int, command: str) -> Capture:
    return Capture(
        raw.name,
        raw.lines[start:end],
        command,
        start + 1,
        ends_mid_line=end == len(raw.lines) and not raw.ends_with_newline,
        session=_find_session(raw.lines[start - 1]) if command else "",
    )


def _join_typed(raw: Raw, typed: Sequence[tuple[int, int]]) -> Capture:
    first, last = typed[0][0], typed[-1][1]
    lines = [""] * (last - first)
    for start, end in typed:
        lines[start - first : end - first] = raw.lines[start:end]
    ends_mid_line = last == len(raw.lines) and not raw.ends_with_newline
    return Capture(raw.name, tuple(lines), "", first + 1, ends_mid_line=ends_mid_line)


@remember
def _find_session(line: str) -> str:
    """Return who runs the command behind the prompt in *line*, and where.

    >>> _find_session("me@jump:~$ ssh gpu7 ibstat"), _find_session("gpu7:~ # ibstat")
    ('@gpu7', '@gpu7')
    """
    host = follow(find_command(line)).host
    return f"@{host}" if host else _find_place(line)


def _find_place(line: str) -> str:
    """Return the user and the host in the prompt of *line*, empty without any."""
    found = _USER_AND_HOST.match(line)
    at = None if found else _HOST_AND_PATH.match(line)
    return found[1] if found else f"@{at[1]}" if at else ""


def find_hostname(lines: Sequence[str]) -> str:
    """Return the one name of a switch in the prompts of a session, empty without one or with several.

    The prompts of views begin with the name of the switch.

    >>> find_hostname(["[~leaf-1]interface 100GE1/0/1", "[~leaf-1-100GE1/0/1]undo shutdown", "<leaf-1>save"])
    'leaf-1'
    >>> find_hostname(["[edit]", "root@leaf2# set interfaces et-0/0/1 mtu 9216"])
    'leaf2'
    """
    lines = tuple(lines)
    marked = [lines[index] for index in list_marked(lines)]
    named = set(_find_prompts(lines, find_commands(lines)).names)
    named.update(match["view"] or match["user"] or "" for line in marked if (match := _match_prompt(line)))
    named.discard("")
    if not named:  # a shell's prompt names the host, as the prompt of its command line does
        named = {_find_place(lines[index]).partition("@")[2] for index in find_commands(lines)} - {""}
        named |= {match["host"] for line in marked if "@" in line and (match := _CONFIGURING.match(line))}
    shortest = [name for name in named if not any(name.startswith(f"{other}-") for other in named)]
    return shortest[0] if len(shortest) == 1 else ""


def find_typing_host(lines: Sequence[str]) -> str:
    """Return the switch at whose prompts each line that is not blank is typed, empty for other lines.

    >>> find_typing_host(["leaf1(config)# vlan 7", "", "leaf1# exit"]), find_typing_host(["leaf1(config)# vlan 7", "x"])
    ('leaf1', '')
    """
    written = [line for line in lines if line.strip()]
    return find_hostname(lines) if written and all(map(_match_prompt, written)) else ""
