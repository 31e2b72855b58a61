"""Ports that are shut down although their cable leads to a neighbour in the fabric."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params, Whole
from auditor.fabric.route import Exit
from auditor.fabric.topology import map_described
from auditor.model.fabric import End
from auditor.model.finding import Finding, Related
from auditor.model.setting import Origin
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class ShutLink:
    """A cable whose near end is shut down, and how many cables of its likes are up."""

    cable: Exit
    likes: int


def list_shut_links(given: Whole, _params: object) -> Iterable[ShutLink]:
    """Return the cables between switches whose near end is shut down, and those that its description tells of."""
    graph = given.graph
    tiers, ends = graph.tiers, given.fabric.ends()
    for device in given.fabric.devices:
        if device.kind != "switch" or device.name not in tiers:
            continue
        cables = [cable for cable in graph.exits(device.name) if cable.far.device.kind == "switch"]
        linked = {cable.near.end for cable in graph.exits(device.name)}
        shut = [cable for cable in cables if cable.near.is_shut]
        shut += [
            Exit(ends[near], ends[far])
            for port in device.ports
            if port.config.ethernet.is_shut
            and (near := End(device.name, port.name)) not in linked
            and (far := given.find_once(_map_described).get(near))
        ]
        by_tier = _count_up(cables, tiers) if shut else {}
        yield from (ShutLink(cable, by_tier.get(tiers.get(cable.far.device.name, -1), 0)) for cable in shut)


def _map_described(given: Whole) -> Mapping[End, End]:
    return map_described(given.fabric.devices)


def _count_up(cables: Sequence[Exit], tiers: Mapping[str, int]) -> dict[int, int]:
    counted: dict[int, int] = {}
    for cable in cables:
        if not cable.is_shut:
            tier = tiers.get(cable.far.device.name, -1)
            counted[tier] = counted.get(tier, 0) + 1
    return counted


def port_shut_despite_cable(given: ShutLink, _params: Params, _context: object) -> Iterator[Finding]:
    """A port that maintenance left shut takes its share of the bandwidth, and the other links carry it."""
    near, far = given.cable.near, given.cable.far
    if not given.likes or far.is_shut:
        return
    enabled = near.known(near.port.config.ethernet.enabled)
    others = "1 other cable to that tier is" if given.likes == 1 else f"{given.likes} other cables to that tier are"
    proof = far.port.where
    is_written = enabled.origin is Origin.INTENDED
    yield Finding(
        f"is shut down, but its cable leads to {far.end}, which is up; {others} in use",
        (near.port.locate(enabled.where) if is_written else None) or near.port.where,
        key=str(far.end),
        related=(Related(str(far.end), proof),) if proof else (),
        device=near.device.name,
        port=near.port.name,
    )
