"""The operating systems that are read: how their dumps are recognised and parsed, how deep, and what to give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems import aoscx, comware, cumulus, enterprise_sonic, eos, huawei, jobs, junos, nxos, os10, sonic
from auditor.systems import linux as host


class Depth(StrEnum):
    """How much of an operating system is modelled; what is not is Unknown, and the rules that ask for it stay open."""

    FULL = "full"
    BASIC = "basic"


@dataclass(frozen=True, slots=True)
class Parser:
    """One operating system.

    `whole` are the commands that show a whole device; `name`, `depth`, `models` and `give` tell people what it is, what
    is read of it, and which files or outputs to give.
    """

    recognise: Callable[[Capture], str | None]
    parse: Callable[[str, str, Sequence[Capture]], Device]
    name: str
    models: str
    give: tuple[str, ...]
    depth: Depth = Depth.FULL
    whole: frozenset[str] = frozenset()


_ALL = "PFC both ways and its watchdog, classification, marking, queues, ECN and WRED, buffers, MTU, links"

_CORE = "PFC and its watchdog, trust and maps of code points, ECN and WRED, MTU, speed, neighbours"

PARSERS: Mapping[str, Parser] = {
    huawei.OS: Parser(
        huawei.recognise,
        huawei.parse,
        "Huawei CloudEngine (VRP)",
        _CORE,
        ("display current-configuration", "display lldp neighbor [brief]"),
        depth=Depth.BASIC,
        whole=frozenset({huawei.CONFIG}),
    ),
    comware.OS: Parser(
        comware.recognise,
        comware.parse,
        "H3C or HPE Comware",
        _CORE,
        ("display current-configuration", "display lldp neighbor-information verbose"),
        depth=Depth.BASIC,
        whole=frozenset({comware.CONFIG}),
    ),
    aoscx.OS: Parser(
        aoscx.recognise,
        aoscx.parse,
        "Aruba CX (AOS-CX)",
        _CORE,
        ("show running-config", "show lldp neighbor-info [detail]"),
        depth=Depth.BASIC,
        whole=frozenset({aoscx.CONFIG}),
    ),
    eos.OS: Parser(
        eos.recognise,
        eos.parse,
        "Arista EOS",
        _ALL,
        (
            "show running-config [all]",
            "show lldp neighbors [detail]",
            "show interfaces status",
            "show priority-flow-control [counters]",
            "show version",
        ),
        whole=frozenset({eos.CONFIG}),
    ),
    nxos.OS: Parser(
        nxos.recognise,
        nxos.parse,
        "Cisco NX-OS (Nexus 3000/9000)",
        _ALL,
        (
            "show running-config",
            "show lldp neighbors detail",
            "show interface status",
            "show interface priority-flow-control [detail]",
            "show interface",
            "show queuing interface",
        ),
        whole=frozenset({nxos.CONFIG}),
    ),
    os10.OS: Parser(
        os10.recognise,
        os10.parse,
        "Dell SmartFabric OS10",
        _ALL,
        (
            "show running-configuration",
            "show lldp neighbors [detail]",
            "show interface status",
            "show interface IF priority-flow-control details",
            "show version",
        ),
        whole=frozenset({os10.CONFIG}),
    ),
    junos.OS: Parser(
        junos.recognise,
        junos.parse,
        "Juniper Junos and Junos Evolved (QFX)",
        _ALL,
        (
            "show configuration [| display set], whole or in parts",
            "show lldp neighbors [detail]",
            "show interfaces [terse|extensive|queue]",
            "show class-of-service interface",
            "show version",
        ),
        whole=frozenset({junos.CONFIG}),
    ),
    cumulus.OS: Parser(
        cumulus.recognise,
        cumulus.parse,
        "NVIDIA Cumulus Linux",
        _ALL,
        (
            "startup.yaml, nv config show, or nv set lines",
            "qos_features.conf, qos_infra.conf and /etc/network/interfaces of older releases",
            "nv show qos roce",
            "nv show interface [IF qos roce status]",
            "nv show interface lldp",
            "nv show interface IF counters qos",
        ),
        whole=frozenset({cumulus.CONFIG}),
    ),
    enterprise_sonic.OS: Parser(
        enterprise_sonic.recognise,
        enterprise_sonic.parse,
        "Enterprise SONiC (Dell, Broadcom)",
        _ALL,
        (
            "show running-configuration of sonic-cli, or config_db.json",
            "show interface status",
            "show lldp table or show lldp neighbor",
            "show qos interface IF priority-flow-control statistics",
            "show version",
        ),
        whole=enterprise_sonic.WHOLE,
    ),
    sonic.OS: Parser(
        sonic.recognise,
        sonic.parse,
        "SONiC (community)",
        _ALL,
        (
            "config_db.json",
            "show runningconfiguration all",
            "pg_profile_lookup.ini",
            "show pfc priority",
            "show pfcwd config",
            "show buffer configuration",
            "show buffer information",
            "ecnconfig -l",
            "show lldp table",
            "show pfc counters",
            "show priority-group drop counters",
            "show queue counters",
            "show queue wredcounters",
            "sonic-db-dump -n STATE_DB -y",
        ),
        whole=frozenset({sonic.CONFIG}),
    ),
    jobs.OS: Parser(
        jobs.recognise,
        jobs.parse,
        "Jobs: Kubernetes manifests and Slurm batch scripts",
        "variables of NCCL, RCCL, UCX, NVSHMEM and MORI, what an operator sets on NICs, MTU of networks for RDMA",
        (
            "kubectl get -A -o yaml configmaps,pods,jobs,mpijobs,pytorchjobs",
            "kubectl get -A -o yaml network-attachment-definitions,sriovnetworknodepolicies",
            "kubectl get -A -o yaml nicconfigurationtemplates",
            "scripts of sbatch",
        ),
    ),
    "linux": Parser(
        host.LINUX.recognise,
        host.LINUX.parse,
        "Linux host with RoCE NICs",
        "NIC and driver, RDMA device, trust, PFC, DCQCN, markings, buffers, MTU, firmware settings, counters, links",
        (
            "ip -j -d link",
            "rdma -j link",
            "show_gids",
            "ibv_devinfo -v",
            "ethtool [-a|-i|-S] IF",
            "lldpctl -f json0",
            "lspci -vvv",
            "NVIDIA: mlnx_qos -i IF",
            "NVIDIA: grep -r . /sys/class/net/IF/ecn/",
            "NVIDIA: cat /sys/class/infiniband/DEV/tc/1/traffic_class",
            "NVIDIA: mlxconfig -d DEV -e q",
            "Broadcom: niccli -dev N getqos",
            "Broadcom: cat /sys/kernel/config/bnxt_re/DEV/ports/1/cc/apply",
            "Intel: dcb pfc|ets|app show dev IF",
            "AMD: nicctl show qos|dcqcn|port",
        ),
    ),
    "windows": Parser(
        host.WINDOWS.recognise,
        host.WINDOWS.parse,
        "Windows host with RoCE NICs",
        "PFC and traffic classes of each NIC",
        ("Get-NetAdapterQos",),
        Depth.BASIC,
    ),
}
"""Operating systems in the order in which a dump is tried."""
