"""What a run on the same dumps costs, beside the first one, and beside one after a change of one device.

    PYTHONPATH=tests/fabrics:tests/benchmarks python tests/benchmarks/warm.py [DEVICES]

The dumps are those of a fat tree (`fat_tree.py`): of each nine devices seven are servers, one is a leaf and one a
spine. Each run is a process of its own; seconds are those of processor time, of its children too. Reports of the runs
on the same dumps are compared byte by byte.
"""

import os
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from fat_tree import INTENT, NICS, plan_tree

DEVICES = 578
OF_EACH = 9
ROUNDS = 5


def write_fleet(folder: Path, count: int) -> None:
    """Write the dumps of *count* devices."""
    switches = count // OF_EACH
    left = Counter({"leaf": switches, "spine": switches, "gpu": count - 2 * switches})
    for each in plan_tree((count // NICS + 4) * NICS).devices(broken=True):
        if left[each.kind]:
            left[each.kind] -= 1
            (folder / f"{each.name}.txt").write_text(each.text(), encoding="utf-8")
    (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")


def run(folder: Path) -> tuple[float, bytes]:
    """Return the seconds of an audit, and its report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "auditor.cli", "check", str(folder), "--format", "json"]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main() -> int:
    """Print the seconds; 1 where a report is another."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEVICES
    with TemporaryDirectory() as name:
        folder = Path(name, "dumps")
        folder.mkdir()
        os.environ["XDG_STATE_HOME"] = str(Path(name, "state"))
        os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
        write_fleet(folder, count)
        cold, report = run(folder)
        warm = [run(folder) for _ in range(ROUNDS)]
        leaf = min(folder.glob("leaf*"))
        leaf.write_text(leaf.read_text(encoding="utf-8").replace("mtu 9216", "mtu 9214"), encoding="utf-8")
        changed, _ = run(folder)
        size = sum(path.stat().st_size for path in (folder.parent / ".roce-audit-cache").iterdir())
    best = min(seconds for seconds, _ in warm)
    print(f"{count} devices: cold {cold:.1f} s, warm {best:.2f} s, one device changed {changed:.1f} s; ", end="")
    print(f"cache {size / 2**20:.0f} MiB")
    return int(any(each != report for _, each in warm))


if __name__ == "__main__":
    sys.exit(main())
