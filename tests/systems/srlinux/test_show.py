"""Outputs of SR Linux: each is recognised by its lines, and says of a port what it prints."""

from pathlib import Path

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, PfcMode, Port
from auditor.model.setting import Known, value_of
from auditor.systems.srlinux import parse as srlinux
from auditor.systems.srlinux.show import CONFIG, STATE, recognise

LEAF = Path(__file__).parents[3] / "fixtures" / "dumps" / "srlinux" / "leaf2"
FILES = {
    "running.json": CONFIG,
    "interfaces.txt": STATE,
    "qos.txt": STATE,
    "lldp.txt": STATE,
    "brief.txt": "show interface brief",
    "show_interface.txt": "show interface",
    "version.txt": "show version",
}
TABLE = (
    "| Name | Neighbor | Neighbor System Name | Neighbor Chassis ID | Neighbor Port |",
    "| ethernet-1/1 | 00:01 | spine1 | 00:01:03:FF:00:00 | ethernet-1/7 |",
    "| mgmt0 | 00:02 | oob | 00:01:03:FF:00:01 | 7 |",
)


def read(name: str) -> Capture:
    return Capture(name, tuple((LEAF / name).read_text(encoding="utf-8").splitlines()))


def parse(*names: str) -> Device:
    return srlinux.parse("leaf2", "leaf2", [read(name) for name in names])


def find_port(device: Device, number: int) -> Port:
    return next(port for port in device.ports if port.name == f"ethernet-1/{number}")


@pytest.mark.parametrize("name", FILES)
def test_an_output_is_recognised_by_its_lines(name: str) -> None:
    assert recognise(read(name)) == FILES[name]


def test_the_state_of_interfaces() -> None:
    device = parse("interfaces.txt")
    port, down = find_port(device, 1), find_port(device, 32)
    assert value_of(port.config.ethernet.speed_gbps) == 100
    assert value_of(port.config.ethernet.fec) == "rs-528"
    assert value_of(port.config.pause.rx) is False
    assert value_of(port.mac) == "1A:B3:01:FF:00:01"
    assert value_of(down.config.ethernet.enabled) is False
    assert value_of(down.lag) == "lag1"
    assert port.counters
    assert port.counters["rx_crc_errors_phy"].value == 7


def test_the_state_of_pfc_and_queues() -> None:
    port = find_port(parse("qos.txt"), 1)
    assert value_of(port.config.pfc.oper) is True
    assert {name: count.value for name, count in (port.counters or {}).items()} == {
        "rx_discards_phy": 0,
        "rx_pfc_3": 812,
        "tx_pfc_3": 4411,
        "tx_queue3_discards": 12,
        "tx_queue3_ecn_marked": 3456,
    }


def test_neighbours() -> None:
    peer = value_of(find_port(parse("lldp.txt"), 31).peer)
    assert peer
    assert (peer.device, peer.port) == ("spine1", "ethernet-1/4")


def test_the_table_of_neighbours() -> None:
    device = srlinux.parse("x", "x", [Capture("x", TABLE, "show system lldp neighbor")])
    (port,) = device.ports
    peer = value_of(port.peer)
    assert peer
    assert (port.name, peer.device, peer.port) == ("ethernet-1/1", "spine1", "ethernet-1/7")
    assert device.dumps[0].states[1] is LineState.MODELLED


def test_the_brief_table_and_the_lines_of_show_interface() -> None:
    for name in ("brief.txt", "show_interface.txt"):
        device = parse(name)
        assert value_of(find_port(device, 1).config.ethernet.speed_gbps) == 100
        assert value_of(find_port(device, 32).config.ethernet.enabled) is False


def test_version_and_architecture() -> None:
    device = parse("version.txt")
    assert (device.name, value_of(device.model), value_of(device.os_version)) == ("leaf2", "7220 IXR-H4", "25.3.1")
    assert value_of(device.buffer_architecture) == "shared"


def test_what_runs_otherwise_than_it_is_configured() -> None:
    device = parse("running.json", "interfaces.txt", "qos.txt")
    assert [(each.port, each.shown, each.written) for each in device.differences or ()] == [
        ("ethernet-1/31", "9100", "9212")
    ]


def test_the_state_gives_the_curve_where_the_configuration_is_open() -> None:
    written = read("running.json")
    lines = tuple(line for line in written.lines if "-threshold" not in line)
    device = srlinux.parse("x", "x", [Capture("a.json", lines), read("qos.txt")])
    queue = next(each for each in value_of(find_port(device, 1).config.queues) or () if each.queue == 3)
    assert isinstance(queue.ecn_max, Known)
    assert queue.ecn_max.value.bytes == 1_499_904


NEIGHBOURS = """{
  "system-name": "leaf9",
  "hello-timer": "30",
  "interface": [
    {
      "name": "ethernet-1/1",
      "oper-state": "up",
      "neighbor": [
        {
          "id": "1A:35:01:FF:00:00",
          "system-name": "spine1",
          "port-id": "ethernet-1/4",
          "chassis-id": "1A:35:01:FF:00:00"
        }
      ]
    }
  ]
}"""
PAUSES = """{
  "interface": [
    {
      "interface-id": "ethernet-1/1",
      "pfc": {
        "oper-state": "up"
      }
    }
  ]
}"""
ANSWERS = (("", ""), ("[", "]"), ('{"jsonrpc": "2.0", "id": 1, "result": [', "]}"))


