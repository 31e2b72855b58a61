"""What the collect script runs, and what each command is for.

Only what reads. Left out though it tells something: `cma_roce_tos` and `cma_roce_mode` (they make configfs folders and
may load modules), `mst start`, the kernel's command line (it may hold passwords), the kernel log and the routes (they
say more of a site than an audit needs).
"""

from dataclasses import dataclass

HOST, RDMA, NETDEV, ADAPTER = "host", "rdma", "netdev", "adapter"
"""What a command is run for: the host once, each RDMA device, each interface, each Broadcom adapter by its number."""

_MLX = ("mlx5_core",)
_BNXT = ("bnxt_en",)
_IONIC = ("ionic",)


@dataclass(frozen=True, slots=True)
class Collected:
    """A command, in the forms that are tried until one succeeds, and what it tells.

    `{netdev}`, `{rdma}`, `{pci}` and `{adapter}` stand for what it is run for. `drivers`: only where one of these runs
    the NIC. `needs`: a path without which the command has nothing to read, or would load a module. `is_root`: most of
    it is for root alone. `tells`: its exit status is an answer, not a failure.
    """

    forms: tuple[str, ...]
    why: str
    over: str = HOST
    drivers: tuple[str, ...] = ()
    needs: str = ""
    is_root: bool = False
    tells: bool = False


_PCI = "/sys/bus/pci/devices/{pci}"
_RDMA_LOADED = "/sys/class/infiniband"  # asking the kernel for RDMA loads its module

