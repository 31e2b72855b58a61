"""Aruba CX switches (AOS-CX): their core, from `show running-config` and LLDP neighbours."""

import re
from collections.abc import Sequence

from auditor.grammar.dialect import ViewDialect, ViewTables
from auditor.grammar.lines import LineSyntax
from auditor.grammar.prompts import find_mode_lines
from auditor.grammar.system import ViewSystem
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.aoscx.acls import ACCESS_VIEW
from auditor.systems.aoscx.interfaces import PORT
from auditor.systems.aoscx.maps import COS_MAP, DSCP_MAP, learn_maps
from auditor.systems.aoscx.policies import BUILT_IN, FAMILIES
from auditor.systems.aoscx.policies import VIEWS as POLICY_VIEWS
from auditor.systems.aoscx.profiles import QUEUE_PROFILE
from auditor.systems.aoscx.profiles import VIEWS as PROFILE_VIEWS
from auditor.systems.aoscx.resolve import resolve
from auditor.systems.aoscx.routing import ECMP, find_ecmp, find_routing, learn_fields
from auditor.systems.aoscx.show import TABLE, recognise
from auditor.systems.aoscx.statements import INTERFACE, OWN, POLICY, SCHEDULE, read_stanza
from auditor.systems.aoscx.switch import SWITCH, AosCx, find_pools
from auditor.systems.aoscx.system import SYSTEM
from auditor.systems.aoscx.vlans import find_vlan_line, list_vlan_interfaces
from auditor.systems.aoscx.vsx import VSX, find_peer_link
from auditor.util.regex import regex

DIALECT = ViewDialect(
    lines=LineSyntax(
        silent=regex(r"(?:end|exit)\Z|Current configuration:"),
        comment=regex(r"(?<!\s)\s+# .*"),
        leave=regex(r"[#!]"),
        banner=regex(r"banner \w+ (?P<mark>\S)\s*\Z"),
        find_sessions=find_mode_lines,
    ),
    opens=regex(r"interface \S"),
    stanza=read_stanza,
    port=PORT,
    find_vlan_line=find_vlan_line,
    tables=ViewTables(INTERFACE, OWN, SWITCH, (*PROFILE_VIEWS, *POLICY_VIEWS, ACCESS_VIEW), (VSX,)),
    hostname=regex(r"hostname (?P<value>\S+)"),
    version=regex(r"!Version ArubaOS-CX (?P<value>\S+)"),
    whole=regex(r"!Version ArubaOS-CX|(?:user \S+ group|ssh server vrf|vrf |interface (?:mgmt|vlan|loopback)\b)"),
)
_SYSTEM = ViewSystem(
    os=SYSTEM.os,
    name="AOS-CX",
    shows=TABLE,
    dialect=DIALECT,
    new=AosCx,
    resolve=resolve,
    reads_like_qos=regex(
        r"\bqos\b|priority-flow-control|flow-control|\bpause\b|\becn\b|\bdscp\b|\bcos\b|threshold-profile|queue-profile|"
        r"schedule-profile|local-priority|lossless|\bmtu\b|\bdcbx\b|^interface ",
        re.IGNORECASE,
    ),
    built_in={
        QUEUE_PROFILE: frozenset({"factory-default"}),
        SCHEDULE: frozenset({"factory-default", "strict"}),
        VSX.kind: frozenset({""}),
        **dict.fromkeys(FAMILIES, BUILT_IN),
    },
    policy=POLICY,
    pools=find_pools,
    ecmp=find_ecmp,
    list_vlans=list_vlan_interfaces,
    routing=find_routing,
    peer_link=find_peer_link,
)


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* stands in for a missing hostname."""
    maps = [(command, each) for each in captures if (command := recognise(each)) in {DSCP_MAP, COS_MAP}]
    device = learn_maps(_SYSTEM.parse(name, source, captures), maps)
    return learn_fields(device, [each for each in captures if recognise(each) == ECMP])
