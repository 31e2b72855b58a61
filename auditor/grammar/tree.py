"""Indented configuration text to a tree: the only module that talks to ciscoconfparse2."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A configuration line without its indentation; `index` is its position in the sequence that was parsed."""

    text: str
    index: int
    children: tuple["Node", ...] = ()


def forest(lines: Sequence[str], syntax: str) -> tuple[Node, ...]:
    """Return the top-level lines of *lines*, each with its children.

    *syntax* is ciscoconfparse2's name of the operating system (`nxos`, `ios` …). The import is slow, so it happens here
    and not when the program starts.
    """
    if not lines:
        return ()
    load_library()
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  deferred: it is slow

    parsed = CiscoConfParse(list(lines), syntax=syntax)
    return tuple(_node(line) for line in parsed.objs if line.parent is line)


def load_library() -> None:
    """Import ciscoconfparse2, which is slow.

    Its decorators let typeguard compile type checks into it: two thirds of the time of the import, and a fifth of that
    of each tree. `forest` passes lines and a name alone, so the checks are left out. Others let loguru log an error
    before it is raised; they take half of what is left, and the caller hears of the error anyway.
    """
    if "ciscoconfparse2" in sys.modules:
        return
    typeguard: Any = import_module("typeguard")
    logging: Any = type(import_module("loguru").logger)
    checked, caught = typeguard.typechecked, logging.catch
    typeguard.typechecked, logging.catch = _leave_unchecked, _leave_uncaught
    try:
        import_module("ciscoconfparse2")
    finally:
        typeguard.typechecked, logging.catch = checked, caught


def _leave_unchecked(target: Any) -> Any:  # noqa: ANN401  any function or class
    """Return *target* as it is."""
    return target


def _leave_uncaught(*_given: Any, **_named: Any) -> Any:  # noqa: ANN401  as loguru's `catch`
    """Return a decorator that leaves a function as it is."""
    return _leave_unchecked


def _node(line: Any) -> Node:  # noqa: ANN401  ciscoconfparse2 is untyped
    return Node(line.text.strip(), line.linenum, tuple(_node(child) for child in line.children))
