"""H3C or HPE Comware: its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_in_views
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

_CONTROL = ChangeControl(
    "save before-fix.cfg",
    "display diff configfile before-fix.cfg current-configuration",
    "system-view; configuration replace file before-fix.cfg",
    "save safely",
)
"""https://wwwsg.h3c.com/en/d_202311/1964084_294551_0.htm, configuration file management.

`save` with a file leaves the file of the next startup alone; the page recommends `safely`.
"""
SYSTEM = System(
    os="hp_comware",
    folder="comware",
    name="H3C or HPE Comware",
    rank=20,
    models=ALL,
    give=(
        "display current-configuration",
        "display lldp neighbor-information verbose",
        "display interface",
        "display priority-flow-control interface",
    ),
    aliases=(
        "h3c",
        "h3c_comware",
        "comware",
        "comware7",
        "hpe-comware",
        "h3c-comware",
    ),
    remedies=RemedySyntax(
        "HundredGigE1/0/1",
        make_applier(type_in_views),
        _CONTROL,
        read_names=Deferred("auditor.grammar.profile_names", "read_profile_names"),
    ),
    login=Login(
        "hp_comware",
        (
            ("screen-length disable", "no paging"),
            ("quit", "logging out"),
        ),
    ),
)
