"""What a whole run costs on fat trees: cold, warm, with one job and with two, beside reading and splitting the text.

    PYTHONPATH=tests/fabrics python tests/benchmarks/scale.py [--command ROCE-AUDIT ...] [NICS ...]

The trees are those of `fat_tree.py`, written to a folder, one file a device. Each line is one run of `check` as its
own process: processor seconds of it and its workers, seconds by the clock, and memory: of the largest process, and of
all together, where a page that several share counts once. `--command` may be repeated: another checkout, by its own
interpreter, runs on the same folder in turn.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter, process_time, sleep

from fat_tree import INTENT, plan_tree

SIZES = (1024, 8192)
OWN = str(Path(sys.executable).with_name("roce-audit"))


BETWEEN_S = 0.5
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
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start, together = perf_counter(), 0.0
    with TemporaryFile() as output:
        with subprocess.Popen(command, cwd=place, stdout=output, stderr=subprocess.DEVNULL, env=environment) as started:
            while started.poll() is None:
                together = max(together, sum(map(read_memory, list_processes(started.pid))))
                sleep(BETWEEN_S)
        lasted = perf_counter() - start
        output.seek(0)
        printed = sha256(output.read()).hexdigest()[:8]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(spent, lasted, after.ru_maxrss / 1000, together, printed)


def measure(commands: Sequence[str], folder: Path, scratch: Path) -> Iterator[str]:
    """Yield a line for each run on *folder*."""
    for number, command in enumerate(commands):
        place = scratch / str(number)
        place.mkdir()
        check = [command, "check", str(folder), "--format", "json"]
        yield f"  {command}"
        yield f"    cold, one job      {run([*check, '--no-cache', '--jobs', '1'], place)}"
        yield f"    cold, two jobs     {run([*check, '--no-cache', '--jobs', '2'], place)}"
        yield f"    fills the cache    {run(check, place)}"
        yield f"    warm               {run(check, place)}"


def main() -> None:
    """Print the runs of each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("nics", nargs="*", type=int, default=SIZES)
    parser.add_argument("--command", action="append", default=[])
    arguments = parser.parse_args()
    for nics in arguments.nics:
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            lines = write_tree(scratch / "dumps", nics)
            devices = sum(1 for _ in (scratch / "dumps").iterdir()) - 1
            plain = split_tree(scratch / "dumps")
            print(f"{nics} NICs, {devices} devices, {lines:,} lines; reading and splitting {plain:.2f} s")
            for line in measure(arguments.command or [OWN], scratch / "dumps", scratch):
                print(line, flush=True)


if __name__ == "__main__":
    main()
