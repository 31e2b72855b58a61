"""Flow control of AOS-CX: directions, watchdog, buffers, and what outputs show of it."""

import pytest

from auditor.model.buffers import HeadroomSource
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import PfcMode, Port, WatchdogAction
from auditor.model.setting import Known, Origin, Setting, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults

HEAD = ("!Version ArubaOS-CX GL.10.13.1000", "hostname leaf7")


def _parse(*captures: Capture) -> Device:
    return systems()["aruba_aoscx"].parse("x", "x.cfg", captures)


def _read(*lines: str, before: tuple[str, ...] = ()) -> Port:
    """Return a port with *lines* in its stanza, and *before* at the top level."""
    text = (*HEAD, *before, "interface 1/1/9", *(f"    {line}" for line in lines))
    return fill_defaults(_parse(Capture("x.cfg", text))).ports[0]


@pytest.mark.parametrize(
    ("lines", "paused", "sent", "honoured"),
    [
        (["flow-control priority rxtx 3"], (3,), (3,), (3,)),
        (["flow-control priority rxtx 3 rx 1-2 tx 5"], (1, 2, 3, 5), (3, 5), (1, 2, 3)),
        (["flow-control priority rxtx 3,4", "flow-control priority rxtx 4"], (4,), (4,), (4,)),
        (["flow-control priority rx 3", "flow-control priority rxtx 3"], (3,), (3,), (3,)),
        (["flow-control priority rxtx 3", "no flow-control priority rxtx 3"], (), (), ()),
        (["flow-control priority rxtx 3 both 4"], None, None, None),
    ],
)
def test_each_line_lists_all_priorities(
    lines: list[str], paused: tuple[int, ...] | None, sent: object, honoured: object
) -> None:
    pfc = _read(*lines).config.pfc
    found = [value_of(each) for each in (pfc.priorities, pfc.tx_priorities, pfc.rx_priorities)]
    assert found == [paused, sent, honoured]


def test_pfc_pauses_the_priority_whose_packets_have_the_local_priority() -> None:
    before = ("qos cos-map 3 local-priority 5", "qos cos-map 5 local-priority 3")
    classes = value_of(_read("flow-control priority rxtx 3", before=before).config.classification.classes) or ()
    assert [value_of(each.pfc_priority) for each in classes] == [1, 0, 2, 5, 4, 3, 6, 7]
    assert [each.id for each in classes if value_of(each.lossless)] == ["5"]


def test_two_priorities_of_one_local_priority_leave_it_open() -> None:
    port = _read("flow-control priority rxtx 3", before=("qos cos-map 4 local-priority 3",))
    classes = {each.id: value_of(each.lossless) for each in value_of(port.config.classification.classes) or ()}
    assert (classes["3"], classes["4"], classes["5"]) == (None, False, False)


def test_a_watchdog_runs_where_a_line_enables_it() -> None:
    watchdog = _read("flow-control priority rxtx 3").config.pfc.watchdog
    assert value_of(watchdog.enabled) is False
    watchdog = _read("flow-control watchdog").config.pfc.watchdog
    times = (value_of(watchdog.detection_ms), value_of(watchdog.restoration_ms), value_of(watchdog.action))
    assert (value_of(watchdog.enabled), *times) == (True, 100, 100, WatchdogAction.DROP)


def test_the_times_of_the_watchdog_hold_for_the_switch() -> None:
    before: tuple[str, ...] = ("flow-control watchdog timeout 200 resume 60",)
    watchdog = _read("flow-control watchdog", before=before).config.pfc.watchdog
    assert (value_of(watchdog.detection_ms), value_of(watchdog.restoration_ms)) == (200, 60)
    before = (*before, "no flow-control watchdog timeout 200 resume 60")
    assert value_of(_read("flow-control watchdog", before=before).config.pfc.watchdog.detection_ms) == 100
    before = ("flow-control watchdog timeout 5 resume 60",)
    assert value_of(_read("flow-control watchdog", before=before).config.pfc.watchdog.detection_ms) is None


POOL = ("qos pool 2 lossless size 50.00 percent headroom 4096 kbytes priorities 3,4",)


