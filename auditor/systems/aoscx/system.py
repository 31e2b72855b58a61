"""Aruba CX (AOS-CX): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.grammar.show import Deferred
from auditor.systems.system import CORE, Depth, Login, RemedySyntax, System

SYSTEM = System(
    os="aruba_aoscx",
    folder="aoscx",
    name="Aruba CX (AOS-CX)",
    rank=30,
    models=CORE,
    give=(
        "show running-config",
        "show lldp neighbor-info [detail]",
        "show interface [qos]",
        "show interface queues",
    ),
    aliases=(
        "aruba_cx",
        "aoscx",
        "aos-cx",
        "arubacx",
        "aruba-cx",
        "arubaos-cx",
        "arubanetworks.aoscx.aoscx",
    ),
    remedies=RemedySyntax(
        "1/1/1",
        make_applier(type_at_modes),
        list_names=Deferred("auditor.grammar.profile_names", "list_profile_names"),
        ends_open=True,
    ),
    depth=Depth.BASIC,
    login=Login(
        "aruba_aoscx",
        (
            ("no page", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
