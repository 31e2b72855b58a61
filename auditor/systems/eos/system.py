"""Arista EOS: its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.systems.system import ALL, TERMINAL, ChangeControl, Login, RemedySyntax, System

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
    remedies=RemedySyntax(
        "Ethernet1/1",
        make_applier(type_at_modes),
        ChangeControl(
            "configure checkpoint save before-fix",
            "configure session fix; show session-config diffs; commit",
            "configure checkpoint restore before-fix",
            "write memory",
        ),
    ),
    login=Login("arista_eos", TERMINAL),
)
