"""Outputs in the shapes that older and newer releases, excerpts and other options of the tools have."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, value_of
from auditor.systems import systems

Host = Callable[[Mapping[str, str]], Device]

OLD_QOS = """PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
tc: 0 ratelimit: 3.5 Gbps, tsa: strict
\t up:  0
\t\t skprio: 0
\t\t skprio: 2 (tos: 8)
\t\t skprio: 0 (vlan 50)
\t up:  1
tc: 1 ratelimit: unlimited, tsa: ets, bw: 30%
\t up:  2 3 4 5 6 7"""
VERBOSE = (
    "0000:17:00.0 mlx5_0 (MT4129 - MCX75310AAS-NEAT) NVIDIA ConnectX-7 HHHL card, 400GbE / NDR IB (default mode),"
    " PCIe 5.0 x16   fw 28.39.1002 port 1 (ACTIVE) ==> a (Up)"
)
DOWN = "CA 'mlx5_0'\n\tCA type: MT4123\n\tPort 1:\n\t\tState: {}\n\t\tPhysical state: x\n\t\tRate: 40"
PORT = "hca_id: a\n\tport: 1\n\t\tstate: PORT_{} (4)\n\t\tactive_width: {}X (2)\n\t\tactive_speed: {} Gbps (32)"
TABLE = """| DEV | PORT | INDEX | GID | IPv4 | VER | DEV |
| --- | --- | --- | --- | --- | --- | --- |
|rocep1s0f0 |1 |3 |0000:0000:0000:0000:0000:ffff:c0a8:640a |192.168.100.10 |v2 |enp1s0f0np0|
n_gids_found=1"""
INFO = """pci/0000:5e:00.0:
  driver mlx5_core
  versions:
      fixed:
        fw.psid MT_0000000359
      running:
        fw.version 22.35.1012
        fw 22.35.1012
      stored:
        fw.version 22.36.1010"""
INFO_JSON = """{"info": {"pci/0000:5e:00.0": {"driver": "mlx5_core",
  "versions": {"running": {"fw.version": "22.35.1012"}, "stored": {"fw.version": "22.36.1010"}}}}}"""
MANAGER = """Querying Mellanox devices firmware ...
Device #1:
  Device Type:      ConnectX6DX
  PCI Device Name:  0000:5e:00.0
  Versions:         Current        Available
     FW             22.35.1012     22.36.1010"""
OLD_INTERFACE = """a         Link encap:Ethernet  HWaddr 02:00:00:00:00:0A
          inet addr:10.0.0.1  Bcast:10.0.0.255  Mask:255.255.255.0
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
a:1       Link encap:Ethernet  HWaddr 02:00:00:00:00:0A
          UP BROADCAST RUNNING MULTICAST  MTU:1400  Metric:1
