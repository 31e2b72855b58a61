"""Contexts of the generated tests of negation for a system whose configuration consists of views."""

from collections.abc import Callable
from typing import Any

from negation import HOST, Context

from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewDialect, ViewForm


def modes(mode: str) -> str:
    """Return a prompt such as `leaf1(config-if)# `."""
    return f"{HOST}(config{mode})# "


def views(mode: str) -> str:
    """Return a prompt such as `[~leaf1-100GE1/0/1]`."""
    return f"[~{HOST}{mode}]"


def contexts(dialect: ViewDialect[Any], port: str, prompt: Callable[[str], str]) -> tuple[Context, ...]:
    """Return a context for each table of *dialect*; *port* is the name of an interface."""
    inside = ("", f"-{port}" if prompt is views else "-if")
    head = (f"interface {port}",)
    return (
        Context("interface", dialect.tables.interface, head, inside, _body(port), _where(port), prompt=prompt),
        Context("port", dialect.tables.own, head, inside, lambda config: config.interfaces[port].own, prompt=prompt),
        Context("switch", dialect.tables.switch, (), ("",), lambda config: config.switch, prompt=prompt),
        Context("profiles", dialect.tables.heads, (), ("",), lambda config: config, prompt=prompt),
        *(
            Context(view.example, view.table, (view.example,), ("", "-profile"), _object(view), prompt=prompt)
            for view in dialect.tables.views
        ),
    )


def _body(port: str) -> Callable[[ViewConfig[Any]], Any]:
    return lambda config: config.interfaces[port].body


def _where(port: str) -> Callable[[ViewConfig[Any]], Any]:
    return lambda config: config.interfaces[port].where


def _object(view: ViewForm[Any]) -> Callable[[ViewConfig[Any]], Any]:
    match = view.head.pattern.match(view.example)
    assert match, "the example has the form of its head"
    key = (view.kind, match.groupdict().get("name", ""))
    return lambda config: config.objects[key]
