"""The examples of the README and of the site are true: each command of a console block is run and prints its output."""

import contextlib
import doctest
import io
import re
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from auditor.checks.catalogue import load_rules
from auditor.cli import main
from auditor.cli.commands import build_parser
from auditor.intent import make_schema, parse_intent
from auditor.report.formats import FORMATS
from auditor.systems import systems

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pages"
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", *sorted(FOLDER.rglob("*.md")))
}
README = PAGES["README.md"]
MOST_LINES = 150


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in *language*."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return found


def page(name: str) -> str:
    return PAGES[f"docs/pages/{name}.md"]


def examples() -> Iterator[tuple[str, str, str]]:
    """Yield each command with its page and the output that the page shows."""
    for name, text in PAGES.items():
        for block in blocks(text, "console"):
            for match in re.finditer(r"^\$ roce-audit (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                yield name, match[1], match[2]


EXAMPLES = list(examples())
SHELL = [
    (name, line.partition("#")[0].strip())
    for name, text in PAGES.items()
    for block in blocks(text, "sh")
    for line in block.splitlines()
    if re.match(r"roce-audit \w", line)
]


@cache
def run(command: str) -> str:
    """Return what a command prints in the top folder; several pages show the same one."""
    out = io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(shlex.split(command))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "command", "expected"), EXAMPLES, ids=[f"{name}: {line}" for name, line, _ in EXAMPLES]
)
def test_example(name: str, command: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a page shortens the output by a line of three dots, any lines may stand."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "fixtures" / "python-checks")])
    printed = run(command)
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in expected.splitlines())
    assert expected, f"{name} shows no output"
    assert re.fullmatch(pattern, printed), printed


@pytest.mark.parametrize(("name", "line"), SHELL, ids=[f"{name}: {line}" for name, line in SHELL])
def test_the_parser_takes_a_line_for_the_shell(name: str, line: str) -> None:
    words = shlex.split(re.split(r"\s[<>|]", line)[0])[1:]
    assert callable(build_parser().parse_args(words).run), name


def test_the_session_with_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    (session,) = blocks(page("how-to/notebook"), "pycon")
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(session, {}, "notebook.md", "notebook.md", 0)
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))
    assert test.examples


def test_the_readme_shows_the_main_job_and_is_short() -> None:
    assert any(name == "README.md" and command == "check fixtures/fabric" for name, command, _ in EXAMPLES)
    assert len(README.splitlines()) <= MOST_LINES


def test_each_guide_begins_with_a_command() -> None:
    """The goal, then a command that works, before the first heading of a section."""
    guides = {name: text for name, text in PAGES.items() if "/how-to/" in name and not name.endswith("how-to/index.md")}
    assert len(guides) > 20
    without = [name for name, text in guides.items() if "```" not in text.partition("\n## ")[0]]
    assert without == []


def test_the_intents_of_the_pages_are_valid() -> None:
    intent, by_preset = blocks(page("how-to/declare-the-intent"), "yaml")
    (levels,) = blocks(page("how-to/sites-and-campaigns"), "yaml")
    (ignores,) = blocks(page("how-to/suppress-a-finding"), "yaml")
    (expected,) = blocks(page("how-to/audit-dumps"), "yaml")
    (retired,) = blocks(page("how-to/gates/index"), "yaml")
    found = parse_intent("page", intent + levels + ignores + expected + retired)
    assert (len(found.owners), len(found.campaigns), len(found.roles)) == (2, 1, 3)
    assert found.expected
    assert found.general.declared
    assert [ignore.rules for ignore in found.ignores] == [("WDG001",)]
    off = [rule for rule in load_rules() if rule.pack == "watchdog" or rule.file.name == "headroom-too-small"]
    assert len(load_rules(parse_intent("page", by_preset).tuning)) == len(load_rules()) - len(off)


def test_files_that_pages_quote_are_those_of_the_repository() -> None:
    fixtures = ROOT / "fixtures"
    for name, file in (
        ("how-to/own-rules", "custom-rules/rdma-queue-short-of-bandwidth.yaml"),
        ("how-to/python-checks", "python-checks/rules/kmin-of-a-slower-port.yaml"),
        ("reference/inventory", "inventory/fabric.yaml"),
    ):
        assert blocks(page(name), "yaml") == [(fixtures / file).read_text(encoding="utf-8")]
    (code,) = blocks(page("how-to/python-checks"), "python")
    assert code.strip() in (fixtures / "python-checks/our_site/checks.py").read_text(encoding="utf-8")


def test_the_readme_has_every_system_with_its_depth() -> None:
    rows = dict(re.findall(r"^\| (.*?) \| (full|basic) \| (?:yes|no) \|$", README, re.MULTILINE))
    shown = {name.partition(" (NVIDIA, Broadcom")[0]: depth for name, depth in rows.items()}
    assert shown == {system.name: system.depth.value for system in systems().values()}
    live = re.findall(r"^\| .* \| (?:full|basic) \| yes \|$", README, re.MULTILINE)
    assert len(live) == sum(system.login is not None for system in systems().values())


def test_the_page_of_formats_has_every_format() -> None:
    assert [name for name in FORMATS if f"| `{name}` |" not in page("reference/formats")] == []


def test_the_page_of_the_intent_has_every_key() -> None:
    keys = set(make_schema()["properties"]) - {"schema"}
    assert [key for key in sorted(keys) if not re.search(rf"`{key}[:`]", page("reference/intent"))] == []


def test_set_up_is_two_commands_with_environments_of_their_own() -> None:
    commands = re.findall(r"^\$ (python3 -m venv (\S+) && .*)$", README, re.MULTILINE)
    assert [environment for _, environment in commands] == [".venv", ".venv-test"]


def test_no_page_installs_the_program_from_an_index() -> None:
    """It is not published there, so any package of that name would be another one."""
    lines = [line for text in PAGES.values() for line in text.splitlines() if "pip install" in line]
    assert lines
    assert [line for line in lines if re.search(r"pip install.*roce-auditor", line)] == []


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    """MkDocs resolves the links between pages; these are read in the repository as well."""
    for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        found = re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", text)
        missing = [target for target in found if not (ROOT / target).exists() and "docs/images/" not in target]
        assert missing == [], name
