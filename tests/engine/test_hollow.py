"""What was not judged is never clean: exit status 2 where nothing of a dump was."""

from pathlib import Path

import pytest

from auditor import Options, audit
from auditor.systems import systems

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric-clean"
WHOLE = {
    "cisco_nxos": "!Command: show running-config\nversion 10.3(4a)\nhostname leaf1\nfeature lldp\n",
    "arista_eos": "! device: leaf1 (DCS-7060DX4-32, EOS-4.28.0F)\nhostname leaf1\nqos profile X\nend\n",
    "juniper_junos": "version 22.2R1;\nsystem {\n    host-name leaf1;\n}\nclass-of-service {\n}\n",
    "dell_os10": "! Version 10.5.3.4\nhostname leaf1\nswitchtype layer3\n",
    "cisco_iosxr": "!! IOS XR Configuration 24.3.1\nhostname leaf1\nlldp\n!\nend\n",
    "huawei_vrp": "!Software Version V300R023C10\nsysname leaf1\ndcb pfc one\n priority 3\nreturn\n",
}
"""Whole configurations without a port."""


@pytest.mark.parametrize("os", WHOLE)
def test_a_whole_configuration_without_a_port_is_a_problem(tmp_path: Path, os: str) -> None:
    (tmp_path / "leaf1.cfg").write_text(WHOLE[os], encoding="utf-8")
    report = audit(tmp_path, Options(jobs=1, os=os))
    assert report.devices == 1
    assert any("names no port" in problem.message for problem in report.problems)
    assert {problem.file for problem in report.problems} <= {str(tmp_path / "leaf1.cfg"), None}


def test_a_part_of_a_configuration_exits_by_its_findings(tmp_path: Path) -> None:
    (tmp_path / "part.cfg").write_text("class-map type qos match-any RDMA\n  match dscp 26\n", encoding="utf-8")
    report = audit(tmp_path, Options(jobs=1, os="cisco_nxos"))
    assert (report.devices, report.problems) == (1, ())


def test_a_run_in_which_no_rule_judged_anything_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "gpu01.txt").write_text("$ uname -a\nLinux gpu01 5.15.0 x86_64 GNU/Linux\n", encoding="utf-8")
    report = audit(tmp_path, Options(jobs=1, os="linux"))
    assert report.devices == 1
    assert not [count for count in report.rules if count.checked > count.open]
    assert [problem.message.partition(":")[0] for problem in report.problems] == ["no rule judged anything"]


@pytest.mark.parametrize("text", ["kind: Pod\napiVersion: v1\nmetadata: {name: x}\n"])
def test_a_manifest_exits_by_its_findings(tmp_path: Path, text: str) -> None:
    (tmp_path / "pod.yaml").write_text(text, encoding="utf-8")
    report = audit([tmp_path / "pod.yaml"], Options(jobs=1, os="jobs"))
    assert (report.devices, report.problems) == (1, ())


def test_a_clean_fabric_is_no_problem() -> None:
    report = audit(FABRIC, Options(jobs=1))
    assert report.problems == ()
    assert {dump.os for dump in report.dumps} <= {*systems()}
