"""The pod with the switches of each other system: read and checked, it has no finding and no warning.

The pods are written to a temporary folder. To look at one: `python tests/fabrics/pods.py SYSTEM FOLDER`
"""

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from pod import write
from pods import SYSTEMS, files

from auditor.cli.common import CLEAN
from auditor.model.dump import LineState
from auditor.model.finding import FindingKind

Run = Callable[..., tuple[int, str, str]]
DEVICES, PORTS, LINKS = 29, 512, 256
SWITCH_PORTS, SPINE_PORTS = 384, 128

NOT_IN_PODS = {
    "AUD001",
    *("PFC008", "SCH007", "TOP020", "CLS014"),
    *("BUF007", "BUF008"),
    *("CFG002", "CLS012", "CLS013"),
    *("CNT001", "CNT002", "CNT003", "CNT004", "CNT005", "CNT006", "CNT007"),
    *("ECN005", "ECN006", "ECN014"),
    *("HST005", "HST013", "HST018"),
    *("JOB012", "JOB001", "JOB004", "JOB005", "JOB006", "JOB007"),
    *("MTU003", "MTU004"),
    *("BUF012", "SCH003", "SCH004", "SCH005"),
    *("CCN005", "CFG003", "TOP012", "TOP014", "TOP015", "TOP016", "WDG010"),
    *("FLT004", "TOP004", "TOP008", "TOP010", "TOP025", "TOP027", "TOP028"),
}
"""Rules about what no pod has, as `test_pod` names them."""
ONLY_SONIC = {"BUF005", "BUF009", "BUF014", "CFG001", "ECN010"}
NOT_IN_POD: Mapping[str, Collection[str]] = {
    "cumulus": {*ONLY_SONIC, "BUF004", "BUF011", "ECN007", "TOP026"},
    "eos": {*ONLY_SONIC, "FLT003", "TOP024", "BUF002", "BUF003", "BUF004", "BUF006", "BUF011", "ECN007"},
    "junos": {*ONLY_SONIC, "FLT003", "BUF003", "BUF013", "TOP013", "TOP022", "TOP024", "TOP026"},
    "sonic": {"FLT003", "TOP023", "TOP026", "TOP013", "TOP022"},
}
"""Rules about what the pod of a system has not beside those."""
OPEN: Mapping[str, Mapping[str, int]] = {
    "cumulus": dict.fromkeys(("BUF001", "ECN004", "ECN013"), SWITCH_PORTS),
    "eos": dict.fromkeys(("ECN004", "ECN013"), SWITCH_PORTS),
    "junos": dict.fromkeys(("BUF001", "ECN004", "ECN011", "ECN012", "ECN013"), SWITCH_PORTS),
    "sonic": {},
}
"""How many objects of a rule cannot be judged in the pod of a system."""


pytestmark = pytest.mark.read_once


@pytest.fixture(scope="module", params=sorted(SYSTEMS))
def system(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory, system: str) -> Path:
    folder = tmp_path_factory.mktemp("pods") / system
    write(folder, files(system))
    return folder


def test_the_pod_has_no_finding_and_no_warning(run: Run, pod: Path, system: str) -> None:
    status, out, _ = run("check", str(pod), "--format", "json")
    found: dict[str, Any] = json.loads(out)
    assert [f for f in found["findings"] if f["kind"] == FindingKind.FAIL] == []
    assert found["warnings"] == found["problems"] == found["skipped"] == []
    assert [found["summary"][what] for what in ("devices", "ports", "links")] == [DEVICES, PORTS, LINKS]
    assert {count["rule"] for count in found["rules"] if not count["checked"]} == NOT_IN_PODS | {*NOT_IN_POD[system]}
    assert {count["rule"]: count["open"] for count in found["rules"] if count["open"]} == OPEN[system]
    assert status == CLEAN


def test_each_line_of_the_pod_is_understood(run: Run, pod: Path) -> None:
    _, out, _ = run("show", str(pod), "--coverage")
    unrecognised = {
        Path(dump["file"]).read_text(encoding="utf-8").splitlines()[number - 1].strip()
        for dump in json.loads(out)["dumps"]
        for number, state in dump["lines"]
        if state == LineState.UNRECOGNISED
    }
    assert unrecognised == set()
