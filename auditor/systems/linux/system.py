"""Linux host with RoCE NICs: its names, and how it is read and pulled."""

from dataclasses import replace

from auditor.grammar.show import Deferred
from auditor.systems.system import SHELL, Maker, RemedySyntax, System

SYSTEM = System(
    os="linux",
    folder="linux",
    name="Linux host with RoCE NICs",
    rank=120,
    models="NIC and driver, RDMA device, trust, PFC, DCQCN, markings, buffers, MTU, firmware settings, counters, links",
    give=(
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
    aliases=(
        "host",
        "server",
        "ubuntu",
        "debian",
        "rhel",
        "rocky",
        "sles",
        "gpu",
        "linux_ssh",
    ),
    kind="host",
    remedies=RemedySyntax(
        "ens1f0np0",
        Deferred("auditor.systems.linux.effects.apply", "type_lines"),
        undo=Deferred("auditor.systems.linux.effects.undo", "undo_lines"),
        list_quoted=Deferred("auditor.systems.linux.line_facts", "list_quoted"),
        makers=(
            Maker("nvidia", "NVIDIA", "mlx"),
            Maker("broadcom", "Broadcom", "bnxt_re"),
            Maker("intel", "Intel", "irdma"),
            Maker("amd", "AMD", "ionic"),
        ),
    ),
    login=replace(SHELL, keeps_failed=True),
)
