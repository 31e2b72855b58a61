"""The examples in each command's help: the parser takes them, and they run on dumps, except the one that connects.

Those that need a terminal run in one elsewhere (`tests/report/browse`).
"""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli.commands import COMMANDS, EXAMPLES, build_parser

Run = Callable[..., tuple[int, str, str]]
FIXTURES = Path(__file__).parents[2] / "fixtures"
DEVICES = ("leaf1", "leaf3", "spine1", "host1", "host2", "host5.txt")
"""A part of a fabric that has the hosts of the examples, and a way between them."""
CONNECTS = "pull inventory.yaml -o dumps"
HELPS = ("help", "help check")
"""Examples that end the program with the text of `--help`."""
WITH_REPORT = "explain 3f2a91c04b77 --report report.json"
PLAN = json.dumps(
    {
        "schema": "roce-audit/fix/1",
        "fixes": [],
        "plan": [
            {
                "number": 1,
                "device": "leaf1",
                "os": "cisco_nxos",
                "causes": [],
                "text": "interface Ethernet1/1\n  mtu 9000\n",
            }
        ],
    }
)
IN_A_TERMINAL = tuple(f"browse {words}" for words in EXAMPLES["browse"])
NOT_RUN = {CONNECTS, *HELPS, WITH_REPORT, *IN_A_TERMINAL}


def _list_lines() -> list[str]:
    return [f"{name} {words}".rstrip() for name, examples in EXAMPLES.items() for words in examples]


def _split(line: str) -> list[str]:
    """Return the arguments of an example, without what the shell does with the output."""
    return shlex.split(re.split(r"\s[>|]", line)[0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the examples name."""
    made = tmp_path_factory.mktemp("examples")
    for name in ("dumps", "monday", "friday"):
        (made / name).mkdir()
        for device in DEVICES:
            source = FIXTURES / "fabric-clean" / device
            (shutil.copytree if source.is_dir() else shutil.copy)(source, made / name / device)
    shutil.copy(FIXTURES / "inventory" / "fabric.yaml", made / "inventory.yaml")
    shutil.copy(FIXTURES / "acceptance" / "pair.yaml", made / "rack.yaml")
    shutil.copy(FIXTURES / "verify" / "changes.yaml", made / "changes.yaml")
    first, *rest = (FIXTURES / "scenarios" / "incasts.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    sound = [line for line in rest if not line.startswith("thresholds swapped")]  # that row is there for its error
    (made / "links.csv").write_text("".join((first, *sound)), encoding="utf-8")
    return made


@pytest.fixture
def cause(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the id of a cause of report.json, which is written to *folder*."""
    monkeypatch.chdir(folder)
    run("check", FIXTURES / "faults" / "watchdog-not-started", "--output", "json=report.json")
    found: str = json.loads((folder / "report.json").read_text(encoding="utf-8"))["causes"][0]["id"]
    return found


def test_each_command_has_two_or_three_examples() -> None:
    assert EXAMPLES.keys() == {name for name, _, _ in COMMANDS}
    assert {name: len(examples) for name, examples in EXAMPLES.items() if not 2 <= len(examples) <= 3} == {}


@pytest.mark.parametrize("line", _list_lines())
def test_the_parser_takes_an_example(line: str) -> None:
    assert callable(build_parser().parse_args(_split(line)).run)


@pytest.mark.read_once
@pytest.mark.parametrize("line", [line for line in _list_lines() if line not in NOT_RUN])
def test_an_example_runs(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(folder)
    (folder / "dumps" / "roce-audit.yaml").unlink(missing_ok=True)
    if "plan/plan.json" in line:  # another example writes the plan of a fabric without faults there
        (folder / "plan").mkdir(exist_ok=True)
        (folder / "plan" / "plan.json").write_text(PLAN, encoding="utf-8")
    status, out, err = run(*_split(line))
    assert status in {0, 1}, err
    assert out


@pytest.mark.read_once
def test_the_example_with_a_report_runs(run: Run, cause: str) -> None:
    assert WITH_REPORT in _list_lines()
    assert run(*(cause if re.fullmatch("[0-9a-f]{12}", word) else word for word in _split(WITH_REPORT)))[0] == 0
