"""What many tests need: files on disk, and the program run inside this process."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.cli import main

Files = Mapping[str, str | bytes]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test work everything out anew: by a key that is too short, nothing is kept."""
    monkeypatch.setenv("ROCE_AUDIT_CACHE_KEY", "")


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
