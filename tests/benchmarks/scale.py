"""What scale costs: a line of each system, a host, a switch, a link, and whole runs on fat trees.

    PYTHONPATH=tests/fabrics:tests/collect python tests/benchmarks/scale.py [--beside PYTHON] [NICS ...]

First the benchmarks of single parts, each in a process of its own: `lines.py`, `hosts.py`, `audit_nxos.py`, and
`fat_tree.py` with 98,304 links. Then whole runs. The trees are those of `fat_tree.py`, written to a folder, one file a
device. Each line is one run of `check` as its own process: processor seconds of it and its workers, seconds by the
clock, and memory: of the largest process, and of all together, where a page that several share counts once. Cold runs
have one job, two, and two workers of a Dask cluster on the loopback interface, whose own seconds and memory do not
count. What is printed has a digest, equal where the output is.

`--beside` may be repeated: the interpreter of another environment, in which another checkout is installed, does the
same in turn. `--only-runs` leaves the parts out.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter, process_time, sleep

from dask_programs import start_scheduler, start_worker
from fat_tree import INTENT, plan_tree

SIZES = (1024, 8192, 32768)
PARTS: tuple[tuple[str, ...], ...] = (
    ("lines.py",),
    ("hosts.py", "300"),
    ("audit_nxos.py",),
    ("fat_tree.py", "--copies", "32768"),
)
"""The benchmarks of single parts, with their arguments."""

BETWEEN_S = 0.2
"""Seconds between two looks at the memory."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run cost: processor seconds, seconds by the clock, and megabytes, and a digest of what it printed."""

    spent: float
    lasted: float
    largest: float
    together: float
    printed: str

    def __str__(self) -> str:
        """Return the costs as text."""
        memory = f"{self.largest:6.0f} MB, together {self.together:6.0f} MB"
        return f"{self.spent:7.1f} s of CPU {self.lasted:7.1f} s by the clock {memory}; printed {self.printed}"


def write_tree(folder: Path, nics: int) -> int:
    """Write the dumps of a tree and its intent; return the number of lines."""
    folder.mkdir()
    (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    count = 0
    for each in plan_tree(nics).devices():
        text = each.text()
        (folder / f"{each.name}.txt").write_text(text, encoding="utf-8")
        count += text.count("\n")
    return count


def split_tree(folder: Path) -> float:
    """Return the processor seconds that reading and splitting all files takes."""
    start = process_time()
    for path in sorted(folder.iterdir()):
        for line in path.read_bytes().decode().split("\n"):
            line.split()
    return process_time() - start


def list_processes(parent: int) -> list[int]:
    """Return *parent* and its children."""
    try:
        told = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [parent, *map(int, told.split())]


def read_memory(process: int) -> float:
    """Return the megabytes of a process, its share of pages that others have too; 0 for one that has ended."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1000 for line in told.splitlines() if line.startswith("Pss:")), 0)


def run(command: Sequence[str], place: Path) -> Run:
    """Return what *command* cost in the folder *place*, where its cache is."""
    environment = {**os.environ, "XDG_STATE_HOME": str(place), "HOME": str(place)}
    start, together = perf_counter(), 0.0
    with TemporaryFile() as output:
        started = subprocess.Popen(command, cwd=place, stdout=output, stderr=subprocess.DEVNULL, env=environment)
        while not (ended := os.wait4(started.pid, os.WNOHANG))[0]:
            together = max(together, sum(map(read_memory, list_processes(started.pid))))
            sleep(BETWEEN_S)
        lasted = perf_counter() - start
        _, status, used = ended
        started.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = sha256(output.read()).hexdigest()[:8]
    return Run(used.ru_utime + used.ru_stime, lasted, used.ru_maxrss / 1000, together, printed)


def measure(python: str, folder: Path, place: Path, cluster: str) -> Iterator[str]:
    """Yield a line for each run of *python* on *folder*, some on the *cluster* at this address."""
    place.mkdir()
    check = [python, "-m", "auditor.cli", "check", str(folder), "--format", "json"]
    for name, options in (
        ("cold, one job", ("--no-cache", "--jobs", "1")),
        ("cold, two jobs", ("--no-cache", "--jobs", "2")),
        ("cold, two Dask workers", ("--no-cache", "--cluster", cluster)),
        ("fills the cache", ()),
        ("warm", ()),
    ):
        yield f"    {name:23}{run([*check, *options], place)}"


@contextmanager
def start_cluster(python: str, folder: Path) -> Iterator[str]:
    """Start a scheduler and two workers of *python*; yield the address."""
    folder.mkdir()
    with (
        start_scheduler(folder) as address,
        start_worker(address, python=python),
        start_worker(address, python=python),
    ):
        yield address


def print_parts(pythons: Sequence[str]) -> None:
    """Print what each benchmark of a part prints, by each of *pythons* in turn."""
    folder = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": str(folder.parent / "fabrics")}
    for name, *arguments in PARTS:
        for python in pythons:
            print(f"{name} {' '.join(arguments)} ({python})", flush=True)
            command = [python, str(folder / name), *arguments]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            told = done.stdout if done.returncode == 0 else f"failed: {done.stderr[-500:]}"
            print("".join(f"  {line}\n" for line in told.splitlines()), flush=True)


def print_runs(pythons: Sequence[str], nics: int) -> None:
    """Print the runs of each of *pythons* on a tree."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folder = scratch / "dumps"
        lines = write_tree(folder, nics)
        devices = sum(1 for _ in folder.iterdir()) - 1
        plain = split_tree(folder)
        print(f"{nics} NICs, {devices} devices, {lines:,} lines; reading and splitting {plain:.2f} s", flush=True)
        for number, python in enumerate(pythons):
            print(f"  {python}", flush=True)
            with start_cluster(python, scratch / f"dask{number}") as cluster:
                for line in measure(python, folder, scratch / str(number), cluster):
                    print(line, flush=True)


def main() -> None:
    """Print the parts, and the runs of each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("nics", nargs="*", type=int, default=SIZES)
    parser.add_argument("--beside", action="append", default=[])
    parser.add_argument("--only-runs", action="store_true")
    arguments = parser.parse_args()
    pythons = [sys.executable, *arguments.beside]
    if not arguments.only_runs:
        print_parts(pythons)
    for nics in arguments.nics:
        print_runs(pythons, nics)


if __name__ == "__main__":
    main()
