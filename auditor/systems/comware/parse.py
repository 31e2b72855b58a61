"""H3C and HPE FlexFabric switches (Comware): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.dialect import ViewDialect, ViewTables
from auditor.grammar.doubts import Ending
from auditor.grammar.lines import LineSyntax
from auditor.grammar.prompts import find_view_lines
from auditor.grammar.system import ViewSystem
from auditor.grammar.viewbgp import BGP
from auditor.grammar.viewrouting import build_routing
from auditor.grammar.viewvlans import find_vlan_line
from auditor.systems.comware.interfaces import PORT, RATES
from auditor.systems.comware.policies import POLICY
from auditor.systems.comware.resolve import resolve
from auditor.systems.comware.show import TABLE
from auditor.systems.comware.spreading import BGP_VIEW, find_ecmp
from auditor.systems.comware.statements import INTERFACE, OWN, name_lag, read_stanza
from auditor.systems.comware.switch import MAP_TABLE, MAPS, SWITCH, VIEWS, Comware
from auditor.systems.comware.system import SYSTEM
from auditor.util.regex import regex

DIALECT = ViewDialect(
    lines=LineSyntax(
        silent=regex(r"(?:return|save)\Z"),
        leave=regex(r"[#!]|\s*quit\s*\Z"),
        find_sessions=find_view_lines,
    ),
    opens=regex(r"interface \S"),
    stanza=read_stanza,
    port=PORT,
    tables=ViewTables(INTERFACE, OWN, SWITCH, VIEWS, (BGP_VIEW,)),
    hostname=regex(r"sysname (?P<value>\S+)"),
    version=regex(r"\s?version (?P<value>\d+\.\d+\.\d+, \w+ \w+)"),
    find_vlan_line=find_vlan_line,
    whole=regex(r"\s?version \d+\.\d+\.\d+, |\s*(?:line (?:vty|class|aux)|user-group |role name |irf )"),
)
_SYSTEM = ViewSystem(
    os=SYSTEM.os,
    name="Comware",
    shows=TABLE,
    dialect=DIALECT,
    new=Comware,
    resolve=resolve,
    rates=RATES,
    ending=Ending(regex(r" ?version \d[\d.]*, (?:Release|Feature|ESS) "), "return"),
    reads_like_qos=regex(
        r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|\bwred\b|\bdscp\b|dot1p|no-drop|deadlock|\bmtu\b|jumbo|"
        r"flow-control|low-limit|\bimport \d|\bdcb\b|^interface ",
        re.IGNORECASE,
    ),
    policy=POLICY,
    name_lag=name_lag,
    ecmp=find_ecmp,
    routing=lambda config: build_routing(config, config.switch.static_routes),
    built_in={BGP: frozenset({""}), MAP_TABLE: frozenset(MAPS)},
)
parse = _SYSTEM.parse
