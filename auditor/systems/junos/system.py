"""Juniper Junos and Junos Evolved (QFX): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_plain
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

SYSTEM = System(
    os="juniper_junos",
    folder="junos",
    name="Juniper Junos and Junos Evolved (QFX)",
    rank=70,
    models=ALL,
    give=(
        "show configuration [| display set], whole or in parts",
        "show lldp neighbors [detail]",
        "show interfaces [terse|extensive|queue]",
        "show class-of-service interface",
        "show version",
    ),
    aliases=(
        "junos",
        "juniper",
        "juniper-junos",
        "junos-evolved",
        "junipernetworks.junos.junos",
        "juniper.device.junos",
    ),
    remedies=RemedySyntax(
        "et-0/0/0",
        make_applier(type_plain),
        ChangeControl(
            "show system commit",
            "show | compare; commit check; commit confirmed 5; commit",
            "rollback 1; commit",
            "the commit is saved",
        ),
        ends_open=True,
    ),
    login=Login(
        "juniper_junos",
        (
            ("cli", "the CLI where the login is a shell"),
            ("set cli screen-width 511", "long lines stay whole"),
            ("set cli complete-on-space off", "blanks are blanks"),
            ("set cli screen-length 0", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
