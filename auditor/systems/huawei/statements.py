"""The statements of an interface of VRP: which line writes which setting, and what its `undo` form does."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from auditor.grammar import interfaces
from auditor.grammar.body import Own, PortBody, QueueBody, QueueStatements, intend
from auditor.grammar.dialect import InterfaceView
from auditor.grammar.interfaces import list_queues
from auditor.grammar.rows import choice, entries, flag, number, skip, value, within, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.grammar.tree import Node
from auditor.grammar.views import list_names, make_speller, read_interface_view
from auditor.model.dump import LineState
from auditor.model.port import PEER_LINK, Forwarding, PfcMode
from auditor.model.qos import Scheduler, Trust
from auditor.model.setting import Unknown, Unset, Where
from auditor.systems.huawei.buffers import BUFFERS, LIMITS, only_undone, parse_rate
from auditor.systems.huawei.ets import APPLY_PAGE, ETS
from auditor.systems.huawei.show import KINDS
from auditor.util.regex import regex

DOMAIN, PFC_PROFILE = "diffserv domain", "dcb pfc"
LONGEST_FRAME, LARGEST_MTU = 12288, 9600
UNDO_PAGE = "http://a10.tagan.ru/huawei/dc/matched_upper-view.html"
"""`undo` and a command take the command back, in the view in which it stands."""
TRUST_PAGE = "http://a10.tagan.ru/huawei/dc/trust_dscp_qos-profile.html"
"""`undo trust dscp` cancels the mapping by DSCP."""
PFC_PAGE = "https://support.huawei.com/enterprise/en/doc/EDOC1100155250/d0f9d596/configuring-pfc"
MODE_PAGE = "CloudEngine CE6800 V300R023 Command Reference, port mode"
"""`undo port mode` gives the interface the rate of its kind back."""
FEC_PAGE = "CloudEngine CE6800 V300R023 Command Reference, fec mode none"
"""`undo fec mode` gives the interface its default back, which depends on the medium and on negotiation."""
NEGOTIATION_PAGE = "CloudEngine CE6800 V300R023 Command Reference, negotiation disable"
"""`undo negotiation disable` lets the interface negotiate."""
LOOPBACK_PAGE = "CloudEngine CE6800 V300R023 Command Reference, loopback internal(Interface group view)"
"""`undo loopback` ends the loopback."""
_CODES = {"rs": "rs", "base-r": "fc", "none": "none"}
ADDRESS_PAGE = "CloudEngine CE6800 V300R023 Command Reference, ip address (interface view)"
"""Only a routed interface has an address: its views are those of Layer 3."""
MLAG_PAGE = "https://www.scribd.com/document/731516147/01-04-M-LAG-Configuration"
LR_PAGE = "CloudEngine CE6800 V300R023 Command Reference, qos lr"
"""`undo qos lr [outbound]` cancels the rate."""
WRED_PAGE = "http://a10.tagan.ru/huawei/dc/qos_queue_wred.html"
NOT_MODELLED = regex(
    r"qos |dcb |dcb-|traffic |traffic-policy|diffserv |trust |flow-control|low-latency|ai-service|ets |pfc |"
    r"buffer |drop-profile |lossless|port-group |adaptive-routing|long-distance |npcc |flex-buffer |"
    r"abs-pfc |dragonfly |port pfc-deadlock "
)
IGNORED = regex(
    r"aaa|acl|arp|assign|authentication|bfd|bgp|carrier|clock|config|device|dhcp|dfs|dns|dot1q|dot1x|domain|drop|"
    r"duplex|efm|encapsulation|error-down|eth-trunk|ethernet|evpn|ftp|gre|group-member|header|hwtacacs|icmp|igmp|info-center|"
    r"ip |ipv6|isis|isolate|iterate|keychain|lacp|license|lldp|load-balance|local-user|log|loopback|mac|"
    r"management|m-lag|mode |mstp|mpls|multicast|negotiation|netconf|ntp|nqa|observe|ospf|password|patch|peer-link|"
    r"pim|port |port-isolate|port-security|ptp|radius|rip|rmon|route|router|rsa|sftp|slot|snmp|snetconf|ssh|ssl|stack|"
    r"statistics|stelnet|stp|storm|super|switch|sysname|system|tacacs|telemetry|telnet|transceiver|user|vlan|vrrp|vxlan|vty|web"
)
_ENABLED = regex(r"(?P<profile>(?!mode\b)\S+)?(?: ?\bmode (?P<mode>auto|manual))?\Z")
_MODES = {"manual": PfcMode.ON, "auto": PfcMode.AUTO, None: PfcMode.ON}
"""Modes of `dcb pfc enable`; without one it is manual (CE6800 V300R023 command reference, `dcb pfc enable`)."""


def _pfc(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write `dcb pfc enable [PROFILE] [mode MODE]`; without a profile that without a name holds."""
    match = _ENABLED.match(arguments["words"])
    if match is None:
        return None
    body.pfc_mode = setting(_MODES[match["mode"]], where)
    body.names[PFC_PROFILE] = intend(match["profile"], where) if match["profile"] else Unset(where)
    return LineState.MODELLED


