"""The statements of an interface of Comware: which line writes which setting, and what its `undo` form does."""

import re
from dataclasses import replace
from typing import Any

from auditor.grammar import interfaces
from auditor.grammar.body import Own, PortBody, QueueBody, intend
from auditor.grammar.configuration import InterfaceViews, ViewConfig
from auditor.grammar.dialect import InterfaceView
from auditor.grammar.interfaces import list_queues
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import expand
from auditor.grammar.rows import choice, entries, flag, number, skip, value, within, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.grammar.tree import Node
from auditor.grammar.views import make_speller, read_interface_view
from auditor.model.dump import LineState
from auditor.model.port import PEER_LINK, Forwarding, PfcMode
from auditor.model.qos import Scheduler, Threshold, Trust, Unit, WredDrop
from auditor.model.setting import Known, Setting, Where, value_of
from auditor.systems.comware.buffers import BUFFERS
from auditor.systems.comware.show import KINDS
from auditor.util.regex import regex
from auditor.util.values import dataclass

WRED_TABLE = "qos wred queue table"
LONGEST_FRAME, LARGEST_MTU = 16384, 16384
UNDO_PAGE = (
    "https://support.hpe.com/techhub/eginfolib/networking/docs/switches/5710/5200-4981_fund_cg/content/517700723.htm"
)
"""`undo` cancels a configuration, restores the default, or disables a feature."""
PFC_PAGE = "https://www.h3c.com/en/d_202306/1866200_294551_0.htm"
"""The commands of PFC and their `undo` forms."""
SHUTDOWN_PAGE = (
    "https://support.hpe.com/techhub/eginfolib/networking/docs/switches/5700/5998-5602r_l2-lan_cr/content/446944926.htm"
)
"""`undo shutdown` brings an interface up."""
LINK_PAGE = "https://www.h3c.com/en/d_202509/2657485_294551_0.htm"
"""The commands of Ethernet interfaces, `port fec mode` and `loopback` among them."""
MLAG_PAGE = "https://www.h3c.com/en/d_202406/2199342_294551_0.htm"
"""Two switches share the aggregate interfaces that they give one number; another joins these switches."""
LAG_PAGE = (
    "https://support.hpe.com/techhub/eginfolib/networking/docs/switches/7500/5200-1937a_l2-lan_cr/content/495503924.htm"
)
UNDO = ("undo",)
NOT_MODELLED = regex(
    r"qos |priority-flow-control|traffic |buffer |flow-control|burst-mode|dcbx |lldp tlv-enable dot1-tlv dcbx|"
    r"flow-interval|traffic-policy"
)
IGNORED = regex(
    r"acl|aggregate|arp|ai-|apply|authorization|bfd|bgp|broadcast|clock|combo|command|customer|dhcp|dldp|dns|"
    r"domain|duplex|evpn|fec|ftp|hwtacacs|info-center|ip |ipv6|irf|isis|jumbo|l2vpn|lacp|license|line|"
    r"link-|lldp|local-user|loopback|loop|mac|management|m-lag|mdi|mirroring|monitor|multicast|netconf|ntp|openflow|"
    r"ospf|password|pim|port |portal|public-key|radius|role|route|rule|scheduler|sflow|snmp|ssh|stp|super|switch|"
    r"sysname|system|tcp|telemetry|telnet|tunnel|undo|unicast|user|vlan|vrrp|vsi|vxlan|xconnect|set |super"
)
_MODES = {"enable": PfcMode.ON, "auto": PfcMode.AUTO}
_ALL = tuple(range(8))


def _list_priorities(arguments: Arguments) -> tuple[int, ...] | None:
    """Return the 802.1p priorities of a list, all without one."""
    return expand(",".join(arguments["list"].split()), 0, 7) if arguments["list"] else _ALL


PFC: tuple[Statement[PortBody], ...] = (
    value(
        "priority-flow-control {mode:enable|auto}",
        "pfc_mode",
        choice(_MODES),
        example="priority-flow-control enable",
        page=PFC_PAGE,
        off=PfcMode.OFF,
    ),
    entries(
        "priority-flow-control no-drop dot1p {list*}",
        "no_drop",
        _list_priorities,
        lambda arguments: bool(arguments["list"]) or None,
        example="priority-flow-control no-drop dot1p 3,5",
        page=PFC_PAGE,
        off=False,
        every=_ALL,
    ),
    flag("priority-flow-control deadlock enable", {"watchdog": True}, off={"watchdog": False}, page=PFC_PAGE),
    skip("priority-flow-control deadlock|early-warning|config-style|pause-time|dscp-mapping ..."),
)
"""The statements of PFC, which an interface and the system write alike."""

_COLOURS = {None: "any", "0": "green", "1": "yellow", "2": "red"}
_LIMITS = regex(
    r"(?:drop-level (?P<level>[0-2]) ?)?(?P<limits>low-limit (?P<low>\d{1,6}) high-limit (?P<high>\d{1,6})"
    r"(?: discard-probability (?P<probability>\d{1,3}))?)?\Z"
)
DEFAULT_PROBABILITY = 10
"""The default in percent: https://support.hpe.com/techhub/eginfolib/networking/docs/switches/5130hi/5998-8424b_acl-qos_cr/content/472932035.htm"""


