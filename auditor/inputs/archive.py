"""The members of tar and zip archives, one by one, with bounds on what a hostile one can cost.

Nothing is written to disk. A damaged archive raises one of `DAMAGE`.
"""

import bz2
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
from collections.abc import Callable, Generator
from contextlib import nullcontext
from functools import partial
from typing import IO, BinaryIO, Self, cast

from auditor.inputs.unxz import open_xz
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_TOTAL_BYTES = 2**32  # of one archive: deflate reaches a thousandfold, so a small file can hide a terabyte
MAX_RATIO = 250  # text packs a hundredfold at the most; what packs better holds nothing to read
MAX_MEMBERS = 100_000  # of one archive: empty ones cost no bytes, but time and memory
MAX_PATH_CHARS = 4096  # the longest path of Linux

ARCHIVES = regex(r"\.(zip|tar|tar\.(gz|xz|bz2)|t(gz|xz|bz2?))$", re.IGNORECASE)
ERRORS = (OSError, ValueError, OverflowError, RuntimeError)
DAMAGE = (*ERRORS, EOFError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)
"""Exceptions of the libraries for damaged archives."""

_CHUNK = 2**16
_SMALL = 2**26  # so much may be unpacked from any archive, however well it is packed
_ZIP_READ = MAX_MEMBERS * 256  # a zip has all names in one directory, at some hundred bytes each
_ZIP_MEMBER = b"PK\x03\x04"
_ZIP_END = struct.Struct("<4s4H2LH")
_ZIP64 = 0xFFFF  # the number stands elsewhere
_UNPACKERS: dict[bytes, Callable[[BinaryIO], object]] = {b"\x1f\x8b": gzip.open, b"\xfd7z": open_xz, b"BZh": bz2.open}


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive; *flaw* is the reason not to open the member, or empty."""

    path: str
    is_folder: bool
    flaw: str
    open: Callable[[], IO[bytes]]

    @property
    def leaves(self) -> bool:
        """Whether its path leads out of the archive."""
        return self.path.startswith("/") or ".." in re.split(r"[/\\]", self.path)


def is_packed(file: io.BufferedReader) -> bool:
    """Return whether *file* begins like an archive; its name does not matter."""
    return file.peek(4).startswith((*_UNPACKERS, _ZIP_MEMBER))


def limit_bytes(file: BinaryIO) -> int:
    """Return the largest number of bytes to unpack from *file*."""
    size = os.fstat(file.fileno()).st_size
    return min(MAX_TOTAL_BYTES, max(_SMALL, MAX_RATIO * size))


def iterate_members(file: io.BufferedReader) -> Generator[ArchiveMember, None, None]:
    """Yield the members of the archive *file* from its beginning, in their order; each is to be opened before the next.

    Raises one of `DAMAGE`: ValueError where the archive has more than the bounds allow.
    """
    file.seek(0)
    head = file.peek(3)
    found = _iterate_zip(file) if head.startswith(b"PK") else _iterate_tar(file, head)
    for count, member in enumerate(found):
        if count >= MAX_MEMBERS:
            raise ValueError(f"more than {MAX_MEMBERS} members")
        yield member


def read_bytes(stream: IO[bytes], most: int) -> bytes:
    """Return at most *most* bytes, plus one byte if the stream is longer."""
    taken = io.BytesIO()
    while (wanted := most + 1 - taken.tell()) > 0 and (chunk := stream.read(min(wanted, _CHUNK))):
        taken.write(chunk)
    return taken.getvalue()


def name_file_kind(mode: int) -> str:
    """Return the kind of a special file of *mode*."""
    kinds = {stat.S_IFIFO: "FIFO", stat.S_IFSOCK: "socket", stat.S_IFLNK: "symlink", stat.S_IFDIR: "folder"}
    return kinds.get(stat.S_IFMT(mode), "device")


class _BoundedReader:
    """A file with at most *most* bytes per read and no access beyond *end*."""

    def __init__(self, file: IO[bytes], most: int, end: int) -> None:
        self._file = file
        self._most = most
        self._end = end
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
        if position > self._end:
            raise ValueError(describe_excess(self._end))
        return position


def describe_excess(most: int) -> str:
    """Return the message about an archive that unpacks to more than *most* bytes."""
    return f"more than {most} bytes, the most for an archive of its size"


class _StrictTarInfo(tarfile.TarInfo):
    """A tar header that raises if damaged; the library would end the archive there."""

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


def _iterate_tar(file: BinaryIO, head: bytes) -> Generator[ArchiveMember, None, None]:
    unpack = next((unpack for magic, unpack in _UNPACKERS.items() if head.startswith(magic)), nullcontext)
    with cast("IO[bytes]", unpack(file)) as plain:
        reader = cast("IO[bytes]", _BoundedReader(plain, _CHUNK, limit_bytes(file)))
        with tarfile.open(fileobj=reader, mode="r:", tarinfo=_StrictTarInfo) as tar:
            for info in tar:
                odd = "" if info.isdir() or info.isreg() else "link or device"
                flaw = "sparse file" if info.issparse() else odd
                opened = cast("Callable[[], IO[bytes]]", partial(tar.extractfile, info))
                yield ArchiveMember(posixpath.normpath(info.name), info.isdir(), flaw, opened)
        while reader.read(_CHUNK):  # a checksum stands at the very end, behind what a tar needs
            pass


def _iterate_zip(file: BinaryIO) -> Generator[ArchiveMember, None, None]:
    reader = cast("IO[bytes]", _BoundedReader(file, _ZIP_READ, MAX_TOTAL_BYTES))
    begins_with_member = file.read(len(_ZIP_MEMBER)) == _ZIP_MEMBER
    with zipfile.ZipFile(reader) as archive:
        found = archive.infolist()
        told = _count_declared_members(file, len(archive.comment))
        if told not in {len(found), _ZIP64} or (begins_with_member and not found):
            raise zipfile.BadZipFile(f"its directory has {len(found)} members, its end record declares {told}")
        for info in found:
            kind = stat.S_IFMT(info.external_attr >> 16)
            flaw = "" if kind in {0, stat.S_IFREG, stat.S_IFDIR} else name_file_kind(kind)
            # The other methods of the library unpack a chunk to any size in one step.
            if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                flaw = f"compressed by method {info.compress_type}"
            yield ArchiveMember(
                posixpath.normpath(info.filename), info.filename.endswith("/"), flaw, partial(archive.open, info)
            )


def _count_declared_members(file: BinaryIO, comment_bytes: int) -> int:
    """Return the number of members that the end record of a zip declares."""
    file.seek(-_ZIP_END.size - comment_bytes, os.SEEK_END)
    return int(_ZIP_END.unpack(file.read(_ZIP_END.size))[4])
