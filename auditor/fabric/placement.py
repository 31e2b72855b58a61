"""The place of each device in a fabric: its tier, its pod, and the rails of hosts."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from auditor.fabric.route import Graph
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.setting import value_of
from auditor.util.natsort import natural
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Placement:
    """Tiers and pods by device, rails by port of a host; who is on no known cable has none.

    Tier 0 are hosts, 1 switches with a host, and so on up. Pods count from 1: hosts that share their leaves, these
    leaves, and switches above that lead to no other pod.
    """

    tiers: Mapping[str, int]
    pods: Mapping[str, int]
    rails: Mapping[End, str]


def name_nic(nic: Attached) -> str:
    """Return the name of a NIC on every host of its kind: its RDMA device, else its interface."""
    return value_of(nic.port.rdma.name) or nic.port.name


def place_devices(fabric: Fabric) -> Placement:
    """Return the place of each device of *fabric*."""
    graph = Graph(fabric)
    kinds = {device.name: device.kind for device in fabric.devices}
    tiers = {name: tier for name, tier in graph.tiers.items() if kinds[name] != "jobs"}
    rails = {
        End(device.name, port.name): name_nic(Attached(device, port))
        for device in fabric.devices
        if device.kind == "host"
        for port in device.ports
        if port.config.nic and any(cable.near.port is port for cable in graph.exits(device.name))
    }
    return Placement(tiers, _number_all(graph, tiers), rails)


def _number_all(graph: Graph, tiers: Mapping[str, int]) -> Mapping[str, int]:
    """Return the number of each pod, in the order of its first host."""
    leaves = {
        device.name: frozenset(far.name for c in graph.exits(device.name) if (far := c.far.device).kind == "switch")
        for device in sorted(graph.devices, key=lambda each: natural(each.name))
        if device.kind == "host"
    }
    cabled = {host: own for host, own in leaves.items() if own}
    numbers = dict(zip(cabled, number_pods(list(cabled.values())), strict=True))
    order = {pod: number for number, pod in enumerate(dict.fromkeys(numbers.values()), 1)}
    pods = {host: order[pod] for host, pod in numbers.items()}
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for host, own in cabled.items():
        for leaf in own:
            votes[leaf][pods[host]] += 1
    pods |= {leaf: max(counted, key=lambda pod: (counted[pod], -pod)) for leaf, counted in votes.items()}
    for name in sorted((each for each, tier in tiers.items() if tier > 1), key=lambda each: (tiers[each], each)):
        neighbours = {cable.far.device.name for cable in graph.exits(name)}
        own_pods = {pods.get(each) for each in neighbours if tiers.get(each, 0) < tiers[name]}
        if len(own_pods) == 1 and (pod := own_pods.pop()) is not None:
            pods[name] = pod
    return pods


def number_pods(hosts: Sequence[frozenset[str]]) -> list[int]:
    """Return for each host, given by its leaves, the number of its pod.

    A pod is a set of leaves that hosts share. The commonest sets come first; hosts whose leaves are mostly those of
    such a set belong to it, a single host also by half of them: a cable to somewhere else makes no pod of its own.

    >>> number_pods([frozenset("ab"), frozenset("ab"), frozenset("ax"), frozenset("cd")])
    [0, 0, 0, 1]
    """
    counted = Counter(hosts)
    pods: list[frozenset[str]] = []
    by_leaf: dict[str, list[int]] = {}
    number_of: dict[frozenset[str], int] = {}
    for leaves in sorted(counted, key=lambda each: (-counted[each], sorted(each))):
        shared = Counter(pod for leaf in sorted(leaves) for pod in by_leaf.get(leaf, ()))
        pod, most = shared.most_common(1)[0] if shared else (-1, 0)
        half = min(len(leaves), len(pods[pod])) / 2 if shared else 0
        if not (most > half or (shared and most == half and counted[leaves] == 1)):
            pod = len(pods)
            pods.append(leaves)
            for leaf in leaves:
                by_leaf.setdefault(leaf, []).append(pod)
        number_of[leaves] = pod
    return [number_of[leaves] for leaves in hosts]
