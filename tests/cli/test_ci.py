"""Where the gate is run: what `init` writes and says, and what each service and pre-commit is told to run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.intent import parse_intent

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
LEAF = """\
hostname {name}
feature lldp
policy-map type qos SORT
  class RDMA
    set qos-group 3
class-map type qos match-any RDMA
  match dscp 26
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
    found = parse_intent("roce-audit.yaml", text)
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


@pytest.fixture
def merge_request(fabric: Path) -> str:
    """Break a leaf on a branch of a repository whose `origin/main` is sound; return the commit they part at."""
    (fabric / "fabric").rename(fabric / "configs")
    git(fabric, "init", "-q", "-b", "main")
    git(fabric, "add", "-A")
    git(fabric, "commit", "-qm", "base")
    git(fabric, "update-ref", "refs/remotes/origin/main", "HEAD")
    leaf = fabric / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
    git(fabric, "commit", "-qam", "change")
    done = subprocess.run(["git", "rev-parse", "HEAD~"], cwd=fabric, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def shell(line: str, folder: Path, bin_folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), **variables}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", line]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def test_the_template_of_gitlab_audits_a_merge_request(fabric: Path, tmp_path: Path, merge_request: str) -> None:
    """With its inputs filled in as GitLab does, its script runs under bash; its `before_script` only installs."""
    head, body = (ROOT / "roce-audit.gitlab-ci.yml").read_text().split("\n---\n")
    inputs = yaml.safe_load(head)["spec"]["inputs"]
    given = yaml.safe_load(readme("yml", "roce-audit.gitlab-ci.yml"))["include"][0]["inputs"]
    assert set(given) <= set(inputs)
    values = {name: given.get(name, each.get("default")) for name, each in inputs.items()}
    assert None not in values.values()
    for name, value in values.items():
        assert f"$[[ inputs.{name} ]]" in body
        body = body.replace(f"$[[ inputs.{name} ]]", value)
    job = yaml.safe_load(body)["roce-audit"]
    assert not any("$[[" in line for line in (*job["script"], *job["before_script"]))
    base = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": merge_request}
    done = shell("\n".join(job["script"]), fabric, program(tmp_path / "bin"), **job["variables"], **base)
    assert (done.returncode, "1 new error" in done.stdout) == (1, True), done.stderr
    reports = job["artifacts"]["reports"]
    assert "CLS004" in (fabric / reports["codequality"]).read_text()
    assert "CLS004" in (fabric / reports["junit"]).read_text()


@pytest.mark.usefixtures("merge_request")
@pytest.mark.parametrize("service", ["Jenkins", "Buildkite"])
def test_other_services_run_one_line(fabric: Path, tmp_path: Path, service: str) -> None:
    if service == "Jenkins":
        line = re.findall(r"^ +sh '(.*)'$", readme("groovy", "pipeline"), re.MULTILINE)[0]
    else:
        line = yaml.safe_load(readme("yml", "artifact_paths"))["steps"][0]["command"].replace("$$", "$")
    done = shell(line, fabric, program(tmp_path / "bin"))
    assert (done.returncode, "1 new error" in done.stdout) == (1, True), done.stderr
    assert "CLS004" in (fabric / "junit.xml").read_text()


def readme(language: str, holds: str) -> str:
    """Return the README's block in *language* that holds a word."""
    blocks: list[str] = re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (found,) = (block for block in blocks if holds in block)
    return found


@pytest.mark.long
def test_pre_commit_stops_a_commit(fabric: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pre-commit itself installs the hook from a repository of the product, and git asks it at each commit."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    product = tmp_path / "product"
    for name in ("auditor", "rules"):
        shutil.copytree(ROOT / name, product / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, product)
    git(product, "init", "-q")
    git(product, "add", "-A")
    git(product, "commit", "-qm", "product")
    (fabric / "fabric").rename(fabric / "configs")
    git(fabric, "init", "-q")
    text = readme("yml", "- repo:").replace("https://example.org/roce-audit", str(product)).replace("REVISION", "HEAD")
    (fabric / ".pre-commit-config.yaml").write_text(text)
    pre_commit = [sys.executable, "-m", "pre_commit"]
    subprocess.run([*pre_commit, "autoupdate", "--bleeding-edge"], cwd=fabric, check=True)  # HEAD becomes its revision
    git(fabric, "add", "-A")
    git(fabric, "commit", "-qm", "base")
    subprocess.run([*pre_commit, "install"], cwd=fabric, check=True)
    leaf = fabric / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
    git(fabric, "add", "-A")
    commit = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "change"]
    done = subprocess.run(commit, cwd=fabric, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert (done.returncode, "CLS004" in said, "1 new error" in said) == (1, True, True), said
    leaf.write_text(LEAF.format(name="leaf1") + "  description uplink\n")
    git(fabric, "add", "-A")
    done = subprocess.run(commit, cwd=fabric, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
