"""Aruba CX switches (AOS-CX): their core, from `show running-config` and LLDP neighbours."""

import re

from auditor.grammar.config import Dialect
from auditor.grammar.lldp import LldpForm, LldpTable
from auditor.grammar.prompts import typed_in_modes
from auditor.grammar.system import Shown, System
from auditor.grammar.views import Syntax
from auditor.systems.aoscx.resolve import resolve
from auditor.systems.aoscx.statements import INTERFACE, OWN, SCHEDULE, stanza
from auditor.systems.aoscx.switch import QUEUE_PROFILE, SWITCH, VIEWS, AosCx, pools

_PORT = re.compile(r"(?P<kind>)\d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})?\Z")
DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"!|end\Z|exit\Z|Current configuration:"),
        banner=re.compile(r"banner \w+ (?P<end>\S)\s*\Z"),
        prompts=typed_in_modes,
    ),
    opens=re.compile(r"interface \S"),
    stanza=stanza,
    port=_PORT,
    interface=INTERFACE,
    own=OWN,
    switch=SWITCH,
    views=VIEWS,
    hostname=re.compile(r"hostname (?P<value>\S+)"),
    version=re.compile(r"!Version ArubaOS-CX (?P<value>\S+)"),
    whole=re.compile(r"!Version ArubaOS-CX|(?:user \S+ group|ssh server vrf|vrf |interface (?:mgmt|vlan|loopback)\b)"),
)
_LLDP = LldpForm(
    head=re.compile(r"Port\s*: (?P<port>\S+)\Z"),
    port=_PORT,
    port_id="Neighbor Port-ID",
    name="Neighbor System-Name",
    fresh=re.compile(r"(?!)"),
)
_TABLE = LldpTable(
    re.compile(
        r"(?P<local>\S+)\s+(?P<chassis>(?:[0-9a-f]{2}:){5}[0-9a-f]{2})\s+(?P<far>\S+)(?:\s+\S.*?)?\s{2,}\d{1,5}"
        r"(?:\s{2,}(?P<name>\S+))?"
    ),
    _PORT,
)
_SYSTEM = System(
    os="aruba_aoscx",
    name="AOS-CX",
    command="show running-config",
    dialect=DIALECT,
    new=AosCx,
    resolve=resolve,
    own=re.compile(
        r"^(?:!Version ArubaOS-CX|interface \d{1,2}/\d{1,2}/\d{1,3}\b|interface lag \d|ssh server vrf \S|"
        r"qos (?:(?:queue|schedule|threshold)-profile |(?:dscp|cos)-map \d+ local-priority |pool \d)|"
        r"apply qos (?:queue|schedule|threshold)-profile |\s+flow-control (?:priority |rxtx\b)|vsx\s*$|"
        r"\s+vlan trunk (?:native|allowed) |\s+vlan access \d)",
        re.MULTILINE,
    ),
    other=re.compile(
        r"^(?:## |! Version 10\.|feature \w|daemon TerminAttr|interface (?:GigabitEthernet|TenGigabitEthernet)|"
        r"interface ethernet1/1/|switchport |Running configuration:|; J\w+ Configuration Editor)",
        re.MULTILINE,
    ),
    shown={
        "show lldp neighbor-info detail": Shown(re.compile(r"^Neighbor System-Name\s*:", re.MULTILINE), _LLDP.read),
        "show lldp neighbor-info": Shown(
            re.compile(r"^LOCAL-PORT +CHASSIS-ID +PORT-ID +PORT-DESC +TTL +SYS-NAME", re.MULTILINE), _TABLE.read
        ),
    },
    reads_like_qos=re.compile(
        r"\bqos\b|priority-flow-control|flow-control|\bpause\b|\becn\b|\bdscp\b|\bcos\b|threshold-profile|queue-profile|"
        r"schedule-profile|local-priority|lossless|\bmtu\b|\bdcbx\b|^interface ",
        re.IGNORECASE,
    ),
    built_in={QUEUE_PROFILE: frozenset({"factory-default"}), SCHEDULE: frozenset({"factory-default", "strict"})},
    pools=pools,
)
OS, CONFIG = _SYSTEM.os, _SYSTEM.command
recognise, parse = _SYSTEM.recognise, _SYSTEM.parse
__all__ = ["CONFIG", "OS", "parse", "recognise"]