lo        Link encap:Local Loopback
          UP LOOPBACK RUNNING  MTU:65536  Metric:1"""
MEMBER = "connection.id: x\nconnection.interface-name: a\nconnection.slave-type: {}\nconnection.master: {}"
PFCUP = """Command:        Get {}
Feature:        Priority Flow Control
Port:           a
Status:         Successful
{}
pfcup:          0       0       1       1       0       0       0       0
num TC's:       8"""
VALUES = [
    # command, output, path from the only port, value
    ("ibdev2netdev -v", VERBOSE, "config.nic.model", "ConnectX-7"),
    ("ibdev2netdev -v", VERBOSE, "config.nic.firmware", "28.39.1002"),
    ("ibdev2netdev -v", VERBOSE, "config.nic.vendor", "NVIDIA"),
    ("ibdev2netdev -v", VERBOSE.replace("HHHL", "single port HHHL"), "rdma.name", "mlx5_0"),
    (
        "ibdev2netdev -v",
        "0000:17:00.2 mlx5_2 (MT4120 - NA)  fw 16.26.4012 port 1 (DOWN  ) ==> a (Down)",
        "config.nic.function",
        "vf",
    ),
    ("ibstat", DOWN.format("Active"), "config.ethernet.speed_gbps", 40),
    ("ibstat", DOWN.format("Down"), "config.ethernet.speed_gbps", None),
    ("ibstat", DOWN.format("Down"), "config.nic.model", "ConnectX-6"),
    (
        "ibv_devinfo",
        "hca_id: bnxt_re0\n\tvendor_id: 0x14e4\n\tvendor_part_id: 5984\n\t\tport: 1",
        "config.nic.model",
        "BCM57608",
    ),
    ("ibv_devinfo", "hca_id: a\n\tvendor_id: 0x8086\n\tvendor_part_id: 5522", "config.nic.model", "E810-C"),
    ("cat /sys/class/infiniband/mlx5_0/fw_ver", "22.35.1012", "config.nic.firmware", "22.35.1012"),
    ("cat /sys/class/infiniband/mlx5_0/hca_type", "MT4125", "config.nic.model", "ConnectX-6 Dx"),
    ("cat /sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)", "rdma.name", "mlx5_0"),
    ("mlxconfig -d a q", "Device type: ConnectX7\nConfigurations: Next Boot", "config.nic.vendor", "NVIDIA"),
    ("ethtool -i ib0", "driver: mlx5_core[ib_ipoib]\nversion: 5.15", "config.nic.vendor", "NVIDIA"),
    ("ibv_devinfo -v", PORT.format("ACTIVE", 4, "25.0"), "config.ethernet.speed_gbps", 100),
    ("ibv_devinfo -v", PORT.format("DOWN", 4, "10.0"), "config.ethernet.speed_gbps", None),
    ("ibv_devinfo -v", PORT.format("ACTIVE", 1, "2.5"), "config.ethernet.speed_gbps", None),
    ("ethtool --json a", '[{"ifname": "a", "speed": 100000, "lanes": 2}]', "config.ethernet.speed_gbps", 100),
    ("ethtool --json a", '[{"ifname": "a", "speed": 100000, "lanes": 2}]', "config.ethernet.lanes", 2),
    ("ethtool --json --show-fec a", '[{"ifname": "a", "active": ["RS"]}]', "config.ethernet.fec", "RS"),
    ("ethtool --json --show-fec a", '[{"ifname": "a", "active": ["None"]}]', "config.ethernet.fec", None),
    (
        "ethtool -I --show-fec a",
        "Active FEC encoding: RS\nStatistics:\n corrected_bits: 1",
        "config.ethernet.fec",
        "RS",
    ),
    ("ip -br link", "a  DOWN  02:00:00:00:00:01 <NO-CARRIER,UP>", "mac", "02:00:00:00:00:01"),
    ("ip -br link", "a  DOWN  02:00:00:00:00:01 <NO-CARRIER,UP>", "config.ethernet.enabled", True),
    (
        "lspci",
        "17:00.0 Ethernet controller: Broadcom Inc. BCM57508 NetXtreme-E (rev 11)",
        "config.nic.model",
        "BCM57508",
    ),
    ("lspci", "17:00.0 Ethernet controller: Intel Controller E810-C for QSFP", "config.nic.model", "E810-C"),
    ("lspci", "17:00.0 Ethernet controller: Mellanox BlueField-3 integrated x", "config.nic.model", "BlueField-3"),
    ("show_gids", TABLE, "rdma.name", "rocep1s0f0"),
    ("devlink dev info", INFO, "config.nic.firmware", "22.35.1012"),
    ("devlink dev info", INFO, "config.nic.driver", "mlx5_core"),
    ("devlink -j dev info", INFO_JSON, "config.nic.firmware", "22.35.1012"),
    ("devlink -j dev info", INFO_JSON, "config.nic.vendor", "NVIDIA"),
    ("flint -d 5e:00.0 q", "Image type: FS4\nFW Version:   22.35.1012", "config.nic.firmware", "22.35.1012"),
    ("flint -d 5e:00.0 q", "FW Version: 22.36\nFW Version(Running): 22.35", "config.nic.firmware", "22.35"),
    ("devlink dev info", INFO.replace("mlx5_core", "bnxt_en"), "config.nic.firmware", None),
    ("mlxfwmanager --query", MANAGER, "config.nic.firmware", "22.35.1012"),
    ("mlxfwmanager --query", MANAGER, "config.nic.model", "ConnectX-6 Dx"),
    (
        "ifconfig a",
        "a: flags=4163<UP,BROADCAST>  mtu 9000\n  ether 02:00:00:00:00:01",
        "config.ethernet.mtu_bytes",
        9000,
    ),
    ("ifconfig a", "a: flags=4098<BROADCAST>  mtu 9000\n  ether 02:00:00:00:00:01", "config.ethernet.enabled", False),
    ("ifconfig a", OLD_INTERFACE, "config.ethernet.mtu_bytes", 1500),
    ("ifconfig a", OLD_INTERFACE, "config.ethernet.enabled", True),
    ("ifconfig a", OLD_INTERFACE, "mac", "02:00:00:00:00:0a"),
    ("nmcli device show a", "GENERAL.DEVICE:  a\nGENERAL.MTU:  4200", "config.ethernet.mtu_bytes", 4200),
    ("nmcli con show a", MEMBER.format("bond", "bond0"), "lag", "bond0"),
    ("nmcli con show a", MEMBER.format("bridge", "br0"), "lag", None),
    ("nmcli con show a", MEMBER.format("bond", "0a1b2c3d-0000-1111-2222-0a1b2c3d4e5f"), "lag", None),
    ("cat /etc/sysconfig/network-scripts/ifcfg-a", "DEVICE=a\nMASTER=bond0\nSLAVE=yes", "lag", "bond0"),
    ("cat /etc/sysconfig/network-scripts/ifcfg-a", 'DEVICE=a\nMTU="9000"', "config.ethernet.mtu_bytes", 9000),
    ("dcbtool gc a pfc", PFCUP.format("Config", "Enable: true"), "config.pfc.priorities", (2, 3)),
    ("dcbtool gc a pfc", PFCUP.format("Config", "Enable: false"), "config.pfc.priorities", ()),
    ("dcbtool go a pfc", PFCUP.format("Oper", "Oper Mode: true"), "config.pfc.priorities", (2, 3)),
    ("dcbtool gc a pg", "Command: Get Config\nPort: a\nWilling: true", "config.nic.dcbx_willing", True),
    ("cma_roce_tos -d mlx5_0 -t 106", "106", "config.nic.rdma_cm_tos", 106),
    ("cma_roce_mode -d mlx5_0 -p 1 -m 2", "RoCE v2", "config.nic.rdma_cm_mode", "v2"),
    ("mlxlink -d mlx5_0", "Operational Info\nSpeed : IB-NDR\nWidth : 4x", "config.ethernet.lanes", 4),
    ("mlxlink -d mlx5_0", "Operational Info\nSpeed : IB-NDR\nWidth : 4x", "config.ethernet.speed_gbps", None),
    (
        "dcb buffer show dev a",
        "buffer-size 0:128Kb 1:1Mb 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b",
        "config.nic.receive_buffers_bytes",
        (131072, 1048576, 0, 0, 0, 0, 0, 0),
    ),
    ("lldptool -t -i a -V PFC -c enabled", "enabled=3,4", "config.pfc.priorities", (3, 4)),
    ("lldptool -t -i a -V PFC -c enabled", "enabled=none", "config.pfc.priorities", ()),
    ("lldptool -t -i a -V PFC -c willing", "willing=no", "config.nic.dcbx_willing", False),
    (
        "mlnx_qos -i a",
        "Receive buffer size (bytes): 262144, 1024,0,0,0,0,0,0,total_size=263168",
        "config.nic.receive_buffers_bytes",
        (262144, 1024, 0, 0, 0, 0, 0, 0),
    ),
    ("mlnx_qos -i a", "dcbx mode: Firmware controlled", "config.nic.dcbx_mode", "firmware"),
    (
        "mlnx_qos -i a",
        "PFC configuration:\n priority:  0 1 2 3 4 5 6 7\n enabled:   0 0 0 0 0 1 0 0",
        "config.pfc.priorities",
        (5,),
    ),
    (
        "ip link",
        """2: a: <UP> mtu 9000
    link/ether 02:00:00:00:00:01
    vf 0     link/ether 00:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff, trust off
    vf 1     link/ether 02:00:00:00:00:11 brd ff:ff:ff:ff:ff:ff, trust off""",
        "config.nic.virtual_functions",
        2,
    ),
]


