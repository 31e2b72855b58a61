"""SONiC (community): its names, and how it is read and pulled."""

from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, SHELL, ChangeControl, RemedySyntax, System

SYSTEM = System(
    os="sonic",
    folder="sonic",
    name="SONiC (community)",
    rank=100,
    models=ALL,
    give=(
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
    aliases=(
        "sonic-nos",
        "community_sonic",
        "azure_sonic",
        "edgecore_sonic",
        "sonic_ssh",
    ),
    relative="dell_enterprise_sonic",
    remedies=RemedySyntax(
        "Ethernet0",
        Deferred("auditor.systems.sonic.commands", "apply_commands"),
        ChangeControl(
            "sudo config checkpoint before-fix",
            "sudo config list-checkpoints",
            "sudo config rollback before-fix",
            "sudo config save -y",
        ),
        Deferred("auditor.systems.sonic.own_names", "read_own_names"),
    ),
    login=SHELL,
)
