"""Bytes by name in one SQLite file, for several processes at once.

Anybody may have written the file: it is opened only where it is a plain file that no other user writes, its schema is
compared with our own, and SQLite is denied all but plain reads and writes of the one table. The caller signs each row
and trusts no other. No fault of the file or of the disk is raised; a file that is at fault is deleted.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import RLock
from typing import Final, TypeAlias

Row: TypeAlias = tuple[str, bytes]

MAX_FILE_BYTES = 2**29
WAIT_S = 5
"""How long a process waits for another one that writes; then it goes on without the store."""
MAX_STEP_S = 60
"""The most that one statement may take; an honest one takes a second."""
_DAY_S = 86_400
_PAGE_BYTES = 4096
_BATCH = 100
"""Rows that are read by one statement, so that few of them are in memory."""
_TABLE = (
    "CREATE TABLE results (name TEXT PRIMARY KEY NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, "
    "signed BLOB NOT NULL)"
)
_SCHEMA: Final = [("index", "sqlite_autoindex_results_1", None), ("table", "results", _TABLE)]
_BESIDE = ("-wal", "-shm", "-journal")
_FAULTS = (sqlite3.Error, OSError, TypeError, ValueError, OverflowError, MemoryError)
_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""Errors of the disk, the system or another process: the file itself may be sound."""
_WRITES = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
_HARMLESS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION})


