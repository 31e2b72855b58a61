"""Archives to texts: members to read, and reports on the others."""

import io
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import field
from pathlib import PurePosixPath

from auditor.inputs import layouts
from auditor.inputs.archive import (
    ARCHIVES,
    DAMAGE,
    MAX_PATH_CHARS,
    ArchiveMember,
    describe_excess,
    iterate_members,
    limit_bytes,
    read_bytes,
)
from auditor.inputs.filenames import (
    MAX_DEPTH,
    escape_name,
    explain_no_dump,
    explain_odd_name,
    format_reason,
    is_repeat,
    is_secret,
)
from auditor.inputs.layouts import BundleFile, Layout
from auditor.inputs.rawtext import (
    MAX_DUMP_BYTES,
    MAX_PEEK_BYTES,
    MAX_PEEKED,
    Item,
    MemoryCount,
    Problem,
    Raw,
    Skipped,
    parse_text,
    peek_text,
)
from auditor.util.values import dataclass

MAX_TEXTS = 50_000  # of one archive: 40 captures of each of 1,000 hosts; a folder may hold more
MAX_MEMORY_BYTES = 2**29  # of the texts of one archive: the run holds all of them at once


def read_archive(file: io.BufferedReader, name: str) -> Iterator[Item]:
    """Yield the content of the archive *file*, called *name*; never writes and never raises."""
    opened = OpenArchive(name, layouts.find_roots(_list_paths(file)))
    left = most = limit_bytes(file)
    memory, texts = MemoryCount(MAX_MEMORY_BYTES), 0
    try:
        with closing(iterate_members(file)) as found:
            for member in found:
                item, taken = opened.read(member, left)
                left -= taken
                if left < 0:
                    raise ValueError(describe_excess(most))
                if isinstance(item, Raw):
                    memory.add(item)
                    texts += 1
                    if why := _explain_excess(texts, memory):
                        why += f": {item.name} and all members behind it are unread; unpack the archive into a folder"
                        yield Problem(name, None, why)
                        break
                if item:
                    yield item
    except DAMAGE as error:
        yield Problem(name, None, f"{format_reason(error)}: the rest is unread; expected a sound tar or zip archive")
    yield from opened.report_bundles()


def _explain_excess(texts: int, memory: MemoryCount) -> str:
    """Return which bound the texts of an archive exceed, empty for none."""
    if texts > MAX_TEXTS:
        return f"more than {MAX_TEXTS} files"
    return f"texts take more than {MAX_MEMORY_BYTES >> 20} MB of memory" if memory.is_exceeded() else ""


def _list_paths(file: io.BufferedReader) -> Iterator[str]:
    """Yield the paths of an archive; a damaged archive is reported when its members are read."""
    with suppress(*DAMAGE), closing(iterate_members(file)) as found:
        yield from (member.path for member in found if len(member.path) <= MAX_PATH_CHARS)


