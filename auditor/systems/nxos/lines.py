"""Lines at the top of a running configuration that open no block of quality of service."""

import re

from auditor.grammar.numbers import expand
from auditor.grammar.stanzas import Stanza
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Unknown, Unset, Where
from auditor.systems.nxos.statements import SYSTEM_QOS, System
from auditor.systems.nxos.written import Breakout, Config

_BREAKOUT = re.compile(r"interface breakout module (\d{1,3}) port ([\d,\- ]+) map (\d{1,3})g-(\d)x", re.IGNORECASE)
_WATCHDOG = re.compile(
    r"(?P<no>no )?priority-flow-control (?:watch-dog-interval (?P<on>on|off)\b|"
    r"watch-dog interval (?P<interval>\d{1,6})|watch-dog shutdown-multiplier (?P<multiplier>\d{1,6}))"
)
_PFC_OVERRIDE = re.compile(r"priority-flow-control override-interface\b")
_COMPLETE = re.compile(r"(?:hostname|switchname|version|feature|vdc) ")
_NOT_MODELLED = re.compile(
    r"(?:no )?(?:lldp tlv-select|hardware (?:qos|access-list|profile)|system jumbomtu|qos |priority-flow-control|"
    r"control-plane|copp |service-policy|vlan configuration|congestion-control|load-balance|table-map)"
)
_IGNORED = re.compile(
    r"(?:no )?(?:"
    r"aaa|arp|banner|bfd|boot|boot-order|cable-management|callhome|cdp|cfs|class|cli|clock|"
    r"crypto|cts|default|diagnostic|do|dot1x|email-contact|end|errdisable|event|evpn|exit|"
    r"fabric|feature-set|fex|fips|flow|forwarding|gold|group|guestshell|hardware|hostname|hsrp|"
    r"icam|icmp|igmp|install|interface|ip|ipfix|ipv6|isis|itd|kernel|key|keychain|l2vpn|"
    r"lacp|ldap-server|license|limit-resource|line|lldp|logging|login|mac|macsec|monitor|mpls|"
    r"msdp|multicast|mvpn|nat|ngoam|ntp|nv|nxapi|object-group|password|peer-keepalive|pim|"
    r"platform|poap|port-channel|port-profile|power|private-vlan|ptp|radius|radius-server|rmon|"
    r"role|route-map|router|scheduler|scp|security|segment-routing|sflow|show|slot|snmp|snmp-"
    r"server|source-interface|spanning-tree|ssh|sshkey|storm-control|switching-mode|system|tacacs-"
    r"server|tcp|telemetry|telnet|template|terminal|time-range|track|tunnel|udld|udp|url|user|"
    r"username|userpassphrase|vdc|virtual-service|vlan|vmtracker|vni|vpc|vrf|vtp|vxlan|web|xml"
    r")\b",
    re.IGNORECASE,
)


def read_line(config: Config, capture: Capture, stanza: Stanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text = capture.lines[stanza.head].strip()
    where = capture.where(stanza.head)
    state = LineState.IGNORED if _IGNORED.match(text) else LineState.UNRECOGNISED
    below = state
    words = text.split()
    config.complete = config.complete or _COMPLETE.match(text) is not None
    breakout = _BREAKOUT.match(text)
    watchdog = _WATCHDOG.match(text)
    if words[0] in {"hostname", "switchname"} and len(words) > 1:
        config.name = Known(words[1], Origin.INTENDED, where)
        state = LineState.MODELLED
    elif words[0] == "version" and len(words) > 1:
        config.version = Known(words[1], Origin.LEARNED, where)
        state = LineState.MODELLED
    elif words[0] == "feature" or words[:2] == ["no", "feature"]:
        state = LineState.IGNORED
    elif breakout:
        state = _break_out(config, breakout, where)
    elif watchdog:
        state = _watchdog(config, watchdog, where)
    elif _PFC_OVERRIDE.match(text):
        config.pfc_override = Unknown(f"`{text}` on line {where.line} stands above every port's own mode")
        state = LineState.CONDITIONAL
    elif _NOT_MODELLED.match(text):
        state = below = LineState.NOT_MODELLED
    config.states[stanza.head] = state
    for index in stanza.body:
        config.states[index] = below
    if words[:2] == ["vlan", "configuration"]:
        _vlan_policies(config, capture, stanza)


def _vlan_policies(config: Config, capture: Capture, stanza: Stanza) -> None:
    """Note the policies that classify by VLAN; which ports carry the VLAN is not modelled."""
    for index in stanza.body:
        attached = System()
        SYSTEM_QOS.read(attached, capture.lines[index], capture.where(index))
        policy = attached.policies.get(("qos", "input"))
        if isinstance(policy, Known):
            config.vlan_policies.append(policy)
            config.states[index] = LineState.CONDITIONAL


def _watchdog(config: Config, match: re.Match[str], where: Where) -> LineState:
    if match["on"]:
        config.watchdog = (
            Unset(where) if match["no"] else Known(value=match["on"] == "on", origin=Origin.INTENDED, where=where)
        )
    elif match["interval"]:
        config.watchdog_interval_ms = Known(float(match["interval"]), Origin.INTENDED, where)
    else:
        config.watchdog_multiplier = Known(int(match["multiplier"]), Origin.INTENDED, where)
    return LineState.MODELLED


def _break_out(config: Config, match: re.Match[str], where: Where) -> LineState:
    speed: Known[float] = Known(int(match[3]), Origin.INTENDED, where)
    whole = True
    for part in match[2].split(","):
        ports = expand(part, 1, 512)
        whole &= ports is not None
        for port in ports or ():
            parent = f"Ethernet{match[1]}/{port}"
            for lane in range(1, int(match[4]) + 1):
                config.breakouts[f"{parent}/{lane}"] = Breakout(where, parent, speed)
    return LineState.MODELLED if whole else LineState.CONDITIONAL
