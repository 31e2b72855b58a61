"""What whole hosts say, and where."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from auditor.model.device import Device
from auditor.model.dump import LineState
from auditor.model.nic import CcEngine, Function
from auditor.model.port import PfcMode, Port
from auditor.model.qos import Scheduler, Trust
from auditor.model.setting import Known, Origin, Unknown, Unset, Where, value_of

Host = Callable[[Mapping[str, str]], Device]


def port(device: Device, name: str) -> Port:
    found = device.port(name)
    assert found is not None, [each.name for each in device.ports]
    return found


def setting(device: Device, path: str) -> object:
    """Return the setting at `PORT/attribute.attribute`, with its place in the dump."""
    name, _, attributes = path.partition("/")
    own = port(device, name)
    found: object = functools.reduce(getattr, attributes.split("."), own)
    return replace(found, where=own.locate(found.where)) if isinstance(found, Known) else found


FOLDER = [
    ("ens1f0np0/config.classification.trust", Trust.DSCP, Origin.INTENDED, "mlnx_qos_-i_ens1f0np0.txt", 3),
    ("ens1f0np0/config.pfc.mode", PfcMode.ON, Origin.INTENDED, "mlnx_qos_-i_ens1f0np0.txt", 18),
    ("ens1f0np0/config.pfc.tx_priorities", (3,), Origin.INTENDED, "mlnx_qos_-i_ens1f0np0.txt", 18),
    ("ens1f0np0/config.nic.cable_length_m", 5, Origin.INTENDED, "mlnx_qos_-i_ens1f0np0.txt", 15),
    ("ens1f0np0/rdma.name", "mlx5_0", Origin.LEARNED, "ibdev2netdev.txt", 1),
    ("ens1f0np0/config.nic.dcqcn_np", dict.fromkeys(range(8), True), Origin.INTENDED, None, 1),
    ("ens1f0np0/config.nic.dcqcn_rp", {n: n == 3 for n in range(8)}, Origin.INTENDED, None, 1),
    ("ens1f0np0/config.nic.cnp_dscp", 48, Origin.INTENDED, None, 1),
    ("ens1f0np0/config.nic.cnp_priority", 6, Origin.LEARNED, "mlxconfig_-d_0000_1b_00.0_-e_q.txt", 14),
    ("ens1f0np0/config.nic.traffic_class", 106, Origin.INTENDED, None, 1),
    ("ens1f0np0/config.nic.rdma_cm_tos", 106, Origin.INTENDED, "cma_roce_tos_-d_mlx5_0.txt", 1),
    ("ens1f0np0/config.nic.driver", "mlx5_core", Origin.LEARNED, "ethtool_-i_ens1f0np0.txt", 1),
    ("ens1f0np0/config.nic.firmware", "28.43.2026", Origin.LEARNED, "ibv_devinfo_-v.txt", 3),
    ("ens1f0np0/config.nic.model", "ConnectX-7", Origin.LEARNED, "mlxconfig_-d_0000_1b_00.0_-e_q.txt", 5),
    ("ens1f0np0/config.nic.vendor", "NVIDIA", Origin.LEARNED, None, None),
    ("ens1f0np0/config.nic.transport", "roce", Origin.LEARNED, "ibv_devinfo_-v.txt", 2),
    ("ens1f0np0/config.nic.active_mtu_bytes", 4096, Origin.LEARNED, "ibv_devinfo_-v.txt", 12),
    ("ens1f0np0/config.nic.next_boot", {"ROCE_CC_PRIO_MASK_P1": "255"}, Origin.INTENDED, None, 10),
    ("ens1f0np0/config.pause.rx", True, Origin.INTENDED, "ethtool_-a_ens1f0np0.txt", 3),
    ("ens1f0np0/config.pause.tx", False, Origin.INTENDED, "ethtool_-a_ens1f0np0.txt", 4),
    ("ens1f0np0/config.ethernet.enabled", True, Origin.INTENDED, "ip_-j_-d_link.txt", 4),
    ("ens1f0np0/config.ethernet.mtu_bytes", 9000, Origin.INTENDED, "ip_-j_-d_link.txt", 8),
    ("ens1f0np0/lag", None, Origin.INTENDED, None, 4),
    ("ens2f0np0/config.classification.trust", Trust.PCP, Origin.LEARNED, None, 2),
    ("ens2f0np0/config.pfc.mode", PfcMode.OFF, Origin.LEARNED, None, 7),
    ("ens2f0np0/config.pfc.priorities", (), Origin.LEARNED, None, 7),
    ("ens2f0np0/config.nic.function", Function.VF, Origin.LEARNED, None, 20),
    ("ens2f0np0/config.ethernet.enabled", False, Origin.INTENDED, None, None),
]


def plain(value: object) -> object:
    """Return a map of settings as a map of their values."""
    return {k: v.value if isinstance(v, Known) else v for k, v in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(("path", "value", "origin", "place"), [(*row[:3], row[3:]) for row in FOLDER])
def test_folder(folder: Device, path: str, value: object, origin: Origin, place: tuple[str | None, int | None]) -> None:
    file, line = place
    known = setting(folder, path)
    assert isinstance(known, Known), known
    assert (plain(known.value), known.origin) == (value, origin)
    assert known.where is not None
    assert file in {None, known.where.file}
    assert line in {None, known.where.line}


def test_folder_as_a_whole(folder: Device) -> None:
    assert folder.name == "gpu-a01"
    assert [each.name for each in folder.ports] == ["ens1f0np0", "ens2f0np0"]  # neither eno1 nor the VLAN
    assert folder.doubts == ()
    assert not any(LineState.UNRECOGNISED in dump.states for dump in folder.dumps)
    assert port(folder, "ens1f0np0").aliases == ("enp27s0f0np0",)
    counters = port(folder, "ens1f0np0").counters or {}
    assert {n: k.value for n, k in counters.items()} == {
        "rx_packets": 9000,
        "rx_prio3_pause": 17,
        "tx_prio3_pause": 4,
        "rx_discards_phy": 2,
    }
    assert setting(folder, "ens2f0np0/config.classification.dscp_to_class") == Unknown("no capture shows it")
    assert isinstance(setting(folder, "ens2f0np0/config.nic.traffic_class"), Unset)


def test_folder_classes(folder: Device) -> None:
    own = port(folder, "ens1f0np0")
    config, entry = own.config, own.config.classification.class_of_dscp(26)
    assert entry.value == "3"
    assert own.locate(entry.where) == Where("mlnx_qos_-i_ens1f0np0.txt", 8)
    rdma = config.classification.by_id("3")
    assert rdma is not None
    assert [s.known().value for s in (rdma.pfc_priority, rdma.queue, rdma.pg, rdma.lossless)] == [3, 3, 1, True]
    queues = {queue.queue: queue for queue in config.queues.known().value}
    assert queues[0].priorities.known().value == (0, 1, 2, 4, 5, 7)
    assert queues[3].bandwidth_percent.known().value == 70
    assert queues[6].scheduler.known().value is Scheduler.STRICT
    assert queues[6].shape_gbps.known().value == 25
    groups = {group.pg: group for group in config.priority_groups.known().value}
    assert groups[1].priorities.known().value == (3,)
    assert groups[1].size_bytes.known().value == 156096
    assert (groups[0].lossless.known().value, groups[1].lossless.known().value) == (False, True)


def test_the_bridge_among_the_neighbours_is_the_peer(folder: Device) -> None:
    peer = setting(folder, "ens1f0np0/peer")
    assert isinstance(peer, Known)
    assert (peer.value.device, peer.value.port, peer.where and peer.where.line) == ("leaf1", "Ethernet1/1", 12)


RECORDED = [
    ("p0/config.pfc.priorities", (5,), 17),
    ("p0/rdma.name", "mlx5_bond_0", 12),
    ("p0/config.ethernet.mtu_bytes", 9216, 21),
    ("p0/lag", "bond0", 21),
    ("p1/rdma.name", "mlx5_bond_0", 12),
    ("p1/config.nic.adaptive_routing", True, 49),
    ("bond0/config.nic.function", Function.BOND, None),
    ("bond0/config.nic.dcqcn_rp", {n: n == 5 for n in range(8)}, 34),
    ("bond0/config.nic.cc_engine", CcEngine.PROGRAMMABLE, 35),
    ("bond0/config.nic.model", "BlueField-3", 12),
    ("bond0/config.ethernet.speed_gbps", 400, 40),
    ("bond0/config.ethernet.lanes", 4, 41),
]


@pytest.mark.parametrize(("path", "value", "line"), RECORDED, ids=[row[0] for row in RECORDED])
def test_transcript(recorded: Device, path: str, value: object, line: int | None) -> None:
    known = setting(recorded, path)
    assert isinstance(known, Known), known
    assert plain(known.value) == value
    assert line is None or (known.where and known.where.line == line)


def test_transcript_as_a_whole(recorded: Device) -> None:
    assert recorded.name == "gpu-b01"
    assert sorted(each.name for each in recorded.ports) == ["bond0", "p0", "p1"]
    assert len(recorded.dumps) == 1
    states = recorded.dumps[0].states
    assert len(states) == 52
    assert states[:2] == (LineState.IGNORED, LineState.IGNORED)
    assert states[51] is LineState.NOT_MODELLED
    assert LineState.UNRECOGNISED not in states
    assert recorded.doubts == ()
    next_boot = setting(recorded, "bond0/config.nic.dcqcn_np")
    assert isinstance(next_boot, Known)
    assert next_boot.origin is Origin.INTENDED
    assert "next boot" in next_boot.reference


JOINS = [
    ("a lonely device", {"cat /sys/class/infiniband/mlx5_2/tc/1/traffic_class": "Global tclass=106"}, ["mlx5_2"]),
    (
        "a device and its netdev",
        {"ibdev2netdev": "mlx5_2 port 1 ==> ens6 (Up)", "ibv_devinfo": "hca_id:\tmlx5_2\n\ttransport:\tInfiniBand (0)"},
        ["ens6"],
    ),
    (
        "a PCI address between a netdev and a device",
        {
            "ethtool -i ens6": "driver: mlx5_core\nbus-info: 0000:4d:00.0",
            "mst status -v": "ConnectX7(rev:0)  /dev/mst/mt4129_pciconf0  4d:00.0  mlx5_0   0",
        },
        ["ens6"],
    ),
    (
        "a bare card and one port",
        {"rdma link": "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1", "mlxconfig q": "CNP_DSCP_P1 48"},
        ["ens1"],
    ),
    ("a bare card alone", {"mlxconfig q": "Configurations: Next Boot\nCNP_DSCP_P1 48"}, ["0"]),
    (
        "a card by its address",
        {"mlxconfig -d 01:00.0 q": "Configurations: Next Boot\nCNP_DSCP_P1 48"},
        ["0000:01:00.0"],
    ),
    (
        "two ports of one device",
        {"rdma link": "link mlx4_0/1 state ACTIVE netdev a\nlink mlx4_0/2 state ACTIVE netdev b"},
        ["a", "b"],
    ),
    (
        "an InfiniBand port",
        {"rdma link": "link mlx5_5/1 subnet_prefix fe80 lid 4 state ACTIVE physical_state LINK_UP"},
        ["mlx5_5"],
    ),
    (
        "a VLAN with GIDs of its own",
        {"show_gids": "mlx5_0 1 3 fe80:: 10.0.0.1 v2 ens1\nmlx5_0 1 5 fe80:: 10.0.1.1 v2 ens1.100"},
        ["ens1"],
    ),
    ("virtual netdevs", {"ethtool -i br0": "driver: bridge", "ethtool -i ens1": "driver: ice"}, ["ens1"]),
    ("a failed command about nothing", {"rdma -j link": "Failed to open NETLINK_RDMA socket"}, ["0"]),
    ("nothing of a port", {"lsmod": "mlx5_core 1 0"}, []),
]


@pytest.mark.parametrize(("outputs", "ports"), [row[1:] for row in JOINS], ids=[row[0] for row in JOINS])
def test_joining(host: Host, outputs: Mapping[str, str], ports: list[str]) -> None:
    assert [each.name for each in host(outputs).ports] == ports


def test_captures_that_contradict_each_other(host: Host) -> None:
    device = host(
        {
            "mlnx_qos -i a": "PFC configuration:\n priority 0 1 2 3 4 5 6 7\n enabled 0 0 0 1 0 0 0 0",
            "dcb pfc show dev a": "prio-pfc 0:off 1:off 2:off 3:off 4:on 5:off 6:off 7:off",
        }
    )
    priorities = setting(device, "a/config.pfc.priorities")
    assert priorities == Unknown("the captures contradict each other: 0.txt:3 says 3, 1.txt:1 says 4")
    assert setting(device, "a/config.pfc.mode") == Known(PfcMode.ON, Origin.INTENDED, Where("0.txt", 3))


ERRORS = [
    ("mlnx_qos -i a", "mlnx_qos: command not found", "a/config.pfc.mode", "command not found"),
    ("mlnx_qos -i a", "", "a/config.pfc.mode", "empty"),
    ("dcb -j pfc show dev a", "Attribute read: Operation not supported\n\nrc=1", "a/config.pfc.mode", "not supported"),
    ("cma_roce_tos -d a", "Permission denied", "a/config.nic.rdma_cm_tos", "Permission denied"),
    (
        "cat /sys/class/infiniband/a/tc/1/traffic_class",
        "cat: /sys/class/infiniband/a/tc/1/traffic_class: No such file or directory",
        "a/config.nic.traffic_class",
        "No such file",
    ),
    (
        "cat /sys/class/net/a/ecn/roce_np/enable/*",
        "cat: '/sys/class/net/a/ecn/roce_np/enable/*': No such file or directory",
        "a/config.nic.dcqcn_np",
        "No such file",
    ),
    ("ethtool -a a", "Cannot get device pause settings: Operation not supported", "a/config.pause.rx", "not supported"),
]


@pytest.mark.parametrize(("command", "output", "path", "why"), ERRORS)
def test_an_error_is_no_value(host: Host, command: str, output: str, path: str, why: str) -> None:
    device = host({command: output})
    unknown = setting(device, path)
    assert isinstance(unknown, Unknown)
    assert why in unknown.why
    assert device.doubts == ()


@pytest.mark.parametrize(
    ("command", "output", "mode"),
    [
        ("rdma system", "netns exclusive copy-on-fork on", "exclusive"),
        ("rdma -j sys show", '[{"netns":"shared","copy-on-fork":true}]', "shared"),
        ("rdma system show", "netns sideways", None),
    ],
)
def test_how_namespaces_share_rdma_devices(host: Host, command: str, output: str, mode: str | None) -> None:
    device = host({command: output})
    assert (value_of(device.host.rdma_netns) if device.host else None) == mode
