"""A fabric of switches of several makers is audited as one: fixtures/mixed, whole and with a line changed."""

import json
import shutil
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.commands.common import CLEAN

MIXED = Path(__file__).parents[1] / "fixtures" / "mixed"
SONIC, CUMULUS = "leaf1/config_db.json", "leaf2/startup.yaml"
EOS, NXOS = "leaf3/show_running-config.txt", "spine1/show_running-config.txt"
JUNOS = "leaf4/show_configuration.txt"


def test_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(MIXED)]) == CLEAN
    told = capsys.readouterr().out
    assert "0 errors, 0 warnings, 0 notes;" in told
    assert "5 devices, 8 ports, 4 links" in told


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
                "WDG002 leaf1 Ethernet0",
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
        ((EOS, "   mtu 9216\n", ""), {"MTU001 leaf3 Ethernet1"}),
        ((EOS, "priority 3 no-drop", "priority 3 drop"), {"PFC002 leaf3 Ethernet1", "PFC003 leaf3 Ethernet1"}),
        ((EOS, "   qos trust dscp\n", "   qos trust cos\n"), {"CLS001 leaf3 Ethernet1"}),
        (
            (EOS, "qos map dscp 26 to traffic-class 3\n", "qos map dscp 26 to traffic-class 2\n"),
            {"CLS002 leaf3 Ethernet1"},
        ),
        ((EOS, "watchdog default timeout 0.2", "watchdog default timeout 0"), {"WDG001 leaf3 Ethernet1"}),
        ((EOS, "minimum-threshold 150 kbytes", "minimum-threshold 1550 kbytes"), {"ECN003 leaf3 Ethernet1"}),
        ((JUNOS, "                mtu 9170;\n", "                mtu 1500;\n"), {"MTU001 leaf4 et-0/0/0"}),
        (
            (JUNOS, "flow-control-queue 4", "flow-control-queue 3"),
            {"PFC003 leaf4 et-0/0/0", "PFC006 leaf4 et-0/0/0", "WDG002 leaf4 et-0/0/0"},
        ),
        ((JUNOS, "            pfc-watchdog;\n", ""), {"WDG001 leaf4 et-0/0/0"}),
        (
            (JUNOS, "queue-num 4 no-loss pfc-priority 3", "queue-num 4"),
            {"PFC002 leaf4 et-0/0/0", "PFC003 leaf4 et-0/0/0"},
        ),
        ((JUNOS, "code-points 011010", "code-points 011100"), {"PFC002 leaf4 et-0/0/0", "PFC003 leaf4 et-0/0/0"}),
        ((JUNOS, "            explicit-congestion-notification;\n", ""), {"ECN002 leaf4 et-0/0/0"}),
        ((JUNOS, "fill-level [ 40 80 ]", "fill-level [ 90 80 ]"), {"ECN003 leaf4 et-0/0/0"}),
        ((JUNOS, "            scheduler-map MAP;\n", ""), {"ECN001 leaf4 et-0/0/0", "CLS005 leaf4"}),
        (
            (JUNOS, "            congestion-notification-profile PAUSE;\n", ""),
            {"PFC001 leaf4 et-0/0/0", "PFC003 leaf4 et-0/0/0", "CLS005 leaf4"},
        ),
        ((JUNOS, "scheduler LOSSLESS;", "scheduler LOSLESS;"), {"CLS004 leaf4", "CLS005 leaf4"}),
        (
            (NXOS, "pause pfc-cos 3", "pause pfc-cos 4"),
            {
                "PFC003 leaf1 Ethernet0",
                "PFC003 leaf2 swp1",
                "PFC003 leaf3 Ethernet1",
                "PFC003 leaf4 et-0/0/0",
                "PFC003 spine1 Ethernet1/1",
                "PFC003 spine1 Ethernet1/2",
                "PFC003 spine1 Ethernet1/3",
                "PFC003 spine1 Ethernet1/4",
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
