"""One child process: it answers items one by one, within bounds of processor time, memory and output.

On Linux the child is a fork: it inherits the items and all imported modules. Elsewhere it is a new interpreter, which
gets the items by pickle and never runs the caller's main module.
"""

import fcntl
import gc
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

from auditor.engine.errors import CannotAudit
from auditor.model.port import PortConfig
from auditor.util.codec import Past, make_codec
from auditor.util.crash import describe_crash
from auditor.util.values import dataclass

FORKS = sys.platform == "linux"
"""Whether a child is a fork: elsewhere the libraries of the system do not survive one."""
WALL_FACTOR = 10
"""Seconds by the clock for each second of processor time: other programs share the machine."""
MAX_ANSWER_BYTES = 2**25
"""Largest answer to one item; a switch with 512 ports and 60,000 lines takes a hundredth."""
MB = 2**20
MAX_DESCRIPTORS = 65_536
"""Descriptors that a fork closes; it needs none of its parent."""
COLLECTION = 200_000, 20, 20
"""When the garbage of a fork is collected: of what it makes, little holds itself, and nearly all is kept."""
_COMMANDS, _ANSWERS = 3, 4
_INDEX = struct.Struct("=I")
_HEADER = struct.Struct("=BI")
_DONE, _CRASHED, _EXHAUSTED, _REFUSED = range(4)
_CHUNK = 2**20
MOST_ANSWER_BYTES = 2**32 - 1
"""Largest answer that can be sent."""
_HELD_BACK = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_RESET = (*_HELD_BACK, signal.SIGPIPE, signal.SIGXCPU, signal.SIGALRM, signal.SIGCHLD)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that one item may cost: processor time, memory beyond that of the parent, size of the answer."""

    seconds: float
    memory_mb: int
    answer_bytes: int = MAX_ANSWER_BYTES

    def scale(self, factor: float) -> "Bounds":
        """Return the bounds for an item *factor* times as large."""
        return Bounds(
            self.seconds * factor, int(self.memory_mb * factor), min(int(self.answer_bytes * factor), MOST_ANSWER_BYTES)
        )


@dataclass(frozen=True, slots=True)
class Task:
    """A function, its items, and the type of its answers.

    `makes_garbage`: what it makes may hold itself, as parsed trees do, so that only a collection frees it.
    """

    function: Callable[[Any], Any]
    things: Sequence[Any]
    kind: type
    makes_garbage: bool = True


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The reason why an item has no answer. `doubtful`: items before it in the same child may be the cause."""

    why: str
    doubtful: bool = False


class Child:
    """A child process that works on a task.

    `pending` are the items that it has and has not answered, in order, `sent` is the number of all that it got.
    """

    def __init__(self, task: Task, bounds: Bounds) -> None:
        self._bounds = bounds
        self._buffer = bytearray()
        self._answered = 0
        self._deadline = 0.0
        self._status: int | None = None
        self.pending: deque[int] = deque()
        self.sent = 0
        self._pid, self._commands, self.answers = _fork(task, bounds) if FORKS else _execute(task, bounds)

    def send(self, indexes: Sequence[int]) -> None:
        """Send the items of these *indexes* to the child."""
        if not self.pending:
            self._start_clock()
        self.pending.extend(indexes)
        self.sent += len(indexes)
        with suppress(BrokenPipeError):  # a dead child is found when its answers are read
            _write(self._commands, b"".join(map(_INDEX.pack, indexes)))

    def receive(self, *, is_ready: bool) -> tuple[list[tuple[int, str | NoAnswer]], bool]:
        """Return the answers that arrived, by index, and whether the child can go on.

        *is_ready*: `answers` can be read. If not, the first pending item may be overdue.
        """
        if not is_ready:
            is_overdue = self.count_seconds_left() <= 0
            return [(self.pending.popleft(), self._explain_overdue())] if is_overdue else [], not is_overdue
        data = os.read(self.answers, _CHUNK)
        self._buffer += data
        found = list(self._parse_answers())
        lives = bool(data) and not self._is_excessive()
        if not lives and self.pending:
            found.append((self.pending.popleft(), self._explain_end(is_excessive=bool(data))))
        return found, lives

    def count_seconds_left(self) -> float:
        """Return the seconds by the clock until the first pending item is overdue."""
        return self._deadline - monotonic()

    def close(self) -> None:
        """Kill the child and close its pipes."""
        os.close(self._commands)
        os.close(self.answers)
        self._wait()

    def _wait(self) -> int:
        """Return the wait status of the child, killed unless it is dead already."""
        if self._status is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            self._status = 0
            with suppress(ChildProcessError):  # the caller's program ignores SIGCHLD, or waits for every child
                self._status = os.waitpid(self._pid, 0)[1]
        return self._status

    def _start_clock(self) -> None:
        self._deadline = monotonic() + self._bounds.seconds * WALL_FACTOR

    def _is_excessive(self) -> bool:
        buffer = self._buffer
        return len(buffer) >= _HEADER.size and _HEADER.unpack_from(buffer)[1] > self._bounds.answer_bytes

    def _parse_answers(self) -> Iterator[tuple[int, str | NoAnswer]]:
        """Yield the answers that arrived as a whole."""
        start = 0
        while not self._is_excessive() and len(self._buffer) >= start + _HEADER.size:
            status, size = _HEADER.unpack_from(self._buffer, start)
            end = start + _HEADER.size + size
            if size > self._bounds.answer_bytes or len(self._buffer) < end:
                break
            text = self._buffer[start + _HEADER.size : end].decode()
            start = end
            self._start_clock()
            yield self.pending.popleft(), self._read_answer(status, text)
            self._answered += 1
        del self._buffer[:start]

    def _read_answer(self, status: int, text: str) -> str | NoAnswer:
        if status == _REFUSED:
            raise CannotAudit(text)
        if status == _EXHAUSTED:
            return NoAnswer(f"more than {self._bounds.memory_mb} MB of memory", doubtful=self._answered > 0)
        return NoAnswer(f"crash: {text}") if status == _CRASHED else text

    def _explain_overdue(self) -> NoAnswer:
        return NoAnswer(f"no answer after {self._bounds.seconds * WALL_FACTOR:g} s by the clock")

    def _explain_end(self, *, is_excessive: bool) -> NoAnswer:
        """Return why the child gave no answer to an item."""
        if is_excessive:
            return NoAnswer(f"more than {self._bounds.answer_bytes // MB} MB of results")
        status = self._wait()
        if not os.WIFSIGNALED(status):
            return NoAnswer(f"crash: exit status {os.waitstatus_to_exitcode(status)}", doubtful=self._answered > 0)
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return NoAnswer(f"more than {self._bounds.seconds:g} s of processor time")
        return NoAnswer(f"crash: {signal.Signals(number).name}", doubtful=self._answered > 0)


