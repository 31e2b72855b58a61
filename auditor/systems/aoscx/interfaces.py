"""Interfaces of AOS-CX switches: what each statement says."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar import interfaces
from auditor.grammar.body import Body, known
from auditor.grammar.config import Reader, Stanza
from auditor.grammar.numbers import MAX_ITEMS, decimal, expand
from auditor.grammar.tree import Node
from auditor.grammar.views import between
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode
from auditor.model.qos import Trust
from auditor.model.setting import Unknown, Unset, Where

LARGEST_MTU = 9198
THRESHOLD, SCHEDULE = "qos threshold-profile", "qos schedule-profile"
TRUSTS = {"dscp": Trust.DSCP, "cos": Trust.PCP, "none": Trust.NONE}
_PFC = re.compile(r"flow-control priority (?:(?P<direction>rxtx|rx|tx) )?(?P<list>\d[\d,-]*)(?: pool \d)?\Z")
_PAUSE = re.compile(r"flow-control (?P<direction>rxtx|rx|tx)(?: pool \d)?(?: override-negotiation)?\Z")
_SPEED = re.compile(r"(?P<number>\d{1,6})(?P<giga>[gG])?(?:-(?:full|half))?\Z")


def _flow_control(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    """Read PFC for a priority, or link pause for all of them."""
    text = " ".join(words)
    pfc, pause = _PFC.match(text), _PAUSE.match(text)
    priorities = expand(pfc["list"], 0, 7) if pfc else None
    if pfc and priorities is not None:
        body.no_drop.update(dict.fromkeys(priorities, known(not no, where)))
        body.pfc_mode = body.pfc_mode if no else known(PfcMode.ON, where)
        body.honoured_only = (
            known(value=True, where=where) if pfc["direction"] == "rx" and not no else body.honoured_only
        )
    elif pause or (no and len(words) == 1):
        direction = pause["direction"] if pause else "rxtx"
        body.pause_rx = known(not no, where) if direction.startswith("rx") else body.pause_rx
        body.pause_tx = known(not no, where) if direction.endswith("tx") else body.pause_tx
        if pause is None:
            body.pfc_mode = known(PfcMode.OFF, where)
    else:
        return None
    return LineState.MODELLED


def _qos(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    if words[1:2] != ["trust"]:
        return LineState.NOT_MODELLED
    trust = TRUSTS.get("".join(words[2:]))
    if trust is None and not no:
        body.trust = Unknown("what the port trusts is malformed")
        return None
    body.trust = Unset(where) if no or trust is None else known(trust, where)
    return LineState.MODELLED


def _apply(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    """Read the profiles that a port uses, and a policy that sorts what arrives."""
    kind = " ".join(words[1:3])
    if kind in {THRESHOLD, SCHEDULE} and (len(words) > 3 or no):  # noqa: PLR2004  `apply qos KIND NAME`
        body.names[kind] = Unset(where) if no else known(words[3], where)
        return LineState.MODELLED
    if words[1:2] == ["policy"] and words[-1] == "in":
        body.policy = Unset(where) if no else known(words[2], where)
        return LineState.CONDITIONAL
    return LineState.NOT_MODELLED


def _ip(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    if words[1:2] == ["mtu"]:
        body.ip_mtu = Unset(where) if no else interfaces.size("".join(words[2:3]), where, LARGEST_MTU)
        return None if isinstance(body.ip_mtu, Unknown) else LineState.MODELLED
    if words[1:2] == ["address"] and not no:
        _routed(body, where)
        return LineState.MODELLED
    return LineState.IGNORED


def _routing(body: Body, _words: Sequence[str], where: Where, no: bool) -> LineState | None:
    if no:
        body.forwarding = known(Forwarding.SWITCHED, where)
    else:
        _routed(body, where)
    return LineState.MODELLED


def _routed(body: Body, where: Where) -> None:
    body.forwarding, body.tagged = known(Forwarding.ROUTED, where), known(value=False, where=where)


def _vlan(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    if words[1:2] not in (["access"], ["trunk"]) or no:
        return LineState.IGNORED
    body.forwarding, body.tagged = known(Forwarding.SWITCHED, where), known(words[1] == "trunk", where)
    return LineState.MODELLED


def _speed(body: Body, words: Sequence[str], where: Where, no: bool) -> LineState | None:
    """Read `speed 100-full` (Mb/s) and `speed auto 100g`; several rates are left to negotiation."""
    rates = [word for word in words[1:] if word != "auto"]
    match = _SPEED.match(rates[0]) if len(rates) == 1 else None
    number = decimal(match["number"], 10, 10**6) if match else None
    if no:
        body.speed_gbps = Unset(where)
    elif match is None or number is None:
        body.speed_gbps = Unknown("the speed is negotiated")
    else:
        body.speed_gbps = known(number / (1 if match["giga"] else 1000), where)
    return LineState.MODELLED


READERS: Mapping[str, Reader] = {
    "flow-control": _flow_control,
    "qos": _qos,
    "apply": _apply,
    "mtu": interfaces.mtu(LARGEST_MTU),
    "ip": _ip,
    "routing": _routing,
    "vlan": _vlan,
    "speed": _speed,
    "shutdown": interfaces.shutdown,
}


_NO_PORTS = frozenset({"lag", "vlan", "loopback", "mgmt", "tunnel", "vxlan", "gre"})


def stanza(node: Node) -> Stanza | None:
    """Return the interfaces of `interface 1/1/1-1/1/4,1/1/9` or `interface lag 1` with their lines."""
    words = node.text.split()
    if words[0] != "interface" or len(words) == 1:
        return None
    if not words[1][:1].isdigit():
        return ((" ".join(words[1:3]),), node.children) if words[1] in _NO_PORTS else None
    found: list[str] = []
    for part in "".join(words[1:]).split(","):
        first, dash, last = part.partition("-")
        span = between(first, last) if dash else (first,)
        if span is None or len(found) + len(span) > MAX_ITEMS:
            return None
        found.extend(span)
    return tuple(found), node.children
