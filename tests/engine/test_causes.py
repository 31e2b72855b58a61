"""Causes: each planted fault is one, whatever else is wrong; a fault that was copied to many devices is one as well."""

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from planted import Fault
from pod_faults import FAULTS as OF_POD
from test_fabric import FAULTS as OF_FABRIC
from test_fabric_mixed import FAULTS as OF_MIXED

from auditor import Options, audit
from auditor.engine.findings import Cause
from auditor.engine.result import Report

from .settings import LOSSLESS

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[2]
FABRICS: dict[str, Sequence[Fault]] = {"pod-faulty": OF_POD, "fabric": OF_FABRIC, "fabric-mixed": OF_MIXED}


def judge(path: Path | str) -> Report:
    return audit(str(path), Options(jobs=1))


def list_places(cause: Cause) -> set[tuple[str, str, str | None, str | None, int | None]]:
    return {(each.rule, each.device, each.port, each.file, each.line) for each in cause.findings}


@pytest.mark.parametrize("name", FABRICS)
def test_each_planted_fault_is_one_cause(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings of a cause are all those of its fault; a finding that another one hides is in none."""
    monkeypatch.chdir(ROOT)
    folder = f"fixtures/{name}"
    report = judge(folder)
    shown = {place for cause in report.causes for place in list_places(cause)}
    planted = [{place for row in fault.rows for place in row.findings(folder)} & shown for fault in FABRICS[name]]
    assert sorted(map(sorted, map(list_places, report.causes)), key=str) == sorted(map(sorted, planted), key=str)
    assert len({cause.id for cause in report.causes}) == len(report.causes) == len(FABRICS[name])


def test_the_place_of_a_cause_is_what_its_lines_are_at_odds_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ports of spine2 sort by one class map, and its line is the one to edit."""
    monkeypatch.chdir(ROOT)
    (sorts,) = (cause for cause in judge("fixtures/pod-faulty").causes if cause.device == "spine2")
    lines = (ROOT / str(sorts.file)).read_text(encoding="utf-8").splitlines()
    assert (sorts.rule, lines[(sorts.line or 0) - 1].strip()) == ("CLS002", "match dscp 24")
    assert len(sorts.ports) == len(sorts.findings) > 1


PORTS = f"""\
hostname leaf1
feature lldp
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos SORT
  class RDMA
    set qos-group 3
{LOSSLESS}{{ports}}"""


def test_what_a_port_lacks_belongs_together_by_what_it_is_about(tmp_path: Path) -> None:
    """One port has no policy, and none has a watchdog: each has its own remedy, though both are told at one line."""
    port = "interface Ethernet1/{number}\n  priority-flow-control mode on\n{policy}  mtu 9216\n  no shutdown\n"
    policy = "  service-policy type qos input SORT\n"
    ports = "".join(port.format(number=number, policy="" if number == 1 else policy) for number in (1, 2, 3))
    (tmp_path / "leaf1.cfg").write_text(PORTS.format(ports=ports), encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    causes = {cause.rule: cause for cause in judge(tmp_path).causes}
    assert {found.rule for found in causes["CLS001"].findings} == {"CLS001"}
    assert {found.rule for found in causes["WDG001"].findings} == {"WDG001"}
    assert len(causes["WDG001"].findings) == 3
    assert causes["CLS001"].line in {found.line for found in causes["WDG001"].findings}


@pytest.mark.guard
def test_a_name_that_is_used_at_many_lines_takes_time_by_their_number(tmp_path: Path) -> None:
    """The remedy has lines for each place, and looks through the dump once."""
    seconds = []
    for count in (500, 2_000):
        ports = (
            f"interface Ethernet{1 + n // 64}/{1 + n % 64}\n  service-policy type qos input NO\n" for n in range(count)
        )
        (tmp_path / "leaf1.cfg").write_text(PORTS.format(ports="".join(ports)), encoding="utf-8")
        start = time.process_time()
        (found,) = [cause for cause in judge(tmp_path).causes if cause.rule == "CLS004"]
        seconds.append(time.process_time() - start)
        assert len(found.root.related) == count - 1
    assert seconds[1] < 8 * seconds[0]


HOST = """\
$ hostname
gpu{number}
$ ibdev2netdev
mlx5_0 port 1 ==> rail0 (Up)
$ mlnx_qos -i rail0
DCBX mode: OS controlled
Priority trust state: {trust}
default priority:
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
\tbuffer      0   0   0   1   0   0   0   0
$ cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class
Global tclass=106
"""
INTENT = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
"""


def write_hosts(folder: Path, trusts: Iterable[str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    for number, trust in enumerate(trusts):
        (folder / f"gpu{number}.txt").write_text(HOST.format(number=number, trust=trust), encoding="utf-8")


def test_one_fault_on_two_hundred_hosts_is_one_cause(tmp_path: Path) -> None:
    write_hosts(tmp_path, ["pcp"] * 200)
    causes = [cause for cause in judge(tmp_path).causes if cause.rule == "CLS001"]
    assert [(len(cause.findings), len(cause.devices), cause.device) for cause in causes] == [(200, 200, "gpu0")]


def test_a_cause_of_the_fleet_keeps_its_id_when_it_spreads(tmp_path: Path) -> None:
    ids = []
    for count in (2, 3):
        write_hosts(tmp_path, ["pcp"] * count)
        ids += [cause.id for cause in judge(tmp_path).causes if cause.rule == "CLS001"]
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_causes_of_the_fleet_with_one_root_and_other_findings_have_ids_of_their_own(tmp_path: Path) -> None:
    """All four switches have no headroom, and two of them send RDMA there."""
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    for number in range(4):
        tables: dict[str, Any] = json.loads(LOSSY)
        tables["DEVICE_METADATA"]["localhost"]["hostname"] = f"leaf{number}"
        if number >= 2:
            del tables["DSCP_TO_TC_MAP"]
        (tmp_path / f"leaf{number}").mkdir()
        (tmp_path / f"leaf{number}" / "config_db.json").write_text(json.dumps(tables, indent=2), encoding="utf-8")
    causes = judge(tmp_path).causes
    found = {cause.devices: {each.rule for each in cause.findings} for cause in causes if cause.rule == "BUF003"}
    assert found == {("leaf0", "leaf1"): {"BUF003", "CLS002"}, ("leaf2", "leaf3"): {"BUF003"}}
    assert len({cause.id for cause in causes}) == len(causes)


LOSSY = """\
{
  "DEVICE_METADATA": {"localhost": {"hwsku": "ACS-MSN2700", "buffer_model": "traditional"}},
  "PORT": {"Ethernet4": {"lanes": "4,5,6,7", "speed": "100000", "mtu": "9216", "admin_status": "up"}},
  "CABLE_LENGTH": {"AZURE": {"Ethernet4": "0m"}},
  "DSCP_TO_TC_MAP": {"RDMA": {"0": "0", "26": "3", "48": "6"}},
  "TC_TO_QUEUE_MAP": {"RDMA": {"0": "0", "3": "3", "6": "6"}},
  "TC_TO_PRIORITY_GROUP_MAP": {"RDMA": {"0": "0", "3": "3", "6": "0"}},
  "PORT_QOS_MAP": {
    "Ethernet4": {"dscp_to_tc_map": "RDMA", "tc_to_queue_map": "RDMA", "tc_to_pg_map": "RDMA", "pfc_enable": "3"}
  },
  "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10000000"}},
  "BUFFER_PROFILE": {"ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"}},
  "BUFFER_PG": {"Ethernet4|0": {"profile": "ingress_lossy_profile"}}
}
"""
"""A switch with SONiC whose port pauses priority 3, for which no profile has headroom."""
LEAF = """\
{head}
hostname leaf{number}
interface Ethernet1/1
  mtu 1500
  priority-flow-control mode on
