"""What the tools of each vendor and of the kernel say, one row per value."""

import json
from collections.abc import Callable, Collection, Mapping
from operator import attrgetter

import pytest

from auditor.model.counters import CounterKind, identify_counter, select_counters
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.nic import Function, list_running_priorities
from auditor.model.setting import Known, Origin, value_of
from auditor.systems import systems

Host = Callable[[Mapping[str, str]], Device]

BNXT = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
TLVS = """Chassis ID TLV
\tMAC: 02:00:00:00:00:01
IEEE 8021QAZ ETS Configuration TLV
\t Willing: yes
\t MAX_TCS: 4
\t PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0
IEEE 8021QAZ PFC TLV
\t Willing: no
\t PFC capable traffic classes: 1
\t PFC enabled: 3"""
HEAD = "Device type: ConnectX7\nConfigurations:  {}\n  {}"
ALL = "Default   Current   Next Boot"
VALUES = [
    # command, output, path from the only port, value
    ("cma_roce_mode -d a -p 1", "IB/RoCE v1", "config.nic.rdma_cm_mode", "v1"),
    ("cat /sys/kernel/config/rdma_cm/a/ports/1/default_roce_mode", "RoCE v2", "config.nic.rdma_cm_mode", "v2"),
    (
        "mlxreg -d 01:00.0 --reg_name ROCE_ACCL --get",
        "roce_tx_window_en | 0x00000001",
        "config.nic.accelerations",
        {"roce_tx_window_en": True},
    ),
    ("mlxconfig -d a -e q", HEAD.format(ALL, "CNP_DSCP_P1 48 46 4"), "config.nic.cnp_dscp", 46),
    ("mlxconfig -d a -e q", HEAD.format(ALL, "CNP_DSCP_P1 48 46 4"), "config.nic.next_boot", {"CNP_DSCP_P1": "4"}),
    (
        "mlxconfig -d a -e q",
        HEAD.format(ALL, "CNP_DSCP_P1 48 46 4"),
        "config.nic.firmware_default",
        {"CNP_DSCP_P1": "48"},
    ),
    ("mlxconfig -d a q", HEAD.format("Next Boot", "CNP_DSCP_P1 4"), "config.nic.cnp_dscp", 4),
    ("mlxconfig -d a q", HEAD.format("Current", "CNP_DSCP_P1 4"), "config.nic.cnp_dscp", 4),
    ("mlxconfig -d a -e q", HEAD.format("Default  Next Boot", "CNP_DSCP_P1 48 4"), "config.nic.cnp_dscp", 4),
    ("mstconfig -d a q", HEAD.format("Next Boot", "LINK_TYPE_P1 ETH"), "config.nic.link_layer", "ethernet"),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "USER_PROGRAMMABLE_CC True(1)"),
        "config.nic.cc_engine",
        "programmable",
    ),
    ("mlxconfig -d a q", HEAD.format("Next Boot", "ROCE_CC_LEGACY_DCQCN True(1)"), "config.nic.cc_engine", "dcqcn"),
    ("mlxconfig -d a q", HEAD.format("Next Boot", "LLDP_NB_TX_MODE_P1 ALL(2)"), "config.nic.firmware_lldp", True),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "LLDP_NB_DCBX_P1 False(0)\nDCBX_WILLING_P1 True(1)"),
        "config.nic.dcbx_willing",
        False,
    ),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "LLDP_NB_DCBX_P1 True(1)\nDCBX_WILLING_P1 True(1)"),
        "config.nic.dcbx_willing",
        True,
    ),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "ROCE_RTT_RESP_DSCP_P1 26\nROCE_RTT_RESP_DSCP_MODE_P1 FIXED_VALUE(1)"),
        "config.nic.rtt_response_dscp",
        26,
    ),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "ROCE_RTT_RESP_DSCP_P1 26\nROCE_RTT_RESP_DSCP_MODE_P1 DEVICE_DEFAULT(0)"),
        "config.nic.rtt_response_dscp",
        "not known",
    ),
    ("mlxconfig -d a q", HEAD.format("Next Boot", "NUM_OF_TC_P1 _4_TCs(2)"), "config.nic.max_traffic_classes", 4),
    (
        "mlxconfig -d a q",
        HEAD.format("Next Boot", "CNP_DSCP_MODE_P1 FIXED_VALUE(1)"),
        "config.nic.cnp_dscp_mode",
        "fixed",
    ),
    ("grep . /sys/kernel/debug/mlx5/0000:01:00.0/cc_params/rtt_resp_dscp", "26", "config.nic.rtt_response_dscp", 26),
    ("mlnx_qos -i a", "DCBX mode: Firmware controlled\nPriority trust state: pcp", "config.nic.dcbx_mode", "firmware"),
    # Broadcom: the files of configfs are hexadecimal, those of debugfs decimal
    (f"cat {BNXT}/roce_dscp", "0x26", "config.nic.roce_dscp", 38),
    (f"cat {BNXT}/cnp_dscp", "0x30", "config.nic.cnp_dscp", 48),
    (f"cat {BNXT}/ecn_enable", "0", "config.nic.np_enabled", False),
    (f"cat {BNXT}/ecn_marking", "0x2", "config.nic.ecn_marking", "ect0"),
    ("cat /sys/kernel/debug/bnxt_re/0000:22:00.0/cc_config/tos_dscp", "26", "config.nic.roce_dscp", 26),
    ("cat /sys/kernel/debug/bnxt_re/0000:22:00.0/cc_config/alt_vlan_dscp", "48", "config.nic.cnp_dscp", 48),
    (f"cat {BNXT}/apply", "ecn status\t\t: Disabled\necn marking\t: Not-ECT", "config.nic.cc_engine", "none"),
    (f"cat {BNXT}/apply", "ecn status : Enabled\nroce dscp : 26\nroce prio : 3", "config.nic.roce_priority", 3),
    (
        "cat /sys/kernel/debug/bnxt_re/bnxt_re0/info",
        "\tfw_service_prof_type_sup : 0",
        "config.nic.service_profile",
        False,
    ),
    ("bnxtqos -dev=ens1 get_qos", "IEEE 8021QAZ PFC TLV:\n PFC enabled: 3,4", "config.pfc.priorities", (3, 4)),
    (
        "niccli -dev 1 get_dscp2prio",
        "dscp2prio mapping:\n priority:3  dscp: 24,26",
        "config.classification.trust",
        "dscp",
    ),
    ("niccli -dev 1 dump pri2cos", "Priority   TC   Queue ID\n 3   1   0", "config.queues", None),
    (
        "niccli --list",
        (
            "     BoardId     MAC Address        FwVersion    PCIAddr      Type   Mode\n"
            "  1) BCM57508    84:16:0A:3E:0E:20  224.1.102.0  00:0d:00:01  NIC    PCI"
        ),
        "mac",
        "84:16:0a:3e:0e:20",
    ),
    # Intel
    ("ethtool --show-priv-flags a", "Private flags for a:\nfw-lldp-agent: on", "config.nic.firmware_lldp", True),
    ("ethtool --show-priv-flags a", "Private flags for a:\ndisable-fw-lldp: on", "config.nic.firmware_lldp", False),
    ("cat /sys/kernel/config/irdma/rdmap1/roce_timely_enable", "1", "config.nic.cc_engine", "rtt"),
    ("dcb ets show dev a", "willing on ets-cap 4 cbs off\ntc-tsa 0:ets", "config.nic.dcbx_willing", True),
    ("dcb ets show dev a", "willing on ets-cap 4 cbs off\ntc-tsa 0:ets", "config.nic.max_traffic_classes", 4),
    ("dcb -j dcbx show dev a", '{"lld_managed":true,"ieee":true}', "config.nic.dcbx_mode", "firmware"),
    ("dcb apptrust show dev a", "order dscp pcp", "config.classification.trust", "both"),
    ("dcb -j apptrust show dev a", '{"order":["pcp"]}', "config.classification.trust", "pcp"),
    ("dcb -j app show dev a", '{"dscp_prio":[[26," ",3],[26," ",5]]}', "config.classification.dscp_to_class", None),
    # the kernel's own tools
    ("ethtool -m a", "Cable assembly length : 0.50m", "config.cable_length_m", 0.5),
    ("ethtool -m a", "Length (Copper or Active cable)  : 3m", "config.cable_length_m", 3),
    ("ethtool -m a", "Length (SMF) : 2.00km", "config.cable_length_m", "not known"),
    ("lldptool -ti a", TLVS, "config.nic.dcbx_willing", True),
    ("lldptool -ti a", TLVS, "config.nic.max_pfc_classes", 1),
    ("lldptool -ti a", TLVS, "config.pfc.priorities", (3,)),
    (
        "ibstat",
        "CA 'mlx5_0'\n\tFirmware version: 28.1\n\tPort 1:\n\t\tLink layer: InfiniBand\n\t\tRate: 400",
        "config.nic.link_layer",
        "infiniband",
    ),
    (
        "ibstatus",
        "Infiniband device 'mlx5_0' port 1 status:\n\trate: 100 Gb/sec (4X EDR)\n\tlink_layer: Ethernet",
        "config.ethernet.speed_gbps",
        100,
    ),
    ("cat /sys/class/infiniband/a/ports/1/rate", "400 Gb/sec (4X NDR)", "config.ethernet.speed_gbps", 400),
    ("cat /sys/bus/pci/devices/0000:01:00.0/current_link_speed", "16.0 GT/s PCIe", "config.nic.pcie.speed_gtps", 16),
    ("cat /sys/bus/pci/devices/0000:01:00.0/max_link_width", "16", "config.nic.pcie.max_width", 16),
    ("cat /sys/class/net/a/mtu", "4200", "config.ethernet.mtu_bytes", 4200),
    ("rdma res show", "0: mlx5_0: pd 3 cq 5 qp 4 cm_id 0 mr 0 ctx 0", "rdma.name", "mlx5_0"),
    (
        "devlink dev param show",
        "pci/0000:01:00.0:\n  name enable_iwarp type generic\n    values:\n      cmode runtime value true",
        "config.nic.transport",
        "iwarp",
    ),
    (
        "devlink -j dev param show",
        '{"param":{"pci/0000:01:00.0":[{"name":"enable_roce","type":"generic","values":[{"cmode":"driverinit","value":true}]}]}}',
        "config.nic.transport",
        "roce",
    ),
    ("ethtool -i a", "driver: qede\nbus-info: 0000:01:00.0", "config.nic.vendor", "Marvell"),
    ("cat /sys/class/infiniband/a/ports/1/link_layer", "InfiniBand", "config.nic.transport", "infiniband"),
    # AMD
    (
        "nicctl show port --json",
        (
            '{"nic":[{"id":"4242","port":[{"spec":{"id":"0490","name":"eth1/1","speed":"400G","admin_state":"down",'
            '"mtu":"9216","pause_type":"link","tx_pause":"enabled","rx_pause":"disabled"},"status":{}}]}]}'
        ),
        "config.pause.tx",
        True,
    ),
    (
        "nicctl show dcqcn --json",
        (
            '{"nic":[{"id":"42","pcie_bdf":"0000:06:00.0","lif":[{"roce_device":"ionic_0","status":"Disabled",'
            '"dscp_value_used_for_cnp":"46"}]}]}'
        ),
        "config.nic.cnp_dscp",
        46,
    ),
    (
        "nicctl show qos -c 42424650-4c32-3533",
        "NIC : x (0000:06:00.0)\n PFC no-drop priorities : 3",
        "config.pfc.priorities",
        (3,),
    ),
    (
        "nicctl show qos --json",
        (
            '{"nic":[{"pcie_bdf":"0000:06:00.0","port":[{"classification_type":"DSCP","dscp_to_priority":[{"dscp":"24",'
            '"priority":"3"}],"pfc":{"pfc_no_drop_priorities":"3"}}]}]}'
        ),
        "config.pfc.priorities",
        (3,),
    ),
    ("nicctl show pcie ats", "NIC : 1111111-4c32-3533 (0000:06:00.0) : Enabled", "config.nic.pcie.ats", True),
]


