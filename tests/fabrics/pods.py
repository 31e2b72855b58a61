"""The pod's back end with the switches of other systems: `python tests/fabrics/pods.py SYSTEM FOLDER` writes one.

Wiring, servers, intent and jobs are those of `pod`; the storage network is left out.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pod_cumulus
import pod_eos
import pod_junos
import pod_sonic_leaf
from pod import BACK_END, write
from pod_hosts import gpu_server
from pod_jobs import manifests
from pod_wiring import GPU_SERVERS, LEAVES, SPINES, Cable, PortName, leaf_as, leaf_cables, spine_cables

SPINE_AS = 65000
Captures: TypeAlias = Callable[[str, int, int, Sequence[Cable]], Iterable[tuple[str, str]]]
"""A switch's name, the number that makes its addresses, its AS and its cables -> each command and its output."""


@dataclass(frozen=True, slots=True)
class System:
    """How the switches of a system are written."""

    captures: Captures
    port_name: PortName


SYSTEMS: Mapping[str, System] = {
    "cumulus": System(pod_cumulus.captures, pod_cumulus.port_name),
    "eos": System(pod_eos.captures, pod_eos.port_name),
    "junos": System(pod_junos.captures, pod_junos.port_name),
    "sonic": System(pod_sonic_leaf.captures, pod_sonic_leaf.port_name),
}


def files(system: str) -> dict[str, str]:
    """Return the files of the pod whose switches run *system*: their names and their texts."""
    return dict(_files(SYSTEMS[system]))


def _files(system: System) -> Iterator[tuple[str, str]]:
    yield "roce-audit.yaml", BACK_END
    for number in LEAVES:
        cables = tuple(leaf_cables(number, system.port_name))
        yield from _captured(f"leaf{number}", system.captures(f"leaf{number}", 10 + number, leaf_as(number), cables))
    for number in SPINES:
        cables = tuple(spine_cables(number, system.port_name))
        yield from _captured(f"spine{number}", system.captures(f"spine{number}", 40 + number, SPINE_AS, cables))
    for number in GPU_SERVERS:
        yield f"gpu{number:02d}.txt", gpu_server(number, system.port_name, has_storage=False)
    yield "cluster/training.yaml", manifests()


def _captured(name: str, captures: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the files of a switch; what is no command, such as config_db.json, names its file itself."""
    for command, output in captures:
        is_file = command.endswith((".json", ".yaml"))
        yield f"{name}/{command if is_file else re.sub('[^A-Za-z0-9.-]+', '_', command) + '.txt'}", output


if __name__ == "__main__":
    write(Path(sys.argv[2]), files(sys.argv[1]))