@dataclass(slots=True)
class OpenArchive:
    """The state of reading an archive: its bundles, and the names so far."""

    name: str
    roots: Mapping[str, Layout]
    seen: set[str] = field(default_factory=set)
    counts: dict[str, "BundleCount"] = field(default_factory=dict)
    peeked: int = 0

    def read(self, member: ArchiveMember, left: int) -> tuple[Item | None, int]:
        """Return the item of *member* and its unpacked size, at most one byte more than *left*."""
        name = f"{self.name}/{escape_name(member.path)}"
        if len(member.path) > MAX_PATH_CHARS:
            short = f"{self.name}/{escape_name(member.path[:80])}…"
            return Problem(short, None, f"path of {len(member.path)} characters, expected at most {MAX_PATH_CHARS}"), 0
        if member.leaves:
            return Problem(name, None, "path leaves the archive; expected a path within the archive"), 0
        root = layouts.find_root(member.path, self.roots)
        if root is None:
            return self._read_outside(member, name, left)
        bundle = f"{self.name}/{escape_name(root)}" if root else self.name
        count = self.counts.setdefault(root, BundleCount(bundle, self.roots[root]))
        bundle_file = count.place_file(layouts.strip_root(member.path, root)) if not member.is_folder else None
        if not isinstance(bundle_file, BundleFile):
            return bundle_file, 0
        refused = self._refuse(member, name)
        return (refused, 0) if refused else self.unpack(member, name, left, bundle_file)

    def _read_outside(self, member: ArchiveMember, name: str, left: int) -> tuple[Item | None, int]:
        """Return the item and the size of a member outside of bundles."""
        refused = self._find_obstacle(member, name)
        if isinstance(refused, Skipped) and refused.name == name and self._is_peeked(member):
            return self.peek(member, name, left, refused.why)
        if refused:
            is_known = isinstance(refused, Skipped) and is_repeat(f"{refused.name} {refused.why}", self.seen)
            return None if is_known else refused, 0
        return (None, 0) if member.is_folder else self.unpack(member, name, left)

    def _is_peeked(self, member: ArchiveMember) -> bool:
        """Return whether to look into a member that is skipped by its name."""
        self.peeked += 1
        return self.peeked <= MAX_PEEKED and not (member.is_folder or member.flaw or is_secret(member.path))

    def peek(self, member: ArchiveMember, name: str, left: int, why: str) -> tuple[Item | None, int]:
        """Return the beginning of a *member* that is skipped for the reason *why*, and its unpacked size."""
        try:
            with member.open() as stream:
                data = stream.read(min(MAX_PEEK_BYTES, left))
        except DAMAGE:
            return Skipped(name, why), 0
        return peek_text(data, name, why), len(data)

    def unpack(
        self, member: ArchiveMember, name: str, left: int, bundle_file: BundleFile | None = None
    ) -> tuple[Item | None, int]:
        """Return the item of *member* and its unpacked size."""
        taken = 0
        try:
            with member.open() as stream:
                try:
                    data = read_bytes(stream, min(MAX_DUMP_BYTES, left))
                finally:
                    taken = stream.tell()
        except DAMAGE as error:
            return Problem(name, None, f"{format_reason(error)}, expected a sound member"), taken
        return parse_text(data, name, given=False, bundle_file=bundle_file), taken

    def report_bundles(self) -> Iterator[Item]:
        """Yield the summary of each bundle."""
        for count in self.counts.values():
            yield from count.report_rest()

    def _find_obstacle(self, member: ArchiveMember, name: str) -> Skipped | Problem | None:
        """Return the reason not to unpack a member; name a skipped folder once for all its members."""
        parts = PurePosixPath(member.path).parts
        for depth, part in enumerate(parts, start=1):
            if depth > MAX_DEPTH:
                return Problem(name, None, f"expected at most {MAX_DEPTH} folders within each other")
            if why := explain_odd_name(part):
                return Skipped(f"{self.name}/{escape_name('/'.join(parts[:depth]))}", why)
        if member.is_folder or member.flaw:
            return self._refuse(member, name) if member.flaw else None
        if ARCHIVES.search(member.path):
            return Problem(name, None, "nested archive; unpack it or give it by itself")
        if why := explain_no_dump(member.path):
            return Skipped(name, why)
        return self._refuse(member, name)

    def _refuse(self, member: ArchiveMember, name: str) -> Problem | None:
        if member.flaw:
            return Problem(name, None, f"{member.flaw}, expected a plain file")
        return (
            Problem(name, None, "second member of this name; expected unique names")
            if is_repeat(name, self.seen)
            else None
        )


@dataclass(slots=True)
class BundleCount:
    """The numbers of read and unread files of a bundle, called *name*."""

    name: str
    layout: Layout
    read: int = 0
    left: int = 0

    def place_file(self, path: str) -> BundleFile | Problem | None:
        """Return the known place of the file *path*, or the problem of an unsupported file."""
        found = layouts.find_bundle_file(self.name, self.layout, path) if path.count("/") < MAX_DEPTH else None
        if found:
            self.read += 1
            return found
        self.left += 1
        what = layouts.find_unsupported(self.layout, path)
        why = f"{what}, an unsupported file; expected the configuration of the whole device"
        return Problem(f"{self.name}/{escape_name(path)}", None, why) if what else None

    def report_rest(self) -> Iterator[Skipped | Problem]:
        """Yield a summary of the unopened files."""
        if not self.read:
            yield Problem(self.name, None, f"{self.layout.name} without a known file; expected the complete bundle")
        elif self.left:
            yield Skipped(self.name, f"{self.left} files of this {self.layout.name} that hold nothing to audit")
