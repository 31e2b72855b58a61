"""An operating system is one folder: ExampleOS, copied into place, is detected, listed, read and pulled."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import auditor

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "fixtures" / "systems"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the program, in which ExampleOS is one of the systems."""
    folder = tmp_path_factory.mktemp("program")
    package = Path(auditor.__file__).parent
    shutil.copytree(package, folder / "auditor", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "rules", folder / "rules")
    shutil.copytree(EXAMPLE / "example_os", folder / "auditor" / "systems" / "example_os")
    return folder


def run(program: Path, *arguments: object) -> str:
    """Return what Python prints, run beside the copy of the program."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=program, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_the_system_is_listed_and_detected(program: Path) -> None:
    listed = json.loads(run(program, "-m", "auditor.cli", "os", "--format", "json"))
    assert "example_os" in [system["os"] for system in listed]
    (device,) = json.loads(run(program, "-m", "auditor.cli", "show", EXAMPLE / "leaf1.cfg"))["devices"]
    assert (device["name"], device["os"], device["os_version"]) == ("leaf1", "example_os", "1.0")
    (port,) = device["ports"]
    assert {name: port[name] for name in ("mtu_bytes", "pfc_mode", "pfc_priorities", "trust")} == {
        "mtu_bytes": 9000,
        "pfc_mode": "on",
        "pfc_priorities": [3],
        "trust": None,
    }


def test_pull_sends_its_entries(program: Path) -> None:
    code = (
        "from auditor.collect.platforms import find_platform as f; print([c.template for c in f('exampleos').commands])"
    )
    assert run(program, "-c", code) == "['show running-config', 'show neighbors']\n"


def test_its_tables_give_its_tests(program: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", f"pythonpath={ROOT / 'tests' / 'grammar'}")
    assert "passed" in run(program, "-m", "pytest", *options, "-c", "/dev/null", EXAMPLE / "test_negation.py")
