"""What the steps of one identification find out together, kept until its end."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from auditor.grammar.show import forget_texts
from auditor.model.dump import Capture

MANY_LINES = 1000
"""More lines than most outputs have, of which a transcript may be cut into captures twice."""

_P = ParamSpec("_P")
_R = TypeVar("_R")
KNOWN: list[dict[tuple[object, ...], object]] = []
"""What the functions below found in the texts of one identification."""


def remember_once(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return *function*, which answers once in an identification; many equal lines differ unless they are the same."""
    known: dict[tuple[object, ...], tuple[object, _R]] = {}
    KNOWN.append(known)  # type: ignore[arg-type]

    @wraps(function)
    def call(*given: _P.args, **named: _P.kwargs) -> _R:
        last = given[-1]
        lines = last.lines if isinstance(last, Capture) else last
        is_short = isinstance(lines, tuple) and len(lines) <= MANY_LINES
        key = given if is_short else tuple(map(_identify_argument, given))
        found = known.get(key)
        if found is None:
            found = known[key] = given, function(*given, **named)  # the arguments live as long as their identity counts
        return found[1]

    return call


def _identify_argument(given: object) -> object:
    """Return what distinguishes an argument: to hash many lines takes as long as to look at each."""
    if isinstance(given, Capture):
        return id(given.lines), given.file, given.command, given.first_line, given.ends_mid_line, given.session
    return id(given) if isinstance(given, tuple) else given


def forgetting(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return *function*, after which no capture stays in memory but for common outputs."""

    @wraps(function)
    def call(*given: _P.args, **named: _P.kwargs) -> _R:
        try:
            return function(*given, **named)
        finally:
            for known in KNOWN:
                known.clear()
            forget_texts()

    return call
