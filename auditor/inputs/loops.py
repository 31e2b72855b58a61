"""Loops of a shell over ports: the output of each round, under the command that it ran."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from auditor.inputs.openings import find_openings
from auditor.model.dump import Capture
from auditor.util.regex import regex
from auditor.util.values import dataclass

_LOOP = regex(r"for (?P<name>[A-Za-z_]\w*) in (?P<items>.{1,400}?) ?; ?do (?P<body>.{1,400}?) ?;? ?done\b.*")
_STEP = regex(r"(?:(?<!\s)\s++)?(?:;|&&)\s*+")
_ECHO = regex(r"(?:echo|printf)(?: -\w+)* (.+)")
_READS_FILES = regex(r"(?:sudo )?(?:cat|grep|egrep|head|tail)\b")
_PUT_IN = regex(r"[$`*?\[{]")
_NUMERIC = regex(r"[\d.:-]+")
"""What an output prints by itself; it may be a value of the loop only where the loop names it."""


@dataclass(frozen=True, slots=True)
class _Round:
    """A round of a loop: the value of its variable, and its lines."""

    item: str
    start: int
    end: int


def unroll(capture: Capture) -> list[Capture]:
    """Return a capture for each command of each round where *capture* is that of a loop; else *capture* alone.

    A round is known by what the loop repeats before it, or by outputs of one shape, as many as the loop has values.
    """
    loop = _LOOP.fullmatch(capture.command.strip())
    if not loop:
        return [capture]
    variable = re.compile(rf"\"?\$(?:{loop['name']}\b|{{{loop['name']}}})\"?")
    steps = [step for step in _STEP.split(loop["body"]) if variable.search(step)]
    commands = [step for step in steps if not _ECHO.fullmatch(step)]
    if not commands or any(map(_READS_FILES.match, commands)):
        return [capture]
    items = [] if _PUT_IN.search(loop["items"]) else loop["items"].split()
    repeated = next((match[1] for step in steps if (match := _ECHO.fullmatch(step))), "")
    rounds = _find_repeated(capture.lines, repeated, variable, items) if repeated else _cut_evenly(capture.lines, items)
    found = [each for one in rounds for each in _read_round(capture, one, variable, commands)]
    return found or [capture]


def _find_repeated(
    lines: Sequence[str], repeated: str, variable: re.Pattern[str], items: Sequence[str]
) -> list[_Round]:
    """Return the rounds, each below the line that the loop repeats."""
    first, *others = variable.split(repeated.replace('"', "").replace("'", "").strip())
    if not others:
        return []
    form = re.compile(rf"{re.escape(first)}(?P<item>[\w.:-]{{1,64}}){'(?P=item)'.join(map(re.escape, others))}")
    heads = [(index, match["item"]) for index, line in enumerate(lines) if (match := form.fullmatch(line.strip()))]
    heads = [(index, item) for index, item in heads if (item in items if items else not _NUMERIC.fullmatch(item))]
    if not heads or any(line.strip() for line in lines[: heads[0][0]]):
        return []
    ends = [*(index for index, _ in heads[1:]), len(lines)]
    rounds = [_Round(item, index + 1, end) for (index, item), end in zip(heads, ends, strict=True)]
    return rounds if all(any(map(str.strip, lines[each.start : each.end])) for each in rounds) else []


def _cut_evenly(lines: Sequence[str], items: Sequence[str]) -> list[_Round]:
    """Return as many rounds of one shape as *items*; empty where the lines do not repeat."""
    written = [index for index, line in enumerate(lines) if line.strip()]
    if not items or not written or len(written) % len(items):
        return []
    size = len(written) // len(items)
    shapes = [[_get_shape(lines[index]) for index in written[at : at + size]] for at in range(0, len(written), size)]
    if any(shape != shapes[0] for shape in shapes):
        return []
    starts = [*written[::size], len(lines)]
    return [_Round(item, start, end) for item, (start, end) in zip(items, pairwise(starts), strict=True)]


def _get_shape(line: str) -> str:
    first, *_ = line.split(":", maxsplit=1)[0].split() or [line.strip()]
    return re.sub(r"\d+", "0", first)


def _read_round(capture: Capture, one: _Round, variable: re.Pattern[str], commands: Sequence[str]) -> Iterator[Capture]:
    """Yield the output of each command of a round; of several, where each begins with a known line.

    Where they cannot be told apart, each output that begins with a known line is one of no command.
    """
    lines = capture.lines[one.start : one.end]
    openings = sorted(find_openings(lines, "\n".join(lines))) if len(commands) > 1 else [0]
    if len(openings) != len(commands):
        openings, commands = openings or [0], [""] * max(1, len(openings))
    for command, (start, end) in zip(commands, pairwise([*openings, len(lines)]), strict=True):
        is_last = one.start + end == len(capture.lines)
        yield replace(
            capture,
            lines=lines[start:end],
            command=variable.sub(lambda _: one.item, command),
            first_line=capture.first_line + one.start + start,
            ends_mid_line=capture.ends_mid_line and is_last,
        )
