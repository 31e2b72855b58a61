"""Dell SmartFabric OS10: its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.systems.system import ALL, Login, RemedySyntax, System

SYSTEM = System(
    os="dell_os10",
    folder="os10",
    name="Dell SmartFabric OS10",
    rank=60,
    models=ALL,
    give=(
        "show running-configuration",
        "show lldp neighbors [detail]",
        "show interface status",
        "show interface IF priority-flow-control details",
        "show version",
    ),
    aliases=(
        "os10",
        "dellos10",
        "dell-os10",
        "dell-smartfabric-os10",
        "dellemc.os10.os10",
    ),
    remedies=RemedySyntax("ethernet1/1/1", make_applier(type_at_modes), ends_open=True),
    login=Login(
        "dell_os10",
        (
            ("terminal length 0", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
