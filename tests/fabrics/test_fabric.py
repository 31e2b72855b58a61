"""The demo fabric: what is planted in fixtures/fabric is found, all of it, and nothing else.

fixtures/fabric/FAULTS.md tells each fault's story. After a wanted change of the report write the golden file anew:
`python tests/tools/rewrite_golden.py fabric`
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from planted import Fault, Row

from auditor.checks.catalogue import load_rules
from auditor.cli import main
from auditor.cli.common import CLEAN, FINDINGS

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[2]
BAD, GOOD = "fixtures/fabric", "fixtures/fabric-clean"
SWITCHES = ("spine1", "spine2", "leaf1", "leaf2", "leaf3", "leaf4")
SPINE_PORTS = tuple(f"Ethernet1/{n}" for n in range(1, 9))
LEAF_PORTS = tuple(f"Ethernet1/{n}" for n in (1, 2, 3, 4, 29, 30, 31, 32))

SECRETS = (
    "demoFabricHashThatBelongsToNobody",
    "fakeTacacsKeyQ7",
    "0x00fa4e0ade00fabc0de0000000000001",
    "0x00fa4e0ade00fabc0de0000000000002",
    "fakeTrapCommunity9",
    "fakeReadCommunity9",
    "fakeNtpKeyQ7",
    "fa4e0bad0b9e0000deadbeef0001",
)


def config(device: str) -> str:
    return f"{device}/show_running-config.txt"


FAULTS = (
    Fault(
        "1 PFC left off after a maintenance",
        (
            Row("PFC001", "leaf1", ("Ethernet1/2",), config("leaf1"), 128, "priority-flow-control mode off"),
            Row("PFC003", "leaf1", ("Ethernet1/2",), config("leaf1"), 128, "priority-flow-control mode off"),
        ),
    ),
    Fault(
        "2 watchdog off on an uplink",
        (
            Row(
                "WDG001",
                "leaf1",
                ("Ethernet1/30",),
                config("leaf1"),
                265,
                "priority-flow-control watch-dog-interval off",
            ),
        ),
    ),
    Fault(
        "3 WRED without ecn",
        (
            Row(
                "ECN002",
                "leaf2",
                LEAF_PORTS,
                config("leaf2"),
                82,
                "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0",
            ),
        ),
    ),
    Fault(
        "4 an uplink without its mtu line",
        # Nothing can be quoted of a line that is missing but the stanza it is missing from.
        (
            Row("MTU001", "leaf3", ("Ethernet1/31",), config("leaf3"), 271, "interface Ethernet1/31"),
            Row("MTU002", "leaf3", ("Ethernet1/31",), config("leaf3"), 271, "interface Ethernet1/31"),
        ),
    ),
    Fault(
        "5 an access list that was never brought along",
        (Row("CLS004", "leaf3", (), config("leaf3"), 56, "match access-group name ACL-NFS-RDMA"),),
    ),
    Fault(
        "6 the headroom of a 25G template, its replacement never attached",
        (
            Row(
                "BUF001",
                "leaf4",
                LEAF_PORTS,
                config("leaf4"),
                70,
                "pause buffer-size 110240 pause-threshold 83200 resume-threshold 62400",
            ),
            Row("CLS005", "leaf4", (), config("leaf4"), 71, "policy-map type queuing POD-IN-400G"),
        ),
    ),
    Fault(
        "7 Kmin and Kmax swapped",
        (
            Row(
                "ECN003",
                "spine1",
                SPINE_PORTS,
                config("spine1"),
                82,
                "random-detect minimum-threshold 3000 kbytes maximum-threshold 150 kbytes "
                "drop-probability 7 weight 0 ecn",
            ),
        ),
    ),
    Fault(
        "8 the RDMA class matches DSCP 24",
        # No class takes DSCP 26: it lands in the default class, and the line that should take it names another DSCP.
        (Row("CLS002", "spine2", SPINE_PORTS, config("spine2"), 58, "match dscp 24"),),
    ),
    Fault(
        "9 PFC on priority 4 instead of 3",
        (
            *(
                Row(
                    rule,
                    "host3",
                    ("ens2f0np0",),
                    "host3/mlnx_qos_-i_ens2f0np0.txt",
                    17,
                    "enabled     0   0   0   0   1   0   0   0",
                )
                for rule in ("PFC001", "PFC003", "PFC004", "CLS002")
            ),
        ),
    ),
    Fault(
        "10 link pause on after a driver update",
        (Row("PFC005", "host4", ("ens1f0np0",), "host4/ethtool_-a_ens1f0np0.txt", 3, "RX:\t\ton"),),
    ),
    Fault(
        "11 trust back at pcp after a reboot",
        (Row("CLS001", "host6", ("ens1f0np0",), "host6.txt", 279, "Priority trust state: pcp"),),
    ),
    Fault(
        "12 the reaction point off on priority 3",
        (
            Row(
                "CCN001",
                "host7",
                ("ens2f0np0",),
                "host7.txt",
                538,
                "/sys/class/net/ens2f0np0/ecn/roce_rp/enable/3:0",
            ),
        ),
    ),
    Fault(
        "13 RDMA marked as the vendor's guide has it",
        (Row("CLS006", "host8", ("ens1f0np0",), "host8.txt", 387, "Global tclass=96"),),
    ),
)
ROWS = tuple(row for fault in FAULTS for row in fault.rows)


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run at the root of the repository, so that paths in reports are relative."""
    monkeypatch.chdir(ROOT)


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", *arguments, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, found


