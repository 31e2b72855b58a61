"""What many tests need: files on disk, and the program run inside this process."""

import compileall
import fcntl
import gc
import hashlib
import linecache
import os
import pickle
import signal
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import HealthCheck, settings

import auditor
from auditor.cli import main
from auditor.engine import workers
from auditor.engine.child import Bounds, Task
from auditor.engine.load import read_device
from auditor.inputs.detection import identify_file
from auditor.util.codec import make_codec

Files = Mapping[str, str | bytes]
Run = Callable[..., tuple[int, str, str]]
Once = Callable[[str, Callable[[Path], None]], Path]


# A machine under load is slow, not wrong: no example has a deadline. In the gate the examples follow from the code
# alone (Hypothesis's own profile for CI), so that a commit fails by its own change; they are the same in each run, and
# half as many. Elsewhere they are new in each run, which is how faults come to light.
_IS_GATE = "CI" in os.environ
settings.register_profile(
    "roce-audit",
    parent=settings.get_profile("ci" if _IS_GATE else "default"),
    max_examples=50 if _IS_GATE else 100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("roce-audit")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program, where the environment forbids Python to keep what it compiles: tests start it often.

    A job in the background of a shell ignores SIGINT, and so would the programs that tests start and interrupt.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(auditor.__path__[0]), quiet=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests so that all workers are busy to the end; with `--dist worksteal` each begins with an equal share.

    The last worker begins with those that wait for others, while the rest compute. Then come long ones: one that starts
    last leaves all idle. Then those that start child processes: a worker grows with each test, and a fork takes as long
    as it is large.
    """
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waiting, long, forking, others = ([item for item in items if _rank(item) == rank] for rank in range(4))
    rest = iter(others)
    shares = [[*long[number::count], *forking[number::count]] for number in range(count)]
    shares[-1][:0] = waiting
    size = len(items) // count
    items[:] = [item for share in shares for item in (*share, *islice(rest, max(0, size - len(share))))]
    items += rest


def _rank(item: pytest.Item) -> int:
    marks = enumerate(("waits", "long", "children"))
    return next((rank for rank, mark in marks if item.get_closest_marker(mark)), 3)


def pytest_collection_finish() -> None:
    """Take what was collected out of the garbage collector's sight: it would walk all tests and modules again."""
    linecache.clearcache()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def _without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test work everything out anew: by a key that is too short, nothing is kept."""
    monkeypatch.setenv("ROCE_AUDIT_CACHE_KEY", "")


class _InOneProcess:
    """What stands for the pool of child processes: the same answers, from this process."""

    def __init__(self, task: Task, bounds: Bounds, jobs: int) -> None:
        del bounds, jobs
        self._task = task

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: there is no child."""

    def answer_all(self) -> Iterator[tuple[int, str]]:
        """Yield the index of each item and its encoded answer; raise what the item raises."""
        for index, thing in enumerate(self._task.things):
            yield index, _answer(self._task, thing)


def _answer(task: Task, thing: Any) -> str:  # noqa: ANN401  an item of any task
    """Return the encoded answer to an item of *task*."""
    return make_codec(task.kind).encode(task.function(thing))


_KEPT: dict[Hashable, str] = {}
_SHARED: list[Path] = []
"""The folder, if there is one, in which the workers of this session keep for each other what they read."""


class _ReadOnce(_InOneProcess):
    """The same, where the answer about a file or a device that was asked for before in this session is kept.

    Both functions see nothing but their item; that they are pure is tested where nothing is kept.
    """

    def answer_all(self) -> Iterator[tuple[int, str]]:
        """Yield the index of each item and its encoded answer; raise what the item raises."""
        function = self._task.function
        given = (function.func, *function.keywords.items()) if isinstance(function, partial) else (function,)
        if given[0] not in {identify_file, read_device}:
            yield from super().answer_all()
            return
        for index, thing in enumerate(self._task.things):
            key = (given, thing)
            if key not in _KEPT:
                _KEPT[key] = _share(key, partial(_answer, self._task, thing))
            yield index, _KEPT[key]


def _share(key: Hashable, answer: Callable[[], str]) -> str:
    """Return what another worker keeps for *key*; else keep what *answer* gives for all of them."""
    kept = _SHARED[0] / hashlib.sha256(pickle.dumps(key)).hexdigest() if _SHARED else None
    if kept is None:
        return answer()
    if not kept.exists():
        unfinished = kept.with_name(f"{kept.name}.{os.getpid()}")
        unfinished.write_text(answer(), encoding="utf-8")
        unfinished.replace(kept)
    return kept.read_text(encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def _share_what_is_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        _SHARED[:] = [tmp_path_factory.getbasetemp().parent / "read"]
        _SHARED[0].mkdir(exist_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let audits start no child process, except in tests marked `children`: for fixtures of whole modules, too.

    A process that has run many tests is large, and forking it takes longer than a small audit. An exception that the
    guard of a child would turn into a problem fails the test.
    """
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("children") is None:
            kept = item.get_closest_marker("read_once") is not None
            patch.setattr(workers, "Pool", _ReadOnce if kept else _InOneProcess)
        return (yield)


@pytest.fixture(autouse=True)
def _on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an audit start worker processes by `--jobs` alone: the tests themselves take all cores."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return a function that makes a folder of a name once in the session, in the worker that needs it first."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def folder(name: str, make: Callable[[Path], None]) -> Path:
        ready = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not ready.exists():
                unfinished = tmp_path_factory.mktemp(name)
                make(unfinished)
                unfinished.rename(ready)
        return ready

    return folder


@pytest.fixture(scope="session", autouse=True)
def _end_the_process_of_the_sessions() -> Iterator[None]:
    """End the process that forks the sessions of all pulls: it would end with this one, its socket not closed."""
    yield
    if "auditor.collect.children" in sys.modules:
        running = sys.modules["auditor.collect.children"]._running
        while running:
            running.pop().close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Files], Path]:
    """Return what writes files below a fresh folder and returns that folder."""

    def files(given: Files) -> Path:
        root = tmp_path / "dumps"
        root.mkdir(exist_ok=True)
        for name, content in given.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return files


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs `roce-audit ARGUMENT…` and gives exit status, standard output and standard error."""

    def program(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            status = main([str(each) for each in arguments])
        except SystemExit as end:  # argparse leaves so
            status = int(end.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return program