@pytest.mark.parametrize("numbers", ["{0..7}", "0 1 2 3 4 5 6 7", "$(seq 0 7)"])
def test_a_loop_of_the_shell(host: Host, numbers: str) -> None:
    command = f"for i in {numbers}; do cat /sys/class/net/a/ecn/roce_np/enable/$i; done"
    (port,) = host({command: "0\n0\n0\n1\n0\n0\n0\n0"}).ports
    assert port.config.nic is not None
    assert {p for p, on in port.config.nic.dcqcn_np.known().value.items() if value_of(on)} == {3}


@pytest.mark.parametrize(("command", "output", "path", "value"), VALUES)
def test_values(host: Host, command: str, output: str, path: str, value: object) -> None:
    device = host({command: output})
    (port,) = device.ports
    found: Any = functools.reduce(getattr, path.split("."), port)
    assert value_of(found) == value
    assert device.doubts == ()


def test_the_priorities_of_older_releases(host: Host) -> None:
    device = host({"mlnx_qos -i a": OLD_QOS})
    queues = device.ports[0].config.queues.known().value
    assert [value_of(queue.priorities) for queue in queues] == [(0, 1), (2, 3, 4, 5, 6, 7)]
    assert LineState.UNRECOGNISED not in device.dumps[0].states


def test_several_priorities_below_a_class_on_one_line(host: Host) -> None:
    lines = (
        "tc: 0 ratelimit: unlimited, tsa: strict\n priority:  0\n"
        "tc: 1 ratelimit: unlimited, tsa: strict\n up: 1 2 3 4 5 6 7"
    )
    queues = host({"mlnx_qos -i a": lines}).ports[0].config.queues.known().value
    assert [value_of(queue.priorities) for queue in queues] == [(0,), (1, 2, 3, 4, 5, 6, 7)]


