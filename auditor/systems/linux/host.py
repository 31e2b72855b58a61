"""A host out of its captures: each is read by its command's reader, then what they say is joined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import PurePosixPath
from typing import TypeVar

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import NOT_COLLECTED
from auditor.systems.linux import gids, inherit, join, jsontext, merge, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import (
    Event,
    GidPart,
    HostFact,
    Hostname,
    Interface,
    Mark,
    Release,
    Silence,
    Statement,
    VirtualFunction,
)
from auditor.systems.linux.identify import Identified, identify
from auditor.util.redact import redact

_E = TypeVar("_E")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A capture with what was read in it."""

    capture: Capture
    events: tuple[Event, ...]
    states: tuple[LineState, ...]
    asks: tuple[object, ...] | None = None
    """File, session, command and what it names, where a later capture of the same replaces this one."""


def read_host(host: Device, captures: Sequence[Capture], commands: Sequence[Command]) -> Device:
    """Return *host* with what *captures* of *commands* show, and under the name that they tell."""
    readings = _latest([_read(capture, commands) for capture in captures])
    placed = [(reading.capture, event) for reading in readings for event in reading.events]
    files = {id(event): capture.file for capture, event in placed}
    events = [event for _, event in placed]
    statements = [*_of(events, Statement), *gids.statements(_of(events, GidPart))]
    return replace(
        host,
        name=next((event.name for event in _of(events, Hostname)), host.name),
        os_version=next((event.name for event in _of(events, Release)), NOT_COLLECTED),
        ports=inherit.ports(
            join.ports(
                statements=statements,
                interfaces=_of(events, Interface),
                silences=_of(events, Silence),
                stem_of=lambda event: PurePosixPath(files.get(id(event), host.name)).stem,
            ),
            _of(events, VirtualFunction),
            statements,
        ),
        dumps=list_dump_files(host.os, ((r.capture, r.states) for r in readings)),
        doubts=tuple(_of(events, Doubt)),
        host=reduce(merge.all_of, (event.says for event in _of(events, HostFact)), Host()),
    )


def _of(events: Iterable[Event], kind: type[_E]) -> list[_E]:
    return [event for event in events if isinstance(event, kind)]


def _latest(readings: Sequence[_Reading]) -> Sequence[_Reading]:
    """Return *readings*; of those of one file that ask for the same thing, only the last says what holds."""
    last = {reading.asks: number for number, reading in enumerate(readings) if reading.asks}
    return [
        replace(reading, events=()) if reading.asks and last[reading.asks] > number else reading
        for number, reading in enumerate(readings)
    ]


def _asks(capture: Capture, identified: Identified) -> tuple[object, ...]:
    call, command = identified.call, identified.command
    is_told = command.is_whole and call.subject.is_named
    return capture.file, capture.session, command.name if is_told else call.text, call.subject


def _read(capture: Capture, commands: Sequence[Command]) -> _Reading:
    identified = identify(capture, commands)
    if identified is None:
        return _unknown(capture)
    events = list(identified.command.read(capture, identified.call))
    states = _states(capture, events)
    suspicious = {LineState.UNRECOGNISED}
    if LineState.MODELLED not in states:  # an error message may look like a field of the output
        suspicious.add(LineState.NOT_MODELLED)
    errors = [
        (index, line) for index, line in text.lines(capture) if states[index] in suspicious and text.is_error(line)
    ]
    for index, _ in errors:
        states[index] = LineState.NOT_MODELLED
    why = redact(errors[0][1])[-160:] if errors else ""
    if not why and identified.silent and not any(text.lines(capture)):
        why = "the output is empty"
    if why:
        silence = Silence(identified.call.subject, identified.silent, f"{identified.call.text}: {why}")
        events = [event for event in events if not _is_empty(event)] + [silence]
    events += _left_over(capture, states, events, identified.call.text)
    # what failed takes nothing back, and neither does an excerpt; files of their own do not follow each other
    asks = None if why or not capture.command or "|" in capture.command else _asks(capture, identified)
    return _Reading(capture, tuple(events), tuple(states), asks)


def _unknown(capture: Capture) -> _Reading:
    states = [LineState.UNRECOGNISED if line.strip() else LineState.IGNORED for line in capture.lines]
    suspects = (index for index, line in text.lines(capture) if text.reads_like_qos(line))
    doubts = tuple(text.doubt(capture, index, "output of a command that is known") for index in suspects)[:1]
    return _Reading(capture, doubts, tuple(states))


def _states(capture: Capture, events: Sequence[Event]) -> list[LineState]:
    """Return the state of each line; a doubt makes its line unrecognised, but not the only line of a long JSON."""
    states = [LineState.UNRECOGNISED if line.strip() else LineState.IGNORED for line in capture.lines]
    for index, line in text.lines(capture):
        if text.is_exit_status(line):
            states[index] = LineState.IGNORED
    for event in events:
        if isinstance(event, Mark):
            states[event.index] = event.state
    is_object = jsontext.is_json(capture)
    for event in events:
        index = event.where.line - capture.first_line if isinstance(event, Doubt) else -1
        if 0 <= index < len(states) and not (is_object and len(states) == 1):
            states[index] = LineState.UNRECOGNISED
    return states


def _left_over(capture: Capture, states: Sequence[LineState], events: Sequence[Event], command: str) -> list[Event]:
    """Return a doubt for each line that reads like quality of service and that nobody understood."""
    doubted = {event.where.line for event in events if isinstance(event, Doubt)}
    return [
        text.doubt(capture, index, f"a line as {command} prints it")
        for index, line in text.lines(capture)
        if states[index] is LineState.UNRECOGNISED
        and capture.first_line + index not in doubted
        and text.reads_like_qos(line)
    ]


def _is_empty(event: Event) -> bool:
    """Whether *event* is a statement that says nothing, as the readers make them of error messages."""
    if not isinstance(event, Statement):
        return False
    said = replace(event.says, where=None, counters=event.says.counters or None)
    return said in (Port("", PortConfig()), Port("", PortConfig(nic=Nic())))