interface Ethernet1/2
  mtu 9216
  priority-flow-control mode on
"""


@pytest.mark.parametrize(
    ("heads", "template"),
    [
        (["! Generated from templates/leaf.j2"] * 3, "templates/leaf.j2"),
        (["!\n! Template: leaf-400g\n!"] * 3, "leaf-400g"),
        (["! a.j2", "! a.j2", "! b.j2"], None),
        (["! a.j2", "! a.j2", "!"], None),
        (["! a.j2 and b.j2"] * 3, None),
        (["!"] * 3, None),
        (["feature lldp\n! Template: stig_logging.j2"] * 3, None),
    ],
)
def test_a_cause_of_the_fleet_names_the_template_of_all_its_configurations(
    tmp_path: Path, heads: Sequence[str], template: str | None
) -> None:
    for number, head in enumerate(heads):
        (tmp_path / f"leaf{number}.cfg").write_text(LEAF.format(head=head, number=number), encoding="utf-8")
    causes = [cause for cause in judge(tmp_path).causes if cause.rule == "PFC002"]
    assert [(len(cause.devices), cause.template) for cause in causes] == [(len(heads), template)]


def test_a_cause_keeps_its_id_when_lines_move(tmp_path: Path) -> None:
    write_hosts(tmp_path, ["pcp", "dscp"])
    before = [cause.id for cause in judge(tmp_path).causes]
    moved = tmp_path / "gpu0.txt"
    moved.write_text(f"# taken on a Tuesday\n{moved.read_text(encoding='utf-8')}", encoding="utf-8")
    assert [cause.id for cause in judge(tmp_path).causes] == before != []


def test_every_failure_is_in_one_cause_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in FABRICS:
        report = judge(f"fixtures/{name}")
        inside = [found.fingerprint for cause in report.causes for found in cause.findings]
        assert sorted(inside) == sorted(f.fingerprint for f in report.findings if f.kind.value == "fail")


POLICIES = """\
hostname leaf1
feature lldp
policy-map type qos FIRST
  class class-default
    set qos-group 0
