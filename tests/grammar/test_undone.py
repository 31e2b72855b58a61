"""What is taken back, typed in a session, or written without indentation, in the systems that consist of views."""

from collections.abc import Sequence
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.setting import Known, Origin, Unknown, Where, value_of
from auditor.systems.aoscx import parse as aoscx
from auditor.systems.comware import parse as comware
from auditor.systems.huawei import parse as huawei

HEADS = {aoscx: "interface 1/1/1", huawei: "interface 100GE1/0/1", comware: "interface HundredGigE1/0/1"}
WHOLE = {
    aoscx: ("!Version ArubaOS-CX GL.10.13.1000", "hostname leaf1"),
    huawei: ("!Software Version V200R022C00SPC500", "#", "sysname leaf1", "#"),
    comware: ("#", " version 7.1.070, Release 6710P01", "#", " sysname leaf1", "#"),
}
PAUSED = {
    aoscx: ("flow-control priority rxtx 3",),
    huawei: ("dcb pfc enable mode manual",),
    comware: ("priority-flow-control enable", "priority-flow-control no-drop dot1p 3"),
}
PROFILE = {aoscx: (), huawei: ("#", "dcb pfc", " priority 3"), comware: ()}


def end(system: ModuleType, lines: Sequence[str]) -> tuple[str, ...]:
    """Return *lines*, with the last line of a whole configuration behind those that begin as one does."""
    is_whole = system is not aoscx and tuple(lines[: len(WHOLE[system])]) == WHOLE[system]
    return (*lines, "return") if is_whole else (*lines,)


def parse(system: ModuleType, *files: Sequence[str]) -> Device:
    captures = [Capture(f"{n}.cfg", end(system, lines)) for n, lines in enumerate(files)]
    device: Device = system.parse("leaf1", "leaf1", captures)
    return device


def port(system: ModuleType, *files: Sequence[str]) -> Port:
    return parse(system, *files).ports[0]


def view(system: ModuleType, *lines: str) -> list[str]:
    return [*WHOLE[system], HEADS[system], *(f" {line}" for line in lines)]


@pytest.mark.parametrize(
    ("system", "join", "leave", "lag"),
    [
        (aoscx, "lag 7", "no lag 7", "lag7"),
        (huawei, "eth-trunk 7", "undo eth-trunk", "Eth-Trunk7"),
        (comware, "port link-aggregation group 7", "undo port link-aggregation group", "Bridge-Aggregation7"),
    ],
)
def test_a_port_leaves_its_port_channel(system: ModuleType, join: str, leave: str, lag: str) -> None:
    joined = view(system, join)
    assert value_of(port(system, joined).lag) == lag
    left = port(system, view(system, join, leave)).lag
    assert left == Known(None, Origin.INTENDED, Where("0.cfg", len(joined) + 1))
    assert value_of(port(system, [*joined, "#", HEADS[system], f" {leave}"]).lag) is None
    assert value_of(port(system, view(system, leave, join)).lag) == lag


def test_of_a_port_whose_port_channel_is_malformed_nothing_is_concluded() -> None:
    assert port(huawei, view(huawei, "eth-trunk x")).lag == Unknown("`eth-trunk x` is malformed")


@pytest.mark.parametrize(
    ("system", "head", "line", "use"),
    [
        (
            aoscx,
            "qos threshold-profile T",
            "queue 3 action ecn all threshold 40 kbytes",
            "apply qos threshold-profile T",
        ),
        (aoscx, "qos schedule-profile T", "strict queue 3", "apply qos schedule-profile T"),
        (huawei, "diffserv domain T", "ip-dscp-inbound 26 phb af3", "trust upstream T"),
        (huawei, "drop-profile T", "ecn low-limit 80 high-limit 95 discard-percentage 100", "qos queue 3 wred T"),
        (huawei, "dcb pfc T", "priority 3", "dcb pfc enable T mode manual"),
        (comware, "qos wred queue table T", "queue 3 ecn", "qos wred apply T"),
    ],
)
def test_a_named_view_is_taken_back_and_defined_again(system: ModuleType, head: str, line: str, use: str) -> None:
    undo = "no" if system is aoscx else "undo"
    defined = [head, f" {line}", "#"]
    lines = [*view(system, use), "#", *defined]
    assert not parse(system, lines).undefined
    assert [each.name for each in parse(system, [*lines, f"{undo} {head}"]).undefined] == ["T"]
    assert not parse(system, [*lines, f"{undo} {head}", *defined]).undefined


