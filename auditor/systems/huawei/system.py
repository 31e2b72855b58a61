"""Huawei CloudEngine (VRP): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_in_views
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

_CONTROL = ChangeControl(
    "save before-fix.cfg",
    "display configuration changes file before-fix.cfg running",
    "rollback configuration to file before-fix.cfg",
    "save",
)
"""CloudEngine CE6800 V300R023 Command Reference: save, display configuration changes, rollback configuration.

A file that is not that of the next startup leaves this one alone; the first of two configurations is the source.
"""
SYSTEM = System(
    os="huawei_vrp",
    folder="huawei",
    name="Huawei CloudEngine (VRP)",
    rank=10,
    models=ALL,
    give=(
        "display current-configuration",
        "display lldp neighbor [brief]",
        "display interface",
        "display dcb pfc [buffer]",
    ),
    aliases=(
        "huawei",
        "huawei-ce",
        "huawei_ce",
        "huawei_vrpv8",
        "vrp",
        "cloudengine",
        "huawei-cloudengine",
        "community.network.ce",
        "ce",
    ),
    remedies=RemedySyntax(
        "100GE1/0/1",
        make_applier(type_in_views),
        _CONTROL,
        read_names=Deferred("auditor.systems.huawei.own_names", "read_own_names"),
    ),
    login=Login(
        "huawei",
        (
            ("screen-length 0 temporary", "no paging"),
            ("N", "declining to change the password"),
            ("quit", "logging out"),
        ),
    ),
)
