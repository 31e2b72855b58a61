"""What single captures say: variants of each command, and what is doubted in them."""

import functools
from collections.abc import Callable, Mapping

import pytest

from auditor.model.device import Device
from auditor.model.dump import LineState
from auditor.model.nic import list_running_priorities
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where

Host = Callable[[Mapping[str, str]], Device]

ENABLED = "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     {}\n"
VALUES = [
    # command, output, path from the only port, value
    ("mlnx_qos -i a", "Priority trust state: none", "config.classification.trust", "none"),
    ("mlnx_qos -i a", ENABLED.format("0 0 0 1 1 0 0 0"), "config.pfc.rx_priorities", (3, 4)),
    ("mlnx_qos -i a", "tc: 0 ratelimit: unlimited, tsa: vendor\n priority: 1\n\n priority: 2", "config.queues", None),
    ("mlnx_qos -i a", "prio:3 dscp:26,24,\nprio:3 dscp:30,", "config.classification.dscp_to_class", None),
    ("mlnx_qos -i a", "default priority:5", "config.classification.default_class", "5"),
    ("mlnx_qos -i a", "Cable len: 2.5", "config.cable_length_m", 2.5),
    (
        "ip link",
        "2: a: <BROADCAST> mtu 4200 qdisc mq state DOWN\n    link/ether 02:00:00:00:00:01 brd ff",
        "mac",
        "02:00:00:00:00:01",
    ),
    (
        "ip -o addr show dev a",
        "2: a: <UP> mtu 4200 qdisc mq\n    link/ether 02:00:00:00:00:01 brd ff",
        "config.ethernet.enabled",
        True,
    ),
    ("ethtool a", "Settings for a:\n\tSpeed: 100000Mb/s\n\tLanes: 4\n\tPort: FIBRE", "config.ethernet.speed_gbps", 100),
    ("ethtool a", "Settings for a:\n\tSpeed: 100000Mb/s\n\tLanes: 4\n\tPort: FIBRE", "config.ethernet.lanes", 4),
    ("ethtool --show-fec a", "FEC parameters for a:\nActive FEC encoding: RS", "config.ethernet.fec", "RS"),
    (
        "ethtool -a a",
        "Pause parameters for a:\nAutonegotiate: on\nRX: on\nTX: on\nRX negotiated: off",
        "config.pause.rx",
        False,
    ),
    (
        "ethtool -a a",
        "Pause parameters for a:\nAutonegotiate: on\nRX: on\nTX: on\nRX negotiated: off",
        "config.pause.tx",
        True,
    ),
    (
        "ethtool --json -a a",
        '[{"ifname": "a", "autonegotiate": false, "rx": true, "tx": false}]',
        "config.pause.rx",
        True,
    ),
    ("ethtool -i a", "driver: bnxt_en\nfirmware-version: 233.0/pkg 233.1", "config.nic.vendor", "Broadcom"),
    ("rdma dev", "0: siw0: node_type rnic fw 0.0.0", "config.nic.transport", "iwarp"),
    ("rdma -j dev", '[{"ifindex":0,"ifname":"mlx5_0","node_type":"ca","fw":"28.1"}]', "config.nic.firmware", "28.1"),
    (
        "ibv_devinfo",
        "hca_id: x\n transport: iWARP (1)\n port: 1\n link_layer: Ethernet",
        "config.nic.transport",
        "iwarp",
    ),
    (
        "ibv_devinfo",
        "hca_id: x\n transport: InfiniBand (0)\n port: 1\n link_layer: InfiniBand",
        "config.nic.transport",
        "infiniband",
    ),
    ("NCCL log", "a NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB e:1", "config.nic.link_layer", "infiniband"),
    (
        "mlxlink -d 01:00.0 --json",
        '{"result": {"output": {"Operational Info": {"Speed": "100GbE", "Width": "2x"}}}}',
        "config.ethernet.lanes",
        2,
    ),
    ("cat /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos", "106", "config.nic.rdma_cm_tos", 106),
    (
        "cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
        "Global tclass=96\nsrc_ip=10.0.0.1 tclass=8",
        "config.nic.traffic_class",
        96,
    ),
    (
        "grep . /sys/kernel/debug/mlx5/0000:4d:00.0/cc_params/*",
        "/sys/kernel/debug/mlx5/0000:4d:00.0/cc_params/np_cnp_prio:6",
        "config.nic.cnp_priority",
        6,
    ),
    ("grep -r . /sys/class/net/a/ecn", "/sys/class/net/a/ecn/roce_np/cnp_dscp:46", "config.nic.cnp_dscp", 46),
    (
        "head /sys/class/net/a/ecn/roce_np/*",
        "==> /sys/class/net/a/ecn/roce_np/cnp_dscp <==\n46",
        "config.nic.cnp_dscp",
        46,
    ),
    (
        "cat /sys/class/net/a/ecn/roce_{np,rp}/enable/*",
        "\n".join("0" * 8 + "1" * 8),
        "config.nic.dcqcn_rp",
        dict.fromkeys(range(8), True),
    ),
    (
        "cat /sys/class/net/a/ecn/roce_np/cnp_802p_prio /sys/class/net/a/ecn/roce_np/cnp_dscp",
        "5\n46",
        "config.nic.cnp_priority",
        5,
    ),
    ("mstconfig -d 01:00.1 q", "Configurations: Next Boot\nCNP_DSCP_P1 48\nCNP_DSCP_P2 46", "config.nic.cnp_dscp", 46),
    ("mlxconfig -d 01:00.0 -e q", "ROCE_CC_ALGORITHM_P1 ECN(0) ECN(0) QCN(1)", "config.nic.cc_engine", "dcqcn"),
    ("mlxconfig -d 01:00.0 -e q", "LINK_TYPE_P1 ETH(2) IB(1) IB(1)", "config.nic.link_layer", "infiniband"),
    (
        "lldpctl -f json",
        (
            '{"lldp": {"interface": {"a": {"chassis": {"sw": {"id": {"type": "mac", "value": "m"}}}, '
            '"port": {"id": {"type": "ifname", "value": "swp1"}}}}}}'
        ),
        "peer",
        None,
    ),
    (
        "lldpctl",
        "Interface:    a, via: LLDP\n SysName: leaf1\n Capability: Bridge, on\n PortID: mac 02:00\n PortDescr: swp3",
        "peer",
        None,
    ),
    (
        "dcb -j pfc show dev a",
        '{"prio_pfc": [false,false,false,true,false,false,false,false]}',
        "config.pfc.priorities",
        (3,),
    ),
    ("dcb app show dev a", "default-prio 2\ndscp-prio AF31:3 46:6", "config.classification.trust", "dscp"),
    ("dcb app show dev a", "default-prio 2\ndscp-prio AF31:3 46:6", "config.classification.default_class", "2"),
    ("dcb -j app show dev a", '{"dscp_prio":[["AF31"," ",3],["EF"," ",6]]}', "config.classification.trust", "dscp"),
    (
        "dcb buffer show dev a",
        "prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0\nbuffer-size 0:10000b 1:20000b 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b",
        "config.nic.receive_buffers_bytes",
        (10000, 20000, 0, 0, 0, 0, 0, 0),
    ),
    ("lldptool -ti a", "IEEE 8021QAZ PFC TLV\n\tPFC enabled: 3 4", "config.pfc.priorities", (3, 4)),
    (
        "lldptool -tni a",
        "Port ID TLV\n\tIfname: swp1\nSystem Name TLV\n\tleaf1\nIEEE 8021QAZ PFC TLV\n\tPFC enabled: 3",
        "peer",
        None,
    ),
    (
        "nicctl show qos",
        "NIC : x (0000:06:00.0)\n DSCP : 0-23, 25 ==> priority : 1",
        "config.classification.dscp_to_class",
        None,
    ),
]


