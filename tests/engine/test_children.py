"""A device that crashes, hangs or eats memory is reported, and every other device is audited."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

import auditor
from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule, load_rules
from auditor.engine import check, child, load
from auditor.engine.child import Bounds, NoAnswer, Task
from auditor.engine.pool import Pool
from auditor.inputs.detection import FileIdentity, identify_captures
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import Ballot
from auditor.systems import systems

pytestmark = pytest.mark.children

Run = Callable[..., tuple[int, str, str]]
Act = Callable[[Any], Any]
GOOD = "hostname {}\ninterface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\n"
OPTIONS = auditor.Options(device_seconds=1, device_memory=512)
OWN = Path(__file__).name
MANY = 120
"""Items that several children share from the start."""


def recurse(thing: object) -> NoReturn:
    recurse(thing)


def spin(_: object) -> NoReturn:
    while True:
        pass


def hold_the_lock(_: object) -> object:
    """Hang in one call of a library: no signal handler of Python would run."""
    return re.match(r"(a|a)*\Z", "a" * 64 + "b")


def eat(_: object) -> NoReturn:
    held: list[bytes] = []
    while True:
        held.append(bytes(2**22))


def kill_itself(number: int) -> Act:
    return lambda _: os.kill(os.getpid(), number)


def flood(unit: DeviceUnit) -> load.DeviceReading:
    device = systems()[unit.os].parse(unit.name, unit.source, unit.captures)
    return load.DeviceReading(device, Ballot(), (Problem("x" * 2**26, None, ""),))


FATES: dict[str, tuple[Act, str]] = {
    "recursion": (recurse, f"crash: RecursionError in {OWN}, line "),
    "error": (int, "crash: TypeError in "),
    "exit": (lambda _: sys.exit(3), f"crash: SystemExit in {OWN}, line "),
    "loop": (spin, "more than 0.5 s of processor time"),
    "loop in C": (hold_the_lock, "more than 0.5 s of processor time"),
    "memory": (eat, "more than 512 MB of memory"),
    "SIGKILL": (kill_itself(signal.SIGKILL), "crash: SIGKILL"),
    "SIGSEGV": (kill_itself(signal.SIGSEGV), "crash: SIGSEGV"),
    "end": (lambda _: os._exit(7), "crash: exit status 7"),
    "output": (flood, "more than 32 MB of results"),
}
STEPS = {
    "auditor.inputs.detection.identify_file": "identifying the file",
    "auditor.engine.load.read_device": "parsing the device",
    "auditor.engine.check.check_device": "checking the device",
}
OTHERS = ("auditor.inputs.detection.identify_file", "auditor.engine.check.check_device")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with nine devices; `strike` makes the fifth hostile."""
    monkeypatch.chdir(tmp_path)
    for number in range(9):
        (tmp_path / f"leaf{number}.cfg").write_text(GOOD.format(f"leaf{number}"))
    return tmp_path


def strike(monkeypatch: pytest.MonkeyPatch, target: str, act: Act) -> None:
    """Let the step *target* do *act* to the fifth device."""
    module, _, name = target.rpartition(".")
    normal = getattr(sys.modules[module], name)

    def strike_or_not(thing: Any, *rest: Any, **others: Any) -> Any:  # noqa: ANN401  any step
        return act(thing) if "leaf4" in repr(thing)[:500] else normal(thing, *rest, **others)

    monkeypatch.setattr(target, strike_or_not)


@pytest.mark.parametrize(
    ("step", "fate"),
    [("auditor.engine.load.read_device", fate) for fate in FATES] + [(step, "error") for step in OTHERS],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_device_costs_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, fate: str, jobs: int
) -> None:
    right = auditor.audit(folder)
    act, why = FATES[fate]
    monkeypatch.setattr(child, "WALL_FACTOR", 100)  # other tests share the machine
    strike(monkeypatch, step, act)
    seconds = 10 if fate == "output" else 0.5  # a slow machine needs half a second for so much output
    options = auditor.Options(device_seconds=seconds, device_memory=512, jobs=jobs)
    report = auditor.audit(folder, options)
    ((place, message),) = [(problem.file, problem.message) for problem in report.problems]
    assert place == str(folder / "leaf4.cfg")
    assert message.startswith(f"not audited: {STEPS[step]}: {why}")
    assert {f.fingerprint for f in report.findings} == {f.fingerprint for f in right.findings if f.device != "leaf4"}
    assert any(f.device == "leaf4" for f in right.findings)


