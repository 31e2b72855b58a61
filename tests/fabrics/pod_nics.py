"""The pod's NICs: what each vendor's tools and drivers print of one."""

from dataclasses import dataclass

DSCP, CNP_DSCP, PRIORITY, CNP_PRIORITY = 26, 48, 3, 6
TRAFFIC_CLASS = DSCP << 2 | 2


@dataclass(frozen=True, slots=True)
class Nic:
    """A NIC of a server: where it is in it, what it is, and the switch port it is on."""

    netdev: str
    rdma: str
    pci: str
    mac: str
    address: str
    switch: str
    port: str
    gbps: int
    card: "Card"

    @property
    def guid(self) -> str:
        """Return the GUID that its address makes."""
        octets = self.mac.split(":")
        return f"{octets[0]}{octets[1]}:{octets[2]}ff:fe{octets[3]}:{octets[4]}{octets[5]}"

    @property
    def ipv4_gid(self) -> str:
        """Return the GID that its IPv4 address makes."""
        octets = [f"{int(octet):02x}" for octet in self.address.split(".")]
        return f"0000:0000:0000:0000:0000:ffff:{octets[0]}{octets[1]}:{octets[2]}{octets[3]}"

    @property
    def bdf(self) -> str:
        """Return the PCI address without its domain."""
        return self.pci.removeprefix("0000:")


@dataclass(frozen=True, slots=True)
class Card:
    """What NICs of one model have in common."""

    lspci: str
    vendor_id: str
    part_id: int
    firmware: str
    driver: str
    version: str
    board: str = ""
    name: str = ""
    part: str = ""
    title: str = ""
    buffers: str = ""
    pcie_gigatransfers: int = 32


CONNECTX7 = Card(
    "Mellanox Technologies MT2910 Family [ConnectX-7]", "0x02c9", 4129, "28.43.2026", "mlx5_core", "24.10-1.1.4",
    "MT_0000000838", "ConnectX7", "MCX75310AAS-NEA_Ax", "400GbE single-port OSFP", "20016,156096,0,0,0,0,0,0",
)  # fmt: skip
CONNECTX6 = Card(
    "Mellanox Technologies MT2892 Family [ConnectX-6 Dx]", "0x02c9", 4125, "22.43.2026", "mlx5_core", "24.10-1.1.4",
    "MT_0000000437", "ConnectX6DX", "MCX623105AN-CDA_Ax", "100GbE single-port QSFP56", "20016,77568,0,0,0,0,0,0",
    pcie_gigatransfers=16,
)  # fmt: skip
THOR2 = Card(
    "Broadcom Inc. and subsidiaries BCM57608 25Gb/50Gb/100Gb/200Gb/400Gb Ethernet (rev 11)", "0x14e4", 5984,
    "231.0.153.0", "bnxt_en", "1.10.3-231.0.162.0", title="BCM57608 1x400G QSFP-DD PCIe Ethernet NIC",
)  # fmt: skip
THOR = Card(
    "Broadcom Inc. and subsidiaries BCM57508 NetXtreme-E 10Gb/25Gb/40Gb/50Gb/100Gb/200Gb Ethernet (rev 11)", "0x14e4",
    5968, "231.0.153.0", "bnxt_en", "1.10.3-231.0.162.0", title="BCM57508 1x100G QSFP56 PCIe Ethernet NIC",
    pcie_gigatransfers=16,
)  # fmt: skip

Captures = list[tuple[str, str]]


def linked(nic: Nic) -> Captures:
    """Return what ethtool prints, of every vendor."""
    settings = f"""\
Settings for {nic.netdev}:
	Supported ports: [ FIBRE ]
	Speed: {nic.gbps}000Mb/s
	Lanes: 4
	Duplex: Full
	Auto-negotiation: off
	Port: FIBRE
	Link detected: yes"""
    packaged = f"{nic.card.firmware} ({nic.card.board})" if nic.card.board else f"{nic.card.firmware}/pkg 231.1.162.1"
    driver = f"""\
driver: {nic.card.driver}
version: {nic.card.version}
firmware-version: {packaged}
bus-info: {nic.pci}
supports-statistics: yes"""
    pauses = f"Pause parameters for {nic.netdev}:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff"
    return [
        (f"ethtool -i {nic.netdev}", driver),
        (f"ethtool {nic.netdev}", settings),
        (f"ethtool -a {nic.netdev}", pauses),
    ]


def nvidia_rdma(nic: Nic) -> Captures:
    """Return what the kernel tells of an NVIDIA RDMA device."""
    return [(f"cat /sys/class/infiniband/{nic.rdma}/tc/1/traffic_class", f"Global tclass={TRAFFIC_CLASS}")]


def nvidia(nic: Nic) -> Captures:
    """Return what is captured of an NVIDIA interface."""
    ecn = f"/sys/class/net/{nic.netdev}/ecn"
    return [
        *linked(nic),
        (f"mlnx_qos -i {nic.netdev}", _mlnx_qos(nic)),
        (f"grep -r . {ecn}/", "\n".join(f"{ecn}/{name}:{value}" for name, value in _dcqcn().items())),
        (f"mlxconfig -d {nic.pci} -e q", _mlxconfig(nic)),
    ]


DSCP_TABLE = "dscp2prio mapping:\n" + "".join(
    f"\tprio:{priority} dscp:{','.join(f'{dscp:02d}' for dscp in range(8 * priority + 7, 8 * priority - 1, -1))},\n"
    for priority in range(8)
)


