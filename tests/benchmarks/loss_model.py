"""How good and how fast the loss model is: every figure that it is held to, in one run.

    python tests/benchmarks/loss_model.py

Where the packet-level simulation lies beside the checkout (../shared/sim), its scorer judges the batch over its
scenarios, and the least lossless headroom and the published numbers (../shared/reference) are held to their tolerance.
Speed is measured anywhere: links drawn at random, none like another, on one core.
"""

import csv
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from auditor.estimate.batch import check, estimate_all
from auditor.estimate.burst import reaction_need
from auditor.estimate.scenario import Scenarios, scenarios

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
SIM = SHARED / "sim"
LINKS = 100_000
ROUNDS = 5
GIGABIT = 1e9 / 8


def links(count: int) -> Scenarios:
    """Return incasts drawn over what fabrics have, half of them with DCQCN, a third without working pauses."""
    chance = np.random.default_rng(1)
    kmin = chance.uniform(50e3, 2e6, count)
    return scenarios(
        count,
        {
            "senders": chance.integers(2, 65, count),
            "rate": chance.choice([25, 100, 200, 400, 800], count) * GIGABIT,
            "delay": chance.uniform(5e-9, 1.5e-6, count),
            "response": chance.uniform(0.3e-6, 2e-6, count),
            "payload": chance.choice([1024, 4096], count),
            "message": chance.uniform(1e5, 2e7, count),
            "victim_message": chance.choice([0, 1e6], count),
            "horizon": 0.1,
            "buffer": chance.uniform(12e6, 160e6, count),
            "headroom": chance.uniform(0, 2e5, count),
            "alpha": 2.0 ** chance.integers(-4, 4, count),
            "lossless": chance.random(count) < 0.8,
            "ignoring": chance.random(count) < 0.1,
            "marking": chance.random(count) < 0.6,
            "reacting": chance.random(count) < 0.8,
            "kmin": kmin,
            "kmax": 4 * kmin,
            "pmax": chance.uniform(0.01, 1, count),
            "timeout": 67e-3,
            "marks_out_of_order": True,
        },
    )


def seconds(work: Callable[[], object]) -> float:
    """Return the median time of some rounds after one that is left out."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return statistics.median(times)


def speed() -> None:
    """Print how long links take, together and in one process each, and how cost grows."""
    drawn = links(LINKS)
    whole = seconds(lambda: estimate_all(drawn))
    half = seconds(lambda: estimate_all(drawn.take(slice(0, LINKS // 2))))
    print(f"{LINKS:,} links, none alike: {whole:.2f} s (limit 1); half as many: {whole / half:.2f} times as fast")
    command = [sys.executable, "-m", "auditor.cli", "estimate", "--speed", "400", "--incast", "8"]
    one = seconds(lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT))
    print(f"one link, a process of its own: {one:.2f} s (limit 0.5)")


def simulated() -> None:
    """Print the scorer's verdict on the batch, and how much faster it is than the simulation."""
    with (SIM / "scenarios.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    checked = check({name: [row[name] for row in rows] for name in rows[0]}, len(rows))
    spent = seconds(lambda: estimate_all(checked.scenarios))
    with (SIM / "ns3.csv").open(encoding="utf-8") as table:
        simulation = sum(float(row["wall_s"]) for row in csv.DictReader(table))
    print(f"{len(rows):,} scenarios: {spent * 1e3:.0f} ms, the simulator took {simulation / spent:,.0f} times as long")
    with TemporaryDirectory() as folder:
        out = f"{folder}/out.csv"
        batch = ["estimate", "--scenarios", str(SIM / "scenarios.csv"), "--output", out]
        subprocess.run([sys.executable, "-m", "auditor.cli", *batch], check=True, cwd=ROOT)
        subprocess.run([sys.executable, str(SIM / "score.py"), out], check=False)


def bisections() -> tuple[Scenarios, Callable[[str], np.ndarray]]:
    """Return the incasts whose least lossless headroom the simulation found by bisection, and their columns."""
    with (SIM / "headroom_min.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))

    def column(name: str) -> np.ndarray:
        return np.array([float(row[name]) for row in rows])

    incasts = scenarios(
        len(rows),
        {
            "senders": column("n_senders"),
            "rate": column("link_gbps") * GIGABIT,
            "delay": column("prop_delay_ns") * 1e-9,
            "payload": column("payload_bytes"),
        },
    )
    return incasts, column


def least_headroom() -> None:
    """Print how often the least lossless headroom is met within a tenth or one packet."""
    incasts, column = bisections()
    measured = column("headroom_min_lossless_bytes")
    met = np.abs(reaction_need(incasts, incasts.rate) - measured) <= np.maximum(0.1 * measured, incasts.packet)
    print(f"least lossless headroom within a tenth or a packet: {np.mean(met):.3f} of {len(incasts)} (at least 0.90)")


def published() -> None:
    """Print how many published numbers are reproduced."""
    tests = [f"tests/estimate/{name}.py" for name in ("test_validation", "test_validation_dcqcn")]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *tests], check=False, capture_output=True, text=True, cwd=ROOT
    )
    print(f"reference/validation.csv, a test a row: {run.stdout.strip().splitlines()[-1]}")


def main() -> None:
    """Print every figure."""
    speed()
    if SIM.is_dir():
        simulated()
        least_headroom()
        published()
    else:
        print("no simulation beside this checkout: accuracy is not judged")


if __name__ == "__main__":
    main()
