"""Queue pairs of jobs against equal-cost paths: how many flows there are for a hash to spread."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.checks.paths import Spread, list_spreads
from auditor.fabric.job_environment import JobNumber, list_numbers
from auditor.fabric.job_settings import JobSettings, list_job_settings, list_nodes
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Undetermined, Unknown, Where, value_of
from auditor.model.spreading import Spreading
from auditor.util.values import dataclass

COUNT, SPLIT = "NCCL_IB_QPS_PER_CONNECTION", "NCCL_IB_SPLIT_DATA_ON_QPS"
MANY_LINKS = 4
"""Equal-cost links from which on one flow a connection leaves most of them to chance."""


@dataclass(frozen=True, slots=True)
class JobQueuePairs:
    """A job that says how many queue pairs a connection has, and the switch of its nodes with the most uplinks."""

    settings: JobSettings
    count: JobNumber
    leaf: Spread


def list_queue_pairs(given: Whole, _params: object) -> Iterable[JobQueuePairs]:
    """Return the jobs that give NCCL a number of queue pairs, below switches with many equal-cost links."""
    jobs = [
        (each, count) for each in list_job_settings(given.fabric) for count in list_numbers(each.variables, (COUNT,))
    ]
    if not jobs:
        return ()
    graph = given.graph
    leaves = [s for s in list_spreads(given, None) if len(s.links) >= MANY_LINKS]
    found = []
    for settings, count in jobs:
        nodes = {node.name for node in list_nodes(given.fabric, settings)}
        own = [s for s in leaves if any(cable.far.device.name in nodes for cable in graph.exits(s.device.name))]
        if own:
            found.append(JobQueuePairs(settings, count, max(own, key=lambda s: len(s.links))))
    return tuple(found)


def _keeps_flows(spread: Spread) -> bool:
    """Return whether a switch keeps all packets of a flow on one link; raises Undetermined where nothing tells.

    A configuration without a word of load balancing leaves it to the hash.
    """
    told = [cable.near.port.config.spreading for cable in spread.links]
    if unknown := next((each for each in told if isinstance(each, Unknown)), None):
        raise Undetermined(f"{spread.device.name}: how it spreads packets: {unknown.why}", _find_place(spread))
    return {value_of(each) for each in told} <= {Spreading.FLOW, None}


def queue_pair_alone(given: JobQueuePairs, _params: Params, _context: object) -> Iterator[Finding]:
    """A connection of one queue pair is one flow: where two meet on a link, each has half of it."""
    count, leaf = given.count.number, given.leaf
    if count.value > 1 or not _keeps_flows(leaf):
        return
    split = given.settings.variables.get(SPLIT)
    idle = (
        f", and {SPLIT}={split.value} has nothing to split" if isinstance(split, Known) and split.value == "1" else ""
    )
    place = _find_place(leaf)
    yield Finding(
        given.settings.describe(
            f"{COUNT}={count.value} makes one flow of each connection, but {leaf.device.name} hashes flows over "
            f"{len(leaf.links)} links to {leaf.target}: connections that meet on a link share it{idle}"
        ),
        count.where,
        key=f"{given.settings.name} {COUNT}".strip(),
        related=(Related(f"a link of {leaf.device.name}", place),) if place else (),
        device=given.settings.device.name,
    )


def _find_place(leaf: Spread) -> Where | None:
    return leaf.links[0].near.port.where
