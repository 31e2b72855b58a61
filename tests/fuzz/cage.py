"""A child process with bounds, in which cases run one after the other; one that dies loses its own case alone."""

import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from types import FrameType
from typing import Any, NoReturn

from case import Case, Fault, Hang, explain
from targets import TARGETS

MAX_CPU_S = 10.0
"""CPU time of one case; most take some hundredths of a second."""
KILL_CPU_S = 25
"""CPU time after which the kernel ends a child that does not come back to Python."""
MAX_BYTES = 1536 * 2**20
"""Address space of a child beyond that at its start."""
_UNCLEAN = frozenset({"hang", "memory"})


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case: its reader, the CPU time it took, and its fault."""

    number: int
    reader: str
    cpu_s: float
    fault: Fault | None


def run_case(case: Case, cpu_s: float = MAX_CPU_S) -> Fault | None:
    """Return what is wrong with *case*, None where nothing is; to be called in a child."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        TARGETS[case.target].run(case)
    except (Exception, Hang) as error:  # noqa: BLE001  whatever is raised is what is looked for
        return explain(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def enter_cage() -> None:
    """Bound the memory of this process, and let its timer raise Hang."""
    signal.signal(signal.SIGPROF, _raise_hang)
    limit = _measure_address_space() + MAX_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _raise_hang(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Hang(f"over {MAX_CPU_S} s of CPU time")


def _measure_address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  not a path of ours
        return int(file.read().split()[0]) * resource.getpagesize()


def _allow_cpu() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + KILL_CPU_S, resource.RLIM_INFINITY))


def run_in_child(work: Callable[[Callable[[str], None]], None]) -> Iterator[str]:
    """Yield the lines that *work* sends from a child process; the last is `died STATUS` where it did not end well."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            enter_cage()
            work(lambda line: _send(writing, line))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines)
    _, status = os.waitpid(child, 0)
    if status:
        yield f"died {status}"


def _send(pipe: int, line: str) -> None:
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(pipe, data) :]


def measure_cpu() -> float:
    """Return the CPU time of this process and of its children that have ended, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def run_cases(make: Callable[[int], tuple[Case, str]], first: int, seconds: float) -> Iterator[Result]:
    """Yield the result of each case from the number *first* on, until *seconds* of CPU time are spent."""
    number, end = first, measure_cpu() + seconds
    while True:
        is_over = False
        for line in run_in_child(partial(_run_batch, make, number, end - measure_cpu())):
            word, _, rest = line.partition(" ")
            if word == "begin":
                number = int(rest)
            elif word == "result":
                said: dict[str, Any] = json.loads(rest)
                fault = Fault(**said["fault"]) if said["fault"] else None
                yield Result(number, said["reader"], said["cpu_s"], fault)
                number += 1
            elif word == "died":
                _, reader = make(number)
                yield Result(number, reader, 0.0, Fault("died", f"signal {int(rest) & 127} in {reader}"))
                number += 1
            elif word == "over":
                is_over = True
        if is_over:
            return


def _run_batch(
    make: Callable[[int], tuple[Case, str]], first: int, seconds: float, send: Callable[[str], None]
) -> None:
    number = first
    while time.process_time() < seconds:
        send(f"begin {number}")
        _allow_cpu()
        case, reader = make(number)
        start = time.process_time()
        fault = run_case(case)
        taken = time.process_time() - start
        told = {"reader": reader, "cpu_s": round(taken, 4), "fault": asdict(fault) if fault else None}
        send(f"result {json.dumps(told)}")
        number += 1
        if fault and fault.kind in _UNCLEAN:
            return
    send("over")


def shrink(case: Case, fault: Fault, most: int) -> Case:
    """Return a smaller case with the same fault, after at most *most* tries in a child."""
    found = case

    def work(send: Callable[[str], None]) -> None:
        tries = iter(range(most))
        now = case
        for smaller in _list_smaller(lambda: now):  # noqa: B023  it is meant to see each new value
            if next(tries, None) is None:
                return
            _allow_cpu()
            same = run_case(smaller)
            if same and same.identity == fault.identity:
                now = smaller
                send(json.dumps(smaller.to_json()))

    for line in run_in_child(work):
        if not line.startswith("died"):
            found = Case.load(json.loads(line))
    return found


def _list_smaller(current: Callable[[], Case]) -> Iterator[Case]:
    """Yield smaller cases than the *current* one, which changes while they are tried: without files, lines, words."""
    for name in list(current().files):
        if len(current().files) > 1:
            yield _replace(current(), name, None)
    for pieces in (b"\n", b" "):
        for name in list(current().files):
            size = max(1, current().files.get(name, b"").count(pieces) // 2)
            while size:
                at = 0
                while at < len(parts := current().files.get(name, b"").split(pieces)):
                    before = len(parts)
                    yield _replace(current(), name, pieces.join(_without(parts, at, size)))
                    after = current().files.get(name, b"").count(pieces) + 1
                    at += size if after == before else 0
                size //= 2


def _without(parts: Sequence[bytes], at: int, size: int) -> Sequence[bytes]:
    return [*parts[:at], *parts[at + size :]]


def _replace(case: Case, name: str, data: bytes | None) -> Case:
    files = dict(case.files)
    files.pop(name)
    order = {**files, name: data} if data is not None else files
    return Case(case.target, {each: order[each] for each in case.files if each in order}, case.told)