policy-map type qos SECOND
  class class-default
    set qos-group 0
"""


def test_definitions_without_effect_have_nothing_to_do_with_each_other(tmp_path: Path) -> None:
    """Only where one of their kind is in effect and wrong may another be what was meant."""
    (tmp_path / "leaf1.cfg").write_text(POLICIES, encoding="utf-8")
    causes = [cause for cause in judge(tmp_path).causes if cause.rule == "CLS005"]
    assert [len(cause.findings) for cause in causes] == [1, 1]


def write_profiles(folder: Path, unused: int) -> None:
    """Write a switch with a profile that names what nobody defined, and *unused* profiles beside it."""
    spare = "".join(f"qos profile SPARE{number}\n   qos trust dscp\n!\n" for number in range(unused))
    wrong = "qos profile USED\n   service-policy type qos input NOBODY\n!\n"
    (folder / "leaf1.cfg").write_text(
        f"hostname leaf1\n!\n{wrong}{spare}interface Ethernet1\n   service-profile USED\n!\nend\n", encoding="utf-8"
    )


@pytest.mark.parametrize(("unused", "expected"), [(1, 1), (2, 3), (5, 6)])
def test_a_definition_without_effect_was_meant_only_if_it_is_the_only_one(
    unused: int, expected: int, tmp_path: Path
) -> None:
    write_profiles(tmp_path, unused)
    causes = [cause for cause in judge(tmp_path).causes if {f.rule for f in cause.findings} & {"CLS004", "CLS005"}]
    assert len(causes) == expected


def test_a_cause_names_those_whose_lines_it_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """These are the causes that call one of its related lines wrong."""
    monkeypatch.chdir(ROOT)
    for name in FABRICS:
        causes = judge(f"fixtures/{name}").causes
        lines = {cause.id: {(each.file, each.line) for each in cause.findings} for cause in causes}
        for cause in causes:
            rests = {(place.file, place.line) for each in cause.findings for place in each.related}
            assert set(cause.also) == {other for other in lines if other != cause.id and lines[other] & rests}
