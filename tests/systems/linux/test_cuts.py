"""Outputs cut by grep, head and tail: the same values for the lines that are left, or fewer; never others, nor silence.

Nothing is silent: what a cut leaves of the lines that the whole output gives values for gives a value or a doubt.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems.linux.parse import parse
from auditor.systems.linux.show import recognise
from auditor.view.port_view import device_view

FIXTURES = Path(__file__).parents[3] / "fixtures"
MOST_WORDS = 40
LSPCI = """10:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (prog-if 00 [Normal decode])
\tCapabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00
\t\tLnkCap:\tPort #1, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 32GT/s, Width x16
\tCapabilities: [154 v1] Access Control Services
\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-

11:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq-
\t\t\tRlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+ FLReset-
\t\t\tMaxPayload 256 bytes, MaxReadReq 4096 bytes
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x16
\t\tACSCtl:\tSrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-"""
DEVINFO = """hca_id:\tmlx5_4
\ttransport:\t\t\tInfiniBand (0)
\tfw_ver:\t\t\t\t28.40.1000
\tvendor_id:\t\t\t0x02c9
\tvendor_part_id:\t\t\t4129
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ACTIVE (4)
\t\t\tmax_mtu:\t\t4096 (5)
\t\t\tactive_mtu:\t\t4096 (5)
\t\t\tlink_layer:\t\tEthernet
\t\t\tGID[  0]:\t\tfe80::a00:27ff:fe00:1, RoCE v1
\t\t\tGID[  3]:\t\t::ffff:10.4.0.1, RoCE v2

hca_id:\tmlx5_5
\ttransport:\t\t\tInfiniBand (0)
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_DOWN (1)
\t\t\tactive_mtu:\t\t1024 (3)
\t\t\tlink_layer:\t\tInfiniBand"""
IBSTAT = """CA 'mlx5_4'
\tCA type: MT4129
\tNumber of ports: 1
\tFirmware version: 28.40.1000
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tLink layer: Ethernet
CA 'mlx5_5'
\tCA type: MT4123
\tPort 1:
\t\tState: Down
\t\tRate: 10
\t\tLink layer: InfiniBand"""
TOPOLOGY = """\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
GPU0\t X \tNV18\tPIX\t0-31\t0\t\tN/A
GPU1\tNV18\t X \tSYS\t32-63\t1\t\tN/A
NIC0\tPIX\tSYS\t X