def at(device: Device, path: str) -> object:
    """Return the value at *path* of the only port, without its proofs."""
    (port,) = device.ports
    return bare(value_of(attrgetter(path)(port)))


def bare(value: object) -> object:
    """Return *value*, of values by name without their proofs."""
    if isinstance(value, Mapping) and all(isinstance(known, Known) for known in value.values()):
        return {name: known.value for name, known in value.items()}
    return value


@pytest.mark.parametrize(
    ("command", "output", "path", "value"), VALUES, ids=[f"{n} {row[0][:40]}" for n, row in enumerate(VALUES)]
)
def test_values(host: Host, command: str, output: str, path: str, value: object) -> None:
    device = host({command: output})
    found = at(device, path)
    if value == "not known":
        assert found is None
    else:
        assert found is not None
        assert value is None or found == value
    assert [doubt for doubt in device.doubts if not doubt.understood] == []


def test_a_code_point_with_two_priorities_is_told(host: Host) -> None:
    (doubt,) = host({"dcb -j app show dev a": '{"dscp_prio":[[26," ",3],[26," ",5]]}'}).doubts
    assert (doubt.text, doubt.understood) == ("DSCP 26 -> 3,5", True)


@pytest.mark.parametrize(
    ("command", "output", "word"),
    [
        (f"cat {BNXT}/roce_dscp", "26", "0x"),  # no file of configfs prints a bare decimal
        (f"cat {BNXT}/cnp_dscp", "0x48", "63"),
        ("cat /sys/kernel/debug/bnxt_re/a/cc_config/tos_dscp", "64", "63"),
        (f"cat {BNXT}/apply", "cnp dscp : 64", "63"),
        ("mlxconfig -d a q", HEAD.format("Next Boot", "CNP_DSCP_P1 64"), "range"),
        ("niccli -dev 1 get_dscp2prio", "priority:3  dscp: 64", "DSCP"),
        ("cma_roce_mode -d a", "RoCE v3", "RoCE v2"),
        ("nicctl show pcie ats", "NIC : 1111111-4c32-3533 (0000:06:00.0) : Perhaps", "Enabled"),
        ("cat /sys/kernel/config/irdma/a/roce_dcqcn_enable", "perhaps", "0 or 1"),
        ("dcb -j pfc show dev a", '{"prio_pfc":[true', "JSON"),
        ("devlink -j dev param show", '{"param":', "JSON"),
        ("nicctl show qos --json", '{"nic":', "JSON"),
    ],
)
def test_doubts(host: Host, command: str, output: str, word: str) -> None:
    (doubt,) = host({command: output}).doubts
    assert word in doubt.why


