"""All commands whose output is known, in the order in which a capture is tried."""

from auditor.systems.linux import (
    bonding,
    broadcom,
    dcb,
    dcbtool,
    devlink,
    ethtool,
    ethtool_more,
    files,
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

_OTHER = (
    Command(
        "tc qdisc show",
        r"tc(?: -[a-z]+)* (?:qdisc|class|filter)(?: .*)?",
        read_nothing,
        content=r"^qdisc \S+ \S+ dev ",
    ),
    Command("dmesg", r"dmesg.*|journalctl.*", read_nothing, content=r"^\[ *\d+\.\d+\] \S"),
    Command("nvidia-smi", r"(?:nvidia-smi|rocm-smi|amd-smi)(?: .+)?", read_nothing, content=r"^\s+GPU0\b"),
    Command(
        "other",
        r"(?:ofed_info|devlink|numactl|lscpu|modinfo|ls|readlink|flint|mlxprivhost|ibv_devices|systemctl)"
        r"(?: (?:-|show|dev|port|sys|list|status|mlx|bnxt|irdma|ice|ionic|nvidia|is-).*)?"
        r"|ip(?: -[a-z]+)* (?:route|rule|neigh|netns|-V).*",
        read_nothing,
    ),
)

COMMANDS: tuple[Command, ...] = (
    *nvidia.SCRIPT,
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

FILES = Command("cat FILE", "", files.read)
