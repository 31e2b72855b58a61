"""A host out of its captures: readers of commands yield facts, then facts are joined."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import PurePosixPath
from typing import Any, TypeVar

from auditor.grammar.repeats import Repeats
from auditor.model.counters import measure_growth
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Where
from auditor.systems.linux import evidence, files_intel, gids, inherit, join, jsontext, merge, text
from auditor.systems.linux.alike import Alike
from auditor.systems.linux.command import Commands
from auditor.systems.linux.identify import Identified, clean_command, identify
from auditor.systems.linux.places import change_places, make_part
from auditor.util.quick import replace_fields
from auditor.util.redact import redact
from auditor.util.values import dataclass

_E = TypeVar("_E")
_NO_NAMES = frozenset({"localhost", "host", "hostname", "server", "node"})
"""Names in a prompt that name no host."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A capture with its events and the states of its lines."""

    capture: Capture
    events: tuple[evidence.Event, ...]
    states: tuple[LineState, ...]
    asks: tuple[object, ...] | None = None
    """File, session, command and subject; a later capture with the same key replaces this one."""


@dataclass(frozen=True, slots=True)
class _Output:
    """The events of an output, and the states of its lines. `fails`: it is an error message, or empty."""

    events: tuple[evidence.Event, ...]
    states: tuple[LineState, ...]
    fails: bool


_OF_PORTS = (evidence.PortFact, evidence.GidPart, evidence.LineMark)
_ALIKE = Alike()
_REPEATS = Repeats(_Output, told_apart=(evidence.PortFact, evidence.Silence))


class _Events:
    """Events by their kind."""

    def __init__(self, events: Iterable[evidence.Event]) -> None:
        self._by_kind: dict[type, list[Any]] = {}
        for event in events:
            self._by_kind.setdefault(event.__class__, []).append(event)

    def select(self, kind: type[_E]) -> list[_E]:
        """Return the events of *kind* in their order."""
        return self._by_kind.get(kind, [])


def read_host(host: Device, captures: Sequence[Capture], commands: Commands) -> Device:
    """Return *host* with the settings of its *captures* of *commands*, and with the captured host name."""
    readings = _drop_repeats([_read_capture(capture, part, commands) for part, capture in enumerate(captures, 1)])
    heads = tuple(capture.where(0) for capture in captures)

    def locate(where: Where) -> Where:
        return where.at(heads[where.part - 1])

    placed = [
        (reading.capture, event)
        for reading in readings
        for event in reading.events
        if event.__class__ is not evidence.LineMark
    ]
    files = {id(event): capture.file for capture, event in placed}
    events = _Events(event for _, event in placed)
    statements = [*events.select(evidence.PortFact), *gids.join_gids(events.select(evidence.GidPart))]
    ports, unplaced = join.join_ports(
        statements=statements,
        interfaces=events.select(evidence.NetdevFact),
        silences=events.select(evidence.Silence),
        locate=locate,
        stem_of=lambda event: PurePosixPath(files.get(id(event), host.name)).stem,
    )
    whole = reduce(merge.merge_hosts, (event.says for event in events.select(evidence.HostFact)), Host())
    ports = files_intel.apply_module(ports, whole)
    ports = inherit.inherit_settings(ports, events.select(evidence.VirtualFunction), statements)
    return replace(
        host,
        name=next((event.name for event in events.select(evidence.Hostname)), "")
        or _find_prompt_name(captures)
        or host.name,
        os_version=next((event.name for event in events.select(evidence.Release)), NOT_COLLECTED),
        ports=tuple(_share_config(replace_fields(port, {"parts": heads})) for port in ports),
        dumps=list_dump_files(host.os, ((r.capture, r.states) for r in readings)),
        doubts=(
            *events.select(Doubt),
            *_doubt_unplaced(placed, unplaced),
            *_doubt_second_host(reading.capture for reading in readings if reading.events),
        ),
        host=whole,
    )


def _share_config(port: Port) -> Port:
    """Return *port* with the configuration that all NICs share which are set up alike."""
    config, rows = _ALIKE.share(port.config)
    return replace_fields(port, {"config": config, "rows": rows, "where": port.locate(port.where)})


