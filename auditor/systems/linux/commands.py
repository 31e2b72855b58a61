"""All known commands, in the order of detection."""

from auditor.systems.linux import (
    bonding,
    broadcom,
    dcb,
    dcbtool,
    devlink,
    ethtool,
    ethtool_more,
    files,
    filetable,
    firmware,
    ibstat,
    ibv_devinfo,
    ifconfig,
    ip_link,
    kernel,
    lldp,
    lspci,
    mlnx_qos,
    mlxconfig,
    nccl,
    nicctl,
    nmcli,
    nvidia,
    nvidia_smi,
    rdma,
    tlv,
)
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.fetch import MLX, NETDEV, PULL, SCRIPT, Fetch

_OTHER = (
    Command(
        "tc qdisc show",
        r"tc(?: -[a-z]+)* (?:qdisc|class|filter)(?: .*)?",
        read_nothing,
        content=r"^qdisc \S+ \S+ dev ",
        fetch=(Fetch(("tc -j qdisc show dev {netdev}",), "queues of the kernel", NETDEV, by=SCRIPT),),
    ),
    Command("dmesg", r"dmesg.*|journalctl.*", read_nothing, content=r"^\[ *\d+\.\d+\] \S"),
    Command(
        "nvidia-smi",
        r"(?:nvidia-smi|rocm-smi|amd-smi)(?: .+)?",
        read_nothing,
        content=r"^[^\S\n]+GPU0\b",
        fetch=(Fetch(("rocm-smi --showtopo",), "how near GPUs and NICs are", needs="/sys/module/amdgpu", by=SCRIPT),),
    ),
    Command(
        "other",
        r"(?:ofed_info|devlink|numactl|lscpu|modinfo|ls|readlink|flint|mlxprivhost|ibv_devices|systemctl)"
        r"(?: (?:-|show|dev|port|sys|list|status|mlx|bnxt|irdma|ice|ionic|nvidia|is-).*)?"
        r"|ip(?: -[a-z]+)* (?:route|rule|neigh|netns|-V).*",
        read_nothing,
        fetch=(
            Fetch(("ofed_info -s",), "version of the NVIDIA drivers", drivers=MLX, by=SCRIPT),
            Fetch(
                ("ls -d /sys/class/infiniband/*/device/net/*",),
                "which port belongs to which RDMA device",
                by=PULL,
                finds=(r"/sys/class/infiniband/(?P<rdma>[^/]+)/device/net/(?P<netdev>\S+)",),
            ),
            Fetch(
                ("readlink -f /sys/class/infiniband/*/device",),
                "which PCI function is which RDMA device",
                by=PULL,
                finds=(r"/(?P<pci>[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s*$",),
            ),
        ),
    ),
)

COMMANDS: tuple[Command, ...] = (
    *nvidia.OF_SCRIPT,
    *mlnx_qos.COMMANDS,
    *ip_link.COMMANDS,
    *ifconfig.COMMANDS,
    *nmcli.COMMANDS,
    *ethtool.COMMANDS,
    *ethtool_more.COMMANDS,
    *ethtool.PLAIN,
    *rdma.COMMANDS,
    *ibv_devinfo.COMMANDS,
    *ibstat.COMMANDS,
    *mlxconfig.COMMANDS,
    *nvidia.COMMANDS,
    *lldp.COMMANDS,
    *dcb.COMMANDS,
    *broadcom.COMMANDS,
    *tlv.COMMANDS,
    *dcbtool.COMMANDS,
    *nicctl.COMMANDS,
    *bonding.COMMANDS,
    *lspci.COMMANDS,
    *devlink.COMMANDS,
    *firmware.COMMANDS,
    *nvidia_smi.COMMANDS,
    *kernel.COMMANDS,
    *nccl.COMMANDS,
    *_OTHER,
)

FILES = Command("cat FILE", "", files.read_files, fetch=filetable.FETCHES)
