"""Cables whose ends have addresses, with the addresses and sessions of both."""

from collections.abc import Mapping

from auditor.fabric.sessions import Sessions
from auditor.model.fabric import Attached, Fabric
from auditor.model.setting import Known, Where
from auditor.model.text_facts import InterfaceAddress
from auditor.util.addresses import IpInterface
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class AddressedEnd:
    """An end of a cable, the sessions of its device, and the addresses of its port."""

    at: Attached
    sessions: Sessions
    addresses: tuple[tuple[IpInterface, InterfaceAddress], ...]

    @property
    def is_told(self) -> bool:
        """Whether the port itself has heard from its neighbour."""
        return isinstance(self.at.port.peer, Known) and self.at.port.peer.value.evidence == "lldp"

    @property
    def cable(self) -> Where | None:
        """The line that tells of the cable."""
        peer = self.at.port.peer
        return self.at.port.locate(peer.where) if isinstance(peer, Known) else None


@dataclass(frozen=True, slots=True)
class AddressedLink:
    """A cable of which both ends have addresses, in the order in which it is reported.

    `shares_subnet`: an address of one end lies in a subnet of the other.
    """

    near: AddressedEnd
    far: AddressedEnd
    shares_subnet: bool

    @property
    def is_misaddressed(self) -> bool:
        """Whether `near` has a BGP neighbour at the address of `far`, and no port that reaches it.

        Then its own address is wrong, and not the cable.
        """
        known, others = self.near.sessions, (str(other.ip) for other, _ in self.far.addresses)
        return any(known.names(other) and not known.attaches(other) for other in others)


def list_addressed_links(fabric: Fabric, sessions: Mapping[str, Sessions]) -> tuple[AddressedLink, ...]:
    """Return the links whose ends have addresses of one version of IP, where neither end is shut down."""
    found = []
    for _, a, b in fabric.inner_links():
        if a.is_shut or b.is_shut:
            continue
        near, far = _make_end(a, sessions[a.device.name]), _make_end(b, sessions[b.device.name])
        if any(own.version == other.version for own, _ in near.addresses for other, _ in far.addresses):
            is_near = near.is_told or not far.is_told
            found.append(_make_link(near, far) if is_near else _make_link(far, near))
    return tuple(found)


def _make_link(near: AddressedEnd, far: AddressedEnd) -> AddressedLink:
    """Return the link as *near* tells of it, or turned round where the address of *far* is wrong."""
    shares_subnet = _share_subnet(near, far)
    turned = None if shares_subnet else AddressedLink(far, near, shares_subnet)
    return turned if turned and turned.is_misaddressed else AddressedLink(near, far, shares_subnet)


def _share_subnet(near: AddressedEnd, far: AddressedEnd) -> bool:
    pairs = ((own, other) for own, _ in near.addresses for other, _ in far.addresses)
    return any(own in other.network or other in own.network for own, other in pairs)


def _make_end(at: Attached, sessions: Sessions) -> AddressedEnd:
    return AddressedEnd(at, sessions, sessions.list_addresses(at.port))
