"""The report of `roce-audit intent`: for people and for programs, of a declared intent and of an inferred one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT, CLEAN
from auditor.intent import list_presets
from auditor.report.intent import build_schema

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"


@pytest.fixture(scope="module")
def undeclared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two devices of the demo fabric without its intent."""
    folder = tmp_path_factory.mktemp("fabric")
    shutil.copytree(FABRIC / "leaf1", folder / "leaf1")
    shutil.copy(FABRIC / "host5.txt", folder)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["intent", *arguments])
    return status, *capsys.readouterr()


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    _, out, _ = run(capsys, *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    Draft202012Validator(build_schema()).validate(found)
    return found


def test_an_inferred_intent_comes_with_its_evidence_and_the_nearest_preset(
    undeclared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, str(undeclared))
    assert (status, err) == (CLEAN, "")
    assert out.startswith("intent: inferred; consistency and arithmetic only\n")
    assert "  RDMA DSCP 26: 2 of 2 host ports\n" in out
    assert "\nnearest preset: nvidia-spectrum-lossless, 6 of 6 values agree\n" in out
    assert "  source: https://docs.nvidia.com/" in out


def test_one_preset_is_shown_with_where_the_fabric_departs(
    undeclared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, str(undeclared), "--preset", "amd-pollara")
    table = [line.split() for line in out.splitlines()]
    assert ["RDMA", "DSCP", "26", "24"] in table
    assert ["CNP", "DSCP", "48", "46"] in table
    assert "nearest preset" not in out


def test_a_declared_preset_is_the_one_that_is_shown(
    undeclared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "intent.yaml"
    config.write_text("schema: roce-audit/intent/1\npreset: broadcom-thor\npacks: {watchdog: off}\n")
    _, out, _ = run(capsys, str(undeclared), "--config", str(config))
    assert out.startswith("intent: declared, preset broadcom-thor\n")
    assert "  pack watchdog: off\n" in out
    assert "\npreset: broadcom-thor, 5 of 6 values agree\n" in out
    assert ["priority", "of", "DSCP", "48", "(CNP)", "6", "7"] in [line.split() for line in out.splitlines()]


def test_the_document_holds_every_preset_with_every_value(undeclared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, str(undeclared))
    assert found["schema"] == "roce-audit/intent-report/1"
    assert sorted(each["name"] for each in found["presets"]) == list_presets()
    assert found["nearest"] == [found["presets"][0]["name"]]
    assert found["intent"] == found["does"]
    for each in found["presets"]:
        agreed = [point["agrees"] for point in each["points"]]
        assert (agreed.count(True), agreed.count(False)) == (each["agreeing"], each["departing"])


def test_defaults_alone_make_no_intent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "leaf1.cfg").write_text(
        "!Command: show running-config\nversion 10.3(4a)\nhostname leaf1\n\ninterface Ethernet1/1\n  no switchport\n"
    )
    _, out, _ = run(capsys, str(tmp_path))
    assert "no evidence: no port sets the values; factory defaults do not count" in out
    assert "no preset matches" in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--preset", "nvidia"], "--preset nvidia: no preset has this name; expected amd-pollara"),
        ([], "nothing to audit"),
    ],
)
def test_what_cannot_be_told_is_said(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, str(tmp_path), *arguments)
    assert status == CANNOT_AUDIT
    assert expected in err
