"""Results of earlier runs in one file, each under the hash of all its inputs.

A result counts only with a signature by the user's own key. Authors of an audited repository can add any file to it,
and must not forge a pass. The key lies outside of the repository, or comes from the environment. An unreadable or
unwritable file never raises; the run computes the results again.
"""

import contextlib
import hmac
import os
import secrets
import stat
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.inputs.filenames import CACHE_FOLDER
from auditor.inputs.git import find_top, is_tracked
from auditor.util.regex import regex

if TYPE_CHECKING:
    from auditor.engine.store import Store

KEY = "ROCE_AUDIT_CACHE_KEY"
LEAST_KEY_CHARS = 32
MAX_BYTES = 2**30
"""Limit for all results; those that were not used for longest go first."""
MAX_ENTRY_BYTES = 2**26
_KEY_BYTES, _MAC_BYTES = 32, 32
_BATCH_BYTES = 2**24
"""Bytes that wait before they are written."""
_STORE = "results-"
_FORMER = regex(r"[0-9a-f]{64}\Z")
"""An entry of releases that kept each in a file of its own."""
_HOUR_S = 3600
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | _FLAGS  # opening a FIFO would block
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS


class UnusableCache(Exception):  # noqa: N818  it is no error: the audit goes on without
    """The folder of the cache must not be used; the message gives the reason."""


class Cache:
    """Texts by hexadecimal hash; any number of processes may use the cache at once."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key
        self._path = folder / f"{_STORE}{hmac.digest(key, b'store', 'sha256').hex()[:32]}.sqlite3"
        self._store: Store | None = None
        self._waiting: dict[str, bytes] = {}
        self._waiting_bytes = 0
        self._has_written = False

    def recall(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield those of *names* that have a text, with it; a row with a wrong signature is none."""
        store = self._load_store()
        for name, row in store.read(list(names)) if store else ():
            packed = row[_MAC_BYTES:]
            if hmac.compare_digest(row[:_MAC_BYTES], self._sign(name, packed)):
                with contextlib.suppress(ValueError, zlib.error):
                    yield name, zlib.decompress(packed).decode()

    def put(self, name: str, text: str) -> None:
        """Store *text* under *name*, together with others; ignore errors of the disk."""
        packed = zlib.compress(text.encode(), 1)
        if len(packed) > MAX_ENTRY_BYTES - _MAC_BYTES:
            return
        self._waiting[name] = self._sign(name, packed) + packed
        self._waiting_bytes += len(packed)
        if self._waiting_bytes > _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what waits, in one transaction."""
        rows, self._waiting, self._waiting_bytes = self._waiting, {}, 0
        store = self._load_store() if rows else None
        if store is None:
            return
        try:
            if not self._has_written:
                _make_folder(self._folder)
        except OSError:
            return
        self._has_written = True
        store.write(rows)

    def close(self) -> None:
        """Write what waits; delete the results that were not used for longest, if this run has written any."""
        self.flush()
        if self._store is None:
            return
        if self._has_written:
            self._store.trim(MAX_BYTES)
        self._store.close()
        if self._has_written:
            with contextlib.suppress(OSError):
                _tidy(self._folder, self._path.name)

    def _load_store(self) -> "Store | None":
        """Return the store, whose name is known to the owner of the key alone; None where Python lacks SQLite."""
        if self._store is None:
            with contextlib.suppress(ImportError):
                from auditor.engine.store import Store

                self._store = Store(self._path, MAX_ENTRY_BYTES)
        return self._store

    def _sign(self, name: str, packed: bytes) -> bytes:
        return hmac.digest(self._key, name.encode() + b"\0" + packed, "sha256")


def open_cache(environment: Mapping[str, str]) -> Cache | None:
    """Return the cache of the working folder, None without a key; raises UnusableCache."""
    folder = Path(CACHE_FOLDER)
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFDIR
    except OSError:
        return None
    if not stat.S_ISDIR(mode):
        raise UnusableCache(f"{CACHE_FOLDER} is unused: not a folder; remove or rename it")
    if is_tracked(Path(), CACHE_FOLDER):
        raise UnusableCache(
            f"{CACHE_FOLDER} is unused: git tracks it, so a change could bring forged results; untrack it"
        )
    key = _find_key(environment)
    return Cache(folder, key) if key else None


def compute_digest(*parts: str | Iterable[str]) -> str:
    """Return the SHA-256 of *parts* in hexadecimal digits; a part is a text, or lines, which hold no line ends.

    No two sequences of parts read the same.

    >>> compute_digest("a", "b") == compute_digest("ab")
    False
    >>> compute_digest("a", ["b", "c"]) == compute_digest("a", "b", "c")
    False
    """
    sizes: list[str] = []
    lines: list[str] = []
    for part in parts:
        if isinstance(part, str):
            sizes.append(f"text of {len(part)}")
            lines.append(part)
        else:
            before = len(lines)
            lines.extend(part)
            sizes.append(f"{len(lines) - before} lines")
    written = "\n".join((str(len(sizes)), *sizes, *lines))
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


def _find_key(environment: Mapping[str, str]) -> bytes | None:
    """Return the key for signatures: from the environment, or the user's own, made on first use."""
    if (given := environment.get(KEY)) is not None:
        return sha256(given.encode("utf-8", "surrogateescape")).digest() if len(given) >= LEAST_KEY_CHARS else None
    home = environment.get("HOME", "")
    state = environment.get("XDG_STATE_HOME") or (f"{home}/.local/state" if home else "")
    folder = Path(os.path.realpath(state), "roce-audit")
    repository = find_top(Path())
    if not Path(state).is_absolute() or (repository and folder.is_relative_to(repository)):
        return None
    try:
        return _load_own_key(folder)
    except OSError:
        return None


def _load_own_key(folder: Path) -> bytes | None:
    path = folder / "cache-key"
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = _write_unfinished(folder, secrets.token_bytes(_KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(made, path)  # of two processes at once, the first one's key holds
        made.unlink()
    status = path.lstat()
    is_private = status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077
    key = _read(path, _KEY_BYTES) if is_private else b""
    return key if len(key) == _KEY_BYTES else None


def _make_folder(folder: Path) -> None:
    """Make a private folder that git ignores."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError), os.fdopen(os.open(folder / ".gitignore", _CREATE, 0o600), "w") as file:
        file.write("*\n")


def _read(path: Path, most: int) -> bytes:
    """Return the bytes of a plain file; raises OSError, and ValueError for another kind or size."""
    with os.fdopen(os.open(path, _READ), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            raise ValueError("no plain file of that size")
        return file.read(most)


def _write_unfinished(folder: Path, data: bytes) -> Path:
    """Return a new file with *data*."""
    path = folder / f"writing-{secrets.token_hex(8)}"
    with os.fdopen(os.open(path, _CREATE, 0o600), "wb") as file:
        try:
            file.write(data)
            file.flush()
        except OSError:
            path.unlink()
            raise
    return path


def _tidy(folder: Path, own: str) -> None:
    """Delete entries of releases with a file for each, unfinished files, and stores of other keys beyond the limit."""
    now, total = time.time(), 0
    stores = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                is_old = now - status.st_mtime > _HOUR_S
                if _FORMER.match(entry.name) or (entry.name.startswith("writing-") and is_old):
                    Path(entry.path).unlink()
                elif entry.name.startswith(_STORE):
                    stores.append((entry.name.startswith(own), status.st_mtime, status.st_size, entry.path))
    for is_own, _, size, path in sorted(stores, reverse=True):
        total += size
        if total > MAX_BYTES and not is_own:
            Path(path).unlink(missing_ok=True)
