"""How a capture tells which command it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.dump import Capture
from auditor.systems.linux.command import begin_form, compile_form
from auditor.systems.linux.commands import COMMANDS
from auditor.systems.linux.show import recognise

QOS = ("DCBX mode: OS controlled", "Priority trust state: dscp")
CASES = [
    ("what was run", "x.txt", "sudo LC_ALL=C /usr/bin/mlnx_qos -i ens1f0 2>/dev/null", (), "mlnx_qos -i ens1f0"),
    ("a pipe", "x.txt", "ethtool -S ens1 | grep prio3", (), "ethtool -S ens1"),
    ("a time limit", "x.txt", "timeout 10 rdma -j link", (), "rdma -j link"),
    ("content without an argument", "a.txt", "", QOS, "mlnx_qos"),
    ("content whose command needs one", "a.txt", "", ("Command:  Get Config",), "dcbtool gc NETDEV FEATURE"),
    ("content and name", "mlnx_qos_-i_ens1f0.txt", "", QOS, "mlnx_qos -i ens1f0"),
    ("content and a looser name", "mlnx_qos__ens1f0.txt", "", QOS, "mlnx_qos -i ens1f0"),
    ("name alone", "dir/mlnx_qos_-i_ens1f0.txt", "", (), "mlnx_qos -i ens1f0"),
    ("name of a card", "mlxconfig_-d_0000_4d_00.0_-e_q.txt", "", (), "mlxconfig -d 0000:4d:00.0 -e q"),
    ("name of an MST path", "mlxlink_-d_dev_mst_mt4129_pciconf0.txt", "", (), "mlxlink -d /dev/mst/mt4129_pciconf0"),
    ("name of a device", "cma_roce_tos_-d_mlx5_0.txt", "", (), "cma_roce_tos -d mlx5_0"),
    ("name of options", "ip_-j_-d_link.txt", "", (), "ip -j -d link"),
    (
        "name of a register",
        "mlxreg_-d_01_00.0_--reg_name_ROCE_ACCL_--get.txt",
        "",
        (),
        "mlxreg -d 0000:01:00.0 --reg_name ROCE_ACCL --get",
    ),
    (
        "name of a file",
        "cat_sys_class_net_ens1f0_ecn_roce_np_cnp_dscp.txt",
        "",
        ("48",),
        "cat /sys/class/net/ens1f0/ecn/roce_np/cnp_dscp",
    ),
    (
        "name of a file of a device",
        "cat_sys_class_infiniband_mlx5_0_tc_1_traffic_class.txt",
        "",
        (),
        "cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    ),
    (
        "name of one switch",
        "cat_sys_class_net_ens1f0_ecn_roce_np_enable_3.txt",
        "",
        (),
        "cat /sys/class/net/ens1f0/ecn/roce_np/enable/3",
    ),
    (
        "name of a PCI function's files",
        "cat_sys_kernel_debug_mlx5_0000_4d_00.0_cc_params_rp_ai_rate.txt",
        "",
        (),
        "cat /sys/kernel/debug/mlx5/0000:4d:00.0/cc_params/rp_ai_rate",
    ),
    ("content of gids", "x", "", ("DEV     PORT    INDEX   GID  IPv4 VER DEV",), "show_gids"),
    ("content of netdevs", "x", "", ("mlx5_0 port 1 ==> ens1 (Up)",), "ibdev2netdev"),
    ("content of links", "x", "", ("link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev a",), "rdma link"),
    ("content of counters", "x", "", ("link mlx5_0/1 rx_write_requests 1",), "rdma statistic"),
    ("content of pause", "x", "", ("Pause parameters for ens1:",), "ethtool -a"),
    ("name of a tool's index", "niccli_-dev_1_getqos.txt", "", (), "niccli -dev 1 getqos"),
    ("name of a bond", "cat_proc_net_bonding_bond0.txt", "", (), "cat proc net bonding bond0"),
    (
        "name of a file of Broadcom",
        "cat_sys_kernel_config_bnxt_re_bnxt_re0_ports_1_cc_cnp_dscp.txt",
        "",
        (),
        "cat /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/cnp_dscp",
    ),
    ("content of module parameters", "x", "", ("/sys/module/irdma/parameters/roce_ena:1",), "grep . /sys"),
    ("content of a bond", "x", "", ("Ethernet Channel Bonding Driver: v5",), "cat /proc/net/bonding/BOND"),
    (
        "content of applied settings",
        "x",
        "",
        ("ecn status\t\t\t: Enabled",),
        "cat /sys/kernel/config/bnxt_re/*/ports/*/cc/apply",
    ),
    ("content of a job", "x.sh", "", ("export NCCL_IB_TC=106",), "NCCL configuration"),
    ("content of TLVs that nobody asked for", "x", "", ("Chassis ID TLV",), "lldptool"),
    ("whose TLVs, by name", "lldptool_-ti_ens1.txt", "", ("Chassis ID TLV",), "lldptool -ti ens1"),
    ("whose TLVs, by a looser name", "lldptool_tni_ens1.txt", "", ("Chassis ID TLV",), "lldptool tni ens1"),
    ("a wrapped tool", "x", "sudo nicctl show dcqcn", (), "nicctl show dcqcn"),
    ("a switch's configuration", "leaf1.cfg", "", ("hostname leaf1", "interface Ethernet1/1"), None),
    ("a switch's command", "leaf1.txt", "show running-config", ("qos trust dscp",), None),
    ("Windows", "x", "Get-NetAdapterQos", ("Name : M1",), None),
]


@pytest.mark.parametrize(
    ("file", "command", "lines", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_recognise(file: str, command: str, lines: tuple[str, ...], expected: str | None) -> None:
    assert recognise(Capture(file, lines, command)) == expected


@given(
    st.sampled_from([each.form for each in COMMANDS]).flatmap(lambda form: st.tuples(st.just(form), from_form(form)))
)
def test_all_that_has_a_form_begins_as_the_form_does(found: tuple[str, str]) -> None:
    form, typed = found
    assert typed.startswith(begin_form(form))


def from_form(form: str) -> st.SearchStrategy[str]:
    return st.from_regex(compile_form(form), fullmatch=True)
