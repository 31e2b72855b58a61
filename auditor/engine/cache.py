"""Results of earlier runs on disk, each under the hash of all its inputs.

An entry counts only with a signature by the user's own key. Authors of an audited repository can add any file to it,
and must not forge a pass. The key lies outside of the repository, or comes from the environment. An unreadable or
unwritable entry never raises; the run computes the result again.
"""

import contextlib
import hmac
import os
import re
import secrets
import stat
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from auditor.inputs.filenames import CACHE_FOLDER
from auditor.inputs.git import find_top, is_tracked

KEY = "ROCE_AUDIT_CACHE_KEY"
LEAST_KEY_CHARS = 32
MAX_BYTES = 2**28
"""Limit for all entries; the oldest entries go first."""
MAX_ENTRY_BYTES = 2**26
_KEY_BYTES, _MAC_BYTES = 32, 32
_ENTRY = re.compile(r"[0-9a-f]{64}\Z")
_UNFINISHED = re.compile(r"writing-[0-9a-f]{16}\Z")
_HOUR_S, _DAY_S = 3600, 86_400
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | _FLAGS  # opening a FIFO would block
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
_FAULTS = (OSError, ValueError, zlib.error)


class UnusableCache(Exception):  # noqa: N818  it is no error: the audit goes on without
    """The folder of the cache must not be used; the message gives the reason."""


class Cache:
    """Texts by hexadecimal hash; any number of processes may use the cache at once."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key
        self._has_written = False
        self._can_write = True

    def get(self, name: str) -> str | None:
        """Return the text of *name*; None without an entry, or with a wrong signature."""
        path = self._folder / name
        try:
            data = _read(path, MAX_ENTRY_BYTES)
            packed = data[_MAC_BYTES:]
            if not hmac.compare_digest(data[:_MAC_BYTES], self._sign(name, packed)):
                return None
            text = zlib.decompress(packed).decode()
        except _FAULTS:
            return None
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _DAY_S:
                os.utime(path)  # in use: not among the oldest
        return text

    def put(self, name: str, text: str) -> None:
        """Store *text* under *name*; ignore errors of the disk."""
        packed = zlib.compress(text.encode(), 1)
        if not self._can_write or len(packed) > MAX_ENTRY_BYTES - _MAC_BYTES:
            return
        try:
            if not self._has_written:
                _make_folder(self._folder)
            _write(self._folder, self._folder / name, self._sign(name, packed) + packed)
        except OSError:
            self._can_write = False
        self._has_written = True

    def close(self) -> None:
        """Delete the oldest and unfinished entries, if this run has written any."""
        if not self._has_written:
            return
        with contextlib.suppress(OSError):
            _trim(self._folder, MAX_BYTES)

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
    found = sha256()
    for part in parts:
        lines = [part] if isinstance(part, str) else list(part)
        text = "\n".join(lines).encode("utf-8", "surrogatepass")
        found.update(b"%d %d %d\n" % (isinstance(part, str), len(lines), len(text)))
        found.update(text)
    return found.hexdigest()


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


def _write(folder: Path, path: Path, data: bytes) -> None:
    """Write a file atomically."""
    made = _write_unfinished(folder, data)
    try:
        made.replace(path)
    except OSError:
        made.unlink()
        raise


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


def _trim(folder: Path, most: int) -> None:
    """Delete the oldest entries until what is left has at most nine tenths of *most* bytes, where it has more."""
    found = sorted(_list_entries(folder), reverse=True)
    total, room = 0, most if sum(size for _, size, _ in found) <= most else most * 9 // 10
    for _, size, name in found:
        total += size
        if total > room:
            (folder / name).unlink(missing_ok=True)


def _list_entries(folder: Path) -> Iterator[tuple[float, int, str]]:
    """Yield time, size and name of each entry; delete unfinished entries older than an hour."""
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                if _ENTRY.match(entry.name):
                    yield status.st_mtime, status.st_size, entry.name
                elif _UNFINISHED.match(entry.name) and now - status.st_mtime > _HOUR_S:
                    Path(entry.path).unlink()
