"""The body of an interface stanza or of a qos profile, line by line."""

import re
from collections.abc import Callable, Mapping, Sequence

from auditor.grammar.classmaps import Mark
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import DSCP_NAMES, decimal, expand
from auditor.grammar.stanzas import Place
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.qos import Trust
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.eos import queues
from auditor.systems.eos.statements import Statements

MAX_MTU = 65_535
_QUEUES = frozenset({"tx-queue", "uc-tx-queue"})
_IGNORED = re.compile(
    r"(?:address|adaptive-virtual-topology|aggregate|arp|autostate|bandwidth|bfd|bgp|bridge|carrier-delay|clock|comment|"
    r"counters|description|dhcp|dot1x|dps|duplex|dynamic|encapsulation|evpn|flow|hardware|ip|ipsec|ipv6|isis|l2|"
    r"l2-protocol|lacp|ldp|link|link-debounce|link-flap|lldp|load-interval|logging|loop-protection|mac|mac-address|macsec|"
    r"metric|mka|mlag|monitor|mpls|msrp|multicast|mvrp|nat|ntp|ospf|ospfv3|peer|phone|phy|pim|poe|port-channel|pppoe|"
    r"private-vlan|ptp|pvlan|rsvp|sflow|snmp|spanning-tree|storm-control|sync-e|switchport|tcp|timestamp|"
    r"tap|tool|traffic-engineering|traffic-loopback|traffic-policy|transceiver|tunnel|unidirectional|vlan|vrf|vrrp|vxlan)\Z"
)
_SPLIT = {"l2": ("mtu",), "bandwidth": ("percent", "guaranteed")}
"""Words that begin both kinds of lines, with the second words of those that concern quality of service."""
_OTHER_POLICIES = frozenset({"pbr", "pdp", "control-plane", "copp", "macro-segmentation"})


def read(node: Node, place: Place, mark: Mark) -> Statements:
    """Return what the stanza *node* says; *mark* takes the state of each line, by its index."""
    found = Statements(place(node.index))
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        words = child.text.split()
        queue = _queue_number(words)
        if queue is not None:
            mark(child.index, LineState.MODELLED)
            of_queue = found.queue(queue, place(child.index))
            for below in child.children:
                mark(below.index, queues.read(of_queue, below.text, place(below.index)))
            continue
        state = _line(found, words, place(child.index))
        mark(child.index, state)
        for below in child.children:
            mark(below.index, state if state is not LineState.MODELLED else LineState.UNRECOGNISED)
    return found


def _queue_number(words: Sequence[str]) -> int | None:
    number = decimal(words[1], 0, 15) if len(words) == 2 and words[0] in _QUEUES else None  # noqa: PLR2004  name, number
    return None if number is None else int(number)


def is_ignored(text: str) -> bool:
    """Tell whether a line says nothing of quality of service, so that ports that differ in it are alike."""
    words = text.split(None, 3)
    words = words[1:] if words[0] in {"no", "default"} else words
    if not words:
        return False
    if words[0] == "switchport":
        return len(words) > 1 and words[1] != "mode"
    if words[0] in _SPLIT:
        return len(words) > 1 and words[1] not in _SPLIT[words[0]]
    return words[0] not in _READERS and _IGNORED.match(words[0]) is not None


def _line(found: Statements, words: list[str], where: Where) -> LineState:
    form = words[0] if words[0] in {"no", "default"} else ""
    words = words[1:] if form else words
    if not words:
        return LineState.UNRECOGNISED
    reader = _READERS.get(words[0])
    if reader is None:
        return LineState.IGNORED if _IGNORED.match(words[0]) else LineState.UNRECOGNISED
    return reader(found, words, where, form)


