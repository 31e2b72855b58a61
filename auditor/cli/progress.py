"""The progress bar of long work: one line on standard error, drawn by a thread, since a long step reports nothing."""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Any

from auditor.util.values import dataclass

DELAY_S = 2
"""Seconds after the start of the program without a bar: a person waits so long and asks nothing."""
_INTERVAL_S = 0.1
_CELLS, _BLOCK = 24, 5
_ERASE = "\r\x1b[K"
_STARTED = monotonic()


@dataclass(slots=True)
class Step:
    """A part of the work: how many results it has (0: unknown), and how many of them are there."""

    name: str
    count: int = 0
    done: int = 0
    began: float = field(default_factory=monotonic)


class _Drawer:
    """Draws the innermost of the steps that have begun."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._end = Event()
        self._thread = Thread(target=self._run, name="progress", daemon=True)

    def start(self) -> None:
        """Begin to draw; signals are for the main thread."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._thread.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def stop(self) -> None:
        """Erase the line, and draw no more."""
        self.steps.clear()
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        if self._end.wait(max(0.0, _STARTED + DELAY_S - monotonic())):
            return
        with suppress(OSError, ValueError):  # the terminal is gone
            while not self._end.wait(_INTERVAL_S):
                if step := next(iter(self.steps[-1:]), None):
                    self._write(f"{_ERASE}{_format_step(step, get_terminal_size().columns)}")
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


_drawers: list[_Drawer] = []
"""The one drawer while a step lasts."""


@contextmanager
def show_step(name: str, count: int = 0) -> Iterator[Step]:
    """Draw a bar on a terminal while the body of the `with` statement runs, once the program has run for `DELAY_S`.

    A step within another is drawn in its place. Nothing else may be printed meanwhile.
    """
    step = Step(name, count)
    if not sys.stderr.isatty():
        yield step
        return
    is_first = not _drawers
    if is_first:
        _drawers.append(_Drawer())
        _drawers[0].start()
    drawer = _drawers[0]
    drawer.steps.append(step)
    try:
        yield step
    finally:
        if is_first:
            drawer.stop()
            _drawers.remove(drawer)
        elif step in drawer.steps:
            drawer.steps.remove(step)


def show_progress(results: Iterable[Any], count: int, step: str) -> Iterable[Any]:
    """Return *results* unchanged; on a terminal, draw a bar of *step* meanwhile."""
    return _follow(results, count, step) if sys.stderr.isatty() else results


def _follow(results: Iterable[Any], count: int, step: str) -> Iterator[Any]:
    with show_step(step, count) as shown:
        for result in results:
            yield result
            shown.done += 1


def _format_step(step: Step, columns: int) -> str:
    """Return the line of *step*: its bar, or a block that moves where it has fewer than two results.

    >>> _format_step(Step("parsing devices", 8, 2, monotonic() - 65), 80)
    'parsing devices [######                  ] 2/8 1:05'
    """
    minutes, seconds = divmod(int(monotonic() - step.began), 60)
    if step.count > 1:
        cells, told = "#" * (_CELLS * step.done // step.count), f"{step.done}/{step.count} "
    else:
        place = int((monotonic() - step.began) / _INTERVAL_S) % (_CELLS - _BLOCK + 1)
        cells, told = " " * place + "#" * _BLOCK, ""
    return f"{step.name} [{cells:<{_CELLS}}] {told}{minutes}:{seconds:02}"[: max(0, columns - 1)]
