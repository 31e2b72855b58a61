"""A file of somebody else in the place of the store: it neither raises nor hangs, runs nothing, and gives nothing."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.engine import store
from auditor.engine.cache import Cache, compute_digest

SECRET = b"k" * 32
NAME = compute_digest("a")
Damage = Callable[[Path], None]


def get(kept: Cache) -> str | None:
    return dict(kept.recall([NAME])).get(NAME)


def put(kept: Cache) -> None:
    kept.put(NAME, "text")
    kept.flush()


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_noise(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(255 - byte for byte in data[100:]))


def no_database(path: Path) -> None:
    path.write_bytes(b"x" * 10_000)


def a_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_symlink(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def a_symlink_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def endless(path: Path) -> None:
    os.truncate(path, store.MAX_FILE_BYTES + 1)


def for_others_to_write(path: Path) -> None:
    path.chmod(0o666)


def without_table(path: Path) -> None:
    change(path, "DROP TABLE results")


def with_a_trigger(path: Path) -> None:
    change(path, "CREATE TRIGGER more AFTER INSERT ON results BEGIN DELETE FROM results; END")


def with_a_view(path: Path) -> None:
    rows = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x, x, x FROM n"
    change(path, "DROP TABLE results", f"CREATE VIEW results(name, used, size, signed) AS {rows}")


def with_a_default_that_runs(path: Path) -> None:
    text = "CREATE TABLE results (name TEXT, used INTEGER, size INTEGER DEFAULT (load_extension('x')), signed BLOB)"
    change(path, "DROP TABLE results", text)


def with_an_index_on_an_expression(path: Path) -> None:
    change(path, "CREATE INDEX more ON results(abs(size))")


def with_a_schema_that_lies(path: Path) -> None:
    change(path, "UPDATE sqlite_master SET rootpage = 1 WHERE type = 'table'")


def with_a_schema_that_breaks_off(path: Path) -> None:
    change(path, "UPDATE sqlite_master SET sql = 'CREATE TABLE results (' WHERE type = 'table'")


def with_a_journal(path: Path) -> None:
    """Put a journal beside the store, which names a file that SQLite would delete."""
    victim = path.with_name("victim")
    victim.write_text("")
    name = str(victim).encode()
    tail = len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big") + bytes.fromhex("d9d505f920a163d7")
    head = bytes.fromhex("d9d505f920a163d7") + bytes(8) + (1).to_bytes(4, "big") + (512).to_bytes(4, "big")
    text = (head + (4096).to_bytes(4, "big")).ljust(512, b"\0") + bytes(4) + name + tail
    path.with_name(f"{path.name}-journal").write_bytes(text)


def with_strange_files_beside(path: Path) -> None:
    path.with_name(f"{path.name}-wal").symlink_to("victim")
    os.mkfifo(path.with_name(f"{path.name}-shm"))


def with_a_log_of_noise(path: Path) -> None:
    path.with_name(f"{path.name}-wal").write_bytes(os.urandom(100_000))
    path.with_name(f"{path.name}-shm").write_bytes(os.urandom(32_768))
    path.write_bytes(b"")


DAMAGE: tuple[Damage, ...] = (
    truncated,
    emptied,
    of_noise,
    no_database,
    a_fifo,
    a_symlink,
    a_symlink_to_nothing,
    endless,
    for_others_to_write,
    without_table,
    with_a_trigger,
    with_a_view,
    with_a_default_that_runs,
    with_an_index_on_an_expression,
    with_a_schema_that_lies,
    with_a_schema_that_breaks_off,
    with_a_journal,
    with_strange_files_beside,
    with_a_log_of_noise,
    Path.unlink,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a store with one row."""
    kept = Cache(tmp_path, SECRET)
    put(kept)
    kept.close()
    (found,) = tmp_path.glob("results-*")
    return found


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_not_our_own_is_none(damage: Damage, path: Path) -> None:
    damage(path)
    start = time.process_time()
    kept = Cache(path.parent, SECRET)
    assert get(kept) is None
    put(kept)
    assert get(kept) == "text"
    kept.close()
    assert time.process_time() - start < 5
    assert not path.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o600
    assert get(Cache(path.parent, SECRET)) == "text"
    if damage is with_a_journal:
        assert path.with_name("victim").exists()


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_write_into_a_file_that_is_not_our_own(damage: Damage, path: Path) -> None:
    damage(path)
    kept = Cache(path.parent, SECRET)
    put(kept)
    kept.close()
    assert get(kept) == "text"


def test_a_folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()
    kept = Cache(path.parent, SECRET)
    put(kept)
    assert get(kept) is None
    kept.close()


def test_what_a_file_could_run_is_denied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the comparison of the schema is passed."""
    monkeypatch.setattr(store.Store, "_prepare", prepare_unlike)
    with_a_trigger(path)
    kept = Cache(path.parent, SECRET)
    kept.put(compute_digest("b"), "other")
    kept.close()
    assert get(kept) is None  # the file was deleted at the first statement that was denied
    with_view = Cache(path.parent, SECRET)
    put(with_view)
    with_view.close()
    with_a_view(path)
    start = time.process_time()
    assert get(with_view) is None
    assert time.process_time() - start < 5


def prepare_unlike(self: store.Store, connection: sqlite3.Connection) -> bool:
    """Bound *connection*, and take any schema for our own."""
    connection.set_progress_handler(lambda: time.monotonic() > self._end, 10_000)
    connection.set_authorizer(store._permit)
    return True


def test_an_endless_statement_ends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_STEP_S", 0.2)
    monkeypatch.setattr(store, "_permit", lambda *_: sqlite3.SQLITE_OK)
    monkeypatch.setattr(store, "_SCHEMA", [("view", "results", None)])
    with_a_view(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        ((text,),) = connection.execute("SELECT sql FROM sqlite_master")
    monkeypatch.setattr(store, "_SCHEMA", [("view", "results", text)])
    start = time.process_time()
    assert get(Cache(path.parent, SECRET)) is None
    assert time.process_time() - start < 5


def test_a_file_that_another_process_has_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WAIT_S", 0.1)
    kept = Cache(path.parent, SECRET)
    other = compute_digest("b")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert get(kept) == "text"
        kept.put(other, "other")
        kept.flush()
        connection.execute("COMMIT")
    kept.close()
    assert get(kept) == "text"
    assert not dict(kept.recall([other]))
    kept.put(other, "other")
    kept.close()
    assert dict(kept.recall([other])) == {other: "other"}


def test_without_shared_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network file system has none: the journal is kept in memory."""
    connect = sqlite3.connect

    class Remote(sqlite3.Connection):
        def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
            if statement.endswith("journal_mode = WAL"):
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(statement, *more)  # type: ignore[arg-type]

    def connect_remotely(*given: str, **named: object) -> sqlite3.Connection:
        return connect(*given, **named, factory=Remote)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect_remotely)
    kept, second = Cache(tmp_path, SECRET), Cache(tmp_path, SECRET)
    put(kept)
    assert get(second) == "text"
    assert {path.suffix for path in tmp_path.iterdir()} == {".sqlite3", ""}
    second.close()
    kept.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read(path: Path) -> None:
    path.parent.chmod(0o500)
    kept = Cache(path.parent, SECRET)
    put(kept)
    kept.close()
    path.parent.chmod(0o700)
    assert get(kept) in {None, "text"}
