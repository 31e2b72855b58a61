"""The facts that the text of a host or a job states, whatever else the text is."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from auditor.grammar.variables import KEPT, LIBRARIES, NAME, assignments
from auditor.model.device import Device
from auditor.model.dump import Capture, DumpFile, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.model.text_facts import TextFacts
from auditor.systems.jobs.limits import find_limits
from auditor.systems.jobs.network_text import find_addresses, find_devices, find_gid_rows, find_netdevs
from auditor.systems.jobs.selectors import find_resources, find_selectors
from auditor.systems.jobs.show import list_settings
from auditor.systems.jobs.signs import LOGGED, LONGEST_LINE, find_entries

T = TypeVar("T")
_LOGGED = re.compile(r"NCCL INFO ((?:NCCL|RCCL)_[A-Z0-9_]+) set (?:by environment )?to (.*)")
_SETS = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class _Text:
    """A capture and its lines as one text, the command first."""

    capture: Capture
    text: str


class _Texts:
    """The texts of a device, by themselves and as a whole, which tells what is in none of them."""

    def __init__(self, each: Sequence[_Text]) -> None:
        self.each = each
        self._whole = "\n".join(text.text for text in each)

    def gather(self, find: Callable[[Capture], Iterator[T]], *hints: str) -> tuple[T, ...]:
        """Return what *find* finds in the texts that hold one of *hints*, without which there is nothing to find."""
        present = [hint for hint in hints if hint in self._whole]
        fit = (each.capture for each in self.each if any(hint in each.text for hint in present)) if present else ()
        return tuple(chain.from_iterable(map(find, fit)))


def read_text(captures: Sequence[Capture]) -> TextFacts:
    """Return the facts of *captures*, which are of one device."""
    own = _Texts([_Text(short, "\n".join((short.command, *short.lines))) for short in map(_shorten, captures)])
    variables: dict[str, dict[str, Known[str]]] = {}
    for name, known in own.gather(_find_variables, *(f"{library}_" for library in LIBRARIES)):
        variables.setdefault(name, {}).setdefault(known.value, known)
    return TextFacts(
        next(iter(own.gather(_find_log, "NCCL", "UCX")), None),
        find_entries([each.capture for each in own.each]),
        own.gather(find_limits, "ulimit", "emlock", "MEMLOCK", "ocked"),
        own.gather(find_addresses, "inet", "/"),
        own.gather(find_gid_rows, "INDEX"),
        own.gather(find_resources, "apacity", "llocatable"),
        own.gather(find_selectors, "vendors", "vendor:", 'vendor"', "deviceID", "ifNames", "pfNames"),
        {name: tuple(values.values()) for name, values in variables.items()},
        dict(own.gather(find_devices, " ==> ", " state ")),
        frozenset(own.gather(find_netdevs, "ip ")),
    )


def _find_log(capture: Capture) -> Iterator[Where]:
    """Yield the first line that a library logged."""
    logged = (capture.where(index) for index, line in enumerate(capture.lines) if LOGGED.search(line))
    yield from islice(logged, 1)


def _shorten(capture: Capture) -> Capture:
    if all(len(line) <= LONGEST_LINE for line in capture.lines):
        return capture
    lines = tuple(line[:LONGEST_LINE] for line in capture.lines)
    return Capture(capture.file, lines, capture.command[:LONGEST_LINE], capture.first_line)


def _find_variables(capture: Capture) -> Iterator[tuple[str, Known[str]]]:
    """Yield the variables of libraries that *capture* sets, or that a log repeats; comments set nothing."""
    for index, line in enumerate((capture.command, *capture.lines), -1):
        if not _SETS.search(line) or line.lstrip().startswith("#"):
            continue
        where = capture.where(index)
        logged = _LOGGED.search(line)
        if logged and KEPT.fullmatch(logged[1]):
            yield logged[1], Known(logged[2].strip().removesuffix("."), Origin.LEARNED, where)
        elif not logged:
            for name, value in assignments(line):
                if value is not None:
                    yield name, Known(value, Origin.INTENDED, where)
    for index, name, value in list_settings(capture):
        if value is not None:
            yield name, Known(value, Origin.INTENDED, capture.where(index))


def mark_lines(device: Device) -> tuple[DumpFile, ...]:
    """Return the dumps of *device* with the lines that its text facts rest on as modelled."""
    used: dict[str, set[int]] = {}
    for where in _list_places(device.text):
        if where.line:
            used.setdefault(where.file, set()).add(where.line - 1)
    return tuple(
        DumpFile(dump.file, dump.os, _mark(dump.states, used[dump.file])) if dump.file in used else dump
        for dump in device.dumps
    )


def _list_places(facts: TextFacts) -> Iterator[Where]:
    yield from (each.where for each in facts.entries)
    yield from (each.where for each in facts.limits)
    yield from (each.where for each in facts.addresses)
    yield from (each.where for each in facts.gid_rows)
    yield from (each.where for each in facts.resources)
    for known in chain(*facts.variables.values(), *(each.keys.values() for each in facts.selectors)):
        if known.where:
            yield known.where


def _mark(states: Sequence[LineState], lines: set[int]) -> tuple[LineState, ...]:
    """Return *states* with *lines* as modelled; a line that no capture holds keeps its state."""
    return tuple(
        LineState.MODELLED if index in lines and state is not LineState.CONDITIONAL else state
        for index, state in enumerate(states)
    )
