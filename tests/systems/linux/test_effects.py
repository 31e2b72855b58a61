"""What typed commands change in captures of a host, and what they leave alone."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.catalogue import load_rules
from auditor.diagnosis.remedies import list_examples, list_typed
from auditor.model.dump import Capture
from auditor.systems.linux.effects.apply import EFFECTS, list_unstated, type_lines
from auditor.systems.linux.effects.shell import parse_commands
from auditor.systems.linux.effects.undo import undo_lines

QOS = """\
DCBX mode: Firmware controlled
Priority trust state: pcp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,max_buffer_size=4181120
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   0   1   0   0   0
\tbuffer      0   0   0   0   1   0   0   0
tc: 0 ratelimit: unlimited, tsa: vendor
\t priority:  0
\t priority:  3
tc: 1 ratelimit: 40.0 Gbps, tsa: ets, bw: 5%
\t priority:  1""".splitlines()
CONFIG = """\
Device:             0000:1a:00.0
Configurations:                 Default    Current    Next Boot
         LLDP_NB_TX_MODE_P1     OFF(0)     ALL(2)     ALL(2)
         CNP_DSCP_P1            48         48         0""".splitlines()
PCI = """\
19:01.0 PCI bridge: Broadcom / LSI PEX890xx
\t\tACSCtl:\tSrcValid- TransBlk- ReqRedir+ CmpltRedir+
1a:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\t\t\tRlxdOrd- ExtTag+
\t\t\tMaxPayload 512 bytes, MaxReadReq 128 bytes""".splitlines()
BNXT = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
CHANGES = [
    # command of the capture, its lines, lines typed, line before, line after
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --trust dscp", "Priority trust state: pcp", "Priority trust state: dscp"),
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --dcbx=os", "DCBX mode: Firmware controlled", "DCBX mode: OS controlled"),
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --cable_len 30", "Cable len: 7", "Cable len: 30"),
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --pfc 0,0,0,1,0,0,0,0", QOS[9], QOS[9].replace("0   1", "1   0", 1)),
    (
        "mlnx_qos -i r0",
        QOS,
        "mlnx_qos -i r0 --prio2buffer=0,0,0,1,0,0,0,0",
        QOS[10],
        QOS[10].replace("0   1", "1   0", 1),
    ),
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --dscp2prio set,5,3", QOS[3], "\tprio:0 dscp:07,06,04,03,02,01,00,"),
    ("mlnx_qos -i r0", QOS, "mlnx_qos -i r0 --dscp2prio set,5,3", QOS[4], "\tprio:3 dscp:31,30,29,28,27,26,25,24,05,"),
    (
        "mlnx_qos -i r0",
        QOS,
        "mlnx_qos -i r0 -r 0,0,0,0,0,0,0,0",
        QOS[14],
        "tc: 1 ratelimit: unlimited, tsa: ets, bw: 5%",
    ),
    (
        "mlnx_qos -i r0",
        QOS,
        "mlnx_qos -i r0 -s ets,strict,ets,ets,ets,ets,ets,ets -t 60,0,40,0,0,0,0,0",
        QOS[11],
        "tc: 0 ratelimit: unlimited, tsa: ets, bw: 60%",
    ),
    (
        "mlnx_qos -i r0",
        QOS,
        "mlnx_qos -i r0 --buffer_size=20016,163840,0,0,0,0,0,0",
        QOS[5],
        "Receive buffer size (bytes): 20016,163840,0,0,0,0,0,0,max_buffer_size=4181120",
    ),
    (
        "mlxconfig -d 1a:00.0 -e q",
        CONFIG,
        "mlxconfig -d 0000:1a:00.0 -y set CNP_DSCP_P1=48",
        CONFIG[3],
        "         CNP_DSCP_P1            48  48  48",
    ),
    (
        "mlxconfig -d 1a:00.0 -e q",
        CONFIG,
        "mlxconfig -d 1a:00.0 set LLDP_NB_TX_MODE_P1=0",
        CONFIG[2],
        "         LLDP_NB_TX_MODE_P1     OFF(0)  ALL(2)  OFF(0)",
    ),
    (
        "mlxconfig -d 1a:00.0 -e q",
        CONFIG,
        "mlxfwreset -d 1a:00.0 reset",
        CONFIG[3],
        "         CNP_DSCP_P1            48  0  0",
    ),
    ("lspci -vvv", PCI, "setpci -s 1a:00.0 CAP_EXP+8.w=0010:0010", PCI[3], "\t\t\tRlxdOrd+ ExtTag+"),
    ("lspci -vvv", PCI, "setpci -s 1a:00.0 CAP_EXP+8.w=5000:7000", PCI[4], PCI[4].replace("Req 128", "Req 4096")),
    ("lspci -vvv", PCI, "for b in 19:01.0; do setpci -s $b ECAP_ACS+6.w=0000; done", PCI[1], PCI[1].replace("+", "-")),
    (
        "ip -d link",
        ["2: r0: <UP> mtu 1500 qdisc mq"],
        "ip link set dev r0 mtu 9000",
        None,
        "2: r0: <UP> mtu 9000 qdisc mq",
    ),
    ("ip -j link", ['[{"ifindex":2,"ifname":"r0","flags":[],"mtu":1500}]'], "ip link set r0 mtu 9000", "1500", "9000"),
    ("ethtool -a r0", ["Pause parameters for r0:", "RX:\ton"], "ethtool -A r0 rx off", "RX:\ton", "RX:\toff"),
    ("ethtool --show-fec r0", ["Active FEC encoding: Off"], "ethtool --set-fec r0 encoding rs", "Off", "RS"),
    (
        "systemctl is-active lldpad lldpd",
        ["active", "active"],
        "systemctl disable --now lldpad.socket lldpad.service",
        "active",
        "inactive",
    ),
    (
        "cat /proc/modules",
        ["ib_core 8 1 - Live 0x0"],
        "modprobe nvidia_peermem",
        None,
        "nvidia_peermem 16384 0 - Live 0x0000000000000000",
    ),
    (
        "cat /etc/nccl.conf",
        ["NCCL_IB_TC=0"],
        "sed -i 's/^NCCL_IB_TC=.*/NCCL_IB_TC=106/' /etc/nccl.conf",
        "NCCL_IB_TC=0",
        "NCCL_IB_TC=106",
    ),
    (
        "cat /etc/nccl.conf",
        ["NCCL_DEBUG=INFO"],
        "echo NCCL_IB_TC=106 >> /etc/nccl.conf   # DSCP * 4",
        None,
        "NCCL_IB_TC=106",
    ),
    (
        "cat /sys/class/infiniband/m/tc/1/traffic_class",
        [],
        "echo 106 > /sys/class/infiniband/m/tc/1/traffic_class",
        None,
        "Global tclass=106",
    ),
    (
        "grep -r . /sys/class/net/r0/ecn/",
        ["/sys/class/net/r0/ecn/roce_np/cnp_dscp:46"],
        "echo 48 > /sys/class/net/r0/ecn/roce_np/cnp_dscp",
        ":46",
        ":48",
    ),
    ("cma_roce_mode -d m -p 1", ["IB/RoCE v1"], "cma_roce_mode -d m -p 1 -m 2", "IB/RoCE v1", "RoCE v2"),
]


@pytest.mark.parametrize(("command", "lines", "typed", "before", "after"), CHANGES)
def test_a_command_changes_the_lines_that_show_it_and_no_others(
    command: str, lines: list[str], typed: str, before: str | None, after: str
) -> None:
    found = type_lines([typed], [Capture("host1.txt", tuple(lines), command)])
    assert found is not None
    (capture,) = found
    text = "\n".join(capture.lines)
    assert after in text
    assert before is None or "\n".join(lines).count(before) > text.count(before) or before in after
    kept = [line for line in capture.lines if line in lines]
    assert len(kept) >= len(lines) - 2


def test_firmware_keeps_its_buffers_in_step_with_pfc_and_leaves_those_set_by_hand() -> None:
    by_hand = [*QOS[:10], QOS[10].replace("1", "0"), *QOS[11:]]
    for lines, is_moved in ((QOS, True), (by_hand, False)):
        found = type_lines(["mlnx_qos -i r0 --pfc 0,0,0,1,0,0,0,0"], [Capture("a", tuple(lines), "mlnx_qos -i r0")])
        assert found is not None
        assert (found[0].lines[10].split()[4] == "1") is is_moved


def test_broadcoms_driver_takes_hexadecimal_numbers_once_they_are_applied() -> None:
    apply = Capture("a", ("roce dscp\t\t\t: 24", "cnp dscp\t\t\t: 46"), f"cat {BNXT}/apply")
    assert type_lines([f"printf 0x1a > {BNXT}/roce_dscp"], [apply]) is None
    found = type_lines([f"printf 0x1a > {BNXT}/roce_dscp", f"printf 1 > {BNXT}/apply"], [apply])
    assert found is not None
    assert found[0].lines == ("roce dscp\t\t\t: 26", "cnp dscp\t\t\t: 46")


def test_a_buffer_that_the_port_does_not_have_is_refused() -> None:
    lines = "mlnx_qos -i r0 --buffer_size=20016,5000000,0,0,0,0,0,0"
    assert type_lines([lines], [Capture("a", tuple(QOS), "mlnx_qos -i r0")]) is None


def test_a_larger_mtu_gives_the_rdma_device_a_larger_path_mtu() -> None:
    captures = [
        Capture("a", ("2: r0: <UP> mtu 1500",), "ip -d link"),
        Capture("a", ("m1 port 1 ==> r0 (Up)", "m2 port 1 ==> r1 (Up)"), "ibdev2netdev"),
        Capture("a", ("hca_id: m1", " active_mtu: 1024 (3)", "hca_id: m2", " active_mtu: 1024 (3)"), "ibv_devinfo"),
    ]
    found = type_lines(["ip link set dev r0 mtu 9000"], captures)
    assert found is not None
    assert found[2].lines == ("hca_id: m1", " active_mtu: 4096 (5)", "hca_id: m2", " active_mtu: 1024 (3)")


@pytest.mark.parametrize("command", list(dict.fromkeys(each[0] for each in CHANGES)))
def test_another_port_or_host_stays_as_it_is(command: str) -> None:
    """No capture of another subject takes what was meant for the first one."""
    typed = next(each[2] for each in CHANGES if each[0] == command)
    other = command.replace("r0", "r9").replace("1a:00", "9a:00").replace("/m/", "/m9/").replace("-d m ", "-d m9 ")
    if other != command:
        lines = next(each[1] for each in CHANGES if each[0] == command)
        shown = [line.replace("r0", "r9").replace("1a:00", "9a:00") for line in lines]
        assert type_lines([typed], [Capture("a", tuple(shown), other)]) is None


@pytest.mark.parametrize(
    "line", ["rm -rf /", "echo $(id) > /sys/a", "cat a | sh", "echo 1 > a; reboot", "ip link del r0", ""]
)
def test_a_command_of_unknown_effect_is_refused(line: str) -> None:
    assert type_lines([line], [Capture("a", ("2: r0: <UP> mtu 1500",), "ip -d link")]) is None


SPOILS = ("", "(", "[a", "*", "\\", "dev", "=", "1", ",", "set,", "\x1b")


def list_spoilt(typed: str) -> Iterator[str]:
    """Yield a command cut at each word, with a wrong word there, with one in place of a word, and in a path."""
    words = typed.split(" ")
    for number, word in product(range(len(words) + 1), SPOILS):
        yield " ".join([*words[:number], *filter(None, [word])])
        yield " ".join([*words[:number], word, *words[number + 1 :]])
        yield typed.replace("/", f"/{word}", number)


@pytest.mark.parametrize(("command", "lines", "typed"), [change[:3] for change in CHANGES])
def test_a_command_that_is_cut_or_spoilt_is_taken_back_or_not_at_all(
    command: str, lines: list[str], typed: str
) -> None:
    """Whatever is typed, nothing is raised, and what is told to take it back can be typed."""
    captures = (Capture("host1.txt", tuple(lines), command),)
    for spoilt in dict.fromkeys(list_spoilt(typed)):
        back = undo_lines([spoilt], captures)
        after = type_lines([spoilt], captures)
        assert back is None or (after is not None and type_lines(back, after) is not None), spoilt


UNTOLD = frozenset({"dcb", "niccli", "nicctl", "mlxreg", "devlink", "sysctl", "nmcli"})
"""Tools of remedies whose effect on captures is not stated: what they clear is not simulated."""


def test_each_tool_of_a_remedy_is_known_or_known_to_be_untold() -> None:
    typed = [
        line
        for rule in load_rules()
        for key, text in list_examples(rule.file)
        if key.startswith("linux") and not {key, "linux"} & rule.file.untried.keys()
        for line in list_typed(text)
    ]
    assert {line for line in list_unstated(typed) if line.split()[0] not in UNTOLD} == set()
    assert not UNTOLD & EFFECTS.keys()


@given(st.text(max_size=60), st.sampled_from([each[:3] for each in CHANGES]))
def test_no_text_that_is_typed_breaks_anything(tail: str, case: tuple[str, list[str], str]) -> None:
    command, lines, typed = case
    parse_commands(tail)
    type_lines(
        [f"{typed}{tail}", tail], [Capture("a", tuple(lines), command), Capture("a", (tail,), f"{command}{tail}")]
    )
