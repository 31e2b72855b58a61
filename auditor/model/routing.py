"""What a switch says of its part in routing: addresses of its ports, its BGP neighbours, whether it is taken out."""

from collections.abc import Mapping

from auditor.model.setting import NOT_COLLECTED, Known, Setting, Where
from auditor.model.text_facts import InterfaceAddress
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class BgpNeighbour:
    """A neighbour of BGP: an address, a prefix from which neighbours may call, or the port of an unnumbered session.

    `is_shut`: no session is made, or none for the addresses of hosts, and `where` says why. `remote_as` is the number
    that the neighbour is to have, None where it is not written at it.
    """

    name: str
    where: Where
    is_shut: bool = False
    remote_as: int | None = None


@dataclass(frozen=True, slots=True)
class StaticRoute:
    """A static route of the default VRF: its IPv4 or IPv6 network, and the words that say where it leads."""

    network: str
    to: str
    where: Where


@dataclass(frozen=True, slots=True)
class Routing:
    """The part of a switch in routing.

    `addresses` have the name of the port as `netdev`; `vrfs` are those of ports in another than the default one, None
    where they are not read. `own_as` is the number of its autonomous system. `neighbours` is NOT_COLLECTED where no
    whole configuration with BGP is in the dump. `is_withdrawn`: the switch asks its neighbours to send nothing through
    it, for maintenance. `lost_maps` are the route maps that BGP uses and none defines, each at its first use; unknown
    where only a part of the configuration uses some. `announced`: by port, whether BGP gets the IPv4 network of its
    address, where the ports are redistributed; the line is the one that lets networks pass.
    """

    addresses: tuple[InterfaceAddress, ...] = ()
    vrfs: Mapping[str, Known[str]] | None = None
    own_as: Setting[int] = NOT_COLLECTED
    neighbours: Setting[tuple[BgpNeighbour, ...]] = NOT_COLLECTED
    is_withdrawn: Setting[bool] = NOT_COLLECTED
    lost_maps: Setting[tuple[Known[str], ...]] = NOT_COLLECTED
    announced: Setting[Mapping[str, Known[bool]]] = NOT_COLLECTED
    static_routes: tuple[StaticRoute, ...] = ()