@pytest.mark.parametrize(
    ("system", "use", "leave"),
    [
        (aoscx, "apply qos threshold-profile T", "no apply qos threshold-profile T"),
        (huawei, "trust upstream T", "undo trust upstream"),
        (comware, "qos wred apply T", "undo qos wred apply"),
    ],
)
def test_a_name_that_is_taken_back_is_not_used(system: ModuleType, use: str, leave: str) -> None:
    assert [each.name for each in parse(system, view(system, use)).undefined] == ["T"]
    assert not parse(system, view(system, use, leave)).undefined


def test_a_port_channel_that_is_removed_is_not_in_the_dump() -> None:
    lines = [*view(huawei, "eth-trunk 7"), "#", "interface Eth-Trunk7", " trust dscp", "#"]
    assert value_of(port(huawei, lines).config.classification.trust) == "dscp"
    removed = port(huawei, [*lines, "undo interface Eth-Trunk7"]).config.classification.trust
    assert removed == Unknown("the port-channel that this port belongs to is not in the dump")


def test_a_port_that_is_reset_keeps_its_place_among_the_ports() -> None:
    lines = [*view(aoscx, "qos trust dscp"), "no interface 1/1/1"]
    assert value_of(port(aoscx, lines).config.classification.trust) is None


@pytest.mark.parametrize(
    ("system", "line", "top", "inside", "mode", "priorities"),
    [
        (aoscx, "no flow-control priority 3", "leaf1(config)# ", "leaf1(config-if)# ", "off", ()),
        (huawei, "undo dcb pfc enable", "[~leaf-1]", "[*leaf-1-100GE1/0/1]", "off", (3,)),
        (comware, "undo priority-flow-control no-drop dot1p", "[leaf1]", "[leaf1-HundredGigE1/0/1]", "on", ()),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_session_has_the_last_word_wherever_its_file_stands(  # noqa: PLR0913, PLR0917  the columns of the table
    system: ModuleType, line: str, top: str, inside: str, mode: str, priorities: tuple[int, ...], order: int
) -> None:
    config = [*view(system, *PAUSED[system]), *PROFILE[system]]
    session = [f"{top}{HEADS[system]}", f"{inside}{line}", f"{inside}quit"]
    before, after = parse(system, config), parse(system, *[config, session][::order])
    pauses = [device.ports[0].config.pfc for device in (before, after)]
    assert [(value_of(pfc.mode), value_of(pfc.priorities)) for pfc in pauses] == [("on", (3,)), (mode, priorities)]
    assert [len(dump.states) for dump in after.dumps] == [
        len(end(system, lines)) for lines in [config, session][::order]
    ]


def test_of_two_whole_configurations_the_first_counts() -> None:
    first, second = view(aoscx, "qos trust dscp"), view(aoscx, "qos trust cos")
    device = parse(aoscx, first, second)
    assert value_of(device.ports[0].config.classification.trust) == "dscp"
    assert [dump.states[-1] for dump in device.dumps] == [LineState.MODELLED] * 2


def test_a_port_that_obeys_a_pause_and_sends_none_may_send_it_again() -> None:
    pfc = port(aoscx, view(aoscx, "flow-control priority rx 3", "flow-control priority rxtx 3")).config.pfc
    assert value_of(pfc.tx_priorities) is None


STANZAS = {
    aoscx: (
        ("qos threshold-profile T", " queue 3 action ecn all threshold 40 kbytes"),
        ("qos trust cos",),
        ("interface 1/1/1", " mtu 9198", " flow-control priority rxtx 3", " qos trust dscp"),
        ("interface 1/1/2", " mtu 9198"),
    ),
    huawei: (
        ("dcb pfc", " priority 3", "#"),
        ("drop-profile P", " ecn low-limit 80 high-limit 95 discard-percentage 100", "#"),
        ("interface 100GE1/0/1", " mtu 9000", " trust dscp", " qos queue 3 wred P", " dcb pfc enable mode manual", "#"),
        ("interface 100GE1/0/2", " trust dscp"),
    ),
    comware: (
        ("qos map-table dscp-dot1p", " import 10 export 3", "#"),
        ("qos wred queue table T", " queue 3 ecn", "#"),
        (
            "interface HundredGigE1/0/1",
            " mtu 9000",
            " priority-flow-control enable",
            " priority-flow-control no-drop dot1p 3",
            " qos trust dscp",
            " qos wred apply T",
            "#",
        ),
        ("interface HundredGigE1/0/2", " qos trust dscp"),
    ),
}


def values(device: Device) -> list[object]:
    """Return the settings of the ports, without their places."""
    config = device.ports[0].config
    return [
        value_of(config.pfc.mode),
        value_of(config.pfc.priorities),
        value_of(config.ethernet.mtu_bytes),
        value_of(config.classification.trust),
        [(queue.queue, value_of(queue.ecn)) for queue in value_of(config.queues) or ()],
        value_of(device.ports[1].config.classification.trust),
    ]


@pytest.mark.parametrize("system", [aoscx, huawei, comware], ids=["aoscx", "huawei", "comware"])
@given(st.lists(st.booleans(), min_size=4, max_size=4))
def test_any_stanza_may_lose_its_indentation(system: ModuleType, flat: list[bool]) -> None:
    stanzas = STANZAS[system]
    lines = [line.strip() if lost else line for lost, stanza in zip(flat, stanzas, strict=True) for line in stanza]
    whole = values(parse(system, [*WHOLE[system], *(line for stanza in stanzas for line in stanza)]))
    assert values(parse(system, [*WHOLE[system], *lines])) == whole
    assert whole[:2] == ["on", (3,)]


@pytest.mark.parametrize(
    ("system", "stated", "line"),
    [
        (aoscx, "flow-control priority rxtx 3", "no flow-control"),
        (huawei, "dcb pfc enable mode auto", "dcb pfc enable mode manual"),
        (comware, "qos trust dscp", "qos trust dot1p"),
    ],
)
def test_a_line_that_no_stanza_claims_is_reported_and_leaves_its_field_unknown(
    system: ModuleType, stated: str, line: str
) -> None:
    lines = [*view(system, stated), "#", "ntp-service enable", line]
    device = parse(system, lines)
    config = device.ports[0].config
    setting = config.classification.trust if system is comware else config.pfc.mode
    assert isinstance(setting, Unknown)
    assert "no stanza" in setting.why
    assert [doubt.where.line for doubt in device.doubts] == [len(lines)]
    assert device.dumps[0].states[len(lines) - 1] is LineState.UNRECOGNISED


def test_a_line_of_a_profile_that_no_stanza_claims_leaves_its_priorities_unknown() -> None:
    lines = [*view(huawei, "dcb pfc enable mode manual"), "#", "dcb pfc", " priority 3", "#", "vlan 7", "priority 4"]
    device = parse(huawei, lines)
    assert isinstance(device.ports[0].config.pfc.priorities, Unknown)
    assert [doubt.where.line for doubt in device.doubts] == [len(lines)]


@pytest.mark.parametrize(
    ("system", "line"),
    [
        (aoscx, "flow-control priority 9"),
        (huawei, "dcb pfc enable moed manual"),
        (comware, "priority-flow-control no-drop dot1p x"),
    ],
)
def test_a_malformed_line_leaves_its_field_unknown(system: ModuleType, line: str) -> None:
    device = parse(system, [*view(system, *PAUSED[system], line), *PROFILE[system]])
    pfc = device.ports[0].config.pfc
    assert Unknown(f"`{line}` is malformed") in {pfc.mode, pfc.priorities}
    assert len(device.doubts) == 1
