"""What Cumulus Linux files are and what stands in them: documents, datapath files, show outputs, ifupdown."""

import pickle
from pathlib import Path

import pytest

from auditor.inputs.snapshot import find
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.qos import Trust
from auditor.model.setting import Known, Unknown, value_of
from auditor.systems import systems
from auditor.systems.cumulus import parse as cumulus
from auditor.systems.effective import fill_defaults

YAML = """\
- header:
    model: sn5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    interface:
      swp1-2,5:
        link:
          mtu: 9000
        type: swp
    qos:
      roce:
        enable: on
    system:
      hostname: leaf9
"""
JSON = """\
[
\t{"header": {"nvue-api-version": "nvue_v1"}},
\t{"set": {
\t\t"interface": {"swp1": {"link": {"mtu": 9000}, "description": "\\ud83d\\ude00 \\/"}},
\t\t"qos": {"roce": {"enable": true}}
\t}}
]
"""
PORT_LINE = "nv set interface swp2 link mtu 9216"
ROCE = """\
                    operational  applied
------------------  -----------  -------
enable                           on
mode                lossless     lossless
pfc
  pfc-priority      3
  rx-enabled        enabled
  tx-enabled        enabled
congestion-control
  enabled-tc        0,3
  min-threshold     146.48 KB
  max-threshold     1.43 MB
trust
  trust-mode        pcp,dscp
"""


def capture(text: str, file: str = "x", command: str = "") -> Capture:
    return Capture(file, tuple(text.splitlines()), command)