def test_a_bare_hexadecimal_zero_is_no_doubt(host: Host) -> None:
    assert host({f"cat {BNXT}/cnp_dscp": "0"}).doubts == ()


def test_what_is_requested_of_broadcom_and_what_runs_are_two_values(host: Host) -> None:
    device = host({f"cat {BNXT}/roce_dscp": "0x26", f"cat {BNXT}/apply": "roce dscp : 26\nroce prio : 3"})
    nic = device.ports[0].config.nic
    assert nic is not None
    assert value_of(nic.roce_dscp) == 26
    assert bare(value_of(nic.requested)) == {"roce_dscp": "38"}


@pytest.mark.parametrize(("word", "mode"), [("DCQCN-D", 0), ("DCQCN-P", 1), ("TCP", 1), ("Invalid", None)])
def test_the_mode_of_congestion_control_of_broadcom_that_runs(host: Host, word: str, mode: int | None) -> None:
    applied = f"ecn status\t\t\t\t: Enabled\ncongestion control mode\t\t\t: {word}\nfast recovery rtt\t\t\t: 0x5 rtts"
    device = host({f"cat {BNXT}/apply": applied})
    assert device.doubts == ()
    assert device.ports[0].config.nic is not None
    parameters = bare(device.ports[0].config.nic.dcqcn.known().value)
    assert parameters == {"fast recovery rtt": 5} | ({} if mode is None else {"cc_mode": mode})