def test_an_excerpt_does_not_tell_that_its_classes_carry_nothing(host: Host) -> None:
    lines = "tc: 0 ratelimit: unlimited, tsa: vendor\ntc: 1 ratelimit: unlimited, tsa: vendor"
    queues = host({"mlnx_qos -i a": lines}).ports[0].config.queues.known().value
    assert not any(isinstance(queue.priorities, Known) for queue in queues)


def test_what_a_queue_pair_counts_is_not_what_its_port_counts(host: Host) -> None:
    device = host({"rdma statistic qp show": "link mlx5_0/1 lqpn 178 pid 12 comm ib_write_bw rx_write_requests 7"})
    assert [port.counters for port in device.ports] in ([], [{}])
    assert device.doubts == ()


def test_neighbours_as_pairs() -> None:
    lines = """lldp.eth0.via=LLDP
lldp.eth0.chassis.mac=02:00:00:00:00:10
lldp.eth0.chassis.name=phone
lldp.eth0.port.mac=02:00:00:00:00:10
lldp.eth0.port.descr=1
lldp.eth0.via=LLDP
lldp.eth0.chassis.name=leaf1
lldp.eth0.chassis.Bridge.enabled=on
lldp.eth0.port.ifname=swp12
lldp.eth1.100.via=LLDP
lldp.eth1.100.chassis.local=leaf2
lldp.eth1.100.port.local=513"""
    capture = Capture("x.txt", tuple(lines.splitlines()))
    assert systems()["linux"].recognise(capture) == "lldpctl -f json0"
    ports = {port.name: port for port in systems()["linux"].parse("h", "h", [capture]).ports}
    peer, other = (ports[name].peer.known().value for name in ("eth0", "eth1.100"))
    assert (peer.device, peer.port, other.device, other.port) == ("leaf1", "swp12", "leaf2", "513")


