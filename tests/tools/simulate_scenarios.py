"""Simulate the scenarios of a table and print what that costs, beside the seconds of the reference simulation.

    simulate_scenarios.py SCENARIOS.csv OUT.csv [--seeds N] [--jobs N] [--truth TRUTH.csv] [--half A|B]

OUT.csv has the columns of `roce-audit estimate --simulate`. A half takes the rows whose scenario_id in the truth hashes
to an even (A) or odd (B) number: change mechanisms while you look at A, and report B.
"""

import argparse
import csv
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, quantiles
from zlib import crc32

import numpy as np

from auditor.estimate.batch import ERROR, RESULTS, check, lay_out
from auditor.estimate.simulation.run import MOST_EVENTS
from auditor.estimate.simulation.seeds import SeedsResult, SeedsTask, run_seeds, summarise


def run_one(task: SeedsTask) -> tuple[SeedsResult, float]:
    """Return the outcomes of one scenario and the seconds of processor time for each seed."""
    began = time.process_time()
    result = run_seeds(task)
    return result, (time.process_time() - began) / len(task.seeds)


def is_in_half(scenario_id: str, half: str) -> bool:
    """Return whether a scenario is in the half, A or B; every scenario is in the half of no name."""
    return not half or crc32(scenario_id.encode()) % 2 == (half == "B")


def print_costs(costs: Sequence[float], walls: Sequence[float]) -> None:
    """Print the processor time for each seed, and how it compares."""
    shown = quantiles(costs, n=100)
    print(f"ms a seed: mean {fmean(costs) * 1e3:.1f}, 50 % {shown[49] * 1e3:.1f}, 99 % {shown[98] * 1e3:.1f}, ", end="")
    print(f"most {max(costs) * 1e3:.1f}")
    if walls:
        ratio = sorted(wall / cost for wall, cost in zip(walls, costs, strict=True))
        print(f"faster than the reference: in all {sum(walls) / sum(costs):.1f}x, median {ratio[len(ratio) // 2]:.1f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenarios", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--half", choices=("A", "B"), default="")
    arguments = parser.parse_args()
    rows = list(csv.DictReader(arguments.scenarios.open(encoding="utf-8")))
    truth = list(csv.DictReader(arguments.truth.open(encoding="utf-8"))) if arguments.truth else []
    checked = check({name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    at = [i for i, row in enumerate(checked.rows) if not truth or is_in_half(truth[row]["scenario_id"], arguments.half)]
    seeds = range(1, arguments.seeds + 1)
    tasks = [SeedsTask(checked.scenarios.take(np.array([i])), seeds, MOST_EVENTS) for i in at]
    run_one(tasks[0])  # compiles for all workers
    with ProcessPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(run_one, tasks, chunksize=8))
    mine = [checked.rows[i] for i in at]
    values = {row: summarise(found.outcomes) for row, (found, _) in zip(mine, results, strict=True) if found.outcomes}
    errors = dict(checked.errors) | {row: found.error for row, (found, _) in zip(mine, results, strict=True)}
    lines = list(lay_out(values, errors, len(rows)))
    with arguments.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["row", *RESULTS, ERROR])
        writer.writerows([row, *lines[row]] for row in mine)
    events = sum(outcome.events for found, _ in results for outcome in found.outcomes)
    spent = sum(cost * len(found.outcomes) for found, cost in results)
    print(f"{events / spent / 1e6:.1f} million events a second of processor time")
    print_costs([cost for _, cost in results], [float(truth[row]["wall_s"]) for row in mine] if truth else [])


if __name__ == "__main__":
    main()
