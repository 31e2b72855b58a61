"""A fabric of six switch systems is audited as one: what is planted in fixtures/fabric-mixed is found, and no more.

fixtures/fabric-mixed/FAULTS.md tells each fault's story. The fabric without them is the same dumps with the planted
lines as they were meant; a line of it changed is told where it breaks a link, whoever made the two ends.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from planted import Edit, Fault, Row

from auditor.cli.common import CLEAN, FINDINGS

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
BAD = "fixtures/fabric-mixed"
SONIC, SONIC_2 = "spine1/config_db.json", "spine2/config_db.json"
CUMULUS, EOS, NXOS = "leaf1/startup.yaml", "leaf2/show_running-config.txt", "leaf3/show_running-config.txt"
OS10, JUNOS = "leaf4/show_running-configuration.txt", "leaf5/show_configuration.txt"

JUNOS_UNIT = "        speed 400g;\n        unit 0 {\n            family inet {\n"

SPINE = tuple(f"Ethernet{n}" for n in range(0, 40, 8))
SWP = ("swp1", "swp31", "swp32")
ETHERNET = ("Ethernet1/1", "Ethernet31/1", "Ethernet32/1")
NEXUS = ("Ethernet1/1", "Ethernet1/31", "Ethernet1/32")
DELL = ("ethernet1/1/1", "ethernet1/1/31", "ethernet1/1/32")
JUNIPER = ("et-0/0/0", "et-0/0/1", "et-0/0/30", "et-0/0/31")

RIGHT_MAP = """\
"DSCP_TO_TC_MAP": {
        "RDMA": {
            "0": "0",
            "26": "3",
            "48": "6"
        }
    }"""
REVERSED_MAP = """\
"TC_TO_DSCP_MAP": {
        "RDMA": {
            "0": "0",
            "3": "26",
            "6": "48"
        }
    }"""


FAULTS = (
    Fault(
        "1 priority 3 is queue 4, and its pauses are taken for those of priority 4",
        tuple(
            Row(rule, "leaf5", JUNIPER, JUNOS, 95, "flow-control-queue 4;") for rule in ("PFC003", "PFC006", "WDG002")
        ),
        (Edit(JUNOS, "code-point 100 {", "code-point 011 {"),),
    ),
    Fault(
        "2 Kmax in kilobytes where bytes are meant",
        (Row("ECN003", "leaf1", SWP, CUMULUS, 58, "min-threshold: 150000"),),
        (Edit(CUMULUS, "max-threshold: 1500\n", "max-threshold: 1500000\n"),),
    ),
    Fault(
        "3 a buffer profile in kilobytes where bytes are meant",
        (
            Row("BUF001", "spine1", SPINE, SONIC, 64, '"xoff": "104",'),
            Row("BUF012", "spine1", SPINE, SONIC, 65, '"xon": "19456"'),
            Row("ECN004", "spine1", SPINE, SONIC, 375, '"green_min_threshold": "150000",'),
        ),
        (
            Edit(SONIC, '"xoff": "104"', '"xoff": "104000"'),
            Edit(SONIC, '"static_th": "83"', '"static_th": "83200"'),
        ),
    ),
    Fault(
        "4 a map in the rewrite direction: the next switch sorts wrong",
        (
            Row("CLS007", "leaf2", ("Ethernet31/1",), EOS, 14, "qos map traffic-class 3 to dscp 24"),
            Row("CLS009", "leaf2", ETHERNET, EOS, 14, "qos map traffic-class 3 to dscp 24"),
        ),
        (Edit(EOS, "qos map traffic-class 3 to dscp 24\nqos rewrite dscp\n", "qos map dscp 24 to traffic-class 3\n"),),
    ),
    Fault(
        "5 a map in the rewrite direction: nothing sorts",
        tuple(
            Row("CLS001", "spine2", (port,), SONIC_2, line, f'"{port}": {{')
            for port, line in zip(
                ("Ethernet0", "Ethernet16", "Ethernet24", "Ethernet32", "Ethernet8"), range(243, 283, 8), strict=True
            )
        ),
        (Edit(SONIC_2, REVERSED_MAP, RIGHT_MAP), Edit(SONIC_2, "tc_to_dscp_map", "dscp_to_tc_map", times=5)),
    ),
    Fault(
        "6 an MTU of packets where one of frames is meant",
        (
            Row("MTU001", "leaf4", ("ethernet1/1/31",), OS10, 79, "mtu 9100"),
            Row("MTU001", "leaf4", ("ethernet1/1/32",), OS10, 92, "mtu 9100"),
        ),
        (Edit(OS10, " mtu 9100\n", " mtu 9132\n", times=2),),
    ),
    Fault(
        "7 no watchdog on one maker's switch",
        tuple(
            Row("WDG001", "leaf3", (port,), NXOS, line, "priority-flow-control watch-dog-interval off")
            for port, line in zip(NEXUS, (49, 60, 71), strict=True)
        ),
        (
            Edit(
                NXOS,
                "  priority-flow-control watch-dog-interval off\n",
                "  priority-flow-control watch-dog-interval on\n",
                times=3,
            ),
        ),
    ),
)
ROWS = tuple(row for fault in FAULTS for row in fault.rows)

NOT_TOLD = {
    *(("BUF001", leaf) for leaf in ("leaf1", "leaf2", "leaf4", "leaf5")),
    *((rule, leaf) for rule in ("ECN004", "ECN013") for leaf in ("leaf1", "leaf2", "leaf4", "leaf5")),
    *(("ECN011", "leaf5"), ("ECN012", "leaf5")),
    ("WDG001", "leaf4"),
    ("WDG002", "leaf4"),
    *(("TOP011", leaf) for leaf in ("leaf2", "leaf3", "leaf4")),
    ("TOP013", "leaf3"),
}
"""What no dump of these makers' switches tells: buffers that a switch sizes by itself, the watchdog of OS10, and how a
switch spreads flows by default."""


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """Return a copy of the fabric with every fault undone."""
    root = tmp_path / "fabric"
    shutil.copytree(ROOT / BAD, root, ignore=shutil.ignore_patterns("FAULTS.md"))
    for fault in FAULTS:
        for edit in fault.undo:
            edit.apply(root)
    return root


def report(run: Run, folder: object) -> tuple[int, dict[str, Any]]:
    status, out, _ = run("check", folder, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    return status, found


def failures(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [f for f in found["findings"] if f["kind"] == "fail"]


def test_planted_faults_and_nothing_else_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    status, found = report(run, BAD)
    told = (tuple(f[k] for k in ("rule", "device", "port", "file", "line")) for f in failures(found))
    assert sorted(told) == sorted(f for row in ROWS for f in row.findings(BAD))
    assert status == FINDINGS


def test_without_the_faults_there_is_no_finding_and_nothing_open_that_a_dump_could_tell(run: Run, clean: Path) -> None:
    status, found = report(run, clean)
    assert {(f["kind"], f["rule"], f["device"]) for f in found["findings"]} == {("open", *each) for each in NOT_TOLD}
    assert found["warnings"] == found["problems"] == found["skipped"] == []
    assert (found["summary"]["devices"], found["summary"]["ports"], found["summary"]["links"]) == (10, 32, 16)
    assert status == CLEAN


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_quotes_its_lines_and_stands_in_the_table_of_faults(fault: Fault) -> None:
    fault.check(ROOT / BAD)


def at(rules: str, device: str, ports: tuple[str, ...]) -> set[str]:
    return {f"{rule} {device} {port}" for rule in rules.split() for port in ports}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            (SONIC, '"pfc_enable": "3"', '"pfc_enable": "4"'),
            at("PFC001 PFC003 PFC004 WDG002 CLS002 WDG004 BUF009", "spine1", SPINE[:1]),
        ),
        ((SONIC, '"mtu": "9100"', '"mtu": "1500"'), at("MTU001 MTU002", "spine1", SPINE[:1])),
        ((SONIC, '"26": "3"', '"26": "0"'), at("CLS002", "spine1", SPINE)),
        ((SONIC, '"dscp_to_tc_map": "RDMA",', ""), at("CLS001", "spine1", SPINE[:1])),
        ((SONIC, '"green_min_threshold": "15', '"green_min_threshold": "215'), at("ECN003", "spine1", SPINE)),
        ((SONIC, '"wred_profile": "LOSSLESS"', '"wred_profile": "NONE"'), {"CLS004 spine1"}),
        ((CUMULUS, "mtu: 9100", "mtu: 1500"), at("MTU001 MTU002", "leaf1", SWP[:1])),
        ((CUMULUS, "mode: lossless", "mode: lossy"), at("PFC003", "leaf1", SWP)),
        ((CUMULUS, "        qos:\n          pfc-watchdog: {}\n", ""), at("WDG001", "leaf1", SWP[:1])),
        ((EOS, "   mtu 9100\n", ""), at("MTU001 MTU002", "leaf2", ETHERNET[:1])),
        ((EOS, "priority 3 no-drop", "priority 3 drop"), at("PFC002 PFC003", "leaf2", ETHERNET)),
        ((EOS, "   qos trust dscp\n", "   qos trust cos\n"), at("CLS001", "leaf2", ETHERNET)),
        ((EOS, "dscp 26 to traffic-class 3\n", "dscp 26 to traffic-class 2\n"), at("CLS002", "leaf2", ETHERNET)),
        ((EOS, "watchdog default timeout 0.2", "watchdog default timeout 0"), at("WDG001", "leaf2", ETHERNET)),
        ((EOS, "minimum-threshold 150 kbytes", "minimum-threshold 1550 kbytes"), at("ECN003", "leaf2", ETHERNET)),
        ((EOS, "minimum-threshold 150 kbytes", "minimum-threshold 150 mbytes"), at("ECN003", "leaf2", ETHERNET)),
        (
            (EOS, "qos map dscp 24 to traffic-class 3\n", "qos map traffic-class 3 to dscp 24\nqos rewrite dscp\n"),
            at("CLS007", "leaf2", ETHERNET[1:]) | at("CLS009", "leaf2", ETHERNET),
        ),
        ((NXOS, "pause pfc-cos 3", "pause pfc-cos 4"), at("PFC001 PFC003 PFC004 CLS002", "leaf3", NEXUS)),
        ((NXOS, "    set qos-group 3\n", "    set dscp 26\n"), at("CLS002", "leaf3", NEXUS)),
        ((NXOS, "maximum-threshold 1500 kbytes", "maximum-threshold 1500 bytes"), at("ECN003", "leaf3", NEXUS)),
        (
            (
                NXOS,
                "buffer-size 187200 pause-threshold 83200 resume-threshold 62400",
                "buffer-size 188 pause-threshold 84 resume-threshold 63",
            ),
            at("BUF001 BUF012 ECN004", "leaf3", NEXUS),
        ),
        ((NXOS, "  mtu 9100\n", ""), at("MTU001 MTU002", "leaf3", NEXUS[:1])),
        ((OS10, "  pfc-cos 3\n", "  pfc-cos 4\n"), at("PFC001 PFC003 PFC004 CLS002", "leaf4", DELL)),
        ((OS10, " priority-flow-control mode on\n", ""), at("PFC001 PFC003", "leaf4", DELL[:1])),
        ((OS10, " trust-map dscp DSCP_IN\n", ""), at("CLS001", "leaf4", DELL) | {"CLS005 leaf4"}),
        ((OS10, "qos-group 3 dscp 26\n", "qos-group 3 dscp 24\n"), at("CLS002", "leaf4", DELL)),
        ((OS10, " queue 3 qos-group 3\n", " queue 4 qos-group 3\n"), at("ECN001", "leaf4", DELL)),
        ((OS10, "  random-detect ECN\n", ""), at("ECN001", "leaf4", DELL) | {"CLS005 leaf4"}),
        ((OS10, "minimum-threshold 150 ", "minimum-threshold 150000 "), at("ECN003", "leaf4", DELL)),
        ((OS10, " mtu 9132\n", ""), at("MTU001 MTU002", "leaf4", DELL[:1])),
        (
            (JUNOS, "                mtu 9100;\n", "                mtu 1500;\n"),
            at("MTU001 MTU002", "leaf5", JUNIPER[:1]),
        ),
        (
            (
                JUNOS,
                f'spine1 Ethernet32";\n        mtu 9114;\n{JUNOS_UNIT}                mtu 9100;\n',
                f'spine1 Ethernet32";\n        mtu 9100;\n{JUNOS_UNIT}',
            ),
            at("MTU001", "leaf5", JUNIPER[2:3]),
        ),
        ((JUNOS, "flow-control-queue 4", "flow-control-queue 3"), at("PFC003 PFC006 WDG002", "leaf5", JUNIPER)),
        ((JUNOS, "            pfc-watchdog;\n", ""), at("WDG001", "leaf5", JUNIPER)),
        ((JUNOS, "queue-num 4 no-loss pfc-priority 3", "queue-num 4"), at("PFC002 PFC003", "leaf5", JUNIPER)),
        (
            (JUNOS, "no-loss pfc-priority 3", "no-loss pfc-priority 4"),
            at("PFC001 PFC003 PFC004 PFC006 WDG002 CLS002", "leaf5", JUNIPER),
        ),
        ((JUNOS, "code-points 011010", "code-points 011100"), at("PFC002 PFC003", "leaf5", JUNIPER)),
        ((JUNOS, "            explicit-congestion-notification;\n", ""), at("ECN002", "leaf5", JUNIPER)),
        ((JUNOS, "fill-level [ 40 80 ]", "fill-level [ 90 80 ]"), at("ECN003", "leaf5", JUNIPER)),
        ((JUNOS, "            scheduler-map MAP;\n", ""), at("ECN001", "leaf5", JUNIPER) | {"CLS005 leaf5"}),
        (
            (JUNOS, "            congestion-notification-profile PAUSE;\n", ""),
            at("PFC001 PFC003", "leaf5", JUNIPER) | {"CLS005 leaf5"},
        ),
        ((JUNOS, "scheduler LOSSLESS;", "scheduler LOSLESS;"), {"CLS004 leaf5", "CLS005 leaf5"}),
    ],
)
def test_a_line_changed(run: Run, clean: Path, change: tuple[str, str, str], found: set[str]) -> None:
    """The first place where the text stands is changed."""
    file, written, changed = change
    dump = clean / file
    text = dump.read_text(encoding="utf-8")
    assert written in text
    dump.write_text(text.replace(written, changed, 1), encoding="utf-8")
    _, told = report(run, clean)
    assert {" ".join(filter(None, (f["rule"], f["device"], f["port"]))) for f in failures(told)} == found


def test_a_maker_is_not_told_by_the_name_of_a_file(run: Run, clean: Path) -> None:
    out = run("show", clean)[1]
    systems = {device["name"]: device["os"] for device in json.loads(out)["devices"]}
    assert systems == {
        "spine1": "sonic",
        "spine2": "sonic",
        "leaf1": "cumulus_nvue",
        "leaf2": "arista_eos",
        "leaf3": "cisco_nxos",
        "leaf4": "dell_os10",
        "leaf5": "juniper_junos",
        **{f"host{n}": "linux" for n in (1, 2, 3)},
    }


@pytest.mark.parametrize(
    ("start", "astray"),
    [
        # leaf2 rewrites to 24, which spine1 does not know
        ("host1:ens2f0np0", ["spine1 Ethernet8: not no-drop", f"{SONIC}:283", f"{EOS}:14  rewritten to DSCP 24"]),
        # spine1 keeps it in its class, spine2 sorts nothing
        ("host1:ens1f0np0", ["spine2 Ethernet0: not no-drop", f"{SONIC_2}:243"]),
    ],
)
def test_the_walk_names_the_first_hop_that_goes_astray(
    start: str, astray: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    status, out, _ = run("path", start, "host2", BAD)
    data = out.split("\n\n")[0]
    assert data.startswith("RDMA (DSCP 26): host1")
    assert [text for text in astray if text not in data.partition("departs from the intent at ")[2]] == []
    assert status == FINDINGS


def test_without_the_faults_every_packet_stays_where_it_is_meant(run: Run, clean: Path) -> None:
    """Whoever made the hops; how a Junos switch is meant to treat a CNP is not told."""
    status, out, _ = run("path", "host1", "host2", clean)
    assert "leaves what is meant for it" not in out
    assert out.count("as meant") > 0
    assert status == CLEAN