def plain(value: object) -> object:
    """Return a map of settings as a map of their values."""
    return {k: v.value if isinstance(v, Known) else v for k, v in value.items()} if isinstance(value, dict) else value


def value_at(device: Device, path: str) -> Setting[object]:
    assert len(device.ports) == 1, [port.name for port in device.ports]
    found: object = functools.reduce(getattr, path.split("."), device.ports[0])
    assert isinstance(found, Known | Unset | Unknown)
    return found


@pytest.mark.parametrize(("command", "output", "path", "value"), VALUES)
def test_values(host: Host, command: str, output: str, path: str, value: object) -> None:
    device = host({command: output})
    known = value_at(device, path)
    assert isinstance(known, Known), known
    assert value is None or plain(known.value) == value
    assert known.where is not None
    assert device.doubts == ()


def test_maps_and_lists(host: Host) -> None:
    qos = host({"mlnx_qos -i a": "prio:3 dscp:26,24,\nprio:3 dscp:08,"})
    table = qos.ports[0].config.classification.dscp_to_class.known().value
    assert {dscp: (entry.value, qos.ports[0].locate(entry.where)) for dscp, entry in table.items()} == {
        8: ("3", Where("0.txt", 2)),
        24: ("3", Where("0.txt", 1)),
        26: ("3", Where("0.txt", 1)),
    }
    app = host({"dcb app show dev a": "dscp-prio 0:0 CS3:2 CS3:3"})
    assert app.ports[0].config.classification.class_of_dscp(24).value == "3"  # the highest priority is in force
    assert [(doubt.text, doubt.understood) for doubt in app.doubts] == [("DSCP 24 -> 2,3", True)]
    assert not host({"dcb app show dev a": "dscp-prio 0:0 CS3:3 CS6:6"}).doubts
    amd = host({"nicctl show qos": "NIC : x (0000:06:00.0)\n DSCP : 0-2, 25 ==> priority : 1"})
    assert sorted(amd.ports[0].config.classification.dscp_to_class.known().value) == [0, 1, 2, 25]
    peer = host({"lldpctl": "Interface:    a, via: LLDP\n SysName: leaf1\n PortID: mac 02:00\n PortDescr: swp3"})
    assert peer.ports[0].peer.known().value.port == "swp3"
    gids = host({"ibv_devinfo -v": "hca_id: x\n port: 1\n GID[  3]:  ::ffff:10.0.0.1, RoCE v2"})
    assert [(gid.index, gid.type) for gid in gids.ports[0].rdma.gids.known().value] == [(3, "v2")]