def _doubt_unplaced(
    placed: Iterable[tuple[Capture, evidence.Event]], unplaced: Sequence[evidence.PortFact]
) -> Iterable[Doubt]:
    """Return one doubt for each capture whose settings may be those of any port, or for whose settings is no port."""
    lost = {id(fact) for fact in unplaced if not _is_empty(fact)}
    captures = {(capture.file, capture.first_line): capture for capture, event in placed if id(event) in lost}
    why = "the output names no port, and not just one port is captured: give its command with the port's name"
    return [text.make_doubt(capture, 0, why) for capture in captures.values()]


def _find_prompt_name(captures: Iterable[Capture]) -> str:
    """Return the host that all prompts name; empty without a name, or for sessions of several hosts."""
    names = {capture.session.rpartition("@")[2] for capture in captures if capture.session}
    return next(iter(names)) if len(names) == 1 and not names & _NO_NAMES else ""


def _doubt_second_host(captures: Iterable[Capture]) -> tuple[Doubt, ...]:
    """Return a doubt about the first capture below the prompt of a second host: what all say becomes one host."""
    first: dict[str, Capture] = {}
    for capture in captures:
        name = capture.session.rpartition("@")[2]
        if name and name not in _NO_NAMES:
            first.setdefault(name, capture)
    if len(first) <= 1:
        return ()
    second = list(first.values())[1]
    why = f"prompts of {' and '.join(first)}, which are read as one host: give each host a file of its own"
    return (Doubt(second.where(0), second.command, why, understood=True),)


def _drop_repeats(readings: Sequence[_Reading]) -> Sequence[_Reading]:
    """Return *readings*; only the last of several with the same key keeps its events.

    Its counters grew since the one before.
    """
    latest: dict[object, int] = {}
    kept = list(readings)
    for number, reading in enumerate(readings):
        if reading.asks and (before := latest.get(reading.asks)) is not None:
            kept[number] = replace(reading, events=tuple(_add_growths(readings[before].events, reading.events)))
            kept[before] = replace(kept[before], events=())
        if reading.asks:
            latest[reading.asks] = number
    return kept


def _add_growths(before: Iterable[evidence.Event], now: Iterable[evidence.Event]) -> Iterator[evidence.Event]:
    """Yield the events of *now*, whose counters know how they grew since those of *before*."""
    earlier = {
        (fact.about, name): count.value
        for fact in before
        if isinstance(fact, evidence.PortFact)
        for name, count in (fact.says.counters or {}).items()
    }
    for event in now:
        if not isinstance(event, evidence.PortFact) or not event.says.counters:
            yield event
            continue
        growths = {
            name: measure_growth(earlier[event.about, name], count.value, None)
            for name, count in event.says.counters.items()
            if (event.about, name) in earlier
        }
        yield replace(event, says=replace(event.says, growths=growths)) if growths else event


def _make_key(capture: Capture, identified: Identified) -> tuple[object, ...]:
    call, command = identified.call, identified.command
    if text.is_excerpt(capture) or (capture.command and clean_command(capture.command) != call.text):
        return capture.file, capture.session, capture.command  # the output alone tells what it is, not which it repeats
    is_told = command.is_whole and call.subject.is_named
    return capture.file, capture.session, command.name if is_told else call.text, call.subject


def _read_capture(capture: Capture, part: int, commands: Commands) -> _Reading:
    identified = identify(capture, commands)
    if identified is None:
        return _read_unknown(capture)
    call = part, identified.command.name, identified.call.text, *identified.call.arguments.items()
    output = _REPEATS.read(capture, call, partial(_read_output, part=part, identified=identified))
    # a failed command replaces nothing, an excerpt only the same excerpt; separate files have no order
    asks = None if output.fails or not capture.command else _make_key(capture, identified)
    return _Reading(capture, output.events, output.states, asks)


def _read_output(capture: Capture, part: int, identified: Identified) -> _Output:
    """Return the output in *capture*; what it says of ports has places that count from its head."""
    head = capture.where(0)

    def locate(where: Where) -> Where:
        return where.at(head)

    said = identified.command.read(make_part(capture, part), identified.call)
    events = [event if isinstance(event, _OF_PORTS) else change_places(event, locate) for event in said]
    states = _list_states(capture, events)
    suspicious = {LineState.UNRECOGNISED}
    if LineState.MODELLED not in states:  # an error message may look like a field of the output
        suspicious.add(LineState.NOT_MODELLED)
    errors = [
        (index, line) for index, line in text.list_lines(capture) if states[index] in suspicious and text.is_error(line)
    ]
    for index, _ in errors:
        states[index] = LineState.NOT_MODELLED
    why = redact(errors[0][1])[-160:] if errors else ""
    if not why and identified.silent and not any(text.list_lines(capture)):
        why = "the output is empty"
    if why:
        silence = evidence.Silence(identified.call.subject, identified.silent, f"{identified.call.text}: {why}")
        events = [event for event in events if not _is_empty(event)] + [silence]
    events += _doubt_rest(capture, states, events, identified.call.text)
    return _Output(_merge_facts(events, locate), tuple(states), bool(why))


