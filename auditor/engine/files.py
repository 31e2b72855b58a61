"""Paths to dumps: files are opened, identified, each once, and sorted into devices."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO

from auditor.engine.attempts import report_lost
from auditor.engine.child import NoAnswer
from auditor.engine.errors import CannotAudit
from auditor.engine.keys import list_capture_parts
from auditor.engine.options import Options
from auditor.engine.settings import CONFIG
from auditor.engine.steps import load_signs
from auditor.engine.workers import Work, pause_collection
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.collect.urls import RemoteFile
    from auditor.inputs.bundle import Bundle
    from auditor.inputs.detection import FileIdentity
    from auditor.inputs.rawtext import Item, Problem, Raw
    from auditor.inputs.snapshot import Snapshot
    from auditor.intent import Expectation
    from auditor.model.dump import Capture

FILE_SCALE = 4
"""Bounds for reading a file at a URL, by those of a step on a device: a dump may have 64 MB."""


@dataclass(frozen=True, slots=True)
class OpenFiles:
    """The files of some paths before they are sorted into devices.

    All of them are of the system *os*, where it is given; `used` are settings files that the caller reads.
    """

    bundle: "Bundle"
    os: str | None
    used: frozenset[str]


class FileFinder:
    """Finds dumps: *work* reads and identifies files, under the keys of *make_key*."""

    def __init__(self, options: Options, work: Work, make_key: Callable[..., str]) -> None:
        self._options = options
        self._work = work
        self._make_key = make_key
        self._digests: dict[int, tuple[Sequence[str], str]] = {}

    def find_all(self, paths: Sequence[str], expected: "Expectation | None" = None) -> "Snapshot":
        """Return the dumps in the user's *paths*; raises CannotAudit for an unknown operating system.

        The inventory that is *expected* is read apart.
        """
        return self.sort(self.open_all(paths, expected))

    def open_all(self, paths: Sequence[str], expected: "Expectation | None") -> OpenFiles:
        """Return the files in the user's *paths*, which `sort` makes devices of; raises CannotAudit."""
        from auditor.engine.inventory import name_inventory

        options = self._options
        config = options.config or Path(paths[0]) / CONFIG
        used = {str(Path(path)) for path in (config, options.links) if path}
        if expected and expected.inventory:
            used.add(str(Path(name_inventory(expected))))
        if options.rules and Path(options.rules).is_dir():
            used |= {str(path) for path in Path(options.rules).iterdir()}
        return self._open(paths, used, options.stdin)

    def find(self, paths: Sequence[str], used: Collection[str]) -> "Snapshot":
        """Return the dumps in *paths*; *used* holds the settings files that the caller reads."""
        return self.sort(self._open(paths, used))

    def _open(self, paths: Sequence[str], used: Collection[str], stdin: BinaryIO | None = None) -> OpenFiles:
        from auditor.inputs.bundle import open_paths

        os = self._find_os()
        with pause_collection():
            return OpenFiles(open_paths(paths, stdin, self._open_url), os, frozenset(used))

    def sort(self, opened: OpenFiles) -> "Snapshot":
        """Return the devices of *opened* files."""
        from auditor.inputs.snapshot import sort

        with pause_collection():
            found = sort(opened.bundle, opened.os, opened.used, self._identify, self._identify_system)
        self._digests = {}
        return found

    def _open_url(self, url: str) -> "Iterator[Item]":
        from auditor.collect.urls import UrlError, open_url

        try:
            yield from open_url(url, self._read_remote)
        except UrlError as error:
            raise CannotAudit(str(error)) from None

    def _read_remote(self, files: "Sequence[RemoteFile]") -> "Sequence[Item]":
        from auditor.collect.urls import RemoteText, read_remote

        step = "reading files"
        keys = [self._make_key(step, repr(file)) for file in files]
        found = self._work.run(read_remote, files, keys, RemoteText, step, kept=False, is_shared=True, scale=FILE_SCALE)
        return [
            report_lost(each, "reading the file", file.name) if isinstance(each, NoAnswer) else each.item
            for file, each in zip(files, found, strict=True)
        ]

    def _find_os(self) -> str | None:
        """Return the identifier of the system that every input is read as, None where each is detected."""
        if self._options.os is None:
            return None
        from auditor.systems import find_system, list_names

        system = find_system(self._options.os)
        if system is None:
            message = f"--os {self._options.os}: no operating system has this name (`roce-audit os` lists all)"
            raise CannotAudit(add_suggestion(message, self._options.os, list_names()))
        return system.os

    def _identify(self, raws: "Sequence[Raw]", said: str | None) -> "Sequence[FileIdentity | Problem]":
        from auditor.inputs.detection import FileIdentity, identify_file

        told = [(PurePath(raw.name).name, said or "", str(raw.ends_with_newline), raw.shunned) for raw in raws]
        keys = [self._make_key("told", *beside, self.digest(raw)) for beside, raw in zip(told, raws, strict=True)]
        found = self._work.run(
            partial(identify_file, os=said),
            raws,
            keys,
            FileIdentity,
            "identifying files",
            is_shared=True,
            prepare=load_signs,
        )
        return [
            report_lost(each, "identifying the file", raw.name) if isinstance(each, NoAnswer) else each
            for raw, each in zip(raws, found, strict=True)
        ]

    def _identify_system(self, captures: "Sequence[Capture]", name: str) -> "str | Problem | None":
        """Return the system of the *captures* beside the manifest *name*."""
        from auditor.inputs.detection import FileIdentity, identify_captures

        key = self._make_key("told together", *list_capture_parts(captures))
        (found,) = self._work.run(
            identify_captures, [captures], [key], FileIdentity, "identifying files", prepare=load_signs
        )
        return report_lost(found, "identifying the device", name) if isinstance(found, NoAnswer) else found.os

    def digest(self, raw: "Raw") -> str:
        """Return the digest of the lines of *raw*, computed once until they are sorted."""
        known = self._digests.get(id(raw.lines))
        if known is None:
            from auditor.engine.cache import compute_digest

            known = self._digests[id(raw.lines)] = raw.lines, compute_digest(raw.lines)
        return known[1]