def test_vendor_parameters_keep_their_names(host: Host) -> None:
    device = host(
        {
            "cat /sys/class/net/a/ecn/roce_rp/rpg_ai_rate": "5",
            "mlxconfig -d 01:00.0 -e q": "RPG_AI_RATE_P1 5 7 7",
            "ethtool -i a": "driver: mlx5_core\nbus-info: 0000:01:00.0",
        }
    )
    nic = device.ports[0].config.nic
    assert nic is not None
    parameters = nic.dcqcn.known().value
    assert {name: known.value for name, known in parameters.items()} == {"rpg_ai_rate": 5, "RPG_AI_RATE_P1": 7}
    assert parameters["RPG_AI_RATE_P1"].origin is Origin.LEARNED


def test_unset_is_not_unknown(host: Host) -> None:
    device = host({"cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class": ""})
    assert isinstance(value_at(device, "config.nic.traffic_class"), Unset)
    vendor = host({"mlnx_qos -i a": "tc: 0 ratelimit: unlimited, tsa: vendor\n priority: 0"})
    assert isinstance(vendor.ports[0].config.queues.known().value[0].scheduler, Unset)


def test_some_switches_do_not_tell_the_others(host: Host) -> None:
    device = host({"cat /sys/class/net/a/ecn/roce_np/enable/3": "1"})
    nic = device.ports[0].config.nic
    assert nic is not None
    switches = nic.dcqcn_np.known().value
    assert {priority: switch.value for priority, switch in switches.items()} == {3: True}
    assert list_running_priorities(nic.dcqcn_np) == Unknown("priority 0,1,2,4,5,6,7 was not captured")


