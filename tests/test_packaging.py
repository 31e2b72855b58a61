"""The wheel, the wheel built from the source distribution, and the checkout all carry the same rules."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import auditor
from auditor.util.data_folder import folder

ROOT = Path(__file__).parent.parent
RULES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "rules").rglob("*") if path.is_file())


WAYS = {"direct": ["--wheel"], "through the sdist": []}
"""How a wheel is built, with the options of `python -m build`."""


def build(out: Path) -> None:
    """Build a wheel from the checkout, and a source distribution with a wheel from that: a folder for each way."""
    for name, options in WAYS.items():
        command = [sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", str(out / name), str(ROOT)]
        subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def built(once: Callable[[str, Callable[[Path], None]], Path]) -> dict[str, Path]:
    """Return the wheel of each way."""
    folder = once("dist", build)
    return {name: next((folder / name).glob("*.whl")) for name in WAYS}


@pytest.mark.parametrize("way", WAYS)
def test_wheel_holds_the_rules_and_runs_with_them(built: dict[str, Path], way: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(built[way]) as wheel:
        names = set(wheel.namelist())
        wheel.extractall(tmp_path)
    assert {f"auditor/{rule}" for rule in RULES} <= names
    assert {"auditor/systems/nxos/defaults.yaml", "auditor/collect/prelude.sh", "auditor/py.typed"} <= names
    collection = {name for name in names if name.startswith("ansible_collections/roce/audit/plugins/")}
    assert {name.rpartition("plugins/")[2] for name in collection} == {
        f"{kind}/{name}.py" for kind in ("action", "modules") for name in ("check", "pull")
    }
    assert [name for name in names if "integrations/collections" in name] == []
    program = (
        "from auditor.checks.catalogue import load_rules; from auditor.util.data_folder import folder;"
        " print(folder(), len(load_rules()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
    )
    where, count = done.stdout.split()
    assert Path(where) == tmp_path / "auditor" / "rules"
    assert int(count) == sum(
        rule.count("/") == 2 and rule.endswith(".yaml") and "/presets/" not in rule for rule in RULES
    )


def test_checkout_reads_the_rules_beside_the_package() -> None:
    assert Path(str(folder())) == ROOT / "rules"
    assert Path(auditor.__file__).parent.parent == ROOT


def test_wheel_has_the_command_and_the_licence(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["direct"]) as wheel:
        texts = {name.rpartition("/")[2]: wheel.read(name).decode() for name in wheel.namelist() if "dist-info" in name}
    assert "roce-audit = auditor.cli:main" in texts["entry_points.txt"]
    assert "License-Expression: GPL-3.0-or-later" in texts["METADATA"]
    assert "ciscoconfparse2>=0.9.18" in texts["METADATA"]
    assert "GNU GENERAL PUBLIC LICENSE" in texts["LICENSE"]


def test_ansible_finds_the_collection_of_the_wheel_by_itself(built: dict[str, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(built["direct"]) as wheel:
        wheel.extractall(tmp_path)
    done = subprocess.run(
        [Path(sys.executable).with_name("ansible-doc"), "--json", "roce.audit.check"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
    )
    found = Path(json.loads(done.stdout)["roce.audit.check"]["doc"]["filename"])
    assert found == tmp_path / "ansible_collections" / "roce" / "audit" / "plugins" / "modules" / "check.py"
