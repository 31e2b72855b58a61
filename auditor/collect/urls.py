"""Dumps at URLs: files are listed on the user's machine, and read wherever the work on them is done.

Credentials come from the environment or the files of each storage's own tools; a URL never holds them.
"""

import io
import posixpath
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from auditor.inputs.archive import ARCHIVES, ArchiveMember, read_bytes
from auditor.inputs.bundle import MAX_FILES
from auditor.inputs.filenames import escape_name
from auditor.inputs.layouts import BundleFile, find_roots
from auditor.inputs.rawtext import (
    MAX_DUMP_BYTES,
    MAX_PEEK_BYTES,
    Item,
    Problem,
    Raw,
    Skipped,
    parse_text,
    peek_text,
)
from auditor.inputs.unpack import OpenArchive, read_archive
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

MAX_ARCHIVE_BYTES = 2**30
"""Of one archive at a URL, which is copied to an unnamed file."""
EXPECTED = "expected a file, a folder or an archive"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file to read: its path in the storage of *scheme*, its name in reports, and what `Raw` says of a file."""

    scheme: str
    path: str
    name: str
    given: bool = False
    bundle_file: BundleFile | None = None
    shunned: str = ""


@dataclass(frozen=True, slots=True)
class RemoteText:
    """What a file at a URL holds."""

    item: Raw | Skipped | Problem


ReadAll = Callable[[Sequence[RemoteFile]], Sequence[Item]]


class UrlError(Exception):
    """A URL cannot be used; the message gives the reason and the remedy."""


def open_url(url: str, read_all: ReadAll) -> Iterator[Item]:
    """Yield the content of the file, the folder or the archive at *url*, whose texts *read_all* reads.

    Raises UrlError where the URL holds credentials, or the package that opens it is missing.
    """
    scheme, _, rest = url.partition("://")
    if "@" in rest.partition("/")[0]:
        raise UrlError(f"a URL of {scheme}:// holds credentials; give them to the tools of the storage instead")
    files = _open_storage(scheme)
    wanted: list[RemoteFile] = []
    try:
        yield from _list_files(files, scheme, url, wanted)
    except Exception as error:  # noqa: BLE001  each storage has its own
        yield Problem(escape_name(url), None, f"{_explain(error)}, {EXPECTED}")
    if wanted:
        yield from read_all(wanted)


def _list_files(files: "AbstractFileSystem", scheme: str, url: str, wanted: list[RemoteFile]) -> Iterator[Item]:
    """Yield the content of the archive at *url*, or what is left out of the folder; add files to read to *wanted*."""
    name = escape_name(url.rstrip("/"))
    path = str(files._strip_protocol(url))  # noqa: SLF001  a URL without the scheme, for each storage
    kind = files.info(path)["type"]
    if kind == "directory":
        yield from _open_folder(files, path, _OpenFolder(name, {}, scheme=scheme, wanted=wanted))
    elif kind != "file":
        yield Problem(name, None, f"{kind}, {EXPECTED}")
    elif ARCHIVES.search(path):
        yield from _open_archive(files, path, name)
    else:
        wanted.append(RemoteFile(scheme, path, name, given=True))


def read_remote(file: RemoteFile) -> RemoteText:
    """Return what the file holds; a file that cannot be read is a problem."""
    try:
        with _open_storage(file.scheme).open(file.path, "rb") as stream:
            data = read_bytes(stream, MAX_PEEK_BYTES - 1 if file.shunned else MAX_DUMP_BYTES)
    except UrlError as error:
        return RemoteText(Problem(file.name, None, str(error)))
    except Exception as error:  # noqa: BLE001  each storage has its own
        return RemoteText(Problem(file.name, None, f"{_explain(error)}, expected a readable file"))
    if file.shunned:
        return RemoteText(peek_text(data, file.name, file.shunned))
    return RemoteText(parse_text(data, file.name, given=file.given, bundle_file=file.bundle_file))


def _open_storage(scheme: str) -> "AbstractFileSystem":
    """Return the files of a scheme; the name of a file is never taken for a URL, which could lead elsewhere."""
    try:
        import fsspec

        return fsspec.filesystem(scheme)
    except ImportError as error:
        why = f"{scheme}:// needs the package {error.name or 'of this storage'}"
        raise UrlError(
            f"{why}; install roce-audit with its extra `cluster`, and s3fs or gcsfs for its storage"
        ) from None


def _explain(error: Exception) -> str:
    """Return the reason of *error*, without the words of a storage: they may hold what signs a request."""
    known: dict[type[Exception], str] = {
        FileNotFoundError: "no such file or folder",
        PermissionError: "permission denied",
    }
    return known.get(type(error)) or f"cannot be read ({type(error).__name__})"


@dataclass(slots=True)
class _OpenFolder(OpenArchive):
    """A folder at a URL, read as an archive is; `wanted` are the files to read."""

    scheme: str = ""
    root: str = ""
    wanted: list[RemoteFile] = field(default_factory=list)

    def unpack(
        self, member: ArchiveMember, name: str, left: int, bundle_file: BundleFile | None = None
    ) -> tuple[Item | None, int]:
        """Note a file to read."""
        del left
        self.wanted.append(RemoteFile(self.scheme, f"{self.root}/{member.path}", name, bundle_file=bundle_file))
        return None, 0

    def peek(self, member: ArchiveMember, name: str, left: int, why: str) -> tuple[Item | None, int]:
        """Note a file that is skipped for the reason *why*, unless it shows a device."""
        del left
        self.wanted.append(RemoteFile(self.scheme, f"{self.root}/{member.path}", name, shunned=why))
        return None, 0


def _open_folder(files: "AbstractFileSystem", root: str, opened: _OpenFolder) -> Iterator[Item]:
    root = root.rstrip("/")
    strict = {"on_error": "raise"} if opened.scheme == "file" else {}
    found: dict[str, dict[str, Any]] = files.find(root, detail=True, **strict)
    if len(found) > MAX_FILES:
        yield Problem(opened.name, None, f"more than {MAX_FILES} files; give fewer dumps")
        return
    members = [_make_member(path.removeprefix(root).lstrip("/"), found[path]) for path in sorted(found)]
    opened.root, opened.roots = root, find_roots(member.path for member in members)
    for member in members:
        item, _ = opened.read(member, MAX_DUMP_BYTES)
        if item:
            yield item
    yield from opened.report_bundles()


def _make_member(path: str, info: dict[str, Any]) -> ArchiveMember:
    kind = "symlink" if info.get("islink") else str(info["type"])
    flaw = "" if kind == "file" else kind
    if posixpath.normpath(path) != path:
        flaw = "name that is no path"
    return ArchiveMember(path, is_folder=False, flaw=flaw, open=partial(io.BytesIO))


def _open_archive(files: "AbstractFileSystem", path: str, name: str) -> Iterator[Item]:
    with tempfile.TemporaryFile() as copy, files.open(path, "rb") as stream:
        if _copy(stream, copy) > MAX_ARCHIVE_BYTES:
            yield Problem(name, None, f"too large, expected an archive of at most {MAX_ARCHIVE_BYTES} bytes")
            return
        copy.flush()
        with open(copy.fileno(), "rb", closefd=False) as file:
            yield from read_archive(file, name)


def _copy(stream: IO[bytes], copy: IO[bytes]) -> int:
    """Return the size of *stream*, copied to *copy* until it is too large."""
    size = 0
    while size <= MAX_ARCHIVE_BYTES and (chunk := stream.read(2**20)):
        size += copy.write(chunk)
    return size
