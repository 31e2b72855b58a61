"""What a whole run costs on fat trees: cold, warm, with one job and with two, beside reading and splitting the text.

    PYTHONPATH=tests/fabrics python tests/benchmarks/scale.py [--command ROCE-AUDIT ...] [NICS ...]

The trees are those of `fat_tree.py`, written to a folder, one file a device. Each line is one run of `check` as its
own process: processor seconds of it and its workers, seconds by the clock, and the largest process. `--command` may be
repeated: another checkout, by its own interpreter, runs on the same folder in turn.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from fat_tree import INTENT, NICS, wiring

SIZES = (1024, 8192)
OWN = str(Path(sys.executable).with_name("roce-audit"))


@dataclass(frozen=True, slots=True)
class Run:
    """What one process cost: processor seconds, seconds by the clock, and megabytes of the largest process."""

    spent: float
    lasted: float
    megabytes: float

    def __str__(self) -> str:
        """Return the costs as text."""
        return f"{self.spent:7.1f} s of CPU {self.lasted:7.1f} s by the clock {self.megabytes:6.0f} MB"


def write_tree(folder: Path, nics: int) -> int:
    """Write the dumps of a tree and its intent; return the number of lines."""
    folder.mkdir()
    (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    count = 0
    for each in wiring(nics // NICS, broken=False):
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


def run(command: Sequence[str], environment: dict[str, str]) -> Run:
    """Return what *command* cost."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)
    lasted = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(spent, lasted, after.ru_maxrss / 1000)


def measure(commands: Sequence[str], folder: Path, scratch: Path) -> Iterator[str]:
    """Yield a line for each run on *folder*."""
    for number, command in enumerate(commands):
        environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / f"cache{number}"), "HOME": str(scratch)}
        check = [command, "check", str(folder), "--format", "json"]
        yield f"  {command}"
        yield f"    cold, one job      {run([*check, '--no-cache', '--jobs', '1'], environment)}"
        yield f"    cold, two jobs     {run([*check, '--no-cache', '--jobs', '2'], environment)}"
        yield f"    fills the cache    {run(check, environment)}"
        yield f"    warm               {run(check, environment)}"


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