def _merge_facts(events: Sequence[evidence.Event], locate: merge.Locate) -> tuple[evidence.Event, ...]:
    """Return *events*, with one fact in place of those about the same port that are sure and of a rank alike."""
    alike: dict[tuple[object, ...], list[evidence.PortFact]] = {}
    for event in events:
        if isinstance(event, evidence.PortFact):
            alike.setdefault((event.about, event.strength, event.rank), []).append(event)
    merged = {id(facts[0]): _unite_config(_merge_alike(facts, locate)) for facts in alike.values()}
    rest = {id(fact) for facts in alike.values() for fact in facts[1:]}
    return tuple(merged.get(id(event), event) for event in events if id(event) not in rest)


def _merge_alike(facts: Sequence[evidence.PortFact], locate: merge.Locate) -> evidence.PortFact:
    if len(facts) == 1:
        return facts[0]
    return replace_fields(facts[0], {"says": merge.merge_equal([fact.says for fact in facts], locate)})


def _unite_config(fact: evidence.PortFact) -> evidence.PortFact:
    """Return *fact* with the configuration that other facts share which say the same, so that they are merged once."""
    says = replace_fields(fact.says, {"config": _ALIKE.unite(fact.says.config)})
    return replace_fields(fact, {"says": says})


def _read_unknown(capture: Capture) -> _Reading:
    states = [LineState.UNRECOGNISED if line.strip() else LineState.IGNORED for line in capture.lines]
    suspects = (index for index, line in text.list_lines(capture) if text.reads_like_qos(line))
    doubts = tuple(text.make_doubt(capture, index, "output of a known command") for index in suspects)[:1]
    return _Reading(capture, doubts, tuple(states))


def _list_states(capture: Capture, events: Sequence[evidence.Event]) -> list[LineState]:
    """Return the state of each line; a doubt makes its line unrecognised, but not the only line of a long JSON."""
    states = [LineState.UNRECOGNISED if line.strip() else LineState.IGNORED for line in capture.lines]
    for index, line in text.list_lines(capture):
        if text.is_exit_status(line):
            states[index] = LineState.IGNORED
    doubts = []
    for event in events:
        if isinstance(event, evidence.LineMark):
            states[event.index] = event.state
        elif isinstance(event, Doubt):
            doubts.append(event)
    is_object = bool(doubts) and jsontext.is_json(capture)
    for doubt in doubts:
        index = doubt.where.line - capture.first_line
        if 0 <= index < len(states) and not (is_object and len(states) == 1):
            states[index] = LineState.UNRECOGNISED
    return states


def _doubt_rest(
    capture: Capture, states: Sequence[LineState], events: Sequence[evidence.Event], command: str
) -> list[evidence.Event]:
    """Return a doubt for each unrecognised line that reads like quality of service; one for all of a cut output.

    An output of which nothing was taken is taken for cut: its heading, which names the device, is missing.
    """
    doubted = {event.where.line for event in events if isinstance(event, Doubt)}
    rest = [
        (index, line)
        for index, line in text.list_lines(capture)
        if states[index] is LineState.UNRECOGNISED and capture.first_line + index not in doubted
    ]
    suspects = [index for index, line in rest if text.reads_like_qos(line)]
    is_taken = LineState.MODELLED in states
    if is_taken and not text.is_excerpt(capture):
        return [text.make_doubt(capture, index, f"a line as {command} prints it") for index in suspects]
    first = (suspects or [index for index, _ in rest])[:1]
    why = f"a line as {command} prints it, below the line that names its device or table"
    return [] if doubted else [text.make_doubt(capture, index, why) for index in first]


def _is_empty(event: evidence.Event) -> bool:
    """Whether *event* is a fact without a setting, as readers make of error messages."""
    if not isinstance(event, evidence.PortFact):
        return False
    said = replace(event.says, where=None, counters=event.says.counters or None, growths=None)
    return said in (Port("", PortConfig()), Port("", PortConfig(nic=Nic())))
