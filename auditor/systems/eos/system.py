"""Arista EOS: its names, and how it is read and pulled."""

from auditor.systems.system import ALL, Login, System

SYSTEM = System(
    os="arista_eos",
    folder="eos",
    name="Arista EOS",
    rank=40,
    models=ALL,
    give=(
        "show running-config [all]",
        "show lldp neighbors [detail]",
        "show interfaces status",
        "show priority-flow-control [counters]",
        "show version",
    ),
    aliases=(
        "eos",
        "arista",
        "arista-eos",
        "arista.eos.eos",
    ),
    remedied=True,
    login=Login(
        "arista_eos",
        (
            ("terminal width 511", "long lines stay whole"),
            ("terminal length 0", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
