"""What many tests need: files on disk, and the program run inside this process."""

import fcntl
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from auditor.cli import main

Files = Mapping[str, str | bytes]
Run = Callable[..., tuple[int, str, str]]
Once = Callable[[str, Callable[[Path], None]], Path]


# A machine under load is slow, not wrong: no example has a deadline. In the gate the examples follow from the code
# alone (Hypothesis's own profile for CI), so that a commit fails by its own change. Elsewhere they are new in each run,
# which is how faults come to light.
settings.register_profile(
    "roce-audit",
    parent=settings.get_profile("ci" if "CI" in os.environ else "default"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("roce-audit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests marked as long run first: one that starts last leaves the other workers idle."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True)
def _without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test work everything out anew: by a key that is too short, nothing is kept."""
    monkeypatch.setenv("ROCE_AUDIT_CACHE_KEY", "")


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
