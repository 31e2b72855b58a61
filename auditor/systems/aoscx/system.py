"""Aruba CX (AOS-CX): its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_at_modes
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

_CONTROL = ChangeControl(
    "copy running-config checkpoint before-fix",
    "checkpoint diff before-fix running-config",
    "checkpoint rollback before-fix",
    "write memory",
)
"""https://support.hpe.com/techhub/eginfolib/aruba/os-cx_10.03/5200-5950/, the pages of these commands.

GUID-1AAF01F4-B886-42AA-A4AD-700277B1AE29 `copy`, GUID-127E09B4-A8F4-45EC-BEBA-869E3C60D825 `checkpoint diff`,
GUID-B6E8DE22-69D4-45FA-9729-C93FF04968FB `checkpoint rollback`, GUID-4C93837A-15B2-451A-BD40-B4C6972BE98E `write`.
"""
SYSTEM = System(
    os="aruba_aoscx",
    folder="aoscx",
    name="Aruba CX (AOS-CX)",
    rank=30,
    models=ALL,
    give=(
        "show running-config",
        "show lldp neighbor-info [detail]",
        "show interface [qos]",
        "show interface queues",
        "show interface flow-control detail",
        "show qos dscp-map",
        "show ip ecmp",
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
        _CONTROL,
        read_names=Deferred("auditor.grammar.profile_names", "read_profile_names"),
        ends_open=True,
    ),
    login=Login(
        "aruba_aoscx",
        (
            ("no page", "no paging"),
            ("exit", "logging out"),
        ),
    ),
)
