"""The statements of an interface of AOS-CX for flow control: link pause, PFC by priority, its watchdog, its buffers."""

import re
from collections.abc import Iterable, Iterator

from auditor.grammar.body import BufferBody, PortBody, intend
from auditor.grammar.numbers import expand
from auditor.grammar.rows import flag, number, skip, value, within
from auditor.grammar.statements import Arguments, Negation, Statement, setting
from auditor.model.dump import LineState
from auditor.model.port import PfcMode
from auditor.model.setting import Unknown, Unset, Where
from auditor.util.regex import regex

GUIDE = "AOS-CX 10.11 Fundamentals Guide, 8320, 8325, 8360, 9300, 10000 Switch Series, Interface configuration"
"""Each `flow-control priority` replaces the one before, and `no` takes all flow control off the interface."""
CABLE_PAGE = "AOS-CX 10.18 Quality of Service Guide for 832x, 9300 and 10000, flow-control buffer cable-length"
"""The headroom of priorities without a size of their own is worked out for this cable, which is 350 m by default."""
KBYTE = 1024
"""The guide's `show qos pool config` adds up to 32768 kbytes on a switch of 32 Mbytes."""
PRIORITIES = range(8)
_LIST = regex(r"(?:(?P<way>rxtx|rx|tx) )?(?P<list>\d[\d,-]*)(?: pool \d)?(?: |\Z)")
_PAUSE = regex(r"(?:pool \d)?(?: ?override-negotiation)?\Z")
_SIZE = regex(r"(?P<size>\d{1,6}) kbytes\Z")
_LOWEST, _HIGHEST = -7, 3
"""Exponents of the factor of the free buffer at which a priority pauses."""
ALL_OFF = Negation(
    GUIDE,
    off={"pause_rx": False, "pause_tx": False, "pfc_mode": PfcMode.OFF},
    member=("no_drop", lambda _: PRIORITIES),
    member_off=False,
    every=tuple(PRIORITIES),
)


def parse_ways(text: str) -> dict[int, str] | None:
    """Return the direction of each priority in lists such as `rxtx 3 rx 1,2`, None if they are malformed.

    >>> parse_ways("rxtx 3 rx 1-2"), parse_ways("4"), parse_ways("rxtx 9")
    ({3: 'rxtx', 1: 'rx', 2: 'rx'}, {4: 'rxtx'}, None)
    """
    found: dict[int, str] = {}
    place = 0
    while place < len(text):
        match = _LIST.match(text, place)
        listed = expand(match["list"], 0, 7) if match else None
        if match is None or listed is None:
            return None
        found.update(dict.fromkeys(listed, match["way"] or "rxtx"))
        place = match.end()
    return found or None


def _write_priorities(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write PFC for the listed priorities, in both directions or in one, and for no other."""
    ways = parse_ways(arguments["words"])
    if ways is None:
        return None
    body.pfc_mode = intend(PfcMode.ON, where)
    for priority in PRIORITIES:
        way = ways.get(priority, "")
        body.no_drop[priority] = intend(bool(way), where)
        body.honoured_only[priority] = intend(way == "rx", where)
        body.sent_only[priority] = intend(way == "tx", where)
    return LineState.MODELLED


def _pause(direction: str, *names: str) -> Statement[PortBody]:
    """Return link pause in one direction or both, for all priorities."""

    def write(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
        if not _PAUSE.match(arguments["options"]):
            return None
        for name in names:
            setattr(body, name, setting(found=True, where=where))
        return LineState.MODELLED

    return Statement(f"flow-control {direction} {{options*}}", f"flow-control {direction}", write, ALL_OFF)


def _all_off(_body: PortBody, _arguments: Arguments, _where: Where) -> None:
    """Write nothing: there is `no flow-control` alone, and no such command."""


def _buffer(body: PortBody, arguments: Arguments, where: Where) -> Iterable[BufferBody] | None:
    priority = number(0, 7)(arguments["priority"])
    return None if priority is None else (body.buffer(priority, where),)


def _parse_size(text: str) -> int | None:
    match = _SIZE.match(text)
    return int(match["size"]) * KBYTE if match else None


def _write_dynamic(buffer: BufferBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the factor of the free buffer at which a priority pauses, in place of a fixed depth."""
    text = arguments["exponent"]
    if not re.fullmatch(r"-?\d", text) or not _LOWEST <= int(text) <= _HIGHEST:
        return None
    buffer.alpha, buffer.xoff = intend(2.0 ** int(text), where), Unset(where)
    return LineState.MODELLED


def _write_static(buffer: BufferBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the depth at which a priority pauses, in place of a share of the free buffer."""
    size = _parse_size(arguments["size"])
    if size is None:
        return None
    unset = Unknown("the priority pauses at a fixed depth")
    buffer.xoff, buffer.alpha = intend(size, where), unset
    return LineState.MODELLED


def _parse_cable(text: str) -> float | Unknown | None:
    if text == "auto":
        return Unknown("the switch measures the cable")
    metres = number(1, 10**5)(text)
    return None if metres is None else float(metres)


def _list_buffers() -> Iterator[Statement[PortBody]]:
    """Yield the statements of the buffer of one priority."""
    form = "flow-control buffer priority {priority} "
    example = "flow-control buffer priority 3 "
    rows = (
        value(f"{form}headroom {{size+}}", "headroom", _parse_size, example=f"{example}headroom 96 kbytes", page=GUIDE),
        value(f"{form}xon {{size+}}", "xon_offset", _parse_size, example=f"{example}xon 24 kbytes", page=GUIDE),
    )
    pausing = Negation(GUIDE, ("xoff", "alpha"))
    whole = len(form.split()) + 1
    for row in rows:
        yield Statement(row.form, row.example, row.write, row.negation, part=_buffer, least=whole)
    yield from within(
        _buffer,
        Statement(
            f"{form}xoff dynamic {{exponent}}", f"{example}xoff dynamic 1", _write_dynamic, pausing, least=whole + 1
        ),
        Statement(
            f"{form}xoff static {{size+}}", f"{example}xoff static 128 kbytes", _write_static, pausing, least=whole + 1
        ),
    )


FLOW_CONTROL: tuple[Statement[PortBody], ...] = (
    Statement("flow-control priority {words*}", "flow-control priority rxtx 3", _write_priorities, ALL_OFF),
    flag("flow-control watchdog", {"watchdog": True}, off={"watchdog": False}, page=GUIDE),
    *_list_buffers(),
    value(
        "flow-control buffer cable-length {length}",
        "cable_m",
        _parse_cable,
        example="flow-control buffer cable-length 40",
        page=CABLE_PAGE,
    ),
    skip("flow-control buffer llfc ..."),
    _pause("rx", "pause_rx"),
    _pause("tx", "pause_tx"),
    _pause("rxtx", "pause_rx", "pause_tx"),
    Statement("flow-control", "flow-control", _all_off, ALL_OFF),
    skip("flow-control ...", LineState.UNRECOGNISED),
)
