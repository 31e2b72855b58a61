"""Cisco IOS XR (8000, NCS 5500 and 5700): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

SYSTEM = System(
    os="cisco_iosxr",
    folder="iosxr",
    name="Cisco IOS XR (8000, NCS 5500/5700)",
    rank=45,
    models=ALL,
    give=(
        "show running-config [formal]",
        "show lldp neighbors detail",
        "show interfaces",
        "show controllers KIND *",
        "show controllers KIND * priority-flow-control",
        "show controllers npu priority-flow-control location all",
        "show policy-map interface all",
        "show qos interface PORT output",
    ),
    aliases=("iosxr", "ios-xr", "ios_xr", "cisco_xr", "cisco-iosxr", "cisco-ios-xr", "cisco.iosxr.iosxr"),
    remedies=RemedySyntax(
        "HundredGigE0/0/0/0",
        make_applier(type_at_modes),
        ChangeControl(
            "show configuration commit list 1",
            "show commit changes diff",
            "rollback configuration last 1",
            "commit",
        ),
        Deferred("auditor.grammar.own_names", "read_own_names"),
        list_quoted=Deferred("auditor.systems.iosxr.quotes", "list_quoted"),
    ),
    login=Login(
        "cisco_xr",
        (("terminal width 511", "long lines stay whole"), ("terminal length 0", "no paging"), ("exit", "logging out")),
    ),
)
