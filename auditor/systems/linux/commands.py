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
    gpus,
    ibstat,
    ibv_devinfo,
    ifconfig,
    ip_link,
    kernel,
    listing,
    lldp,
    lspci,
    mlnx_qos,
    mlxconfig,
    namespaces,
    nccl,
    nicctl,
    nmcli,
    nvidia,
    nvidia_smi,
    rdma,
    routes,
    tlv,
    tools,
)
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.fetch import MLX, NETDEV, SCRIPT, Fetch

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
        "other",
        r"(?:ofed_info|devlink|numactl|lscpu|modinfo|ls|readlink|flint|mlxprivhost|ibv_devices|systemctl)"
        r"(?: (?:-|show|dev|port|sys|list|status|mlx|bnxt|irdma|ice|ionic|nvidia|is-).*)?"
        r"|ip(?: -[a-z46]+)* (?:route|rule|neigh|netns|-V).*",
        read_nothing,
        fetch=(Fetch(("ofed_info -s",), "version of the NVIDIA drivers", drivers=MLX, by=SCRIPT),),
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
    *namespaces.COMMANDS,
    *ibv_devinfo.COMMANDS,
    *ibstat.COMMANDS,
    *mlxconfig.COMMANDS,
    *nvidia.COMMANDS,
    *lldp.COMMANDS,
    *dcb.COMMANDS,
    *broadcom.COMMANDS,
    *tlv.COMMANDS,
    *tools.COMMANDS,
    *dcbtool.COMMANDS,
    *nicctl.COMMANDS,
    *bonding.COMMANDS,
    *lspci.COMMANDS,
    *devlink.COMMANDS,
    *firmware.COMMANDS,
    *nvidia_smi.COMMANDS,
    *gpus.COMMANDS,
    *kernel.COMMANDS,
    *nccl.COMMANDS,
    *listing.COMMANDS,
    *routes.COMMANDS,
    *_OTHER,
)

FILES = Command("cat FILE", "", files.read_files, fetch=filetable.FETCHES)
