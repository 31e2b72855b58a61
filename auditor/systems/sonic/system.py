"""SONiC (community): its names, and how it is read and pulled."""

from collections.abc import Sequence
from importlib import import_module

from auditor.model.dump import Capture
from auditor.systems.sonic.own_names import list_own_names
from auditor.systems.system import ALL, SHELL, ChangeControl, RemedySyntax, System


def _apply(lines: Sequence[str], captures: Sequence[Capture]) -> tuple[Capture, ...] | None:
    """Return the captures after the commands were typed; what reads them is imported at first use."""
    typed: tuple[Capture, ...] | None = import_module("auditor.systems.sonic.commands").apply_commands(lines, captures)
    return typed


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
        _apply,
        ChangeControl(
            "sudo config checkpoint before-fix",
            "sudo config list-checkpoints",
            "sudo config rollback before-fix",
            "sudo config save -y",
        ),
        list_own_names,
    ),
    login=SHELL,
)
