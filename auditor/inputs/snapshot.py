"""Paths to devices: the identity of each file, and the files of each device."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from auditor.inputs.bundle import open_paths
from auditor.inputs.detection import (
    FileIdentity,
    Identify,
    IdentifySystem,
    describe_expected,
    identify_files,
    identify_system,
    split_captures,
)
from auditor.inputs.rawtext import STDIN, Problem, Raw, Skipped
from auditor.model.dump import Capture
from auditor.systems import systems

MANIFEST = "manifest.json"
PULL = "roce-audit/pull/1"
"""The schema of the record that `roce-audit pull` writes over the manifests of devices."""
SETTINGS = frozenset({"roce-audit.yaml", "roce-audit.yml", "links.yaml", "links.yml"})
OWN_SCHEMA, HEAD_LINES = "schema: roce-audit/", 20
"""Signs of settings files beside dumps; only an explicit path reads them."""


@dataclass(frozen=True, slots=True)
class DeviceUnit:
    """All dumps of one device: the unit of work. `name` replaces an unknown hostname."""

    name: str
    source: str
    os: str
    captures: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of the given paths: devices, skipped files, and unreadable dumps."""

    units: tuple[DeviceUnit, ...]
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()

    def index_lines(self) -> Callable[[str, int], str | None]:
        """Return a function that gives the text of a line of a dump by file and number, None for another line."""
        captures = {(c.file, c.first_line): c for unit in self.units for c in unit.captures}
        by_file: dict[str, list[Capture]] = {}
        for capture in captures.values():
            by_file.setdefault(capture.file, []).append(capture)

        def find_line(file: str, line: int) -> str | None:
            for capture in by_file.get(file, ()):
                index = line - capture.first_line
                if 0 <= index < len(capture.lines):
                    return capture.lines[index]
            return None

        return find_line


@dataclass(frozen=True, slots=True)
class _Item:
    """A file with its operating system."""

    raw: Raw
    os: str
    captures: tuple[Capture, ...]
    is_whole: bool


@dataclass(slots=True)
class _Sorting:
    """The state while files are sorted into units."""

    items: dict[str, list[_Item]] = field(default_factory=dict)
    bundles: dict[str, list[Raw]] = field(default_factory=dict)
    units: list[DeviceUnit] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find(  # noqa: PLR0913, PLR0917  each parameter is independent
    paths: Sequence[str],
    os: str | None = None,
    stdin: BinaryIO | None = None,
    used: Collection[str] = (),
    tell: Identify = identify_files,
    tell_system: IdentifySystem = lambda captures, _: identify_system(captures),
) -> Snapshot:
    """Open *paths* and sort what is in them into devices; *os* overrides what content and name tell.

    *used* are the settings files that the caller reads by itself; others are named as skipped. *tell* says what files
    are, and may know it from before.
    """
    bundle = open_paths(paths, stdin)
    sorting = _Sorting(skipped=list(bundle.skipped), problems=list(bundle.problems))
    raws = list({raw.name: raw for raw in bundle.raws}.values())
    manifests = {r.folder: r for r in raws if PurePath(r.name).name == MANIFEST and not r.given and not r.bundle_file}
    for record in [raw for raw in manifests.values() if f'"schema": "{PULL}"' in "\n".join(raw.lines[:5])]:
        sorting.skipped.extend(_list_unpulled(record))
        del manifests[record.folder]
        raws.remove(record)
    loose = [r for r in raws if not r.bundle_file and not _is_settings(r) and (r.given or r.folder not in manifests)]
    told_of = {raw.name: found for raw, found in zip(loose, tell(loose, os), strict=True)}
    for raw in raws:
        if raw.bundle_file:
            sorting.bundles.setdefault(raw.bundle_file.root, []).append(raw)
        elif raw.name in told_of:
            _sort_file(sorting, raw, told_of[raw.name])
        elif _is_settings(raw) and raw.name not in used:
            sorting.skipped.append(Skipped(raw.name, "unused settings; name the file on the command line"))
    for folder, manifest in manifests.items():
        beside = [r for r in raws if r.folder == folder and r is not manifest and not r.given]
        _sort_by_manifest(sorting, manifest, [r for r in beside if not _is_settings(r)], os, (tell, tell_system))
    for folder, items in sorting.items.items():
        sorting.units.extend(_group_items(folder, items))
    sorting.units.extend(_make_bundle_unit(root, own) for root, own in sorting.bundles.items())
    return Snapshot(tuple(sorting.units), tuple(sorting.skipped), tuple(sorting.problems))


def _is_settings(raw: Raw) -> bool:
    """Return whether a file holds settings of this program, by its name or its `schema`."""
    return PurePath(raw.name).name in SETTINGS or any(line.startswith(OWN_SCHEMA) for line in raw.lines[:HEAD_LINES])


def _sort_file(sorting: _Sorting, raw: Raw, found: FileIdentity | Problem) -> None:
    if isinstance(found, Problem):
        sorting.problems.append(found)
        return
    if found.os is None:
        problem = None if found.is_unread else _find_json_problem(raw)
        why = f"looks like {found.looks}" if found.looks else "unknown content"
        if problem or found.is_unread or raw.given:
            sorting.problems.append(problem or Problem(raw.name, None, f"{why}; expected {describe_expected()}"))
        else:
            sorting.skipped.append(Skipped(raw.name, why))
        return
    item = _Item(raw, found.os, split_captures(raw, found.heads), found.is_whole)
    if raw.given:
        sorting.units.append(_make_unit(item))
    else:
        sorting.items.setdefault(raw.folder, []).append(item)