IRDMA = "/sys/module/irdma/parameters"
OVERRIDES = "/sys/kernel/config/irdma/rocep1"


@pytest.mark.parametrize(
    ("driver", "others", "engine", "reacts"),
    [
        ("ice", {f"cat {IRDMA}/dcqcn_enable": "Y"}, "dcqcn", tuple(range(8))),
        ("ice", {f"cat {IRDMA}/dcqcn_enable": "N"}, None, None),
        ("i40e", {}, None, None),
        ("ice", {f"cat {OVERRIDES}/roce_timely_enable": "1"}, "rtt", None),
        ("ice", {f"cat {OVERRIDES}/roce_dcqcn_enable": "0"}, None, ()),
        ("ice", {"ibv_devinfo": "hca_id: rocep1\n transport: iWARP (1)\n port: 1\n link_layer: Ethernet"}, None, None),
    ],
)
def test_dcqcn_that_the_module_of_intel_enables(
    host: Host, driver: str, others: dict[str, str], engine: str | None, reacts: tuple[int, ...] | None
) -> None:
    link = '[{"ifname":"rocep1","port":1,"state":"ACTIVE","netdev":"a"}]'
    outputs = {"rdma -j link": link, "ethtool -i a": f"driver: {driver}", f"cat {IRDMA}/dcqcn_enable": "Y"}
    (port,) = host(outputs | others).ports
    assert port.config.nic is not None
    assert value_of(port.config.nic.cc_engine) == engine
    assert value_of(list_running_priorities(port.config.nic.dcqcn_rp)) == reacts


