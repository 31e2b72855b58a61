"""Paths to devices: what each file is, which files belong to one device, and reading a device."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from auditor.bundle import STDIN, Problem, Raw, Skipped, open_paths
from auditor.effective import effective
from auditor.intent import Votes, votes_of
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.parsers import host, nxos

MANIFEST = "manifest.json"
SETTINGS = frozenset({"roce-audit.yaml", "roce-audit.yml", "links.yaml", "links.yml"})
"""Files that lie beside dumps and are none; whoever wants them asks for them by path."""

Recognise = Callable[[Capture], str | None]
Parse = Callable[[str, str, Sequence[Capture]], Device]


@dataclass(frozen=True, slots=True)
class Parser:
    """How one operating system's dumps are recognised and read; `whole` are the commands that show a whole device."""

    recognise: Recognise
    parse: Parse
    whole: frozenset[str] = frozenset()


PARSERS: Mapping[str, Parser] = {
    nxos.OS: Parser(nxos.recognise, nxos.parse, frozenset({nxos.CONFIG})),
    "linux": Parser(host.recognise, host.parse),
}
"""Operating systems in the order in which a dump is tried."""


@dataclass(frozen=True, slots=True)
class Unit:
    """All dumps of one device: the unit of work. `name` is used where the dumps do not tell the hostname."""

    name: str
    source: str
    os: str
    captures: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the given paths hold: devices to read, files that are no dumps, and dumps that cannot be read."""

    units: tuple[Unit, ...]
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """A device with its defaults applied, what it says of the intent, and what makes its dumps untrustworthy."""

    device: Device
    votes: Votes
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    """A file with the operating system it was recognised as."""

    raw: Raw
    os: str
    captures: tuple[Capture, ...]
    is_whole: bool


@dataclass(slots=True)
class _Sorting:
    """Files being sorted into units."""

    items: dict[str, list[_Item]] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find(paths: Sequence[str], os: str | None = None, stdin: BinaryIO | None = None) -> Snapshot:
    """Open *paths* and sort what is in them into devices; *os* overrides what content and name tell."""
    bundle = open_paths(paths, stdin)
    given = {STDIN if path == "-" else str(PurePath(path)) for path in paths}
    sorting = _Sorting(skipped=list(bundle.skipped), problems=list(bundle.problems))
    manifests = {raw.folder: raw for raw in bundle.raws if PurePath(raw.name).name == MANIFEST}
    for raw in bundle.raws:
        if PurePath(raw.name).name in SETTINGS or raw.folder in manifests:
            continue
        _sort(sorting, raw, os, explicit=raw.name in given)
    for folder, manifest in manifests.items():
        _by_manifest(sorting, manifest, [r for r in bundle.raws if r.folder == folder and r is not manifest], os)
    for folder, items in sorting.items.items():
        sorting.units.extend(_group(folder, items))
    return Snapshot(tuple(sorting.units), tuple(sorting.skipped), tuple(sorting.problems))


def read(unit: Unit) -> Read:
    """Read one device: parse its dumps, apply the documented defaults, count its votes for the intent."""
    device = effective(PARSERS[unit.os].parse(unit.name, unit.source, unit.captures))
    problems = tuple(Problem(d.where.file, d.where.line, f"{d.why}: {d.text}") for d in device.doubts if d.fatal)
    return Read(device, votes_of(device), problems)


def told_apart(devices: Iterable[Device]) -> tuple[tuple[Device, ...], tuple[str, ...]]:
    """Return *devices* with unique names, and a warning for each name that several had; they differ by path then."""
    found: list[Device] = []
    seen: dict[str, str] = {}
    warnings = []
    for device in devices:
        if device.name in seen:
            warnings.append(f"two devices are named {device.name}: {seen[device.name]} and {device.source}")
            found.append(replace(device, name=f"{device.name} ({device.source})"))
        else:
            seen[device.name] = device.source
            found.append(device)
    return tuple(found), tuple(warnings)


_TRANSCRIPT = re.compile(r"\$ (?P<command>\S.*)")


def captures_of(raw: Raw) -> tuple[Capture, ...]:
    """Return the captures of a file: those of a transcript, whose lines `$ COMMAND` begin one each, or the file."""
    heads = [(n, m["command"].strip()) for n, line in enumerate(raw.lines) if (m := _TRANSCRIPT.match(line))]
    if not heads:
        return (Capture(raw.name, raw.lines, ends_mid_line=not raw.ends_with_newline),)
    ends = [n for n, _ in heads[1:]] + [len(raw.lines)]
    return tuple(
        Capture(raw.name, raw.lines[n + 1 : end], command, n + 2) for (n, command), end in zip(heads, ends, strict=True)
    )


def _sort(sorting: _Sorting, raw: Raw, os: str | None, *, explicit: bool) -> None:
    captures = captures_of(raw)
    found = os or _recognised(captures)
    if found is None:
        problem = _json_problem(raw)
        if problem or explicit:
            sorting.problems.append(problem or Problem(raw.name, None, f"no dump that is known; expected {_known()}"))
        else:
            sorting.skipped.append(Skipped(raw.name, "no dump that is known"))
        return
    whole = bool(captures[0].command) or any(PARSERS[found].recognise(c) in PARSERS[found].whole for c in captures)
    item = _Item(raw, found, captures, whole)
    if explicit:
        sorting.units.append(_alone(item))
    else:
        sorting.items.setdefault(raw.folder, []).append(item)


def _known() -> str:
    return "a dump of " + " or ".join(PARSERS)


def _recognised(captures: Sequence[Capture]) -> str | None:
    return next((os for os, parser in PARSERS.items() if any(parser.recognise(c) for c in captures)), None)


def _json_problem(raw: Raw) -> Problem | None:
    """Return what is wrong with a file that claims to be JSON, None where it is a JSON object."""
    if not raw.name.endswith(".json"):
        return None
    try:
        data: Any = json.loads("\n".join(raw.lines))
    except json.JSONDecodeError as error:
        return Problem(raw.name, error.lineno, f"not JSON: {error.msg}")
    except (RecursionError, ValueError):
        return Problem(raw.name, None, "not JSON that can be read: nested too deeply or a number too long")
    if isinstance(data, dict):
        return None
    return Problem(raw.name, 1, f"expected a JSON object, found {type(data).__name__}")


def _group(folder: str, items: Sequence[_Item]) -> list[Unit]:
    """Return the devices of a folder: one, where it holds single captures and at most one whole dump of their OS."""
    units: list[Unit] = []
    for os in dict.fromkeys(item.os for item in items):
        own = [item for item in items if item.os == os]
        wholes = [item for item in own if item.is_whole]
        if len(wholes) == len(own) or len(wholes) > 1:
            units.extend(_alone(item) for item in own)
        else:
            captures = tuple(capture for item in own for capture in item.captures)
            units.append(Unit(Path(folder).resolve().name, folder, os, captures))
    return units


def _alone(item: _Item) -> Unit:
    name = "stdin" if item.raw.name == STDIN else PurePath(item.raw.name).stem
    return Unit(name, item.raw.name, item.os, item.captures)


def _by_manifest(sorting: _Sorting, manifest: Raw, raws: Sequence[Raw], os: str | None) -> None:
    """Make one device of a folder whose manifest names it and says which command each file is."""
    try:
        data = json.loads("\n".join(manifest.lines))
        name, listed = str(data["device"]), [(str(c["command"]), str(c["file"])) for c in data["captures"]]
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, ValueError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        sorting.problems.append(Problem(manifest.name, line, "expected a JSON object with device, os and captures"))
        for raw in raws:
            _sort(sorting, raw, os, explicit=False)
        return
    by_file = {PurePath(raw.name).name: raw for raw in raws}
    captures: list[Capture] = []
    for command, file in listed:
        raw_file = by_file.pop(file, None)
        if raw_file is None:
            sorting.problems.append(Problem(manifest.name, None, f"lists {file}, which is not beside it"))
        else:
            captures.append(Capture(raw_file.name, raw_file.lines, command, 1, not raw_file.ends_with_newline))
    sorting.skipped.extend(Skipped(raw.name, "not listed in the manifest beside it") for raw in by_file.values())
    system = os or (data.get("os") if data.get("os") in PARSERS else None) or _recognised(captures)
    if system is None:
        sorting.problems.append(Problem(manifest.name, None, f"no capture that is known; expected {_known()}"))
    else:
        sorting.units.append(Unit(name, manifest.folder, str(system), tuple(captures)))
