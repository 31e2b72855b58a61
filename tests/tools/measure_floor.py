"""Hold the simulation against the reference, and against itself with another random start, on the same rows.

    measure_floor.py SCENARIOS.csv TRUTH.csv [--rows N] [--seeds N]

No model can be nearer to one run of the reference than that run is to itself with another seed. The reference has few
rows with several seeds, so the simulation stands in for it: the mean of its first seeds beside its last one. Where the
simulation is nearer to the reference than to itself, distrust the figure.
"""

import argparse
import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from auditor.estimate.batch import check
from auditor.estimate.simulation.run import MOST_EVENTS, Outcome
from auditor.estimate.simulation.seeds import SeedsTask, run_all

FIRST_REACTION = ("headroom_first_burst", "lossy_burst_window")
Values = tuple[float, float, float]
MEASURES = (("loss within 0.08", 0.08), ("paused within 0.05", 0.05), ("goodput within 0.10", 0.10))


def measure(outcome: Outcome) -> Values:
    """Return loss, paused fraction and goodput of a run."""
    return outcome.loss_ratio, outcome.paused_fraction, min(1.0, outcome.goodput_fraction)


def read_truth(row: Mapping[str, str]) -> Values:
    """Return loss, paused fraction and goodput of a run of the reference."""
    loss, paused, goodput = (
        float(row[name] or "nan") for name in ("loss_rate_tx", "sender_pause_frac_mean", "agg_goodput_frac")
    )
    return loss, paused, min(1.0, goodput)


def count_near(pairs: Sequence[tuple[Values, Values]]) -> str:
    """Return for each measure how many pairs (mean, single run) are near, of those where the single run has any."""
    shares = []
    for number, (name, most) in enumerate(MEASURES):
        known = [(a[number], b[number]) for a, b in pairs if b[number] > 0 and not math.isnan(b[number])]
        near = fmean(abs(mean - single) <= most for mean, single in known) if known else math.nan
        shares.append(f"{name} {near:.3f} of {len(known)}")
    return ", ".join(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenarios", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=4)
    arguments = parser.parse_args()
    rows = list(csv.DictReader(arguments.scenarios.open(encoding="utf-8")))
    truth = list(csv.DictReader(arguments.truth.open(encoding="utf-8")))
    checked = check({name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    whole = [at for at, row in enumerate(checked.rows) if truth[row]["group"] not in FIRST_REACTION]
    chosen = sorted(np.random.default_rng(23).permutation(whole)[: arguments.rows].tolist())
    seeds = range(1, arguments.seeds + 2)
    tasks = [SeedsTask(checked.scenarios.take(np.array([at])), seeds, MOST_EVENTS) for at in chosen]
    reference, itself = [], []
    for at, result in zip(chosen, run_all(tasks, 2), strict=True):
        *first, last = [measure(outcome) for outcome in result.outcomes]
        columns = list(zip(*first, strict=True))
        mean = (fmean(columns[0]), fmean(columns[1]), fmean(columns[2]))
        reference.append((mean, read_truth(truth[checked.rows[at]])))
        itself.append((mean, last))
    print(f"{len(chosen)} rows, mean of {arguments.seeds} seeds")
    print(f"beside the reference: {count_near(reference)}")
    print(f"beside itself:        {count_near(itself)}")


if __name__ == "__main__":
    main()