class Store:
    """Rows in the file at *path*, each at most *most_row_bytes* long; the folder of the file exists before a write."""

    def __init__(self, path: Path, most_row_bytes: int) -> None:
        self._path = path
        self._most_row_bytes = most_row_bytes
        self._connection: sqlite3.Connection | None = None
        self._is_usable = True
        self._end = 0.0
        self._used: dict[str, int] = {}
        self._lock = RLock()

    def read(self, names: Sequence[str]) -> Iterator[Row]:
        """Yield the rows of those of *names* that have one."""
        for start in range(0, len(names), _BATCH):
            yield from self._read_batch(names[start : start + _BATCH])

    def write(self, rows: Mapping[str, bytes]) -> None:
        """Store *rows*, all of them or none."""
        now = int(time.time())
        listed = [(name, now, len(signed), signed) for name, signed in rows.items()]
        self._change("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", listed, makes=True)

    def trim(self, most: int) -> None:
        """Delete the rows that were not used for longest until the others have nine tenths of *most* bytes."""
        with self._lock:
            try:
                connection = self._open(makes=False)
                listed = connection.execute("SELECT rowid, size FROM results ORDER BY used DESC") if connection else ()
                sizes = [(number, size + _PAGE_BYTES) for number, size in listed if isinstance(size, int)]
            except _FAULTS as fault:
                self._give_up(fault)
                return
        total, room = 0, most if sum(size for _, size in sizes) <= most else most * 9 // 10
        gone = []
        for number, size in sizes:
            total += size
            gone += [(number,)] if total > room else []
        self._change("DELETE FROM results WHERE rowid = ?", gone)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            self._change(
                "UPDATE results SET used = ? WHERE name = ?", [(now, name) for name, now in self._used.items()]
            )
            self._used.clear()
            self._disconnect()
            self._is_usable = True

    def _read_batch(self, names: Sequence[str]) -> list[Row]:
        marks, now = ", ".join("?" * len(names)), int(time.time())
        with self._lock:
            try:
                connection = self._open(makes=False)
                query = f"SELECT name, signed, used FROM results WHERE name IN ({marks})"  # noqa: S608  marks alone
                found = _bound(connection.execute(query, names)) if connection else []
            except _FAULTS as fault:
                self._give_up(fault)
                return []
            self._used |= {name: now for name, _, used in found if used < now - _DAY_S}
        return [(name, signed) for name, signed, _ in found]

    def _change(self, statement: str, rows: Sequence[tuple[object, ...]], *, makes: bool = False) -> None:
        """Run *statement* for each of *rows* in one transaction; where the file is at fault, in a new one."""
        with self._lock:
            for _ in range(2 if rows else 0):
                try:
                    connection = self._open(makes=makes)
                    if connection is not None:
                        connection.execute("BEGIN IMMEDIATE")
                        connection.executemany(statement, rows)
                        connection.execute("COMMIT")
                except _FAULTS as fault:
                    self._give_up(fault)
                else:
                    return

    def _open(self, *, makes: bool) -> sqlite3.Connection | None:
        """Return the connection, None where there is no file that can be used; *makes* one where there is none."""
        self._end = time.monotonic() + MAX_STEP_S
        if self._connection is None and self._is_usable:
            for _ in range(2):
                if not self._is_own() and not (makes and self._make()):
                    return None
                self._connection = _connect(self._path, "rw")
                if self._prepare(self._connection):
                    break
                self._delete()
        return self._connection

    def _is_own(self) -> bool:
        """Return whether the file is there; delete one, and what lies beside it, that cannot be our own."""
        for ending in ("", *_BESIDE):
            path = self._path.with_name(self._path.name + ending)
            with suppress(FileNotFoundError):
                status = path.lstat()
                is_of_user = os.geteuid() in {0, status.st_uid}  # root in a container of CI gets files of its host
                is_private = is_of_user and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
                is_plain = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_FILE_BYTES
                if not (is_private and is_plain) or ending == "-journal":  # it may name a file that SQLite deletes
                    self._delete()
                    return False
        return self._path.exists()

    def _make(self) -> bool:
        """Make an empty store under another name, and give it the name of the store; of two processes one is first."""
        made = self._path.with_name(f"writing-{os.urandom(8).hex()}")
        try:
            os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            with closing(_connect(made, "rw")) as connection:
                connection.execute("PRAGMA journal_mode = MEMORY")
                connection.execute(_TABLE)
                with suppress(sqlite3.OperationalError):
                    connection.execute("PRAGMA journal_mode = WAL")
            with suppress(FileExistsError):
                os.link(made, self._path)
        finally:
            for ending in ("", *_BESIDE):
                made.with_name(made.name + ending).unlink(missing_ok=True)
        return True

    def _prepare(self, connection: sqlite3.Connection) -> bool:
        """Bound *connection*, and return whether the file has our schema."""
        connection.set_progress_handler(lambda: time.monotonic() > self._end, 10_000)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._most_row_bytes + _PAGE_BYTES)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
        for setting in (
            "trusted_schema = OFF",
            "cell_size_check = ON",
            "mmap_size = 0",
            "synchronous = OFF",  # what a loss of power damages is found, and computed again
            f"max_page_count = {MAX_FILE_BYTES // _PAGE_BYTES}",
            f"journal_size_limit = {MAX_FILE_BYTES // 16}",
        ):
            connection.execute(f"PRAGMA {setting}").fetchall()
        connection.set_authorizer(_permit)
        if connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type LIMIT 3").fetchall() != _SCHEMA:
            return False
        connection.set_authorizer(None)
        ((mode,),) = connection.execute("PRAGMA journal_mode")
        if mode != "wal":  # a network file system has no memory that processes share
            connection.execute("PRAGMA journal_mode = MEMORY").fetchall()
        connection.set_authorizer(_permit)
        return True

    def _give_up(self, fault: BaseException) -> None:
        """Leave the store aside after a fault of the disk; delete it where its content is at fault."""
        if isinstance(fault, sqlite3.Error):
            code = getattr(fault, "sqlite_errorcode", None)
            is_passing = code is not None and code & 0xFF in _PASSING
        else:
            is_passing = isinstance(fault, OSError | MemoryError)
        if is_passing:
            self._disconnect()
            self._is_usable = False
        else:
            self._delete()

    def _delete(self) -> None:
        self._disconnect()
        try:
            for ending in ("", *_BESIDE):
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        except OSError:
            self._is_usable = False

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=WAIT_S, isolation_level=None, check_same_thread=False)


def _bound(rows: Iterable[tuple[object, object, object]]) -> list[tuple[str, bytes, int]]:
    """Return *rows*; raises TypeError for other types than ours, ValueError for more than a file holds."""
    found, total = [], 0
    for name, signed, used in rows:
        if not (isinstance(name, str) and isinstance(signed, bytes) and isinstance(used, int)):
            raise TypeError("not a row of ours")
        total += len(signed)
        if total > MAX_FILE_BYTES:  # rows of a damaged file may share their pages
            raise ValueError("more than the file holds")
        found.append((name, signed, used))
    return found


def _permit(action: int, first: str | None, _second: str | None, _database: str | None, inner: str | None) -> int:
    """Permit plain reads and writes of our table, and deny what triggers, views and functions of a file would do."""
    is_read = action == sqlite3.SQLITE_READ and first in {"results", "sqlite_master"}
    is_ours = action in _HARMLESS or is_read or (action in _WRITES and first == "results")
    return sqlite3.SQLITE_OK if is_ours and inner is None else sqlite3.SQLITE_DENY