def parse(*captures: Capture) -> Device:
    return fill_defaults(cumulus.parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize(
    ("text", "file", "command", "expected"),
    [
        (YAML, "x", "", "nv config show"),
        (JSON, "x", "", "nv config show"),
        ("- set:\n    qos:\n      roce: {}\n", "x", "", "nv config show"),
        ("# made by hand\nnv set qos roce\n", "x", "", "nv config show"),
        ("cumulus@leaf:mgmt:~$ nv set qos roce\n", "x", "", "nv config show"),
        ("x", "startup.yaml", "", "cat /etc/nvue.d/startup.yaml"),
        ("x", "x", "nv config show -o json", "nv config show"),
        ("x", "x", "sudo cat /etc/nvue.d/startup.yaml", "cat /etc/nvue.d/startup.yaml"),
        (ROCE, "x", "", "nv show"),
        ("Interface  Speed  Type  Remote Host  Remote Port\n", "x", "", "nv show"),
        ("", "nv_show_interface_swp1_qos.txt", "", "nv show"),
        ("", "x", "nv show qos roce", "nv show"),
        ("", "x", "nv set qos roce", None),
        ("traffic.cos_0.priority_source.8021p = [0]\n", "x", "", "cat qos_features.conf"),
        ("pfc.port_group_list = [p]\npfc.p.cos_list = [3]\n", "x", "", "cat qos_features.conf"),
        ("cos_egr_queue.cos_0.uc = 0\n", "x", "", "cat qos_features.conf"),
        ("auto swp1\niface swp1\n", "x", "", "cat /etc/network/interfaces"),
        ("auto swp1\niface swp1\nfrr version 8\n", "x", "", "nv config show"),
        ("auto bond0\niface bond0\n", "interfaces", "", None),
        ('{"PORT": {"Ethernet0": {"mtu": "9100"}}}\n', "config_db.json", "", None),
        ("schema: roce-audit/intent/1\ntraffic: []\n", "x.yaml", "", None),
        ("- hosts: all\n  tasks: []\n", "play.yaml", "", None),
        ("interface Ethernet1/1\n  mtu 9216\n", "x", "", None),
        ("", "x", "", None),
    ],
)
def test_recognised(text: str, file: str, command: str, expected: str | None) -> None:
    assert systems()["cumulus_nvue"].recognise(capture(text, file, command)) == expected


def test_a_document_has_line_and_pointer_for_every_value() -> None:
    device = parse(capture(YAML))
    assert (device.name, value_of(device.os_version)) == ("leaf9", "5.14.0")
    assert [p.name for p in device.ports] == ["swp1", "swp2", "swp5"]
    port = device.ports[0]
    mtu, mode = port.config.ethernet.mtu_bytes.known(), port.config.pfc.mode.known()
    assert (mtu.where and mtu.where.line, mtu.where and mtu.where.pointer) == (
        10,
        "/1/set/interface/swp1-2,5/link/mtu",
    )
    assert (mode.where and mode.where.line, mode.value) == (14, "on")


def test_json_says_the_same() -> None:
    device = parse(capture(JSON))
    assert value_of(device.ports[0].config.ethernet.mtu_bytes) == 9000
    assert value_of(device.ports[0].config.pfc.priorities) == (3,)
    assert device.ports[0].description == "\U0001f600 /"
    assert not device.doubts


def test_lines_of_a_document_have_states() -> None:
    states = parse(capture(YAML + "    qos-typo: 1\n")).dumps[0].states
    assert states[0] is LineState.IGNORED
    assert states[7:14] == (LineState.MODELLED,) * 7
    assert states[-1] is LineState.UNRECOGNISED


@pytest.mark.parametrize(
    ("tail", "line", "why"),
    [
        ("    qos: [unclosed\n", 17, "not YAML"),
        ("    qos: *nothing\n", 17, "aliases are not read"),
        ("    qos: " + "{a: " * 60 + "\n", 1, "nested deeper"),
    ],
)
def test_a_mistake_is_told_and_loses_nothing_before_it(tail: str, line: int, why: str) -> None:
    device = parse(capture(YAML + tail))
    assert device.doubts[0].why.startswith(why) or why in device.doubts[0].why
    assert device.doubts[0].where.line >= line
    assert len(device.ports) == 3


def test_what_is_unset_below_a_set_is_gone() -> None:
    device = parse(capture(YAML + "- unset:\n    interface:\n      swp2:\n        link:\n          mtu: {}\n"))
    assert [value_of(p.config.ethernet.mtu_bytes) for p in device.ports] == [9000, 9216, 9000]


def test_show_outputs_that_agree_leave_the_configuration_as_it_is() -> None:
    device = parse(capture(YAML, "startup.yaml"), capture(ROCE, "nv_show_qos_roce.txt"))
    assert not device.doubts
    pfc = device.ports[0].config.pfc
    assert (value_of(pfc.oper), value_of(pfc.priorities)) == (True, (3,))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pfc-priority      3", "pfc-priority      4", "PFC priority 4"),
        ("rx-enabled        enabled", "rx-enabled        disabled", "PFC receiving none"),
        ("trust-mode        pcp,dscp", "trust-mode        pcp", "trust pcp"),
        ("enabled-tc        0,3", "enabled-tc        0", "ECN of queue 3 False"),
        ("max-threshold     1.43 MB", "max-threshold     2.86 MB", "the ECN maximum of queue 0 2998927 bytes"),
    ],
)
def test_show_outputs_that_contradict_the_configuration_are_told(old: str, new: str, said: str) -> None:
    device = parse(capture(YAML, "startup.yaml"), capture(ROCE.replace(old, new), "nv_show_qos_roce.txt"))
    assert said in [f"{each.what} {each.shown}" for each in device.differences or ()]
    assert not device.doubts


def test_a_contradicted_value_is_unknown_whatever_comes_after_it() -> None:
    off = ROCE.replace("trust-mode        pcp,dscp", "trust-mode        pcp")
    device = parse(capture(YAML), capture(off, "a.txt", "nv show qos roce"), capture(ROCE, "b.txt", "nv show qos roce"))
    assert isinstance(device.ports[0].config.classification.trust, Unknown)


def test_a_show_output_of_one_port_is_about_that_port() -> None:
    text = "                 operational  applied\n---  ---  ---\nstate            enabled      enabled\n"
    device = parse(capture(YAML), capture(text, "nv_show_interface_swp2_qos_pfc-watchdog.txt"))
    assert isinstance(device.ports[1].config.pfc.watchdog.enabled, Known | Unknown)
    assert value_of(device.ports[0].config.pfc.watchdog.enabled) is False
    alone = parse(capture(text, "nv_show_interface_swp7_qos_pfc-watchdog.txt"))
    assert [(p.name, value_of(p.config.pfc.watchdog.enabled)) for p in alone.ports] == [("swp7", True)]


