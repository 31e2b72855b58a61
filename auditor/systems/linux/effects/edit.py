"""Captures with some of their lines replaced."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from auditor.model.dump import Capture
from auditor.systems.linux.evidence import Call
from auditor.systems.linux.identify import identify
from auditor.systems.linux.show import KNOWN

Captures: TypeAlias = tuple[Capture, ...]
Lines: TypeAlias = list[str]
Edit: TypeAlias = Callable[[Lines], Lines | None]
"""Returns the lines of a capture as they are afterwards; None for a capture that cannot show the change."""


def edit_captures(captures: Captures, tool: str, shows: Callable[[Call, Capture], bool], edit: Edit) -> Captures | None:
    """Return *captures*, those of *tool* that *shows* accepts edited; None if one of these cannot show the change."""
    found = []
    for capture in captures:
        identified = identify(capture, KNOWN)
        if identified is None or not identified.command.name.startswith(tool) or not shows(identified.call, capture):
            found.append(capture)
            continue
        lines = edit(list(capture.lines))
        if lines is None:
            return None
        found.append(replace(capture, lines=tuple(lines)))
    return tuple(found)


def replace_matches(pattern: re.Pattern[str], text: str) -> Edit:
    r"""Return an edit that puts *text* in place of the first group of each line that *pattern* matches.

    >>> replace_matches(re.compile(r"(?:RX|TX):\s+(\w+)"), "off")(["RX:\ton", "TX:\ton"])
    ['RX:\toff', 'TX:\toff']
    """

    def edit(lines: Lines) -> Lines | None:
        found = [_replace_group(pattern.search(line), line, text) for line in lines]
        return (
            None
            if all(each is None for each in found)
            else [line if each is None else each for line, each in zip(lines, found, strict=True)]
        )

    return edit


def _replace_group(match: re.Match[str] | None, line: str, text: str) -> str | None:
    return f"{line[: match.start(1)]}{text}{line[match.end(1) :]}" if match else None


def in_turn(edits: Sequence[Edit]) -> Edit:
    """Return an edit that makes *edits* one after another, and fails with the first that fails."""

    def edit(lines: Lines) -> Lines | None:
        for each in edits:
            after = each(lines)
            if after is None:
                return None
            lines = after
        return lines

    return edit