def _route(body: PortBody, _arguments: Arguments, where: Where) -> LineState:
    """Write that a port with an address is a routed one; the address itself says nothing of the packets' treatment."""
    body.forwarding, body.tagged = intend(Forwarding.ROUTED, where), intend(value=False, where=where)
    return LineState.IGNORED


_RATES = {"GE": 1.0} | {f"{gbps}{unit}": float(gbps) for gbps in (10, 25, 40, 50, 100, 200) for unit in ("G", "GE")}
_RATES |= {rate.lower(): gbps for rate, gbps in _RATES.items()}
_TRUSTS = {"dscp": Trust.DSCP, "8021p": Trust.PCP}
_SCHEDULERS = {"pq": Scheduler.STRICT, "drr": Scheduler.DWRR, "wrr": Scheduler.WRR}
_QUEUE = "{queue:0|1|2|3|4|5|6|7}"
QUEUE_PROFILE = value(
    f"qos queue {_QUEUE} wred {{name}}", "profile", word, example="qos queue 3 wred P", page=WRED_PAGE
)


def _schedule(body: PortBody | QueueStatements, arguments: Arguments, where: Where) -> LineState:
    """Write `qos pq 5 to 7 drr 0 to 4`: two groups of queues in one line."""
    for kind, queues in (("kind", "queue"), ("other", "others")):
        found = _list_scheduled(body, {"queue": arguments[queues]}, where)
        if found is None:
            return LineState.UNRECOGNISED
        for queue in found:
            queue.scheduler = intend(_SCHEDULERS[arguments[kind]], where)
    return LineState.MODELLED


def _list_scheduled(body: PortBody | QueueStatements, arguments: Arguments, where: Where) -> Iterable[QueueBody] | None:
    """Return the queues that a line schedules; one that cannot be read may be about any queue."""
    found = list_queues(body, arguments, where)
    if found is None and arguments["queue"]:
        for queue in range(8):
            body.queue(queue, where).scheduler = Unknown("a line that schedules queues is malformed")
    return found