def test_the_variables_that_a_log_tells(host: Host) -> None:
    log = """n1:10:20 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0
n1:10:20 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0
n1:10:20 [0] NCCL INFO NCCL_IB_TC set by environment to 106.
n1:11:21 [1] NCCL INFO NCCL_IB_TC set by environment to 106.
n1:10:20 [0] NCCL INFO NCCL_IB_GID_INDEX set by environment to 3.
n1:11:21 [1] NCCL INFO NCCL_IB_GID_INDEX set by environment to 5.
n1:10:20 [0] NCCL INFO NET/IB : Using [0]={[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE} [RO]; OOB eth0:10.0.0.1<0>"""
    device = host({"NCCL log": log})
    assert device.host is not None
    told = {name: known.value for name, known in device.host.environment.known().value.items()}
    assert told == {"NCCL_SOCKET_IFNAME": "eth0", "NCCL_IB_HCA": "mlx5_0", "NCCL_IB_TC": "106"}
    assert {port.name for port in device.ports} == {"mlx5_0", "mlx5_1"}
    assert systems()["linux"].recognise(Capture("x.log", tuple(log.splitlines()[2:3]))) == "NCCL log"


def test_an_adapter_without_qos_runs_no_pfc() -> None:
    lines = """Name         : M1
Enabled      : False
Capabilities :                       Hardware     Current
                                     --------     -------
               DcbxSupport         : None         None
               NumTCs(Max/ETS/PFC) : 8/8/8        0/0/0"""
    capture = Capture("x.txt", tuple(lines.splitlines()))
    assert systems()["windows"].recognise(capture) == "Get-NetAdapterQos"
    (port,) = systems()["windows"].parse("win", "x.txt", [capture]).ports
    assert port.config.nic is not None
    assert (value_of(port.config.pfc.priorities), value_of(port.config.nic.max_traffic_classes)) == ((), 8)


def test_what_the_daemon_says_of_itself_is_no_tlv(host: Host) -> None:
    assert host({"lldptool get-lldp -i a adminStatus": "adminStatus=rxtx"}).doubts == ()


def test_a_bond_shows_the_speed_of_its_members(host: Host) -> None:
    lines = "Bonding Mode: load balancing (round-robin)\nSlave Interface: a\nSpeed: 25000 Mbps\nDuplex: full"
    ports = {p.name: p for p in host({"cat /proc/net/bonding/b": lines, "mlnx_qos -i a": "Cable len: 7"}).ports}
    assert value_of(ports["a"].config.ethernet.speed_gbps) == 25


def test_a_bond_out_of_files(host: Host) -> None:
    base = "/sys/class/net/bond0/bonding"
    device = host(
        {
            f"grep . {base}/*": f"{base}/mode:802.3ad 4\n{base}/slaves:a b",
            "mlnx_qos -i a": "Cable len: 7",
            "mlnx_qos -i b": "Cable len: 7",
        }
    )
    assert {port.name: value_of(port.lag) for port in device.ports} == {"a": "bond0", "b": "bond0"}
    assert device.host is not None
    assert device.host.bonds.known().value["bond0"].value == "802.3ad"


ROWS = "PFC configuration:\n priority 0 1 2 3 4 5 6 7\n enabled 0 0 0 {} 0 0 0 0"


def _session(*commands_and_rows: tuple[str, str]) -> list[Capture]:
    return [Capture("s.txt", tuple(out.splitlines()), command) for command, out in commands_and_rows]


