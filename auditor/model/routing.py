"""What a switch says of its part in routing: addresses of its ports, its BGP neighbours, whether it is taken out."""

from dataclasses import dataclass

from auditor.model.setting import NOT_COLLECTED, Setting, Where
from auditor.model.text_facts import InterfaceAddress


@dataclass(frozen=True, slots=True)
class BgpNeighbour:
    """A neighbour of BGP: an address, a prefix from which neighbours may call, or the port of an unnumbered session."""

    name: str
    where: Where
    is_shut: bool = False


@dataclass(frozen=True, slots=True)
class Routing:
    """The part of a switch in routing.

    `addresses` have the name of the port as `netdev`. `neighbours` is NOT_COLLECTED where no whole configuration with
    BGP is in the dump. `is_withdrawn`: the switch asks its neighbours to send nothing through it, for maintenance.
    """

    addresses: tuple[InterfaceAddress, ...] = ()
    neighbours: Setting[tuple[BgpNeighbour, ...]] = NOT_COLLECTED
    is_withdrawn: Setting[bool] = NOT_COLLECTED
