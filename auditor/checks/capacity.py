"""Capacity: downlinks against uplinks of a switch, under the ratio of the intent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params, Whole
from auditor.fabric.route import Exit
from auditor.fabric.unseen import list_blind_ports
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric
from auditor.model.finding import Finding
from auditor.model.setting import Known, Undetermined
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Fan:
    """A switch between two tiers: its downlinks, its uplinks, its cables to ports without a dump.

    `blind` are its ports of which nothing tells where their cable leads.
    """

    device: Device
    allowed: float
    down: tuple[Exit, ...]
    up: tuple[Exit, ...]
    elsewhere: tuple[str, ...]
    blind: tuple[str, ...]


def list_fans(given: Whole, _params: object) -> Iterable[Fan]:
    """Return each switch with cables down and something above, where the intent gives a ratio; raises Undetermined."""
    judged = {
        device.name: allowed
        for device in given.fabric.devices
        if device.kind == "switch" and (allowed := given.intents.of(device.own_name).oversubscription) is not None
    }
    if not judged:
        return
    graph = given.graph
    tiers = graph.tiers
    if not tiers:
        raise Undetermined("no dump of a host tells which way is down")
    strangers, blind = _list_strangers(given.fabric), _list_blind_ports(given.fabric)
    top = max(tiers.values(), default=0)
    for device in given.fabric.devices:
        tier, elsewhere = tiers.get(device.name), strangers.get(device.name, ())
        if device.name not in judged or tier is None or not (tier < top or elsewhere):
            continue
        cables = [cable for cable in graph.exits(device.name) if not cable.is_shut]
        down, up = (
            tuple(cable for cable in cables if (tiers.get(cable.far.device.name, tier) - tier) * way > 0)
            for way in (-1, 1)
        )
        if down:
            yield Fan(device, judged[device.name], down, up, tuple(elsewhere), tuple(blind.get(device.name, ())))


def _list_strangers(fabric: Fabric) -> Mapping[str, Sequence[str]]:
    """Return for each device its cables to ports that no dump has."""
    ends = fabric.ends()
    found: dict[str, list[str]] = {}
    for link in fabric.links:
        for near, far in ((link.a, link.b), (link.b, link.a)):
            if near in ends and far not in ends:
                found.setdefault(near.device, []).append(f"{near.port} to {far.device}")
    return found


def _list_blind_ports(fabric: Fabric) -> Mapping[str, Sequence[str]]:
    """Return by device its ports for RDMA that are up and of which nothing tells where their cable leads."""
    ends = fabric.ends()
    return {
        name: [port for port in ports if takes_part(ends[End(name, port)].port.config)]
        for name, ports in list_blind_ports(fabric).items()
    }


def uplinks_oversubscribed(given: Fan, _params: Params, _context: object) -> Iterator[Finding]:
    """Where more comes from below than can go up, the uplinks are where RDMA queues, marks and pauses."""
    down, up = (sum(_find_speed(cable) for cable in cables) for cables in (given.down, given.up))
    if given.elsewhere:
        why = f"{given.device.name}: no dump tells whether its cable leads up or down: {given.elsewhere[0]}"
        raise Undetermined(why if len(given.elsewhere) == 1 else f"{why}, and {len(given.elsewhere) - 1} more")
    if given.blind:
        more = f" and of {len(given.blind) - 1} more" if len(given.blind) > 1 else ""
        raise Undetermined(f"{given.device.name}: no capture shows the neighbour of {given.blind[0]}{more}")
    if down > given.allowed * up:
        ratio = f"{down / up:g}:1" if up else "no cable leads up"
        yield Finding(
            f"{down:g} Gb/s lead down ({_count_cables(given.down)}) "
            f"and {up:g} Gb/s up ({_count_cables(given.up)}): {ratio}, "
            f"but the intent allows {given.allowed:g}:1",
            (given.up or given.down)[0].near.port.where,
            key="oversubscription",
            device=given.device.name,
        )


def _find_speed(cable: Exit) -> float:
    """Return the speed of a cable in Gb/s, by either end; raises Undetermined."""
    near, far = (end.port.config.ethernet.speed_gbps for end in (cable.near, cable.far))
    return far.value if isinstance(far, Known) and not isinstance(near, Known) else cable.near.known(near).value


def _count_cables(cables: tuple[Exit, ...]) -> str:
    return "1 cable" if len(cables) == 1 else f"{len(cables)} cables"
