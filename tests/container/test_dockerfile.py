"""The Dockerfile, held to hadolint and to what the page of the container promises."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "docs" / "container" / "Dockerfile"
TEXT = DOCKERFILE.read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "pages" / "how-to" / "container.md").read_text(encoding="utf-8")


def hadolint(file: Path) -> int:
    """Return the exit status of hadolint."""
    program = Path(sys.executable).with_name("hadolint")
    return subprocess.run([program, file], check=False, capture_output=True).returncode


def test_hadolint_finds_nothing(tmp_path: Path) -> None:
    assert hadolint(DOCKERFILE) == 0
    worse = tmp_path / "Dockerfile"
    worse.write_text(
        TEXT.replace("python:3.13-slim", "python:latest").replace("${BASE}", "python:latest"), encoding="utf-8"
    )
    assert hadolint(worse) != 0


def test_the_page_names_what_the_file_says() -> None:
    (user,) = re.findall(r"^USER (\d+):\1$", TEXT, re.MULTILINE)
    (folder,) = re.findall(r"^WORKDIR (.*)$", TEXT.partition("--from=build")[2], re.MULTILINE)
    assert f"user {user}" in PAGE
    assert f"`{folder}`, read-only" in PAGE
    assert "docker build --file docs/container/Dockerfile --tag roce-audit ." in PAGE
    assert "docker build --file docs/container/Dockerfile --tag roce-audit ." in TEXT
