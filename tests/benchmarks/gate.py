"""What the gate costs on a repository of 1,000 switches of six systems: cold, warm, and after a change of one file.

    python tests/benchmarks/gate.py [SWITCHES]

Pods of 16 SONiC spines and up to 64 leaves: NX-OS, EOS, Junos, OS10, Enterprise SONiC; 64 ports and 1,500 lines each,
the intent declared. Each run is a process of its own, started and ended. Ratios are of processor time, that of workers
included: other load on the machine does not change them. Prints wall times besides, and the speed-up by two workers, of
which other load takes its part. Ends with 1 where a ratio is above its limit, or an output differs from the first one.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

import audit_enterprise_sonic
import audit_eos
import audit_junos
import audit_nxos
import audit_os10
import sonic

SWITCHES, PORTS, LINES = 1000, 64, 1500
SPINES, POD = 16, 80
WARM, ONE_CHANGED = 0.15, 0.2
INTENT = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
path_mtu_bytes: 4096
cable_length_m: 30
"""


@dataclass(frozen=True)
class Leaf:
    """A system of leaves: what writes one, how it calls the port of that number, and what makes its uplinks fit."""

    write: Callable[[int, int], list[str]]
    port: Callable[[int], str]
    edits: Mapping[str, str]


LEAVES = (
    Leaf(audit_nxos.switch, lambda n: f"Ethernet1/{n}", {"mtu 9216": "mtu 9100", "mtu 9000": "mtu 9100"}),
    Leaf(audit_eos.switch, lambda n: f"Ethernet{n}/1", {"mtu 9214": "mtu 9100", "mtu 9000": "mtu 9100"}),
    Leaf(audit_junos.switch, lambda n: f"et-0/0/{(n - 1) // 4}:{(n - 1) % 4}", {"mtu 9170": "mtu 9100"}),
    Leaf(audit_os10.switch, lambda n: f"ethernet1/1/{n}", {"mtu 9216": "mtu 9132", "mtu 9100": "mtu 9132"}),
    Leaf(audit_enterprise_sonic.switch, lambda n: f"Eth1/{n}", {"mtu 9216": "mtu 9100"}),
)
SPINE_EDITS = {'"3,4"': '"3"', '|3-4"': '|3"', '"90000"': '"98000"', '"egress_profile"': '"ingress_lossy_profile"'}


def repository(root: Path, switches: int) -> None:
    """Write a repository with so many switches to *root*."""
    for number in range(switches):
        pod, place = divmod(number, POD)
        folder = root / f"pod{pod:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        if place < SPINES:
            (folder / f"spine{place:02d}.json").write_text(spine(pod, place), encoding="utf-8")
        else:
            (folder / f"leaf{place - SPINES:02d}.cfg").write_text(leaf(pod, place - SPINES), encoding="utf-8")
    (root / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")


def spine(pod: int, number: int) -> str:
    """Return the configuration of a spine, each of its ports cabled to another leaf of its pod."""
    config = sonic.switch(PORTS)
    config["DEVICE_METADATA"]["localhost"]["hostname"] = f"spine{pod}-{number}"
    uplink = 4 * (number + 1)
    config["DEVICE_NEIGHBOR"] = {
        port: {"name": f"leaf{pod}-{n}", "port": LEAVES[n % len(LEAVES)].port(uplink)}
        for n, port in enumerate(config["PORT"])
    }
    return edited(json.dumps(config, indent=4), SPINE_EDITS)


def leaf(pod: int, number: int) -> str:
    """Return the configuration of a leaf, with a name and descriptions of its own."""
    system = LEAVES[number % len(LEAVES)]
    lines = system.write(PORTS, LINES)
    own = {"bench-leaf1": f"leaf{pod}-{number}", "gpu-": f"gpu-{pod}-{number}-", "rack ": f"rack {pod}"}
    return edited("\n".join(lines) + "\n", {**own, **system.edits})


def edited(text: str, edits: Mapping[str, str]) -> str:
    """Return *text* with each key of *edits* replaced."""
    for old, new in edits.items():
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Ran:
    """One run: seconds by the clock and of the processors, and what it printed."""

    wall_s: float
    cpu_s: float
    out: bytes


def run(where: Path, *options: str) -> Ran:
    """Audit the repository in *where*."""
    environment = {**os.environ, "XDG_STATE_HOME": str(where / "state")}
    environment.pop("ROCE_AUDIT_CACHE_KEY", None)
    command = [sys.executable, "-m", "auditor.cli", "check", "configs", *options]
    before, start = cpu_seconds(), perf_counter()
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, check=False)
    wall, cpu = perf_counter() - start, cpu_seconds() - before
    if done.returncode not in {0, 1} or done.stderr:
        raise RuntimeError(done.stderr.decode())
    return Ran(wall, cpu, done.stdout)


def cpu_seconds() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(switches: int) -> int:
    """Print the figures; 1 where one is above its limit."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        configs = where / "configs"
        repository(configs, switches)
        size = sum(file.stat().st_size for file in configs.rglob("*.*"))
        print(f"{switches} switches, {size / 1e6:.0f} MB")
        alone = told("no cache, 1 job", run(where, "--no-cache", "--jobs", "1"))
        pair = told("no cache, 2 jobs", run(where, "--no-cache", "--jobs", "2"))
        cold = told("cold, 1 job", run(where, "--jobs", "1"))
        warm = told("warm", run(where, "--jobs", "1"))
        same = [alone.out == other.out for other in (pair, cold, warm)]
        changed = configs / "pod00" / "leaf00.cfg"
        changed.write_text(changed.read_text().replace("description gpu", "description host"), encoding="utf-8")
        one = told("one changed", run(where, "--jobs", "1"))
        same.append(one.out == told("the same, no cache", run(where, "--no-cache", "--jobs", "2")).out)
        kept = [file.stat().st_size for file in (where / ".roce-audit-cache").iterdir()]
    print(f"cache {sum(kept) / 1e6:.1f} MB in {len(kept)} files; keeping costs {cold.cpu_s / alone.cpu_s - 1:+.0%}")
    print(f"two jobs: {alone.wall_s / pair.wall_s:.2f} times as fast by the clock")
    ratios = (("warm", warm, WARM), ("one changed", one, ONE_CHANGED))
    for name, ran, most in ratios:
        share, by_clock = ran.cpu_s / cold.cpu_s, ran.wall_s / cold.wall_s
        print(f"{name} / cold {share:.3f} (by the clock {by_clock:.3f}; at most {most:g})")
    print(f"outputs equal: {all(same)}")
    return int(not all(same) or any(ran.cpu_s > most * cold.cpu_s for _, ran, most in ratios))


def told(name: str, ran: Ran) -> Ran:
    """Print how long a run took."""
    print(f"{name:20} {ran.wall_s:7.1f} s by the clock, {ran.cpu_s:7.1f} s of processors")
    return ran


if __name__ == "__main__":
    arguments: Sequence[str] = sys.argv[1:]
    sys.exit(main(int(arguments[0]) if arguments else SWITCHES))
