"""What hangs on a device or a port: hosts at its cables, jobs on these hosts, and how many ways there are beside it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from auditor.fabric.job_settings import JobSettings, list_nodes
from auditor.model.fabric import Fabric
from auditor.systems import systems
from auditor.util.natsort import natural
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """So many `ports` of the `uplinks` of a switch with hosts: flows that leave or reach these hosts hash over all."""

    device: str
    ports: int
    uplinks: int


class Surroundings:
    """Who is cabled to what in a fabric, and which jobs may run where."""

    def __init__(self, fabric: Fabric) -> None:
        self.kinds: Mapping[str, str] = {device.name: systems()[device.os].kind for device in fabric.devices}
        ends = [(link.a, link.b) for link in fabric.links]
        self._far = {(near.device, near.port): far for a, b in ends for near, far in ((a, b), (b, a))}
        self._ports: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for end in self._far:
            self._ports[end[0]].append(end)
        uplinks: dict[str, set[str]] = defaultdict(set)
        self._leaves = {near.device for a, b in ends for near, far in ((a, b), (b, a)) if self._is_host(far.device)}
        for (device, port), far in self._far.items():
            if device in self._leaves and self.kinds.get(far.device) == "switch" and far.device not in self._leaves:
                uplinks[device].add(port)
        self._uplinks: Mapping[str, Collection[str]] = uplinks
        workloads = [(device, each) for device in fabric.devices if device.jobs for each in device.jobs.workloads]
        self._jobs = [
            (each.name, frozenset(node.name for node in list_nodes(fabric, JobSettings(device, each.name, {}, each))))
            for device, each in workloads
        ]

    def _is_host(self, device: str) -> bool:
        return self.kinds.get(device) == "host"

    def is_leaf(self, device: str) -> bool:
        """Return whether a switch has hosts."""
        return device in self._leaves

    def list_hosts(self, ports: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Return the hosts among the devices of *ports*, each a device and a port, and at the other ends of cables."""
        near = {device for device, _ in ports if self._is_host(device)}
        near |= {far.device for port in ports if (far := self._far.get(port)) and self._is_host(far.device)}
        return tuple(sorted(near, key=natural))

    def list_jobs(self, hosts: Collection[str]) -> tuple[str, ...]:
        """Return the jobs that may run on one of *hosts*."""
        return tuple(sorted({name for name, nodes in self._jobs if not nodes.isdisjoint(hosts)}, key=natural))

    def list_hosts_behind(self, device: str) -> tuple[str, ...]:
        """Return the hosts at all ports of a switch."""
        return self.list_hosts(self._ports.get(device, ()))

    def find_share(self, ports: Iterable[tuple[str, str]]) -> Share | None:
        """Return how many uplinks of one leaf *ports* are or lead to; None for other ports, or for those of several."""
        found: dict[str, set[str]] = defaultdict(set)
        for port in ports:
            far = self._far.get(port)
            for device, name in (port, (far.device, far.port) if far else ("", "")):
                if name in self._uplinks.get(device, ()):
                    found[device].add(name)
        if len(found) != 1:
            return None
        ((device, names),) = found.items()
        return Share(device, len(names), len(self._uplinks[device]))