def test_in_a_session_the_last_of_the_same_question_holds() -> None:
    first, last = ROWS.format(0) + "\nPriority trust state: dscp", ROWS.format(1)
    captures = _session(("mlnx_qos -i a --trust dscp", first), ("mlnx_qos -i a -f 0,0,0,1,0,0,0,0", last))
    (port,) = systems()["linux"].parse("h", "h", captures).ports
    assert value_of(port.config.pfc.priorities) == (3,)
    assert value_of(port.config.classification.trust) is None


@pytest.mark.parametrize(
    "later", [("mlnx_qos -i a | head -3", "Cable len: 7"), ("mlnx_qos -i a", "Netlink error: Operation not supported")]
)
def test_an_excerpt_and_a_failure_take_nothing_back(later: tuple[str, str]) -> None:
    (port,) = systems()["linux"].parse("h", "h", _session(("mlnx_qos -i a", ROWS.format(1)), later)).ports
    assert value_of(port.config.pfc.priorities) == (3,)


@pytest.mark.parametrize("prompt", ["# ", "sh-5.1# ", "node1:~ # ", "gpu$ ", "#"])
def test_a_bare_prompt_before_a_tool_begins_a_capture(prompt: str) -> None:
    lines = (f"{prompt}mlnx_qos -i a", "Priority trust state: dscp", f"{prompt}cat /sys/class/net/a/mtu", "4200")
    captures = list_captures(Raw("x.txt", "", lines, True))
    assert [capture.command for capture in captures] == ["mlnx_qos -i a", "cat /sys/class/net/a/mtu"]


def test_a_tool_without_a_prompt_begins_a_capture_above_its_output() -> None:
    lines = ("mlnx_qos -i a --trust dscp", "Priority trust state: dscp", "mlnx_qos -i b", "Priority trust state: pcp")
    captures = list_captures(Raw("x.txt", "", lines, True))
    assert {
        p.name: value_of(p.config.classification.trust) for p in systems()["linux"].parse("h", "h", captures).ports
    } == {
        "a": "dscp",
        "b": "pcp",
    }


def test_a_script_that_calls_tools_is_no_transcript() -> None:
    lines = ("#!/bin/sh", "mlnx_qos -i a --trust dscp", "mlnx_qos -i a --pfc 0,0,0,1,0,0,0,0", "ethtool -A a rx off")
    assert [capture.command for capture in list_captures(Raw("setup.sh", "", lines, True))] == [""]


def test_a_comment_that_names_a_tool_begins_none() -> None:
    lines = ("# show_gids", "NCCL_IB_GID_INDEX=3", "# mlnx_qos -i a", "NCCL_IB_TC=106")
    assert [capture.command for capture in list_captures(Raw("nccl.conf", "", lines, True))] == [""]


def test_what_the_peer_has_is_not_the_ports_own(host: Host) -> None:
    assert host({"dcbtool gp a pfc": PFCUP.format("Peer", "Enable: true")}).ports == ()


def test_priority_groups_of_cee(host: Host) -> None:
    lines = (
        "Command: Get Oper\nPort: a\nFeature: Priority Groups\npgid: 0 0 0 1 2 0 0 0\npgpct: 10% 10% 80% 0% 0% 0% 0% 0%"
    )
    config = host({"dcbtool go a pg": f"{lines}\npfcup: 0 0 0 0 0 0 0 0"}).ports[0].config
    assert value_of(config.pfc.priorities) is None
    queues = config.queues.known().value
    told = {queue.queue: (value_of(queue.priorities), value_of(queue.bandwidth_percent)) for queue in queues}
    assert {number: told[number] for number in range(3)} == {0: ((0, 1, 2, 5, 6, 7), 10), 1: ((3,), 10), 2: ((4,), 80)}


