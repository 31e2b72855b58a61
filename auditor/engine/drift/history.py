"""The states of a fabric over time: folders and archives in the order given, or the commits of a repository."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field
from datetime import datetime, timedelta
from pathlib import Path

from auditor.engine.cache import compute_digest
from auditor.engine.compare import relabel
from auditor.engine.drift.model import Moment, ReadDevice, State
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.load import distinguish_devices
from auditor.engine.settings import CONFIG
from auditor.inputs.filenames import format_reason
from auditor.inputs.git import NoTree, open_repository
from auditor.inputs.githistory import Commit, list_blobs, list_commits
from auditor.inputs.gittree import Tree, write_files
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.util.filesystem import is_folder
from auditor.util.regex import regex
from auditor.util.values import dataclass

_AGO = regex(r"(\d{1,5})([hdwmy])", re.ASCII)
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730, "y": 8766}
_DATE = regex(r"(?<!\d)(20\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)")
NOT_DUMPS = frozenset({CONFIG, "changes.yaml", "links.yaml"})


@dataclass(slots=True)
class History:
    """A reader of states, which keeps what it read of dumps that did not change."""

    dumps: Dumps
    problems: dict[Problem, None] = field(default_factory=dict)

    def read(self, paths: Sequence[str], since: str) -> Iterator[State]:
        """Yield the states in *paths*, as `expand_paths` gives them; raises CannotAudit."""
        return self.read_commits(paths[0], since) if since else self.read_folders(paths)

    def read_folders(self, paths: Sequence[str]) -> Iterator[State]:
        """Yield the state of each folder or archive."""
        names = [Path(path).name for path in paths]
        labels = names if len({*names, ""}) > len(names) else paths
        for path, label in zip(paths, labels, strict=True):
            snapshot = self.dumps.finder.find([path], {str(Path(path, name)) for name in NOT_DUMPS})
            for problem in snapshot.list_problems(path):
                raise CannotAudit(f"{problem.name}: {problem.message}")
            yield State(Moment(label, find_date(path), ""), self._read(snapshot))

    def read_commits(self, path: str, since: str) -> Iterator[State]:
        """Yield the state of *path* at each commit that changes it; raises CannotAudit."""
        try:
            start = parse_since(since)
            repository = open_repository(Path(path) if is_folder(Path(path)) else Path(path).parent)
            tree = Tree(repository, repository.find_commit("HEAD"))
            inside = tree.locate(path)
            commits = list_commits(repository, [inside], start)
            yield from self._follow(tree, inside, path, commits)
        except NoTree as error:
            raise CannotAudit(f"drift: {error}") from None
        except OSError as error:
            raise CannotAudit(f"drift: cannot write to a temporary folder: {format_reason(error)}") from None

    def _follow(self, tree: Tree, inside: str, path: str, commits: Sequence[Commit]) -> Iterator[State]:
        units: Sequence[DeviceUnit] = ()
        devices: dict[str, ReadDevice] = {}
        before: Mapping[str, str] = {}
        for commit in commits:
            blobs = list_blobs(tree.repository, commit.hash, [inside])
            at = Tree(tree.repository, commit.hash)
            changed = {name for name, blob in blobs.items() if before.get(name) != blob}
            affected = _find_affected(units, changed, before, blobs, inside, path)
            if affected is None:
                units = self._find(at, [inside], inside, path).units
                devices = self._read(Snapshot(units))
            elif affected:
                names = [_name_inside(file, inside, path) for unit in affected for file in _list_files(unit)]
                found = self._find(at, sorted(set(names)), inside, path).units
                read = self._read(Snapshot(found))
                gone = {name for name, device in devices.items() if device.unit in affected}
                if gone == read.keys():
                    units = (*(unit for unit in units if unit not in affected), *found)
                    devices = {**devices, **read}
                else:  # a device has another name now, which may be that of another device
                    units = self._find(at, [inside], inside, path).units
                    devices = self._read(Snapshot(units))
            before = blobs
            message = f"{commit.subject}\n{commit.body}".strip()
            yield State(Moment(commit.short, commit.time, message), dict(devices))

    def _find(self, at: Tree, names: Sequence[str], inside: str, path: str) -> Snapshot:
        """Return the dumps of a commit in the files and folders *names*, under the paths that the user gave."""
        with ExitStack() as stack:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roce-audit-")))
            folder = Path(os.path.realpath(scratch)) / (at.top.name or "root")
            folder.mkdir()
            left = write_files(at, names, folder)
            start = folder if inside == "." else folder / inside
            self.note(Problem(name, None, why) for name, why in left)
            snapshot = self.dumps.finder.find([str(start)], {str(start / name) for name in NOT_DUMPS})
        return relabel(snapshot, [(str(start), str(Path(path)))], places=True)

    def _read(self, snapshot: Snapshot) -> dict[str, ReadDevice]:
        found = self.dumps.read(snapshot)
        self.note((*snapshot.problems, *found.problems))
        self.note(problem for reading in found.reads for problem in reading.problems)
        devices, _ = distinguish_devices(reading.device for reading in found.reads)
        return {
            device.name: ReadDevice(unit, _digest(unit), reading, key)
            for device, unit, reading, key in zip(devices, found.units, found.reads, found.keys, strict=True)
        }

    def note(self, problems: Iterable[Problem]) -> None:
        """Keep *problems*, each once."""
        self.problems.update(dict.fromkeys(problems))


def _digest(unit: DeviceUnit) -> str:
    """Return a digest of what a device's dumps say, wherever they lie."""
    return compute_digest(unit.os, *(line for c in unit.captures for line in (c.command, *c.lines)))


