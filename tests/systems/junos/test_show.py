"""Show outputs of Junos, and how captures are told from those of other systems."""

import pytest

from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PeerPort
from auditor.model.setting import Origin, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults
from auditor.systems.junos import parse as junos


def capture(text: str, command: str = "", file: str = "leaf1.txt") -> Capture:
    return Capture(file, tuple(text.splitlines()), command)


def device(*captures: Capture) -> Device:
    return fill_defaults(junos.parse("leaf1", "leaf1", captures))


LLDP = """\
Local Interface    Parent Interface    Chassis Id          Port info          System Name
et-0/0/0           -                   00:00:5e:00:53:01   et-0/0/7           spine1
et-0/0/1           ae0                 00:00:5e:00:53:02   port 3 of many     spine2
et-0/0/2           -                   00:00:5e:00:53:03   et-0/0/9
em0                -                   00:00:5e:00:53:04   1/1/1              oob
"""


def test_neighbours_of_the_table() -> None:
    found = {p.name: value_of(p.peer) for p in device(capture(LLDP)).ports}
    assert found["et-0/0/0"] == PeerPort("spine1", "et-0/0/7", "lldp")
    assert found["et-0/0/1"] == PeerPort("spine2", "port 3 of many", "lldp")
    assert found["et-0/0/2"] is None
    assert "em0" not in found


def test_older_tables_have_no_parent_column() -> None:
    head = "Local Interface Chassis Id        Port info     System Name"
    row = "xe-0/0/0        00:00:5e:00:53:01 xe-5/2/0      far"
    (found,) = device(capture(f"{head}\n{row}\n")).ports
    assert value_of(found.peer) == PeerPort("far", "xe-5/2/0", "lldp")


DETAIL = """\
LLDP Neighbor Information:
Local Information:
Local Interface    : et-0/0/0
Parent Interface   : -
Neighbour Information:
Port type          : Interface name
Port ID            : Ethernet1/4
System name        : spine1
LLDP Neighbor Information:
Local Information:
Local Interface    : et-0/0/1
Neighbour Information:
Port ID            : 00:00:5e:00:53:09
System name        : host1
"""


def test_neighbours_in_detail() -> None:
    found = {p.name: value_of(p.peer) for p in device(capture(DETAIL)).ports}
    assert found == {
        "et-0/0/0": PeerPort("spine1", "Ethernet1/4", "lldp"),
        "et-0/0/1": PeerPort("host1", "00:00:5e:00:53:09", "lldp"),
    }


INTERFACES = """\
Physical interface: et-0/0/0, Enabled, Physical link is Up
  Link-level type: Ethernet, MTU: 9216, LAN-PHY mode, Speed: 400Gbps, Loopback: Disabled, Flow control: Enabled
  Current address: 00:00:5e:00:53:01, Hardware address: 00:00:5e:00:53:01
  Logical interface et-0/0/0.0 (Index 1)
    Protocol inet, MTU: 9170
Physical interface: et-0/0/1, Administratively down, Physical link is Down
  Link-level type: Ethernet, MTU: 1514, Speed: Auto, Flow control: Disabled
"""


def test_interfaces() -> None:
    up, down = device(capture(INTERFACES)).ports
    assert [value_of(s) for s in (up.config.ethernet.enabled, up.config.ethernet.speed_gbps)] == [True, 400]
    assert value_of(up.config.ethernet.mtu_bytes) == 9216
    assert value_of(up.config.pause.rx) is True
    assert value_of(up.mac) == "00:00:5e:00:53:01"
    assert value_of(down.config.ethernet.enabled) is False
    assert value_of(down.config.ethernet.speed_gbps) is None


def test_what_is_written_stands_above_what_is_shown() -> None:
    written = capture("set system host-name leaf1\nset interfaces et-0/0/0 mtu 9000")
    found = device(written, capture(INTERFACES)).port("et-0/0/0")
    assert found is not None
    assert value_of(found.config.ethernet.mtu_bytes) == 9000
    speed = found.config.ethernet.speed_gbps.known()
    assert (speed.value, speed.origin) == (400, Origin.LEARNED)


@pytest.mark.parametrize(("state", "oper"), [("Enabled, Name: PAUSE", True), ("Disabled", False)])
def test_pfc_in_operation(state: str, oper: bool) -> None:
    text = f"Physical interface: et-0/0/0, Index: 649\n  Congestion-notification: {state}\n"
    (found,) = device(capture(text)).ports
    assert value_of(found.config.pfc.oper) is oper


