"""Huawei CloudEngine switches (VRP): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.body import DROP_PROFILE
from auditor.grammar.config import Dialect
from auditor.grammar.lldp import LldpForm, LldpTable
from auditor.grammar.prompts import typed_in_views
from auditor.grammar.system import Shown, System
from auditor.grammar.views import Syntax
from auditor.systems.huawei.resolve import resolve
from auditor.systems.huawei.statements import DOMAIN, INTERFACE, OWN, PFC_PROFILE, stanza
from auditor.systems.huawei.switch import SWITCH, VIEWS, Vrp

_RATES = {f"{gbps}GE": float(gbps) for gbps in (25, 40, 50, 100, 200, 400, 800)}
_PORT = re.compile(rf"(?P<kind>{'|'.join(_RATES)}|10GE|X?GE|X?GigabitEthernet|MultiGE)\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"[#!]|(?:return|commit)\Z"),
        trailing=re.compile(r"\s+//"),
        leave=re.compile(r"quit\Z"),
        prompts=typed_in_views,
    ),
    opens=re.compile(r"(?:interface|port-group) \S"),
    stanza=stanza,
    port=_PORT,
    interface=INTERFACE,
    own=OWN,
    switch=SWITCH,
    views=VIEWS,
    hostname=re.compile(r"sysname (?P<value>\S+)"),
    version=re.compile(r"!Software Version (?P<value>\S+)"),
    whole=re.compile(r"!Software Version|\s*(?:aaa|user-interface |stelnet |interface (?:MEth|NULL|LoopBack|Vlanif))"),
)
_LLDP = LldpForm(
    head=re.compile(r"(?P<port>\S+) has \d+ neighbor"),
    port=_PORT,
    port_id="Port ID",
    name="System name",
    fresh=re.compile(r"Neighbor index\b"),
)
_BRIEF = LldpTable(re.compile(r"(?P<local>\S+)\s+\d{1,5}\s+(?P<far>\S+)\s+(?P<name>\S+)"), _PORT)
_SYSTEM = System(
    os="huawei_vrp",
    name="Huawei VRP",
    command="display current-configuration",
    dialect=DIALECT,
    new=Vrp,
    resolve=resolve,
    rates=_RATES,
    own=re.compile(
        r"^\s*(?:!Software Version V\d|dcb pfc\b|diffserv domain |trust (?:upstream|8021p) |drop-profile \S|"
        r"interface (?:\d{2,3}GE\d|XGigabitEthernet\d|MEth\d|Eth-Trunk\d|Vlanif\d|MultiGE\d)|"
        r"qos buffer headroom-pool |jumboframe enable \d+ \d+|ip-dscp-inbound |qos phb marking )",
        re.MULTILINE,
    ),
    other=re.compile(
        r"^\s*(?:interface (?:Bridge-Aggregation|Vlan-interface|Ten-GigabitEthernet|M-GigabitEthernet|FGE|HGE)|"
        r"priority-flow-control (?:enable|auto|no-drop|deadlock|dot1p)\b)",
        re.MULTILINE,
    ),
    shown={
        "display lldp neighbor brief": Shown(
            re.compile(r"^\s*Local Interface +Exptime ?\(s\) +Neighbor Interface +Neighbor Device", re.MULTILINE),
            _BRIEF.read,
        ),
        "display lldp neighbor": Shown(re.compile(r"^\S+ has \d+ neighbor\(s\)", re.MULTILINE), _LLDP.read),
    },
    reads_like_qos=re.compile(
        r"\bqos\b|\bpfc\b|\bdcb\b|\bpause\b|\becn\b|\bwred\b|\bdscp\b|8021p|drop-profile|priority|deadlock|\bmtu\b|jumbo|"
        r"flow-control|\btrust\b|priority-flow-control|discard-percentage|^interface ",
        re.IGNORECASE,
    ),
    built_in={DOMAIN: frozenset({"default"}), DROP_PROFILE: frozenset({"default"}), PFC_PROFILE: frozenset({""})},
)
OS, CONFIG = _SYSTEM.os, _SYSTEM.command
recognise, parse = _SYSTEM.recognise, _SYSTEM.parse
__all__ = ["CONFIG", "OS", "parse", "recognise"]
