"""The facts that the text of a host or a job states, whatever else the text is."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar

from auditor.grammar.repeats import Repeats
from auditor.grammar.variables import KEPT, LIBRARIES, NAME, assignments
from auditor.model.device import Device
from auditor.model.dump import Capture, DumpFile, LineState, share_states
from auditor.model.setting import Known, Origin, Where
from auditor.model.text_facts import (
    GidRow,
    InterfaceAddress,
    LogEntry,
    MemoryLimit,
    NicSelector,
    NodeResource,
    TextFacts,
)
from auditor.systems.jobs.limits import find_limits
from auditor.systems.jobs.network_text import find_addresses, find_devices, find_gid_rows, find_netdevs
from auditor.systems.jobs.selectors import find_resources, find_selectors
from auditor.systems.jobs.show import list_settings
from auditor.systems.jobs.signs import LOGGED, LONGEST_LINE, list_entries, merge_entries
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
_LOGGED = regex(r"NCCL INFO ((?:NCCL|RCCL)_[A-Z0-9_]+) set (?:by environment )?to (.*)")
_SETS = regex(NAME)


@dataclass(frozen=True, slots=True)
class _Statements:
    """The statements of one capture, as `TextFacts` has it."""

    log: tuple[Where, ...] = ()
    entries: tuple[LogEntry, ...] = ()
    limits: tuple[MemoryLimit, ...] = ()
    addresses: tuple[InterfaceAddress, ...] = ()
    gid_rows: tuple[GidRow, ...] = ()
    resources: tuple[NodeResource, ...] = ()
    selectors: tuple[NicSelector, ...] = ()
    variables: tuple[tuple[str, Known[str]], ...] = ()
    devices: tuple[tuple[str, Known[str]], ...] = ()
    netdevs: tuple[str, ...] = ()


_REPEATS = Repeats(_Statements)


def read_text(captures: Sequence[Capture]) -> TextFacts:
    """Return the facts of *captures*, which are of one device."""
    found = [_REPEATS.read(capture, None, _find) for capture in map(_shorten, captures)]
    variables: dict[str, dict[str, Known[str]]] = {}
    for name, known in chain.from_iterable(each.variables for each in found):
        variables.setdefault(name, {}).setdefault(known.value, known)
    return TextFacts(
        next(chain.from_iterable(each.log for each in found), None),
        merge_entries(chain.from_iterable(each.entries for each in found)),
        tuple(chain.from_iterable(each.limits for each in found)),
        tuple(chain.from_iterable(each.addresses for each in found)),
        tuple(chain.from_iterable(each.gid_rows for each in found)),
        tuple(chain.from_iterable(each.resources for each in found)),
        tuple(chain.from_iterable(each.selectors for each in found)),
        variables={name: tuple(values.values()) for name, values in variables.items()},
        devices=dict(chain.from_iterable(each.devices for each in found)),
        netdevs=frozenset(chain.from_iterable(each.netdevs for each in found)),
    )


def _find(capture: Capture) -> _Statements:
    """Return what *capture* states; without one of its hints in the text, a search finds nothing."""
    text = "\n".join((capture.command, *capture.lines))

    def gather(find: Callable[[Capture], Iterator[T]], *hints: str) -> tuple[T, ...]:
        return tuple(find(capture)) if any(hint in text for hint in hints) else ()

    return _Statements(
        gather(_find_log, "NCCL", "UCX"),
        tuple(list_entries(capture)),
        gather(find_limits, "ulimit", "emlock", "MEMLOCK", "ocked"),
        gather(find_addresses, "inet", "/"),
        gather(find_gid_rows, "INDEX"),
        gather(find_resources, "apacity", "llocatable"),
        gather(find_selectors, "vendors", "vendor:", 'vendor"', "deviceID", "ifNames", "pfNames"),
        gather(_find_variables, *(f"{library}_" for library in LIBRARIES)),
        gather(find_devices, " ==> ", " state "),
        gather(find_netdevs, "ip "),
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
    marked = list(states)
    for index in lines:
        if index < len(marked) and marked[index] is not LineState.CONDITIONAL:
            marked[index] = LineState.MODELLED
    return share_states(marked)
