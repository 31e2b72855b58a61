"""The port view: every field there, null apart from empty, proofs that resolve, and the schema kept by every dump."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from auditor import Options, load
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.snapshot import find
from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.device import Device
from auditor.model.dump import DumpFile, LineState
from auditor.model.fabric import Fabric
from auditor.model.nic import Nic
from auditor.model.port import LinkPause, Pfc, Port, PortConfig
from auditor.model.qos import Classification, Queue, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where
from auditor.view.documents import coverage_schema, port_view_schema
from auditor.view.port_view import coverage_view, device_view, fabric_view, port_view

ROOT = Path(__file__).parents[2]
VALIDATOR = Draft202012Validator(port_view_schema())
COVERAGE = Draft202012Validator(coverage_schema())
CORPUS = ROOT.parent / "shared" / "corpus"
FOLDERS = sorted(
    {
        *(ROOT / "fixtures").glob("dumps/*"),
        *(ROOT / "fixtures").glob("rules/*/*"),
        *(ROOT / "fixtures").glob("fabric*"),
        *(CORPUS / "nic").glob("*/"),
        *(CORPUS / "switch").glob("*/"),
    }
)

DEVICE = "name kind os os_version model asic role buffer_architecture source captured_at pools ports"
POOL = "name direction lossless size_bytes memory_percent shared_headroom_bytes mode"
PORT = """
name aliases mac enabled speed_gbps lanes fec negotiates mtu_bytes ip_mtu_bytes max_frame_bytes forwarding tagged lag
parent pfc_mode pfc_oper pfc_priorities pfc_tx_priorities pfc_rx_priorities pfc_peer_priorities
pfc_watchdog pfc_watchdog_detection_ms
pfc_watchdog_restoration_ms pfc_watchdog_polling_ms pfc_watchdog_action pfc_watchdog_priorities global_pause pause_rx
pause_tx trust classes dscp_to_class pcp_to_class default_class classifiers class_to_dscp class_to_pcp rewrite
dscp_to_priority pcp_to_priority queues priority_groups cable_length_m counters peer nic
"""
CLASS = "id name internal pfc_priority queue pg lossless"
QUEUE = """
queue priorities location ecn ecn_min_bytes ecn_max_bytes ecn_max_probability ecn_min ecn_max ecn_above_max ecn_colors
wred_drop scheduler bandwidth_percent bandwidth_basis weight shape_gbps
"""
GROUP = """
pg priorities lossless reserved_bytes size_bytes xon_bytes xon_offset_bytes xoff_bytes headroom_source alpha
static_threshold_bytes pool
"""
NIC = """
vendor model driver firmware rdma_device function parent link_layer transport traffic_class rdma_cm_tos gids dcqcn_np
dcqcn_rp np_enabled cc_engine cnp_dscp cnp_dscp_mode cnp_priority active_mtu_bytes receive_buffers_bytes cable_length_m
retransmission adaptive_routing next_boot dcqcn
"""


def known(value: Any) -> Known[Any]:  # noqa: ANN401  any value
    return Known(value, Origin.INTENDED, Where("leaf1.cfg", 3))


def shown(port: Port, *, with_state: bool = False) -> dict[str, Any]:
    view: dict[str, Any] = port_view(port, with_state=with_state).model_dump(mode="json", by_alias=True)
    return view


FULL = PortConfig(
    classification=Classification(classes=known((TrafficClass("0", "x"),))),
    queues=known((Queue(3),)),
    priority_groups=known((PriorityGroup(3),)),
    nic=Nic(),
)


def test_every_field_is_always_there() -> None:
    device = Device("d", "switch", "x", "d.cfg", (Port("p", FULL),), pools=known((Pool("a", "ingress"),)))
    view = device_view(device).model_dump(mode="json", by_alias=True)
    (port,) = view["ports"]
    for found, fields in (
        (view, DEVICE),
        (view["pools"][0], POOL),
        (port, PORT),
        (port["classes"][0], CLASS),
        (port["queues"][0], QUEUE),
        (port["priority_groups"][0], GROUP),
        (port["nic"], NIC),
    ):
        assert set(fields.split()) <= found.keys()
    assert "state" not in port


def test_a_port_of_which_nothing_is_known_is_null_throughout() -> None:
    view = shown(Port("p", PortConfig()))
    named = {name: view.pop(name) for name in ("name", "aliases")}
    assert named == {"name": "p", "aliases": []}
    assert set(view.values()) == {None}


@pytest.mark.parametrize(
    ("setting", "value"),
    [(known((3,)), [3]), (known(()), []), (NOT_COLLECTED, None), (Unset(Where("leaf1.cfg", 3)), None)],
)
def test_null_is_not_empty(setting: Setting[tuple[int, ...]], value: object) -> None:
    view = shown(Port("p", PortConfig(pfc=Pfc(priorities=setting))))
    assert view["pfc_priorities"] == value


@pytest.mark.parametrize(
    ("rx", "tx", "either"),
    [
        (known(value=True), NOT_COLLECTED, True),
        (known(value=False), known(value=True), True),
        (known(value=False), known(value=False), False),
        (known(value=False), NOT_COLLECTED, None),
        (NOT_COLLECTED, Unset(), None),
    ],
)
def test_global_pause_is_either_direction(rx: Setting[bool], tx: Setting[bool], *, either: bool | None) -> None:
    assert shown(Port("p", PortConfig(pause=LinkPause(rx, tx))))["global_pause"] is either


def resolve(document: Any, pointer: str) -> Any:  # noqa: ANN401  any JSON
    """Return what *pointer* (RFC 6901) points at; raises KeyError, IndexError or ValueError where nothing is."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def proofs(root: str) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    """Yield each port of the fixtures, and each pointer into it with its proof."""
    for unit in find([str(ROOT / "fixtures" / root)]).units:
        for port in device_view(read_device(unit).device, with_state=True).model_dump(mode="json", by_alias=True)[
            "ports"
        ]:
            for pointer, proof in port["state"].items():
                yield port, pointer, proof


@pytest.mark.parametrize("root", ["fabric", "dumps/linux"])
def test_every_proof_resolves_in_its_port(root: str) -> None:
    seen = set()
    for port, pointer, proof in proofs(root):
        value = resolve(port, pointer)
        seen.add((proof["state"], proof["origin"]))
        if proof["state"] != "known":
            assert (value, proof["origin"]) == (None, None), pointer
        if proof["state"] == "unknown" or proof["origin"] == "default":
            assert proof["why"], pointer
    assert ("known", "intended" if root == "fabric" else "learned") in seen


HARDWIRED = re.compile(r"/classes(/\d+/(internal|queue|pg))?")


@pytest.mark.parametrize("root", ["fabric", "dumps/linux"])
def test_what_somebody_wrote_has_a_line(root: str) -> None:
    for port, pointer, proof in proofs(root):
        if proof["origin"] == "intended" and not HARDWIRED.fullmatch(pointer):
            assert (proof["file"], proof["line"]) > ("", 0), (port["name"], pointer)


def test_what_nobody_wrote_is_not_called_intended() -> None:
    for _, pointer, proof in proofs("fabric"):
        assert proof["line"] or proof["origin"] != "intended", pointer


def written() -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """Yield each port of the fabric's leaves with its proofs and the lines of the configuration."""
    for path in sorted((ROOT / "fixtures" / "fabric").glob("leaf*/show_running-config.txt")):
        (unit,) = find([str(path)]).units
        lines = path.read_text().splitlines()
        for port in device_view(read_device(unit).device, with_state=True).ports:
            yield port.name, port.model_dump(mode="json")["state"], lines


