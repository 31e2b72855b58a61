"""Ways through a fabric: which cables a packet may take from one host to another, over every equal-cost path."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.model.fabric import Attached, Fabric


@dataclass(frozen=True, slots=True)
class Exit:
    """A cable as seen from one of its devices: the port it leaves by and the port it leads to."""

    near: Attached
    far: Attached


class Graph:
    """The cables between `devices`, those whose dumps were given. Switches forward, hosts do not."""

    def __init__(self, fabric: Fabric) -> None:
        ends = fabric.ends()
        exits: dict[str, list[Exit]] = {device.name: [] for device in fabric.devices}
        for link in fabric.links:
            a, b = ends.get(link.a), ends.get(link.b)
            if a and b:
                exits[a.device.name].append(Exit(a, b))
                exits[b.device.name].append(Exit(b, a))
        self.devices = fabric.devices
        self._exits: Mapping[str, Sequence[Exit]] = exits
        self._switches = frozenset(d.name for d in fabric.devices if d.kind == "switch")

    def exits(self, device: str) -> Sequence[Exit]:
        """Return the cables of *device*."""
        return self._exits[device]

    def hops_from(self, starts: Iterable[str]) -> Mapping[str, int]:
        """Return for each device that can be reached from *starts* through switches how many cables away it is."""
        hops = dict.fromkeys(starts, 0)
        waiting = deque(hops)
        while waiting:
            here = waiting.popleft()
            if hops[here] and here not in self._switches:
                continue
            for cable in self._exits[here]:
                there = cable.far.device.name
                if there not in hops:
                    hops[there] = hops[here] + 1
                    waiting.append(there)
        return hops

    @cached_property
    def tiers(self) -> Mapping[str, int]:
        """Each device's tier: 0 for hosts, 1 for switches with a host, and so on up; none where no host is near."""
        return self.hops_from(name for name in self._exits if name not in self._switches)
