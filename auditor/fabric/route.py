"""Paths through a fabric: the cables of every equal-cost path between hosts."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from auditor.model.fabric import Attached, Fabric
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Exit:
    """A cable from the view of one device: its own port and the port at the other end."""

    near: Attached
    far: Attached

    @property
    def is_shut(self) -> bool:
        """Whether one end is known to be shut down."""
        return self.near.is_shut or self.far.is_shut


class Graph:
    """The cables between the dumped `devices`. Switches forward, hosts do not."""

    def __init__(self, fabric: Fabric) -> None:
        exits: dict[str, list[Exit]] = {device.name: [] for device in fabric.devices}
        for _, a, b in fabric.inner_links():
            exits[a.device.name].append(Exit(a, b))
            exits[b.device.name].append(Exit(b, a))
        self.devices = fabric.devices
        self._exits: Mapping[str, Sequence[Exit]] = exits
        self._down: dict[str, Sequence[Exit]] = {}
        self._switches = frozenset(d.name for d in fabric.devices if d.kind == "switch")

    def exits(self, device: str) -> Sequence[Exit]:
        """Return the cables of *device*."""
        return self._exits[device]

    def exits_down(self, device: str) -> Sequence[Exit]:
        """Return the cables of *device* to a tier nearer to the hosts."""
        if device not in self._down:
            self._down[device] = [cable for cable in self._exits[device] if self.leads_down(cable)]
        return self._down[device]

    def leads_down(self, cable: Exit) -> bool:
        """Return whether *cable* leads to a tier nearer to the hosts."""
        return self.tiers.get(cable.far.device.name, 0) < self.tiers.get(cable.near.device.name, 0)

    def hops_from(self, starts: Iterable[str]) -> Mapping[str, int]:
        """Return the distance in cables of each device that *starts* reach through switches."""
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
        """Each device's tier: 0 for hosts, 1 for switches with a host, and so on up; empty without hosts."""
        return self.hops_from(name for name in self._exits if name not in self._switches)
