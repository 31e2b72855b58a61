"""What was worked out before, kept on disk by the hash of all it was made of.

An entry is believed only where this user's own key has signed it: whoever changes an audited repository can put files
anywhere in it, and must not be able to forge a pass. The key lies outside of the repository, or comes from the
environment. Nothing here raises: what cannot be read or written is worked out again.
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
"""What all entries may hold; the oldest go first."""
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
    """There is a cache that must not be used; the message says why."""


class Cache:
    """Texts by names, which are hashes in hexadecimal digits; any number of processes may use it at once."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key
        self._has_written = False
        self._can_write = True

    def get(self, name: str) -> str | None:
        """Return the text of that name, None where there is none that can be believed."""
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
        """Keep *text* under that name, if the disk lets it."""
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
        """Make room, where something was written: the oldest entries go, and what others left unfinished."""
        if not self._has_written:
            return
        with contextlib.suppress(OSError):
            _trim(self._folder, MAX_BYTES)

    def _sign(self, name: str, packed: bytes) -> bytes:
        return hmac.digest(self._key, name.encode() + b"\0" + packed, "sha256")


def open_cache(environment: Mapping[str, str]) -> Cache | None:
    """Return the cache of the working folder, None where no key can be had; raises Unusable."""
    folder = Path(CACHE_FOLDER)
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFDIR
    except OSError:
        return None
    if not stat.S_ISDIR(mode):
        raise UnusableCache(f"{CACHE_FOLDER} is not used: expected a folder of its own")
    if is_tracked(Path(), CACHE_FOLDER):
        raise UnusableCache(f"{CACHE_FOLDER} is not used: git tracks it, and so a change could bring its own results")
    key = _find_key(environment)
    return Cache(folder, key) if key else None


def compute_digest(*parts: str | Iterable[str]) -> str:
    """Return the SHA-256 of *parts* in hexadecimal digits; a part is a text, or lines, which hold no line ends.

    No two sequences of parts read the same.

    >>> digest("a", "b") == digest("ab"), digest("a", ["b", "c"]) == digest("a", "b", "c")
    (False, False)
    """
    found = sha256()
    for part in parts:
        lines = [part] if isinstance(part, str) else list(part)
        text = "\n".join(lines).encode("utf-8", "surrogatepass")
        found.update(b"%d %d %d\n" % (isinstance(part, str), len(lines), len(text)))
        found.update(text)
    return found.hexdigest()


def _find_key(environment: Mapping[str, str]) -> bytes | None:
    """Return the key that signs entries: from the environment, or this user's own, made on first use."""
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
    """Make the folder of a cache: private, and nothing that git would take in."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileExistsError), os.fdopen(os.open(folder / ".gitignore", _CREATE, 0o600), "w") as file:
        file.write("*\n")


def _read(path: Path, most: int) -> bytes:
    """Return the bytes of a plain file; raises OSError, and ValueError where it is none or has more."""
    with os.fdopen(os.open(path, _READ), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            raise ValueError("no plain file of that size")
        return file.read(most)


def _write(folder: Path, path: Path, data: bytes) -> None:
    """Write a file whole or not at all, whoever else writes or reads it."""
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
    """Yield time, size and name of each entry; what was left unfinished an hour ago is deleted."""
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                if _ENTRY.match(entry.name):
                    yield status.st_mtime, status.st_size, entry.name
                elif _UNFINISHED.match(entry.name) and now - status.st_mtime > _HOUR_S:
                    Path(entry.path).unlink()
