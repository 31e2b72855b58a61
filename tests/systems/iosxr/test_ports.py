"""Ports of IOS XR: whether they run, their sizes, tags and bundles, where the configuration or an output says so."""

from collections.abc import Sequence

import pytest

from auditor.checks.fec import parse_code
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import Known, Unknown, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.iosxr import parse as iosxr

PORT = "HundredGigE0/0/0/1"


def parse(*lines: str, command: str = "") -> Device:
    return fill_defaults(iosxr.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", lines, command)]))


def find_port(device: Device, name: str = PORT) -> Port:
    return next(port for port in device.ports if port.name == name)


@pytest.mark.parametrize(
    ("lines", "enabled"),
    [
        ([f"interface {PORT}", " mtu 9216"], True),
        ([f"interface {PORT}", " shutdown"], False),
        ([f"interface {PORT}", " shutdown", f"interface {PORT}", " no shutdown"], True),
        ([f"interface preconfigure {PORT}", " mtu 9216"], None),
        ([f"interface preconfigure {PORT} mtu 9216"], None),
        ([f"interface preconfigure {PORT}", " shutdown"], False),
    ],
)
def test_a_port_runs_unless_a_line_shuts_it_or_its_card_is_not_there(
    lines: Sequence[str], enabled: bool | None
) -> None:
    config = find_port(parse("hostname leaf1", *lines)).config
    assert value_of(config.ethernet.enabled) is enabled


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["fec standard"], "RS-FEC"),
        (["fec base-r"], "BASE-R (fire code) FEC"),
        (["fec standard", "fec none"], "no FEC"),
        (["fec none", "no fec"], None),
        (["mtu 9216"], None),
        (["fec stronger"], None),
    ],
)
def test_the_fec_of_a_port(lines: Sequence[str], code: str | None) -> None:
    for text in (
        [f"interface {PORT}", *(f" {line}" for line in lines)],
        [f"interface {PORT} {line}" for line in lines],
    ):
        found = find_port(parse("hostname leaf1", *text)).config.ethernet.fec
        assert (parse_code(found.value) if isinstance(found, Known) else None) == code


def test_the_code_of_coherent_light_is_not_that_of_a_port() -> None:
    device = parse("hostname leaf1", "controller Optics0/0/0/1", " fec CFEC", f"interface {PORT}", " fec none")
    assert device.dumps[0].states[2] is LineState.NOT_MODELLED
    assert value_of(find_port(device).config.ethernet.fec) == "none"


def test_equal_lines_of_a_preconfigured_port_and_another_one_are_told_apart() -> None:
    device = parse("hostname leaf1", f"interface {PORT}", " mtu 9216", f"interface preconfigure {PORT}0", " mtu 9216")
    states = [value_of(find_port(device, name).config.ethernet.enabled) for name in (PORT, f"{PORT}0")]
    assert states == [True, None]


def test_a_lane_that_no_line_configures_is_not_known_to_run() -> None:
    device = parse("hostname leaf1", "controller Optics0/0/0/5", " breakout 2x400")
    assert isinstance(device.ports[0].config.ethernet.enabled, Unknown)


@pytest.mark.parametrize(
    ("below", "tagged", "frame"),
    [
        ((), False, 9220),
        ((f"interface {PORT}.100", " encapsulation dot1q 100"), True, 9224),
        ((f"interface {PORT}.100 l2transport", " encapsulation dot1q 100"), True, 9224),
        ((f"interface {PORT}.1 l2transport", " encapsulation untagged"), False, 9220),
        ((f"interface {PORT}.1 l2transport", " encapsulation default"), False, 9220),
        ((f"interface {PORT}0.100", " encapsulation dot1q 100"), False, 9220),
    ],
)
def test_subinterfaces_add_their_tag_to_the_frame(below: Sequence[str], tagged: bool, frame: int) -> None:
    ethernet = find_port(parse("hostname leaf1", f"interface {PORT}", " mtu 9216", *below)).config.ethernet
    assert value_of(ethernet.tagged) is tagged
    assert (value_of(ethernet.ip_mtu_bytes), value_of(ethernet.max_frame_bytes)) == (9202, frame)


def test_subinterfaces_of_a_bundle_tag_what_its_members_carry() -> None:
    bundle = ("interface Bundle-Ether7", "interface Bundle-Ether7.100", " encapsulation dot1q 100")
    device = parse("hostname leaf1", *bundle, f"interface {PORT}", " bundle id 7 mode active")
    assert value_of(find_port(device).config.ethernet.tagged) is True