WINDOWS_SESSION = r"""PS C:\Users\me> Get-NetAdapter

Name                      InterfaceDescription                    ifIndex Status       MacAddress             LinkSpeed
----                      --------------------                    ------- ------       ----------             ---------
SLOT 6 Port 1             Mellanox ConnectX-4 Lx Ethernet Adapter      11 Up           02-00-00-AA-BB-CC        25 Gbps
SLOT 6 Port 2             Mellanox ConnectX-4 Lx Ethernet Adapter      12 Disconnected 02-00-00-AA-BB-CD          0 bps

PS C:\> Get-NetQosFlowControl -InterfaceAlias "SLOT 6 Port 1"

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
""" + "\n".join(f"{p}          {p == 3!s:<10} AdapterSpecific  11      SLOT 6 Port 1" for p in range(8))


def test_tables_of_windows() -> None:
    captures = list_captures(Raw("x.txt", "", tuple(WINDOWS_SESSION.splitlines()), True))
    device = systems()["windows"].parse("win", "x.txt", captures)
    assert device.doubts == ()
    used, unused = device.ports
    assert (used.name, value_of(used.mac), value_of(used.config.pfc.priorities)) == (
        "SLOT 6 Port 1",
        "02:00:00:aa:bb:cc",
        (3,),
    )
    assert [value_of(port.config.ethernet.speed_gbps) for port in (used, unused)] == [25, None]
    assert used.config.nic is not None
    assert (value_of(used.config.nic.vendor), value_of(used.config.nic.model)) == ("NVIDIA", "ConnectX-4 Lx")


def test_pfc_that_is_requested_of_all_adapters_names_none() -> None:
    lines = ("Priority   Enabled    PolicySet  IfIndex IfAlias", "--------   -------    ---------  ------- -------")
    capture = Capture("x.txt", (*lines, "3          True       Global"))
    assert systems()["windows"].recognise(capture) == "Get-NetQosFlowControl"
    assert systems()["windows"].parse("win", "x.txt", [capture]).ports == ()


def test_what_one_host_says_takes_nothing_back_of_what_another_said() -> None:
    lines = [
        line
        for host, bit in (("n1", 1), ("n2", 0))
        for line in (f"root@{host}:~# mlnx_qos -i a", *ROWS.format(bit).splitlines())
    ]
    captures = list_captures(Raw("x.txt", "", tuple(lines), True))
    assert [capture.session for capture in captures] == ["root@n1", "root@n2"]
    (port,) = systems()["linux"].parse("h", "h", captures).ports
    assert value_of(port.config.pfc.priorities) is None


def test_one_command_over_the_files_of_several_devices(host: Host) -> None:
    command = "cat /sys/class/infiniband/mlx5_{8..10}/tc/1/traffic_class"
    device = host({command: "Global tclass=106\nGlobal tclass=162\nGlobal tclass=0"})
    told = {port.name: value_of(port.config.nic.traffic_class) for port in device.ports if port.config.nic}
    assert told == {"mlx5_8": 106, "mlx5_9": 162, "mlx5_10": 0}


def test_a_card_that_a_list_gives_only_a_number_is_the_one_of_that_number(host: Host) -> None:
    (port,) = host(
        {
            "niccli --list": "     BoardId     FwVersion\n  1) BCM57608    231.0.154.0",
            "niccli -i 1 getqos": "IEEE 8021QAZ PFC TLV:\n PFC enabled: 3",
        }
    ).ports
    assert port.config.nic is not None
    assert (value_of(port.config.nic.model), value_of(port.config.pfc.priorities)) == ("BCM57608", (3,))


def test_what_a_card_can_do_is_no_contradiction_of_what_it_does(host: Host) -> None:
    listed = "1) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC\n    Device Interface : a\n"
    (able,) = host({"niccli --list_devices": listed}).ports
    (runs,) = host({"niccli --list_devices": listed, "ethtool a": "Settings for a:\n\tSpeed: 100000Mb/s\n"}).ports
    assert [value_of(port.config.ethernet.speed_gbps) for port in (able, runs)] == [400, 100]
