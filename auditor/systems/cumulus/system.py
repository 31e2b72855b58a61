"""NVIDIA Cumulus Linux: its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_plain
from auditor.systems.system import ALL, SHELL, ChangeControl, RemedySyntax, System

SYSTEM = System(
    os="cumulus_nvue",
    folder="cumulus",
    name="NVIDIA Cumulus Linux",
    rank=80,
    models=ALL,
    give=(
        "startup.yaml, nv config show, or nv set lines",
        "qos_features.conf, qos_infra.conf and /etc/network/interfaces of older releases",
        "nv show qos roce",
        "nv show interface [IF qos roce status]",
        "nv show interface lldp",
        "nv show interface IF counters qos",
    ),
    aliases=(
        "cumulus",
        "cumulus_linux",
        "cumulus-linux",
        "nvidia-cumulus",
        "nvue",
        "nvidia.nvue.nvue",
    ),
    remedies=RemedySyntax(
        "swp1",
        make_applier(type_plain),
        ChangeControl(
            "nv config history",
            "nv config diff",
            "nv config apply REVISION",
            "nv config save",
        ),
        ends_open=True,
    ),
    login=SHELL,
)