def _list_files(unit: DeviceUnit) -> list[str]:
    return list(dict.fromkeys(capture.file for capture in unit.captures))


def _name_inside(file: str, inside: str, path: str) -> str:
    """Return the name in the repository of a dump under the path that the user gave."""
    rest = os.path.relpath(file, path)
    return inside if rest == "." else rest if inside == "." else f"{inside}/{rest}"


def _find_affected(  # noqa: PLR0913, PLR0917  two states, and how names translate
    units: Sequence[DeviceUnit],
    changed: set[str],
    before: Mapping[str, str],
    after: Mapping[str, str],
    inside: str,
    path: str,
) -> list[DeviceUnit] | None:
    """Return the devices whose files changed; None where files came, went, or belong to no device."""
    if before.keys() != after.keys():
        return None
    owners = {_name_inside(file, inside, path): unit for unit in units for file in _list_files(unit)}
    if not changed <= owners.keys():
        return None
    return list({id(owners[name]): owners[name] for name in changed}.values())


def find_date(path: str) -> str:
    """Return the last day that a path names, in ISO 8601; empty without one.

    >>> find_date("dumps/2026-11-23/leaf1"), find_date("week-20261123"), find_date("new")
    ('2026-11-23', '2026-11-23', '')
    """
    found = _DATE.findall(path)
    return "-".join(found[-1]) if found else ""


def parse_since(text: str) -> str:
    """Return the time that *text* means, as ISO 8601: a day, or an age such as 7d; raises CannotAudit.

    >>> parse_since("2026-11-01")
    '2026-11-01T00:00:00'
    """
    if match := _AGO.fullmatch(text):
        return (datetime.now().astimezone() - timedelta(hours=int(match[1]) * _HOURS[match[2]])).isoformat()
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        raise CannotAudit(f"--since {text}: expected a day such as 2026-11-01, or an age such as 7d or 12w") from None


def list_dated(path: str) -> list[str]:
    """Return the folders and archives inside of *path* whose names hold a day, the oldest first."""
    entries = sorted(Path(path).iterdir(), key=lambda entry: (find_date(entry.name), entry.name))
    return [str(entry) for entry in entries if find_date(entry.name)]


def expand_paths(command: str, paths: Sequence[str], since: str) -> Sequence[str]:
    """Return the paths of states, the oldest first: of one folder, those in it whose names are days.

    With *since*, the one path that git follows. Raises CannotAudit, in the name of *command*.
    """
    if since and len(paths) != 1:
        raise CannotAudit(f"{command}: expected one path with --since")
    if since or len(paths) > 1:
        return paths
    (only,) = paths
    found = list_dated(only) if is_folder(Path(only)) else ()
    if len(found) < 2:  # noqa: PLR2004  an old and a new state
        raise CannotAudit(f"{command}: {only}: expected OLD NEW, folders named by days, or --since for a git history")
    return found
