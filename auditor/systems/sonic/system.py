"""SONiC (community): its names, and how it is read and pulled."""

from auditor.systems.sonic.typed import apply_commands
from auditor.systems.system import ALL, SHELL, RemedySyntax, System

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
    remedies=RemedySyntax("Ethernet0", apply_commands),
    login=SHELL,
)
