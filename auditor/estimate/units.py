"""Quantities as people write them, `100G`, `150KB`, `40m`, `300ns`, `20%`: to the units of the loss model and back."""

import re
from collections.abc import Callable, Mapping
from math import floor, isfinite, log10

from auditor.util.regex import regex

Reader = Callable[[str], object]
"""What turns a text into a quantity, or raises ValueError with words for a user."""
_QUANTITY = regex(r"\s*((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)\s*([^\d\s.,+-][^\d\s,]*)?\s*", re.IGNORECASE)
_SPEEDS_GBPS: Mapping[str, float] = {"": 1, "m": 1e-3, "g": 1, "t": 1e3}
_PER_SECOND = regex(r"([mgt])(?:be|b|bps|b/s|bits?|bits?/s|bits?/sec)?|()")
_BYTES_PER_SECOND = regex(r"([MGT])(?:B/s|Bps)")
_SIZES: Mapping[str, float] = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_OF_BYTES = regex(r"([kmg]i?|)(?:b|bytes?)?")
_PREFIXES: Mapping[str, tuple[tuple[float, str], ...]] = {
    "B": ((1e9, "G"), (1e6, "M"), (1e3, "K"), (1, "")),
    "s": ((1, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n")),
    "m": ((1e3, "k"), (1, "")),
}
_LENGTHS_M: Mapping[str, float] = {"": 1, "m": 1, "km": 1e3, "ft": 0.3048}
_PLAIN: Mapping[str, float] = {"": 1}
_DURATIONS_S: Mapping[str, float] = {"ns": 1e-9, "us": 1e-6, "\N{GREEK SMALL LETTER MU}s": 1e-6, "ms": 1e-3, "s": 1}
_LONGEST = 40
_CURVE_PARTS = 3
_SPEED = "a speed above 0, such as 400G or 100Gb/s"
_SIZE = "a size such as 150KB, 1.5MB or 150KiB"
_NUMBER = "a number above 0, such as 8 or 1/8"
_COUNT = "a whole number from 1"


def speed_gbps(text: str) -> float:
    """Return a speed in Gb/s, above 0; a bare number is Gb/s, and a large B after the prefix means bytes.

    >>> [speed_gbps(text) for text in ("400", "100G", "400Gb/s", "1.6T", "25GbE", "50GB/s")]
    [400.0, 100.0, 400.0, 1600.0, 25.0, 400.0]
    """
    value, unit = _parts(text, _SPEED)
    of_bytes = _BYTES_PER_SECOND.fullmatch(unit)
    found = of_bytes or _PER_SECOND.fullmatch(unit.casefold())
    if found is None or value <= 0:
        raise _make_error(text, _SPEED)
    return value * _SPEEDS_GBPS[(found[1] or "").casefold()] * (8 if of_bytes else 1)


def size_bytes(text: str) -> float:
    """Return a size in bytes; a bare number is bytes, a size is never in bits, and 1 KB is 1000 bytes.

    >>> [size_bytes(text) for text in ("1500", "150KB", "1.5MB", "150KiB", "4k")]
    [1500.0, 150000.0, 1500000.0, 153600.0, 4000.0]
    """
    value, unit = _parts(text, _SIZE)
    found = _OF_BYTES.fullmatch(unit.casefold())
    if found is None:
        raise _make_error(text, _SIZE)
    return value * _SIZES[found[1]]


def length_m(text: str) -> float:
    """Return a length in metres; a bare number is metres.

    >>> [length_m(text) for text in ("40", "40m", "2km", "100ft")]
    [40.0, 40.0, 2000.0, 30.48]
    """
    return _of(text, _LENGTHS_M, "a length such as 40m or 2km")


def duration_s(text: str) -> float:
    """Return a duration in seconds; the text needs a unit.

    >>> [round(duration_s(text), 9) for text in ("300ns", "2us", "67 ms", "1s")]
    [3e-07, 2e-06, 0.067, 1.0]
    """
    return _of(text, _DURATIONS_S, "a duration such as 2us or 300ns")


def fraction(text: str) -> float:
    """Return a part of a whole, from 0 to 1, written so or in per cent.

    >>> fraction("0.2"), fraction("20%")
    (0.2, 0.2)
    """
    value = _of(text, {"": 1.0, "%": 0.01}, "a part such as 0.2 or 20%")
    if value > 1:
        raise _make_error(text, "a part from 0 to 1, such as 0.2 or 20%")
    return value


def number(text: str) -> float:
    """Return a number of no unit, above 0; it may be written as a fraction, as switches do.

    >>> number("0.125"), number("1/8")
    (0.125, 0.125)
    """
    above, line, below = text.partition("/")
    value = _of(above, _PLAIN, _NUMBER)
    divisor = _of(below, _PLAIN, _NUMBER) if line else 1.0
    if value <= 0 or divisor <= 0:
        raise _make_error(text, _NUMBER)
    return value / divisor


def count(text: str) -> int:
    """Return a whole number from 1.

    >>> count("8")
    8
    """
    value = _of(text, _PLAIN, _COUNT)
    if value < 1 or value != floor(value):
        raise _make_error(text, _COUNT)
    return int(value)


def curve(text: str) -> tuple[float, float, float] | tuple[()]:
    """Return a marking curve: Kmin and Kmax in bytes, and the part that is marked at Kmax; empty where it is off.

    >>> curve("150KB,1.5MB,10%"), curve("off")
    ((150000.0, 1500000.0, 0.1), ())
    """
    if text.strip().casefold() == "off":
        return ()
    parts = text.split(",")
    if len(parts) != _CURVE_PARTS:
        raise _make_error(text, "KMIN,KMAX,PMAX such as 150KB,1.5MB,10%, or off")
    low, high, most = size_bytes(parts[0]), size_bytes(parts[1]), fraction(parts[2])
    if low > high:
        raise _make_error(text, "KMIN,KMAX,PMAX with a KMIN that is not above KMAX")
    return low, high, most


def two_digits(value: float) -> float:
    """Return a number rounded to two significant digits, the precision of an estimate.

    >>> [two_digits(value) for value in (0.123, 48772.0, 0.996, 0.0)]
    [0.12, 49000.0, 1.0, 0.0]
    """
    return round_digits(value, 2)


def round_digits(value: float, digits: int) -> float:
    """Return a number rounded to *digits* significant digits."""
    if value == 0 or not isfinite(value):
        return value
    return round(value, digits - 1 - floor(log10(abs(value))))


def format_quantity(value: float, unit: str = "", digits: int = 2) -> str:
    """Return a number with *digits* significant digits, no exponent, and the best prefix of its unit.

    unit: `B` (bytes), `s`, `m` or none.

    >>> format_quantity(48772, "B"), format_quantity(1.16e-6, "s"), format_quantity(2000, "m")
    ('49 KB', '1.2 us', '2 km')
    >>> format_quantity(0.123), format_quantity(1234.0), format_quantity(0.125, digits=3)
    ('0.12', '1,200', '0.125')
    """
    value = round_digits(value, digits)
    size, prefix = _prefix(value, unit)
    short = round_digits(value / size, digits)
    decimals = 0 if short == floor(short) else digits - 1 - floor(log10(abs(short)))
    number = f"{short:,.{decimals}f}"
    return f"{number.rstrip('0') if decimals else number} {prefix}{unit}".strip()


def _prefix(value: float, unit: str) -> tuple[float, str]:
    known = _PREFIXES.get(unit, ((1.0, ""),))
    return next((pair for pair in known if value >= pair[0]), known[-1])


def _of(text: str, units: Mapping[str, float], expected: str) -> float:
    value, unit = _parts(text, expected)
    size = units.get(unit.casefold())
    if size is None:
        raise _make_error(text, expected)
    return value * size


def _parts(text: str, expected: str) -> tuple[float, str]:
    """Return the number, finite and not negative, and the unit behind it."""
    found = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or not isfinite(value := float(found[1])):
        raise _make_error(text, expected)
    return value, found[2] or ""


def _make_error(text: str, expected: str) -> ValueError:
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    return ValueError(f"{short!r}, expected {expected}")
