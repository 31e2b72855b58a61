"""A fabric of switches of several makers is audited as one: fixtures/mixed, whole and with a line changed."""

import json
import shutil
from pathlib import Path

import pytest

from auditor.cli import CLEAN, main

MIXED = Path(__file__).parents[1] / "fixtures" / "mixed"
SONIC, CUMULUS, NXOS = "leaf1/config_db.json", "leaf2/startup.yaml", "spine1/show_running-config.txt"


def test_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(MIXED)]) == CLEAN
    told = capsys.readouterr().out
    assert "0 errors, 0 warnings, 0 notes;" in told
    assert "3 devices, 4 ports, 2 links" in told


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            (SONIC, '"pfc_enable": "3"', '"pfc_enable": "4"'),
            {
                "PFC001 leaf1 Ethernet0",
                "PFC003 leaf1 Ethernet0",
                "PFC003 spine1 Ethernet1/1",
                "PFC004 leaf1 Ethernet0",
                "CLS002 leaf1 Ethernet0",
            },
        ),
        ((SONIC, '"mtu": "9216"', '"mtu": "1500"'), {"MTU001 leaf1 Ethernet0"}),
        ((SONIC, '"26": "3"', '"26": "0"'), {"CLS002 leaf1 Ethernet0"}),
        ((SONIC, '"dscp_to_tc_map": "RDMA",', ""), {"CLS001 leaf1 Ethernet0", "CLS005 leaf1"}),
        ((SONIC, '"green_min_threshold": "15', '"green_min_threshold": "215'), {"ECN003 leaf1 Ethernet0"}),
        ((SONIC, '"wred_profile": "LOSSLESS"', '"wred_profile": "NONE"'), {"CLS004 leaf1", "CLS005 leaf1"}),
        ((CUMULUS, "mtu: 9216", "mtu: 1500"), {"MTU001 leaf2 swp1"}),
        ((CUMULUS, "mode: lossless", "mode: lossy"), {"PFC003 leaf2 swp1"}),
        ((CUMULUS, "        qos:\n          pfc-watchdog: {}\n", ""), {"WDG001 leaf2 swp1"}),
        (
            (NXOS, "pause pfc-cos 3", "pause pfc-cos 4"),
            {
                "PFC003 leaf1 Ethernet0",
                "PFC003 leaf2 swp1",
                "PFC003 spine1 Ethernet1/1",
                "PFC003 spine1 Ethernet1/2",
            },
        ),
    ],
)
def test_a_line_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str, str], found: set[str]
) -> None:
    """A change at one switch is told where it breaks a link, whoever made the two ends, and nowhere else."""
    file, written, changed = change
    shutil.copytree(MIXED, tmp_path / "mixed")
    dump = tmp_path / "mixed" / file
    text = dump.read_text()
    assert text.count(written) == 1
    dump.write_text(text.replace(written, changed))
    main(["check", "--format", "json", str(tmp_path / "mixed")])
    findings = json.loads(capsys.readouterr().out)["findings"]
    failed = [f for f in findings if f["kind"] != "open"]
    assert {" ".join(filter(None, (f["rule"], f["device"], f["port"]))) for f in failed} == found
