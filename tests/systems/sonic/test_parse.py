"""Places, shapes, recognition and robustness of the SONiC parser."""

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.asic import list_asics
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Setting, Where, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.sonic import parse as sonic
from auditor.systems.sonic.document import read
from auditor.systems.sonic.hardware import load_catalogue

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "sonic"


def parsed(text: str, name: str = "config_db.json") -> Device:
    return sonic.parse("switch", name, [Capture(name, tuple(text.split("\n")))])


def fixture(name: str) -> Device:
    return parsed((FIXTURES / name).read_text(encoding="utf-8"), name)


def where(setting: Setting[object]) -> Where | None:
    assert isinstance(setting, Known)
    return setting.where


def test_ports_that_say_the_same_share_one_configuration_and_keep_their_own_places() -> None:
    device = fixture("buffers/config_db.json")
    first, second = device.ports[0], device.ports[1]
    assert first.config is not second.config
    alike = {"PORT": {f"Ethernet{n}": {"alias": f"e{n}", "lanes": str(n), "mtu": "9100"} for n in range(3)}}
    one, two, three = parsed(json.dumps(alike, indent=2)).ports
    assert one.config is two.config is three.config
    mtu = where(two.config.ethernet.mtu_bytes)
    assert two.locate(mtu) == Where("config_db.json", 11, pointer="/PORT/Ethernet1/mtu")
    assert three.locate(mtu) == Where("config_db.json", 16, pointer="/PORT/Ethernet2/mtu")


def test_a_place_has_its_line_and_its_pointer_in_every_table() -> None:
    port = fixture("whole/config_db.json").ports[0]
    queue = next(q for q in value_of(port.config.queues) or () if q.queue == 3)
    assert port.locate(where(port.config.pfc.priorities)) == Where(
        "whole/config_db.json", 94, pointer="/PORT_QOS_MAP/Ethernet0/pfc_enable"
    )
    assert port.locate(where(queue.ecn)) == Where("whole/config_db.json", 116, pointer="/WRED_PROFILE/LOSSLESS/ecn")


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_one_line_or_many_hold_the_same(indent: int | None) -> None:
    data = json.loads((FIXTURES / "whole/config_db.json").read_text(encoding="utf-8"))
    device = fill_defaults(parsed(json.dumps(data, indent=indent)))
    port = device.ports[0].config
    assert (value_of(port.pfc.mode), value_of(port.pfc.priorities)) == (PfcMode.ON, (3,))
    assert device.doubts == ()
    assert LineState.UNRECOGNISED not in device.dumps[0].states


def test_a_device_survives_pickling() -> None:
    device = fixture("whole/config_db.json")
    assert pickle.loads(pickle.dumps(device)) == device  # noqa: S301  what was pickled a moment ago


@pytest.mark.parametrize(("remote", "doubts"), [("Ethernet1/7", []), ("Ethernet1/8", ["Ethernet0"])])
def test_a_neighbour_is_doubted_only_where_lldp_names_another_than_the_configuration(
    remote: str, doubts: list[str]
) -> None:
    neighbour = {"name": "leaf1", "port": "Ethernet1/7"}
    database = {"PORT": {"Ethernet0": {"lanes": "1"}}, "DEVICE_NEIGHBOR": {"Ethernet0": neighbour}}
    table = [
        "LocalPort    RemoteDevice    RemotePortID    Capability",
        f"Ethernet0    leaf1    {remote}    BR    uplink",
    ]
    captures = [
        Capture("config_db.json", tuple(json.dumps(database, indent=2).split("\n"))),
        Capture("show_lldp_table.txt", tuple(table), "show lldp table"),
    ]
    device = sonic.parse("switch", "switch", captures)
    assert [each.port for each in device.differences or ()] == doubts
    peer = value_of(device.ports[0].peer)
    assert peer
    assert (peer.device, peer.port) == ("leaf1", remote)


def test_a_key_that_stands_twice_counts_as_every_json_reader_has_it() -> None:
    device = parsed('{"PORT": {"Ethernet0": {"mtu": "1500"}},\n"PORT": {"Ethernet4": {"mtu": "9100"}}}')
    assert [port.name for port in device.ports] == ["Ethernet4"]
    assert [(doubt.where.line, doubt.text) for doubt in device.doubts] == [(1, "PORT")]


def test_what_stands_before_a_cut_is_read() -> None:
    device = fixture("cut/config_db.json")
    assert device.doubts[-1].fatal
    assert value_of(device.ports[0].config.ethernet.lanes) == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"PORT": []}',
        '{"PORT": {"Ethernet0": []}}',
        '{"QUEUE": {"|": {}, "Ethernet0|3|4|5|6": {"scheduler": "x"}, "Ethernet0|9999999-1": {}}}',
        '{"PORT": {"Ethernet0": {"mtu": {"a": {"b": "c"}}, "lanes": ["1", "2"]}}}',
        '{"BUFFER_PG": {"Ethernet0|3-4": {"profile": "[]"}}, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "far"}}}',
        '{"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": 3, "dscp_to_tc_map": null}}}',
        '{"PORT": {"Ethernet0": {"mtu": NaN}}}',
        '{"PORT": ' + "[" * 100_000,
        "[" * 50 + '{"PORT": {"Ethernet0": {}}}' + "]" * 50,
        '{"DSCP_TO_TC_MAP": {"x": {"\\ud800": "1", "٣": "1", "9999999999999999999999": "1"}}}',
        "{",
        "",
    ],
)
def test_no_text_raises(text: str) -> None:
    fill_defaults(parsed(text))


