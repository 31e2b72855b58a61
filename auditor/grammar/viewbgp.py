"""BGP in the views of VRP and Comware: how many equal paths a route may have, by address family."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.grammar.configuration import S, ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import number, value, within
from auditor.grammar.statements import Arguments, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Setting, Unset, Where

BGP = "bgp"
"""The kind of the view of a BGP process."""
MOST_PATHS = 1024
_REST = re.compile("")
_OWN = frozenset({"ipv4-family", "ipv4-family unicast"})
"""The family of VRP whose settings are those of the process."""


@dataclass(slots=True)
class Family:
    """An address family of a BGP process: the most equal paths of a route."""

    where: Where
    paths: Setting[int] = NOTHING


@dataclass(slots=True)
class BgpProcess:
    """A BGP process with its families by name; the empty name is the process itself, which VRP takes for IPv4 unicast.

    `current` is the family whose view was opened last. A family of a VPN instance is named by it.
    """

    where: Where
    families: dict[str, Family] = field(default_factory=dict)
    current: str = ""
    instance: str = ""


def _list_current(process: BgpProcess, _arguments: Arguments, where: Where) -> Iterable[Family]:
    return (process.families.setdefault(process.current, Family(where)),)


def _open_family(process: BgpProcess, arguments: Arguments, _where: Where) -> LineState:
    name = f"{arguments['kind']} {arguments['name']}".strip()
    process.current = f"{process.instance} {name}" if process.instance else "" if name in _OWN else name
    return LineState.MODELLED


def _open_instance(process: BgpProcess, arguments: Arguments, _where: Where) -> LineState:
    process.instance = process.current = f"vpn-instance {arguments['name']}"
    return LineState.MODELLED


@dataclass(frozen=True, slots=True)
class BgpSyntax:
    """How a system writes BGP: `paths` are the words before the most paths of a route, on the vendor's *page*."""

    undo: tuple[str, ...]
    paths: str
    page: str


def build_bgp_view(syntax: BgpSyntax) -> ViewForm[Any]:
    """Return the view of a BGP process; what it says beside the most paths of a route is not modelled."""
    forms = (f"{syntax.paths} {{count#}} ...", f"{syntax.paths} ebgp {{count#}} ...")
    paths = tuple(
        value(
            form,
            "paths",
            number(1, MOST_PATHS),
            example=form.replace("{count#} ...", "16"),
            page=syntax.page,
        )
        for form in forms
    )
    table: Table[BgpProcess] = Table(
        (
            *within(_list_current, *paths),
            Statement("{kind:ipv4-family|ipv6-family|l2vpn-family|address-family} {name*}", "", _open_family),
            Statement("ip vpn-instance {name}", "", _open_instance),
        ),
        undo=syntax.undo,
        ignored=_REST,
    )
    return ViewForm(BGP, "bgp {number} ...", "bgp 65001", BgpProcess, table, syntax.page)


def list_paths(config: ViewConfig[S]) -> Mapping[str, Setting[int]]:
    """Return the most paths of a route by family of the default instance, none without BGP.

    A process that says none is Unset at its head.
    """
    process = config.find(BGP, "", BgpProcess)
    if process is None:
        return {}
    families = process.families.items()
    return {"": Unset(process.where)} | {name: each.paths for name, each in families if "vpn-instance" not in name}