@pytest.mark.parametrize(("word", "waiting"), [("DCQCN-D", {"cc_mode": "1"}), ("DCQCN-P", {})])
def test_a_mode_of_congestion_control_that_waits_for_apply(host: Host, word: str, waiting: dict[str, str]) -> None:
    device = host({f"cat {BNXT}/cc_mode": "0x1", f"cat {BNXT}/apply": f"congestion control mode : {word}"})
    assert device.ports[0].config.nic is not None
    assert bare(value_of(device.ports[0].config.nic.requested)) == waiting


def test_what_lldpad_was_told_and_what_the_kernel_does_are_two_values(host: Host) -> None:
    pfc = "prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off"
    device = host({"lldptool -ti a": TLVS, "dcb pfc show dev a": pfc})
    (port,) = device.ports
    assert value_of(port.config.pfc.priorities) == ()
    assert port.config.nic is not None
    assert bare(value_of(port.config.nic.requested)) == {"pfc_priorities": "3"}
    assert device.host is not None
    assert device.host.services.known().value["lldpad"].value == "active"


def test_a_pause_that_was_asked_for_and_not_agreed(host: Host) -> None:
    text = "Pause parameters for a:\nAutonegotiate: on\nRX: on\nTX: on\nRX negotiated: off\nTX negotiated: off"
    (port,) = host({"ethtool -a a": text}).ports
    assert (value_of(port.config.pause.rx), value_of(port.config.pause.tx)) == (False, False)
    assert port.config.nic is not None
    assert bare(value_of(port.config.nic.requested)) == {"pause_rx": "on", "pause_tx": "on"}


def test_tlvs_that_nobody_asked_for_are_nobodys(host: Host) -> None:
    device = host({"": TLVS})
    assert device.ports == ()
    assert "lldptool" in device.doubts[0].why


def test_disabled_dcqcn_of_amd_does_not_react_and_may_still_notify(host: Host) -> None:
    text = "NIC : 4242 (0000:06:00.0)\nROCE device : ionic_0\n  Status : Disabled"
    nic = host({"nicctl show dcqcn": text}).ports[0].config.nic
    assert nic is not None
    assert value_of(list_running_priorities(nic.dcqcn_rp)) == ()
    assert value_of(nic.dcqcn_np) is None


def test_ports_of_amd_cards_with_one_name_are_several(host: Host) -> None:
    text = "\n".join(
        f"NIC : 4242 (0000:0{n}:00.0)\nPort : 0490-00001101000{n} (eth1/1)\n  Spec:\n    speed : 400G" for n in range(8)
    )
    assert len(host({"nicctl show port": text}).ports) == 8


def test_acs_of_a_bridge_and_of_no_nic(host: Host) -> None:
    text = (
        "16:01.0 PCI bridge: Broadcom / LSI PEX890xx (rev b0)\n\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ "
        "UpstreamFwd+ EgressCtrl- DirectTrans-\n17:01.0 PCI bridge: Broadcom / LSI\n\t\tACSCtl:\tSrcValid- TransBlk- "
        "ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-\n18:00.0 VGA compatible controller: ASPEED"
    )
    device = host({"lspci -vvv": text})
    assert device.host is not None
    acs = {pci: known.value for pci, known in device.host.acs.known().value.items()}
    assert acs == {"0000:16:01.0": True, "0000:17:01.0": False}
    assert device.ports == ()


def test_an_ethernet_controller_without_rdma_is_no_port_beside_those_with(host: Host) -> None:
    text = (
        "01:00.0 Ethernet controller: Intel Corporation I350\n4d:00.0 Ethernet controller: Mellanox Technologies MT2910"
    )
    device = host(
        {
            "lspci": text,
            "ethtool -i ens1": "driver: mlx5_core\nbus-info: 0000:4d:00.0",
            "rdma link": "link mlx5_0/1 state ACTIVE netdev ens1",
        }
    )
    assert [port.name for port in device.ports] == ["ens1"]


VFS = """4d:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\tCapabilities: [180 v1] Single Root I/O Virtualization (SR-IOV)
\t\tInitial VFs: 2, Total VFs: 2, Number of VFs: 2, Function Dependency Link: 00
\t\tVF offset: 2, stride: 1, Device ID: 101e
4d:00.2 Ethernet controller: Mellanox Technologies ConnectX Family mlx5Gen Virtual Function"""


