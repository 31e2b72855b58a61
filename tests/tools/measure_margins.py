"""Hold the intervals of the closed forms against the reference simulation, cause by cause, on both halves of its rows.

    python tests/tools/measure_margins.py SCENARIOS.csv TRUTH.csv

The margins of `auditor/estimate/margin.py` were settled on half A; half B tests them. Prints how many intervals hold
the truth, and the 80th percentile of their widths.
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from auditor.estimate import incast
from auditor.estimate.batch import check, estimate_all
from auditor.estimate.burst import BufferLimits
from auditor.estimate.margin import IncastOutcome, ScenarioBand, goodput_causes, loss_causes, loss_interval
from auditor.estimate.scenario import Scenarios

Flags = NDArray[np.bool_]
FIRST_REACTION = ("headroom_first_burst", "lossy_burst_window")
SEED = 23
ALL_AT_ONCE = 10**7
Causes = Callable[..., list[tuple[Flags, str]]]


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_numbers(rows: Sequence[dict[str, str]], column: str) -> NDArray[np.float64]:
    """Return a column of the truth, not a number where a cell is empty."""
    return np.array([float(row[column] or "nan") for row in rows])


def describe(name: str, truth: NDArray[np.float64], band: ScenarioBand, wanted: Flags) -> str:
    """Return one line: rows, part of the intervals that hold the truth, and the 80th percentile of their widths."""
    count = int(wanted.sum())
    if not count:
        return f"{name:28} n     0"
    holds = (truth >= band.low - 1e-9) & (truth <= band.high + 1e-9)
    width = float(np.quantile((band.high - band.low)[wanted], 0.8))
    return f"{name:28} n {count:5d}  holds {holds[wanted].mean():.3f}  80th width {width:.3f}"


def list_lines(truth_rows: Sequence[dict[str, str]], scenario_rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Yield the lines of both quantities."""
    table = {name: [row[name] for row in scenario_rows] for name in scenario_rows[0]}
    checked = check(table, len(scenario_rows))
    seen: list[IncastOutcome] = []

    def keep(s: Scenarios, limit: BufferLimits, outcome: IncastOutcome) -> ScenarioBand:
        seen.append(outcome)
        return loss_interval(s, limit, outcome)

    with patch.object(incast, "loss_interval", keep):
        found = estimate_all(checked.scenarios, ALL_AT_ONCE)
    group = np.array([truth_rows[row]["group"] for row in checked.rows])
    rows = [truth_rows[row] for row in checked.rows]
    random: Flags = np.char.startswith(group, "random")
    half_a: Flags = np.random.default_rng(SEED).random(len(rows)) < 0.5
    whole: Flags = ~np.isin(group, FIRST_REACTION)
    loss = np.nan_to_num(read_numbers(rows, "loss_rate_tx"))
    goodput = np.minimum(1.0, read_numbers(rows, "agg_goodput_frac"))
    measured: tuple[tuple[str, NDArray[np.float64], ScenarioBand, Causes, Flags], ...] = (
        ("loss", loss, found.loss, loss_causes, whole & (loss > 0)),
        ("goodput", goodput, found.goodput, goodput_causes, whole & ~np.isnan(goodput)),
    )
    for name, truth, band, find_causes, wanted in measured:
        halves = (("A", half_a), ("B", ~half_a))
        for half, mine in halves:
            yield describe(f"{name} half {half}", truth, band, wanted & mine)
            yield describe(f"{name} half {half}, random", truth, band, wanted & mine & random)
        causes = find_causes(checked.scenarios, found.limits, seen[0])
        decided = np.select([flags for flags, _ in causes], [cause for _, cause in causes], "none")
        for cause in dict.fromkeys(cause for _, cause in causes):
            for half, mine in halves:
                yield describe(f"  {cause}, half {half}", truth, band, wanted & mine & (decided == cause))


def main(arguments: Sequence[str]) -> int:
    """Print the lines; return 2 without both files."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    scenario_rows, truth_rows = (read_rows(Path(name)) for name in arguments)
    for line in list_lines(truth_rows, scenario_rows):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
