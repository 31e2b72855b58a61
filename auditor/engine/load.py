"""Dumps to a device: parsed, with documented defaults, and with votes for the intent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import Ballot, cast_ballot, count_votes
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.text_facts import TextFacts
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.jobs.signs import find_entries
from auditor.systems.jobs.text import mark_lines, read_text
from auditor.util.redact import redact
from auditor.util.redact_lines import RedactedLines
from auditor.util.values import dataclass

LONGEST_NAME = 255
"""Characters of a name of a host (RFC 1123, section 2.1); each finding repeats the name."""
LEAST_LINES, MOST_STRANGE = 16, 0.6
"""Lines of a dump of which a share can be told, and the share that no dump of the system has."""

_LOGGING_SWITCHES = frozenset({"sonic", "dell_enterprise_sonic"})


@dataclass(frozen=True, slots=True)
class DeviceReading:
    """A device with its defaults applied, its votes for the intent, and the problems of its dumps."""

    device: Device
    ballot: Ballot
    problems: tuple[Problem, ...] = ()


def read_device(unit: DeviceUnit) -> DeviceReading:
    """Return one device, parsed from its dumps, with documented defaults and votes for the intent."""
    device = _read_configurations(unit)
    device = replace(device, name=device.name[:LONGEST_NAME])
    device = _add_text(replace(device, doubts=_hide_secrets(device.doubts, unit.captures)), unit)
    fatal = (doubt for doubt in device.doubts if doubt.fatal)
    problems = tuple(Problem(d.where.file, d.where.line, ": ".join(filter(None, (d.why, d.text)))) for d in fatal)
    broken = {problem.name for problem in problems}
    strange = (problem for problem in _list_strange_dumps(device) if problem.name not in broken)
    return DeviceReading(device, cast_ballot(count_votes(device)), (*problems, *strange))


def _read_configurations(unit: DeviceUnit) -> Device:
    """Return the device as it runs, and in `saved` as its next boot makes it where both are among its captures.

    A saved configuration that was cut proves nothing.
    """
    system = systems()[unit.os]
    split = system.split_saved(unit.captures)
    device = fill_defaults(system.parse(unit.name, unit.source, split.running if split else unit.captures))
    if split is None:
        return device
    saved = fill_defaults(system.parse(unit.name, unit.source, split.saved))
    known = {(doubt.text, doubt.why) for doubt in device.doubts}
    doubts = tuple(doubt for doubt in saved.doubts if (doubt.text, doubt.why) not in known)
    files = {dump.file for dump in device.dumps}
    return replace(
        device,
        saved=None if any(doubt.fatal for doubt in saved.doubts) else replace(saved, doubts=()),
        doubts=(*device.doubts, *doubts),
        dumps=(*device.dumps, *(dump for dump in saved.dumps if dump.file not in files)),
    )


def _add_text(device: Device, unit: DeviceUnit) -> Device:
    """Return *device* with what logs and other text among its captures state; of switches, SONiC logs faults."""
    if device.kind == "switch":
        is_linux = unit.os in _LOGGING_SWITCHES
        return replace(device, text=TextFacts(entries=find_entries(unit.captures))) if is_linux else device
    device = replace(device, text=read_text(unit.captures))
    return replace(device, dumps=mark_lines(device))


def _list_strange_dumps(device: Device) -> Iterator[Problem]:
    """Yield a problem for each dump of a switch of which the system understands hardly a line."""
    for dump in device.dumps if device.kind == "switch" else ():
        strange = dump.states.count(LineState.UNRECOGNISED)
        if len(dump.states) >= LEAST_LINES and strange > MOST_STRANGE * len(dump.states):
            name = systems()[device.os].name
            why = f"{strange} of {len(dump.states)} lines are of no statement of {name}"
            yield Problem(dump.file, None, f"{why}; expected a dump of it, or the system by --os")


_LONGEST_QUOTE = 200


def _hide_secrets(doubts: Sequence[Doubt], captures: Sequence[Capture]) -> tuple[Doubt, ...]:
    """Return *doubts* without the secrets that only the lines around reveal."""
    doubted: dict[str, set[int]] = {}
    for doubt in doubts:
        doubted.setdefault(doubt.where.file, set()).add(doubt.where.line or 0)
    hidden: dict[tuple[str, int], str] = {}
    for capture in captures:
        first = capture.first_line
        places = [place for place in doubted.get(capture.file, ()) if first <= place < first + len(capture.lines)]
        shown = RedactedLines(capture.lines) if places else ()
        for place in places:
            line, without = capture.lines[place - first], shown[place - first]
            if line != without and redact(line) != without:
                hidden[capture.file, place] = without.strip()[:_LONGEST_QUOTE]
    return tuple(
        replace(doubt, text=hidden.get((doubt.where.file, doubt.where.line or 0), doubt.text)) for doubt in doubts
    )


def distinguish_devices(devices: Iterable[Device]) -> tuple[tuple[Device, ...], tuple[str, ...]]:
    """Return *devices* with unique names, and a warning for each shared name; the path makes names unique."""
    unique: list[Device] = []
    taken: dict[str, str] = {}
    numbered: dict[tuple[str, str], Iterator[int]] = {}
    warnings = []
    for device in devices:
        name = device.name
        if name in taken:
            warnings.append(f"two devices are named {name}: {taken[name]} and {device.source}")
            numbers = numbered.setdefault((name, device.source), count())
            candidates = (f"{name} ({device.source}{f', {n}' if n else ''})" for n in numbers)
            name = next(candidate for candidate in candidates if candidate not in taken)
        taken[name] = device.source
        unique.append(device if name == device.name else replace(device, name=name, hostname=device.name))
    return tuple(unique), tuple(warnings)
