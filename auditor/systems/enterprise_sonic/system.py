"""Enterprise SONiC (Dell, Broadcom): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.systems.system import ALL, Login, RemedySyntax, System

SYSTEM = System(
    os="dell_enterprise_sonic",
    folder="enterprise_sonic",
    name="Enterprise SONiC (Dell, Broadcom)",
    rank=90,
    models=ALL,
    give=(
        "show running-configuration of sonic-cli, or config_db.json",
        "show interface status",
        "show lldp table or show lldp neighbor",
        "show qos interface IF priority-flow-control statistics",
        "show version",
    ),
    aliases=(
        "dell_sonic",
        "dell-sonic",
        "enterprise_sonic",
        "dell-enterprise-sonic",
        "dellemc.enterprise_sonic.sonic",
    ),
    remedies=RemedySyntax("Eth1/1", make_applier(type_at_modes), ends_open=True),
    login=Login(
        "dell_sonic",
        (
            ("sonic-cli", "the CLI instead of the shell"),
            ("terminal length 0", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
