"""The folder of a device: whole files, a whole pull or nothing, and a manifest of captures and gaps."""

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import BROKEN, CAPTURED, SETTLED, CommandResult
from auditor.inputs.filenames import PULL_FOLDER, PULL_LIST, PULL_NEW, PULL_OLD
from auditor.inputs.manifest import MANIFEST, find_time
from auditor.util.values import dataclass

DEVICE_SCHEMA = "roce-audit/device/1"
PULL_SCHEMA = "roce-audit/pull/1"

_LONGEST_NAME = 180


@dataclass(frozen=True, slots=True)
class StoredCapture:
    """A capture on disk, as the manifest lists it: `time` is that of its content, `seen` that of its last pull."""

    command: str
    file: str
    sha256: str
    status: str
    time: str
    seen: str


def name_file(command: str, taken: Collection[str]) -> str:
    """Return the file name of a capture, different from the *taken* names.

    >>> name_file("cat /etc/os-release", ())
    'cat_etc_os-release.txt'
    """
    stem = re.sub(r"[^A-Za-z0-9.-]+", "_", command).lstrip(".-")
    if len(stem) > _LONGEST_NAME:
        stem = f"{stem[:_LONGEST_NAME]}_{hashlib.sha256(command.encode()).hexdigest()[:8]}"
    name, n = f"{stem}.txt", 1
    while name.casefold() in taken:
        n += 1
        name = f"{stem}_{n}.txt"
    return name


def load_earlier(root: Path, name: str) -> tuple[dict[str, StoredCapture], frozenset[str]]:
    """Return the intact captures of an earlier pull of device *name*, and the commands that need no repetition.

    Raises PullError if the folder exists and no pull made it.
    """
    folder = root / name
    if not folder.exists():
        return {}, frozenset()
    manifest = _load_json(folder / MANIFEST)
    if manifest.get("schema") != DEVICE_SCHEMA:
        raise PullError(ErrorKind.DISK, f"{folder}: not the folder of a pull; move it or choose another output folder")
    captures = {}
    for each in manifest.get("captures", ()):
        texts = {key: str(each.get(key, "")) for key in ("command", "file", "sha256", "status", "time")}
        stored = StoredCapture(**texts, seen=find_time(manifest, each))
        path = folder / Path(stored.file).name
        with suppress(OSError):
            if hashlib.sha256(path.read_bytes()).hexdigest() == stored.sha256:
                captures[stored.command] = stored
    missing = {str(each.get("command")) for each in manifest.get("missing", ()) if each.get("status") in SETTLED}
    return captures, frozenset({*captures, *missing})


@dataclass(frozen=True, slots=True)
class EarlierPull:
    """The result of an earlier complete pull."""

    os: str
    missing: tuple[str, ...]


def load_complete(root: Path, name: str, sound: Collection[str]) -> EarlierPull | None:
    """Return the earlier complete pull of device *name*; None if incomplete or if a capture is not *sound*."""
    manifest = _load_json(root / name / MANIFEST)
    if manifest.get("status") != "complete" or len(manifest.get("captures", ())) != len(sound):
        return None
    return EarlierPull(str(manifest.get("os")), tuple(str(each["command"]) for each in manifest.get("missing", ())))


def store_device(  # noqa: PLR0913  independent options
    root: Path, name: str, os_name: str, answers: Mapping[str, CommandResult], why: str, *, resumed: bool
) -> int:
    """Replace the folder of device *name*; return the number of its captures.

    *why* names the gap of an incomplete pull. A capture of an earlier pull stays if its command failed now. In a
    *resumed* pull a capture also stays if its command did not run. OSError: the folder is unchanged.
    """
    folder = root / name
    old, settled = load_earlier(root, name)
    kept = {
        command: stored
        for command, stored in old.items()
        if (answers[command].status in BROKEN if command in answers else resumed)
    }
    fresh = root / PULL_FOLDER / f"{name}{PULL_NEW}"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        fresh.mkdir(parents=True)
        captures = _write_captures(folder, fresh, old, kept, answers, now)
        missing = [
            {"command": a.command, "status": a.status, "why": a.why, "required": a.required}
            for a in answers.values()
            if a.status not in CAPTURED
        ]
        if resumed:
            missing += [
                m
                for m in _load_json(folder / MANIFEST).get("missing", ())
                if m.get("command") in settled - set(answers)
            ]
        _write_json(
            fresh / MANIFEST,
            {
                "schema": DEVICE_SCHEMA,
                "device": name,
                "os": os_name,
                "status": "partial" if why else "complete",
                "why": why,
                "seen": now,
                "captures": [_describe_capture(each, now) for each in captures],
                "missing": sorted(missing, key=lambda each: str(each["command"])),
            },
        )
        _carry_files(folder, fresh, {stored.file for stored in old.values()})
        _swap_folders(folder, fresh, root / PULL_FOLDER / f"{name}{PULL_OLD}")
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return len(captures)


