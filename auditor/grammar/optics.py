"""What outputs of all systems tell of a module: words, lengths, temperatures and optical powers."""

from collections.abc import Iterable
from dataclasses import fields, replace

from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Where
from auditor.util.regex import regex

NO_WORD = frozenset({"", "-", "--", "n/a", "na", "none", "unknown", "unspecified", "not available", "not present"})
"""What stands in place of a word that a module does not tell, in lower case."""
_NUMBER = regex(r"-?\d{1,4}(?:\.\d{1,6})?")
_TEMPERATURE = regex(r"(-?\d{1,3}(?:\.\d{1,6})?) ?(?:degrees )?[Cc]\b")
_LENGTH = regex(r"(\d{1,6}(?:\.\d{1,3})?) ?(k?)m")
_LOWEST_DBM, _HIGHEST_DBM = -60.0, 40.0


def merge_modules(first: Module, second: Module) -> Module:
    """Return what *first* tells of a module, completed from *second*."""
    open_ = (each.name for each in fields(Module) if getattr(first, each.name) == NOT_COLLECTED)
    return replace(first, **{name: getattr(second, name) for name in open_})


def read_word(text: str, where: Where) -> Setting[str]:
    """Return the word *text* of a module, without the blanks that fill its field."""
    word = " ".join(text.split())
    return NOT_COLLECTED if word.lower() in NO_WORD else Known(word, Origin.LEARNED, where)


def measure_length(text: str) -> float | None:
    """Return the length *text* in metres; None for other text.

    >>> measure_length("10km"), measure_length("3 m"), measure_length("0m"), measure_length("x")
    (10000.0, 3.0, 0.0, None)
    """
    match = _LENGTH.fullmatch(text.strip())
    return float(match[1]) * (1000 if match[2] else 1) if match else None


def read_length(text: str, where: Where) -> Setting[float]:
    """Return the length *text* in metres; a length of zero stands for none."""
    metres = measure_length(text)
    return Known(metres, Origin.LEARNED, where) if metres else NOT_COLLECTED


def read_temperature(text: str, where: Where) -> Setting[float]:
    """Return the temperature that *text* begins with, in degrees Celsius.

    >>> read_temperature("47.11 degrees C / 116.79 degrees F", Where("a", 1)).value
    47.11
    """
    match = _TEMPERATURE.match(text.strip())
    return Known(float(match[1]), Origin.LEARNED, where) if match else NOT_COLLECTED


def find_weakest(lanes: Iterable[tuple[str, Where]]) -> Setting[float]:
    """Return the weakest of the powers of all lanes, in dBm; Unknown if a lane measures no light.

    >>> find_weakest([("-1.20", Where("a", 1)), ("-2.5", Where("a", 2))]).value
    -2.5
    """
    found: list[Known[float]] = []
    for lane, (text, where) in enumerate(lanes, 1):
        word = text.strip()
        if word.lower() in {"-inf", "- inf"}:
            return Unknown(f"lane {lane} measures no light")
        power = float(word) if _NUMBER.fullmatch(word) else None
        if power is not None and _LOWEST_DBM <= power <= _HIGHEST_DBM:
            found.append(Known(power, Origin.LEARNED, where))
    return min(found, key=lambda each: each.value, default=NOT_COLLECTED)
