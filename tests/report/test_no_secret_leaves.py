"""No secret of a dump leaves the program: by a report, a warning, the port view, the cache, or a pulled file."""

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from plan_texts import get_text
from redaction_forms import HALVES, LEAST_LEAK, choose, list_leaks, read_forms

from auditor.collect.output import CommandOutput, classify_output
from auditor.collect.platforms import PullCommand, find_platform
from auditor.engine.cache import KEY
from auditor.inputs.cable_plans import FORMATS as PLANS
from auditor.inputs.cable_plans import PlanFormat
from auditor.inputs.filenames import CACHE_FOLDER
from auditor.report.formats import FORMATS

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
FORMS = [form for file in HALVES for form in read_forms(file)]
EXAMPLES = [choose(form, Random(form.template)) for form in FORMS]
SWITCH = """\
hostname leaf1
interface Ethernet1/1
  mtu 9216
  service-policy type qos input NOWHERE
  priority-flow-control mode on
"""
JOB = """\
apiVersion: v1
kind: Secret
metadata:
  name: x
stringData:
  NCCL_IB_TC: {secret}
  NCCL_IB_GID_INDEX: {secret}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  containers:
  - name: main
    env:
    - name: NCCL_IB_TC
      value: "106"
    - name: HF_TOKEN
      value: {secret}
"""
LEAST_QUOTES = 20
SECRET = "q7Zr2mXw9LtB4kPs"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with dumps of which every line holds a secret that a report may quote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "dumps").mkdir()
    doubtful = "".join(f"{example.text} priority-flow-control\n" for example in EXAMPLES if "\n" not in example.text)
    (tmp_path / "dumps" / "leaf1.cfg").write_text(f"{SWITCH}{doubtful}", encoding="utf-8")
    (tmp_path / "dumps" / "leaf2.cfg").write_text(SWITCH.replace("leaf1", "leaf2"), encoding="utf-8")
    (tmp_path / "dumps" / "job.yaml").write_text(JOB.format(secret=SECRET), encoding="utf-8")
    return tmp_path


def list_parts(text: str) -> set[str]:
    """Return all parts of *text* that are long enough for a leak."""
    return {text[start : start + LEAST_LEAK] for start in range(len(text) - LEAST_LEAK + 1)}


PARTS = set().union(*(list_parts(secret) for example in EXAMPLES for secret in example.secrets), list_parts(SECRET))


def assert_nothing_leaks(text: str) -> None:
    assert not PARTS & list_parts(text)


@pytest.mark.parametrize("kind", FORMATS)
def test_no_format_shows_a_secret(kind: str, run: Run, here: Path) -> None:
    status, out, err = run("check", "--format", kind, "--open", "--ignored", "--jobs", "1", "dumps")
    assert status in {1, 2}
    assert_nothing_leaks(out + err)
    (path,) = (here / CACHE_FOLDER).glob("*.sqlite3")
    with closing(sqlite3.connect(path)) as store:
        stored = [signed for (signed,) in store.execute("SELECT signed FROM results")]
    assert stored
    assert_nothing_leaks("".join(zlib.decompress(signed[32:]).decode() for signed in stored))


def test_lines_that_are_not_understood_are_quoted(run: Run, here: Path) -> None:
    """Guard the test above: the lines with secrets are in the report, without them."""
    _, out, _ = run("check", "--format", "json", "--jobs", "1", str(here / "dumps"))
    assert out.count("<redacted>") >= LEAST_QUOTES


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "dumps"),
        ("show", "--state", "dumps"),
        ("show", "--coverage", "dumps"),
        ("show", "--device", "leaf1", "dumps"),
        ("show", "--device", "leaf1", "--port", "Ethernet1/1", "dumps"),
        ("intent", "dumps"),
        ("intent", "--format=json", "dumps"),
        ("diff", "dumps/leaf1.cfg", "dumps/leaf2.cfg"),
        ("path", "leaf1", "leaf2", "dumps"),
        ("check", "--write-baseline", "-", "dumps"),
    ],
)
def test_no_command_shows_a_secret(arguments: tuple[str, ...], run: Run, here: Path) -> None:
    _, out, err = run(*arguments, "--jobs", "1", "--no-cache")
    assert out or err
    assert here.exists()
    assert_nothing_leaks(out + err)


@pytest.mark.parametrize("cut", [0, 1], ids=["whole", "cut"])
@pytest.mark.parametrize("kind", PLANS, ids=lambda kind: kind.plan.what)
def test_no_file_with_cables_shows_a_secret(kind: PlanFormat, cut: int, run: Run, here: Path) -> None:
    """Such files hold communities and passwords beside cables; an error quotes none of them."""
    text = get_text(kind)
    secret = text.hide(text.make(2), SECRET)
    assert SECRET in secret
    (here / "dumps" / text.file).write_text(secret[: len(secret) - cut * (len(secret) // 4)], encoding="utf-8")
    for form in ("terminal", "json"):
        status, out, err = run("check", "--format", form, "--jobs", "1", "--all", "dumps")
        assert status in {1, 2}
        assert text.file in out + err
        assert_nothing_leaks(out + err)


@pytest.mark.parametrize("system", ["nxos", "linux"])
def test_no_pulled_file_holds_a_secret(system: str) -> None:
    platform = find_platform(system)
    assert platform is not None
    command = PullCommand("show running-config", "the configuration")
    for example in EXAMPLES:
        result = classify_output(platform, command, command.template, CommandOutput(f"{example.text}\n"))
        assert list_leaks(result.text + result.why, example) == []
