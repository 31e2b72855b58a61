"""Progress of a pull: bars on a terminal, elsewhere one line for each device."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from auditor.collect.failure import PullError
from auditor.collect.pull import COMPLETE, FAILED, DeviceResult
from auditor.util.printable import printable

_COLOURS = {COMPLETE: "green", FAILED: "red"}
_LISTED_MISSING = 3


class Lines:
    """Progress as one line for each finished device, for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def report_start(self, name: str, attempt: int) -> None:
        """Print nothing."""

    def report_command(self, name: str, k: int, n: int, command: str) -> None:
        """Print nothing."""

    def report_retry(self, name: str, failure: PullError, seconds: float) -> None:
        """Print nothing."""

    def report_end(self, result: DeviceResult, done: int, total: int) -> None:
        """Print the line."""
        self._console.print(Text(f"[{done}/{total}] {format_result(result)}"), soft_wrap=True)


class Bars:
    """Progress as a bar for all devices, and a bar for each active device."""

    def __init__(self, console: Console, total: int) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[doing]}", markup=False),
            TimeElapsedColumn(),
            console=console,
        )
        self._all = self._progress.add_task("devices", total=total, doing="")
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def report_start(self, name: str, attempt: int) -> None:
        """Show the connection to the device."""
        self._remove(name)
        doing = "connecting" if attempt == 1 else f"connecting, attempt {attempt}"
        self._tasks[name] = self._progress.add_task(printable(name), total=None, doing=doing)

    def report_command(self, name: str, k: int, n: int, command: str) -> None:
        """Show the command."""
        self._progress.update(self._tasks[name], total=n, completed=k - 1, doing=printable(command)[:60])

    def report_retry(self, name: str, failure: PullError, seconds: float) -> None:
        """Show the reason and the wait."""
        self._progress.update(self._tasks[name], doing=printable(f"{failure.message}; retry in {seconds:.0f} s")[:80])

    def report_end(self, result: DeviceResult, done: int, total: int) -> None:
        """Remove the bar; print a line if the device failed."""
        self._remove(result.name)
        self._progress.update(self._all, completed=done, total=total)
        if result.why:
            self._progress.console.print(Text(format_result(result)), soft_wrap=True)

    def _remove(self, name: str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            self._progress.remove_task(task)


def format_result(result: DeviceResult) -> str:
    """Return the line of a device.

    >>> format_result(DeviceResult("leaf1", "sonic", "partial", "show pfcwd config: timeout", 4))
    'leaf1: partial, 4 captures: show pfcwd config: timeout'
    """
    came = f", {result.captures} capture{'s' * (result.captures != 1)}" if result.captures else ""
    return printable(f"{result.name}: {result.status}{came}{f': {result.why}' if result.why else ''}")


def build_table(results: Sequence[DeviceResult]) -> Table:
    """Return the summary: the result of each device."""
    found = Table(box=None, pad_edge=False)
    for name in ("device", "os", "status", "captures", "what is missing"):
        found.add_column(name, overflow="fold", justify="right" if name == "captures" else "left")
    for each in results:
        missing = each.why or ", ".join(each.missing[:_LISTED_MISSING]) + (" …" * (len(each.missing) > _LISTED_MISSING))
        colour = _COLOURS.get(each.status, "yellow")
        words = (each.name, each.os or "-", each.status, str(each.captures), missing)
        found.add_row(*(Text(printable(word), style=colour if n == 2 else "") for n, word in enumerate(words)))  # noqa: PLR2004
    return found