def test_a_virtual_function_takes_over_what_its_parent_shows(host: Host) -> None:
    device = host(
        {
            "lspci -vvv": VFS,
            "ethtool -i pf": "driver: mlx5_core\nbus-info: 0000:4d:00.0",
            "ethtool -i vf": "driver: mlx5_core\nbus-info: 0000:4d:00.2",
            "mlnx_qos -i pf": "Priority trust state: dscp\nPFC configuration:\n\tpriority 0 1 2 3 4 5 6 7\n"
            "\tenabled 0 0 0 1 0 0 0 0",
            "ip link": "2: pf: <UP> mtu 9000 qdisc mq\n3: vf: <UP> mtu 1500 qdisc mq",
        }
    )
    by_name = {port.name: port for port in device.ports}
    virtual = by_name["vf"]
    assert value_of(virtual.parent) == "pf"
    assert virtual.config.nic is not None
    assert value_of(virtual.config.nic.function) is Function.VF
    assert value_of(virtual.config.pfc.priorities) == (3,)
    assert value_of(virtual.config.classification.trust) == "dscp"
    assert value_of(virtual.config.ethernet.mtu_bytes) == 1500
    assert value_of(by_name["pf"].parent) is None


def test_a_virtual_function_is_known_by_the_address_its_parent_gave_it(host: Host) -> None:
    links = [
        {"ifname": "pf", "flags": ["UP"], "mtu": 9000, "link_type": "ether", "address": "02:00:00:00:00:01"},
        {"ifname": "vf", "flags": ["UP"], "mtu": 9000, "link_type": "ether", "address": "02:00:00:00:00:99"},
    ]
    links[0]["vfinfo_list"] = [{"vf": 0, "address": "02:00:00:00:00:99"}, {"vf": 1, "address": "00:00:00:00:00:00"}]
    device = host(
        {
            "ip -j -d link": json.dumps(links),
            "rdma link": "link mlx5_0/1 state ACTIVE netdev pf\nlink mlx5_1/1 state ACTIVE netdev vf",
        }
    )
    assert {port.name: value_of(port.parent) for port in device.ports} == {"pf": None, "vf": "pf"}


def test_members_of_a_bond_keep_their_own_addresses(host: Host) -> None:
    bond = """Ethernet Channel Bonding Driver: v5.15
Bonding Mode: IEEE 802.3ad Dynamic link aggregation
Slave Interface: ens1f0
MII Status: up
Permanent HW addr: 02:00:00:00:00:01
Slave Interface: ens1f1
Permanent HW addr: 02:00:00:00:00:02"""
    device = host(
        {
            "cat /proc/net/bonding/bond0": bond,
            "ibdev2netdev": "mlx5_bond_0 port 1 ==> bond0 (Up)",
            "mlnx_qos -i ens1f0": "Priority trust state: dscp",
        }
    )
    ports = {port.name: port for port in device.ports}
    assert set(ports) == {"bond0", "ens1f0", "ens1f1"}
    assert {name: value_of(port.lag) for name, port in ports.items() if port.name != "bond0"} == {
        "ens1f0": "bond0",
        "ens1f1": "bond0",
    }
    assert {value_of(ports[name].mac) for name in ("ens1f0", "ens1f1")} == {"02:00:00:00:00:01", "02:00:00:00:00:02"}
    assert all(p.config.nic and value_of(p.rdma.name) == "mlx5_bond_0" for p in ports.values())
    assert device.host is not None
    assert device.host.bonds.known().value["bond0"].value.startswith("IEEE 802.3ad")


def test_a_gid_table_out_of_files(host: Host) -> None:
    base = "/sys/class/infiniband/mlx5_0/ports/1"
    lines = [
        f"{base}/gids/0:fe80:0000:0000:0000:0000:00ff:fe00:0001",
        f"{base}/gids/1:0000:0000:0000:0000:0000:ffff:0a00:0001",
        f"{base}/gids/2:0000:0000:0000:0000:0000:0000:0000:0000",
        f"{base}/gid_attrs/types/0:IB/RoCE v1",
        f"{base}/gid_attrs/types/1:RoCE v2",
        f"{base}/gid_attrs/ndevs/1:ens1",
    ]
    (port,) = host({f"grep . {base}/gids/*": "\n".join(lines)}).ports
    assert port.name == "ens1"
    assert port.config.nic is not None
    gids = port.rdma.gids.known().value
    assert [(gid.index, gid.type, gid.netdev) for gid in gids] == [(0, "v1", None), (1, "v2", "ens1")]