DOUBTS = [
    # command, output, line, a word of what was expected, path that stays undetermined
    ("mlnx_qos -i a", "Priority trust state: maybe", 1, "trust", "config.classification.trust"),
    ("mlnx_qos -i a", "prio:9 dscp:26,", 1, "priority", "config.classification.dscp_to_class"),
    ("mlnx_qos -i a", "prio:3 dscp:64,", 1, "DSCP", "config.classification.dscp_to_class"),
    ("mlnx_qos -i a", "prio:3 dscp:10,\nprio:4 dscp:10,", 2, "several", "config.classification.dscp_to_class"),
    ("mlnx_qos -i a", ENABLED.format("0 0 0 1"), 3, "each", "config.pfc.mode"),
    ("mlnx_qos -i a", ENABLED.format("0 0 0 2 0 0 0 0"), 3, "0 or 1", "config.pfc.mode"),
    ("mlnx_qos -i a", ENABLED.format("0 0 0 x 0 0 0 0"), 3, "each", "config.pfc.mode"),
    ("mlnx_qos -i a", "Receive buffer size (bytes): 1,2,3,", 1, "eight", "config.nic.receive_buffers_bytes"),
    ("mlnx_qos -i a", "Cable len: " + "9" * 5000, 1, "metres", "config.cable_length_m"),
    ("mlnx_qos -i a", "tc: 8 ratelimit: unlimited, tsa: ets, bw: 10%", 1, "traffic class", "config.queues"),
    ("mlnx_qos -i a", "PFC storm prevention: on", 1, "mlnx_qos", "config.pfc.mode"),
    (
        "ip -j link",
        '[{"ifname": "a", "link_type": "ether", "mtu": -1, "flags": []}\n]',
        1,
        "MTU",
        "config.ethernet.mtu_bytes",
    ),
    (
        "ip link",
        "2: a: <UP> mtu x qdisc mq\n    link/ether 02:00:00:00:00:01 brd ff",
        1,
        "MTU",
        "config.ethernet.mtu_bytes",
    ),
    ("ethtool a", "Settings for a:\n\tSpeed: fast", 2, "speed", "config.ethernet.speed_gbps"),
    ("ethtool -a a", "RX: perhaps", 1, "on or off", "config.pause.rx"),
    ("ibv_devinfo", "hca_id: x\n port: 1\n active_mtu: 9000 (9)", 3, "MTU", "config.nic.active_mtu_bytes"),
    ("cat /sys/class/net/a/ecn/roce_np/cnp_dscp", "64", 1, "DSCP", "config.nic.cnp_dscp"),
    ("cat /sys/class/infiniband/a/tc/1/traffic_class", "Global tclass=256", 1, "ToS", "config.nic.traffic_class"),
    ("mlxconfig -d a -e q", "CNP_DSCP_P1 48 48", 1, "values", "config.nic.cnp_dscp"),
    ("mlxconfig -d a q", "CNP_802P_PRIO_P1 9", 1, "number", "config.nic.cnp_priority"),
    ("mlxlink -d a", "Speed : quick", 1, "speed", "config.ethernet.speed_gbps"),
    ("dcb pfc show dev a", "prio-pfc 0:off 1:perhaps", 1, "prio-pfc", "config.pfc.mode"),
    ("cma_roce_tos -d a", "256", 1, "ToS", "config.nic.rdma_cm_tos"),
]


@pytest.mark.parametrize(("command", "output", "expected", "path"), [(*row[:2], row[2:4], row[4]) for row in DOUBTS])
def test_doubts(host: Host, command: str, output: str, expected: tuple[int, str], path: str) -> None:
    line, why = expected
    device = host({command: output})
    assert [(doubt.where.line, why in doubt.why, doubt.fatal) for doubt in device.doubts] == [(line, True, False)]
    assert device.dumps[0].states[line - 1] is LineState.UNRECOGNISED
    for port in device.ports:
        assert not isinstance(functools.reduce(getattr, path.split("."), port), Known)


@pytest.mark.parametrize(
    "command", ["ip -j link", "rdma -j link", "rdma -j dev", "ethtool --json -a a", "lldpctl -f json0"]
)
def test_json_that_ends_too_early_is_fatal(host: Host, command: str) -> None:
    device = host({command: '[\n {"ifname": "a",\n  "mtu": 15'})
    assert [(doubt.where.line, doubt.fatal) for doubt in device.doubts] == [(3, True)]


def test_the_rest_of_a_capture_survives_a_doubt(host: Host) -> None:
    device = host({"mlnx_qos -i a": "Priority trust state: maybe\n" + ENABLED.format("0 0 0 1 0 0 0 0")})
    priorities = value_at(device, "config.pfc.priorities")
    assert isinstance(priorities, Known)
    assert (priorities.value, device.ports[0].locate(priorities.where)) == ((3,), Where("0.txt", 4))


def test_an_adapter_whose_fec_cannot_be_set_does_not_run_without(host: Host) -> None:
    device = host({"ethtool --show-fec a": "FEC parameters for a:\nActive FEC encoding: None"})
    assert not isinstance(value_at(device, "config.ethernet.fec"), Known)
