"""VXLAN tunnels of Enterprise SONiC: the marking of their outer header."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from auditor.grammar.numbers import expand
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.model.tunnels import Tunnels
from auditor.systems.enterprise_sonic.block import VXLAN_PAGE
from auditor.systems.enterprise_sonic.interfaces import Interface
from auditor.systems.enterprise_sonic.store import Place
from auditor.systems.sonic.config import Config
from auditor.systems.sonic.rows import RowEntry
from auditor.systems.sonic.vocabulary import MODELLED
from auditor.util.values import dataclass

_TABLE, _MODE, _DSCP = "VXLAN_TUNNEL", "qos-mode", "dscp"


@dataclass(slots=True)
class Tunnel(Interface):
    """`interface vxlan NAME`: an interface that is no port, with the marking of its tunnels."""

    ports: tuple[str, ...] = field(default=(), init=False)
    name: str = ""

    @property
    def table(self) -> Table[Any]:
        """Return the statements of a tunnel's end."""
        return TUNNEL

    def open(self) -> LineState:
        """Begin the tunnel's end."""
        self.writer.begin(_TABLE, self.name, self.head)
        return MODELLED

    def read(self, text: str, where: Where) -> LineState | None:
        """Read one line."""
        return TUNNEL.read(self, text, where) if TUNNEL.begins(text) else Interface.read(self, text, where)

    def places(self, name: str, _member: object = None) -> Iterator[Place]:
        """Yield the field of the tunnel's end."""
        yield _TABLE, self.name, name


def _mode(body: Tunnel, arguments: Arguments, where: Where) -> LineState | None:
    """Write `qos-mode uniform`, or `qos-mode pipe [dscp N]`."""
    words = arguments["words"].split()
    if words == ["uniform"]:
        return body.put({_MODE: "uniform"}, where)
    number = {("pipe",): "0", ("pipe", "dscp"): "".join(words[-1:])}.get(tuple(words[:2]))
    if number is None or len(words) == 2 or _parse_dscp(number) is None:  # noqa: PLR2004  `pipe dscp` without a number
        return None
    return body.put({_MODE: "pipe", _DSCP: number}, where)


def _parse_dscp(text: str) -> int | None:
    found = expand(text, 0, 63)
    return found[0] if found and len(found) == 1 else None


TUNNEL: Table[Tunnel] = Table(
    (Statement("qos-mode {words*}", "qos-mode pipe dscp 26", _mode, Negation(VXLAN_PAGE, (_MODE, _DSCP))),)
)


def read_tunnels(config: Config) -> Tunnels:
    """Return what the outer headers say: one DSCP, unless the mode is uniform."""
    row = next(iter(config.entries.get(_TABLE, {}).values()), None)
    return Tunnels(_find_outer_dscp(row)) if row else Tunnels()


def _find_outer_dscp(row: RowEntry) -> Setting[int | None]:
    mode, dscp = row.get(_MODE), row.get(_DSCP)
    if isinstance(mode, Known) and mode.value == "uniform":
        return Known(None, mode.origin, mode.where)
    if not isinstance(dscp, Known):
        return dscp if isinstance(dscp, Unknown) else Unset(row.where)
    number = _parse_dscp(dscp.value)
    return Unknown(f"{dscp.value[:20]} is no DSCP") if number is None else Known(number, dscp.origin, dscp.where)