def test_counters_of_a_port() -> None:
    text = (
        "PFC Statistics\n==============\n"
        "    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames  tx-pause-duration\n"
        "    ---------------  ---------------  -----------------  ---------------  -----------------\n"
        "    3                12               480                7                210\n"
    )
    device = parse(capture(text, "x", "nv show interface swp1 counters qos"))
    assert {n: k.value for n, k in (device.ports[0].counters or {}).items()} == {"rx_pfc_3": 12, "tx_pfc_3": 7}


def test_commands_typed_between_captures_count(tmp_path: Path) -> None:
    path = tmp_path / "session.txt"
    path.write_text(f"cumulus@leaf:~$ nv set interface swp1 qos pfc-watchdog\ncumulus@leaf:~$ nv show qos roce\n{ROCE}")
    unit = find([str(path)]).units[0]
    device = parse(*unit.captures)
    assert value_of(device.ports[0].config.pfc.watchdog.enabled) is True


FEATURES = """\
traffic.packet_priority_source_set = [dscp]
traffic.cos_3.priority_source.dscp = [26]
pfc.port_group_list = [roce]
pfc.roce.cos_list = [3]
pfc.roce.port_set = swp1-swp2,swp50s0-swp50s1
pfc.other.cos_list = [4]
pfc.other.port_set = swp9
default_egress_sched.egr_queue_6.bw_percent = 0
pfc_watchdog.port_group_list = [w]
pfc_watchdog.w.port_set = allports
"""


def test_datapath_files() -> None:
    device = parse(capture(FEATURES, "qos_features.conf"))
    assert [p.name for p in device.ports] == ["swp1", "swp2", "swp50s0", "swp50s1"]
    config = device.ports[0].config
    assert (value_of(config.pfc.priorities), value_of(config.classification.trust)) == ((3,), Trust.DSCP)
    table = value_of(config.classification.dscp_to_class)
    assert table is not None
    assert {dscp: entry.value for dscp, entry in table.items()} == {26: "3"}
    assert [value_of(q.scheduler) for q in value_of(config.queues) or () if q.queue == 6] == ["strict"]
    assert value_of(config.pfc.watchdog.enabled) is True
    assert device.dumps[0].states[5] is LineState.NOT_MODELLED


INTERFACES = """\
auto swp1
iface swp1
    alias to leaf2
    address 10.0.0.1/31
    mtu 9000

auto swp2
iface swp2
    link-down yes

iface bond1
    bond-slaves swp3 swp4
    mtu 9100

iface bridge
    bridge-ports swp5 bond1
hostname leaf7
"""


def test_ifupdown() -> None:
    device = parse(capture(INTERFACES))
    assert device.name == "leaf7"
    ports = {p.name: p for p in device.ports}
    assert {n: value_of(p.config.ethernet.enabled) for n, p in ports.items() if n in {"swp1", "swp2"}} == {
        "swp1": True,
        "swp2": False,
    }
    assert {n: value_of(p.config.ethernet.mtu_bytes) for n, p in ports.items()} == {
        "swp1": 9000,
        "swp2": 9216,
        "swp3": 9100,
        "swp4": 9100,
        "swp5": 9216,
    }
    assert {n: value_of(p.lag) for n, p in ports.items() if value_of(p.lag)} == {"swp3": "bond1", "swp4": "bond1"}
    assert {n for n, p in ports.items() if value_of(p.config.ethernet.forwarding) == "switched"} == {
        "swp3",
        "swp4",
        "swp5",
    }
    assert ports["swp1"].description == "to leaf2"


OVERVIEW = """\
Interface  Admin Status  Oper Status  Speed  MTU    Type      Remote Host      Remote Port  Summary
---------  ------------  -----------  -----  -----  --------  ---------------  -----------  -------
eth0       up            up           1G     1500   eth       oob-mgmt-switch  swp10        IP Address: 10.0.0.1/24
                                                                                            IP Address: fe80::1/64
swp1       up            up           400G   9000   swp       spine1           swp7
swp2       down          down                9216   swp
"""
LLDP = """\
Interface  Speed  Type  Remote Host  Remote Port
---------  -----  ----  -----------  -----------------
swp5       100G   swp   host5        0c:42:a1:00:00:05
"""


