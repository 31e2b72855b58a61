"""The lines of a session: commands behind a prompt, as a configuration prints them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line behind a prompt: its text, empty where it configures nothing, and whether it stands inside a stanza."""

    text: str
    is_inside: bool


_MODE = re.compile(r"\s*[\w.()-]{1,80}\(config(?P<mode>[\w-]{0,40})\)# ?(?P<text>.*)")


def find_mode_lines(lines: Sequence[str]) -> Mapping[int, SessionLine]:
    """Return the lines behind prompts such as `leaf1(config-if)#`, by their index.

    >>> find_mode_lines(["leaf1(config)# interface 1/1/1", "leaf1(config-if)# mtu 9198", "vlan 1"])[1]
    SessionLine(text='mtu 9198', is_inside=True)
    """
    found = {}
    for index, line in enumerate(lines):
        match = _MODE.match(line) if ")#" in line else None
        if match:
            found[index] = SessionLine(_command(match["text"]), bool(match["mode"]))
    return found


_VIEW = re.compile(r"\s*\[[~*]?(?P<name>[^\[\]\s]{1,120})\]\s?(?P<text>.*)")
_USER = re.compile(r"\s*<(?P<name>[^<>\s]{1,120})>")


def find_view_lines(lines: Sequence[str]) -> Mapping[int, SessionLine]:
    """Return the lines behind prompts such as `[~leaf1-100GE1/0/1]`, by their index.

    The prompt of the system view is the name of the switch, which may hold hyphens; the prompt of a view begins with
    it. A line behind `<leaf1>` configures nothing.

    >>> found = find_view_lines(["[~leaf-1]interface 100GE1/0/1", "[~leaf-1-100GE1/0/1]undo shutdown", "<leaf-1>save"])
    >>> found[0].is_inside, found[1], found[2].text
    (False, SessionLine(text='undo shutdown', is_inside=True), '')
    """
    views = {n: match for n, line in enumerate(lines) if "]" in line and (match := _VIEW.match(line))}
    users = {n: match for n, line in enumerate(lines) if ">" in line and (match := _USER.match(line))}
    names = frozenset(match["name"] for match in (*views.values(), *users.values()))
    found = {n: SessionLine(_command(match["text"]), _is_below(match["name"], names)) for n, match in views.items()}
    return found | dict.fromkeys(users, SessionLine("", is_inside=False))


def _is_below(name: str, names: frozenset[str]) -> bool:
    """Return whether the words of *name* begin with those of another one of *names*."""
    *shorter, _ = accumulate(name.split("-"), "{}-{}".format)
    return any(each in names for each in shorter)


def _command(text: str) -> str:
    """Return what was typed, empty where it asks for help."""
    text = text.strip()
    return "" if text.endswith("?") else text
