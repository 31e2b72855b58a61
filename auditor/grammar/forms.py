"""The forms of statements, such as `mtu {bytes}`, as regular expressions."""

import re
from collections.abc import Sequence


def build_pattern(words: Sequence[str]) -> str:
    """Return a pattern of the words of a form."""
    return "".join(_token(word, first=number == 0) for number, word in enumerate(words))


def build_beginning(words: Sequence[str], least: int) -> str:
    """Return a pattern of the first *least* words and of any number of those behind them."""
    tail = ""
    for word in reversed(words[least:]):
        loose = re.sub(r":[^}]*\}", "}", word)
        tail = f"(?:{_token(loose, first=False)}{tail})?"
    return build_pattern(words[:least]) + tail


def _token(word: str, *, first: bool) -> str:
    blank = "" if first else " "
    if word.startswith("["):
        return f"(?:{blank}{_alternatives(word.strip('[]'))})?"
    if word == "...":
        return "(?: .*)?"
    if not word.startswith("{"):
        return blank + _alternatives(word)
    name, separator, choices, *_ = *re.split("([:!])", word.strip("{}"), maxsplit=1), "", ""
    if name[-1] in _VALUES:
        return rf"{blank}(?P<{name[:-1]}>{_VALUES[name[-1]]})"
    if name.endswith("*"):
        return rf"(?:{blank}(?P<{name[:-1]}>\S.*?))?"
    values = _alternatives(choices) if separator == ":" else r"\S+"
    if separator == "!":
        values = rf"(?!{_alternatives(choices)}(?: |\Z))\S+"
    return f"{blank}(?P<{name}>{values})"


_VALUES = {"+": r"\S.*?", "#": r"\d{1,10}"}
"""Patterns of arguments by how their names end."""


def _alternatives(word: str) -> str:
    return "(?:" + "|".join(map(re.escape, word.split("|"))) + ")"
