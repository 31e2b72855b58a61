"""Configurations of SR Linux: one tree from three syntaxes, both trees of quality of service, and sessions."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.inputs.sessions import split_captures
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, PfcMode, Port
from auditor.model.qos import Scheduler, WredDrop
from auditor.model.setting import Known, Setting, Unknown, Where, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.srlinux import parse as srlinux
from auditor.systems.srlinux.show import CONFIG, PART, STATE, recognise

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "srlinux"
SYNTAXES = ("curly.cfg", "flat.set", "document.json")
SYSTEM = "set / system name host-name leaf1"


def capture(name: str, lines: Sequence[str], command: str = "") -> Capture:
    return Capture(name, tuple(lines), command)


def read(name: str) -> Capture:
    return capture(name, (FIXTURES / name).read_text(encoding="utf-8").splitlines())


def parse(*captures: Capture) -> Device:
    return fill_defaults(srlinux.parse("x", "x", captures))


def parse_lines(*lines: str) -> Device:
    return parse(capture("leaf1.set", (*lines, SYSTEM)))


def find_port(device: Device, name: str = "ethernet-1/1") -> Port:
    return next(port for port in device.ports if port.name == name)


def find_where(port: Port, setting: Setting[object]) -> Where:
    assert isinstance(setting, Known)
    where = port.locate(setting.where)
    assert where
    return where


def test_a_document_may_be_one_line() -> None:
    written = read("same/document.json")
    line = json.dumps(json.loads("\n".join(written.lines)), separators=(",", ":"))
    short = capture("config.json", (line,))
    assert recognise(short) == recognise(written) == CONFIG
    assert identify_file(Raw("config.json", "", (line,), ends_with_newline=True), None).os == "nokia_srlinux"
    assert [port.name for port in parse(short).ports] == [port.name for port in parse(written).ports]


@pytest.mark.parametrize("name", SYNTAXES)
def test_the_three_syntaxes_say_the_same(name: str) -> None:
    device = parse(read(f"same/{name}"))
    port = find_port(device)
    config = port.config
    assert device.name == "leaf4"
    assert [each.name for each in device.ports] == ["ethernet-1/1", "ethernet-1/31"]
    assert device.ports[0].config is device.ports[1].config, "ports that are configured alike share one configuration"
    assert (device.undefined, device.unattached, device.doubts) == ((), (), ())
    assert value_of(config.pfc.mode) is PfcMode.ON
    assert value_of(config.pfc.tx_priorities) == value_of(config.pfc.rx_priorities) == (3,)
    assert value_of(config.pfc.watchdog.detection_ms) == 200
    assert value_of(config.ethernet.max_frame_bytes) == 9216
    queue = next(each for each in value_of(config.queues) or () if each.queue == 3)
    assert value_of(queue.scheduler) is Scheduler.WRR
    threshold = value_of(queue.ecn_max)
    assert threshold
    assert (value_of(queue.ecn), threshold.bytes, value_of(queue.ecn_max_probability)) == (True, 1_500_000, 0.05)
    assert value_of(config.classification.class_of_dscp(26)) == "rdma"


@pytest.mark.parametrize("name", SYNTAXES)
@pytest.mark.parametrize("number", [0, 1])
def test_a_value_has_its_line_at_each_port(name: str, number: int) -> None:
    shown = read(f"same/{name}")
    port = parse(shown).ports[number]
    for setting, word in ((port.config.ethernet.mtu_bytes, "9212"), (port.config.pfc.mode, "pfc-enable")):
        line = shown.lines[find_where(port, setting).line - 1]
        assert word in line
    first = next(index for index, line in enumerate(shown.lines) if port.name in line)
    assert find_where(port, port.config.ethernet.mtu_bytes).line >= first + 1


def test_templates_of_queues_bind_curves_and_buffers() -> None:
    port = find_port(parse(read("leaf1.set")))
    queue = next(each for each in value_of(port.config.queues) or () if each.queue == 3)
    low = value_of(queue.ecn_min)
    assert low
    assert (low.value, low.bytes) == (5, 200_000)
    assert value_of(queue.ecn_colors) == ("green", "yellow", "red")
    assert value_of(queue.wred_drop) == (WredDrop("green", 2_400_000, 3_800_000, 0.2),), "TCP is none of RDMA's curves"
    assert value_of(queue.static_threshold_bytes) == 4_000_000
    assert value_of(queue.shape_percent) == 80


def test_a_class_without_a_rewrite_leaves_with_dscp_0() -> None:
    port = find_port(parse(read("leaf1.set")))
    table = value_of(port.config.marking.class_to_dscp) or {}
    assert {name: entry.value for name, entry in table.items() if entry.value} == {"fc3": 26, "fc4": 36}
    assert table["fc0"].reference


def test_default_classes_follow_the_first_three_bits_of_the_dscp() -> None:
    sorting = find_port(parse(read("leaf1.set")), "ethernet-1/2").config.classification
    assert [value_of(sorting.class_of_dscp(dscp)) for dscp in (0, 26, 46, 63)] == ["fc0", "fc3", "fc5", "fc7"]


def test_a_default_class_beside_no_policy_leaves_the_table_open() -> None:
    sorting = find_port(parse(read("leaf1.set")), "ethernet-1/5").config.classification
    assert value_of(sorting.default_class) == "fc5"
    assert isinstance(sorting.dscp_to_class, Unknown)


def test_parts_of_a_split_port_have_its_speed_and_the_settings_of_their_bundle() -> None:
    device = parse(read("leaf1.set"))
    assert "ethernet-1/3" not in [port.name for port in device.ports]
    port = find_port(device, "ethernet-1/3/1")
    ethernet = port.config.ethernet
    assert (value_of(port.lag), value_of(port.parent)) == ("lag1", "ethernet-1/3")
    assert (value_of(ethernet.speed_gbps), value_of(ethernet.mtu_bytes)) == (25, 9100)
    assert value_of(ethernet.forwarding) is Forwarding.SWITCHED
    assert value_of(ethernet.ip_mtu_bytes) == 9100 - 14 - 4, "one tag and the Ethernet header"


def test_an_interface_above_a_bridge_domain_has_the_ports_of_the_domain() -> None:
    (found,) = parse(read("leaf1.set")).vlan_interfaces
    assert (found.name, value_of(found.ip_mtu_bytes)) == ("irb0.10", 9000)
    assert found.members == ("ethernet-1/4", "ethernet-1/3/1", "ethernet-1/3/2")


def test_text_in_quotes_over_several_lines_sets_nothing() -> None:
    assert value_of(find_port(parse(read("leaf1.set"))).config.ethernet.mtu_bytes) == 9232


def test_an_unused_template_is_unattached() -> None:
    device = parse(read("leaf1.set"))
    assert [each.name for each in device.unattached] == ["spare"]


@pytest.mark.parametrize(
    ("lines", "mtu"),
    [
        (("set / interface ethernet-1/1 mtu 9000", "set / interface ethernet-1/1 mtu 9100"), 9100),
        (("set / interface ethernet-1/1 mtu 9000", "delete / interface ethernet-1/1 mtu"), 9232),
        (("set / interface ethernet-1/1 mtu 9000", "delete / interface ethernet-1/1"), None),
        (("/ interface ethernet-1/1", "set mtu 9000"), 9000),
        (("/interface ethernet-1/1 mtu 9000",), 9000),
        (("set / interface ethernet-1/1 admin-state enable", "set / system mtu default-port-mtu 9300"), 9300),
        (("set / interface ethernet-1/1 mtu 99999",), None),
        (("set / interface ethernet-1/1 mtu lots",), None),
    ],
)
def test_the_last_word_on_the_mtu(lines: Sequence[str], mtu: int | None) -> None:
    found = [port.config.ethernet.mtu_bytes for port in parse_lines(*lines).ports]
    assert [value_of(each) for each in found] == ([mtu] if found else [])


def test_a_deleted_leaf_keeps_the_line_that_deleted_it() -> None:
    port = find_port(parse_lines("set / interface ethernet-1/1 mtu 9000", "delete / interface ethernet-1/1 mtu"))
    assert find_where(port, port.config.ethernet.mtu_bytes).line == 2


PFC = (
    "set / interface ethernet-1/1 admin-state enable",
    "set / qos interfaces interface ethernet-1/1 pfc pfc-enable true pfc-mapping-profile p",
    "set / qos pfc-mapping-profile p received-pfc-pause-frames queue unicast-3 pfc-pause-frame-priority 3",
    "set / qos pfc-mapping-profile p received-pfc-pause-frames queue unicast-3 enable-pfc true",
)
VERSIONS = {name: capture("v", (f"Chassis Type         : {name}",)) for name in ("7220 IXR-H4", "7250 IXR")}


@pytest.mark.parametrize(
    ("model", "sent"),
    [("7220 IXR-H4", ()), ("7250 IXR", None), ("", None)],
)
def test_what_is_paused_without_a_mapping_follows_from_the_platform(model: str, sent: tuple[int, ...] | None) -> None:
    versions = [VERSIONS[model]] if model else []
    pfc = find_port(parse(capture("leaf1.set", (*PFC, SYSTEM)), *versions)).config.pfc
    assert value_of(pfc.tx_priorities) == sent
    assert value_of(pfc.rx_priorities) == (3,)


def test_the_content_of_the_default_profile_is_not_known() -> None:
    pfc = find_port(parse_lines(PFC[0], "set / qos interfaces interface ethernet-1/1 pfc pfc-enable true")).config.pfc
    assert value_of(pfc.mode) is PfcMode.ON
    assert isinstance(pfc.priorities, Unknown)
    assert isinstance(pfc.watchdog.enabled, Unknown)


def test_subinterfaces_with_different_policies_leave_the_table_open() -> None:
    sorting = find_port(
        parse_lines(
            "set / interface ethernet-1/1 subinterface 0 type routed",
            "set / interface ethernet-1/1 subinterface 1 type routed",
            "set / qos classifiers dscp-policy a dscp 26 forwarding-class fc3",
            "set / qos interfaces interface x interface-ref interface ethernet-1/1 subinterface 0",
            "set / qos interfaces interface x input classifiers dscp-policy a",
        )
    ).config.classification
    assert isinstance(sorting.dscp_to_class, Unknown)


def test_a_name_that_nothing_defines_is_undefined() -> None:
    device = parse_lines(PFC[0], "set / qos interfaces interface ethernet-1/1 output buffer-allocation-profile gone")
    assert [(each.kind, each.name) for each in device.undefined] == [("buffer-allocation-profile", "gone")]


def test_a_part_of_the_configuration_leaves_the_mtu_of_the_system_open() -> None:
    device = parse(capture("part", ("interface ethernet-1/1 {", "    admin-state enable", "}")))
    ethernet = find_port(device).config.ethernet
    assert device.part
    assert isinstance(ethernet.mtu_bytes, Unknown)
    assert value_of(ethernet.enabled) is True


@pytest.mark.parametrize(
    ("lines", "tagged"),
    [
        ((), False),
        (("set / interface ethernet-1/1 vlan-tagging true",), True),
        (("set / interface ethernet-1/1 ethernet aggregate-id lag1", "set / interface lag1 vlan-tagging true"), True),
        (("set / interface ethernet-1/1 ethernet aggregate-id lag1", "set / interface lag1 admin-state enable"), False),
        (("set / interface ethernet-1/1 ethernet aggregate-id lag1",), None),
    ],
)
def test_a_port_is_tagged_where_it_or_its_bundle_says_so(lines: Sequence[str], tagged: bool | None) -> None:
    port = find_port(parse_lines("set / interface ethernet-1/1 admin-state enable", *lines))
    assert value_of(port.config.ethernet.tagged) is tagged


SCRIPT = (
    "set / interface ethernet-1/1 admin-state enable",
    "set / interface ethernet-1/1 subinterface 0 type routed",
    "set / network-instance default interface ethernet-1/1.0",
)
ROUTER = "set / network-instance default type default"


@pytest.mark.parametrize(
    "captures",
    [
        (capture("change.set", SCRIPT),),
        (capture("start.set", (*SCRIPT, ROUTER)),),
        (
            capture("a.txt", SCRIPT, "info interface *"),
            capture("b.txt", (ROUTER,), "info network-instance *"),
        ),
        (capture("a.txt", ("A:leaf1# enter candidate", *(f"A:leaf1# {line}" for line in (*SCRIPT, ROUTER)))),),
    ],
)
def test_what_sets_nothing_of_the_system_is_no_whole_configuration(captures: Sequence[Capture]) -> None:
    device = parse(*captures)
    assert device.part
    assert isinstance(find_port(device).config.ethernet.mtu_bytes, Unknown)


def test_a_part_without_its_block_stands_at_the_place_of_its_command() -> None:
    found = parse(capture("part", ("admin-state disable", "mtu 9000"), "info interface ethernet-1/1"))
    assert value_of(find_port(found).config.ethernet.mtu_bytes) == 9000


QOS_ALONE = (
    "set / qos interfaces interface up interface-ref interface ethernet-1/1",
    "set / qos interfaces interface up pfc pfc-enable true pfc-mapping-profile p",
    "set / qos interfaces interface ethernet-1/2.0 input classifiers dscp-policy roce",
    "set / qos interfaces interface lag1 pfc pfc-enable true",
    "set / qos classifiers dscp-policy roce dscp 26 forwarding-class fc3",
    PFC[2],
    PFC[3],
)


def test_quality_of_service_alone_has_the_ports_that_it_binds() -> None:
    device = parse(capture("qos.set", QOS_ALONE))
    assert [port.name for port in device.ports] == ["ethernet-1/1", "ethernet-1/2"]
    first, second = device.ports
    assert value_of(first.config.pfc.rx_priorities) == (3,)
    assert find_where(first, first.config.pfc.mode).line == 2
    assert value_of(second.config.classification.class_of_dscp(26)) == "fc3"
    ethernet = first.config.ethernet
    assert all(isinstance(each, Unknown) for each in (ethernet.enabled, ethernet.mtu_bytes, ethernet.tagged))


def test_a_binding_beside_interfaces_makes_no_port() -> None:
    device = parse_lines("set / interface ethernet-1/9 admin-state enable", *QOS_ALONE)
    assert [port.name for port in device.ports] == ["ethernet-1/9"]


IN_QOS = """A:leaf1# enter candidate
--{ candidate shared default }--[ qos interfaces ]--
A:leaf1# info
    interface ethernet-1/1 {
        pfc {
            pfc-enable true
        }
    }
