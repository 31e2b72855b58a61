"""The buffers of VRP: what a priority may hold on arrival, with its headroom, and a queue on departure; shaping."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from auditor.grammar.body import BufferBody, PortBody, QueueBody, intend
from auditor.grammar.interfaces import parse_numbers
from auditor.grammar.rows import entries, number, value, within
from auditor.grammar.statements import Arguments, Negation, Statement
from auditor.model.dump import LineState
from auditor.model.setting import Unknown, Where
from auditor.util.regex import regex

KBYTE = 1024
"""CloudEngine CE6800 V300R023 Command Reference, qos car: the same largest burst in bytes, kbytes and mbytes."""
BUFFER_PAGE = "CloudEngine CE6800 V300R023 Command Reference, dcb pfc buffer"
LIMIT_PAGE = "CloudEngine CE6800 V300R023 Command Reference, qos buffer queue"
SHAPING_PAGE = "CloudEngine CE6800 V300R023 Command Reference, qos queue shaping"
_FACTOR = Unknown("the factor that the number of a dynamic threshold stands for is on no page that could be read")
_CELLS = Unknown("the size of a cell differs between models")
_SIZE = regex(r"(?P<amount>\d{1,9})(?: (?P<unit>bytes|kbytes|mbytes|cells))?\Z")
_UNITS = {"bytes": 1, "kbytes": KBYTE, "mbytes": KBYTE**2}


def parse_size(text: str, unit: str) -> int | Unknown | None:
    """Return a size in bytes; without a unit it counts *unit*. None: it is malformed.

    >>> parse_size("40 kbytes", "bytes"), parse_size("256", "kbytes"), parse_size("soon", "bytes")
    (40960, 262144, None)
    """
    match = _SIZE.match(text)
    if match is None:
        return None
    found = match["unit"] or unit
    return _CELLS if found == "cells" else int(match["amount"]) * _UNITS[found]


_ON_ARRIVAL = regex(
    r"static (?P<static>\d+(?: [a-z]+)?)|dynamic (?P<dynamic>\d{1,2})",
)
_XOFF = regex(rf"(?:{_ON_ARRIVAL.pattern})(?: xon offset (?P<offset>\d+(?: [a-z]+)?))?\Z")
_BOTH = regex(r"static (?P<xon>\d+ [a-z]+) xoff static (?P<xoff>\d+ [a-z]+)\Z|dynamic \d{1,2} xoff dynamic \d{1,2}\Z")
_SIZES = ("reserved", "headroom")
_PAUSING = ("xoff", "alpha", "xon", "xon_offset")


def _write_xoff(buffer: BufferBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the depth at which a priority pauses, and how far below it resumes."""
    match = _XOFF.match(arguments["words"])
    if match is None:
        return None
    static = parse_size(match["static"], "kbytes") if match["static"] else None
    offset = parse_size(match["offset"], "kbytes") if match["offset"] else None
    if (match["static"] and static is None) or (match["offset"] and offset is None):
        return None
    if static is None:
        buffer.alpha = _FACTOR
    else:
        buffer.xoff = static if isinstance(static, Unknown) else intend(static, where)
    if offset is not None:
        buffer.xon_offset = offset if isinstance(offset, Unknown) else intend(offset, where)
    return LineState.MODELLED


