"""Huawei CloudEngine switches (VRP): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.body import DROP_PROFILE
from auditor.grammar.config import Dialect
from auditor.grammar.system import System
from auditor.grammar.views import Syntax
from auditor.systems.huawei.interfaces import DOMAIN, READERS, stanza
from auditor.systems.huawei.resolve import resolve
from auditor.systems.huawei.show import PORT, RATES, TABLE
from auditor.systems.huawei.switch import Vrp, block
from auditor.systems.huawei.system import SYSTEM

_DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"[#!]|return\Z"),
        trailing=re.compile(r"\s+//"),
        openers=re.compile(
            r"interface \S|port-group \S|drop-profile \S|diffserv domain \S|"
            r"dcb pfc(?: (?!dscp-mapping|buffer|uplink|deadlock)\S+)?\Z"
        ),
    ),
    negation="undo",
    stanza=stanza,
    readers=READERS,
    block=block,
    hostname=re.compile(r"sysname (?P<value>\S+)"),
    version=re.compile(r"!Software Version (?P<value>\S+)"),
    whole=re.compile(r"!Software Version|\s*(?:aaa|user-interface |stelnet |interface (?:MEth|NULL|LoopBack|Vlanif))"),
    member=re.compile(r"eth-trunk (?P<value>\d{1,4})\Z"),
    lag=lambda number: f"Eth-Trunk{number}",
    known=re.compile(
        r"qos |dcb |dcb-|traffic |traffic-policy|diffserv |trust |flow-control|low-latency|ai-service|ets |pfc |"
        r"buffer |drop-profile |lossless|port-group |adaptive-routing"
    ),
    irrelevant=re.compile(
        r"aaa|acl|arp|assign|authentication|bfd|bgp|carrier|clock|config|device|dhcp|dfs|dns|dot1x|domain|drop|duplex|"
        r"efm|error-down|eth-trunk|ethernet|evpn|fec|ftp|gre|group-member|header|hwtacacs|icmp|igmp|info-center|"
        r"ip |ipv6|isis|isolate|iterate|keychain|lacp|license|lldp|load-balance|local-user|log|loopback|mac|"
        r"management|m-lag|mode |mstp|mpls|multicast|negotiation|netconf|ntp|nqa|observe|ospf|password|patch|peer-link|"
        r"pim|port |port-isolate|ptp|radius|rip|rmon|route|router|rsa|sftp|slot|snmp|snetconf|ssh|ssl|stack|statistics|"
        r"stelnet|stp|storm|super|switch|sysname|system|tacacs|telemetry|telnet|transceiver|user|vlan|vrrp|vxlan|vty|web"
    ),
)
_SYSTEM = System(
    os=SYSTEM.os,
    name="Huawei VRP",
    shows=TABLE,
    dialect=_DIALECT,
    new=Vrp,
    resolve=resolve,
    port=PORT,
    rates=RATES,
    reads_like_qos=re.compile(
        r"\bqos\b|\bpfc\b|\bdcb\b|\bpause\b|\becn\b|\bwred\b|\bdscp\b|8021p|drop-profile|priority|deadlock|\bmtu\b|jumbo|"
        r"flow-control|\btrust\b|priority-flow-control|discard-percentage|^interface ",
        re.IGNORECASE,
    ),
    built_in={DOMAIN: frozenset({"default"}), DROP_PROFILE: frozenset({"default"})},
)
parse = _SYSTEM.parse