def _mlnx_qos(nic: Nic) -> str:
    shares = {0: 10, PRIORITY: 80, 2: 10}
    classes = "\n".join(
        f"tc: {tc} ratelimit: unlimited, tsa: {'strict' if tc == CNP_PRIORITY else f'ets, bw: {shares.get(tc, 0)}%'}\n"
        f"\t priority:  {tc}"
        for tc in range(8)
    )
    return f"""\
DCBX mode: OS controlled
Priority trust state: dscp
{DSCP_TABLE}default priority:
Receive buffer size (bytes): {nic.card.buffers},max_buffer_size={4181120 if nic.gbps > 100 else 1043456}
Cable len: 7
PFC configuration:
	priority    0   1   2   3   4   5   6   7
	enabled     0   0   0   1   0   0   0   0{"   "}
	buffer      0   0   0   1   0   0   0   0{"   "}
{classes}"""


def _dcqcn() -> dict[str, int]:
    enabled = {f"roce_{point}/enable/{priority}": 1 for point in ("np", "rp") for priority in range(8)}
    return {
        **enabled,
        "roce_np/cnp_dscp": CNP_DSCP,
        "roce_np/cnp_802p_prio": CNP_PRIORITY,
        "roce_np/min_time_between_cnps": 4,
        "roce_rp/rpg_time_reset": 300,
        "roce_rp/rpg_byte_reset": 32767,
        "roce_rp/rpg_ai_rate": 5,
        "roce_rp/rpg_hai_rate": 50,
        "roce_rp/rpg_gd": 11,
        "roce_rp/rpg_min_dec_fac": 50,
        "roce_rp/rpg_min_rate": 1,
    }


FIRMWARE = {
    "SRIOV_EN": "False(0)",
    "ROCE_CC_PRIO_MASK_P1": "255",
    "CNP_DSCP_P1": str(CNP_DSCP),
    "CNP_802P_PRIO_P1": str(CNP_PRIORITY),
    "LLDP_NB_DCBX_P1": "False(0)",
    "LLDP_NB_RX_MODE_P1": "OFF(0)",
    "LLDP_NB_TX_MODE_P1": "OFF(0)",
    "NUM_OF_TC_P1": "_8_TCs(0)",
    "LINK_TYPE_P1": "ETH(2)",
    "ROCE_ADAPTIVE_ROUTING_EN": "False(0)",
    "USER_PROGRAMMABLE_CC": "False(0)",
    "PCI_WR_ORDERING": "per_mkey(0)",
}


def _mlxconfig(nic: Nic) -> str:
    rows = "\n".join(f"{'':9}{name:<35} {value:<12}{value:<12}{value:<12}".rstrip() for name, value in FIRMWARE.items())
    return f"""\

Device #1:
----------

Device type:        {nic.card.name}
Name:               {nic.card.part}
Description:        {nic.card.title}
Device:             {nic.pci}

Configurations:                              Default     Current     Next Boot
{rows}"""


def broadcom_rdma(nic: Nic) -> Captures:
    """Return what the kernel tells of a Broadcom RDMA device."""
    manager = f"/sys/kernel/config/rdma_cm/{nic.rdma}/ports/"
    applied = f"""\
ecn status				: Enabled
ecn marking				: ECT(1)
congestion control mode			: DCQCN-P
send priority vlan (VLAN 0)		: Disabled
running avg. weight(g)			: 8
inactivity threshold			: 10000 usec
initial current rate			: 0xc8
initial target rate			: 0x320
cnp header ecn status			: Not-ECT
roce prio				: {PRIORITY}
roce dscp				: {DSCP}
cnp prio				: {CNP_PRIORITY}
cnp dscp				: {CNP_DSCP}"""
    return [
        (f"grep -r . {manager}", f"{manager}1/default_roce_tos:{DSCP << 2}\n{manager}1/default_roce_mode:RoCE v2"),
        (f"cat /sys/kernel/config/bnxt_re/{nic.rdma}/ports/1/cc/apply", applied),
    ]


def niccli(nics: list[Nic]) -> Captures:
    """Return what Broadcom's tool prints of its adapters."""
    listed = "\n".join(
        f"{number}) Broadcom {nic.card.title} (Adp#{number} Port#1)\n"
        f"    Device Interface                          : {nic.netdev}\n"
        f"    MAC Address                               : {nic.mac.upper()}\n"
        f"    PCI Address                               : {nic.pci}"
        for number, nic in enumerate(nics, 1)
    )
    priorities = " ".join(f"{p}:{1 if p == PRIORITY else 2 if p == CNP_PRIORITY else 0}" for p in range(8))
    qos = f"""\
IEEE 8021QAZ ETS Configuration TLV:
         PRIO_MAP: {priorities}
         TC Bandwidth: 50% 50% 0%
         TSA_MAP: 0:ets 1:ets 2:strict
IEEE 8021QAZ PFC TLV:
         PFC enabled: {PRIORITY}
IEEE 8021QAZ APP TLV:
         APP#0:
          Priority: {CNP_PRIORITY}
          Sel: 5
          DSCP: {CNP_DSCP}

         APP#1:
          Priority: {PRIORITY}
          Sel: 5
          DSCP: {DSCP}

         APP#2:
          Priority: {PRIORITY}
          Sel: 3
          UDP or DCCP: 4791

TC Rate Limit: 100% 100% 100% 0% 0% 0% 0% 0%"""
    return [
        ("niccli --list_devices", listed),
        *((f"niccli --dev {number} qos --ets --show", qos) for number in range(1, len(nics) + 1)),
    ]
