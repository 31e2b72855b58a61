"""Equal-cost paths: what the hash over them reads, and how many of the links to the next tier a route may use."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params, Whole
from auditor.fabric.route import Exit, Graph
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.port import Forwarding
from auditor.model.setting import Known, Undetermined, Unset, Where, value_of
from auditor.model.spreading import HashField, Spreading
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_ENTROPY = frozenset({HashField.SOURCE_PORT, HashField.QUEUE_PAIR})
"""Fields in which RDMA connections between two NICs differ over IPv4."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A switch with equal-cost links to one tier or switch, over which RDMA leaves; a port-channel counts once.

    `target` says where they lead, `above` are the switches of the next tier that spread in turn.
    """

    device: Device
    links: tuple[Exit, ...]
    target: str
    above: tuple[Device, ...] = ()


def list_spreads(given: Whole, _params: object) -> Iterable[Spread]:
    """Return each switch with the largest set of its equal-cost links, of those that have two or more."""
    return given.find_once(_find_spreads)


def _find_spreads(given: Whole) -> tuple[Spread, ...]:
    graph = given.graph
    tiers = graph.tiers
    ecn_only = {device.name: given.intents.of(device.own_name).is_ecn_only for device in given.fabric.devices}
    found = {
        device.name: largest
        for device in given.fabric.devices
        if device.kind == "switch"
        and (largest := _find_largest(device, graph, tiers, ecn_only=ecn_only[device.name])) is not None
    }
    return tuple(
        Spread(each.device, each.links, each.target, tuple(_list_above(each, tiers, found))) for each in found.values()
    )


def _find_largest(device: Device, graph: Graph, tiers: Mapping[str, int], *, ecn_only: bool) -> Spread | None:
    """Return the links to the tier above, or those to one switch below, whichever are more."""
    own = tiers.get(device.name)
    if own is None:
        return None
    sets: dict[str, list[Exit]] = defaultdict(list)
    for cable in graph.exits(device.name):
        far = cable.far.device
        if far.kind == "switch" and _is_routed(cable, ecn_only=ecn_only) and tiers.get(far.name, own) != own:
            sets["the tier above" if tiers[far.name] > own else far.name].append(cable)
    counted = {target: _count_once(cables) for target, cables in sets.items()}
    target, links = max(counted.items(), key=lambda item: len(item[1]), default=("", ()))
    return Spread(device, tuple(links), target) if len(links) > 1 else None


def _is_routed(cable: Exit, *, ecn_only: bool) -> bool:
    """Return whether a link is up, routed as far as the dumps tell, and carries RDMA."""
    ends = [end.port.config for end in (cable.near, cable.far)]
    is_switched = any(value_of(config.ethernet.forwarding) is Forwarding.SWITCHED for config in ends)
    return not cable.is_shut and not is_switched and takes_part(ends[0], ecn_only=ecn_only)


def _count_once(cables: Sequence[Exit]) -> tuple[Exit, ...]:
    """Return one link for each port-channel, and each link that is in none."""
    bundles: dict[str, Exit] = {}
    for cable in cables:
        lag = cable.near.port.lag
        bundles.setdefault((lag.value if isinstance(lag, Known) else None) or cable.near.port.name, cable)
    return tuple(bundles.values())


def _list_above(spread: Spread, tiers: Mapping[str, int], found: Mapping[str, Spread]) -> Iterator[Device]:
    names = dict.fromkeys(cable.far.device.name for cable in spread.links)
    higher = (name for name in names if tiers[name] > tiers[spread.device.name])
    yield from (found[name].device for name in higher if name in found)


def hash_without_ports(given: Spread, _params: Params, _context: object) -> Iterator[Finding]:
    """Connections between two NICs differ in the UDP source port alone, so they share one path without it."""
    if all(value_of(cable.near.port.config.spreading) is Spreading.PACKET for cable in given.links):
        return
    read = _read_fields(given.device)
    if not read.value & _ENTROPY:
        names = ", ".join(sorted(field.value.replace("_", " ") for field in read.value)) or "nothing"
        yield Finding(
            f"the hash over {len(given.links)} equal-cost links to {given.target} reads {names}, "
            "and no UDP source port: all RDMA between two NICs takes one link",
            read.where or _find_place(given),
            device=given.device.name,
        )


def _read_fields(device: Device) -> Known[frozenset[HashField]]:
    """Return what the hash of *device* reads; raises Undetermined."""
    try:
        return device.ecmp.fields.known()
    except Undetermined as ignorance:
        why = f"{device.name}: fields of the hash: {ignorance.why}"
        raise Undetermined(why, ignorance.where, device=device.name) from None


def _find_place(given: Spread) -> Where | None:
    return given.links[0].near.port.where


def seed_repeated(given: Spread, _params: Params, _context: object) -> Iterator[Finding]:
    """Tiers that hash alike decide alike: what one tier sends to a switch, that switch sends to few of its links."""
    seed = given.device.ecmp.seed
    if not isinstance(seed, Known):
        return
    for above in given.above:
        theirs = above.ecmp.seed
        if not isinstance(theirs, Known) or theirs.value != seed.value:
            continue
        if _read_fields(above).value == _read_fields(given.device).value:
            yield Finding(
                f"hashes with seed {seed.value}, and so does {above.name} in the tier above: both decide alike, "
                "and some links stay empty",
                seed.where,
                key=above.name,
                related=(Related(f"the seed of {above.name}", theirs.where),) if theirs.where else (),
                device=given.device.name,
            )
            return


def list_seeded(given: Whole, params: object) -> Iterable[Spread]:
    """Return switches whose seed is known, below switches that spread in turn."""
    return tuple(
        each for each in list_spreads(given, params) if isinstance(each.device.ecmp.seed, Known) and each.above
    )


def list_limited(given: Whole, params: object) -> Iterable[Spread]:
    """Return switches whose configuration tells how many paths a route may have, or has BGP and is silent on it."""
    return tuple(each for each in list_spreads(given, params) if _is_limited(each.device))


def _is_limited(device: Device) -> bool:
    most = device.ecmp.max_paths
    return isinstance(most, Known) or (isinstance(most, Unset) and most.where is not None)


def paths_unused(given: Spread, _params: Params, _context: object) -> Iterator[Finding]:
    """Links beyond the most paths of a route carry nothing, however full the others are."""
    try:
        most = given.device.ecmp.max_paths.known()
    except Undetermined as ignorance:
        why = f"{given.device.name}: paths of a route: {ignorance.why}"
        raise Undetermined(why, ignorance.where, device=given.device.name) from None
    count = len(given.links)
    if most.value < count:
        what = "a route has 1 path" if most.value == 1 else f"a route has at most {most.value} paths"
        yield Finding(
            f"{what}, but {count} equal-cost links lead to {given.target}: {count - most.value} of {count} "
            "carry nothing for a destination",
            most.where or _find_place(given),
            device=given.device.name,
        )