def test_secrets_of_a_kernel_command_line_are_not_kept(host: Host) -> None:
    device = host({"cat /proc/cmdline": "BOOT_IMAGE=/vmlinuz iommu=pt ipmi_password=hunter2 pci=bfsort"})
    assert "hunter2" not in repr(device)
    assert device.host is not None
    assert set(device.host.kernel_parameters.known().value) == {"iommu", "pci"}


def test_what_a_job_is_started_with(host: Host) -> None:
    device = host({"cat /etc/nccl.conf": "NCCL_IB_TC=106\nNCCL_IB_HCA==mlx5_0\nSECRET_TOKEN=abc\nexport UCX_IB_SL='3'"})
    assert device.host is not None
    kept = {name: known.value for name, known in device.host.environment.known().value.items()}
    assert kept == {"NCCL_IB_TC": "106", "NCCL_IB_HCA": "=mlx5_0", "UCX_IB_SL": "3"}
    assert "abc" not in repr(device)


def test_windows() -> None:
    lines = """Name                       : SLOT 3
Enabled                    : True
Capabilities               :                       Hardware     Current
                             NumTCs(Max/ETS/PFC) : 8/8/8        3/3/1
OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                              0 ETS    50%       0-2,4,6-7
                              1 ETS    48%       3
                              2 Strict           5
OperationalFlowControl     : Priority 3 Enabled
OperationalClassifications : Protocol  Port/Type Priority"""
    capture = Capture("x.txt", tuple(lines.splitlines()))
    assert (systems()["linux"].recognise(capture), systems()["windows"].recognise(capture)) == (
        None,
        "Get-NetAdapterQos",
    )
    device = systems()["windows"].parse("win", "x.txt", [capture])
    (port,) = device.ports
    assert (device.os, port.name, value_of(port.config.pfc.priorities)) == ("windows", "SLOT 3", (3,))
    queues = port.config.queues.known().value
    assert [value_of(queue.priorities) for queue in queues] == [(0, 1, 2, 4, 6, 7), (3,), (5,)]
    assert [value_of(queue.scheduler) for queue in queues] == ["dwrr", "dwrr", "strict"]
    assert port.config.nic is not None
    assert (value_of(port.config.nic.max_traffic_classes), value_of(port.config.nic.max_pfc_classes)) == (3, 1)


@pytest.mark.parametrize(
    ("lines", "priority"),
    [
        (("Default             0", "NetDirect 445       3", "TCP/UDP   3343      7"), 3),
        (("Default             0", "TCP/UDP   445       3"), 0),
        (("NetDirect 445       3", "NetDirect 5445      4"), None),
        (("NetDirect 445       3", "NetDirect 5445      3"), 3),
        (("TCP/UDP   445       3",), None),
        ((), None),
    ],
)
def test_windows_sends_rdma_by_the_priority_of_netdirect_or_of_the_rest(
    lines: tuple[str, ...], priority: int | None
) -> None:
    head = ("Name : SLOT 3", "OperationalFlowControl : Priority 3 Enabled", "OperationalClassifications : Protocol")
    (found,) = systems()["windows"].parse("win", "x.txt", [Capture("x.txt", head + lines)]).ports
    assert found.config.nic is not None
    assert value_of(found.config.nic.roce_priority) == priority


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rx_prio5_pause", (CounterKind.PFC_RECEIVED, 5)),
        ("tx_pfc_ena_frames_pri7", (CounterKind.PFC_SENT, 7)),
        ("port.rx_priority_1_xoff", (CounterKind.PFC_RECEIVED, 1)),
        ("np_cnp_sent", (CounterKind.CNP_SENT, None)),
        ("roce_adp_retrans_to", (CounterKind.ADAPTIVE_RETRANSMISSION, None)),
        ("rx_bytes", None),
    ],
)
def test_meaning_of_counters(name: str, expected: object) -> None:
    assert identify_counter(name) == expected