def _write_both(buffer: BufferBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the depths at which a priority resumes and pauses."""
    match = _BOTH.match(arguments["words"])
    if match is None:
        return None
    if match["xon"] is None:
        buffer.alpha = buffer.xon = _FACTOR
        return LineState.MODELLED
    xon, xoff = parse_size(match["xon"], ""), parse_size(match["xoff"], "")
    if xon is None or xoff is None:
        return None
    buffer.xon = xon if isinstance(xon, Unknown) else intend(xon, where)
    buffer.xoff = xoff if isinstance(xoff, Unknown) else intend(xoff, where)
    return LineState.MODELLED


def _list_buffers(body: PortBody, arguments: Arguments, where: Where) -> Iterable[BufferBody] | None:
    found = parse_numbers(arguments["queue"], 7) if arguments["queue"] else tuple(range(8))
    return None if found is None else [body.buffer(each, where) for each in found]


def only_undone(_body: object, _arguments: Arguments, _where: Where) -> None:
    """Write nothing: there is the `undo` form, and no such command."""


def _whole(statement: Statement[Any]) -> Statement[Any]:
    """Return *statement* such that its negation names what it takes back."""
    return replace(statement, least=5)


BUFFERS: tuple[Statement[Any], ...] = within(
    _list_buffers,
    *map(
        _whole,
        (
            value(
                "dcb pfc buffer {queue} guaranteed {size+}",
                "reserved",
                lambda text: parse_size(text, "bytes"),
                example="dcb pfc buffer 3 guaranteed 25 kbytes",
                page=BUFFER_PAGE,
            ),
            value(
                "dcb pfc buffer {queue} hdrm {size+}",
                "headroom",
                lambda text: parse_size(text, "kbytes"),
                example="dcb pfc buffer 3 hdrm 1000 kbytes",
                page=BUFFER_PAGE,
            ),
            Statement(
                "dcb pfc buffer {queue} xoff {words+}",
                "dcb pfc buffer 3 xoff static 300 kbytes xon offset 200 kbytes",
                _write_xoff,
                Negation(BUFFER_PAGE, _PAUSING),
            ),
            Statement(
                "dcb pfc buffer {queue} xon {words+}",
                "dcb pfc buffer 3 xon static 100 kbytes xoff static 300 kbytes",
                _write_both,
                Negation(BUFFER_PAGE, _PAUSING),
            ),
        ),
    ),
    Statement("dcb pfc buffer {queue*}", "dcb pfc buffer 3", only_undone, Negation(BUFFER_PAGE, (*_SIZES, *_PAUSING))),
)
"""What a priority may hold on arrival."""
_RATE = regex(r"(?P<rate>\d{1,9})(?: (?P<unit>kbps|mbps|gbps))?(?= |\Z)")
_GBPS = {"kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}
_SHAPED = regex(rf"cir {_RATE.pattern}(?: cbs \d+(?: [a-z]+)?)?(?: pir (?P<peak>.+))?")


def parse_rate(text: str) -> float | None:
    """Return a rate in Gb/s, by default counted in kbps; None where it is malformed.

    >>> parse_rate("40 gbps outbound"), parse_rate("1000000"), parse_rate("fast")
    (40.0, 1.0, None)
    """
    match = _RATE.match(text)
    return int(match["rate"]) * _GBPS[match["unit"] or "kbps"] if match else None


def _shape(text: str) -> float | None:
    """Return the rate that a queue never exceeds: its peak, without one what is committed."""
    match = _SHAPED.match(text)
    return parse_rate(match["peak"] or text.removeprefix("cir ")) if match else None


_PERCENT = regex(r"percent cir (?P<cir>\d{1,3})(?: pir (?P<pir>\d{1,3}))?\Z")


def _shape_queue(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the rate limit of a queue, in Gb/s or in percent of the port's speed."""
    share, gbps = _PERCENT.match(arguments["words"]), _shape(arguments["words"])
    if share:
        queue.shape_percent = intend(float(share["pir"] or share["cir"]), where)
    elif gbps is not None:
        queue.shape_gbps = intend(gbps, where)
    else:
        return None
    return LineState.MODELLED


_LIMIT = regex(r"static (?P<static>\d+ [a-z]+)\Z|dynamic \d{1,2}\Z")


def _limit_queue(queue: QueueBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write what a queue may hold of the buffer."""
    match = _LIMIT.match(arguments["words"])
    size = parse_size(match["static"], "") if match and match["static"] else None
    if match is None or (match["static"] and size is None):
        return None
    if size is None:
        queue.alpha = _FACTOR
    else:
        queue.limit = size if isinstance(size, Unknown) else intend(size, where)
    return LineState.MODELLED


LIMITS: tuple[Statement[QueueBody], ...] = (
    Statement(
        "qos buffer queue {queue} shared-threshold {words+}",
        "qos buffer queue 3 shared-threshold static 2 mbytes",
        _limit_queue,
        Negation(LIMIT_PAGE, ("limit", "alpha")),
        least=4,
    ),
    Statement(
        "qos queue {queue} shaping {words+}",
        "qos queue 3 shaping cir 10 gbps pir 40 gbps",
        _shape_queue,
        Negation(SHAPING_PAGE, ("shape_gbps", "shape_percent")),
        least=4,
    ),
)
"""What a queue may hold on departure, and its rate."""


def _scale(arguments: Arguments) -> int | None:
    amount = number(0, 10**6)(arguments["amount"])
    return None if amount is None else amount * _UNITS[arguments["unit"]]


def _slot(arguments: Arguments) -> tuple[str]:
    return (arguments["slot"],)


HEADROOM_PAGE = "CloudEngine CE6800 V300R023 Command Reference, qos buffer headroom-pool"
HEADROOM: tuple[Statement[Any], ...] = (
    entries(
        "qos buffer headroom-pool size {amount} {unit:kbytes|mbytes} slot {slot}",
        "headroom",
        _slot,
        _scale,
        example="qos buffer headroom-pool size 4 mbytes slot 1",
        page=HEADROOM_PAGE,
    ),
    Statement(
        "qos buffer headroom-pool slot {slot}",
        "qos buffer headroom-pool slot 1",
        only_undone,
        Negation(HEADROOM_PAGE, member=("headroom", _slot)),
        least=5,
    ),
)
"""The headroom that all ports of a slot share."""
