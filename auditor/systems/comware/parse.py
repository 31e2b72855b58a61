"""H3C and HPE FlexFabric switches (Comware): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.body import Body
from auditor.grammar.config import Dialect
from auditor.grammar.system import System
from auditor.grammar.views import Syntax, interface_view
from auditor.model.setting import Where
from auditor.systems.comware.interfaces import READERS
from auditor.systems.comware.resolve import resolve
from auditor.systems.comware.show import PORT, RATES, TABLE
from auditor.systems.comware.switch import Comware, block
from auditor.systems.comware.system import SYSTEM

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
_SYSTEM = System(
    os=SYSTEM.os,
    name="Comware",
    shows=TABLE,
    dialect=_DIALECT,
    new=lambda: Comware(Body(Where("", 0))),
    resolve=resolve,
    port=PORT,
    rates=RATES,
    reads_like_qos=re.compile(
        r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|\bwred\b|\bdscp\b|dot1p|no-drop|deadlock|\bmtu\b|jumbo|"
        r"flow-control|low-limit|\bimport \d|\bdcb\b|^interface ",
        re.IGNORECASE,
    ),
)
parse = _SYSTEM.parse