_KIND = "|".join(_SCHEDULERS)
SCHEDULES: tuple[Statement[Any], ...] = (
    Statement(
        f"qos {{kind:{_KIND}}} {{queue+}} {{other:{_KIND}}} {{others+}}", "qos pq 6 to 7 drr 0 to 5", _schedule, least=5
    ),
    *within(
        list_queues,
        value(
            f"qos queue {_QUEUE} drr|wrr weight {{weight}}",
            "weight",
            number(0, 999),
            example="qos queue 3 drr weight 40",
            page=UNDO_PAGE,
        ),
    ),
    *within(
        _list_scheduled,
        *(
            flag(f"qos {kind} {{queue+}}", {"scheduler": scheduler}, example=f"qos {kind} 0 to 5", page=UNDO_PAGE)
            for kind, scheduler in _SCHEDULERS.items()
        ),
    ),
)
"""How queues take turns, of one port or of all."""
INTERFACE: Table[PortBody] = Table(
    (
        flag("trust upstream none", {"trust": Trust.NONE}, page=TRUST_PAGE),
        entries(
            "trust upstream {domain} ...",
            "names",
            lambda _: (DOMAIN,),
            lambda arguments: arguments["domain"],
            example="trust upstream ds1",
            page=UNDO_PAGE,
        ),
        value(
            "trust {tag*}",
            "trust",
            lambda text: _TRUSTS.get(text.partition(" ")[0]),
            example="trust dscp",
            page=TRUST_PAGE,
        ),
        Statement(
            "dcb pfc enable {words*}",
            "dcb pfc enable storage mode manual",
            _pfc,
            Negation(PFC_PAGE, off={"pfc_mode": PfcMode.OFF}, member=("names", lambda _: (PFC_PROFILE,))),
        ),
        entries(
            "dcb ets enable {name}",
            "names",
            lambda _: (ETS,),
            lambda arguments: arguments["name"],
            example="dcb ets enable turns",
            page=APPLY_PAGE,
        ),
        *BUFFERS,
        skip("dcb pfc xon ..."),
        skip("dcb pfc ...", LineState.UNRECOGNISED),
        interfaces.mtu(LARGEST_MTU, UNDO_PAGE),
        *interfaces.jumbo(LONGEST_FRAME, UNDO_PAGE),
        interfaces.shutdown(UNDO_PAGE),
        interfaces.speed(UNDO_PAGE),
        value("port mode {rate}", "speed_gbps", _RATES.get, example="port mode 10G", page=MODE_PAGE),
        value("fec mode {code}", "fec", choice(_CODES), example="fec mode rs", page=FEC_PAGE),
        replace(flag("loopback internal", {"loopback": True}, off={"loopback": False}, page=LOOPBACK_PAGE), least=1),
        flag("negotiation disable", {"negotiates": False}, off={"negotiates": True}, page=NEGOTIATION_PAGE),
        *interfaces.port(UNDO_PAGE),
        interfaces.portswitch(UNDO_PAGE),
        *(
            Statement(f"{family} address ...", f"{family} address 192.0.2.1 31", _route, Negation(ADDRESS_PAGE))
            for family in ("ip", "ipv6")
        ),
        *interfaces.flow_control(UNDO_PAGE),
        value(
            "traffic-policy {name} inbound ...",
            "policy",
            lambda text: text,
            example="traffic-policy SORT inbound",
            page=UNDO_PAGE,
        ),
        replace(
            value("qos lr cir {rate+}", "shape_gbps", parse_rate, example="qos lr cir 40 gbps outbound", page=LR_PAGE),
            least=2,
        ),
        Statement("qos lr outbound", "qos lr outbound", only_undone, Negation(LR_PAGE, ("shape_gbps",)), least=3),
        flag("qos phb marking dscp enable", {"rewrite": True}, off={"rewrite": False}, page=UNDO_PAGE),
        *within(
            list_queues,
            flag(
                f"qos queue {_QUEUE} ecn", {"ecn": True}, off={"ecn": False}, example="qos queue 3 ecn", page=UNDO_PAGE
            ),
            QUEUE_PROFILE,
            *LIMITS,
        ),
        *SCHEDULES,
    ),
    undo=("undo",),
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


def _lag(text: str) -> str | None:
    return f"Eth-Trunk{text}" if re.fullmatch(r"\d{1,4}", text) else None


OWN: Table[Own] = Table(
    (
        *interfaces.own("eth-trunk {number}", _lag, example="eth-trunk 7", page=UNDO_PAGE),
        value("dfs-group {group#} m-lag {number#}", "mlag", str, example="dfs-group 1 m-lag 7", page=MLAG_PAGE),
        flag("peer-link {number#}", {"mlag": PEER_LINK}, example="peer-link 1", page=MLAG_PAGE),
    ),
    undo=("undo",),
)


_spell_ports = make_speller(KINDS)


def read_stanza(node: Node) -> InterfaceView | None:
    """Return the interfaces that a view configures: its own, a range, or the members of a port group."""
    words = node.text.split()
    if words[0] != "port-group" or len(words) == 1:
        return read_interface_view(Node(_spell_ports(node.text), node.index, node.children))
    heads = [_spell_ports(child.text) for child in node.children if child.text.startswith("group-member ")]
    members = [head.split()[1:] for head in heads]
    found = [list_names(each[1:] if each[:1] == ["interface"] else each) for each in members]
    statements = tuple(child for child in node.children if not child.text.startswith("group-member "))
    if None in found:
        return None
    return tuple(name for each in found if each for name in each), statements
