"""The page that stands beside other tools: each command of ours runs, and each claim about others has its link."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pages" / "background" / "comparison.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")][1:]
COMMANDS = [command for *_, own in ROWS for command in re.findall(r"`roce-audit ([^`]+)`", own)]
pytestmark = [pytest.mark.read_once]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_ours_runs(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(ROOT)
    status, out, err = run(*shlex.split(command))
    assert status in {0, 1}, err
    assert out


def test_each_row_has_each_tool_and_what_we_have_is_shown() -> None:
    assert {len(row) for row in ROWS} == {8}
    assert [row[0] for row in ROWS if row[-1] != "\N{EN DASH}" and "`roce-audit " not in row[-1]] == []


def test_each_link_leads_somewhere_and_stays_as_it_was_read() -> None:
    links = dict(re.findall(r"^\[([a-z-]+)\]: (https://\S+)$", PAGE, re.MULTILINE))
    assert set(links) == set(re.findall(r"\]\[([a-z-]+)\]", PAGE))
    moving = [name for name, url in links.items() if "github.com" in url and not re.search(r"/blob/[0-9a-f]{40}/", url)]
    assert moving == []
