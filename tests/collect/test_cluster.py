"""Audits on a Dask cluster: a scheduler and workers on the loopback interface, each a process of its own."""

import shutil
import signal
import site
import subprocess
import sys
import threading
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
import pytest
from dask_programs import START_SECONDS, start_scheduler, start_worker, wait_until
from distributed import Security

from auditor.collect import cluster
from auditor.collect.cluster import Cluster
from auditor.engine.child import Bounds, NoAnswer, Task
from auditor.engine.shards import ShardPool

pytestmark = pytest.mark.waits

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
PARENT = "__import__('os').getppid()"
OF_WORKER = f"int(open('/proc/%d/stat' % {PARENT}).read().split()[3])"
"""The process of the worker, as a child of the program that it runs finds it."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a scheduler with two workers, which their nannies start again."""
    with start_scheduler(tmp_path_factory.mktemp("dask")) as found, start_worker(found), start_worker(found):
        with join(found) as joined:
            wait_until(lambda: joined.count_threads() == 2)
        yield found


@contextmanager
def join(address: str) -> Iterator[Cluster]:
    joined = Cluster(address, lambda _: None)
    try:
        yield joined
    finally:
        joined.close()


@contextmanager
def freeze_worker(address: str, joined: Cluster) -> Iterator[tuple[Callable[[], bool], Callable[[], None]]]:
    """Start a third worker that answers no more; yield what tells whether it has work, and what kills it."""
    before = {*joined._client.nthreads()}
    with start_worker(address, "--no-nanny") as process:
        wait_until(lambda: joined.count_threads() == 3)
        (name,) = joined._client.nthreads().keys() - before
        joined._client.submit(int, workers=[name], pure=False).result(timeout=START_SECONDS)  # it is registered first
        process.send_signal(signal.SIGSTOP)
        yield lambda: bool(joined._client.processing().get(name)), process.kill
    wait_until(lambda: joined.count_threads() == 2)


def test_a_cluster_reports_what_one_machine_reports(address: str, run: Run) -> None:
    local = run("check", FABRIC, "--format", "json")
    status, out, err = run("check", FABRIC, "--format", "json", "--cluster", address)
    assert (status, out) == local[:2]
    assert "no TLS: anyone on the network can read" in err


def test_workers_read_the_files_of_a_url(address: str, run: Run) -> None:
    local = run("check", f"file://{FABRIC}", "--format", "json")
    assert run("check", f"file://{FABRIC}", "--format", "json", "--cluster", address)[:2] == local[:2]


def test_the_work_of_a_worker_that_dies_runs_on_another(address: str, run: Run) -> None:
    with join(address) as joined, freeze_worker(address, joined) as (has_work, kill):

        def kill_at_work() -> None:
            wait_until(has_work)
            kill()

        thread = threading.Thread(target=kill_at_work)
        thread.start()
        status, out, err = run("check", FABRIC, "--format", "json", "--cluster", address)
        thread.join()
    assert (status, out) == run("check", FABRIC, "--format", "json")[:2]
    assert "has left; its work runs elsewhere" in err


def test_an_item_that_kills_each_worker_costs_no_other_its_answer(address: str) -> None:
    kill = "__import__('os').kill"
    things = ["1", f"{kill}({OF_WORKER}, 9)", "2", f"{kill}({PARENT}, 9)", "3"]
    with join(address) as joined, ShardPool(joined, Task(eval, things, NoAnswer), Bounds(5, 256)) as pool:
        found = dict(pool.answer_all())
        wait_until(lambda: joined.count_threads() == 2)
    lost = {index: answer.why for index, answer in found.items() if isinstance(answer, NoAnswer)}
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert sorted(lost) == [1, 3]
    assert lost[1].startswith("crash: 2 workers died of it, the last is tcp://127.0.0.1:")
    assert lost[3] == "crash: SIGKILL"


def test_an_item_has_the_bounds_that_it_has_on_one_machine(address: str) -> None:
    things = ["max(iter(int, 1))", "len(bytes(2**30))", "4"]
    with join(address) as joined, ShardPool(joined, Task(eval, things, NoAnswer), Bounds(1, 256)) as pool:
        found = dict(pool.answer_all())
    whys = [answer.why if isinstance(answer, NoAnswer) else "" for _, answer in sorted(found.items())]
    assert whys == ["more than 1 s of processor time", "more than 256 MB of memory", ""]


def test_an_interrupt_ends_the_run_and_takes_its_work_from_the_cluster(address: str) -> None:
    with join(address) as joined, freeze_worker(address, joined) as (has_work, _):
        command = [sys.executable, "-m", "auditor.cli", "check", str(FABRIC), "--no-cache", "--cluster", address]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_until(has_work)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=START_SECONDS)
        wait_until(lambda: not has_work())
    assert process.returncode == 130
    assert err.endswith(b"roce-audit: interrupted\n")


def test_a_worker_of_another_build_is_refused_by_name(address: str, tmp_path: Path, run: Run) -> None:
    shutil.copytree(ROOT / "auditor", tmp_path / "old" / "auditor", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "rules", tmp_path / "old" / "auditor" / "rules")
    with (tmp_path / "old" / "auditor" / "site.py").open("a") as file:
        file.write("# another build\n")
    venv.create(tmp_path / "venv")
    (own,) = (tmp_path / "venv" / "lib").glob("*/site-packages")
    (own / "packages.pth").write_text("\n".join([str(tmp_path / "old"), *site.getsitepackages()]))
    with join(address) as joined, start_worker(address, "--no-nanny", python=tmp_path / "venv" / "bin" / "python"):
        wait_until(lambda: joined.count_threads() == 3)
        status, _, err = run("check", FABRIC, "--cluster", address)
    assert status == 2
    assert "roce-audit: worker tcp://127.0.0.1:" in err
    assert "install the same version and packages on both" in err


def test_no_scheduler_is_one_line_within_a_bounded_time(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    status, _, err = run("check", FABRIC, "--cluster", "tcp://127.0.0.1:1")
    assert status == 2
    (last,) = err.splitlines()[1:]
    assert last.startswith("roce-audit: --cluster tcp://127.0.0.1:1: cannot reach the scheduler: Timed out")


def test_tls_gives_no_warning_and_no_worker_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(cluster, "NO_WORKER_SECONDS", 1)
    made = Security.temporary()
    files = {name: tmp_path / f"{name}.pem" for name in ("ca", "cert", "key")}
    for file, content in zip(
        files.values(), (made.tls_ca_file, made.tls_client_cert, made.tls_client_key), strict=True
    ):
        file.write_text(content)
    own = {
        "distributed.comm.tls.ca-file": str(files["ca"]),
        "distributed.comm.tls.client.cert": str(files["cert"]),
        "distributed.comm.tls.client.key": str(files["key"]),
    }
    tls = ("--tls-ca-file", files["ca"], "--tls-cert", files["cert"], "--tls-key", files["key"], "--protocol", "tls")
    with start_scheduler(tmp_path, *tls) as address, dask.config.set(own):
        status, _, err = run("check", FABRIC, "--cluster", address)
    assert address.startswith("tls://")
    assert (status, err) == (
        2,
        f"roce-audit: --cluster {address}: no worker for 1 s; start workers for this scheduler\n",
    )
