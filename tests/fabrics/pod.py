"""A pod of GPU servers, as text: `python tests/fabrics/pod.py` writes fixtures/pod-clean and fixtures/pod-faulty.

One scalable unit: 16 servers of 8 GPUs with a NIC each, rail-optimised: NIC n of every server is on leaf n+1, and each
of the 8 leaves has 4 links to each of 4 spines, as many as it has servers. Beside it a storage network of 2 switches
and 4 servers, and one NIC of every GPU server in it. The faulty pod is the clean one with the faults of `pod_faults`.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pod_faults import FAULTS
from pod_hosts import gpu_server, storage_server
from pod_jobs import manifests
from pod_nexus import leaf, lldp, spine, status
from pod_sonic import config_db, lldp_table
from pod_wiring import (
    GPU_SERVERS,
    LEAVES,
    SPINES,
    STORAGE_LEAVES,
    STORAGE_SERVERS,
    leaf_cables,
    spine_cables,
    storage_cables,
)

Files: TypeAlias = Mapping[str, str]
"""Texts by the name of their file."""

FIXTURES = Path(__file__).parents[2] / "fixtures"
CLEAN, FAULTY = "pod-clean", "pod-faulty"

BACK_END = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48], priority: 6}
  - {name: storage, kind: storage, dscp: [18], priority: 2}
path_mtu_bytes: 4096
roles:
  - {name: back end, devices: ["gpu*", "leaf*", "spine*"], oversubscription: 1, rails: true, gpus_per_nic: 1}
cables:
  - {between: ["gpu*", "leaf*"], length_m: 5}
  - {between: ["leaf*", "spine*"], length_m: 30}
"""
"""The intent of the fabric of the GPUs, to which that of the whole pod adds the cables of the storage network."""

STORAGE = """\
  - {between: ["gpu*", "stor-leaf*"], length_m: 40}
  - {between: ["nfs*", "stor-leaf*"], length_m: 40}
  - {between: ["stor-leaf*", "stor-leaf*"], length_m: 40}
"""
INTENT = BACK_END + STORAGE


def clean() -> Iterator[tuple[str, str]]:
    """Yield each file of the pod without a fault: its name and its text."""
    yield "roce-audit.yaml", INTENT
    for number in LEAVES:
        yield f"leaf{number}/show_running-config.txt", leaf(number)
        yield f"leaf{number}/show_interface_status.txt", status(leaf_cables(number))
    for number in SPINES:
        yield f"spine{number}/show_running-config.txt", spine(number)
        yield f"spine{number}/show_interface_status.txt", status(spine_cables(number))
        yield f"spine{number}/show_lldp_neighbors_detail.txt", lldp(f"spine{number}", tuple(spine_cables(number)))
    for number in STORAGE_LEAVES:
        yield f"stor-leaf{number}/config_db.json", config_db(number)
        yield f"stor-leaf{number}/show_lldp_table.txt", lldp_table(storage_cables(number))
    for number in GPU_SERVERS:
        yield f"gpu{number:02d}.txt", gpu_server(number)
    yield "cluster/training.yaml", manifests()
    for number in STORAGE_SERVERS:
        yield f"nfs{number}.txt", storage_server(number)


def faulty(files: Files) -> dict[str, str]:
    """Return the files of the clean pod with every fault planted."""
    planted = dict(files)
    for fault in FAULTS:
        for edit in fault.undo:
            planted[edit.file] = edit.reversed().changed(planted[edit.file])
    return planted


def story() -> str:
    """Return FAULTS.md: what the pod is, and a row for each fault."""
    head = "| # | fault | device | port | line | rules | how it happens |\n|---|---|---|---|---|---|---|"
    return "\n".join([HEAD, head, *(fault.told() for fault in FAULTS), ""])


HEAD = f"""\
# What is planted in this pod

One scalable unit of GPU servers: 4 spines and 8 leaves (leaf1 to leaf8; Nexus 9332D-GX2B, NX-OS), 16 servers of 8
NICs (gpu01 to gpu12 with ConnectX-7, gpu13 to gpu16 with BCM57608), all links 400G, routed and untagged. It is rail-
optimised: NIC n of each server is on leaf n+1, each leaf has 4 links to each spine. The storage network beside it is
2 switches (stor-leaf1, stor-leaf2; SONiC), 4 servers with 2 NICs, and a ninth NIC in each GPU server, all of them
100G; `cluster/` has the manifests of the cluster on the GPU servers. RDMA is DSCP 26 in priority 3, CNPs are DSCP 48
in priority 6, storage over TCP is DSCP 18 in priority 2.

`fixtures/{CLEAN}` is the same pod without the faults. Both are written by `tests/fabrics/pod.py`, without the captures
that no rule reads and the neighbours that the far end tells as well. Nothing in it is a real device's, and its secrets
are made up. `tests/fabrics/pod_faults.py` holds this table as data; `tests/fabrics/test_pod.py` finds each fault among
the others and alone.
"""


def write(folder: Path, files: Files) -> None:
    """Make *folder* hold *files* and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pods() -> Mapping[str, Files]:
    """Return the files of both pods by the name of the fixture."""
    files = dict(clean())
    return {CLEAN: files, FAULTY: faulty(files) | {"FAULTS.md": story()}}


if __name__ == "__main__":
    for fixture, written in pods().items():
        write(FIXTURES / fixture, written)