def _describe_capture(stored: StoredCapture, now: str) -> dict[str, str]:
    """Return the entry of a capture in the manifest; `seen` stands there only where the pull of *now* did not see it.

    So one line of the manifest changes with each pull of an unchanged device.
    """
    return {key: value for key, value in asdict(stored).items() if key != "seen" or value != now}


def _write_captures(  # noqa: PLR0913, PLR0917  each parameter is independent
    folder: Path,
    fresh: Path,
    old: Mapping[str, StoredCapture],
    kept: Mapping[str, StoredCapture],
    answers: Mapping[str, CommandResult],
    now: str,
) -> list[StoredCapture]:
    """Write the captures into *fresh*; return them in a stable order."""
    new = {command: each for command, each in answers.items() if each.status in CAPTURED and command not in kept}
    taken: set[str] = {MANIFEST}
    found = []
    for command in sorted({*kept, *new}):
        name = name_file(command, taken)
        taken.add(name.casefold())
        if command in kept:
            shutil.copy2(folder / kept[command].file, fresh / name)
            stored = replace(kept[command], file=name)
        else:
            data = new[command].text.encode("utf-8", "replace")
            (fresh / name).write_bytes(data)
            digest = hashlib.sha256(data).hexdigest()
            same = command in old and old[command].sha256 == digest
            stored = StoredCapture(command, name, digest, new[command].status, old[command].time if same else now, now)
        found.append(stored)
    return found


def _carry_files(folder: Path, fresh: Path, listed: Collection[str]) -> None:
    """Copy files that people have put beside the captures."""
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.name not in listed and path.name != MANIFEST and not (fresh / path.name).exists():
            if path.is_dir() and not path.is_symlink():
                shutil.copytree(path, fresh / path.name, symlinks=True)
            else:
                shutil.copy2(path, fresh / path.name, follow_symlinks=False)


def _swap_folders(folder: Path, fresh: Path, old: Path) -> None:
    """Put *fresh* in the place of *folder*; `open_store` repairs a crash between the steps, by way of *old*."""
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def open_store(root: Path, names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Hold *root* for a pull of the devices *names*, after the repair of what a killed pull left.

    Yield the other devices that a killed pull did not reach. While the pull runs, and if it is killed, an audit of
    *root* finds the names of its devices. Raises BlockingIOError if another pull holds *root*, and OSError.
    """
    state = root / PULL_FOLDER
    root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(root, os.O_RDONLY)
    try:
        _lock(descriptor, root)
        lost = sorted({*_repair(root)} - {*names})
        state.mkdir(exist_ok=True)
        fresh = state / f".{PULL_LIST}"
        fresh.write_text("".join(f"{name}\n" for name in (*names, *lost)), encoding="utf-8")
        fresh.replace(state / PULL_LIST)
        yield tuple(lost)
        shutil.rmtree(state, ignore_errors=True)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, root: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BlockingIOError(error.errno, "another pull writes into this folder", str(root)) from None
    except OSError:  # a file system without locks
        pass


def _repair(root: Path) -> list[str]:
    """Put back folders that a killed pull had moved away; remove its unfinished ones. Return its missing devices."""
    state = root / PULL_FOLDER
    if not state.is_dir() or state.is_symlink():
        return []
    for old in state.glob(f"*{PULL_OLD}"):
        folder = root / old.name.removesuffix(PULL_OLD)
        if not folder.exists():
            old.rename(folder)
    for path in state.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
    try:
        planned = (state / PULL_LIST).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        planned = []
    return [name for name in planned if name and not (root / name / MANIFEST).exists()]


def write_summary(root: Path, devices: Iterable[Mapping[str, Any]]) -> None:
    """Write the manifest of the pull; entries of an earlier pull stay for other devices."""
    root.mkdir(parents=True, exist_ok=True)
    before = _load_json(root / MANIFEST)
    known = {str(each.get("device")): each for each in before.get("devices", ()) if before.get("schema") == PULL_SCHEMA}
    known |= {str(each["device"]): dict(each) for each in devices}
    fresh = root / PULL_FOLDER / MANIFEST
    fresh.parent.mkdir(exist_ok=True)
    try:
        _write_json(fresh, {"schema": PULL_SCHEMA, "devices": [known[name] for name in sorted(known)]})
        fresh.replace(root / MANIFEST)
    finally:
        fresh.unlink(missing_ok=True)


def _write_json(path: Path, data: object) -> None:
    """Write a manifest, the last file of its folder, and sync it to disk."""
    with path.open("wb") as file:
        file.write((json.dumps(data, indent=2, ensure_ascii=True) + "\n").encode())
        file.flush()
        os.fsync(file.fileno())


def _load_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
