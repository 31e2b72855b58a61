"""Texts of a report, written in a child process within bounds: no finding may end the run while it is shown."""

from collections.abc import Callable

from auditor.engine import child
from auditor.engine.child import MOST_ANSWER_BYTES, Bounds, NoAnswer
from auditor.engine.dumps import DEVICES_PER_SHARE
from auditor.engine.workers import Work
from auditor.util.crash import describe_crash
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A text."""

    content: str


def write_text(step: str, make: Callable[[], str], bounds: Bounds) -> str | NoAnswer:
    """Return the text that *make* gives, or why it gives none; *step* names the work.

    Where no child is a fork, *make* runs in this process without bounds: a report holds functions, which no pickle has.
    """
    if not child.FORKS:
        try:
            return make()
        except Exception as error:  # noqa: BLE001  as a child does
            return NoAnswer(f"crash: {describe_crash(error)}")
    work = Work(bounds, jobs=1)
    try:
        (found,) = work.run(_write, [make], [step], Text, step)
    finally:
        work.close()
    return found if isinstance(found, NoAnswer) else str(found.content)


def bound_text(seconds: float, memory_mb: int, devices: int) -> Bounds:
    """Return the bounds of a text on so many *devices*, given those of a step on one device."""
    return Bounds(seconds, memory_mb, MOST_ANSWER_BYTES).scale(1 + devices / DEVICES_PER_SHARE)


def _write(make: Callable[[], str]) -> Text:
    return Text(make())