@dataclass(frozen=True, slots=True)
class WredCurve(WredDrop):
    """What WRED does to packets of a colour, with its limits as written."""

    low: Threshold
    high: Threshold


def _colours(arguments: Arguments) -> tuple[str, ...] | None:
    match = _LIMITS.match(arguments["limits"])
    return (_COLOURS[match["level"]],) if match else None


def _limits(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write what WRED drops or marks of a colour; what a unit of the limits holds differs between models."""
    match = _LIMITS.match(arguments["limits"])
    if match is None or not match["limits"]:
        return None
    colour = _COLOURS[match["level"]]
    percent = int(match["probability"]) if match["probability"] else DEFAULT_PROBABILITY
    low, high = (Threshold(int(match[name]), Unit.UNITS) for name in ("low", "high"))
    queue.drops[colour] = intend(WredCurve(colour, low.bytes, high.bytes, min(percent, 100) / 100, low, high), where)
    return LineState.CONDITIONAL


_QUEUE_NAMES = {name: number for number, name in enumerate(("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"))}
"""Names of the queues by their number, which stand in its place."""


def _list_scheduled(body: PortBody, arguments: Arguments, where: Where) -> tuple[QueueBody, ...] | None:
    """Return the queue that a line on scheduling names by number or name, None for another word."""
    text = arguments["queue"]
    number_ = _QUEUE_NAMES.get(text)
    number_ = number(0, 7)(text) if number_ is None else number_
    return None if number_ is None else (body.queue(number_, where),)


def _share(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the weight of a queue of a weighted group; byte counts share the bandwidth as weights do."""
    weight = number(0, 9999)(arguments["weight"])
    if weight is None:
        return None
    queue.scheduler, queue.weight = intend(Scheduler.DWRR, where), intend(weight, where)
    return LineState.MODELLED


def _strict(queue: QueueBody, _: Arguments, where: Where) -> LineState:
    queue.scheduler, queue.weight = intend(Scheduler.STRICT, where), NOTHING
    return LineState.MODELLED


SCHEDULING_PAGE = "https://www.h3c.com/en/d_201906/1192751_294551_0.htm"
"""Queues of the group `sp` are served strictly and first; those of other groups by weight or byte count."""
SCHEDULING: tuple[Statement[PortBody], ...] = tuple(
    each
    for kind in ("wfq", "wrr")
    for each in within(
        _list_scheduled,
        Statement(
            f"qos {kind} {{queue}} group sp",
            f"qos {kind} cs6 group sp",
            _strict,
            Negation(SCHEDULING_PAGE, ("scheduler", "weight")),
            least=3,
        ),
        Statement(
            f"qos {kind} {{queue}} group {{group:1|2}} {{unit:weight|byte-count}} {{weight}}",
            f"qos {kind} af3 group 1 byte-count 40",
            _share,
            Negation(SCHEDULING_PAGE, ("scheduler", "weight")),
            least=3,
        ),
    )
)
"""The scheduling of one queue of an interface."""


def _list_all(body: PortBody, _arguments: Arguments, where: Where) -> tuple[QueueBody, ...]:
    return tuple(body.queue(number_, where) for number_ in _ALL)


def _weigh(queue: QueueBody, _: Arguments, where: Where) -> LineState:
    """Write that a queue takes its turn by weight; a line on the queue itself says more."""
    queue.scheduler, queue.weight = intend(Scheduler.DWRR, where), NOTHING
    return LineState.MODELLED


_SCHEDULER = Negation(SCHEDULING_PAGE, ("scheduler", "weight"))
MODES: tuple[Statement[PortBody], ...] = within(
    _list_all,
    Statement("qos sp", "qos sp", _strict, _SCHEDULER),
    *(Statement(f"qos {kind} weight|byte-count", f"qos {kind} weight", _weigh, _SCHEDULER) for kind in ("wfq", "wrr")),
)
"""How all queues of an interface take turns."""
KBPS_PER_GBPS = 1_000_000
_CIR = regex(r"(?P<kbps>\d{1,9})(?: cbs \d{1,10})?(?: pir (?P<peak>\d{1,9}))?(?: pbs \d{1,10})?\Z")


def parse_cir(text: str) -> float | None:
    """Return the Gb/s that are never exceeded, from a rate in kbps and its bursts.

    >>> parse_cir("200000000 cbs 16000000"), parse_cir("fast")
    (200.0, None)
    """
    match = _CIR.match(text)
    return int(match["peak"] or match["kbps"]) / KBPS_PER_GBPS if match else None


SHAPING: tuple[Statement[PortBody], ...] = (
    *within(
        list_queues,
        replace(
            value(
                "qos gts queue {queue} cir {rate+}",
                "shape_gbps",
                parse_cir,
                example="qos gts queue 6 cir 40000000 cbs 16000000",
                page=SCHEDULING_PAGE,
            ),
            least=4,
        ),
    ),
    *(
        replace(
            value(
                f"{words} cir {{rate+}}",
                "shape_gbps",
                parse_cir,
                example=f"{words} cir 40000000",
                page=SCHEDULING_PAGE,
            ),
            least=3,
        )
        for words in ("qos gts any", "qos lr outbound")
    ),
)
"""The rates that a queue and a port never exceed."""
_QUEUE = "queue {queue:0|1|2|3|4|5|6|7}"
_EVERY_COLOUR = tuple(_COLOURS.values())


def list_wred(prefix: str) -> tuple[Statement[Any], ...]:
    """Return the statements of WRED for one queue, which stand behind *prefix* in an interface."""
    example = f"{prefix}queue 3"
    return within(
        list_queues,
        flag(f"{prefix}{_QUEUE} ecn", {"ecn": True}, off={"ecn": False}, example=f"{example} ecn", page=UNDO_PAGE),
        skip(f"{prefix}{_QUEUE} weighting-constant {{exponent}}", LineState.MODELLED),
        Statement(
            f"{prefix}{_QUEUE} {{limits+}}",
            f"{example} drop-level 0 low-limit 1000 high-limit 2000 discard-probability 20",
            _limits,
            Negation(UNDO_PAGE, member=("drops", _colours), every=_EVERY_COLOUR),
        ),
    )


INTERFACE: Table[PortBody] = Table(
    (
        *PFC,
        *BUFFERS,
        skip("priority-flow-control ...", LineState.UNRECOGNISED),
        value(
            "qos trust {tag*}",
            "trust",
            choice({"dscp": Trust.DSCP, "dot1p": Trust.PCP, "none": Trust.NONE}),
            example="qos trust dscp",
            page=UNDO_PAGE,
        ),
        entries(
            "qos wred apply {name*}",
            "names",
            lambda _: (WRED_TABLE,),
            lambda arguments: arguments["name"] or None,
            example="qos wred apply ROCE",
            page=UNDO_PAGE,
        ),
        *MODES,
        *SCHEDULING,
        *SHAPING,
        *list_wred("qos wred "),
        skip("qos wred queue ...", LineState.UNRECOGNISED),
        value(
            "qos apply policy {name} inbound ...",
            "policy",
            lambda text: text,
            example="qos apply policy SORT inbound",
            page=UNDO_PAGE,
        ),
        interfaces.mtu(LARGEST_MTU, UNDO_PAGE),
        *interfaces.jumbo(LONGEST_FRAME, UNDO_PAGE),
        interfaces.shutdown(SHUTDOWN_PAGE),
        interfaces.speed(UNDO_PAGE),
        value("port fec mode {mode}", "fec", word, example="port fec mode none", page=LINK_PAGE),
        value(
            "loopback {mode:external|internal}",
            "loopback",
            lambda _: True,
            example="loopback internal",
            page=LINK_PAGE,
            off=False,
        ),
        *interfaces.port(UNDO_PAGE),
        *interfaces.flow_control(UNDO_PAGE),
    ),
    undo=UNDO,
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


def _lag(text: str) -> str | None:
    return f"Bridge-Aggregation{text}" if re.fullmatch(r"\d{1,4}", text) else None


def _share_lag(own: Own, arguments: Arguments, where: Where) -> LineState:
    """Write the number of a port-channel that two switches share; `allow-single-member` may follow it."""
    own.mlag = intend(arguments["number"], where)
    return LineState.MODELLED


OWN: Table[Own] = Table(
    (
        *interfaces.own(
            "port link-aggregation group {number} ...", _lag, example="port link-aggregation group 3", page=UNDO_PAGE
        ),
        Statement("port m-lag group {number#} ...", "port m-lag group 7", _share_lag, Negation(MLAG_PAGE, ("mlag",))),
        flag("port m-lag peer-link {number#}", {"mlag": PEER_LINK}, example="port m-lag peer-link 1", page=MLAG_PAGE),
    ),
    undo=UNDO,
)


def name_lag(config: ViewConfig[Any], entry: InterfaceViews) -> Setting[str]:
    """Return the port-channel of a port: its line names a number, and the port's link mode or the dump the kind.

    Layer 2 and Layer 3 interfaces join groups of their own kind (LAG_PAGE).
    """
    named = entry.own.lag
    if not isinstance(named, Known):
        return named
    routed = named.value.replace("Bridge", "Route", 1)
    link = value_of(entry.body.forwarding)
    only_routed = link is None and routed in config.interfaces and named.value not in config.interfaces
    return replace(named, value=routed) if link is Forwarding.ROUTED or only_routed else named


_spell_ports = make_speller(KINDS)


def read_stanza(node: Node) -> InterfaceView | None:
    """Return the interfaces that a view configures, as the switch spells them, and its statements."""
    return read_interface_view(Node(_spell_ports(node.text), node.index, node.children))