def test_counters_of_the_whole_port_are_told_from_those_per_priority() -> None:
    names = ("rx_prio3_pause", "rx_prio4_pause", "rx_pfc_frames", "rx_global_pause", "rx_pause_frames")
    counters = {name: Known(1, Origin.LEARNED) for name in names}

    def found(count: CounterKind, numbers: Collection[int] | None = None) -> list[str]:
        return [each.name for each in select_counters(counters, count, numbers)]

    assert found(CounterKind.PFC_RECEIVED) == ["rx_pfc_frames"]
    assert found(CounterKind.PFC_RECEIVED, {3, 4}) == ["rx_prio3_pause", "rx_prio4_pause"]
    assert found(CounterKind.PFC_RECEIVED, {5}) == []
    assert found(CounterKind.PAUSE_RECEIVED) == ["rx_global_pause", "rx_pause_frames"]
    assert select_counters(None, CounterKind.PAUSE_SENT) == ()


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("grep -rh -e NCCL_ -e UCX_ /etc/enroot/environ.d/", "NCCL_IB_TC=106"),
        ("cat /etc/enroot/environ.d/50-nccl.env", "export NCCL_IB_TC=106"),
        ("cat /etc/slurm/task_prolog.sh", 'echo "export NCCL_IB_TC=106"'),
        ("cat /etc/slurm/task_prolog.sh", "print NCCL_IB_TC=106"),
    ],
)
def test_what_prepares_jobs_says_what_they_ask_for(host: Host, command: str, line: str) -> None:
    device = host({command: line})
    environment = (value_of(device.host.environment) if device.host else None) or {}
    assert {name: known.value for name, known in environment.items()} == {"NCCL_IB_TC": "106"}


MLNX_QOS = """DCBX mode: OS controlled
Priority trust state: pcp
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   0   0   0   0   0
"""
MLXCONFIG = """Device #1:
----------
Device type:    BlueField3
Configurations:                              Default         Current         Next Boot
        INTERNAL_CPU_MODEL                          EMBEDDED_CPU(1)  EMBEDDED_CPU(1)  EMBEDDED_CPU(1)
        INTERNAL_CPU_OFFLOAD_ENGINE                 {0}  {0}  {0}
"""
UPLINK = '[{"ifname": "ens1", "link_type": "ether", "mtu": 9000}]'
REPRESENTED = '[{"ifname": "ens1", "link_type": "ether"}, {"ifname": "pf0hpf", "link_type": "ether"}]'


@pytest.mark.parametrize(
    ("engine", "links", "is_known"),
    [
        ("ENABLED(0)", UPLINK, False),
        ("DISABLED(1)", UPLINK, True),
        ("ENABLED(0)", REPRESENTED, True),
    ],
    ids=["in DPU mode the host does not decide", "in NIC mode it does", "the Arm side does"],
)
def test_a_bluefield_in_dpu_mode_hides_its_quality_of_service(
    host: Host, engine: str, links: str, *, is_known: bool
) -> None:
    device = host(
        {
            "ip -j -d link": links,
            "ibdev2netdev": "mlx5_0 port 1 ==> ens1 (Up)",
            "mlnx_qos -i ens1": MLNX_QOS,
            "ethtool -i ens1": "driver: mlx5_core\nbus-info: 0000:1b:00.0",
            "mlxconfig -d 0000:1b:00.0 -e q": MLXCONFIG.format(engine),
        }
    )
    port = device.port("ens1")
    assert port is not None
    assert port.config.nic is not None
    assert value_of(port.config.nic.arm_owned) is engine.startswith("E")
    for setting in (port.config.pfc.mode, port.config.classification.trust):
        assert isinstance(setting, Known) is is_known
    assert value_of(port.rdma.name) == "mlx5_0"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (
            "devlink dev eswitch show pci/0000:1b:00.0",
            "pci/0000:1b:00.0: mode switchdev inline-mode none encap-mode basic",
        ),
        ("devlink -j dev eswitch show", '{"dev": {"pci/0000:1b:00.0": {"mode": "switchdev", "inline-mode": "none"}}}'),
    ],
)
def test_devlink_says_how_a_nic_forwards_for_its_functions(host: Host, command: str, output: str) -> None:
    links = (
        "2: ens1: <UP> mtu 9000 qdisc mq state UP\n    link/ether 0c:42:a1:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
        "    vf 0     link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff, spoof checking off\n"
    )
    device = host(
        {"ip -d link": links, "ethtool -i ens1": "driver: mlx5_core\nbus-info: 0000:1b:00.0", command: output}
    )
    port = device.port("ens1")
    assert port is not None
    assert port.config.nic is not None
    assert (value_of(port.config.nic.virtual_functions), value_of(port.config.nic.eswitch_mode)) == (1, "switchdev")
