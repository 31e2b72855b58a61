"""Archives and folders of captures, opened safely.

Nothing is written to disk, nothing blocks and nothing raises: each input ends as lines of text, as skipped by name, or
as a problem that says what was expected.
"""

import errno
import io
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from auditor.inputs import layouts
from auditor.inputs.archive import ARCHIVES, ERRORS, MAX_MEMBERS, is_packed, special, take
from auditor.inputs.filenames import CACHE_FOLDER, MAX_DEPTH, again, no_dump, odd_name, reason_of, shown
from auditor.inputs.layouts import Filed, Layout
from auditor.inputs.rawtext import MAX_DUMP_BYTES, STDIN, Item, Problem, Raw, Skipped, text_of
from auditor.inputs.unpack import Count, read_archive


@dataclass(frozen=True, slots=True)
class Bundle:
    """All that was found under the given paths, in the order of the paths and then of the names."""

    raws: tuple[Raw, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()


def open_paths(paths: Sequence[str], stdin: BinaryIO | None = None) -> Bundle:
    """Read files, folders (recursively), tar and zip archives, and *stdin* for the path `-`. Raises nothing."""
    items = [item for path in paths for item in _given(path, stdin)]
    return Bundle(
        tuple(item for item in items if isinstance(item, Raw)),
        tuple(item for item in items if isinstance(item, Skipped)),
        tuple(item for item in items if isinstance(item, Problem)),
    )


def _given(given: str, stdin: BinaryIO | None) -> Iterator[Item]:
    path = Path(given)
    try:
        if not given:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if given == "-":
            yield text_of(take(stdin or io.BytesIO(), MAX_DUMP_BYTES), STDIN, given=True)
        elif path.is_dir():
            yield from _folder(path, (path.resolve(strict=True),), set())
        else:
            yield from _file(path, given=True)
    except ERRORS as error:
        problem = f"{reason_of(error)}, expected a file, a folder or an archive"
        yield Problem(STDIN if given == "-" else shown(given), None, problem)


def _folder(folder: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    """Read *folder*; *chain* has the real paths from the root down to it, *linked* those entered through a symlink."""
    if len(chain) > MAX_DEPTH:
        yield Problem(shown(folder), None, f"expected at most {MAX_DEPTH} folders within each other")
        return
    if layout := layouts.layout_of(lambda entry: (folder / entry).exists()):
        yield from _gathered(folder, layout)
        return
    for child in sorted(folder.iterdir()):
        if child.name == CACHE_FOLDER:
            continue  # our own, and no part of what is audited: a report reads the same with it and without
        try:
            if why := odd_name(child.name):
                yield Skipped(shown(child), why)
            else:
                yield from _child(child, chain, linked)
        except FileNotFoundError:
            yield Problem(shown(child), None, "dangling symlink, expected a file or a folder")
        except ERRORS as error:
            yield Problem(shown(child), None, f"{reason_of(error)}, expected a readable file or folder")


def _child(child: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    is_link = child.is_symlink()
    real = child.resolve(strict=True) if is_link else chain[-1] / child.name
    if not real.is_relative_to(chain[0]):
        yield Problem(shown(child), None, f"symlink to {shown(real)}, expected one that stays in the folder given")
    elif not real.is_dir():
        yield from _file(child, given=False)
    elif real in chain:
        yield Problem(shown(child), None, "symlink loop, expected a file or a folder")
    elif is_link and again(str(real), linked):
        yield Skipped(shown(child), f"symlink to {shown(real)}, read through another symlink")
    else:
        yield from _folder(child, (*chain, real), linked)


def _gathered(folder: Path, layout: Layout) -> Iterator[Item]:
    """Read the unpacked bundle of a tool: what it has no place for is not opened, and no link in it is followed."""
    count = Count(shown(folder), layout)
    unreadable: list[OSError] = []
    for seen, path in enumerate(_files(folder, unreadable)):
        if seen >= MAX_MEMBERS:
            yield Problem(shown(folder), None, f"more than {MAX_MEMBERS} files, expected fewer: the rest is not read")
            return
        filed = count.filed(path.relative_to(folder).as_posix())
        if isinstance(filed, Problem):
            yield filed
        elif filed:
            yield from _filed(path, filed)
    for error in unreadable:
        yield Problem(shown(error.filename), None, f"{reason_of(error)}, expected a readable folder")
    yield from count.said()


def _files(folder: Path, unreadable: list[OSError]) -> Iterator[Path]:
    """Yield all files below *folder* in the order of names; what cannot be listed is added to *unreadable*."""
    for parent, folders, files in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(files))


def _filed(path: Path, filed: Filed) -> Iterator[Item]:
    name = shown(path)
    try:
        if stat.S_ISREG(mode := path.lstat().st_mode):
            with _opened(path, os.O_NOFOLLOW) as file:
                yield text_of(take(file, MAX_DUMP_BYTES), name, given=False, filed=filed)
        else:
            yield Problem(name, None, f"{special(mode)}, expected a plain file")
    except ERRORS as error:
        yield Problem(name, None, f"{reason_of(error)}, expected a readable file")


def _file(path: Path, *, given: bool) -> Iterator[Item]:
    """Read one file, asking what it is before it is opened: opening a FIFO or a device may block."""
    name = shown(path)
    if not stat.S_ISREG(mode := path.stat().st_mode):
        yield Problem(name, None, f"{special(mode)}, expected a file, a folder or an archive")
        return
    is_archive = ARCHIVES.search(path.name)
    if not given and not is_archive and (why := no_dump(path.name)):
        yield Skipped(name, why)
        return
    with _opened(path) as file:
        if is_archive or (given and is_packed(file)):
            yield from read_archive(file, name)
        else:
            yield text_of(take(file, MAX_DUMP_BYTES), name, given=given)


def _opened(path: Path, flags: int = 0) -> io.BufferedReader:
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags), "rb")
