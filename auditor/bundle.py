"""Archives and folders of captures, opened safely.

Nothing is written to disk, nothing blocks and nothing raises: each input ends as lines of text, as skipped by name, or
as a problem that says what was expected.
"""

import bz2
import errno
import gzip
import io
import lzma
import os
import posixpath
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Self, cast

from auditor.rawtext import MAX_DUMP_BYTES, STDIN, Item, Problem, Raw, Skipped, text_of

MAX_TOTAL_BYTES = 2**30  # of one archive: deflate reaches a thousandfold, so a small file can hide a terabyte
MAX_MEMBERS = 100_000  # of one archive: empty ones cost no bytes, but time and memory
MAX_DEPTH = 32  # folders within folders: a deeper tree is an accident or an attack, and would exhaust the call stack

_CHUNK = 2**16
_ZIP_READ = MAX_MEMBERS * 256  # a zip has all names in one directory, at some hundred bytes each
_SUFFIXES = {
    "image": ".png .jpg .jpeg .gif .bmp .svg .webp .ico",
    "document": ".pdf .md .rst .html .htm .doc .docx .xls .xlsx .ppt .pptx .vsdx",
    "program": ".py .pyc .pyo .sh .js .css .so .o .a .exe .dll .ko",
    "packet capture": ".pcap .pcapng",
    "archive of a kind that is not read": ".gz .xz .bz2 .zst .7z .rar .deb .rpm .whl .jar .iso",
}
_NOT_DUMPS = {suffix: what for what, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_DOCUMENTS = frozenset({"README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "AUTHORS"})
_TOOL_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules"})
_ARCHIVES = re.compile(r"\.(zip|tar|tar\.(gz|xz|bz2)|t(gz|xz|bz2?))$", re.IGNORECASE)
_UNPACKERS: dict[bytes, Callable[[BinaryIO], object]] = {b"\x1f\x8b": gzip.open, b"\xfd7z": lzma.open, b"BZh": bz2.open}
_ERRORS = (OSError, ValueError, OverflowError, RuntimeError)
# What the libraries raise on damaged archives.
_DAMAGE = (*_ERRORS, EOFError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)


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
            yield text_of(_take(stdin or io.BytesIO(), MAX_DUMP_BYTES), STDIN, given=True)
        elif path.is_dir():
            yield from _folder(path, (path.resolve(strict=True),), set())
        else:
            yield from _file(path, given=True)
    except _ERRORS as error:
        problem = f"{_reason(error)}, expected a file, a folder or an archive"
        yield Problem(STDIN if given == "-" else _shown(given), None, problem)


def _folder(folder: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    """Read *folder*; *chain* has the real paths from the root down to it, *linked* those entered through a symlink."""
    if len(chain) > MAX_DEPTH:
        yield Problem(_shown(folder), None, f"expected at most {MAX_DEPTH} folders within each other")
        return
    for child in sorted(folder.iterdir()):
        try:
            if why := _odd_name(child.name):
                yield Skipped(_shown(child), why)
            else:
                yield from _child(child, chain, linked)
        except FileNotFoundError:
            yield Problem(_shown(child), None, "dangling symlink, expected a file or a folder")
        except _ERRORS as error:
            yield Problem(_shown(child), None, f"{_reason(error)}, expected a readable file or folder")


def _child(child: Path, chain: tuple[Path, ...], linked: set[str]) -> Iterator[Item]:
    is_link = child.is_symlink()
    real = child.resolve(strict=True) if is_link else chain[-1] / child.name
    if not real.is_relative_to(chain[0]):
        yield Problem(_shown(child), None, f"symlink to {_shown(real)}, expected one that stays in the folder given")
    elif not real.is_dir():
        yield from _file(child, given=False)
    elif real in chain:
        yield Problem(_shown(child), None, "symlink loop, expected a file or a folder")
    elif is_link and _again(str(real), linked):
        yield Skipped(_shown(child), f"symlink to {_shown(real)}, read through another symlink")
    else:
        yield from _folder(child, (*chain, real), linked)


def _file(path: Path, *, given: bool) -> Iterator[Item]:
    """Read one file, asking what it is before it is opened: opening a FIFO or a device may block."""
    name = _shown(path)
    if not stat.S_ISREG(mode := path.stat().st_mode):
        yield Problem(name, None, f"{_special(mode)}, expected a file, a folder or an archive")
        return
    is_archive = _ARCHIVES.search(path.name)
    if not given and not is_archive and (why := _no_dump(path.name)):
        yield Skipped(name, why)
        return
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if is_archive:
            yield from _archive(file, name)
        else:
            yield text_of(_take(file, MAX_DUMP_BYTES), name, given=given)


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an archive; *flaw* says why it must not be opened."""

    path: str
    is_folder: bool
    flaw: str
    open: Callable[[], IO[bytes]]


class _BoundedReader:
    """A file that neither reads more than *most* bytes at once nor goes beyond `MAX_TOTAL_BYTES`."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._most = most
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > self._most:
            raise ValueError(f"a header of {size} bytes")
        data = self._file.read(size if size >= 0 else self._most)
        self._check(self._file.tell())
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_SET:
            self._check(offset)
        return self._check(self._file.seek(offset, whence))

    def _check(self, position: int) -> int:
        if position > MAX_TOTAL_BYTES:
            raise ValueError(f"more than {MAX_TOTAL_BYTES} bytes")
        return position


class _StrictTarInfo(tarfile.TarInfo):
    """A tar header; a damaged one is an error, where the library takes it for the end of the archive."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:
        try:
            info = super().fromtarfile(tarfile_)
        except tarfile.HeaderError as error:
            if type(error).__name__ in {"EOFHeaderError", "EmptyHeaderError"}:
                raise
            raise tarfile.ReadError(str(error)) from error
        if info.size < 0:
            raise tarfile.ReadError("negative size")
        return info


def _archive(file: io.BufferedReader, name: str) -> Iterator[Item]:
    head = file.peek(3)
    seen: set[str] = set()
    left = MAX_TOTAL_BYTES
    try:
        with closing(_zip_members(file) if head.startswith(b"PK") else _tar_members(file, head)) as members:
            for count, member in enumerate(members):
                refused = _refusal(member, name, seen)
                item, taken = (refused, 0) if refused or member.is_folder else _unpacked(member, name, left)
                left -= taken
                if left < 0 or count >= MAX_MEMBERS:
                    raise ValueError(f"more than {MAX_TOTAL_BYTES} bytes or {MAX_MEMBERS} members")
                if item and not (isinstance(item, Skipped) and _again(f"{item.name} {item.why}", seen)):
                    yield item
    except _DAMAGE as error:
        yield Problem(name, None, f"{_reason(error)}: the rest is not read, expected a sound tar or zip archive")


def _refusal(member: _Member, archive: str, seen: set[str]) -> Skipped | Problem | None:
    """Return why *member* is not unpacked; a folder that is skipped is named once, in place of all that is in it."""
    name = f"{archive}/{_shown(member.path)}"
    if member.path.startswith("/") or ".." in re.split(r"[/\\]", member.path):
        return Problem(name, None, "path that leaves the archive, expected one within it")
    parts = PurePosixPath(member.path).parts
    for depth, part in enumerate(parts, start=1):
        if why := _odd_name(part):
            return Skipped(f"{archive}/{_shown('/'.join(parts[:depth]))}", why)
    if member.flaw:
        return Problem(name, None, f"{member.flaw}, expected a plain file")
    if member.is_folder:
        return None
    if why := "archive inside an archive" if _ARCHIVES.search(member.path) else _no_dump(member.path):
        return Skipped(name, why)
    return Problem(name, None, "second member of this name, expected one") if _again(name, seen) else None


def _unpacked(member: _Member, archive: str, left: int) -> tuple[Item, int]:
    """Return what *member* holds and how many bytes it unpacked to."""
    name = f"{archive}/{_shown(member.path)}"
    taken = 0
    try:
        with member.open() as stream:
            try:
                data = _take(stream, min(MAX_DUMP_BYTES, left))
            finally:
                taken = stream.tell()
    except _DAMAGE as error:
        return Problem(name, None, f"{_reason(error)}, expected a sound member"), taken
    return text_of(data, name, given=False), taken


def _tar_members(file: BinaryIO, head: bytes) -> Generator[_Member, None, None]:
    unpack = next((unpack for magic, unpack in _UNPACKERS.items() if head.startswith(magic)), nullcontext)
    with cast("IO[bytes]", unpack(file)) as plain:
        reader = cast("IO[bytes]", _BoundedReader(plain, _CHUNK))
        with tarfile.open(fileobj=reader, mode="r:", tarinfo=_StrictTarInfo) as tar:
            for info in tar:
                odd = "" if info.isdir() or info.isreg() else "link or device"
                flaw = "sparse file" if info.issparse() else odd
                opened = cast("Callable[[], IO[bytes]]", partial(tar.extractfile, info))
                yield _Member(posixpath.normpath(info.name), info.isdir(), flaw, opened)
        while reader.read(_CHUNK):  # a checksum stands at the very end, behind what a tar needs
            pass


def _zip_members(file: BinaryIO) -> Generator[_Member, None, None]:
    reader = cast("IO[bytes]", _BoundedReader(file, _ZIP_READ))
    with zipfile.ZipFile(reader) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            flaw = "" if kind in {0, stat.S_IFREG, stat.S_IFDIR} else _special(kind)
            # The other methods of the library unpack a chunk to any size in one step.
            if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                flaw = f"compressed by method {info.compress_type}"
            yield _Member(
                posixpath.normpath(info.filename), info.filename.endswith("/"), flaw, partial(archive.open, info)
            )


def _take(stream: IO[bytes], most: int) -> bytes:
    """Read at most one byte more than *most*, which tells that there is more."""
    taken = io.BytesIO()
    while (wanted := most + 1 - taken.tell()) > 0 and (chunk := stream.read(min(wanted, _CHUNK))):
        taken.write(chunk)
    return taken.getvalue()


def _odd_name(name: str) -> str:
    """Return why a file or folder of that name is not looked into, empty where it is."""
    return "hidden" if name.startswith(".") else "folder of a tool" if name in _TOOL_FOLDERS else ""


def _no_dump(name: str) -> str:
    path = PurePosixPath(name)
    return "document" if path.stem.upper() in _DOCUMENTS else _NOT_DUMPS.get(path.suffix.lower(), "")


def _again(name: str, seen: set[str]) -> bool:
    known = name in seen
    seen.add(name)
    return known


def _shown(path: str | Path) -> str:
    """Return *path* with what cannot be printed escaped: a name may hold line ends, terminal escapes and any byte."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(path))


def _special(mode: int) -> str:
    kinds = {stat.S_IFIFO: "FIFO", stat.S_IFSOCK: "socket", stat.S_IFLNK: "symlink", stat.S_IFDIR: "folder"}
    return kinds.get(stat.S_IFMT(mode), "device")


def _reason(error: Exception) -> str:
    if getattr(error, "errno", None) == errno.ELOOP or "Symlink loop" in str(error):
        return "symlink loop"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return _shown(reason[0].lower() + reason[1:])
