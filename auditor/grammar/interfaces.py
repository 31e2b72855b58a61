"""Statements of interfaces that several command lines write alike; `undo` says that a statement is negated."""

import re
from collections.abc import Sequence

from auditor.grammar.body import Body, known
from auditor.grammar.config import Reader
from auditor.grammar.numbers import decimal, expand
from auditor.model.dump import LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Setting, Unknown, Unset, Where

LOWEST_MTU = 46
_SPAN = re.compile(r"(?P<first>\d{1,2})(?: to (?P<last>\d{1,2}))?(?= |\Z)")


def numbers(text: str, highest: int) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `1 3 to 5`, None where it is malformed.

    >>> numbers("1 3 to 5", 7), numbers("3 to", 7), numbers("9", 7)
    ((1, 3, 4, 5), None, None)
    """
    spans = [f"{m['first']}-{m['last'] or m['first']}" for m in _SPAN.finditer(text)]
    return expand(",".join(spans), 0, highest) if spans and not _SPAN.sub("", text).strip() else None


def size(text: str | None, where: Where, highest: int) -> Setting[int]:
    """Return a length in bytes; Unknown where it is malformed or out of range."""
    number = decimal(text, LOWEST_MTU, highest)
    return Unknown("the length is malformed") if number is None else known(int(number), where)


def mtu(highest: int) -> Reader:
    """Return what reads `mtu N`."""

    def read(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
        body.mtu = Unset(where) if undo else size(words[1] if len(words) > 1 else None, where, highest)
        return None if isinstance(body.mtu, Unknown) else LineState.MODELLED

    return read


def jumbo(highest: int) -> Reader:
    """Return what reads `jumboframe enable [N]`: the longest frame that is let in."""

    def read(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
        if words[1:2] != ["enable"]:
            return None
        if undo:
            body.max_frame = Unknown("how long a frame may be without jumbo frames is not documented")
        else:
            body.max_frame = size(words[2], where, highest) if len(words) > 2 else Unset(where)  # noqa: PLR2004
            if isinstance(body.max_frame, Unknown):
                return None
        return LineState.MODELLED

    return read


def shutdown(body: Body, _words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `shutdown`."""
    body.enabled = known(undo, where)
    return LineState.MODELLED


def speed(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `speed N`, in Mb/s."""
    number = decimal(words[1] if len(words) > 1 else None, 10, 10**6)
    if undo:
        body.speed_gbps = Unset(where)
    else:
        body.speed_gbps = Unknown("the speed is negotiated") if number is None else known(number / 1000, where)
    return LineState.MODELLED


def port(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `port link-type KIND`; `hybrid` ports may send tagged and untagged packets."""
    if words[1:2] == ["link-mode"]:
        return _link_mode(body, words, where, undo)
    if words[1:2] != ["link-type"] or undo:
        return LineState.IGNORED
    kind = words[2] if len(words) > 2 else ""  # noqa: PLR2004  `port link-type KIND`
    if kind not in {"access", "trunk", "hybrid", "dot1q-tunnel"}:
        return None
    body.forwarding = known(Forwarding.SWITCHED, where)
    told = kind in {"access", "trunk"}
    body.tagged = known(kind == "trunk", where) if told else Unknown(f"port link-type {kind} leaves tags open")
    return LineState.MODELLED


def _link_mode(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    mode = {"bridge": Forwarding.SWITCHED, "route": Forwarding.ROUTED}.get("".join(words[2:3]))
    if mode is None or undo:
        return None
    _forward(body, mode, where)
    return LineState.MODELLED


def portswitch(body: Body, _words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `portswitch`, which makes a port a switched one."""
    _forward(body, Forwarding.ROUTED if undo else Forwarding.SWITCHED, where)
    return LineState.MODELLED


def _forward(body: Body, mode: Forwarding, where: Where) -> None:
    body.forwarding = known(mode, where)
    if mode is Forwarding.ROUTED:
        body.tagged = known(value=False, where=where)


def flow_control(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `flow-control` (both directions) and `flow-control receive enable`."""
    if words[1:] == ["receive", "enable"]:
        body.pause_rx = known(not undo, where)
    elif len(words) == 1:
        body.pause_rx = body.pause_tx = known(not undo, where)
    else:
        return LineState.NOT_MODELLED
    return LineState.MODELLED