def _fork(task: Task, bounds: Bounds) -> tuple[int, int, int]:
    """Return the process of a new child, the descriptor of its commands, and that of its answers."""
    make_codec(task.kind)  # inherited by the child
    commands, commands_out = os.pipe()
    answers, answers_out = os.pipe()
    ends = commands, commands_out, answers, answers_out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the child runs readers alone, and is watched
        try:
            pid = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            raise
        if not pid:
            _run_fork(task, bounds, commands, answers_out)
    os.close(commands)
    os.close(answers_out)
    return pid, commands_out, answers


def _run_fork(task: Task, bounds: Bounds, commands: int, answers: int) -> NoReturn:
    """Serve in a fresh fork, which shares nothing with its parent but two pipes; never return."""
    try:
        gc.freeze()  # a collection would copy every inherited page
        gc.set_threshold(*(COLLECTION if task.makes_garbage else (0,)))
        signal.set_wakeup_fd(-1)
        for number in _RESET:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD_BACK)
        _detach(commands, answers)
        _serve(task, bounds)
    finally:
        os._exit(1)


def _detach(commands: int, answers: int) -> None:
    """Keep *commands* as `_COMMANDS` and *answers* as `_ANSWERS`; connect the standard streams to nothing."""
    first, second = (fcntl.fcntl(end, fcntl.F_DUPFD, _ANSWERS + 1) for end in (commands, answers))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(_COMMANDS):
        os.dup2(nothing, stream)
    os.dup2(first, _COMMANDS)
    os.dup2(second, _ANSWERS)
    os.closerange(_ANSWERS + 1, min(os.sysconf("SC_OPEN_MAX"), MAX_DESCRIPTORS))
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  for as long as the child lives
    sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  the same


def _execute(task: Task, bounds: Bounds) -> tuple[int, int, int]:
    """Return the same as `_fork`, for a new interpreter."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from auditor.engine.child import serve_pipes; serve_pipes()"
    process = subprocess.Popen(  # noqa: S603  this interpreter, and code of our own
        [sys.executable, "-I", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    process.returncode = 0  # Child waits for the process
    if process.stdin is None or process.stdout is None:
        raise OSError("no pipe to a child process")
    commands, answers = os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno())
    process.stdin.close()
    process.stdout.close()
    data = pickle.dumps((task, bounds))
    with suppress(BrokenPipeError):
        _write(commands, struct.pack("=Q", len(data)) + data)
    return process.pid, commands, answers


def serve_pipes() -> None:
    """Serve the task that arrives on standard input; the program of a child that is no fork."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD_BACK)
    _detach(0, 1)
    (size,) = struct.unpack("=Q", _read(_COMMANDS, 8))
    task, bounds = pickle.loads(_read(_COMMANDS, size))  # noqa: S301  from the parent alone
    _serve(task, bounds)


def _serve(task: Task, bounds: Bounds) -> NoReturn:
    """Answer items until the parent closes its end."""
    _limit_memory(bounds.memory_mb * MB)
    codec, past = make_codec(task.kind), Past((PortConfig,))
    while command := _read(_COMMANDS, _INDEX.size):
        (index,) = _INDEX.unpack(command)
        _limit_time(bounds.seconds)
        try:
            status, text = _DONE, codec.encode(task.function(task.things[index]), past)
        except CannotAudit as error:
            status, text = _REFUSED, str(error)
        except MemoryError:
            status, text = _EXHAUSTED, ""
        except (Exception, SystemExit) as error:  # noqa: BLE001  a hostile dump may raise anything
            status, text = _CRASHED, describe_crash(error)
        data = text.encode()
        _write(_ANSWERS, _HEADER.pack(status, min(len(data), MOST_ANSWER_BYTES)))
        _write(_ANSWERS, data)
    os._exit(0)


def _limit_memory(size: int) -> None:
    """Allow *size* bytes of memory beyond the present ones, where the system can."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        pages = 0
    with suppress(ValueError, OSError):  # macOS has the limit, and refuses it
        _set_limit(resource.RLIMIT_AS, pages * resource.getpagesize() + size)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """Let the system end this process after *seconds* more of processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(ValueError, OSError):
        _set_limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


def _set_limit(kind: int, wanted: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


@contextmanager
def hold_signals() -> Iterator[None]:
    """Hold back signals, so that no handler of the parent runs in a new child, and none interrupts its start."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _read(file: int, size: int) -> bytes:
    """Return *size* bytes of *file*, fewer at its end."""
    data = b""
    while len(data) < size and (more := os.read(file, size - len(data))):
        data += more
    return data


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
