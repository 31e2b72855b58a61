"""Findings stand at the line that decides, at the device that is to be edited, on each system alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from pod import clean
from pods import files

from auditor import Options, audit

INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48], priority: 6}
path_mtu_bytes: 4096
"""


@dataclass(frozen=True)
class Place:
    """A leaf of the pod of a system with one edit, and the rule that must quote `line`."""

    system: str
    file: str
    old: str
    new: str
    rule: str
    line: str


def _read_leaf(system: str) -> Mapping[str, str]:
    pod = dict(clean()) if system == "nxos" else dict(files(system))
    return {name: text for name, text in pod.items() if name.startswith("leaf3/")}


def _list_lines(tmp_path: Path, leaf: Mapping[str, str], os: str | None = None) -> set[tuple[str, str, str | None]]:
    """Return rule, line and port of each error and warning about a device of these files."""
    for name, text in leaf.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    found = set()
    for each in audit(tmp_path, Options(jobs=1, os=os)).findings:
        if each.kind == "fail" and each.level != "note" and each.file and each.line:
            line = Path(each.file).read_text(encoding="utf-8").splitlines()[each.line - 1].strip()
            found.add((each.rule, line, each.port))
    return found


DECIDING = [
    Place(
        "junos",
        "leaf3/show_configuration.txt",
        "loss-priority low code-points 011010;",
        "loss-priority low code-points 011011;",
        "PFC002",
        "loss-priority low code-points 011011;",
    ),
    Place(
        "nxos",
        "leaf3/show_running-config.txt",
        "    pause pfc-cos 3\n",
        "",
        "PFC002",
        "class type network-qos c-8q-nq3",
    ),
    Place(
        "nxos",
        "leaf3/show_running-config.txt",
        "  match dscp 26\n",
        "  match dscp 27\n",
        "CLS002",
        "match dscp 27",
    ),
    Place(
        "eos",
        "leaf3/show_running-config.txt",
        "   priority-flow-control priority 3 no-drop\n",
        "",
        "PFC002",
        "priority-flow-control on",
    ),
]


@pytest.mark.parametrize("place", DECIDING, ids=lambda place: f"{place.system}-{place.rule}-{place.line}")
def test_a_class_that_lost_its_pause_is_quoted_where_it_is_decided(tmp_path: Path, place: Place) -> None:
    leaf = dict(_read_leaf(place.system))
    assert place.old in leaf[place.file]
    leaf[place.file] = leaf[place.file].replace(place.old, place.new)
    lines = {line for rule, line, _ in _list_lines(tmp_path, leaf) if rule == place.rule}
    assert place.line in lines, lines


LOST = [
    Place(
        "eos", "leaf3/show_running-config.txt", "   service-profile SU1-ROCE\n", "", "FLT001", "interface Ethernet1/1"
    ),
    Place("sonic", "leaf3/config_db.json", '"pfc_enable": "3",', "", "FLT001", '"Ethernet0": {'),
]


@pytest.mark.parametrize("place", LOST, ids=lambda place: place.system)
def test_a_port_that_lost_pfc_is_told_itself_where_no_neighbour_is_dumped(tmp_path: Path, place: Place) -> None:
    leaf = dict(_read_leaf(place.system))
    leaf[place.file] = leaf[place.file].replace(place.old, place.new, 1)
    assert (place.rule, place.line) in {found[:2] for found in _list_lines(tmp_path, leaf)}


NVUE = """\
nv set qos roce enable on
nv set qos roce mode lossless
nv set interface swp1 qos pfc-watchdog state enable
"""
ENTERPRISE_SONIC = """\
buffer init lossless
interface Eth1/1
 priority-flow-control priority 3
 priority-flow-control watchdog on
 exit
interface Eth1/1
"""
TAKEN_BACK = [
    ("cumulus_nvue", NVUE, "nv unset interface swp1 qos pfc-watchdog", "WDG001"),
    ("dell_enterprise_sonic", ENTERPRISE_SONIC, "priority-flow-control watchdog off", "WDG001"),
]


@pytest.mark.parametrize(("os", "text", "last", "rule"), TAKEN_BACK, ids=lambda value: str(value)[:24])
def test_the_line_that_took_a_value_back_is_quoted(tmp_path: Path, os: str, text: str, last: str, rule: str) -> None:
    found = _list_lines(tmp_path, {"leaf1/config.txt": f"{text}{last}\n"}, os)
    assert {line for name, line, _ in found if name == rule} == {last}
