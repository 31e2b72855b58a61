"""The second corpus and the small reproductions beside it: no file ends in a traceback; skipped without them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

Run = Callable[..., tuple[int, str, str]]
SHARED = Path(__file__).parents[2] / "shared"
FOLDERS = ("corpus2/switch", "corpus2/nic", "cases")
NO_DUMPS = {"MANIFEST.csv", "README.md"}
pytestmark = [
    pytest.mark.read_once,
    pytest.mark.skipif(not SHARED.is_dir(), reason="no shared material lies beside this checkout"),
]


def files() -> list[ParameterSet]:
    """Return the files as parameters."""
    found = []
    for path in sorted(path for folder in FOLDERS for path in (SHARED / folder).rglob("*")):
        if path.is_file() and path.name not in NO_DUMPS:
            name = path.relative_to(SHARED).as_posix()
            found.append(pytest.param(path, id=name))
    return found


def document(run: Run, *arguments: object) -> dict[str, object]:
    """Return the JSON that a command prints."""
    status, out, err = run(*arguments)
    assert status in {0, 1, 2}
    assert "Traceback" not in err
    found: dict[str, object] = json.loads(out)
    return found


@pytest.mark.parametrize("path", files())
def test_no_file_ends_in_a_traceback(run: Run, path: Path) -> None:
    """Each command prints a whole document, and the coverage has each line of the file at most once."""
    document(run, "check", "--format", "json", path)
    document(run, "show", path)
    dumps = document(run, "show", "--coverage", "--format", "json", path)["dumps"]
    assert isinstance(dumps, list)
    text = path.read_text(encoding="utf-8", errors="replace")
    for dump in dumps:
        numbers = [number for number, _ in dump["lines"]]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) in {text.count("\n"), text.count("\n") + 1}
