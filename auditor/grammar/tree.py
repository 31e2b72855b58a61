"""Indented configuration text to a tree: the only module that talks to ciscoconfparse2."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

from auditor.util.values import dataclass

_UNUSED = ("typeguard", "loguru", "dns", "dns.exception", "dns.resolver")


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
    """Import ciscoconfparse2, which is slow, without three packages that it needs for other things than trees.

    typeguard compiles type checks into its functions: two thirds of the time of the import, and a fifth of that of each
    tree. loguru logs an error before it is raised, of which the caller hears anyway. dnspython asks name servers.
    """
    if "ciscoconfparse2" in sys.modules:
        return
    before = {name: sys.modules.get(name) for name in _UNUSED}
    sys.modules.update({name: _StandIn(name) for name in _UNUSED})
    try:
        with suppress(Exception):  # of a version that needs more of the packages than stands in for them
            import_module("ciscoconfparse2")
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module
    if "ciscoconfparse2" not in sys.modules:
        for name in [name for name in sys.modules if name.startswith("ciscoconfparse2.")]:
            del sys.modules[name]
        import_module("ciscoconfparse2")


class _Nothing:
    """Does nothing: as a decorator it leaves a function as it is; what else is called or read is the same again."""

    def __getattr__(self, name: str) -> "_Nothing":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401  as above
        return given[0] if len(given) == 1 and not named and callable(given[0]) else self


class _StandIn(_Nothing, ModuleType):
    """Stands in for a module of which nothing is used."""


def _node(line: Any) -> Node:  # noqa: ANN401  ciscoconfparse2 is untyped
    return Node(line.text.strip(), line.linenum, tuple(_node(child) for child in line.children))
