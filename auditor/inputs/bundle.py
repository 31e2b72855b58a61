"""Archives and folders of captures, opened safely.

Nothing is written to disk, nothing blocks and nothing raises: each input ends as lines of text, as skipped by name, or
as a problem that says what was expected.
"""

import errno
import io
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from pathlib import Path
from time import process_time
from typing import BinaryIO

from auditor.inputs import layouts
from auditor.inputs.archive import ARCHIVES, ERRORS, MAX_MEMBERS, is_packed, name_file_kind, read_bytes
from auditor.inputs.filenames import (
    CACHE_FOLDER,
    MAX_DEPTH,
    PULL_FOLDER,
    PULL_LIST,
    PULL_NEW,
    PULL_OLD,
    URL,
    escape_name,
    explain_no_dump,
    explain_odd_name,
    format_reason,
    is_repeat,
    is_repository,
    is_secret,
)
from auditor.inputs.layouts import BundleFile, Layout
from auditor.inputs.manifest import MANIFEST
from auditor.inputs.rawtext import (
    IN_SKIPPED,
    MAX_DUMP_BYTES,
    MAX_PEEK_BYTES,
    MAX_PEEKED,
    STDIN,
    Item,
    MemoryCount,
    Problem,
    Raw,
    Skipped,
    parse_text,
    peek_text,
)
from auditor.inputs.unpack import BundleCount, read_archive
from auditor.util.values import dataclass