def test_what_ports_share_is_shown_on_each_ports_own_line() -> None:
    checked = 0
    for name, state, lines in written():
        proof = state["/mtu_bytes"]
        if proof["origin"] != "intended":
            continue
        heads = [n for n, line in enumerate(lines[: proof["line"]]) if line.startswith("interface ")]
        assert re.fullmatch(r"\s+mtu \d+", lines[proof["line"] - 1])
        assert lines[heads[-1]] == f"interface {name}"
        checked += 1
    assert checked > 16


@pytest.mark.read_once
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: "/".join(path.parts[-3:]))
def test_every_dump_keeps_the_schema(folder: Path) -> None:
    devices = load(str(folder), Options(jobs=1)).complete_model.devices
    view = fabric_view(link_devices(devices), with_state=True)
    VALIDATOR.validate(json.loads(view.model_dump_json(by_alias=True)))
    coverage = json.loads(coverage_view(devices).model_dump_json(by_alias=True))
    COVERAGE.validate(coverage)


def test_there_are_dumps_to_keep_it() -> None:
    assert len(FOLDERS) > 20


def test_the_schema_refuses_what_is_no_port_view() -> None:
    view = json.loads(fabric_view(Fabric((Device("d", "switch", "x", "d", (Port("p", FULL),)),), ())).model_dump_json())
    assert not VALIDATOR.is_valid({**view, "schema": "roce-audit/port-view/2"})
    del view["devices"][0]["ports"][0]["pfc_priorities"]
    assert not VALIDATOR.is_valid(view)


def test_coverage_has_a_state_for_each_line() -> None:
    dump = DumpFile("leaf1.cfg", "x", (LineState.MODELLED, LineState.UNRECOGNISED))
    view = coverage_view([Device("d", "switch", "x", "d", dumps=(dump,))]).model_dump(mode="json", by_alias=True)
    assert view == {
        "schema": "roce-audit/coverage/1",
        "dumps": [{"file": "leaf1.cfg", "os": "x", "lines": [[1, "modelled"], [2, "unrecognised"]]}],
    }


def test_coverage_of_every_file_counts_its_own_lines() -> None:
    devices = [read_device(unit).device for unit in find([str(ROOT / "fixtures" / "fabric")]).units]
    for dump in coverage_view(devices).dumps:
        lines = Path(dump.file).read_text().splitlines()
        assert [number for number, _ in dump.lines] == list(range(1, len(lines) + 1)), dump.file


def test_coverage_of_a_switchs_transcript_counts_the_files_lines(tmp_path: Path) -> None:
    leaf = ROOT / "fixtures" / "fabric" / "leaf1"
    commands = ("show running-config", "show lldp neighbors detail")
    text = "".join(f"$ {c}\n{(leaf / (c.replace(' ', '_') + '.txt')).read_text()}" for c in commands)
    (tmp_path / "leaf1.txt").write_text(text)
    (unit,) = find([str(tmp_path)]).units
    (dump,) = coverage_view([read_device(unit).device]).dumps
    assert [number for number, _ in dump.lines] == list(range(1, text.count("\n") + 1))