@given(st.text(alphabet='{}[]",:|PORTQUE0123456789 \n', max_size=60))
def test_no_short_text_raises(text: str) -> None:
    fill_defaults(parsed(text))


def test_keys_know_their_lines() -> None:
    document = read(Capture("x", ('{"a": "b\\" : ",', '"c"', ':{"d":["e", {"f": 1}]}', "}")))
    assert list(document.lines) == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"PORT_QOS_MAP": {}}', "config_db.json"),
        ('{"BUFFER_PG|Ethernet0|3-4": {"profile": "NULL"}}', "config_db.json"),
        ('[{"header": {"model": "x"}}, {"set": {"interface": {"swp1": {}}, "qos": {}}}]', None),
        ('{"PORT": {"swp1": {}}}', None),
        ('{"device": "leaf1", "captures": []}', None),
        ('{"openconfig-qos:qos": {}, "DSCP_TO_TC_MAP": {"x": {}}}', None),
        ("# speed cable size xon xoff threshold\n100000 5m 1 1 1 0", "pg_profile_lookup.ini"),
        ("Interface    Lossless priorities\n-----------  -----\nEthernet0    3,4", "show pfc priority"),
        ("hostname leaf1\ninterface Ethernet1/1", None),
    ],
)
def test_a_dump_is_told_by_its_content(text: str, found: str | None) -> None:
    assert systems()["sonic"].recognise(Capture("", tuple(text.split("\n")))) == found


@pytest.mark.parametrize(("fields", "runs"), [({"detection_time": "200"}, True), ({"action": "drop"}, False)])
def test_a_watchdog_without_a_detection_time_does_not_run(fields: dict[str, str], runs: bool) -> None:
    text = json.dumps({"PFC_WD": {"Ethernet0": fields}})
    assert value_of(fill_defaults(parsed(text)).ports[0].config.pfc.watchdog.enabled) is runs


def test_json_of_the_management_framework_is_named_and_not_taken() -> None:
    capture = Capture("x", ('{"openconfig-qos:qos": {"WRED_PROFILE": {"a": {}}}}',))
    assert systems()["sonic"].recognise(capture) is None
    assert "OpenConfig" in (systems()["sonic"].foreign(capture) or "")


def test_the_asic_of_each_switch_is_one_that_the_loss_model_knows() -> None:
    assert {hardware.asic for hardware in load_catalogue()} <= set(list_asics())


@pytest.mark.parametrize(
    ("enabled", "marks"), [({}, None), ({"wred_green_enable": "true"}, True), ({"wred_green_enable": "false"}, None)]
)
def test_a_curve_that_marks_and_is_not_switched_on_is_not_known_to_mark(
    enabled: dict[str, str], marks: bool | None
) -> None:
    profile = {"ecn": "ecn_all", "green_min_threshold": "1000", "green_max_threshold": "2000", **enabled}
    data = {
        "PORT": {"Ethernet0": {"alias": "e0", "lanes": "0"}},
        "QUEUE": {"Ethernet0|3": {"wred_profile": "RDMA"}},
        "WRED_PROFILE": {"RDMA": profile},
    }
    (port,) = parsed(json.dumps(data, indent=2)).ports
    (queue,) = port.config.queues.known().value
    assert value_of(queue.ecn) is marks


@pytest.mark.parametrize(
    ("stopped", "honoured"),
    [({"3": "3", "4": "4"}, (3, 4)), ({"3": "5", "4": "4"}, (4,)), ({"4": "4"}, (4,)), (None, (3, 4))],
)
def test_a_pause_is_honoured_where_it_stops_the_queue_of_its_class(
    stopped: dict[str, str] | None, honoured: tuple[int, ...]
) -> None:
    same = {str(n): str(n) for n in range(8)}
    bound = {"pfc_enable": "3,4", "tc_to_pg_map": "A", "tc_to_queue_map": "A"}
    data = {
        "PORT": {"Ethernet0": {"alias": "e0", "lanes": "0"}},
        "PORT_QOS_MAP": {"Ethernet0": {**bound, **({"pfc_to_queue_map": "A"} if stopped else {})}},
        "TC_TO_PRIORITY_GROUP_MAP": {"A": same},
        "TC_TO_QUEUE_MAP": {"A": same},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"A": stopped or same},
    }
    pfc = fill_defaults(parsed(json.dumps(data, indent=2))).ports[0].config.pfc
    assert (value_of(pfc.tx_priorities), value_of(pfc.rx_priorities)) == ((3, 4), honoured)


def test_counters_by_the_name_of_a_table_are_no_table() -> None:
    """FLEX_COUNTER_TABLE has keys QUEUE and PFCWD, and says nothing of queues."""
    text = """{"DEVICE_METADATA": {"localhost": {"hwsku": "X"}},
"PORT": {"Ethernet0": {"speed": "100000"}},
"FLEX_COUNTER_TABLE": {
 "QUEUE": {"FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "10000"},
 "PORT": {"FLEX_COUNTER_STATUS": "enable"},
 "PFCWD": {"FLEX_COUNTER_STATUS": "enable"}}}"""
    found = parsed(text)
    assert not found.doubts
    assert LineState.UNRECOGNISED not in found.dumps[0].states
    assert [port.name for port in found.ports] == ["Ethernet0"]