def test_the_command_line_says_the_same(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strike(monkeypatch, "auditor.engine.load.read_device", recurse)
    for command in ("check", "show", "intent"):
        status, out, err = run(command, folder, "--jobs", "1", "--no-cache")
        assert (status, "Traceback" in err) == (2, False)
        assert f"{folder / 'leaf4.cfg'}: not audited: parsing the device: crash" in out + err


def test_a_lost_rule_of_the_fabric_leaves_all_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = auditor.audit(folder)
    name = next(rule.file.id for rule in load_rules() if rule.check.scope is Scope.FABRIC)
    judge = check._judge

    def judge_or_crash(rule: Rule, *given: object) -> object:
        if rule.file.id == name:
            raise KeyError
        return judge(rule, *given)

    monkeypatch.setattr(check, "_judge", judge_or_crash)
    report = auditor.audit(folder, OPTIONS)
    ((file, message),) = [(problem.file, problem.message) for problem in report.problems]
    assert (file, message.partition(" in ")[0]) == (None, f"not audited: rule {name}: crash: KeyError")
    assert report.findings == right.findings


def answer(function: Act, things: list[Any], jobs: int = 1, bounds: Bounds = Bounds(1, 256)) -> dict[int, Any]:  # noqa: B008  frozen
    with Pool(Task(function, things, FileIdentity), bounds, jobs) as pool:
        return dict(pool.answer_all())


def tie_knots(_: object) -> FileIdentity:
    """Leave 30 MB of objects that hold themselves, as parsed trees do."""
    for _number in range(100_000):
        knot: list[object] = [bytes(200)]
        knot.append(knot)
    return FileIdentity(None)


def test_garbage_of_one_item_takes_no_memory_from_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def start(task: Task, bounds: Bounds) -> child.Child:
        started.append(child.Child(task, bounds))
        return started[-1]

    monkeypatch.setattr("auditor.engine.pool.Child", start)
    found = answer(tie_knots, list(range(24)), bounds=Bounds(30, 256))
    assert found.keys() == {*range(24)}
    assert not any(isinstance(each, NoAnswer) for each in found.values())
    assert len(started) == 1


def tell_process(seconds: float) -> FileIdentity:
    """Take some seconds; return the process that the child is."""
    time.sleep(seconds)
    return FileIdentity(str(os.getpid()))


@pytest.mark.parametrize(
    ("things", "alone", "children"), [([0.0] * 8, 60.0, 1), ([0.3] * 8, 0.1, 2), ([0.01] * MANY, 60.0, 2)]
)
def test_few_items_that_take_no_time_have_one_child(
    monkeypatch: pytest.MonkeyPatch, things: list[float], alone: float, children: int
) -> None:
    """A further child warms up first; it starts where there are many items, or where they take long."""
    monkeypatch.setattr("auditor.engine.pool.ALONE_S", alone)
    assert len({*answer(tell_process, things, jobs=2).values()}) == children


@pytest.mark.parametrize("forks", [True, False])
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_child_that_is_no_fork_does_the_same(monkeypatch: pytest.MonkeyPatch, forks: bool, jobs: int) -> None:
    """None is no sequence of captures: its item crashes."""
    monkeypatch.setattr(child, "FORKS", forks)
    found = answer(identify_captures, [(), None, *[()] * MANY], jobs)
    assert sorted(found) == list(range(MANY + 2))
    assert found.pop(1).why.startswith("crash: TypeError in detection.py")
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("forks", [True, False])
def test_a_child_without_an_answer_is_given_up(monkeypatch: pytest.MonkeyPatch, forks: bool) -> None:
    """Sleep takes no processor time; the clock of the parent alone ends it."""
    monkeypatch.setattr(child, "FORKS", forks)
    assert answer(time.sleep, [60], bounds=Bounds(0.1, 256)) == {0: NoAnswer("no answer after 1 s by the clock")}


def test_what_a_batch_may_have_spoilt_is_run_again_alone() -> None:
    """Each item leaves 100 MB behind: the third one finds no room, and finds it in a child of its own."""
    held: list[bytes] = []

    def hold(_: object) -> FileIdentity:
        held.append(bytes(100 * 2**20))
        return FileIdentity(None)

    found = answer(hold, [1, 2, 3, 4])
    assert all(isinstance(each, str) for each in found.values())


def test_a_child_holds_nothing_of_its_parent() -> None:
    """Standard streams lead to nothing, and no pipe of a sibling or of the caller stays open."""

    def look(_: object) -> FileIdentity:
        print("this must not spoil the answers")  # noqa: T201  as a check of a site may
        return FileIdentity(" ".join(os.path.realpath(end) for end in Path("/proc/self/fd").iterdir()))

    for text in answer(look, [1] * MANY, jobs=3).values():
        assert text.count("/dev/null") == 3
        assert text.count("pipe:") == 2


def list_own_children() -> set[str]:
    """Return the child processes of this one; other tests may have some."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split())


def test_no_child_outlives_an_error_of_the_caller(folder: Path) -> None:
    def stop(results: Any, *_: object) -> Iterator[Any]:  # noqa: ANN401  as documented
        yield next(iter(results))
        raise KeyboardInterrupt

    before = list_own_children()
    with pytest.raises(KeyboardInterrupt):
        auditor.load(folder, auditor.Options(jobs=2, progress=stop))
    assert list_own_children() <= before


def test_from_a_thread_and_from_a_daemonic_process(folder: Path) -> None:
    right = auditor.audit(folder).to_dicts()
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(auditor.audit(folder).to_dicts()))
    thread.start()
    thread.join()
    assert found == [right]
    context = multiprocessing.get_context("fork")
    process = context.Process(target=lambda: sys.exit(auditor.audit(folder).to_dicts() != right), daemon=True)
    process.start()
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize("forks", [True, False])
def test_a_script_without_a_guard(folder: Path, forks: bool) -> None:
    """A child never runs the main module of its caller."""
    script = folder / "script.py"
    script.write_text(
        "import auditor\nfrom auditor.engine import child\n"
        f"child.FORKS = {forks}\nprint(len(auditor.audit('.', auditor.Options(jobs=2)).to_dicts()))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(auditor.__file__).parents[1])}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"{len(auditor.audit('.').to_dicts())}\n", "")


def test_where_no_child_can_be_started(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> NoReturn:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    status, out, err = run("check", folder, "--no-cache")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("roce-audit: cannot start a worker process: Resource temporarily unavailable; ")


def test_fewer_children_than_asked_for_do_all_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, forks = os.fork, iter(range(1))

    def fork_once() -> int:
        if next(forks, None) is None:
            raise BlockingIOError
        return fork()

    monkeypatch.setattr(os, "fork", fork_once)
    assert len(answer(identify_captures, [()] * MANY, jobs=4)) == MANY
