"""Names that are near to one that nothing has."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
_LEAST_ALIKE = 0.6
_SHOWN = 20


def suggest(wanted: str, known: Iterable[str], shown: int = _SHOWN) -> str:
    """Return the *known* names that are near to *wanted* as the end of a message.

    Where none is near, all names, if they are not more than *shown*.

    >>> suggest("sraif", ["terminal", "json", "sarif"])
    'did you mean sarif?'
    >>> suggest("x", ["error", "never"]), suggest("x", [])
    ('expected error or never', '')
    """
    names = list(dict.fromkeys(known))
    by_case = {name.lower(): name for name in reversed(names)}
    near = [by_case[each] for each in get_close_matches(wanted.lower(), by_case, MOST, _LEAST_ALIKE)]
    if near:
        return f"did you mean {join_or(near)}?"
    return f"expected {join_or(names)}" if 0 < len(names) <= shown else ""


def add_suggestion(message: str, wanted: str, known: Iterable[str], shown: int = _SHOWN) -> str:
    """Return *message* with the names that are near behind it.

    >>> add_suggestion("no rule 'PFC0001'", "PFC0001", ["PFC001", "MTU001"])
    "no rule 'PFC0001'; did you mean PFC001?"
    """
    near = suggest(wanted, known, shown)
    return f"{message}; {near}" if near else message


def join_or(words: Iterable[str]) -> str:
    """Return *words* with `or` before the last one.

    >>> join_or(["a"]), join_or(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last
