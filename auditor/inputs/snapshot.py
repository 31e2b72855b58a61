"""Paths to devices: the identity of each file, and the files of each device."""

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from auditor.inputs.bundle import Bundle, OpenUrl, open_paths
from auditor.inputs.cable_plans import CablePlan, close_plans
from auditor.inputs.dates import CaptureDate, list_dates
from auditor.inputs.detection import (
    FileIdentity,
    Identify,
    IdentifySystem,
    describe_expected,
    identify_files,
    identify_system,
)
from auditor.inputs.device_lists import list_missing
from auditor.inputs.file_lines import find_capture, join_lines, sort_captures
from auditor.inputs.filenames import escape_name, strip_suffix
from auditor.inputs.grouping import Item, group_by_system, list_all_names
from auditor.inputs.manifest import (
    Manifest,
    find_contradiction,
    is_manifest,
    is_pull,
    is_settings,
    list_unpulled,
    parse_manifest,
)
from auditor.inputs.rawtext import IN_SKIPPED, STDIN, Problem, Raw, Skipped
from auditor.inputs.sessions import cut_captures, find_typing_host, split_captures
from auditor.model.dump import Capture
from auditor.model.fabric import End
from auditor.systems import systems
from auditor.util.redact_lines import RedactedLines
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class DeviceUnit:
    """All dumps of one device: the unit of work. `name` replaces an unknown hostname."""

    name: str
    source: str
    os: str
    captures: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of the given paths: devices, skipped files, unreadable dumps, and the proven days of files.

    `cables` are those that files of other tools name.
    """

    units: Sequence[DeviceUnit]
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()
    dates: Mapping[str, CaptureDate] = field(default_factory=dict, compare=False)
    cables: tuple[tuple[End, End], ...] = ()

    def list_problems(self, path: str) -> list[Problem]:
        """Return why the given *path* as a whole is unreadable, empty where a part of it is read."""
        return [each for each in self.problems if each.name == escape_name(path) and each.line is None]

    def index_lines(self) -> Callable[[str, int], str | None]:
        """Return a function that gives a line of a dump by file and number, None for another line.

        Secrets are redacted with the whole capture in view: a line of a Kubernetes Secret alone reveals nothing.
        """
        find_capture = self.index_captures()
        shown: dict[tuple[str, int], RedactedLines] = {}

        def find_line(file: str, line: int) -> str | None:
            capture = find_capture(file, line)
            if capture is None:
                return None
            place = file, capture.first_line
            if place not in shown:
                shown[place] = RedactedLines(capture.lines)
            index = line - capture.first_line
            return shown[place][index] if index < len(capture.lines) else None

        return find_line

    def index_captures(self) -> Callable[[str, int], Capture | None]:
        """Return a function that gives the capture with a line of a dump, None for a file that is not here."""
        by_file = sort_captures(capture for unit in self.units for capture in unit.captures)
        return lambda file, line: find_capture(by_file.get(file, ()), line)

    def index_files(self) -> Callable[[str], Sequence[str | None]]:
        """Return a function that gives the lines of a file as its captures have them, None where none has one."""
        by_file = sort_captures(capture for unit in self.units for capture in unit.captures)
        return lambda file: join_lines(by_file.get(file, ()))


@dataclass(slots=True)
class _Sorting:
    """The state while files are sorted into units."""

    items: dict[str, list[Item]] = field(default_factory=dict)
    bundles: dict[str, list[Raw]] = field(default_factory=dict)
    units: list[DeviceUnit] = field(default_factory=list)
    plans: list[tuple[Raw, CablePlan]] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find(  # noqa: PLR0913, PLR0917  each parameter is independent
    paths: Sequence[str],
    os: str | None = None,
    stdin: BinaryIO | None = None,
    used: Collection[str] = (),
    tell: Identify = identify_files,
    tell_system: IdentifySystem = lambda captures, _: identify_system(captures),
    open_url: OpenUrl | None = None,
) -> Snapshot:
    """Open *paths*, of which *open_url* opens a URL, and sort what is in them into devices as `sort` does."""
    return sort(open_paths(paths, stdin, open_url), os, used, tell, tell_system)


def sort(
    bundle: Bundle,
    os: str | None = None,
    used: Collection[str] = (),
    tell: Identify = identify_files,
    tell_system: IdentifySystem = lambda captures, _: identify_system(captures),
) -> Snapshot:
    """Return the devices of *bundle*; *os* overrides what content and name tell.

    *used* are the settings files that the caller reads by itself; others are named as skipped. *tell* says what files
    are, and may know it from before.
    """
    sorting = _Sorting(skipped=list(bundle.skipped), problems=list(bundle.problems))
    raws = list({raw.name: raw for raw in bundle.raws if raw.name not in used}.values())
    ours = {raw.name: raw for raw in raws if is_manifest(raw)}
    pulls = [name for name, raw in ours.items() if is_pull(raw)]
    sorting.skipped.extend(skipped for name in pulls for skipped in list_unpulled(ours[name]))
    manifests = [parse_manifest(raw) for name, raw in ours.items() if name not in pulls]
    sorting.problems.extend(found for found in manifests if isinstance(found, Problem))
    valid = {found.folder: found for found in manifests if isinstance(found, Manifest)}
    raws = [_shun_unlisted(raw, valid) for raw in raws if raw.name not in ours]
    listed: dict[str, list[Raw]] = {}
    single: list[Raw] = []
    for raw in raws:
        if raw.bundle_file:
            sorting.bundles.setdefault(raw.bundle_file.root, []).append(raw)
        else:
            (listed.setdefault(raw.folder, []) if _is_listed(raw, valid) else single).append(raw)
    for raw, found in zip(single, tell(single, os), strict=True):
        _sort_file(sorting, raw, found)
    for folder, manifest in valid.items():
        _sort_by_manifest(sorting, manifest, listed.get(folder, ()), os, tell_system)
    for folder, items in sorting.items.items():
        sorting.units.extend(_make_units(folder, items))
    sorting.units.extend(_make_bundle_unit(root, own) for root, own in sorting.bundles.items())
    if sorting.plans:
        _close_plans(sorting)
    names = {raw.name for raw in raws}
    sorting.skipped.extend(missing for raw in raws for missing in list_missing(raw, names))
    sorting.problems.extend(_list_idle_paths(bundle, sorting) if sorting.units else ())
    dates = list_dates(raws, {folder: manifest.dates for folder, manifest in valid.items()})
    cables = tuple(dict.fromkeys(cable for _, plan in sorting.plans for cable in plan.cables))
    return Snapshot(tuple(sorting.units), tuple(sorting.skipped), tuple(sorting.problems), dates, cables)


def _list_idle_paths(bundle: Bundle, sorting: _Sorting) -> Iterator[Problem]:
    """Yield a problem for each given path that neither holds a dump nor has a problem of its own."""
    heard = {capture.file for unit in sorting.units for capture in unit.captures}
    heard |= {raw.name for raw, _ in sorting.plans} | {problem.name for problem in sorting.problems}
    for path, names in bundle.names.items():
        if heard.isdisjoint(names) and escape_name(path) not in heard:
            yield Problem(escape_name(path), None, "holds no dump; expected configurations of switches or hosts")


def _shun_unlisted(raw: Raw, manifests: Mapping[str, Manifest]) -> Raw:
    """Return *raw*, to be skipped where the manifest of its folder lists others alone."""
    if raw.folder not in manifests or raw.given or raw.bundle_file or raw.shunned or _is_listed(raw, manifests):
        return raw
    return replace(raw, shunned="missing in the manifest of this folder")


def _is_listed(raw: Raw, manifests: Mapping[str, Manifest]) -> bool:
    """Return whether a manifest beside *raw* says what it is."""
    found = manifests.get(raw.folder)
    is_plain = not (raw.given or raw.bundle_file or raw.shunned)
    return found is not None and is_plain and PurePath(raw.name).name in {file for _, file in found.captures}


def _sort_file(sorting: _Sorting, raw: Raw, found: FileIdentity | Problem) -> None:
    if isinstance(found, Problem):
        sorting.problems.append(found)
        return
    if raw.shunned and not raw.given:
        _sort_shunned(sorting, raw, found)
        return
    if found.plan:
        sorting.plans.append((raw, found.plan))
        return
    if not raw.given and is_settings(raw):
        sorting.skipped.append(Skipped(raw.name, "unused settings; name the file on the command line"))
        return
    if found.rival:
        names = " and as one of ".join(systems()[each].name for each in (found.os, found.rival) if each)
        why = f"reads as a dump of {names}; remove the lines of one, or choose one with --os"
        sorting.problems.append(Problem(raw.name, None, why))
    if found.os is None:
        problem = None if found.is_unread else _find_json_problem(raw)
        why = f"looks like {found.looks}" if found.looks else "unknown content"
        if problem or found.is_unread or raw.given:
            sorting.problems.append(problem or Problem(raw.name, None, f"{why}; expected {describe_expected()}"))
        else:
            sorting.skipped.append(Skipped(raw.name, why))
        return
    is_typed = not found.heads and systems()[found.os].kind == "switch"
    typed_at = find_typing_host(raw.lines) if is_typed else ""
    captures = split_captures(raw, found.heads) if found.cuts is None else cut_captures(raw, found.cuts)
    item = Item(raw, found.os, captures, found.is_whole, typed_at, found.is_saved, found.host)
    if raw.given:
        sorting.units.append(_make_unit(item))
    else:
        sorting.items.setdefault(raw.folder, []).append(item)


def _close_plans(sorting: _Sorting) -> None:
    """Report the files that have cables."""
    captures = [capture for unit in sorting.units for capture in unit.captures]
    names = {name.lower() for capture in captures for name in list_all_names(capture.lines)}
    names |= {unit.name.lower() for unit in sorting.units}
    folders = {posixpath.dirname(capture.file) for capture in captures}
    for found in close_plans(sorting.plans, names, folders):
        if isinstance(found, Problem):
            sorting.problems.append(found)
        else:
            sorting.skipped.append(found)


def _sort_shunned(sorting: _Sorting, raw: Raw, found: FileIdentity) -> None:
    if found.os is None:
        if raw.shunned != IN_SKIPPED:
            sorting.skipped.append(Skipped(raw.name, raw.shunned))
        return
    why = f"skipped ({raw.shunned}), but shows a device of {systems()[found.os].name}; rename, list or remove the file"
    sorting.problems.append(Problem(raw.name, None, why))


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


def _make_units(folder: str, items: Sequence[Item]) -> Iterator[DeviceUnit]:
    """Yield the devices of a folder: one, where it holds single captures and at most one whole dump of their OS."""
    for os, own in group_by_system(items).items():
        wholes = [item for item in own if item.is_whole]
        if len(wholes) == len(own) or len(wholes) > 1:
            yield from map(_make_unit, own)
        else:
            captures = tuple(capture for item in own for capture in item.captures)
            yield DeviceUnit(_name_folder(folder), folder, os, captures)


_ARCHIVE = regex(r"\.(?:zip|t(?:ar\.)?(?:gz|xz|bz2?)|tar)\Z", re.IGNORECASE)


def _name_folder(folder: str) -> str:
    return _ARCHIVE.sub("", Path(folder).resolve().name)


def _make_unit(item: Item) -> DeviceUnit:
    """Return a device of one file, named after the file, or after its folder if the file has the name of a command."""
    stem = strip_suffix(PurePath(item.raw.name).name)
    if item.raw.name == STDIN:
        stem = "stdin"
    elif item.is_whole and stem.startswith("show_"):
        stem = _name_folder(item.raw.folder)
    if systems()[item.os].kind == "switch":
        stem = item.host or stem
    return DeviceUnit(stem, item.raw.name, item.os, item.captures)


def _make_bundle_unit(root: str, raws: Sequence[Raw]) -> DeviceUnit:
    """Return the device of the bundle at *root*."""
    told = [(raw, raw.bundle_file) for raw in raws if raw.bundle_file]
    captures = (bundle_file.captures(raw.name, raw.lines, not raw.ends_with_newline) for raw, bundle_file in told)
    return DeviceUnit(_name_folder(root), root, told[0][1].layout.os, tuple(chain.from_iterable(captures)))


def _sort_by_manifest(
    sorting: _Sorting, manifest: Manifest, raws: Sequence[Raw], os: str | None, tell: IdentifySystem
) -> None:
    """Make one device of a folder whose manifest names it and says which command each file is."""
    by_file = {PurePath(raw.name).name: raw for raw in raws}
    captures: list[Capture] = []
    for command, file in manifest.captures:
        beside = by_file.get(file)
        if beside is None:
            sorting.problems.append(Problem(manifest.file, None, f"lists {file!r}, which is not beside it"))
        else:
            captures.append(Capture(beside.name, beside.lines, command, 1, not beside.ends_with_newline))
    system = os or manifest.os or tell(captures, manifest.file)
    if isinstance(system, Problem):
        sorting.problems.append(system)
        return
    if system is None or system not in systems():
        why = f"the operating system {manifest.os!r} is not read" if manifest.os is not None else "no known capture"
        sorting.problems.append(Problem(manifest.file, None, f"{why}; expected {describe_expected()}"))
        return
    if not os and (contradiction := find_contradiction(system, captures, manifest.file, tell)):
        sorting.problems.append(contradiction)
    device = manifest.device or _name_folder(manifest.folder)
    sorting.units.append(DeviceUnit(device, manifest.folder, system, tuple(captures)))
