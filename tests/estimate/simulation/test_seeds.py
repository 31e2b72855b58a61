"""Tables by simulation: workers, seeds, the command, and a machine without numba."""

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path

import pytest

from auditor.estimate.batch import check
from auditor.estimate.simulation.errors import MISSING_NUMBA
from auditor.estimate.simulation.machine_code import open_folder
from auditor.estimate.simulation.seeds import COLUMNS, SeedsResult, TableSimulator, find_range

Run = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.long  # workers import numba
TABLE = {
    "n_senders": ["4", "1000000", "4", "x"],
    "flow_bytes": ["200000", "1", "200000", "1"],
    "buffer_bytes": ["200000", "", "4000000", ""],
    "lossless_mask": ["0", "", "8", ""],
}


def answers(simulator: TableSimulator) -> list[list[str]]:
    return list(simulator.answers(check(TABLE, 4), 4))


def test_workers_give_the_answers_of_one_process() -> None:
    alone = answers(TableSimulator(2, 1))
    assert answers(TableSimulator(2, 2)) == alone
    overload, large, paused, wrong = (dict(zip((*COLUMNS, "error"), row, strict=True)) for row in alone)
    assert float(overload["loss_ratio_low"]) <= float(overload["loss_ratio"]) <= float(overload["loss_ratio_high"])
    assert (overload["any_loss"], paused["any_loss"], paused["victim_goodput_fraction"]) == ("1", "0", "1")
    assert large["error"] == "simulation: 1000000 senders, expected at most 4096"
    assert wrong["error"].startswith("n_senders: x, expected")


def test_rows_that_the_limit_cuts_are_counted() -> None:
    simulator = TableSimulator(1, 1, most_events=100)
    answers(simulator)
    assert simulator.cut_rows == 2


def test_progress_gets_each_result_and_their_number() -> None:
    seen: list[tuple[int, int]] = []

    def show(results: Iterable[SeedsResult], count: int) -> list[SeedsResult]:
        found = list(results)
        seen.append((len(found), count))
        return found

    answers(TableSimulator(1, 1, progress=show))
    assert seen == [(3, 3)]


def test_a_range_covers_its_seeds_and_stays_a_ratio() -> None:
    assert find_range([0.3]) == pytest.approx((0.295, 0.3, 0.305))
    low, mean, high = find_range([0.0, 0.0, 0.9])
    assert (low, high) == (0.0, 1.0)
    assert mean == pytest.approx(0.3)
    low, _, high = find_range([0.5] * 4)
    assert high - low == pytest.approx(0.01)


def test_the_command_simulates_a_table(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_text("name,n_senders,flow_bytes,buffer_bytes,lossless_mask\nburst,4,200000,200000,0\n")
    status, out, err = run("estimate", "--scenarios", source, "--simulate", "--seeds", 2, "--jobs", 1)
    [row] = csv.DictReader(StringIO(out))
    assert status == 0
    assert (row["name"], row["any_loss"], row["error"]) == ("burst", "1", "")
    assert "1 rows, 0 with an error" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--simulate"], "estimate: no link and no table; give --speed (for example 400G) or --scenarios FILE.csv"),
        (["--speed", "400G", "--plot"], "--plot: needs --simulate; add --simulate or remove --plot"),
        (["--speed", "400G", "--ranks", 8], "--ranks: needs --compare; add --compare or remove --ranks"),
        (["--scenarios", "-", "--compare"], "--scenarios: cannot be combined with options of one link; remove compare"),
        (["--scenarios", "-", "--measured", "a"], "--scenarios and --measured: give one of them"),
        (["--scenarios", "-", "--seeds", 3], "--seeds: needs --simulate; add --simulate or remove --seeds"),
        (["--scenarios", "-", "--jobs", 3], "--jobs: needs --simulate; add --simulate or remove --jobs"),
        (["--scenarios", "-", "--simulate", "--seeds", 1001], "--seeds: 1001, expected at most 1000"),
    ],
)
def test_options_that_do_not_fit_are_refused(run: Run, arguments: list[object], message: str) -> None:
    status, _, err = run("estimate", *arguments)
    assert status == 2
    assert message in err


def test_without_numba_the_command_says_how_to_install_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "table.csv"
    source.write_text("n_senders\n4\n")
    for name in [name for name in sys.modules if name.startswith("auditor.estimate.simulation.")]:
        if not name.endswith((".errors", ".seeds", ".run")):
            monkeypatch.delitem(sys.modules, name)
    from auditor.estimate import simulation  # noqa: PLC0415  its submodules are taken away for this test

    for name in ("machine_code", "loop"):
        monkeypatch.delattr(simulation, name, raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    status, out, err = run("estimate", "--scenarios", source, "--simulate")
    assert status == 2
    assert MISSING_NUMBA in err
    assert out == ""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_command_and_its_workers(tmp_path: Path, jobs: int) -> None:
    source = tmp_path / "long.csv"
    row = "64,400,1000000000,900000000,0,50\n"
    source.write_text(f"n_senders,link_gbps,flow_bytes,stop_ns,lossless_mask,rto_us\n{row}{row}")
    command = [
        sys.executable,
        "-m",
        "auditor.cli",
        "estimate",
        "--scenarios",
        str(source),
        "--simulate",
        "--jobs",
        str(jobs),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        time.sleep(4)
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 5
    assert process.returncode not in {0, 1}
    assert "Traceback" not in err
    assert "crashed" not in err


def test_a_folder_that_cannot_be_written_keeps_no_machine_code(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    assert not open_folder(environment)
    assert "NUMBA_CACHE_DIR" not in environment
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    assert open_folder(environment)
    assert environment["NUMBA_CACHE_DIR"].startswith(f"{tmp_path}/roce-audit/numba/")
    assert not open_folder({})


def test_nothing_else_imports_numba() -> None:
    code = (
        "import sys, auditor, auditor.cli.estimate, auditor.estimate.table, auditor.estimate.simulation.seeds\n"
        "assert 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
