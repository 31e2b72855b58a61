"""H3C and HPE FlexFabric switches (Comware): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.body import Body
from auditor.grammar.config import Dialect
from auditor.grammar.lldp import LldpForm
from auditor.grammar.system import Shown, System
from auditor.grammar.views import Syntax, interface_view
from auditor.model.setting import Where
from auditor.systems.comware.interfaces import READERS
from auditor.systems.comware.resolve import resolve
from auditor.systems.comware.switch import Comware, block

_RATES = {
    "Twenty-FiveGigE": 25.0,
    "FortyGigE": 40.0,
    "FiftyGigE": 50.0,
    "HundredGigE": 100.0,
    "TwoHundredGigE": 200.0,
    "FourHundredGigE": 400.0,
    "EightHundredGigE": 800.0,
}
_PORT = re.compile(rf"(?P<kind>{'|'.join(_RATES)}|Ten-GigabitEthernet|GigabitEthernet)\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
_DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"#|return\Z"),
        openers=re.compile(r"interface \S|qos map-table \S|qos wred queue table \S"),
    ),
    negation="undo",
    stanza=interface_view,
    readers=READERS,
    block=block,
    hostname=re.compile(r"sysname (?P<value>\S+)"),
    version=re.compile(r"\s?version (?P<value>\d+\.\d+\.\d+, \w+ \w+)"),
    whole=re.compile(r"\s?version \d+\.\d+\.\d+, |\s*(?:line (?:vty|class|aux)|user-group |role name |irf )"),
    member=re.compile(r"port link-aggregation group (?P<value>\d{1,4})\b"),
    lag=lambda number: f"Bridge-Aggregation{number}",
    known=re.compile(
        r"qos |priority-flow-control|traffic |buffer |flow-control|burst-mode|dcbx |lldp tlv-enable dot1-tlv dcbx|"
        r"flow-interval|traffic-policy"
    ),
    irrelevant=re.compile(
        r"acl|aggregate|arp|ai-|apply|authorization|bfd|bgp|broadcast|clock|combo|command|customer|dhcp|dldp|dns|"
        r"domain|duplex|evpn|fec|ftp|hwtacacs|info-center|ip |ipv6|irf|isis|jumbo|l2vpn|lacp|license|line|"
        r"link-|lldp|local-user|loopback|loop|mac|management|m-lag|mdi|mirroring|monitor|multicast|netconf|ntp|openflow|ospf|"
        r"password|pim|port |portal|public-key|radius|role|route|rule|scheduler|sflow|snmp|ssh|stp|super|switch|"
        r"sysname|system|tcp|telemetry|telnet|tunnel|undo|unicast|user|vlan|vrrp|vsi|vxlan|xconnect|set |super"
    ),
)
_LLDP = LldpForm(
    head=re.compile(r"LLDP neighbor-information of port \d+\s?\[(?P<port>[^\]]+)\]"),
    port=_PORT,
    port_id="Port ID",
    name="System name",
    fresh=re.compile(r"LLDP neighbor index\b"),
)
_SYSTEM = System(
    os="hp_comware",
    name="Comware",
    command="display current-configuration",
    dialect=_DIALECT,
    new=lambda: Comware(Body(Where("", 0))),
    resolve=resolve,
    port=_PORT,
    rates=_RATES,
    own=re.compile(
        r"^\s*(?:interface (?:Bridge-Aggregation|Route-Aggregation|Vlan-interface|Ten-GigabitEthernet|"
        r"M-GigabitEthernet|Twenty-FiveGigE|FiftyGigE)\d|"
        r"priority-flow-control (?:enable|auto|no-drop dot1p|deadlock|dot1p \d|poolid)(?![\w-])|qos map-table |"
        r"qos wred (?:queue|apply)\b|qos trust dot1p|version \d+\.\d+\.\d+, (?:Release|ESS|Feature|Alpha|Beta) |"
        r"port link-aggregation group |port link-mode )",
        re.MULTILINE,
    ),
    other=re.compile(
        r"^\s*(?:!Software Version V\d|dcb pfc\b|diffserv domain |"
        r"interface (?:\d{2,3}GE|XGigabitEthernet|MEth|Eth-Trunk)\d)",
        re.MULTILINE,
    ),
    shown={
        "display lldp neighbor-information verbose": Shown(
            re.compile(r"^LLDP neighbor-information of port \d+\s?\[", re.MULTILINE), _LLDP.read
        ),
    },
    reads_like_qos=re.compile(
        r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|\bwred\b|\bdscp\b|dot1p|no-drop|deadlock|\bmtu\b|jumbo|"
        r"flow-control|low-limit|\bimport \d|\bdcb\b|^interface ",
        re.IGNORECASE,
    ),
)
OS, CONFIG = _SYSTEM.os, _SYSTEM.command
recognise, parse = _SYSTEM.recognise, _SYSTEM.parse
__all__ = ["CONFIG", "OS", "parse", "recognise"]