def _find_json_problem(raw: Raw) -> Problem | None:
    """Return the problem of a file named as JSON, None for a JSON object."""
    if not raw.name.endswith(".json"):
        return None
    try:
        data: Any = json.loads("\n".join(raw.lines))
    except json.JSONDecodeError as error:
        return Problem(raw.name, error.lineno, f"not JSON: {error.msg}")
    except (RecursionError, ValueError):
        return Problem(raw.name, None, "unreadable JSON: nested too deeply, or a number is too long")
    if isinstance(data, dict):
        return None
    return Problem(raw.name, 1, f"expected a JSON object, found {type(data).__name__}")


def _group_items(folder: str, items: Sequence[_Item]) -> list[DeviceUnit]:
    """Return the devices of a folder: one, where it holds single captures and at most one whole dump of their OS."""
    units: list[DeviceUnit] = []
    present = {item.os for item in items}
    relatives = {each.os: each.relative for each in systems().values() if each.relative in present}
    items = [
        replace(item, os=relatives[item.os]) if item.os in relatives and not item.is_whole else item for item in items
    ]
    for os in dict.fromkeys(item.os for item in items):
        own = [item for item in items if item.os == os]
        wholes = [item for item in own if item.is_whole]
        if len(wholes) == len(own) or len(wholes) > 1:
            units.extend(_make_unit(item) for item in own)
        else:
            captures = tuple(capture for item in own for capture in item.captures)
            units.append(DeviceUnit(_name_folder(folder), folder, os, captures))
    return units


_ARCHIVE = re.compile(r"\.(?:zip|t(?:ar\.)?(?:gz|xz|bz2?)|tar)\Z", re.IGNORECASE)


def _name_folder(folder: str) -> str:
    return _ARCHIVE.sub("", Path(folder).resolve().name)


def _make_unit(item: _Item) -> DeviceUnit:
    """Return a device of one file, named after the file, or after its folder if the file has the name of a command."""
    stem = PurePath(item.raw.name).stem
    if item.raw.name == STDIN:
        stem = "stdin"
    elif item.is_whole and stem.startswith("show_"):
        stem = _name_folder(item.raw.folder)
    return DeviceUnit(stem, item.raw.name, item.os, item.captures)


def _make_bundle_unit(root: str, raws: Sequence[Raw]) -> DeviceUnit:
    """Return the device of the bundle at *root*."""
    told = [(raw, raw.bundle_file) for raw in raws if raw.bundle_file]
    captures = (bundle_file.captures(raw.name, raw.lines, not raw.ends_with_newline) for raw, bundle_file in told)
    return DeviceUnit(_name_folder(root), root, told[0][1].layout.os, tuple(chain.from_iterable(captures)))


def _list_unpulled(record: Raw) -> Iterator[Skipped]:
    """Yield the devices without captures in a pull, which a report must not omit silently."""
    try:
        devices = [
            (str(d["device"]), str(d["why"]))
            for d in json.loads("\n".join(record.lines))["devices"]
            if not d["captures"]
        ]
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, ValueError):
        yield Skipped(record.name, "damaged record of a pull")
        return
    yield from (Skipped(f"{record.folder}/{name}", f"not pulled: {why}") for name, why in devices)


def _sort_by_manifest(
    sorting: _Sorting, manifest: Raw, raws: Sequence[Raw], os: str | None, by: tuple[Identify, IdentifySystem]
) -> None:
    """Make one device of a folder whose manifest names it and says which command each file is."""
    tell, tell_system = by
    try:
        data = json.loads("\n".join(manifest.lines))
        name, said = data["device"], data.get("os")
        listed = [(str(c["command"]), str(c["file"])) for c in data["captures"]]
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, ValueError, AttributeError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        sorting.problems.append(Problem(manifest.name, line, "expected a JSON object with device, os and captures"))
        for raw, found in zip(raws, tell(raws, os), strict=True):
            _sort_file(sorting, raw, found)
        return
    by_file = {PurePath(raw.name).name: raw for raw in raws}
    captures: list[Capture] = []
    for command, file in listed:
        beside = by_file.get(file)
        if beside is None:
            sorting.problems.append(Problem(manifest.name, None, f"lists {file!r}, which is not beside it"))
        else:
            captures.append(Capture(beside.name, beside.lines, command, 1, not beside.ends_with_newline))
    left = set(by_file) - {file for _, file in listed}
    sorting.skipped.extend(Skipped(by_file[f].name, "missing in the manifest of this folder") for f in sorted(left))
    system = os or (tell_system(captures, manifest.name) if said is None else said)
    if isinstance(system, Problem):
        sorting.problems.append(system)
    elif not isinstance(system, str) or system not in systems():
        why = f"the operating system {said!r} is not read" if said is not None else "no known capture"
        sorting.problems.append(Problem(manifest.name, None, f"{why}; expected {describe_expected()}"))
    else:
        device = name if isinstance(name, str) and name else _name_folder(manifest.folder)
        sorting.units.append(DeviceUnit(device, manifest.folder, system, tuple(captures)))
