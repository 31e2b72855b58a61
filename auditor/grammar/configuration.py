"""The statements of a switch whose configuration consists of views, each with its line."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from auditor.grammar.body import Own, PortBody
from auditor.grammar.lines import Line
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Setting, Unset, Where
from auditor.util.values import dataclass


class SwitchStatements(Protocol):
    """The statements for a whole switch."""

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the named objects that the switch itself uses, by their kind."""


@runtime_checkable
class UsingObject(Protocol):
    """The statements of a named view that uses others."""

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the named objects that the view uses, by their kind."""


class ViewObject(Protocol):
    """The statements of a named view, such as a profile."""

    where: Where


S = TypeVar("S", bound=SwitchStatements)
V = TypeVar("V", bound=ViewObject)
Key: TypeAlias = tuple[str, str]
"""Kind and name of an object."""


@dataclass(frozen=True, slots=True)
class InterfaceViews:
    """One interface: the head of its first view, the statements (shared by equal views), and its own ones.

    Where the system has them read, `vlans` are its lines on VLANs, its link and its addresses, in their order, and
    `network` those on addresses and VRFs with their places.
    """

    where: Where
    body: PortBody
    own: Own
    vlans: tuple[str, ...] = ()
    network: tuple[tuple[str, Where], ...] = ()

    @property
    def lag(self) -> Known[str] | None:
        """The port-channel that it belongs to, None without a known one."""
        return self.own.lag if isinstance(self.own.lag, Known) else None


@dataclass(slots=True)
class ViewConfig(Generic[S]):
    """All statements of a switch.

    `switch` holds the statements for the whole switch, `objects` the named views, of which one that was removed is an
    Unset. `states` are those of the lines of each capture, by its identity. `complete` tells a whole configuration from
    an excerpt, in which a missing line proves nothing. `lines` are those of each capture as they count.
    """

    file: str
    switch: S
    states: dict[int, list[LineState]] = field(default_factory=dict)
    complete: bool = False
    name: Known[str] | None = None
    version: Known[str] | None = None
    interfaces: dict[str, InterfaceViews] = field(default_factory=dict)
    objects: dict[Key, ViewObject | Unset] = field(default_factory=dict)
    lines: list[tuple[Capture, Sequence[Line]]] = field(default_factory=list)

    def find(self, kind: str, name: str, type_: type[V]) -> V | None:
        """Return the object of a kind and a name, None if it is missing or removed."""
        found = self.objects.get((kind, name))
        return found if isinstance(found, type_) else None
