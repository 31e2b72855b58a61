"""What looks like a fault and is none: dumps in which no rule may speak, and the tests that hold the other traps."""

import json
import re
from pathlib import Path

import pytest
from nexus import CLASSIFY, LOSSLESS_JUMBO, SYSTEM_QOS, VERSION

from auditor.cli import main

ROOT = Path(__file__).parent.parent
ELSEWHERE = {
    "each direction of PFC for itself": "tests/checks/test_pfc.py::test_each_direction_of_a_link_is_judged_for_itself",
    "equal thresholds": "tests/checks/test_field_faults.py::test_step_marking_is_no_fault",
    "an MTU counted otherwise, and a class, queue, group and priority of four numbers": (
        "tests/fabrics/test_fabric_mixed.py"
        "::test_without_the_faults_there_is_no_finding_and_nothing_open_that_a_dump_could_tell"
    ),
    "congestion control that is not DCQCN": (
        "tests/intent/test_effects.py::test_congestion_control_that_is_not_dcqcn_silences_the_rules_of_dcqcn"
    ),
    "every equal-cost path": "tests/packet/test_trace.py::test_every_equal_cost_path_is_walked_and_none_that_is_longer",
    "virtual output queues": "tests/estimate/test_link.py::test_a_voq_switch_is_not_covered",
    "one point for the whole port": (
        "tests/checks/test_field_faults.py::test_a_notification_point_for_the_whole_port_is_no_fault"
    ),
    "marking on another class": "tests/checks/test_field_faults.py::test_marking_on_another_class_is_no_fault",
}
"""Traps that another test holds."""
INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48]}
"""
ASYMMETRIC = """\
nv set system hostname leaf1
nv set interface swp1 type swp
nv set qos pfc default-global switch-priority 3
nv set qos pfc default-global tx disable
nv set qos pfc default-global rx enable
"""
CNP_BY_DEFAULT = f"""\
{VERSION}hostname leaf1
{CLASSIFY}{LOSSLESS_JUMBO}{SYSTEM_QOS}interface Ethernet1/1
  priority-flow-control mode on
  service-policy type qos input CLASSIFY
"""
VIRTUAL = """\
$ hostname
host1
$ ibdev2netdev
mlx5_0 port 1 ==> ens1f0 (Up)
mlx5_2 port 1 ==> ens1f0v0 (Up)
$ ip -j -d link
[{"ifname": "ens1f0", "flags": ["UP"], "mtu": 9000, "link_type": "ether", "address": "02:00:5e:10:01:00",
  "vfinfo_list": [{"vf": 0, "link_type": "ether", "address": "02:00:5e:10:01:02"}]},
 {"ifname": "ens1f0v0", "flags": ["UP"], "mtu": 9000, "link_type": "ether", "address": "02:00:5e:10:01:02"}]
$ mlnx_qos -i ens1f0
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
	prio:0 dscp:07,06,05,04,03,02,01,00,
	prio:3 dscp:31,30,29,28,27,26,25,24,
	prio:6 dscp:55,54,53,52,51,50,49,48,
PFC configuration:
	priority    0   1   2   3   4   5   6   7
	enabled     0   0   0   1   0   0   0   0
	buffer      0   0   0   1   0   0   0   0
"""


@pytest.mark.parametrize(
    ("dump", "rules"),
    [
        pytest.param(ASYMMETRIC, ("PFC001", "PFC006"), id="a port that honours pauses and sends none"),
        pytest.param(CNP_BY_DEFAULT, ("CLS003",), id="CNPs in the default class where the intent gives them none"),
        pytest.param(VIRTUAL, ("PFC001", "CLS001", "CLS002"), id="a virtual function shows no QoS of its own"),
    ],
)
def test_no_rule_speaks(dump: str, rules: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "device.txt").write_text(dump, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    main(["check", str(tmp_path), "--format", "json"])
    counted = {each["rule"]: each for each in json.loads(capsys.readouterr().out)["rules"]}
    for rule in rules:
        assert counted[rule]["checked"] > 0, rule
        assert (counted[rule]["failed"], counted[rule]["open"]) == (0, 0), rule


def test_a_virtual_function_is_judged_by_what_it_takes_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = VIRTUAL.replace("enabled     0   0   0   1", "enabled     0   0   0   0")
    (tmp_path / "host1.txt").write_text(text, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    main(["check", str(tmp_path), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {f["port"] for f in found if f["rule"] == "PFC001" and f["kind"] == "fail"} == {"ens1f0", "ens1f0v0"}


def test_headroom_that_the_switch_sizes_by_itself_is_not_missing(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(ROOT / "fixtures" / "rules" / "rewrite-changes-class" / "good"), "--format", "json"])
    counted = {each["rule"]: each for each in json.loads(capsys.readouterr().out)["rules"]}
    assert (counted["BUF001"]["checked"], counted["BUF001"]["failed"], counted["BUF001"]["open"]) == (1, 0, 1)


@pytest.mark.parametrize("place", ELSEWHERE.values(), ids=list(ELSEWHERE))
def test_the_other_traps_have_their_test(place: str) -> None:
    file, _, name = place.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
