"""The release workflow: pinned, with the least rights, and true to the names and the version of the project."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import auditor

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TEXT = WORKFLOW.read_text(encoding="utf-8")
JOBS: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Release\n")[2].partition("\n## ")[0]
ZIZMOR = Path(sys.executable).with_name("zizmor")


def zizmor(*paths: Path) -> int:
    """Return the exit status of zizmor at its strictest, without a network."""
    command: list[str | Path] = [ZIZMOR, "--offline", "--quiet", "--persona=auditor", *paths]
    return subprocess.run(command, check=False, capture_output=True).returncode


def test_zizmor_finds_nothing() -> None:
    assert zizmor(WORKFLOW, ROOT / "action.yml") == 0


def test_zizmor_finds_an_action_without_a_hash(tmp_path: Path) -> None:
    worse = tmp_path / ".github" / "workflows" / "release.yml"
    worse.parent.mkdir(parents=True)
    worse.write_text(re.sub(r"@[0-9a-f]{40}", "@v1", TEXT))
    assert zizmor(worse) != 0


def test_each_action_has_its_hash_and_its_release() -> None:
    used = re.findall(r"uses: (.*)", TEXT)
    assert len(used) == sum("uses" in step for step in STEPS)
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []


def test_a_person_starts_it_and_the_upload_waits_for_both_attestations() -> None:
    assert yaml.safe_load(TEXT)[True] == {"workflow_dispatch": None}  # YAML 1.1 takes `on` for true
    assert (JOBS["publish"]["needs"], JOBS["attest"]["needs"]) == ("attest", "build")
    assert JOBS["publish"]["environment"]["name"] == "pypi"
    attested = [step["with"] for step in JOBS["attest"]["steps"] if "actions/attest" in step["uses"]]
    assert [("sbom-path" in each, each["subject-path"]) for each in attested] == [(False, "dist/*"), (True, "dist/*")]


def test_the_job_that_runs_code_of_packages_can_sign_nothing() -> None:
    assert {name: set(job["permissions"]) for name, job in JOBS.items()} == {
        "build": {"contents"},
        "attest": {"attestations", "id-token"},
        "publish": {"id-token"},
    }
    assert [name for name, job in JOBS.items() if any("run" in step for step in job["steps"])] == ["build"]


@pytest.mark.parametrize(("tag", "passes"), [(f"v{auditor.__version__}", True), ("v9.9.9", False)])
def test_the_tag_is_compared_with_the_version(tag: str, passes: bool) -> None:
    (line,) = (step["run"] for step in STEPS if step.get("name") == "Compare the tag with the version")
    done = subprocess.run(
        ["bash", "-ec", line], cwd=ROOT, env={"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"}, check=False
    )
    assert (done.returncode == 0) is passes


def test_the_guide_settles_the_names_that_the_project_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (command,) = project["scripts"]
    rows = dict(re.findall(r"^\| (.+) \| `([^`]+)` \|", GUIDE, re.MULTILINE))
    assert rows == {"package on PyPI": project["name"], "command": command, "import": auditor.__name__}
    assert JOBS["publish"]["environment"]["url"] == f"https://pypi.org/p/{project['name']}"