COLLECTED: tuple[Collected, ...] = (
    Collected(("uname -n",), "the host's name"),
    Collected(("uname -r",), "the kernel"),
    Collected(("cat /etc/os-release",), "the distribution"),
    Collected(("ip -j -d link", "ip -d link"), "MTU, state, bonds and VLANs"),
    Collected(("ip -j addr", "ip addr"), "addresses, which make GIDs"),
    Collected(("ibdev2netdev",), "which interface an RDMA device runs on", drivers=_MLX),
    Collected(("rdma -j link", "rdma link"), "the same, of every vendor", needs=_RDMA_LOADED),
    Collected(("rdma -j dev", "rdma dev"), "firmware of RDMA devices", needs=_RDMA_LOADED),
    Collected(("rdma -j statistic show",), "counters of CNPs, ECN marks and retransmissions", needs=_RDMA_LOADED),
    Collected(("ibv_devinfo -v",), "link layer, active MTU and GIDs", needs=_RDMA_LOADED),
    Collected(("show_gids",), "GIDs with their RoCE version", drivers=_MLX),
    Collected(("lldpctl -f json0", "lldpctl"), "the switch port at the other end", is_root=True),
    Collected(("systemctl is-active lldpad lldpd",), "agents that may overwrite the settings", tells=True),
    Collected(
        ("cat /var/lib/lldpad/lldpad.conf",), "what lldpad sets", needs="/var/lib/lldpad/lldpad.conf", is_root=True
    ),
    Collected(("sysctl net.ipv4.tcp_ecn",), "ECN of TCP, often mistaken for that of RoCE"),
    Collected(("cat /proc/modules",), "drivers, and peer memory for GPUs"),
    Collected(("cat /etc/nccl.conf",), "traffic class and GID that jobs ask for", needs="/etc/nccl.conf"),
    Collected(
        ("grep -rh -e NCCL_ -e RCCL_ -e UCX_ -e NVSHMEM_ /etc/enroot/environ.d/",),
        "the same, in containers of Enroot",
        needs="/etc/enroot/environ.d",
        tells=True,
    ),
    Collected(("ofed_info -s",), "version of the NVIDIA drivers", drivers=_MLX),
    Collected(("mst status -v",), "NVIDIA devices by PCI address", drivers=_MLX, is_root=True),
    Collected(("grep -r . /sys/module/irdma/parameters/",), "RoCE and DCQCN of Intel NICs", needs="/sys/module/irdma"),
    Collected(("niccli --list_devices", "niccli --list"), "Broadcom NICs", drivers=_BNXT, is_root=True),
    Collected(("niccli --dev {adapter} qos --ets --show",), "trust, ETS and PFC", ADAPTER, drivers=_BNXT, is_root=True),
    Collected(("nicctl show card",), "AMD NICs", drivers=_IONIC, is_root=True),
    Collected(("nicctl show port",), "their ports: MTU, pause", drivers=_IONIC, is_root=True),
    Collected(("nicctl show qos",), "classification, PFC and scheduling", drivers=_IONIC, is_root=True),
    Collected(("nicctl show dcqcn",), "congestion control", drivers=_IONIC, is_root=True),
    Collected(("nicctl show pcie ats",), "address translation for GPUs", drivers=_IONIC, is_root=True),
    Collected(("nicctl show version host-software",), "driver", drivers=_IONIC, is_root=True),
    Collected(("nicctl show version firmware",), "firmware", drivers=_IONIC, is_root=True),
    Collected(("devlink -j dev info",), "firmware by PCI address", is_root=True),
    Collected(("devlink -j dev param show",), "parameters of drivers, RoCE among them", is_root=True),
    Collected(("lspci -D -nn",), "PCI devices"),
    Collected(("lspci -vvv",), "PCIe links, read request size, ACS", is_root=True),
    Collected(("nvidia-smi topo -m",), "how near GPUs and NICs are", needs="/proc/driver/nvidia"),
    Collected(("rocm-smi --showtopo",), "how near GPUs and NICs are", needs="/sys/module/amdgpu"),
    Collected(("cat /sys/class/infiniband/{rdma}/ports/1/link_layer",), "Ethernet or InfiniBand", RDMA),
    Collected(
        ("cat /sys/class/infiniband/{rdma}/tc/1/traffic_class",), "the traffic class that all jobs get", RDMA, _MLX
    ),
    Collected(
        ("grep -r . /sys/class/infiniband/{rdma}/ports/1/hw_counters/",),
        "CNPs, ECN marks and retransmissions",
        RDMA,
        needs="/sys/class/infiniband/{rdma}/ports/1/hw_counters",
    ),
    Collected(
        ("grep -r . /sys/kernel/config/rdma_cm/{rdma}/ports/",),
        "the type of service of RDMA-CM",
        RDMA,
        needs="/sys/kernel/config/rdma_cm/{rdma}",
        is_root=True,
    ),
    Collected(
        ("cat /sys/kernel/config/bnxt_re/{rdma}/ports/1/cc/apply",),
        "congestion control of Broadcom NICs",
        RDMA,
        _BNXT,
        "/sys/kernel/config/bnxt_re/{rdma}",
        is_root=True,
    ),
    Collected(
        ("grep -r . /sys/kernel/config/irdma/{rdma}/",),
        "congestion control of Intel NICs",
        RDMA,
        needs="/sys/kernel/config/irdma/{rdma}",
        is_root=True,
    ),
    Collected(("ethtool -i {netdev}",), "driver, firmware, PCI address", NETDEV),
    Collected(("ethtool {netdev}",), "speed", NETDEV),
    Collected(("ethtool -a {netdev}",), "link pause, which must be off beside PFC", NETDEV),
    Collected(("ethtool --show-fec {netdev}",), "FEC", NETDEV),
    Collected(("ethtool -S {netdev}",), "pauses and discards by priority", NETDEV),
    Collected(("ethtool --show-priv-flags {netdev}",), "whether the firmware runs LLDP", NETDEV),
    Collected(("mlnx_qos -i {netdev}",), "trust, DSCP map, PFC, buffers, ETS", NETDEV, _MLX),
    Collected(("dcb -j -N pfc show dev {netdev}", "dcb pfc show dev {netdev}"), "PFC", NETDEV),
    Collected(("dcb -j -N ets show dev {netdev}", "dcb ets show dev {netdev}"), "ETS", NETDEV),
    Collected(("dcb -j -N app show dev {netdev}", "dcb app show dev {netdev}"), "DSCP map", NETDEV),
    Collected(("dcb -j -N buffer show dev {netdev}", "dcb buffer show dev {netdev}"), "receive buffers", NETDEV),
    Collected(("dcb -j -N dcbx show dev {netdev}", "dcb dcbx show dev {netdev}"), "who runs DCBX", NETDEV),
    Collected(("dcb -j -N apptrust show dev {netdev}",), "trust", NETDEV),
    Collected(("dcb -j -N rewr show dev {netdev}",), "marks on what is sent", NETDEV),
    Collected(("lldptool -ti {netdev}",), "DCBX as this end has it", NETDEV, is_root=True),
    Collected(("lldptool -tni {netdev}",), "DCBX as the switch offers it", NETDEV, is_root=True),
    Collected(("grep -r . /sys/class/net/{netdev}/ecn/",), "DCQCN by priority, and its parameters", NETDEV, _MLX),
    Collected(
        ("grep -r . /sys/class/net/{netdev}/settings/",),
        "trust and maps of older drivers",
        NETDEV,
        _MLX,
        "/sys/class/net/{netdev}/settings",
    ),
    Collected(("grep -r . /sys/class/net/{netdev}/qos/",), "the same", NETDEV, _MLX, "/sys/class/net/{netdev}/qos"),
    Collected(("tc -j qdisc show dev {netdev}",), "queues of the kernel", NETDEV),
    Collected(
        ("devlink -j dev eswitch show pci/{pci}",),
        "how it forwards for virtual functions",
        NETDEV,
        needs=f"{_PCI}/sriov_numvfs",
        is_root=True,
    ),
    Collected(
        ("mlxconfig -d {pci} -e q", "mstconfig -d {pci} -e q"),
        "firmware settings, now and from the next boot",
        NETDEV,
        _MLX,
        is_root=True,
    ),
    Collected(("mlxlink -d {pci}",), "speed, FEC and errors of the link", NETDEV, _MLX, is_root=True),
    Collected(("mlxreg -d {pci} --reg_name ROCE_ACCL --get",), "adaptive routing", NETDEV, _MLX, is_root=True),
    Collected(("grep -r . /sys/kernel/debug/mlx5/{pci}/cc_params/",), "DCQCN parameters", NETDEV, _MLX, is_root=True),
    Collected(("grep -r . /sys/kernel/debug/bnxt_re/{pci}/",), "congestion control", NETDEV, _BNXT, is_root=True),
    Collected(
        (f"grep . {_PCI}/numa_node {_PCI}/current_link_speed {_PCI}/current_link_width",),
        "PCIe link and NUMA node",
        NETDEV,
        needs=f"{_PCI}/current_link_speed",
    ),
)