NIC Legend:

  NIC0: mlx5_4"""
NICCTL = """NIC : 42424650-4c32-3433-3533-303134000000 (0000:06:00.0)
------------------------------------------------------------------
  ROCE device                              : rocep9s0
    DCQCN profile id                       : 1
      Status                               : Enabled
      Rate increase in AI phase            : 160
      DSCP value used for CNP              : 46"""
NICCLI = """1) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#1 Port#1)
    Device Interface          : ens8np0
    MAC Address               : 02:00:5E:00:00:08
    PCI Address               : 0000:22:00.0"""
TLVS = """Chassis ID TLV
\tMAC: 02:00:5e:00:01:01
Port ID TLV
\tIfname: Ethernet1/7
System Name TLV
\tleaf7"""
ETS = """IEEE 8021QAZ ETS Configuration TLV:
\t PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0
\t TC Bandwidth: 50% 50% 0%
\t TSA_MAP: 0:ets 1:ets 2:strict
IEEE 8021QAZ PFC TLV:
\t PFC enabled: 3"""
DCB = """pfc-cap 8 macsec-bypass off delay 0
prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off"""
SAMPLES = {
    "lspci -vvv": LSPCI,
    "ibv_devinfo -v": DEVINFO,
    "ibv_devinfo -d mlx5_4 -v": DEVINFO.partition("\n\n")[0],
    "ibstat": IBSTAT,
    "nvidia-smi topo -m": TOPOLOGY,
    "nicctl show dcqcn": NICCTL,
    "niccli --list_devices": NICCLI,
    "lldptool -tni ens8": TLVS,
    "lldptool -ti ens8": ETS,
    "niccli --dev 1 qos --ets --show": ETS,
    "dcb pfc show dev ens8": DCB,
    "dcb apptrust show dev ens8": "order: dscp pcp",
    "rdma link": "link mlx5_4/1 state ACTIVE physical_state LINK_UP netdev ens8\nlink mlx5_5/1 state DOWN",
    "rdma dev": "0: mlx5_4: node_type ca protocol roce fw 28.40.1000\n1: irdma0: node_type rnic protocol iw fw 1.70",
}


def captures() -> Iterator[Capture]:
    """Yield each capture of the fixtures in text, and each sample."""
    for command, output in SAMPLES.items():
        yield Capture("sample.txt", tuple(output.splitlines()), command)
    for file in sorted((FIXTURES / "dumps" / "linux" / "gpu-a01").iterdir()):
        lines = tuple(file.read_text(encoding="utf-8").splitlines())
        yield Capture(file.name, lines, recognise(Capture(file.name, lines)) or "")
    for file in (FIXTURES / "dumps" / "linux" / "gpu-b01.txt", FIXTURES / "fabric" / "host6.txt"):
        lines = tuple(file.read_text(encoding="utf-8").splitlines())
        heads = [number for number, line in enumerate(lines) if line.startswith("$ ")]
        for head, end in zip(heads, [*heads[1:], len(lines)], strict=True):
            yield Capture(file.name, lines[head + 1 : end], lines[head][2:])


CAPTURES = [
    pytest.param(capture, id=f"{capture.file}: {capture.command}"[:80])
    for capture in captures()
    if capture.command and recognise(capture) and not re.match(r"\s*[\[{]", "\n".join(capture.lines))
]


def cuts(lines: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield each cut: what the shell says, and the lines that are left."""
    for count in sorted({1, 2, 3, 5, len(lines) // 2}):
        if 0 < count < len(lines):
            yield f"head -n {count}", [*range(count)]
            yield f"tail -n {count}", [*range(len(lines) - count, len(lines))]
            yield f"tail -n +{count + 1}", [*range(count, len(lines))]
    words = Counter(word for line in lines for word in sorted(set(re.findall(r"[A-Za-z][\w-]{2,}", line))))
    for word, _ in words.most_common(MOST_WORDS):
        yield f"grep {word}", [index for index, line in enumerate(lines) if word in line]


def flatten(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield each leaf that has a value, with its path; entries of lists by their own number."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from flatten(each, (*path, key))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for each in value:
            number = next((each[name] for name in ("id", "queue", "pg", "index") if name in each), None)
            yield from flatten(each, (*path, number))
    elif value not in (None, [], {}):
        yield path, json.dumps(value)


def values(device: Device) -> set[tuple[tuple[object, ...], str]]:
    """Return the values of all ports and of the host; the name of a port depends on what else is captured."""
    view = device_view(device).model_dump()
    of_ports = (found for port in view["ports"] for found in flatten({**port, "name": "", "aliases": []}))
    host: dict[str, object] = view["host"] or {}
    acs = host.pop("acs", None)
    listed = acs.values() if isinstance(acs, dict) else ()  # without its device a register has a number of its own
    return {*of_ports, *flatten(host, ("host",)), *((("acs",), json.dumps(each)) for each in listed)}


@pytest.mark.parametrize("capture", CAPTURES)
def test_a_cut_gives_no_other_value_and_is_not_silent(capture: Capture) -> None:
    whole = parse("host", "host", [capture])
    known, states = values(whole), whole.dumps[0].states
    for cut, kept in cuts(capture.lines):
        lines = tuple(capture.lines[index] for index in kept)
        device = parse("host", "host", [Capture(capture.file, lines, f"{capture.command} | {cut}")])
        assert not {path: value for path, value in values(device) - known if path[0] != "peer"}, cut
        lost = [
            lines[at]
            for at, index in enumerate(kept)
            if states[index] is LineState.MODELLED and device.dumps[0].states[at] is not LineState.MODELLED
        ]
        assert not lost or device.doubts, cut


NAMELESS = [
    # what was pasted, without the line above that names the device: nothing of it is lost without a word
    ("ibv_devinfo | grep -e state -e link_layer", "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tEthernet"),
    ("ibstat | grep -A1 State", "\t\tState: Active\n\t\tPhysical state: LinkUp"),
    ("lspci -vvv | grep LnkSta", "\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)"),
    ("mlnx_qos -i ens1 | tail -2", "tc: 7 ratelimit: unlimited, tsa: weird\n         priority:  7"),
    ("nicctl show dcqcn | grep CNP", "  DSCP value used for CNP                  : 46"),
]


@pytest.mark.parametrize(("command", "output"), NAMELESS, ids=[row[0] for row in NAMELESS])
def test_a_cut_that_lost_the_heading_is_said_once(command: str, output: str) -> None:
    device = parse("host", "host", [Capture("paste.txt", tuple(output.splitlines()), command, 2)])
    (doubt,) = device.doubts
    assert doubt.where.file == "paste.txt"
    assert doubt.where.line >= 2
    assert not [port.name for port in device.ports if port.name != "ens1"]


PAIRS = [
    # what was typed, what was printed, (netdev, RDMA device)
    (
        "ls -l /sys/class/infiniband/*/device/net",
        "/sys/class/infiniband/mlx5_4/device/net:\ntotal 0\ndrwxr-xr-x 5 root root 0 Nov  1 10:00 ens8\n",
        ("ens8", "mlx5_4"),
    ),
    ("ls /sys/class/infiniband/mlx5_4/device/net", "ens8", ("ens8", "mlx5_4")),
    ("ls /sys/class/infiniband/*/device/net/", "/sys/class/infiniband/mlx5_4/device/net/:\nens8", ("ens8", "mlx5_4")),
    ("ls -d /sys/class/net/*/device/infiniband/*", "/sys/class/net/ens8/device/infiniband/mlx5_4", ("ens8", "mlx5_4")),
    (
        "ls -l /sys/class/infiniband/ /sys/class/net/",
        (
            "lrwxrwxrwx 1 root root 0 Nov  1 10:00 mlx5_4 -> ../../devices/pci0000:10/0000:11:00.0/infiniband/mlx5_4\n"
            "lrwxrwxrwx 1 root root 0 Nov  1 10:00 lo -> ../../devices/virtual/net/lo\n"
            "lrwxrwxrwx 1 root root 0 Nov  1 10:00 ens8 -> ../../devices/pci0000:10/0000:11:00.0/net/ens8"
        ),
        ("ens8", "mlx5_4"),
    ),
]


@pytest.mark.parametrize(("command", "output", "pair"), PAIRS, ids=[row[0] for row in PAIRS])
def test_a_listing_pairs_a_netdev_with_its_rdma_device(command: str, output: str, pair: tuple[str, str]) -> None:
    device = parse("host", "host", [Capture("paste.txt", tuple(output.splitlines()), command, 2)])
    assert device.doubts == ()
    assert [(port.name, value_of(port.rdma.name)) for port in device.ports if port.config.nic] == [pair]


STATES = [
    # what was typed, what was printed, whether the link runs
    ("ibdev2netdev", "mlx5_4 port 1 ==> ens8 (Down)", False),
    ("rdma link", "link mlx5_4/1 state ACTIVE physical_state LINK_UP netdev ens8", True),
    (
        "rdma -j link",
        '[{"ifname":"mlx5_4","port":1,"state":"DOWN","physical_state":"DISABLED","netdev":"ens8"}]',
        False,
    ),
    ("ibv_devinfo", DEVINFO.partition("\n\n")[0], True),
    ("ibv_devinfo -d mlx5_4 | grep state", "\t\t\tstate:\t\t\tPORT_DOWN (1)", False),
    ("ibstat mlx5_4 | grep State", "\t\tState: Active", True),
    ("cat /sys/class/infiniband/mlx5_4/ports/1/state", "4: ACTIVE", True),
    ("cat /sys/class/net/ens8/operstate", "down", False),
    ("cat /sys/class/net/ens8/carrier", "1", True),
    ("ethtool ens8 | grep -i link", "\tLink detected: no", False),
    (
        "ip link show ens8",
        "2: ens8: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 9000 qdisc mq state DOWN\n    link/ether 02:00:00:00:00:08",
        False,
    ),
    (
        "ip link show ens8",
        "2: ens8: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether 02:00:00:00:00:08",
        True,
    ),
    ("ifconfig ens8", "ens8: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 9000", True),
]


@pytest.mark.parametrize(("command", "output", "is_up"), STATES, ids=[f"{row[0]}: {row[2]}" for row in STATES])
def test_the_state_of_a_link(command: str, output: str, is_up: bool) -> None:
    device = parse("host", "host", [Capture("paste.txt", tuple(output.splitlines()), command, 2)])
    assert [value_of(port.config.nic.link_up) for port in device.ports if port.config.nic] == [is_up]
    assert device.doubts == ()


PLACEHOLDERS = [
    "mlxconfig -d ${device} q | grep CNP_DSCP",
    "mlxconfig -d $DEV q | grep CNP_DSCP",
    "mlxconfig -d <device> q | grep CNP_DSCP",
    "mlxconfig -d $(mst_of ens8) q | grep CNP_DSCP",
]


@pytest.mark.parametrize("command", PLACEHOLDERS)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_variable_names_no_port(command: str, count: int) -> None:
    pairs = tuple(f"mlx5_{number} port 1 ==> ens{number} (Up)" for number in range(count))
    captures = [
        Capture("paste.txt", pairs, "ibdev2netdev", 2),
        Capture("paste.txt", ("         CNP_DSCP_P1        40",), command, 9),
    ]
    device = parse("host", "host", captures if count else captures[1:])
    told = {port.name: value_of(port.config.nic.cnp_dscp) for port in device.ports if port.config.nic}
    assert told == [{"paste": 40}, {"ens0": 40}, {"ens0": None, "ens1": None}][count]
    assert [doubt.where.line for doubt in device.doubts] == ([9] if count > 1 else [])


def test_the_registers_of_the_device_that_was_asked_for() -> None:
    captures = [
        Capture("paste.txt", ("bus-info: 0000:41:00.0",), "ethtool -i ens8 | grep bus", 2),
        Capture("paste.txt", ("\t\tLnkSta:\tSpeed 8GT/s, Width x16",), "lspci -s 41:00.0 -vvv | grep LnkSta", 4),
    ]
    (port,) = parse("host", "host", captures).ports
    assert port.config.nic is not None
    assert (port.name, value_of(port.config.nic.pcie.speed_gtps)) == ("ens8", 8)


def test_a_device_that_is_down_is_a_port() -> None:
    command = "for i in mlx5_0 mlx5_1; do cat /sys/class/infiniband/$i/ports/1/state; done"
    ports = parse("host", "host", [Capture("paste.txt", ("4: ACTIVE", "1: DOWN"), command, 2)]).ports
    told = {port.name: value_of(port.config.nic.link_up) for port in ports if port.config.nic}
    assert told == {"mlx5_0": True, "mlx5_1": False}


GPUS = [
    ("amd-smi static --asic", "GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X", "amdgpu"),
    ("nvidia-smi -L", "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)", "nvidia"),
    ("rocm-smi --showproductname", "GPU[0]\t\t: Card Series: \t\tAMD Instinct MI300X", "amdgpu"),
]


@pytest.mark.parametrize(("command", "output", "module"), GPUS, ids=[row[0] for row in GPUS])
def test_the_tool_of_gpus_shows_their_driver(command: str, output: str, module: str) -> None:
    device = parse("host", "host", [Capture("paste.txt", tuple(output.splitlines()), command, 2)])
    assert device.host is not None
    assert set(value_of(device.host.modules) or {}) == {module}
    assert (device.ports, device.doubts) == ((), ())


def test_prompts_of_one_host_name_the_host() -> None:
    one = Capture("paste.txt", ("driver: mlx5_core",), "ethtool -i ens8", 2, session="root@gpu07")
    other = Capture("paste.txt", ("driver: mlx5_core",), "ethtool -i ens9", 4, session="root@gpu08")
    assert parse("paste", "paste", [one]).name == "gpu07"
    assert parse("paste", "paste", [one]).doubts == ()
    both = parse("paste", "paste", [one, other])
    assert both.name == "paste"
    assert [(doubt.where.line, doubt.understood) for doubt in both.doubts] == [(4, True)]


def test_the_same_excerpt_twice_counts_as_the_last_says() -> None:
    command = "lspci -vvv | grep ACSCtl"
    line = "ACSCtl:\tSrcValid+ TransBlk- ReqRedir{0} CmpltRedir{0} UpstreamFwd+ EgressCtrl- DirectTrans-"
    captures = [Capture("paste.txt", (line.format(state),), command, at) for at, state in ((2, "+"), (4, "-"))]
    device = parse("host", "host", captures)
    assert device.host is not None
    assert [known.value for known in (value_of(device.host.acs) or {}).values()] == [False]
