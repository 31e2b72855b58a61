"""The body of an interface stanza, line by line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where

MAX_MTU = 10_000
_NOTHING = Unset()
_NO_SETTINGS = frozenset({"where", "policies", "profile"})


@dataclass(slots=True)
class Interface:
    """What is written in one stanza. `policies` is keyed by type and direction: `("qos", "input")`."""

    where: Where
    enabled: Setting[bool] = _NOTHING
    speed_gbps: Setting[float] = _NOTHING
    fec: Setting[str] = _NOTHING
    mtu: Setting[int] = _NOTHING
    forwarding: Setting[Forwarding] = _NOTHING
    tagged: Setting[bool] = _NOTHING
    pause_rx: Setting[bool] = _NOTHING
    pause_tx: Setting[bool] = _NOTHING
    pfc_mode: Setting[PfcMode] = _NOTHING
    watchdog: Setting[bool] = _NOTHING
    watchdog_action: Setting[WatchdogAction] = _NOTHING
    watchdog_multiplier: Setting[int] = _NOTHING
    policies: dict[tuple[str, str], Known[str]] = field(default_factory=dict)
    profile: str = ""

    def overlaid(self, later: "Interface") -> "Interface":
        """Return these statements with those of a *later* stanza of the same interface laid over them."""
        merged = Interface(self.where, policies=self.policies | later.policies, profile=later.profile or self.profile)
        for each in fields(self):
            if each.name not in _NO_SETTINGS:
                new = getattr(later, each.name)
                setattr(merged, each.name, getattr(self, each.name) if new is _NOTHING else new)
        return merged

    def unset(self, *names: str) -> None:
        """Forget what was written for *names*: the effect of a `no` form."""
        for name in names:
            setattr(self, name, _NOTHING)


Place = Callable[[int], Where]
_IGNORED = re.compile(
    r"(?:"
    r"access-group|arp|autostate|bandwidth|beacon|bfd|carrier-delay|cdp|cts|delay|description|"
    r"dfe-tuning-delay|dot1q|duplex|encapsulation|errdisable|ethernet|evpn|fabric|fex|flow|host|"
    r"hsrp|icmp|ip|ipv6|isis|lacp|layer3|link|lldp|load-interval|logging|loopback|"
    r"mac|mac-address|macsec|management|mdix|medium|mpls|negotiate|nve|ospf|ospfv3|packet|pim|"
    r"pinning|port-channel|port-type|power|private-vlan|ptp|rate-mode|route-map|sflow|snmp|"
    r"spanning-tree|state|storm-control|switchport|transceiver|udld|vlan|vn-segment|vpc|vrf|vtp"
    r")\Z"
)
_NOT_MODELLED_POLICIES = frozenset({"pbr", "control-plane", "plm", "ngoam"})


def read(node: Node, place: Place, mark: Callable[[int, LineState], None]) -> Interface:
    """Return what the stanza *node* says; *mark* takes the state of each line, by its index in the tree."""
    found = Interface(place(node.index))
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        state = _line(found, child.text, place(child.index))
        mark(child.index, state)
        for below in child.children:
            mark(below.index, LineState.IGNORED if state is LineState.IGNORED else LineState.UNRECOGNISED)
    return found


def is_ignored(text: str) -> bool:
    """Tell whether a line says nothing of quality of service, so that ports that differ in it are alike."""
    words = text.split(None, 3)
    if words[0] in {"no", "default"}:
        words = words[1:]
    if not words:
        return False
    if words[0] == "switchport":
        return len(words) > 1 and words[1] != "mode"
    return words[0] not in _READERS and _IGNORED.match(words[0]) is not None


def _line(found: Interface, text: str, where: Where) -> LineState:
    words = text.split()
    negated = words[0] in {"no", "default"}
    words = words[1:] if negated else words
    if not words:
        return LineState.UNRECOGNISED
    reader = _READERS.get(words[0])
    if reader is None:
        return LineState.IGNORED if _IGNORED.match(words[0]) else LineState.UNRECOGNISED
    return reader(found, words, where, negated=negated)


def _shutdown(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if len(words) > 1:  # `no shutdown lan` is another command
        return LineState.IGNORED
    found.enabled = Known(value=negated, origin=Origin.INTENDED, where=where)
    return LineState.MODELLED


def _mtu(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if negated:
        found.unset("mtu")
        return LineState.MODELLED
    text = words[1] if len(words) > 1 else ""
    if not (text.isdecimal() and len(text) < 6 and 0 < int(text) <= MAX_MTU):  # noqa: PLR2004  five digits at most
        return LineState.UNRECOGNISED
    found.mtu = Known(int(text), Origin.INTENDED, where)
    return LineState.MODELLED


_SPEED_WORDS: Mapping[str, float] = {"10g": 10, "25g": 25, "40g": 40, "50g": 50, "100g": 100, "200g": 200, "400g": 400}


def _speed(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if negated:
        found.unset("speed_gbps")
        return LineState.MODELLED
    text = words[1].lower() if len(words) > 1 else ""
    if text.startswith("auto"):
        found.speed_gbps = Unknown("speed is negotiated")
    elif text.isdecimal() and len(text) < 8 and int(text):  # noqa: PLR2004  Mb/s, at most seven digits
        found.speed_gbps = Known(int(text) / 1000, Origin.INTENDED, where)
    elif text in _SPEED_WORDS:
        found.speed_gbps = Known(_SPEED_WORDS[text], Origin.INTENDED, where)
    else:
        return LineState.UNRECOGNISED
    return LineState.MODELLED


def _fec(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if negated or len(words) < 2:  # noqa: PLR2004  `fec MODE`
        found.unset("fec")
    else:
        found.fec = Known(words[1], Origin.INTENDED, where)
    return LineState.MODELLED


def _switchport(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    if len(words) == 1:
        value = Forwarding.ROUTED if negated else Forwarding.SWITCHED
        found.forwarding = Known(value, Origin.INTENDED, where)
        if negated:
            found.tagged = Known(value=False, origin=Origin.INTENDED, where=where)
        return LineState.MODELLED
    if words[1] == "mode" and len(words) > 2 and not negated:  # noqa: PLR2004  `switchport mode MODE`
        found.tagged = Known(value=words[2] in {"trunk", "fex-fabric"}, origin=Origin.INTENDED, where=where)
        if not isinstance(found.forwarding, Known):
            found.forwarding = Known(Forwarding.SWITCHED, Origin.INTENDED, where)
        return LineState.MODELLED
    return LineState.IGNORED


def _flowcontrol(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    name = {"receive": "pause_rx", "send": "pause_tx"}.get(words[1] if len(words) > 1 else "")
    if name is None:
        return LineState.UNRECOGNISED
    if negated:
        found.unset(name)
        return LineState.MODELLED
    value = words[2] if len(words) > 2 else ""  # noqa: PLR2004  `flowcontrol DIRECTION VALUE`
    if value not in {"on", "off", "desired"}:
        return LineState.UNRECOGNISED
    known: Setting[bool] = (
        Unknown("flowcontrol is negotiated") if value == "desired" else Known(value == "on", Origin.INTENDED, where)
    )
    setattr(found, name, known)
    return LineState.MODELLED


_MULTIPLIER = re.compile(r" interface-multiplier (?P<number>\d{1,4})\b")


def _pfc(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    what = words[1] if len(words) > 1 else ""
    value = words[2] if len(words) > 2 else ""  # noqa: PLR2004  `priority-flow-control WHAT VALUE`
    if what == "mode":
        if negated:
            found.unset("pfc_mode")
        elif value in {"on", "off", "auto"}:
            found.pfc_mode = Known(PfcMode(value), Origin.INTENDED, where)
        else:
            return LineState.UNRECOGNISED
        return LineState.MODELLED
    if what == "watch-dog-interval":
        if negated:
            found.unset("watchdog", "watchdog_action", "watchdog_multiplier")
        elif value in {"on", "off"}:
            found.watchdog = Known(value == "on", Origin.INTENDED, where)
            if "disable-action" in words:
                found.watchdog_action = Known(WatchdogAction.ALERT, Origin.INTENDED, where)
            if (own := _MULTIPLIER.search(" ".join(words))) is not None:
                found.watchdog_multiplier = Known(int(own["number"]), Origin.INTENDED, where)
        else:
            return LineState.UNRECOGNISED
        return LineState.MODELLED
    return LineState.UNRECOGNISED


def policy_reference(words: Sequence[str], where: Where) -> tuple[tuple[str, str], Known[str]] | None:
    """Return type, direction and name of a `service-policy` line, None where it is malformed.

    `network-qos` has no direction; the type `qos` may be left out.
    """
    rest = list(words[1:])
    kind = "qos"
    if rest[:1] == ["type"] and len(rest) > 1:
        kind, rest = rest[1], rest[2:]
    direction = rest.pop(0) if rest[:1] in (["input"], ["output"]) else ""
    if not rest or (not direction and kind != "network-qos"):
        return None
    return (kind, direction), Known(rest[0], Origin.INTENDED, where)


def _service_policy(found: Interface, words: Sequence[str], where: Where, *, negated: bool) -> LineState:
    reference = policy_reference(words, where)
    if reference is None:
        return LineState.UNRECOGNISED
    (kind, direction), policy = reference
    if kind in _NOT_MODELLED_POLICIES:
        return LineState.NOT_MODELLED
    if negated:
        found.policies.pop((kind, direction), None)
    else:
        found.policies[kind, direction] = policy
    return LineState.MODELLED


def _inherit(found: Interface, words: Sequence[str], _where: Where, *, negated: bool) -> LineState:
    if len(words) < 3 or words[1] != "port-profile":  # noqa: PLR2004  `inherit port-profile NAME`
        return LineState.UNRECOGNISED
    found.profile = "" if negated else words[2]
    return LineState.MODELLED


def _channel_group(_found: Interface, words: Sequence[str], _where: Where, *, negated: bool) -> LineState:
    del negated
    return LineState.MODELLED if len(words) > 1 else LineState.UNRECOGNISED


_READERS: Mapping[str, Callable[..., LineState]] = {
    "shutdown": _shutdown,
    "mtu": _mtu,
    "speed": _speed,
    "fec": _fec,
    "switchport": _switchport,
    "flowcontrol": _flowcontrol,
    "priority-flow-control": _pfc,
    "service-policy": _service_policy,
    "channel-group": _channel_group,
    "inherit": _inherit,
}