--{ candidate shared default }--[ interface ethernet-1/1 ]--
A:leaf1# info
    vlan-tagging true
    mtu 9000
--{ candidate shared default }--[ interface ethernet-1/1 ]--
A:leaf1# info / interface ethernet-1/2
    interface ethernet-1/2 {
        mtu 9100
    }"""


@pytest.mark.parametrize("is_cut", [False, True])
def test_what_info_prints_stands_at_the_place_of_its_prompt(*, is_cut: bool) -> None:
    lines = tuple(IN_QOS.splitlines())
    raw = Raw("x.txt", "", lines, ends_with_newline=True)
    captures = split_captures(raw, identify_file(raw, None).heads) if is_cut else [capture("x.txt", lines)]
    device = parse(*captures)
    port = find_port(device)
    assert len(captures) == (4 if is_cut else 1)
    assert (value_of(port.config.ethernet.tagged), value_of(port.config.ethernet.mtu_bytes)) == (True, 9000)
    assert value_of(port.config.pfc.mode) is PfcMode.ON
    assert value_of(find_port(device, "ethernet-1/2").config.ethernet.mtu_bytes) == 9100


def test_a_line_of_qos_that_is_not_known_is_a_doubt() -> None:
    device = parse_lines("set / interface ethernet-1/1 mtu 9000", "set / qos surprise pfc on")
    assert [doubt.where.line for doubt in device.doubts] == [2]
    assert device.dumps[0].states[1] is LineState.UNRECOGNISED


@pytest.mark.parametrize(
    "lines",
    [
        ("interface ethernet-1/1 {", "    mtu 9000"),
        ('{"interface": [{"name": "ethernet-1/1", "mtu": 9000',),
        ("[" * 500,),
        ('{"interface":' * 500,),
        ("interface ethernet-1/1 {", *["a {"] * 500),
        ('{"interface": [}',),
    ],
)
def test_what_is_cut_or_nested_too_deep_is_a_fatal_doubt(lines: Sequence[str]) -> None:
    device = parse(capture("x", lines))
    assert any(doubt.fatal for doubt in device.doubts)


@pytest.mark.parametrize(
    ("lines", "command", "expected"),
    [
        (("set / interface ethernet-1/1 mtu 9000",), "", CONFIG),
        (("interface ethernet-1/1 {", "}"), "", CONFIG),
        (("qos {", "    pfc-mapping-profile p {", "    }", "}"), "info qos", PART),
        (("interface ethernet-1/1 {", "    oper-state up", "}"), "", STATE),
        (("interface ethernet-1/1 {", "    mtu 9000;", "}"), "", None),
        (('{"srl_nokia-interfaces:interface": []}',), "", None),
        (("{", '  "srl_nokia-interfaces:interface": ['), "", CONFIG),
    ],
)
def test_recognition(lines: Sequence[str], command: str, expected: str | None) -> None:
    assert recognise(capture("", lines, command)) == expected
