"""Port-channels that several switches share: what is set on one switch and not on another."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from auditor.checks.base import Params, Whole
from auditor.checks.bundles import find_place, tell_differences
from auditor.checks.settings import ReadSettings, read_port
from auditor.model.fabric import Attached, End
from auditor.model.finding import Finding, Related
from auditor.model.port import PEER_LINK
from auditor.model.setting import Known, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class SharedMember:
    """A member of a port-channel, and its settings."""

    port: Attached
    settings: ReadSettings


@dataclass(frozen=True, slots=True)
class SharedBundle:
    """A port-channel by its name, with a member that is up on each of several switches of one system."""

    name: str
    members: tuple[SharedMember, ...]


@dataclass(frozen=True, slots=True)
class LoneMember:
    """A port that carries RDMA in a port-channel which another switch shares: nothing shows that switch."""

    port: Attached
    number: Known[str]


def list_shared_bundles(given: Whole, _params: object) -> Iterable[SharedBundle | LoneMember]:
    """Return the port-channels that several switches share, of which one member carries RDMA.

    Their cables end in one port-channel of another device. Or two switches give a port-channel one number, and a link
    joins their peer-link ports. Of a switch with numbers whose other switch nothing shows, one port is returned.
    """
    found: dict[tuple[End, ...], SharedBundle] = {}
    read: dict[int, ReadSettings] = {}
    pairs = _list_pairs(given)
    for name, ends in (*_list_by_far_end(given), *_list_by_number(given, pairs)):
        for ports in _sort_by_system(ends):
            key = tuple(port.end for port in ports)
            if key not in found and any(_carries_rdma(port, given) for port in ports):
                found[key] = SharedBundle(name, tuple(SharedMember(port, _read(port, read)) for port in ports))
    paired = {end.device for ends in found for end in ends}.union(*pairs)
    return (*found.values(), *_list_alone(given, paired))


def _list_alone(given: Whole, paired: AbstractSet[str]) -> Iterator[LoneMember]:
    """Yield a member with a number for each switch that is not *paired* with another."""
    for device in given.fabric.devices:
        numbered = ((port, port.mlag) for port in device.ports if isinstance(port.mlag, Known))
        members = (LoneMember(Attached(device, port), each) for port, each in numbered if each.value != PEER_LINK)
        first = next((each for each in members if _carries_rdma(each.port, given)), None)
        if first and device.name not in paired:
            yield first


def _carries_rdma(port: Attached, given: Whole) -> bool:
    return takes_part(port.port.config, ecn_only=given.intents.of(port.device.own_name).is_ecn_only)


def _read(port: Attached, read: dict[int, ReadSettings]) -> ReadSettings:
    """Return the settings of a port; ports that are configured alike are read once."""
    shape = id(port.port.config)
    if shape not in read:
        read[shape] = read_port(port.port.config)
    return read[shape]


def _list_by_far_end(given: Whole) -> Iterator[tuple[str, list[Attached]]]:
    """Yield the switch ports whose cables end in one port-channel of another device, with its name."""
    found: dict[End, list[Attached]] = {}
    for _, a, b in given.fabric.inner_links():
        for one, other in ((a, b), (b, a)):
            bundle = value_of(other.port.lag)
            if bundle and one.device.kind == "switch":
                found.setdefault(End(other.device.name, bundle), []).append(one)
    yield from ((f"{end.port} of {end.device}", members) for end, members in found.items())


def _list_pairs(given: Whole) -> Sequence[tuple[str, str]]:
    """Return the names of both switches of each pair, whose peer-link ports a link joins."""
    found: dict[tuple[str, str], None] = {}
    for link, one, other in given.fabric.inner_links():
        if value_of(one.port.mlag) == value_of(other.port.mlag) == PEER_LINK:
            found[link.a.device, link.b.device] = None
    return tuple(found)


def _list_by_number(given: Whole, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[Attached]]]:
    """Yield the ports of both switches of each of *pairs* that have one number, with the number."""
    devices = {device.name: device for device in given.fabric.devices}
    for pair in pairs:
        found: dict[str, list[Attached]] = {}
        for device in (devices[name] for name in pair):
            for port in device.ports:
                number = value_of(port.mlag)
                if number and number != PEER_LINK:
                    found.setdefault(number, []).append(Attached(device, port))
        yield from ((f"port-channel {number} of both switches", members) for number, members in found.items())


def _sort_by_system(ends: Iterable[Attached]) -> Iterator[tuple[Attached, ...]]:
    """Yield one member of each switch, of the switches of each system, where there are several."""
    first: dict[str, dict[str, Attached]] = {}
    for end in sorted(ends, key=lambda each: each.end):
        if not end.is_shut:
            first.setdefault(end.device.os, {}).setdefault(end.device.name, end)
    for found in first.values():
        if len(found) > 1:
            yield tuple(found.values())


def peers_differ(given: SharedBundle | LoneMember, _params: Params, _context: object) -> Iterator[Finding]:
    """The sender's hash picks the switch, so a switch that treats RDMA otherwise hits some flows alone."""
    if isinstance(given, LoneMember):
        why = f"port-channel {given.number.value} is shared with a switch that no link of the dumps shows"
        raise given.port.make_undetermined(why, given.number.where)
    usual = min(given.members, key=lambda each: _count_differing(each, given.members))
    end, beside = usual.port.end, usual.port.port
    for member in given.members:
        told, key = tell_differences(member.settings, usual.settings)
        if key is None:
            continue
        proof = beside.locate(find_place(usual.settings, key)) or beside.where
        own = member.port.port
        yield Finding(
            f"differs from {end} in {given.name}: {told}",
            own.locate(find_place(member.settings, key)) or own.where,
            key=str(end),
            related=(Related(f"{end} of the same port-channel", proof),) if proof else (),
            device=member.port.device.name,
            port=own.name,
        )


def _count_differing(member: SharedMember, members: Sequence[SharedMember]) -> int:
    """Return how many of *members* have settings other than *member* has."""
    return sum(tell_differences(each.settings, member.settings)[1] is not None for each in members)
