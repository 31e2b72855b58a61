"""Fuzz every reader, archives, settings and redaction with mutants of the fixtures and of corpora.

    nice python tests/tools/fuzz.py                        30 minutes of CPU time, a new seed
    python tests/tools/fuzz.py --seconds 45 --seed 7       the mutants of a seed, for 45 s of CPU time
    python tests/tools/fuzz.py --only capture,dump         some targets alone
    python tests/tools/fuzz.py --repeat FILE               one stored case, with its traceback
    python tests/tools/fuzz.py --atheris dump              one target guided by coverage (needs `pip install atheris`)

A case fails with an undocumented exception, more than 10 s of CPU time, too much memory, a place that is in no file,
or an output that does not fit its schema. Each class of failures is kept once, made small, in the folder of `--keep`;
the command to repeat it is printed. The exit status is 1 where there is one.
"""

import argparse
import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "fuzz")]

from cage import MAX_CPU_S, Result, measure_cpu, run_cases, shrink  # noqa: E402  the path comes first
from case import Case, Fault, Hang  # noqa: E402  as above
from material import PLACES, Material, collect  # noqa: E402  as above
from targets import TARGETS, make_case, name_reader  # noqa: E402  as above

TRIES = {"traceback": 400, "broken": 400}
SLOWEST = 5


def main(arguments: Sequence[str]) -> int:
    """Run, print what was run and found; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1800.0, metavar="N")
    parser.add_argument("--seed", default=datetime.now(UTC).date().isoformat(), metavar="TEXT")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--only", default="", metavar="TARGET,…")
    parser.add_argument("--own", action="store_true", help="mutate the fixtures alone")
    parser.add_argument("--keep", default="/tmp/roce-audit-fuzz", metavar="DIR")  # noqa: S108  of the user's choice
    parser.add_argument("--repeat", metavar="FILE")
    parser.add_argument("--atheris", metavar="TARGET", choices=TARGETS)
    chosen, left = parser.parse_known_args(arguments)
    if chosen.repeat:
        return _repeat(Case.load(Path(chosen.repeat).read_text(encoding="utf-8")))
    if chosen.atheris:
        return _guide(chosen.atheris, left)
    if left:
        parser.error(f"unknown arguments {' '.join(left)}")
    material = collect(PLACES[:1] if chosen.own else PLACES)
    print(f"seed {chosen.seed}; {sum(map(len, material.dumps.values()))} dumps, {len(material.readers)} readers")
    return _fuzz(chosen, material, [name for name in chosen.only.split(",") if name])


def _fuzz(chosen: argparse.Namespace, material: Material, only: Sequence[str]) -> int:
    def make(number: int) -> tuple[Case, str]:
        case = make_case(chosen.seed, number, material, only)
        return case, name_reader(case)

    start = measure_cpu()
    _ = material.words, material.lines
    make(0)
    gc.collect()
    gc.freeze()
    began = time.monotonic()
    results: list[Result] = []
    faults: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in run_cases(make, chosen.first, chosen.seconds):
        results.append(result)
        if result.fault:
            if result.fault.identity not in faults:
                print(f"{result.number}: {result.reader}: {result.fault.kind}: {result.fault.place}", flush=True)
            faults[result.fault.identity].append(result)
    _print_counts(results, measure_cpu() - start, time.monotonic() - began)
    for number, found in enumerate(faults.values()):
        first = found[0]
        case, fault = make(first.number)[0], first.fault or Fault("", "")
        small = shrink(case, fault, TRIES.get(fault.kind, 12))
        _keep(Path(chosen.keep), number, small, fault, len(found))
    return 1 if faults else 0


def _print_counts(results: Sequence[Result], cpu_s: float, wall_s: float) -> None:
    by_reader: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_reader[result.reader].append(result)
    print(f"{'reader':32} {'mutants':>8} {'CPU s':>8} {'slowest s':>10} {'failures':>9}")
    for reader, own in sorted(by_reader.items()):
        cpu, slowest = sum(each.cpu_s for each in own), max(each.cpu_s for each in own)
        print(f"{reader:32} {len(own):8} {cpu:8.1f} {slowest:10.2f} {sum(bool(each.fault) for each in own):9}")
    slow = sorted(results, key=lambda each: -each.cpu_s)[:SLOWEST]
    print("slowest: " + ", ".join(f"{each.number} {each.reader} {each.cpu_s:.2f} s" for each in slow))
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    kinds = Counter(each.fault.kind for each in results if each.fault)
    told = ", ".join(f"{kind} {kinds[kind]}" for kind in ("traceback", "hang", "memory", "broken", "died"))
    print(
        f"{len(results)} mutants in {cpu_s / 60:.1f} CPU minutes ({wall_s / 60:.1f} min), {len(results) / cpu_s:.0f}/s"
    )
    print(f"failures: {told}; peak memory {peak:.0f} MiB")


def _keep(folder: Path, number: int, case: Case, fault: Fault, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(c if c.isalnum() else "-" for c in f"{fault.kind}-{fault.place}")[:80]
    path = folder / f"{number:02}-{name}.json"
    path.write_text(case.to_json(), encoding="utf-8")
    print(f"\n{count} x {fault.kind}: {fault.place}\n  {fault.detail}\n  python tests/tools/fuzz.py --repeat {path}")


def _repeat(case: Case) -> int:
    for name, data in case.files.items():
        print(f"== {name}\n{data[:4000]!r}")
    print(case.target, dict(case.told))
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, MAX_CPU_S)
    try:
        TARGETS[case.target].run(case)
    except (Exception, Hang):  # noqa: BLE001  it is shown
        traceback.print_exc()
        return 1
    print("nothing is wrong with it")
    return 0


def _stop(*_: object) -> None:
    raise Hang


def _guide(name: str, left: Sequence[str]) -> int:
    """Hand one target to atheris: the bytes replace the first file of a case."""
    atheris: Any = import_module("atheris")  # a tool that need not be there

    material = collect(PLACES)
    template = next(case for n in range(10_000) if (case := make_case("atheris", n, material, [name])).files)
    first = next(iter(template.files))

    def test(data: bytes) -> None:
        TARGETS[name].run(Case(name, {**template.files, first: data}, template.told))

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *left], test)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
