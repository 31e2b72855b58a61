"""Cisco NX-OS (Nexus 3000/9000): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, TERMINAL, ChangeControl, Login, RemedySyntax, System

SYSTEM = System(
    os="cisco_nxos",
    folder="nxos",
    name="Cisco NX-OS (Nexus 3000/9000)",
    rank=50,
    models=ALL,
    give=(
        "show running-config",
        "show lldp neighbors detail",
        "show interface status",
        "show interface priority-flow-control [detail]",
        "show interface",
        "show queuing interface",
    ),
    aliases=(
        "nxos",
        "nxos_ssh",
        "nx-os",
        "cisco-nxos",
        "cisco-nx-os",
        "cisco.nxos.nxos",
    ),
    remedies=RemedySyntax(
        "Ethernet1/1",
        make_applier(type_at_modes),
        ChangeControl(
            "checkpoint before-fix",
            "show running-config diff",
            "rollback running-config checkpoint before-fix",
            "copy running-config startup-config",
        ),
        Deferred("auditor.grammar.own_names", "read_own_names"),
        ends_open=True,
    ),
    login=Login("cisco_nxos", TERMINAL),
)