def test_buffers_are_those_of_their_lines() -> None:
    port = _read(
        "flow-control priority rxtx 3,4",
        "flow-control buffer priority 3 headroom 96 kbytes",
        "flow-control buffer priority 3 xoff static 128 kbytes",
        "flow-control buffer priority 3 xon 24 kbytes",
        "flow-control buffer priority 4 xoff dynamic -3",
        before=POOL,
    )
    third, fourth = value_of(port.config.priority_groups) or ()
    assert (value_of(third.xoff_bytes), value_of(third.static_threshold_bytes)) == (98_304, 131_072)
    assert (value_of(third.alpha), value_of(third.xon_offset_bytes), value_of(third.pool)) == (None, 24_576, "2")
    assert (value_of(fourth.alpha), value_of(fourth.static_threshold_bytes)) == (0.125, None)
    assert value_of(fourth.headroom_source) is HeadroomSource.GENERATED
    assert value_of(fourth.xoff_bytes) is None
    assert [value_of(each.made_for_cable_m) for each in (third, fourth)] == [None, 350]


def test_buffers_of_silent_ports_are_the_documented_ones() -> None:
    (group,) = value_of(_read("flow-control priority rxtx 3", before=POOL).config.priority_groups) or ()
    settings: tuple[Setting[float], Setting[float]] = (group.alpha, group.xon_offset_bytes)
    assert [each.origin for each in settings if isinstance(each, Known)] == [Origin.DEFAULT] * 2
    assert [value_of(each) for each in settings] == [2.0, 12_288]
    assert value_of(_read("flow-control priority rxtx 3").config.priority_groups) is None


def test_the_last_word_on_a_pause_threshold_wins() -> None:
    lines: tuple[str, ...] = ("flow-control buffer priority 3 xoff static 128 kbytes",)
    lines = (*lines, "flow-control buffer priority 3 xoff dynamic 2")
    (group,) = value_of(_read("flow-control priority rxtx 3", *lines, before=POOL).config.priority_groups) or ()
    assert (value_of(group.alpha), value_of(group.static_threshold_bytes)) == (4.0, None)
    lines = (*lines, "no flow-control buffer priority 3 xoff dynamic")
    (group,) = value_of(_read("flow-control priority rxtx 3", *lines, before=POOL).config.priority_groups) or ()
    assert value_of(group.alpha) == 2.0


@pytest.mark.parametrize(
    ("lines", "length", "made_for"),
    [
        ((), None, 350),
        (("flow-control buffer cable-length 40",), 40, 40),
        (("flow-control buffer cable-length auto",), None, None),
        (("flow-control buffer cable-length 40", "no flow-control buffer cable-length 40"), None, 350),
        (("flow-control buffer cable-length x",), None, None),
        (("flow-control buffer cable-length 40", "flow-control buffer priority 3 headroom 96 kbytes"), None, None),
    ],
)
def test_headroom_is_for_the_cable_of_its_line(lines: tuple[str, ...], length: float, made_for: float) -> None:
    config = _read("flow-control priority rxtx 3", *lines, before=POOL).config
    (group,) = value_of(config.priority_groups) or ()
    assert (value_of(config.cable_length_m), value_of(group.made_for_cable_m)) == (length, made_for)


def test_a_pool_has_headroom_by_default() -> None:
    text = (*HEAD, "qos pool 1 lossless size factory-default percent priorities 3", "interface 1/1/9", "    shutdown")
    (pool,) = value_of(_parse(Capture("x.cfg", text)).pools) or ()
    assert (value_of(pool.memory_percent), value_of(pool.shared_headroom_bytes)) == (40.6, 3_145_728)


SUMMARY = """\
leaf7# show interface flow-control
Flow Control Watchdog Settings
Trigger Timeout: 100 milliseconds (actual: not applied)
----------- ------------------------------------- ------------- --------
Port        Flow                                  Watchdog      Watchdog
            Control                               Status        Timeouts
----------- ------------------------------------- ------------- --------
1/1/10      config: pfc rxtx-1,2                  enabled       1234
            status: pfc rxtx-1,2
1/1/12      config: pfc rxtx-3 rx-5               pending       0
            status: none
1/1/32:4    config: llfc rx
            status: llfc rx
"""