@pytest.mark.parametrize(
    ("model", "asic"), [("qfx5240-64od", "Tomahawk 5"), ("qfx5120-48ym-8c", None), ("qfx5220-32cd", "Tomahawk 3")]
)
def test_version(model: str, asic: str | None) -> None:
    found = device(capture(f"Hostname: leaf9\nModel: {model}\nJunos: 24.2R2-EVO\n"))
    assert (found.name, value_of(found.model), value_of(found.os_version)) == ("leaf9", model, "24.2R2-EVO")
    assert value_of(found.asic) == asic


CURLY = "class-of-service {\n    forwarding-classes {\n        class A queue-num 4;\n    }\n}\n"
OWN = [
    (CURLY, "show configuration"),
    ("set class-of-service forwarding-classes class A queue-num 4", "show configuration"),
    ("set interfaces et-0/0/0 mtu 9216", "show configuration"),
    ("## Last commit\nversion 23.4R2;\nsystem {\n}", "show configuration"),
    ("et-0/0/0 {\n    mtu 9216;\n}", "show configuration"),
    (LLDP, "show lldp neighbors"),
    (DETAIL, "show lldp neighbors detail"),
    (INTERFACES, "show interfaces"),
    ("Interface   Admin Link Proto    Local     Remote\net-0/0/0    up    up\n", "show interfaces terse"),
    ("Interface   Admin Link Description\net-0/0/0    up    up   x\n", "show interfaces descriptions"),
]


@pytest.mark.parametrize(("text", "command"), OWN)
def test_recognised_by_content(text: str, command: str) -> None:
    told = capture(text, file="")
    assert systems()["juniper_junos"].recognise(told) == command
    others = (systems()["arista_eos"].recognise, systems()["cisco_nxos"].recognise, systems()["sonic"].recognise)
    assert [recognise(told) for recognise in others] == [None, None, None]


@pytest.mark.parametrize(
    "text",
    [
        "interface Ethernet1\n   mtu 9214\n",
        "hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  mtu 9216\n",
        "nv set interface swp1 link mtu 9216\n",
        '{"PORT": {"Ethernet0": {"mtu": "9100"}}}',
        "server {\n    listen 80;\n}\n",
        "interfaces {\n    ethernet eth0 {\n        mtu 1500\n    }\n}\n",
        "Interface:    Ethernet0, via: LLDP, RID: 1\n  SysName: spine1\n",
        "set deviceconfig system hostname fw1\n",
    ],
)
def test_others_are_not_taken_for_it(text: str) -> None:
    assert systems()["juniper_junos"].recognise(capture(text, file="")) is None


@pytest.mark.parametrize(
    ("prompt", "command"),
    [
        ("netops@leaf1> show configuration | display set", "show configuration | display set"),
        ("netops@leaf1# run show lldp neighbors", "run show lldp neighbors"),
        ("{master:0}\nroot@leaf1> show interfaces terse", "show interfaces terse"),
    ],
)
def test_a_session_is_cut_at_its_prompts(prompt: str, command: str) -> None:
    lines = (*prompt.splitlines(), "set system host-name leaf1", "netops@leaf1> show version", "Model: qfx5220-32cd")
    found = list_captures(Raw("x.txt", ".", lines, ends_with_newline=True))
    assert [c.command for c in found] == [command, "show version"]


def test_a_part_of_the_hierarchy_begins_where_the_command_says() -> None:
    part = "scheduler-maps {\n    M {\n        forwarding-class A scheduler S;\n    }\n}\n"
    told = [capture(part, "show configuration class-of-service"), capture("set system host-name leaf1")]
    assert [(n.kind, n.name) for n in device(*told).undefined] == [("scheduler", "S"), ("forwarding-class", "A")]
    assert device(told[0]).undefined == ()


@pytest.mark.parametrize(
    ("link", "mode", "fec"),
    [("Up", "FEC119", "rs"), ("Up", "FEC74", "fc"), ("Up", "NONE", "none"), ("Down", "NONE", None)],
)
def test_fec_of_a_link_that_is_up(link: str, mode: str, fec: str | None) -> None:
    text = f"Physical interface: et-0/0/0, Enabled, Physical link is {link}\n  Ethernet FEC Mode  :       {mode}\n"
    (found,) = device(capture(text, "show interfaces et-0/0/0 extensive")).ports
    assert value_of(found.config.ethernet.fec) == fec


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("show class-of-service shared-buffer", LineState.NOT_MODELLED),
        ("run show bgp summary", LineState.IGNORED),
        ("vty fpc0", LineState.UNRECOGNISED),
    ],
)
def test_an_output_that_nothing_reads(command: str, state: LineState) -> None:
    found = device(capture("Hostname: leaf1\nModel: qfx5240", "show version"), capture("a  b\nc  d", command, "x.txt"))
    assert not found.doubts
    assert found.dumps[1].states == (state, state)
