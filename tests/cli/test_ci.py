"""Where the gate is run: what `init` writes and says, and what each service and pre-commit is told to run.

Each template runs in a checkout whose author wants its own Python to run in place of the program.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.intent import parse_intent
from auditor.report.intent_file import SCHEMA_FILE

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
    assert text.startswith(f"# yaml-language-server: $schema=./{SCHEMA_FILE}\n")
    assert (fabric / "fabric" / SCHEMA_FILE).read_text() == run("schema", "intent")[1]
    assert "dscp: [26], priority: 3, lossless: true" in text
    assert "# lossless priorities 3: 2 of 2 ports with PFC on" in text
    last = out.splitlines()[-1].strip()
    assert shlex.split(last)[1:6] == ["-I", "-m", "auditor.cli", "check", "fabric"]
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


@pytest.mark.parametrize("name", ["roce-audit.yaml", SCHEMA_FILE])
def test_init_writes_through_no_symlink(run: Run, fabric: Path, tmp_path: Path, name: str) -> None:
    (fabric / "fabric" / name).symlink_to(tmp_path / "elsewhere.yaml")
    assert run("init", "fabric", "--force")[0] == 2
    assert not (tmp_path / "elsewhere.yaml").exists()


MODULES = ("venv", "ensurepip", "pip", "sitecustomize", "usercustomize", "yaml", "numpy", "json", "runpy", "subprocess")


@pytest.fixture
def canaries(fabric: Path, tmp_path: Path) -> Iterator[Path]:
    """Fill the checkout with Python, programs and reports of its author; no test ends with a trace of them."""
    traces = tmp_path / "traces"
    traces.mkdir()
    text = "open({path!r}, 'w').close()\n"
    for name in MODULES:
        (fabric / f"{name}.py").write_text(text.format(path=str(traces / name)))
    for name in (
        "auditor/__init__.py",
        "auditor/cli/__init__.py",
        "auditor/cli/__main__.py",
        "auditor/cli/commands.py",
    ):
        (fabric / name).parent.mkdir(parents=True, exist_ok=True)
        (fabric / name).write_text(text.format(path=str(traces / "auditor")))
    for name in ("python3", "python", "git", "pip", "roce-audit"):
        (fabric / name).write_text(f"#!/bin/sh\ntouch {shlex.quote(str(traces / name))}\n")
        (fabric / name).chmod(0o755)
    (fabric / "setup.cfg").write_text("[install]\nprefix = .\n")
    (fabric / "pip.conf").write_text("[global]\nindex-url = https://example.invalid/\n")
    (fabric / ".python-version").write_text("2.7.18\n")
    for name in ("junit.xml", "codequality.json"):
        (tmp_path / name).write_text("kept")
        (fabric / name).symlink_to(tmp_path / name)
    yield traces
    assert list(traces.iterdir()) == []
    assert {(tmp_path / name).read_text() for name in ("junit.xml", "codequality.json")} == {"kept"}


def test_the_canaries_sing(canaries: Path, fabric: Path) -> None:
    """Commands that are not isolated run what the checkout brought."""
    for command in ("-m pip --version", "-m venv x", "-m auditor.cli --version", "-c 'import yaml'"):
        done = shell(f"{shlex.quote(sys.executable)} {command}", fabric)
        names = {trace.name for trace in canaries.iterdir()}
        assert names & {"pip", "venv", "auditor", "yaml"}, (command, done)
        for trace in canaries.iterdir():
            trace.unlink()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a wheel that installs this source: its path, and those of what it needs."""
    wheel = tmp_path / "wheels" / "roce_auditor-0-py3-none-any.whl"
    wheel.parent.mkdir()
    info = "roce_auditor-0.dist-info"
    places = [str(ROOT), *(each for each in sys.path if each.endswith("-packages"))]
    files = {
        "roce_auditor.pth": "\n".join(places) + "\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: roce-auditor\nVersion: 0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


@pytest.fixture
def merge_request(fabric: Path) -> str:
    """Break a leaf on a branch of a repository whose `origin/main` is sound; return the commit they part at."""
    (fabric / "fabric").rename(fabric / "configs")
    git(fabric, "init", "-q", "-b", "main")
    git(fabric, "add", "configs")
    git(fabric, "commit", "-qm", "base")
    git(fabric, "update-ref", "refs/remotes/origin/main", "HEAD")
    leaf = fabric / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
    git(fabric, "add", "-A")
    git(fabric, "commit", "-qam", "change")
    done = subprocess.run(["git", "rev-parse", "HEAD~"], cwd=fabric, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Return what bash makes of *line*, in an environment that leads Python to the working folder, too."""
    kept = {name: os.environ[name] for name in ("HOME",) if name in os.environ}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**kept, "PATH": path, "PYTHONPATH": ".", "PIP_NO_INDEX": "1", **variables}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", line]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.usefixtures("canaries")
def test_the_action_audits_a_pull_request(fabric: Path, tmp_path: Path, merge_request: str, package: Path) -> None:
    """Both steps run under bash as GitHub runs them, in the checkout."""
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    install, audit = action["runs"]["steps"]
    for step in (install, audit):
        assert "${{" not in step["run"]  # what a pull request names never becomes a part of a script
    temp = tmp_path / "runner temp"
    temp.mkdir()
    done = shell(install["run"], fabric, RUNNER_TEMP=str(temp), ACTION=str(package))
    assert done.returncode == 0, done.stderr
    assert set(install["env"]) == {"ACTION"}
    asked = {"AUDIT_PATH": "configs", "AUDIT_REPO": ".", "AUDIT_FAIL_ON": "error", "AUDIT_CONFIG_FROM": "base"}
    asked["AUDIT_SUGGEST"] = "true"
    given = {name: action["inputs"][name].get("default") for name in ("repo", "fail-on", "config-from", "suggest")}
    assert given == {"repo": ".", "fail-on": "error", "config-from": "base", "suggest": "false"}
    assert {*asked, "AUDIT_BASE"} == set(audit["env"])

    def run(folder: Path, **more: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
        files = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            Path(file).write_text("")
        done = shell(audit["run"], folder, RUNNER_TEMP=str(temp), **{**asked, **more}, **files)
        return done, dict(line.split("=", 1) for line in Path(files["GITHUB_OUTPUT"]).read_text().splitlines())

    for base in ("origin/main", merge_request):
        done, told = run(fabric, AUDIT_BASE=base)
        assert (done.returncode, done.stdout.count("::error file=configs/leaf1.cfg,")) == (1, 1), done.stderr
        assert "1 new error" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
        assert set(told) == set(action["outputs"])
        assert all(Path(file).is_file() for file in told.values())
        results = json.loads(Path(told["sarif"]).read_text())["runs"][0]["results"]
        (result,) = (each for each in results if each["ruleId"] == "CLS004")
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "configs/leaf1.cfg", "uriBaseId": "%SRCROOT%"}
        (comment,) = json.loads(Path(told["review"]).read_text())["comments"]
        assert (comment["path"], comment["body"].endswith("\n\n```suggestion\n```")) == ("configs/leaf1.cfg", True)
    workspace = fabric.parent
    done, told = run(workspace, AUDIT_PATH=f"{fabric.name}/configs", AUDIT_REPO=fabric.name, AUDIT_BASE="origin/main")
    assert (done.returncode, done.stdout.count("::error file=configs/leaf1.cfg,")) == (1, 1), done.stderr
    done, told = run(fabric, AUDIT_BASE="", AUDIT_SUGGEST="false")
    assert (done.returncode, set(told)) == (1, {"sarif", "markdown"})
    for base in ("$(touch x)`touch x`", "nope", "--help"):
        done, told = run(fabric, AUDIT_BASE=base)
        assert (done.returncode, told) == (2, {})
    assert not (fabric / "x").exists()


@pytest.mark.long
@pytest.mark.usefixtures("canaries")
def test_the_template_of_gitlab_audits_a_merge_request(
    fabric: Path, tmp_path: Path, merge_request: str, package: Path
) -> None:
    """With its inputs filled in as GitLab does, both its scripts run in one shell."""
    head, body = (ROOT / "roce-audit.gitlab-ci.yml").read_text().split("\n---\n")
    inputs = yaml.safe_load(head)["spec"]["inputs"]
    given = yaml.safe_load(template("yml", "roce-audit.gitlab-ci.yml"))["include"][0]["inputs"]
    assert set(given) <= set(inputs)
    assert inputs["config-from"]["default"] == "base"
    values = {name: given.get(name, each.get("default")) for name, each in inputs.items()}
    assert None not in values.values()
    for name, value in values.items():
        assert f"$[[ inputs.{name} ]]" in body
        body = body.replace(f"$[[ inputs.{name} ]]", value)
    job = yaml.safe_load(body)["roce-audit"]
    lines = [*job["before_script"], *job["script"]]
    assert not any("$[[" in line for line in lines)
    variables = {**job["variables"], "AUDIT_PACKAGE": str(package), "TMPDIR": str(tmp_path)}
    done = shell("\n".join(lines), fabric, **variables, CI_MERGE_REQUEST_DIFF_BASE_SHA=merge_request)
    assert (done.returncode, "1 new error" in done.stdout) == (1, True), done.stderr
    reports = job["artifacts"]["reports"]
    issues = {each["check_name"][:6]: each for each in json.loads((fabric / reports["codequality"]).read_text())}
    assert issues["CLS004"]["location"]["path"] == "configs/leaf1.cfg"
    assert "CLS004" in (fabric / reports["junit"]).read_text()
    done = shell("\n".join(lines), fabric, **variables, CI_MERGE_REQUEST_DIFF_BASE_SHA="0" * 40)
    assert done.returncode == 2
    assert not any((fabric / file).exists() for file in reports.values())  # no report of another run, or of the author


PROGRAM = "/opt/roce-audit/bin/python -I -m auditor.cli check "


@pytest.mark.usefixtures("merge_request", "canaries")
@pytest.mark.parametrize("service", ["Jenkins", "Buildkite", "init"])
def test_other_services_run_one_line(run: Run, fabric: Path, service: str) -> None:
    report = fabric / "junit.xml"
    if service == "Jenkins":
        (line,) = re.findall(r"^ +sh '(.*)'$", template("groovy", "pipeline"), re.MULTILINE)
    elif service == "Buildkite":
        line = yaml.safe_load(template("yml", "artifact_paths"))["steps"][0]["command"]
    else:
        (fabric / "configs" / "leaf1.cfg").write_text(LEAF.format(name="leaf1"))
        line = "\n".join(run("init", "configs")[1].splitlines()[-2:])
        leaf = fabric / "configs" / "leaf1.cfg"
        leaf.write_text(leaf.read_text() + "  service-policy type qos output NOWHERE\n")
        report = fabric / "roce-audit.sarif"
    assert line.count(PROGRAM) == 1
    line = line.replace(PROGRAM, f"{shlex.quote(sys.executable)} -I -m auditor.cli check ")
    done = shell(line, fabric)
    said = done.stdout + done.stderr
    assert (done.returncode, "1 new error" in said) == (1, True), said
    assert "CLS004" in report.read_text()
    report.unlink()
    assert shell(line.replace("origin/main...", "origin/nope..."), fabric).returncode == 2
    assert not report.exists()


def test_what_others_wrote_is_pinned_by_its_hash() -> None:
    """An action of another repository is named by a whole commit; ours by the user."""
    texts = [(ROOT / name).read_text() for name in ("action.yml", "roce-audit.gitlab-ci.yml")]
    used = [each for text in (*texts, *pages()) for each in re.findall(r"\buses: (\S+.*)", text)]
    assert len(set(used)) == 3
    for each in used:
        assert re.fullmatch(r"OWNER/roce-audit@REVISION|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)


def pages() -> list[str]:
    """Return the texts of the README and of the pages about gates."""
    return [path.read_text() for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/pages/how-to/gates/*.md")))]


def template(language: str, holds: str) -> str:
    """Return the block of the pages in *language* that holds a word."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```", "\n".join(pages()), re.MULTILINE | re.DOTALL)
    (found,) = {block for block in blocks if holds in block}
    return found


@pytest.mark.usefixtures("merge_request", "canaries")
def test_the_hook_of_pre_commit_is_isolated(fabric: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    done = shell(f"{hook['entry']} --base HEAD~ configs", fabric)
    assert (done.returncode, "1 new error" in done.stdout) == (1, True), done.stderr


BACKEND = """\
import shutil

def build_wheel(folder, *_, **__):
    return shutil.copy({wheel!r}, folder).rpartition("/")[2]
"""


@pytest.mark.long
def test_pre_commit_stops_a_commit(
    fabric: Path, tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pre-commit itself installs the hook from a repository, and git asks it at each commit.

    The repository holds our hook; what it builds is a wheel that installs this source. `test_packaging.py` builds ours.
    """
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    product = tmp_path / "product"
    product.mkdir()
    (product / "backend.py").write_text(BACKEND.format(wheel=str(package)))
    system = 'requires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    (product / "pyproject.toml").write_text(f"[build-system]\n{system}")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", product)
    git(product, "init", "-q")
    git(product, "add", "-A")
    git(product, "commit", "-qm", "product")
    (fabric / "fabric").rename(fabric / "configs")
    git(fabric, "init", "-q")
    text = (
        template("yml", "- repo:").replace("https://example.org/roce-audit", str(product)).replace("REVISION", "HEAD")
    )
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
