"""The README's examples are true: each command of a console block is run and prints what stands below it."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from auditor.checks.catalogue import load_rules
from auditor.cli import main
from auditor.intent import parse_intent

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```console\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (match[1], match[2])
    for block in BLOCKS
    for match in re.finditer(r"^\$ roce-audit (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(
    command: str, expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the README shortens the output by a line of three dots, any lines may stand."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "fixtures" / "python-checks")])
    main(shlex.split(command))
    printed = capsys.readouterr().out
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in expected.splitlines())
    assert re.fullmatch(pattern, printed), printed


def test_the_session_with_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    (session,) = re.findall(r"^```pycon\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))
    assert test.examples


def test_there_are_examples_of_the_main_job() -> None:
    assert any(command.startswith("check fixtures/fabric") for command, _ in EXAMPLES)


def test_intent_of_the_readme_is_valid() -> None:
    expected, intent, by_preset, levels, ignores, own_rule, python_rule = re.findall(
        r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL
    )
    found = parse_intent("README.md", intent + levels + ignores + expected)
    assert (len(found.owners), len(found.campaigns), len(found.roles)) == (2, 1, 3)
    assert found.expected
    assert found.general.declared
    off = [rule for rule in load_rules() if rule.pack == "watchdog" or rule.file.name == "headroom-too-small"]
    assert len(load_rules(parse_intent("README.md", by_preset).tuning)) == len(load_rules()) - len(off)
    assert own_rule == (ROOT / "fixtures/custom-rules/rdma-queue-short-of-bandwidth.yaml").read_text(encoding="utf-8")
    assert python_rule == (ROOT / "fixtures/python-checks/rules/kmin-of-a-slower-port.yaml").read_text(encoding="utf-8")
    assert [ignore.rules for ignore in found.ignores] == [("WDG001",)]


def test_the_check_in_python_is_the_one_that_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert code.strip() in (ROOT / "fixtures/python-checks/our_site/checks.py").read_text(encoding="utf-8")


def test_set_up_is_two_commands_with_environments_of_their_own() -> None:
    commands = re.findall(r"^\$ (python3 -m venv (\S+) && .*)$", TEXT, re.MULTILINE)
    assert [environment for _, environment in commands] == [".venv", ".venv-test"]
