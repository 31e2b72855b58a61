"""Aruba CX switches (AOS-CX): their core, from `show running-config` and LLDP neighbours."""

import re

from auditor.grammar.config import Dialect
from auditor.grammar.system import System
from auditor.grammar.views import Syntax
from auditor.systems.aoscx.interfaces import READERS, SCHEDULE, stanza
from auditor.systems.aoscx.resolve import resolve
from auditor.systems.aoscx.show import PORT, TABLE
from auditor.systems.aoscx.switch import QUEUE_PROFILE, AosCx, block, pools
from auditor.systems.aoscx.system import SYSTEM

_DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"!|end\Z|exit\Z|Current configuration:"),
        banner=re.compile(r"banner \w+ (?P<end>\S)\s*\Z"),
    ),
    negation="no",
    stanza=stanza,
    readers=READERS,
    block=block,
    hostname=re.compile(r"hostname (?P<value>\S+)"),
    version=re.compile(r"!Version ArubaOS-CX (?P<value>\S+)"),
    whole=re.compile(r"!Version ArubaOS-CX|(?:user \S+ group|ssh server vrf|vrf |interface (?:mgmt|vlan|loopback)\b)"),
    member=re.compile(r"lag (?P<value>\d{1,3})\Z"),
    lag=lambda number: f"lag {number}",
    known=re.compile(r"qos |apply |rate-limit|dcbx|flow-control|class |policy |shape|lldp dcbx"),
    irrelevant=re.compile(
        r"aaa|access-list|aruba-central|arp|banner|bfd|cdp|checkpoint|cli-session|clock|container|copp|description|dhcp|"
        r"dns|domain|energy|erps|error-control|evpn|external|fault|https-server|hostname|include|ip |ipv6|"
        r"keychain|lacp|lag |led|link|lldp|logging|loop-protect|mac|mclag|mirror|module|mvrp|nae|ntp|object-group|ospf|"
        r"persona|pim|portfilter|port-access|power|profile|prefix|ptp|radius|route|router|routing|sflow|snmp|"
        r"spanning-tree|split|ssh|startup|system|tacacs|telnet|tftp|track|udld|user|vlan|vrf|vrrp|vsf|vsx|vxlan"
    ),
)
_SYSTEM = System(
    os=SYSTEM.os,
    name="AOS-CX",
    shows=TABLE,
    dialect=_DIALECT,
    new=AosCx,
    resolve=resolve,
    port=PORT,
    reads_like_qos=re.compile(
        r"\bqos\b|priority-flow-control|flow-control|\bpause\b|\becn\b|\bdscp\b|\bcos\b|threshold-profile|queue-profile|"
        r"schedule-profile|local-priority|lossless|\bmtu\b|\bdcbx\b|^interface ",
        re.IGNORECASE,
    ),
    built_in={QUEUE_PROFILE: frozenset({"factory-default"}), SCHEDULE: frozenset({"factory-default", "strict"})},
    pools=pools,
)
parse = _SYSTEM.parse
