"""Huawei CloudEngine switches (VRP): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.body import DROP_PROFILE
from auditor.grammar.dialect import ViewDialect, ViewTables
from auditor.grammar.doubts import Ending
from auditor.grammar.lines import LineSyntax
from auditor.grammar.prompts import find_view_lines
from auditor.grammar.system import ViewSystem
from auditor.grammar.viewbgp import BGP
from auditor.grammar.viewrouting import build_routing
from auditor.grammar.viewvlans import find_vlan_line
from auditor.systems.huawei.ai import AI
from auditor.systems.huawei.ets import BUILT_IN, ETS
from auditor.systems.huawei.interfaces import PORT, RATES
from auditor.systems.huawei.policies import POLICY
from auditor.systems.huawei.resolve import resolve
from auditor.systems.huawei.show import TABLE
from auditor.systems.huawei.spreading import BGP_VIEW, ECMP, find_ecmp
from auditor.systems.huawei.statements import DOMAIN, INTERFACE, OWN, PFC_PROFILE, read_stanza
from auditor.systems.huawei.switch import SWITCH, VIEWS, Vrp, find_pools
from auditor.systems.huawei.system import SYSTEM
from auditor.systems.huawei.uplinks import find_turn_groups
from auditor.util.regex import regex

DIALECT = ViewDialect(
    lines=LineSyntax(
        silent=regex(r"(?:return|commit)\Z"),
        comment=regex(r"(?<!\s)\s+//.*"),
        leave=regex(r"[#!]|\s*quit\s*\Z"),
        find_sessions=find_view_lines,
    ),
    opens=regex(r"(?:interface|port-group) \S"),
    stanza=read_stanza,
    port=PORT,
    tables=ViewTables(INTERFACE, OWN, SWITCH, VIEWS, (BGP_VIEW,)),
    hostname=regex(r"sysname (?P<value>\S+)"),
    version=regex(r"!Software Version (?P<value>\S+)"),
    find_vlan_line=find_vlan_line,
    whole=regex(r"!Software Version|\s*(?:aaa|user-interface |stelnet |interface (?:MEth|NULL|LoopBack|Vlanif))"),
)
_SYSTEM = ViewSystem(
    os=SYSTEM.os,
    name="Huawei VRP",
    shows=TABLE,
    dialect=DIALECT,
    new=Vrp,
    resolve=resolve,
    rates=RATES,
    ending=Ending(regex(r"!Software Version V\d"), "return"),
    reads_like_qos=regex(
        r"\bqos\b|\bpfc\b|\bdcb\b|\bpause\b|\becn\b|\bwred\b|\bdscp\b|8021p|drop-profile|priority|deadlock|\bmtu\b|jumbo|"
        r"flow-control|\btrust\b|priority-flow-control|discard-percentage|^interface ",
        re.IGNORECASE,
    ),
    policy=POLICY,
    pools=find_pools,
    ecmp=find_ecmp,
    routing=lambda config: build_routing(config, config.switch.static_routes),
    turn_groups=find_turn_groups,
    built_in={
        AI: frozenset({""}),
        BGP: frozenset({""}),
        ECMP: frozenset({""}),
        DOMAIN: frozenset({"default"}),
        DROP_PROFILE: frozenset({"default"}),
        ETS: frozenset({BUILT_IN}),
        PFC_PROFILE: frozenset({""}),
    },
)
parse = _SYSTEM.parse
