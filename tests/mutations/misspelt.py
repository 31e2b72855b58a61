"""Words of configurations, misspelt one at a time: whatever a parser knew must not get lost without a word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from clean import Clean, text_of, with_text

from auditor.model.device import Device
from auditor.model.dump import LineState
from auditor.systems import systems

READ = frozenset({LineState.MODELLED, LineState.CONDITIONAL})
NAMED = re.compile(
    r"\s*(?:desc|host-?name|sysname|\"?(?:alias|name|hostname|platform|hwsku)\b|[!#])|.*\bversion\b", re.IGNORECASE
)
"""Lines whose words are names and remarks that people choose."""
WORD = re.compile(r"(?<![\w./:|-])(?:[a-z][a-z_-]{3,}|[A-Z]+_[A-Z_]+)(?![\w./|-])")


class Told(StrEnum):
    """What an audit says of a misspelt word."""

    FOUND = "found"
    WARNED = "warned"
    """The line is told as not understood."""
    OPEN = "open"
    COUNTED = "counted"
    """Only the coverage counts the line as unrecognised: it does not read like quality of service."""
    SILENT = "silent"


@dataclass(frozen=True)
class Misspelling:
    """A word of a line of a configuration, and what became of it."""

    os: str
    place: str
    line: str
    written: str
    told: Told


def misspellings(fabric: Clean, step: int = 1) -> Iterator[Misspelling]:
    """Yield what becomes of each *step*-th word of the lines that the parsers of switches read, of equal lines once."""
    for unit, index, number, match in [*_words(fabric)][::step]:
        captures = list(fabric.units[unit].captures)
        lines = list(captures[index].lines)
        word = match[0]
        wrong = word[: len(word) // 2] + word[len(word) // 2 + 1 :]
        line = lines[number]
        lines[number] = line[: match.start()] + wrong + line[match.end() :]
        captures[index] = with_text(captures[index], "\n".join(lines) + "\n")
        judged = fabric.judged(unit, captures)
        told = (
            Told.FOUND
            if judged.failed
            else Told.WARNED
            if judged.warned
            else Told.OPEN
            if judged.open
            else Told.COUNTED
            if _states(judged.device, captures[index].file)[number + captures[index].first_line - 1]
            is LineState.UNRECOGNISED
            else Told.SILENT
        )
        place = (
            f"{fabric.name}: {captures[index].file.rpartition('fixtures/')[2]}:{number + captures[index].first_line}"
        )
        yield Misspelling(fabric.units[unit].os, place, line.strip(), wrong, told)


def _words(fabric: Clean) -> Iterator[tuple[int, int, int, re.Match[str]]]:
    for unit, (found, read) in enumerate(zip(fabric.units, fabric.reads, strict=True)):
        if read.device.kind != "switch":
            continue
        seen: set[str] = set()
        for index, capture in enumerate(found.captures):
            if systems()[found.os].recognise(capture) not in systems()[found.os].whole:
                continue
            states = _states(read.device, capture.file)
            for number, line in enumerate(text_of(capture).splitlines()):
                is_read = states[number + capture.first_line - 1] in READ
                if is_read and line not in seen and not NAMED.match(line):
                    seen.add(line)
                    yield from ((unit, index, number, match) for match in WORD.finditer(line))


def _states(device: Device, file: str) -> tuple[LineState, ...]:
    return next(tuple(dump.states) for dump in device.dumps if dump.file == file)