MAX_FILES = 500_000
"""Files of one run, archives' members included: 40 captures of each of 10,000 hosts are 400,000."""
MAX_MEMORY_BYTES = 2**32
"""Memory for the texts of one run; those of 100,000 NICs and their switches take less than half as much."""
MAX_SECONDS = 120
"""Processor time for reading and unpacking the files of one run."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of the given paths, in the order of paths and names; `names` are those of each path's files."""

    raws: tuple[Raw, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()
    names: Mapping[str, Collection[str]] = field(default_factory=dict, compare=False)


OpenUrl = Callable[[str], Iterator[Item]]
"""Takes the URL of a file, a folder or an archive, and returns its content."""


def open_paths(paths: Sequence[str], stdin: BinaryIO | None = None, open_url: OpenUrl | None = None) -> Bundle:
    """Return the content of files, folders, archives, URLs, and *stdin* for the path `-`; never raises by itself."""
    items: list[Item] = []
    names: dict[str, set[str]] = {path: set() for path in paths}
    memory, end = MemoryCount(MAX_MEMORY_BYTES), process_time() + MAX_SECONDS
    for path, item in ((given, item) for given in paths for item in _open_path(given, stdin, open_url)):
        names[path].add(item.name)
        memory.add(item)
        if excess := _explain_excess(len(items), memory, end):
            items.append(
                Problem(item.name, None, f"{excess}: this file and all behind it are unread; give fewer dumps")
            )
            break
        items.append(item)
    return Bundle(
        tuple(item for item in items if isinstance(item, Raw)),
        tuple(item for item in items if isinstance(item, Skipped)),
        tuple(item for item in items if isinstance(item, Problem)),
        names,
    )


def _explain_excess(count: int, memory: MemoryCount, end: float) -> str:
    """Return which bound of a run its inputs exceed, empty for none."""
    if count >= MAX_FILES:
        return f"more than {MAX_FILES} files in one run"
    if memory.is_exceeded():
        return f"dumps of one run take more than {MAX_MEMORY_BYTES >> 20} MB of memory"
    return f"reading the files takes more than {MAX_SECONDS} s of processor time" if process_time() > end else ""


def _open_path(given: str, stdin: BinaryIO | None, open_url: OpenUrl | None) -> Iterator[Item]:
    if open_url is not None and URL.match(given):
        yield from open_url(given)
        return
    path = Path(given)
    try:
        if not given:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if given == "-":
            yield parse_text(read_bytes(stdin or io.BytesIO(), MAX_DUMP_BYTES), STDIN, given=True)
        elif path.is_dir():
            yield from _open_folder(path, (path.resolve(strict=True),), set())
        else:
            yield from _open_file(path, given=True)
    except ERRORS as error:
        problem = f"{format_reason(error)}, expected a file, a folder or an archive"
        yield Problem(STDIN if given == "-" else escape_name(given), None, problem)


def _open_folder(folder: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    """Yield the content of *folder*; *chain* has its real parents, *linked* the folders entered by symlink."""
    if len(chain) > MAX_DEPTH:
        yield Problem(escape_name(folder), None, f"expected at most {MAX_DEPTH} folders within each other")
        return
    if layout := layouts.layout_of(lambda entry: (folder / entry).exists()):
        yield from _open_bundle(folder, layout)
        return
    for child in sorted(folder.iterdir()):
        if child.name == CACHE_FOLDER:
            continue  # the cache is not an input, and must not change a report
        try:
            if child.name == PULL_FOLDER and child.is_dir() and not child.is_symlink():
                yield from _list_unfinished(child)
            elif why := explain_odd_name(child.name):
                yield from _peek(child, why)
            else:
                yield from _open_child(child, chain, linked)
        except FileNotFoundError:
            yield Problem(escape_name(child), None, "dangling symlink; expected a file or a folder")
        except ERRORS as error:
            yield Problem(escape_name(child), None, f"{format_reason(error)}, expected a readable file or folder")


def _list_unfinished(state: Path) -> Iterator[Item]:
    """Yield the devices that a killed pull, whose folder is *state*, left without a folder; and its remnants."""
    remnants = list(state.iterdir())
    names = {name for path in remnants for name in _name_unfinished(path)}
    again = "run the pull again with --resume"
    for name in sorted(names):
        if not (state.parent / name / MANIFEST).is_file():
            yield Problem(escape_name(state.parent / name), None, f"not pulled, the pull was cut off; {again}")
    yield Skipped(escape_name(state), f"remnants of a pull that was cut off; {again}")
    for path in remnants:
        if not any(_name_unfinished(path)):
            yield from _peek(path, "hidden")


def _name_unfinished(path: Path) -> Iterator[str]:
    """Yield the devices that *path*, in the folder of a pull, is about."""
    if path.name == PULL_LIST and stat.S_ISREG(path.lstat().st_mode):
        with _open_unblocked(path, os.O_NOFOLLOW) as file:
            names = file.read(MAX_PEEK_BYTES).decode("utf-8", "replace").splitlines()
        yield from (name for name in names if name and "/" not in name and name not in {".", ".."})
    for ending in (PULL_OLD, PULL_NEW):
        if path.name.endswith(ending) and path.name != ending:
            yield path.name.removesuffix(ending)


def _peek(child: Path, why: str) -> Iterator[Item]:
    """Yield *child*, skipped for the reason *why*, and what in it may show a device all the same."""
    mode = child.lstat().st_mode
    if stat.S_ISREG(mode):
        yield _peek_file(child, why)
        return
    yield Skipped(escape_name(child), why)
    if stat.S_ISDIR(mode) and not is_repository(child):
        for path in islice(_list_files(child, []), MAX_PEEKED):
            try:
                found = _peek_file(path, IN_SKIPPED)
            except ERRORS:
                continue
            if isinstance(found, Raw):
                yield found


def _peek_file(path: Path, why: str) -> Item:
    name = escape_name(path)
    if is_secret(path.name) or not stat.S_ISREG(path.lstat().st_mode):
        return Skipped(name, why)
    with _open_unblocked(path, os.O_NOFOLLOW) as file:
        return peek_text(file.read(MAX_PEEK_BYTES), name, why)


def _open_child(child: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    is_link = child.is_symlink()
    real = child.resolve(strict=True) if is_link else chain[-1] / child.name
    if not real.is_relative_to(chain[0]):
        yield Problem(
            escape_name(child), None, f"symlink to {escape_name(real)}, expected a target inside the given folder"
        )
    elif not real.is_dir():
        yield from _open_file(child, given=False)
    elif real in chain:
        yield Problem(escape_name(child), None, "symlink loop; expected a file or a folder")
    elif is_link and is_repeat(str(real), linked):
        yield Skipped(escape_name(child), f"symlink to {escape_name(real)}, read through another symlink")
    else:
        yield from _open_folder(child, (*chain, real), linked)


def _open_bundle(folder: Path, layout: Layout) -> Iterator[Item]:
    """Yield the content of an unpacked bundle; open only files of the layout, and follow no link."""
    count = BundleCount(escape_name(folder), layout)
    unreadable: list[OSError] = []
    for seen, path in enumerate(_list_files(folder, unreadable)):
        if seen >= MAX_MEMBERS:
            yield Problem(
                escape_name(folder), None, f"more than {MAX_MEMBERS} files, the rest is unread; give fewer files"
            )
            return
        bundle_file = count.place_file(path.relative_to(folder).as_posix())
        if isinstance(bundle_file, Problem):
            yield bundle_file
        elif bundle_file:
            yield from _open_bundle_file(path, bundle_file)
    for error in unreadable:
        yield Problem(escape_name(error.filename), None, f"{format_reason(error)}, expected a readable folder")
    yield from count.report_rest()


def _list_files(folder: Path, unreadable: list[OSError]) -> Iterator[Path]:
    """Yield all files below *folder* in the order of names; add unreadable folders to *unreadable*."""
    for parent, folders, files in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(files))


def _open_bundle_file(path: Path, bundle_file: BundleFile) -> Iterator[Item]:
    name = escape_name(path)
    try:
        if stat.S_ISREG(mode := path.lstat().st_mode):
            with _open_unblocked(path, os.O_NOFOLLOW) as file:
                yield parse_text(read_bytes(file, MAX_DUMP_BYTES), name, given=False, bundle_file=bundle_file)
        else:
            yield Problem(name, None, f"{name_file_kind(mode)}, expected a plain file")
    except ERRORS as error:
        yield Problem(name, None, f"{format_reason(error)}, expected a readable file")


def _open_file(path: Path, *, given: bool) -> Iterator[Item]:
    """Yield the content of one file; check its kind first, because a FIFO or a device may block."""
    name = escape_name(path)
    if not stat.S_ISREG(mode := path.stat().st_mode):
        yield Problem(name, None, f"{name_file_kind(mode)}, expected a file, a folder or an archive")
        return
    is_archive = ARCHIVES.search(path.name)
    if not given and not is_archive and (why := explain_no_dump(path.name)):
        yield _peek_file(path, why)
        return
    with _open_unblocked(path) as file:
        size = os.fstat(file.fileno()).st_size
        if is_archive or (given and is_packed(file)):
            yield from read_archive(file, name)
        elif size > MAX_DUMP_BYTES:
            yield Problem(name, None, f"too large ({size} bytes), expected a dump of at most {MAX_DUMP_BYTES} bytes")
        else:
            yield parse_text(read_bytes(file, MAX_DUMP_BYTES), name, given=given)


def _open_unblocked(path: Path, flags: int = 0) -> io.BufferedReader:
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags), "rb")
