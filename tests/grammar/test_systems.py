"""The operating systems that are read in their core: what statements mean, and what stays open."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import Trust
from auditor.model.setting import Origin, Setting, Unknown, value_of
from auditor.systems import System, systems
from auditor.systems.effective import fill_defaults

aoscx, comware, eos, huawei, nxos = (
    systems()[os] for os in ("aruba_aoscx", "hp_comware", "arista_eos", "huawei_vrp", "cisco_nxos")
)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "dumps"
SYSTEMS: tuple[System, ...] = (aoscx, comware, huawei)
HEADS = {
    aoscx: "!Version ArubaOS-CX GL.10.13.1000\ninterface 1/1/1",
    comware: "#\n version 7.1.070, Release 6710P01\n#\ninterface HundredGigE1/0/1",
    huawei: "!Software Version V200R022C00SPC500\n#\ninterface 100GE1/0/1",
}


def capture(text: str) -> Capture:
    return Capture("leaf1.cfg", tuple(text.splitlines()))


def device(system: System, text: str) -> Device:
    end = "\nreturn" if system is not aoscx and text.startswith(HEADS[system].rpartition("\n")[0]) else ""
    found: Device = fill_defaults(system.parse("leaf1", "leaf1.cfg", (capture(f"{text}{end}"),)))
    return found


def config(system: System, body: str, around: str = "") -> PortConfig:
    """Return the first port of a whole configuration with *body* in its view and *around* behind it."""
    lines = "\n".join(f" {line}" for line in body.splitlines())
    return device(system, f"{HEADS[system]}\n{lines}\n#\n{around}").ports[0].config


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.os)
def test_a_silent_port_says_nothing_that_no_page_of_the_vendor_says(system: System) -> None:
    found = config(system, "")
    queues = value_of(found.queues)
    weights = None if queues is None else [(value_of(each.scheduler), value_of(each.weight)) for each in queues]
    assert weights == {comware: [], aoscx: [("dwrr", 1)] * 8}.get(system)
    assert value_of(found.pfc.mode) == PfcMode.OFF
    assert value_of(found.pfc.watchdog.enabled) is (None if system is huawei else False)
    assert value_of(found.priority_groups) is None
    assert value_of(found.classification.default_class) == ("1" if system is aoscx else None)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.os)
def test_of_an_excerpt_nothing_silent_is_concluded(system: System) -> None:
    head = HEADS[system].split("\n")[-1]
    found = device(system, f"{head}\n shutdown\n").ports[0].config
    settings: Sequence[Setting[object]] = (
        found.pfc.mode,
        found.pfc.priorities,
        found.pause.rx,
        found.classification.trust,
        found.ethernet.mtu_bytes,
        found.ethernet.max_frame_bytes,
        found.queues,
    )
    assert {type(setting) for setting in settings} == {Unknown}
    assert value_of(found.ethernet.enabled) is False


@pytest.mark.parametrize(
    ("system", "body", "mode", "priorities"),
    [
        (huawei, "dcb pfc enable mode manual", PfcMode.ON, (3, 4)),
        (huawei, "dcb pfc enable mode auto", PfcMode.AUTO, (3, 4)),
        (huawei, "dcb pfc enable other mode manual", PfcMode.ON, (5,)),
        (huawei, "dcb pfc enable missing mode manual", PfcMode.ON, None),
        (huawei, "dcb pfc enable", PfcMode.ON, (3, 4)),
        (huawei, "undo dcb pfc enable", PfcMode.OFF, ()),
        (comware, "priority-flow-control enable\npriority-flow-control no-drop dot1p 3-5", PfcMode.ON, (3, 4, 5)),
        (comware, "priority-flow-control auto\npriority-flow-control no-drop dot1p 0,3", PfcMode.AUTO, (0, 3)),
        (comware, "priority-flow-control enable\npriority-flow-control no-drop dot1p 9", PfcMode.ON, None),
        (comware, "priority-flow-control no-drop dot1p 3\nundo priority-flow-control", PfcMode.OFF, ()),
        (aoscx, "flow-control priority rxtx 3", PfcMode.ON, (3,)),
        (aoscx, "flow-control priority 2\nflow-control priority 4", PfcMode.ON, (4,)),
        (aoscx, "flow-control priority 2\nno flow-control priority 2", PfcMode.OFF, ()),
        (aoscx, "no flow-control", PfcMode.OFF, ()),
        (aoscx, "flow-control priority 9", None, None),
    ],
)
def test_pfc(system: System, body: str, mode: PfcMode | None, priorities: tuple[int, ...] | None) -> None:
    around = "dcb pfc\n priority 3 to 4\ndcb pfc other\n priority 5\n" if system is huawei else ""
    pfc = config(system, body, around).pfc
    assert (value_of(pfc.mode), value_of(pfc.priorities)) == (mode, priorities)


def test_a_port_that_only_honours_pauses_sends_none() -> None:
    pfc = config(aoscx, "flow-control priority rx 3").pfc
    assert (value_of(pfc.tx_priorities), value_of(pfc.rx_priorities)) == ((), (3,))


@pytest.mark.parametrize(
    ("system", "body", "trust"),
    [
        (huawei, "trust dscp", Trust.DSCP),
        (huawei, "trust 8021p inner", Trust.PCP),
        (huawei, "trust upstream none", Trust.NONE),
        (huawei, "trust dscp\nundo trust dscp", Trust.PCP),
        (huawei, "trust dcsp", None),
        (comware, "qos trust dscp", Trust.DSCP),
        (comware, "qos trust dot1p", Trust.PCP),
        (comware, "qos trust tos", None),
        (aoscx, "qos trust dscp", Trust.DSCP),
        (aoscx, "qos trust cos", Trust.PCP),
        (aoscx, "", Trust.NONE),
        (aoscx, "qos trust dcsp", None),
        (aoscx, "qos trust cos\nno qos trust", Trust.NONE),
        (aoscx, "qos trust dscp\napply policy SORT in", None),
        (comware, "qos trust dscp\nqos apply policy SORT inbound", None),
        (huawei, "trust dscp\ntraffic-policy SORT inbound", None),
    ],
)
def test_trust_is_what_is_written_and_open_where_a_policy_decides(
    system: System, body: str, trust: Trust | None
) -> None:
    assert value_of(config(system, body).classification.trust) is trust


def test_a_port_takes_the_trust_of_the_switch_where_it_has_none() -> None:
    assert value_of(config(aoscx, "", "qos trust dscp").classification.trust) is Trust.DSCP
    assert value_of(config(aoscx, "qos trust none", "qos trust dscp").classification.trust) is Trust.NONE


@pytest.mark.parametrize(
    ("system", "body", "mtu", "ip", "frame"),
    [
        (aoscx, "mtu 9198\nno routing", 9198, 9198, 9216),
        (aoscx, "mtu 9198\nip address 192.0.2.1/31", 9198, 1500, 9216),
        (aoscx, "mtu 9198\nrouting\nip mtu 9198", 9198, 9198, 9216),
        (aoscx, "mtu 9198", 9198, None, 9216),
        (aoscx, "no routing\nmtu 99999", None, None, None),
        (huawei, "port link-type trunk\njumboframe enable 9216", 9216, 9194, 9216),
        (huawei, "port link-type trunk", 9216, 9194, 9216),
        (huawei, "undo portswitch\nmtu 4000", 4000, 4000, 9216),
        (huawei, "mtu 4000", 4000, None, 9216),
        (comware, "port link-mode bridge\njumboframe enable 9216", 9216, 9194, 9216),
        (comware, "port link-mode bridge", None, None, None),
        (comware, "port link-mode route\nmtu 9000", 9000, 9000, None),
    ],
)
def test_mtu_is_counted_as_each_system_counts_it(
    system: System, body: str, mtu: int | None, ip: int | None, frame: int | None
) -> None:
    ethernet = config(system, body).ethernet
    assert (value_of(ethernet.mtu_bytes), value_of(ethernet.ip_mtu_bytes), value_of(ethernet.max_frame_bytes)) == (
        mtu,
        ip,
        frame,
    )


PROFILE = "drop-profile P\n {}\n"


@pytest.mark.parametrize(
    ("line", "low", "high", "probability"),
    [
        ("ecn low-limit 80 high-limit 95 discard-percentage 100", "80 percent", "95 percent", 1.0),
        ("ecn buffer-size low-limit 7000 high-limit 15000 discard-percentage 30", "7000 bytes", "15000 bytes", 0.3),
        ("ecn buffer-size cell low-limit 10 high-limit 20 discard-percentage 5", "10 cells", "20 cells", 0.05),
        (
            "ecn buffer-size low-limit 1 kbytes high-limit 2 kbytes discard-percentage 5",
            "1024 bytes",
            "2048 bytes",
            0.05,
        ),
        ("ecn low-limit 80 high-limit 95 discard-percentage 101", None, None, None),
    ],
)
def test_the_unit_of_a_threshold_is_the_one_that_is_written(
    line: str, low: str | None, high: str | None, probability: float | None
) -> None:
    found = config(huawei, "qos queue 3 wred P\nqos queue 3 ecn", PROFILE.format(line)).queues.known().value[3]
    shown = [f"{t.value:g} {t.unit}" if (t := value_of(s)) else None for s in (found.ecn_min, found.ecn_max)]
    assert shown == [low, high]
    assert value_of(found.ecn_max_probability) == probability


@pytest.mark.parametrize(
    ("body", "ecn", "drops"),
    [
        ("qos queue 3 wred P\nqos queue 3 ecn", True, 0),
        ("qos queue 3 wred P", False, 0),
        ("qos queue 3 wred D", False, 1),
        ("qos queue 3 wred NOWHERE", False, None),
        ("qos queue 4 wred D", False, 0),
        ("", None, None),
    ],
)
def test_a_queue_marks_where_its_own_line_says_so(body: str, ecn: bool | None, drops: int | None) -> None:
    around = PROFILE.format("ecn low-limit 80 high-limit 95 discard-percentage 100") + (
        "drop-profile D\n color green low-limit 70 high-limit 100 discard-percentage 10\n"
    )
    queues = value_of(config(huawei, body, around).queues)
    queue = queues[3] if queues else None
    curves = value_of(queue.wred_drop) if queue else None
    assert (value_of(queue.ecn) if queue else None) is ecn
    assert (None if curves is None else len(curves)) == drops


def test_a_priority_of_comware_is_known_by_default_where_all_models_agree() -> None:
    found = config(comware, "qos trust dscp").classification
    assert found.class_of_dscp(26).value == "3"
    assert found.class_of_dscp(26).origin is Origin.DEFAULT
    assert 10 not in found.dscp_to_class.known().value
    written = config(comware, "", "qos map-table dscp-dot1p\n import 10 export 3\n").classification
    assert written.class_of_dscp(10).value == "3"


def test_two_priorities_in_one_local_precedence_leave_open_which_is_paused() -> None:
    body = "priority-flow-control enable\npriority-flow-control no-drop dot1p 3"
    classes = config(comware, body, "qos map-table dot1p-lp\n import 4 export 3\n").classification.classes.known().value
    assert (value_of(classes[3].pfc_priority), value_of(classes[3].lossless)) == (None, None)


def test_ports_with_equal_views_share_their_configuration_and_each_has_its_lines() -> None:
    found = device(huawei, (FIXTURES / "huawei" / "leaf1.cfg").read_text(encoding="utf-8"))
    first, second = (found.port(name) for name in ("100GE1/0/1", "100GE1/0/2"))
    assert first
    assert second
    assert first.config is second.config
    mode = first.config.pfc.mode.known()
    lines = [place.line for port in (first, second) if (place := port.locate(mode.where))]
    text = (FIXTURES / "huawei" / "leaf1.cfg").read_text(encoding="utf-8").splitlines()
    assert [text[line - 1] for line in lines] == [" dcb pfc enable mode manual"] * 2
    assert lines[0] != lines[1]


def test_the_speed_that_an_interface_name_tells_gives_way_to_a_written_one() -> None:
    assert value_of(config(huawei, "").ethernet.speed_gbps) == 100
    assert value_of(config(huawei, "speed 40000").ethernet.speed_gbps) == 40
    assert value_of(config(aoscx, "speed auto 100g").ethernet.speed_gbps) == 100
    assert value_of(config(aoscx, "speed 1000-full").ethernet.speed_gbps) == 1
    assert value_of(config(aoscx, "speed auto 10g 25g").ethernet.speed_gbps) is None


OWN = {
    aoscx: "interface 1/1/1-1/1/4\n    flow-control priority rxtx 3\n",
    comware: "#\ninterface Twenty-FiveGigE1/0/1\n priority-flow-control enable\n#\n",
    huawei: "#\ninterface 100GE1/0/1\n dcb pfc enable mode manual\n#\n",
}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.os)
def test_each_system_knows_its_own_dumps_only(system: System) -> None:
    recognise: Callable[[Capture], str | None]
    for other in (*SYSTEMS, eos, nxos):
        recognise = other.recognise
        assert (recognise(capture(OWN[system])) is not None) is (other is system)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.os)
def test_dumps_of_other_systems_are_not_taken(system: System) -> None:
    for folder in ("eos", "aoscx", "comware", "huawei"):
        for path in sorted((FIXTURES / folder).glob("*.cfg")):
            taken = system.recognise(capture(path.read_text(encoding="utf-8"))) is not None
            assert taken is (folder == system.folder), path


VOCABULARY = """
interface 1/1/1 100GE1/0/1 HundredGigE1/0/1 range to - , undo no dcb pfc enable mode manual priority 3 flow-control
qos trust dscp queue wred ecn apply map-table dscp-lp import export 99999999999 description port-group group-member
drop-profile diffserv domain ip-dscp-inbound phb af3 lag eth-trunk 1 mtu speed auto # ! \x00 é
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.lists(st.tuples(st.sampled_from(["", " ", "    ", "\t"]), st.lists(WORDS, max_size=7)), max_size=12)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.os)
@given(LINES)
def test_no_text_raises_and_each_line_has_a_state(system: System, lines: list[tuple[str, list[str]]]) -> None:
    text = [indent + " ".join(words) for indent, words in lines]
    found = fill_defaults(system.parse("leaf1", "leaf1.cfg", (Capture("leaf1.cfg", tuple(text)),)))
    assert [len(dump.states) for dump in found.dumps] == [len(text)] or not text
    assert all(isinstance(state, LineState) for dump in found.dumps for state in dump.states)


