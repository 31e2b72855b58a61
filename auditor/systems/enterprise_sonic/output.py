"""The output of one command, line by line."""

import re
from collections.abc import Callable, Sequence

from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.store import Writer
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class ShowOutput:
    """The output of `command`: lines `start` to before `end` of a capture, and the writer of its values."""

    command: str
    lines: Sequence[str]
    start: int
    end: int
    writer: Writer

    def each(self, read: Callable[[str, int], LineState]) -> list[LineState]:
        """Return the state of each line; *read* takes the stripped line."""
        return [read(self.lines[index].strip(), index) for index in range(self.start, self.end)]


_FIELD = regex(r"(?P<name>[A-Za-z][\w -]{0,40}?)\s*:+\s*:?\s*(?P<value>.*)")
"""A name, a colon and a value; one release prints two colons."""


def split_line(text: str) -> tuple[str, str]:
    """Return the name, in the database's form, and the value of a line; two empty texts without them.

    >>> split_line("green-max-threshold : 5  KBytes"), split_line("Polling Interval:   : 150")
    (('green_max_threshold', '5  KBytes'), ('polling_interval', '150'))
    """
    found = _FIELD.fullmatch(text)
    if found is None:
        return "", ""
    return re.sub(r"[ -]+", "_", found["name"].strip().lower()), found["value"].strip().strip("'")


Read = Callable[[ShowOutput], list[LineState]]