def test_tables_of_all_ports_fill_what_is_open_and_name_neighbours() -> None:
    told = capture(OVERVIEW, "nv_show_interface.txt"), capture(LLDP, "nv_show_interface_lldp.txt")
    device = parse(capture(YAML, "startup.yaml"), *told)
    one, two, five = device.ports
    assert (value_of(one.config.ethernet.speed_gbps), value_of(one.config.ethernet.enabled)) == (400, True)
    assert [(p.device, p.port) for port in (one, five) if (p := value_of(port.peer))] == [
        ("spine1", "swp7"),
        ("host5", "0c:42:a1:00:00:05"),
    ]
    assert isinstance(two.config.ethernet.mtu_bytes, Unknown)
    differences = device.differences or ()
    assert [(d.port, d.what, d.shown, d.written) for d in differences] == [("swp2", "the MTU", "9216", "9000")]


@pytest.mark.parametrize(
    ("last", "fatal"), [("nv set qos pfc p switch-prio", True), ("nv set qos pfc p tx ena", True), (PORT_LINE, False)]
)
def test_a_dump_that_ends_inside_a_word_is_told(last: str, fatal: bool) -> None:
    lines = ("nv set interface swp1 qos pfc-watchdog state enable", last)
    device = parse(Capture("x", lines, ends_mid_line=True))
    assert any(doubt.fatal for doubt in device.doubts) is fatal


@pytest.mark.parametrize(
    "told",
    [
        capture("                 operational  applied\nstate            enabled      enabled\n", "unnamed.txt"),
        capture('{"pfc": {"pfc-priority": "4"}}\n', "y", "nv show qos roce -o json"),
    ],
)
def test_an_output_that_does_not_tell_whose_it_is_changes_nothing(told: Capture) -> None:
    device = parse(capture(YAML), told)
    assert not device.doubts
    assert value_of(device.ports[0].config.pfc.watchdog.enabled) is False
    assert set(device.dumps[1].states) == {LineState.NOT_MODELLED}


def test_a_device_survives_pickling() -> None:
    device = parse(capture(YAML), capture(ROCE, "nv_show_qos_roce.txt"))
    assert pickle.loads(pickle.dumps(device)) == device  # noqa: S301  made on the line itself


LINK = """\
                       operational        applied
---------------------  -----------------  -------
admin-status           up
auto-negotiate         on                 on
speed                  400G               auto
mac-address            44:38:39:22:01:7a
fec                    rs                 auto
mtu                    9000               9216
stats
  in-pkts              756
"""
WHOLE = """\
                          operational        applied
------------------------  -----------------  -------
type                      swp                swp
link
  speed                   100G               auto
  mtu                     9216               9216
"""


@pytest.mark.parametrize(
    ("text", "command", "expected"),
    [
        (LINK, "nv show interface swp7 link", (400, 9000, "rs", True, "44:38:39:22:01:7a")),
        (WHOLE, "nv show interface swp7", (100, 9216, None, None, None)),
    ],
)
def test_the_link_of_a_port_is_shown(text: str, command: str, expected: tuple[object, ...]) -> None:
    (port,) = parse(capture(text, "x", command)).ports
    link = port.config.ethernet
    told = (link.speed_gbps, link.mtu_bytes, link.fec, link.enabled, port.mac)
    assert (port.name, tuple(map(value_of, told))) == ("swp7", expected)


SCHEDULING = """\

RoCE SP->TC mapping and ETS configurations
=============================================
         switch-prio  traffic-class  scheduler-weight
    ---  -----------  -------------  ----------------
    3    3            3              DWRR-50%
    6    6            6              strict-priority
"""


@pytest.mark.parametrize("is_first", [True, False])
def test_what_all_ports_have_is_of_ports_that_outputs_name(*, is_first: bool) -> None:
    outputs = [capture(ROCE + SCHEDULING, "nv_show_qos_roce.txt"), capture(LINK, "x", "nv show interface swp7 link")]
    (port,) = parse(*(outputs if is_first else reversed(outputs))).ports
    marking = {queue.queue: value_of(queue.ecn) for queue in port.config.queues.known().value}
    assert value_of(port.config.pfc.priorities) == (3,)
    assert marking == {0: True, 3: True, 6: False}
    classes = port.config.classification.classes.known().value
    assert {found.id: value_of(found.lossless) for found in classes} == {"3": True, "6": False}
