"""Where the gate is run: what `init` writes and says, the GitHub action's own steps, and the hook of pre-commit."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.intent import declared

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[1]
LEAF = """\
hostname {name}
feature lldp
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos SORT
  class RDMA
    set qos-group 3
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
system qos
  service-policy type network-qos LOSSLESS
interface Ethernet1/1
  service-policy type qos input SORT
  priority-flow-control mode on
  no shutdown
"""


@pytest.fixture
def fabric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "a b"
    (root / "fabric").mkdir(parents=True)
    for name in ("leaf1", "leaf2"):
        (root / "fabric" / f"{name}.cfg").write_text(LEAF.format(name=name))
    monkeypatch.chdir(root)
    return root


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.org", *arguments], cwd=folder, check=True)


def test_init_writes_an_intent_that_holds(run: Run, fabric: Path) -> None:
    status, out, _ = run("init", "fabric")
    assert status == 0
    text = (fabric / "fabric" / "roce-audit.yaml").read_text()
    found = declared("roce-audit.yaml", text)
    assert found.general.declared
    assert [traffic.name for traffic in found.general.traffic] == ["RDMA"]
    assert "dscp: [26], priority: 3, lossless: true" in text
    assert "# lossless priorities 3: 2 of 2 ports with PFC on" in text
    last = out.splitlines()[-1].strip()
    assert shlex.split(last)[:3] == ["roce-audit", "check", "fabric"]
    assert run("init", "fabric")[0] == 2
    assert run("init", "fabric", "--force")[0] == 0


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "nothing to audit"),
        ({"a.cfg": "hostname a\nfeature lldp\ninterface Ethernet1/1\n  no shutdown\n"}, "no intent can be inferred"),
    ],
)
def test_init_without_anything_to_go_by(run: Run, tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    status, _, err = run("init", tmp_path)
    assert (status, said in err) == (2, True)
    assert not (tmp_path / "roce-audit.yaml").exists()
    assert run("init", tmp_path / "nowhere")[0] == 2


def test_init_writes_through_no_symlink(run: Run, fabric: Path, tmp_path: Path) -> None:
    (fabric / "fabric" / "roce-audit.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert run("init", "fabric", "--force")[0] == 2
    assert not (tmp_path / "elsewhere.yaml").exists()


def program(folder: Path) -> Path:
    """Make the program that the tests run findable as roce-audit."""
    folder.mkdir()
    script = folder / "roce-audit"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m auditor.cli "$@"\n')
    script.chmod(0o755)
    return folder


def test_the_action_audits_a_pull_request(fabric: Path, tmp_path: Path) -> None:
    """Its second step runs under bash as GitHub runs it; the first one installs, which the wheel's own test shows."""
    git(fabric, "init", "-q", "-b", "main")
    git(fabric, "add", "-A")
    git(fabric, "commit", "-qm", "base")
    leaf = fabric / "fabric" / "leaf1.cfg"
    leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "audit")
    assert "${{" not in step["run"]  # what a pull request names never becomes a part of a script
    bin_folder = program(tmp_path / "bin")
    files = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    asked = {"AUDIT_PATH": "fabric", "AUDIT_BASE": "main", "AUDIT_FAIL_ON": "error", "AUDIT_CONFIG_FROM": "head"}
    assert set(asked) == set(step["env"])
    path = f"{bin_folder}:{os.environ['PATH']}"
    environment = {**os.environ, **files, **asked, "RUNNER_TEMP": str(tmp_path), "PATH": path}
    environment["PYTHONPATH"] = str(ROOT)
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, env=environment, cwd=fabric, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("::error ")) == (1, 1), done.stderr
    assert "1 new error" in Path(files["GITHUB_STEP_SUMMARY"]).read_text()
    told = dict(line.split("=", 1) for line in Path(files["GITHUB_OUTPUT"]).read_text().splitlines())
    assert set(told) == set(action["outputs"])
    assert all(Path(file).is_file() for file in told.values())
    environment["AUDIT_BASE"] = "$(touch x)`touch x`"
    done = subprocess.run(command, env=environment, cwd=fabric, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert not (fabric / "x").exists()


def test_the_hook_of_pre_commit(run: Run, fabric: Path) -> None:
    """What the hook's manifest runs, in a repository as pre-commit leaves it."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {"id", "name", "entry", "language"} <= set(hook)
    git(fabric, "init", "-q")
    git(fabric, "add", "-A")
    git(fabric, "commit", "-qm", "base")
    command = [*hook["entry"].split(), *hook["args"]]
    assert run(*command[1:])[0] == 0
    leaf = fabric / "fabric" / "leaf1.cfg"
    leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
    assert run(*command[1:])[0] == 1