@pytest.mark.parametrize(
    ("system", "line"),
    [
        (huawei, "interface range 100GE1/0/9 to 25GE1/0/1"),
        (comware, "interface range HundredGigE1/0/9 to HundredGigE1/0/1"),
        (aoscx, "interface 1/1/9-1/1/1"),
    ],
)
def test_a_range_that_cannot_be_read_is_told(system: System, line: str) -> None:
    found = device(system, f"{HEADS[system]}\n#\n!\n{line}\n shutdown\n")
    assert len(found.ports) == 1
    assert [doubt.text for doubt in found.doubts] == [line]


BRIEF_VRP = """\
Local Interface         Exptime(s) Neighbor Interface            Neighbor Device
-------------------------------------------------------------------------------------
100GE1/0/1                    107  400GE1/0/25                   spine1
MEth0/0/0                     106  GE0/0/7                       oob1
"""
TABLE_CX = """\
LLDP Neighbor Information
=========================

Total Neighbor Entries          : 3

LOCAL-PORT  CHASSIS-ID         PORT-ID                      PORT-DESC                    TTL      SYS-NAME
-----------------------------------------------------------------------------------------------------------
1/1/1       0c:42:a1:f0:00:01  0c:42:a1:f0:00:01            port 7 of gpu01              120      gpu01
1/1/2       0c:42:a1:f0:00:02  0c:42:a1:f0:00:02                                         120
mgmt        b8:83:03:aa:bb:11  ge-0/0/1                                                  120      oob1
"""


@pytest.mark.parametrize(
    ("system", "text", "peers"),
    [
        (huawei, BRIEF_VRP, {"100GE1/0/1": ("spine1", "400GE1/0/25")}),
        (
            aoscx,
            TABLE_CX,
            {
                "1/1/1": ("gpu01", "0c:42:a1:f0:00:01"),
                "1/1/2": ("0c:42:a1:f0:00:02", "0c:42:a1:f0:00:02"),
            },
        ),
    ],
    ids=lambda value: getattr(value, "os", None),
)
def test_neighbours_as_a_table(system: System, text: str, peers: dict[str, tuple[str, str]]) -> None:
    assert (system.recognise(capture(text)) or "").startswith(("display lldp", "show lldp"))
    found = {port.name: value_of(port.peer) for port in device(system, text).ports}
    assert {name: (peer.device, peer.port) for name, peer in found.items() if peer} == peers
    assert len(found) == len(peers)