@pytest.mark.parametrize(("before", "after"), ANSWERS)
def test_an_answer_holds_what_is_at_the_path_of_its_request(before: str, after: str) -> None:
    found = Capture("x.json", tuple(f"{before}{NEIGHBOURS}{after}".splitlines()))
    assert recognise(found) == STATE
    device = srlinux.parse("x", "x", [found])
    (port,) = device.ports
    peer = value_of(port.peer)
    assert peer
    assert (device.name, peer.device, peer.port) == ("leaf9", "spine1", "ethernet-1/4")


UPDATES = """[
  {
    "source": "leaf9:57400",
    "updates": [
      {
        "Path": "srl_nokia-interfaces:interface[name=ethernet-1/1]",
        "values": {
          "srl_nokia-interfaces:interface": {
            "admin-state": "enable",
            "mtu": 9100,
            "oper-state": "up"
          }
        }
      },
      {
        "Path": "srl_nokia-interfaces:interface[name=ethernet-1/2]/mtu",
        "values": {
          "srl_nokia-interfaces:interface/mtu": 9212
        }
      },
      {
        "Path": "srl_nokia-interfaces:interface",
        "values": {
          "srl_nokia-interfaces:interface": [
            {
              "name": "ethernet-1/3",
              "mtu": 9300
            }
          ]
        }
      }
    ]
  }
]"""


def test_updates_of_gnmic_stand_at_their_paths() -> None:
    found = Capture("x.json", tuple(UPDATES.splitlines()))
    assert recognise(found) == STATE
    mtus = {port.name: value_of(port.config.ethernet.mtu_bytes) for port in srlinux.parse("x", "x", [found]).ports}
    assert mtus == {"ethernet-1/1": 9100, "ethernet-1/2": 9212, "ethernet-1/3": 9300}


def test_an_answer_of_qos_is_no_list_of_interfaces() -> None:
    found = Capture("x.json", tuple(PAUSES.splitlines()))
    assert recognise(found) == STATE
    (port,) = srlinux.parse("x", "x", [found]).ports
    assert value_of(port.config.pfc.oper) is True


def test_the_state_names_the_switch_after_the_configuration() -> None:
    state = Capture("s.txt", ("system {", "    name {", "        host-name other", "    }", "}"), STATE)
    assert srlinux.parse("x", "x", [state]).name == "other"
    assert srlinux.parse("x", "x", [state, read("running.json")]).name == "leaf2"


STATE_OF_A_PORT = """interface ethernet-1/1 {
    vlan-tagging true
    oper-state up
    subinterface 1 {
        type routed
        ip-mtu 9100
    }
    subinterface 2 {
        type TYPE
        ip-mtu 4200
    }
}
qos {
    interfaces {
        interface ethernet-1/1 {
            pfc {
                pfc-enable true
            }
        }
    }
}"""


@pytest.mark.parametrize(("kind", "forwarding"), [("routed", Forwarding.ROUTED), ("bridged", None)])
def test_the_state_of_subinterfaces_is_that_of_their_port(kind: str, forwarding: Forwarding | None) -> None:
    lines = tuple(STATE_OF_A_PORT.replace("TYPE", kind).splitlines())
    (port,) = srlinux.parse("x", "x", [Capture("s.txt", lines, STATE)]).ports
    ethernet = port.config.ethernet
    assert (value_of(ethernet.tagged), value_of(ethernet.forwarding)) == (True, forwarding)
    assert value_of(ethernet.ip_mtu_bytes) == 4200
    assert value_of(port.config.pfc.mode) is PfcMode.ON


def test_show_interface_prints_the_types_of_subinterfaces() -> None:
    lines = ("ethernet-1/1 is up, speed 100G, type None", "  ethernet-1/1.0 is up", "    Type            : bridged")
    (port,) = srlinux.parse("x", "x", [Capture("s.txt", lines)]).ports
    assert value_of(port.config.ethernet.enabled) is True
    assert value_of(port.config.ethernet.forwarding) is Forwarding.SWITCHED


@pytest.mark.parametrize("command", ["show version", "show interface brief", "show interface ethernet-1/1 detail"])
def test_an_output_behind_a_prompt_is_of_this_system_whatever_its_command_is_elsewhere(command: str) -> None:
    name = {"show version": "version.txt", "show interface brief": "brief.txt"}.get(command, "show_interface.txt")
    lines = ("--{ running }--[  ]--", f"A:leaf2# {command}", *read(name).lines)
    assert identify_file(Raw("x.txt", "", lines, ends_with_newline=True), None).os == "nokia_srlinux"
    bare = Raw("x.txt", "", (f"leaf2# {command}", *read(name).lines), ends_with_newline=True)
    assert identify_file(bare, None).os == "nokia_srlinux"
