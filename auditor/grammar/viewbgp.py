"""BGP in the views of VRP and Comware: its neighbours, and the equal paths of a route by address family."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from auditor.grammar.configuration import S, ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.routing import parse_as, parse_neighbour
from auditor.grammar.rows import flag, number, value, within, word
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.routing import BgpNeighbour
from auditor.model.setting import Known, Origin, Setting, Unset, Where, value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass

BGP = "bgp"
"""The kind of the view of a BGP process."""
MOST_PATHS = 1024
_REST = regex("")
_OWN = frozenset({"ipv4-family", "ipv4-family unicast"})
"""The family of VRP whose settings are those of the process."""
_IPV4 = frozenset({"", "address-family ipv4 unicast", "address-family ipv4"})


@dataclass(slots=True)
class Family:
    """An address family of a BGP process: the most equal paths of a route."""

    where: Where
    paths: Setting[int] = NOTHING


@dataclass(slots=True)
class Peer:
    """A neighbour or a group of neighbours; `is_idle`: it gets no routes of IPv4."""

    where: Where
    remote_as: Setting[int] = NOTHING
    group: Setting[str] = NOTHING
    is_shut: Setting[bool] = NOTHING
    is_idle: Setting[bool] = NOTHING


@dataclass(slots=True)
class BgpProcess:
    """A BGP process with its families by name; the empty name is the process itself, which VRP takes for IPv4 unicast.

    `current` is the family whose view was opened last. A family of a VPN instance is named by it.
    """

    where: Where
    families: dict[str, Family] = field(default_factory=dict)
    peers: dict[str, Peer] = field(default_factory=dict)
    own_as: Setting[int] = NOTHING
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


def _list_peers(process: BgpProcess, arguments: Arguments, where: Where) -> Iterable[Peer]:
    """Return the neighbour that a line names, by its address or the network from which neighbours call."""
    length = arguments.get("length")
    name = f"{arguments['name']}/{length}" if length else arguments["name"]
    return (process.peers.setdefault(parse_neighbour(name) or name, Peer(where)),)


def _list_enabled(process: BgpProcess, arguments: Arguments, where: Where) -> Iterable[Peer]:
    """Return the neighbour that an IPv4 family names, another one where the family is not that of IPv4."""
    return _list_peers(process, arguments, where) if process.current in _IPV4 else (Peer(where),)


def _listen(peer: Peer, arguments: Arguments, where: Where) -> LineState:
    """Write the group of those who call from a network."""
    peer.group = Known(arguments["group"], Origin.INTENDED, where)
    return LineState.MODELLED


def _build_peers(page: str) -> tuple[Statement[BgpProcess], ...]:
    """Return the statements on neighbours; `undo peer` with a name alone takes the neighbour back."""
    gone = Negation(page, ("remote_as", "group"))

    def number_(form: str, example: str) -> Statement[Any]:
        return replace(value(form, "remote_as", parse_as, example=example, page=page), negation=gone)

    def group(form: str, example: str) -> Statement[Any]:
        return value(form, "group", word, example=example, page=page)

    listened = "peer {group} listen-net {name} {length#} ..."
    return (
        *within(
            _list_peers,
            number_("peer {name} as-number {number}", "peer P as-number 65001"),
            number_("peer {name} {length#} as-number {number} ...", "peer 10.0.0.0 24 as-number 65001"),
            group("peer {name} {length#} group {group} ...", "peer 10.0.0.0 24 group G"),
            group("peer {name} group {group} ...", "peer 10.0.0.2 group G"),
            Statement(listened, "peer G listen-net 10.0.0.0 24", _listen, Negation(page, ("group",)), least=3),
            flag("peer {name} ignore", {"is_shut": True}, off={"is_shut": False}, example="peer P ignore", page=page),
        ),
        *within(
            _list_enabled,
            flag("peer {name} enable", {"is_idle": False}, off={"is_idle": True}, example="peer P enable", page=page),
        ),
    )


def _read_head(process: BgpProcess, arguments: Arguments, where: Where) -> None:
    found = parse_as(arguments["number"])
    process.own_as = NOTHING if found is None else Known(found, Origin.INTENDED, where)


@dataclass(frozen=True, slots=True)
class BgpSyntax:
    """How a system writes BGP: `paths` are the words before the most paths of a route, on the vendor's *page*."""

    undo: tuple[str, ...]
    paths: str
    page: str


def build_bgp_view(syntax: BgpSyntax) -> ViewForm[Any]:
    """Return the view of a BGP process; beside neighbours and the most paths of a route its lines are ignored."""
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
            *_build_peers(syntax.page),
            Statement("{kind:ipv4-family|ipv6-family|l2vpn-family|address-family} {name*}", "", _open_family),
            Statement("ip vpn-instance {name}", "", _open_instance),
        ),
        undo=syntax.undo,
        ignored=_REST,
    )
    return ViewForm(BGP, "bgp {number} ...", "bgp 65001", BgpProcess, table, syntax.page, _read_head)


def list_paths(config: ViewConfig[S]) -> Mapping[str, Setting[int]]:
    """Return the most paths of a route by family of the default instance, none without BGP.

    A process that says none is Unset at its head.
    """
    process = config.find(BGP, "", BgpProcess)
    if process is None:
        return {}
    families = process.families.items()
    return {"": Unset(process.where)} | {name: each.paths for name, each in families if "vpn-instance" not in name}


def list_neighbours(process: BgpProcess) -> Iterator[BgpNeighbour]:
    """Yield the neighbours with what their groups say; one that was taken back has neither a number nor a group."""
    for name, peer in process.peers.items():
        group = process.peers.get(value_of(peer.group) or "", Peer(peer.where))
        is_there = isinstance(peer.remote_as, Known) or isinstance(peer.group, Known)
        if not is_there or not parse_neighbour(name):
            continue
        stopped = next((each for each in _list_stops(peer, group) if value_of(each)), None)
        remote = value_of(peer.remote_as) if isinstance(peer.remote_as, Known) else value_of(group.remote_as)
        where = (stopped.where if isinstance(stopped, Known) else None) or peer.where
        yield BgpNeighbour(name, where, is_shut=stopped is not None, remote_as=remote)


def _list_stops(peer: Peer, group: Peer) -> Iterator[Setting[bool]]:
    """Yield what may keep a neighbour from a session of IPv4: its own lines, else those of its group."""
    yield group.is_shut if isinstance(peer.is_shut, Unset) else peer.is_shut
    yield group.is_idle if isinstance(peer.is_idle, Unset) else peer.is_idle