def failures(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    kept = (f for f in found["findings"] if f["kind"] == "fail")
    return sorted((tuple(f[k] for k in ("rule", "device", "port", "file", "line")) for f in kept), key=str)


def test_planted_faults_and_nothing_else_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = report(capsys, BAD)
    assert failures(found) == sorted((f for row in ROWS for f in row.findings(BAD)), key=str)
    assert status == FINDINGS
    assert found["summary"]["open"] == 0


NOT_IN_DEMO = {
    "AUD001",
    "PFC008",
    *(
        "BUF002",
        "BUF004",
        "BUF005",
        "BUF006",
        "BUF007",
        "HST005",
        "HST006",
        "HST008",
        "HST009",
        "HST010",
        "HST011",
        "HST012",
    ),
    *("BUF010", "BUF011", "BUF013", "BUF014", "SCH003", "SCH004", "SCH005"),
    *("CNT001", "CNT002", "CNT003", "CNT004", "CNT005", "CNT006", "CNT007", "BUF009", "CLS013", "MTU004"),
    *("HST013", "HST014", "HST018", "HST019", "HST020", "CLS012", "BUF008", "CFG001", "CFG002", "ECN010", "ECN014"),
    *("JOB001", "JOB003", "JOB004", "JOB005", "JOB006", "JOB007", "JOB008", "JOB009", "JOB010", "JOB011", "JOB012"),
    *("JOB013", "JOB014", "JOB015", "SCH007", "TOP020", "TOP021", "TOP024", "TOP025", "TOP027", "TOP028", "CLS014"),
    *("CCN005", "CFG003", "CFG004", "FLT003", "FLT004", "TOP012", "TOP014", "TOP015", "TOP016", "WDG010"),
    *("ECN005", "ECN006", "ECN007", "MTU003", "TOP003", "TOP004", "TOP005", "TOP007", "TOP008", "TOP009", "WDG003"),
}
"""Rules about what nothing in the demo tells (VLANs, iWARP, what jobs and clusters set, PCIe, GPUs, SR-IOV, FEC, buffer
pools and profiles, rows of SONiC, MTUs of classes,
counters of loss, cable lengths, a watchdog's time, a version with a published fault, an output that shows a
configured value) or declares (capacity, rails, homing, incast)."""


def test_clean_fabric_has_no_finding_and_leaves_nothing_open(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = report(capsys, GOOD)
    assert found["findings"] == []
    assert found["warnings"] == found["problems"] == found["skipped"] == []
    assert {count["rule"] for count in found["rules"] if not count["checked"]} == NOT_IN_DEMO
    assert status == CLEAN


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_quotes_its_lines_and_stands_in_the_table_of_faults(fault: Fault) -> None:
    fault.check(ROOT / BAD)


@pytest.mark.parametrize("folder", [BAD, GOOD])
def test_findings_do_not_depend_on_the_order_of_paths(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    hosts = [f"host{n}" for n in range(1, 5)] + [f"host{n}.txt" for n in range(5, 9)]
    paths = [f"{folder}/{name}" for name in (*SWITCHES, *hosts)]
    intent = ("--config", f"{folder}/roce-audit.yaml")
    whole = report(capsys, folder)
    for order in (paths, paths[::-1]):
        status, found = report(capsys, *order, *intent)
        assert (status, found["findings"]) == (whole[0], whole[1]["findings"])


@pytest.mark.parametrize("folder", [BAD, GOOD])
@pytest.mark.parametrize(
    "command",
    [
        ("check", "--open"),
        ("check", "--format", "json"),
        ("show",),
        ("show", "--state"),
        ("show", "--coverage"),
    ],
    ids=" ".join,
)
def test_no_secret_comes_out(folder: str, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    dumps = "".join((ROOT / folder / config(name)).read_text(encoding="utf-8") for name in SWITCHES)
    assert all(secret in dumps for secret in SECRETS)
    main([command[0], folder, *command[1:]])
    output = "".join(capsys.readouterr())
    assert output
    assert [secret for secret in SECRETS if secret.lower() in output.lower()] == []


def test_report_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """The golden file has all but the table of counts, to which every new rule adds a row."""
    main(["check", BAD, "--all", "--statistics"])
    report = capsys.readouterr().out
    assert without_counts(report) == (ROOT / "tests/golden/fabric.txt").read_text(encoding="utf-8")
    numbers = re.findall(r"^([A-Z]{3}\d{3})\b", counts(report), re.MULTILINE)
    idle = re.search(r"nothing to check: ([A-Z0-9\s]+)\Z", counts(report))
    assert idle
    assert sorted([*numbers, *idle[1].split()]) == sorted(rule.file.id for rule in load_rules())


def counts(report: str) -> str:
    """Return the table of counts: from its head to the next empty line."""
    return "rule    checked" + report.partition("\nrule    checked")[2].partition("\n\n")[0]


def without_counts(report: str) -> str:
    """Return a report for people without its table of counts."""
    return report.replace(counts(report) + "\n\n", "")