@pytest.mark.parametrize(("way", "sent", "obeyed"), [("ingress", True, None), ("egress", None, True)])
def test_pauses_for_what_arrives_are_sent(way: str, sent: bool | None, obeyed: bool | None) -> None:
    capture = Capture("leaf1.cfg", ("hostname leaf1", f"interface {PORT}", f" flow-control {way}"))
    pause = find_port(iosxr.parse("leaf1", "leaf1.cfg", [capture])).config.pause
    assert (value_of(pause.tx), value_of(pause.rx)) == (sent, obeyed)


SHOWN = (
    "Bundle-Ether7 is up, line protocol is up ",
    "  Interface state transitions: 1",
    "  MTU 9216 bytes, BW 100000000 Kbit (Max: 100000000 Kbit)",
    "    No. of members in this bundle: 1",
    "      HundredGigE0/0/0/1           Full-duplex  100000Mb/s   Active",
    "  Last input 00:00:00, output 00:00:00",
    f"{PORT} is down, line protocol is down ",
    "  Interface state transitions: 1",
    "  MTU 9216 bytes, BW 100000000 Kbit (Max: 100000000 Kbit)",
)


def test_interfaces_show_members_of_bundles_and_what_is_not_shut() -> None:
    port = find_port(parse(*SHOWN, command="show interfaces"))
    assert value_of(port.lag) == "Bundle-Ether7"
    assert value_of(port.config.ethernet.enabled) is True
    assert value_of(port.config.ethernet.ip_mtu_bytes) == 9202
    assert value_of(port.config.ethernet.speed_gbps) == 100


def test_a_neighbour_in_detail_names_the_bundle() -> None:
    lines = (
        "------------------------------------------------",
        f"Local Interface: {PORT}",
        "Parent Interface: Bundle-Ether7",
        "Chassis id: 0200.0000.0001",
        "Port id: Ethernet1/1",
        "System Name: leaf2",
    )
    port = find_port(parse(*lines))
    assert value_of(port.lag) == "Bundle-Ether7"
    assert isinstance(port.peer, Known)
    assert (port.peer.value.device, port.peer.value.port) == ("leaf2", "Ethernet1/1")


def test_lines_of_a_tunnel_are_no_concern_and_those_of_a_port_are() -> None:
    lines = (
        "hostname leaf1",
        "interface tunnel-te1",
        " autoroute announce",
        f"interface {PORT}",
        " autoroute announce x",
    )
    states = parse(*lines).dumps[0].states
    assert (states[2], states[4]) == (LineState.IGNORED, LineState.UNRECOGNISED)


@pytest.mark.parametrize(("printed", "obeyed", "sent"), [(("on", "off"), True, False), (("off", "on"), False, True)])
def test_pauses_are_shown_by_the_way_of_what_they_stop(printed: tuple[str, str], *, obeyed: bool, sent: bool) -> None:
    flow = f"  output flow control is {printed[0]}, input flow control is {printed[1]}"
    port = find_port(parse(*SHOWN, flow, command="show interfaces"))
    assert (value_of(port.config.pause.rx), value_of(port.config.pause.tx)) == (obeyed, sent)


@pytest.mark.parametrize("more", ["", " account user-defined 4", " shared-policy-instance 7"])
def test_words_behind_the_name_of_a_policy_do_not_change_it(more: str) -> None:
    maps = ("class-map TC3", " match traffic-class 3", "policy-map OUT", " class TC3", "  bandwidth remaining ratio 40")
    config = find_port(parse("hostname leaf1", *maps, f"interface {PORT}", f" service-policy output OUT{more}")).config
    assert [queue.queue for queue in value_of(config.queues) or ()] == [3]


@pytest.mark.parametrize(("line", "loops"), [(" loopback internal", True), (" mtu 9216", False)])
def test_a_port_in_loopback_says_so(line: str, *, loops: bool) -> None:
    assert value_of(find_port(parse("hostname leaf1", f"interface {PORT}", line)).config.ethernet.loopback) is loops


def test_a_limit_by_discard_class_is_open() -> None:
    maps = ("class-map TC3", " match traffic-class 3", "policy-map OUT", " class TC3")
    lines = (*maps, "  queue-limit discard-class 1 100 kbytes", f"interface {PORT}", " service-policy output OUT")
    (queue,) = value_of(find_port(parse("hostname leaf1", *lines)).config.queues) or ()
    assert isinstance(queue.static_threshold_bytes, Unknown)