def _shutdown(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if len(words) > 1:
        return LineState.UNRECOGNISED
    found.enabled = Known(bool(form), Origin.INTENDED, where)
    return LineState.MODELLED


def _size(text: str | None, where: Where, form: str) -> Setting[int] | None:
    """Return an MTU as written, Unset in a `no` form, None where it is malformed."""
    size = decimal(text, 68, MAX_MTU)
    if form:
        return Unset(where)
    return None if size is None else Known(int(size), Origin.INTENDED, where)


def _mtu(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    size = _size(words[1] if len(words) > 1 else None, where, form)
    found.mtu = size or found.mtu
    return LineState.MODELLED if size else LineState.UNRECOGNISED


def _l2(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if words[1:2] != ["mtu"]:
        return LineState.IGNORED
    size = _size(words[2] if len(words) > 2 else None, where, form)  # noqa: PLR2004  `l2 mtu N`
    found.l2_mtu = size or found.l2_mtu
    return LineState.MODELLED if size else LineState.UNRECOGNISED


_SPEED = re.compile(r"(?P<number>\d{1,6})(?P<giga>g)?(?:-(?P<lanes>\d))?(?:full|half)?\Z", re.IGNORECASE)


def _speed(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    """Read `speed 100g-4`, `speed forced 100gfull`, `speed auto 100gfull`; `speed auto` alone says nothing yet."""
    rest = [w for w in words[1:] if w not in {"forced", "auto", "sfp-1000baset"}]
    if form:
        found.speed_gbps = found.lanes = Unset(where)
        return LineState.MODELLED
    if not rest:
        found.speed_gbps = Unknown("speed is negotiated")
        return LineState.MODELLED if len(words) > 1 else LineState.UNRECOGNISED
    match = _SPEED.match(rest[0])
    if match is None:
        return LineState.UNRECOGNISED
    found.speed_gbps = Known(int(match["number"]) / (1 if match["giga"] else 1000), Origin.INTENDED, where)
    found.lanes = Known(int(match["lanes"]), Origin.INTENDED, where) if match["lanes"] else found.lanes
    return LineState.MODELLED


def _fec(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if words[1:2] != ["encoding"]:
        return LineState.IGNORED
    name = " ".join(words[2:])
    if form == "default" or (form and name):  # of two encodings one is refused: which runs is not written
        found.fec = Unset(where)
    elif form:
        found.fec = Known("none", Origin.INTENDED, where)
    elif isinstance(found.fec, Known) and found.fec.value not in {"none", name}:
        found.fec = Unknown(f"both {found.fec.value} and {name} are allowed")
    elif name:
        found.fec = Known(name, Origin.INTENDED, where)
    return LineState.MODELLED


def _switchport(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if len(words) == 1:
        is_routed = form == "no"
        found.forwarding = Known(Forwarding.ROUTED if is_routed else Forwarding.SWITCHED, Origin.INTENDED, where)
        if is_routed:
            found.tagged = Known(value=False, origin=Origin.INTENDED, where=where)
        return LineState.MODELLED
    if words[1] != "mode":
        return LineState.IGNORED
    if form:
        found.tagged = Unset(where)
    elif not (isinstance(found.forwarding, Known) and found.forwarding.value is Forwarding.ROUTED):
        found.tagged = Known("trunk" in words[2:], Origin.INTENDED, where)
    return LineState.MODELLED


def _flowcontrol(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    name = {"receive": "pause_rx", "received": "pause_rx", "send": "pause_tx"}.get(words[1] if len(words) > 1 else "")
    value = words[2] if len(words) > 2 else ""  # noqa: PLR2004  `flowcontrol DIRECTION VALUE`
    if name is None or (not form and value not in {"on", "off", "desired"}):
        return LineState.UNRECOGNISED
    setting: Setting[bool] = Known(value == "on", Origin.INTENDED, where)
    if form:
        setting = Unset(where)
    elif value == "desired":
        setting = Unknown("flowcontrol is negotiated")
    setattr(found, name, setting)
    return LineState.MODELLED


_TRUST = {"dscp": Trust.DSCP, "cos": Trust.PCP}


def _qos(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    what, value = words[1] if len(words) > 1 else "", words[2] if len(words) > 2 else ""  # noqa: PLR2004  `qos WHAT VALUE`
    if what == "trust":
        return _trust(found, value, where, form)
    if what in {"cos", "dscp"}:
        numbers = expand(value, 0, 7 if what == "cos" else 63, DSCP_NAMES if what == "dscp" else None)
        if form:
            setattr(found, what, Unset(where))
        elif numbers is None or len(numbers) != 1:
            return LineState.UNRECOGNISED
        else:
            setattr(found, what, Known(numbers[0], Origin.INTENDED, where))
        return LineState.MODELLED
    if what == "map" and words[3:5] == ["to", "traffic-class"] and len(words) > 5:  # noqa: PLR2004  and the map's name
        name = {"dscp": "own_dscp_map", "cos": "own_cos_map"}.get(value)
        if name:
            setattr(found, name, Unset(where) if form else Known(words[-1], Origin.INTENDED, where))
            return LineState.CONDITIONAL
    return LineState.NOT_MODELLED if what in {"map", "rewrite"} else LineState.UNRECOGNISED


def _trust(found: Statements, value: str, where: Where, form: str) -> LineState:
    if form == "default":
        found.trust = Unset(where)
    elif form:
        found.trust = Known(Trust.NONE, Origin.INTENDED, where)
    elif value in _TRUST:
        found.trust = Known(_TRUST[value], Origin.INTENDED, where)
    else:
        return LineState.UNRECOGNISED
    return LineState.MODELLED


def _service_policy(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    """Read `service-policy type qos input NAME`; the type may be left out."""
    kind, rest = ("qos", list(words[1:])) if words[1:2] != ["type"] else ("".join(words[2:3]), list(words[3:]))
    if kind in _OTHER_POLICIES or rest[:1] == ["output"]:
        return LineState.NOT_MODELLED
    if kind not in {"qos", "quality-of-service"} or rest[:1] != ["input"] or (len(rest) == 1 and not form):
        return LineState.UNRECOGNISED
    found.policy = Unset(where) if form else Known(rest[1], Origin.INTENDED, where)
    return LineState.MODELLED


def _service_profile(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if len(words) == 1 and not form:
        return LineState.UNRECOGNISED
    found.profile = Unset(where) if form else Known(words[1], Origin.INTENDED, where)
    return LineState.MODELLED


def _interface_profile(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    if len(words) == 1 and not form:
        return LineState.UNRECOGNISED
    found.interface_profile = Unset(where) if form else Known(words[1], Origin.INTENDED, where)
    return LineState.MODELLED if len(words) <= 2 else LineState.CONDITIONAL  # noqa: PLR2004  of several, the first


def _pfc(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    rest = list(words[1:])
    if rest[:1] == ["mode"]:  # older releases write `priority-flow-control mode on`
        rest = rest[1:]
    if form and not rest:
        found.pfc_mode = Unset(where)
    elif rest in (["on"], ["off"]):
        found.pfc_mode = Unset(where) if form else Known(PfcMode(rest[0]), Origin.INTENDED, where)
    elif rest[:1] == ["priority"] and len(rest) > 1:
        return _no_drop(found, rest[1:], where, form)
    elif rest[:2] == ["pause", "watchdog"]:
        return _watchdog(found, rest[2:], where, form)
    else:
        return LineState.UNRECOGNISED
    return LineState.MODELLED


def _no_drop(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    numbers = expand(words[0], 0, 7)
    if numbers is None or (not form and words[1:] not in (["no-drop"], ["drop"])):
        return LineState.NOT_MODELLED if words[1:2] == ["dlb"] else LineState.UNRECOGNISED
    for number in numbers:
        found.no_drop[number] = Unset(where) if form else Known(words[1] == "no-drop", Origin.INTENDED, where)
    return LineState.MODELLED


ACTIONS: Mapping[str, Setting[WatchdogAction]] = {
    "drop": Known(WatchdogAction.DROP, Origin.INTENDED),
    "no-drop": Known(WatchdogAction.FORWARD, Origin.INTENDED),
    "notify-only": Known(WatchdogAction.ALERT, Origin.INTENDED),
    "errdisable": Unknown("the watchdog err-disables the port, an action that no other system has"),
}
_TIMERS = {"timeout": "timeout_ms", "recovery-time": "recovery_ms", "polling-interval": "polling_ms"}


def action(word: str, where: Where) -> Setting[WatchdogAction] | None:
    """Return what the watchdog does by the name of EOS, None where there is no such name."""
    found = ACTIONS.get(word)
    return Known(found.value, found.origin, where) if isinstance(found, Known) else found


def _watchdog(found: Statements, words: Sequence[str], where: Where, form: str) -> LineState:
    """Read what the watchdog does on this port; its times are in seconds, and `auto` leaves one to the switch."""
    if not words:
        on = Known(not form, Origin.INTENDED, where)
        found.watchdog = Unset(where) if form == "default" else on
        return LineState.MODELLED
    if words[:2] == ["port", "action"]:
        setting = Unset(where) if form else action("".join(words[2:3]), where)
        found.watchdog_action = setting or found.watchdog_action
        return LineState.MODELLED if setting else LineState.UNRECOGNISED
    if words[:2] == ["port", "timer"]:
        for key, name in _TIMERS.items():
            setattr(found, name, Unset(where) if form else seconds(words, key, where))
        return LineState.MODELLED
    return LineState.UNRECOGNISED


def seconds(words: Sequence[str], key: str, where: Where) -> Setting[float]:
    """Return the time behind *key* in milliseconds; no statement where there is none.

    >>> seconds("timeout 0.05 polling-interval auto".split(), "timeout", Where("", 1)).value
    50.0
    """
    text = words[words.index(key) + 1] if key in words[:-1] else None
    number = decimal(text, 0, 3600)
    if number is not None:
        return Known(round(number * 1000, 6), Origin.INTENDED, where)
    return NOTHING if text is None else Unknown(f"{key} {text} leaves the time to the switch")


def _channel_group(_found: Statements, words: Sequence[str], _where: Where, form: str) -> LineState:
    return LineState.MODELLED if form or len(words) > 1 else LineState.UNRECOGNISED


def _recognised(_found: Statements, _words: Sequence[str], _where: Where, _form: str) -> LineState:
    return LineState.NOT_MODELLED


_READERS: Mapping[str, Callable[..., LineState]] = {
    "shutdown": _shutdown,
    "mtu": _mtu,
    "l2": _l2,
    "speed": _speed,
    "error-correction": _fec,
    "switchport": _switchport,
    "flowcontrol": _flowcontrol,
    "qos": _qos,
    "service-policy": _service_policy,
    "service-profile": _service_profile,
    "profile": _interface_profile,
    "priority-flow-control": _pfc,
    "channel-group": _channel_group,
    "dcbx": _recognised,
    "shape": _recognised,
    "mc-tx-queue": _recognised,
}