def test_the_summary_shows_what_runs() -> None:
    device = _parse(Capture("x.txt", tuple(SUMMARY.splitlines()), command="show interface flow-control"))
    seen = {
        port.name: (
            value_of(port.config.pfc.mode),
            value_of(port.config.pfc.oper),
            value_of(port.config.pfc.priorities),
            value_of(port.config.pause.rx),
        )
        for port in device.ports
    }
    assert seen == {
        "1/1/10": (PfcMode.ON, True, (1, 2), False),
        "1/1/12": (PfcMode.ON, False, (3, 5), False),
        "1/1/32:4": (None, False, None, True),
    }


DETAIL = """\
Interface 1/1/1 is up
 Admin state is up
 Flow-control: pfc rxtx-4,5
 Flow-control watchdog: enabled
 Statistics                             RX                   TX
 -------------------- -------------------- --------------------
 Priority 0 Pauses                       0                    0
 Priority 4 Pauses                    1200                   34
 Total Pause Frames                   1200                   34
 Queue        Watchdog Timeouts
 Queue 4      7
Interface 1/1/2 is up
 Flow-control: llfc rx
 Dot3 Pause Frames                      17
"""


def test_details_count_pauses_by_priority() -> None:
    capture = Capture("x.txt", tuple(DETAIL.splitlines()))
    device = _parse(capture)
    first, second = device.ports
    counted = {name: each.value for name, each in (first.counters or {}).items()}
    assert counted == {"rx_pfc_0": 0, "tx_pfc_0": 0, "rx_pfc_4": 1200, "tx_pfc_4": 34}
    assert value_of(first.config.pfc.oper) is True
    assert {name: each.value for name, each in (second.counters or {}).items()} == {"rx_pause_frames": 17}
    assert systems()["aruba_aoscx"].recognise(capture) == "show interface flow-control detail"


DCBX = """\
 DCBx admin state           : enabled
 PFC operational state      : active
 Mismatch  Advertisement                Local           Peer
 --------- ---------------------------- --------------- ----
 Priority Flow Control (PFC)
       ->  Willing:                     No              Yes
           Max PFC Traffic Classes:     1               1
{rows}
 Enhanced Transmission Selection (ETS)
           Priority 0:                  Class 1         Class 1
"""


def test_dcbx_shows_the_priorities_of_both_ends() -> None:
    rows = "\n".join(f"           Priority {n}:  {n in {3, 4}!s:16}{n == 4}" for n in range(8))
    command = "show dcbx interface 1/1/9"
    (port,) = _parse(Capture("x.txt", tuple(DCBX.format(rows=rows).splitlines()), command=command)).ports
    pfc = port.config.pfc
    assert (value_of(pfc.oper), value_of(pfc.priorities), value_of(pfc.peer_priorities)) == (True, (3, 4), (4,))
    rows = "           Priority 3:                  True            True"
    (port,) = _parse(Capture("x.txt", tuple(DCBX.format(rows=rows).splitlines()), command=command)).ports
    assert value_of(port.config.pfc.priorities) is None


QOS = """\
DSCP     code_point local_priority mpls_exp color   name
-------- ---------- -------------- -------- ------- ----
000000   0          1              0        green   CS0
011000   24         3              3        green   CS3
011010   26         5              3        green   AF31
"""


def test_a_map_in_an_output_fills_rows_that_no_page_shows() -> None:
    config = Capture("x.cfg", (*HEAD, "qos dscp-map 24 local-priority 4", "interface 1/1/9", "    shutdown"))
    shown = Capture("y.txt", tuple(QOS.splitlines()), command="show qos dscp-map")
    for captures, expected in (((config,), None), ((config, shown), "5")):
        table = value_of(_parse(*captures).ports[0].config.classification.dscp_to_class) or {}
        assert (table[24].value, table[48].value) == ("4", "6")
        assert (table[26].value if 26 in table else None) == expected
