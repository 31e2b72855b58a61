"""The day of a capture, where a record proves it; the time of a file proves nothing, because a checkout sets it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import PurePath

from auditor.inputs.rawtext import Raw
from auditor.model.dump import Capture
from auditor.util.regex import regex
from auditor.util.values import dataclass

_COLLECTED = regex(r"# gathered with roce-audit \S+ by user \S+ on (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC")
"""The head of a transcript that the script of `collect-script` writes."""
_LONGEST = 40
_HEAD_LINES = 20
"""Lines of a transcript that may hold its head, behind the greetings of a login."""


@dataclass(frozen=True, slots=True)
class CaptureDate:
    """The day of a capture, and the SHA-256 of the file that had this content then; empty: of any content.

    `time` is the time on that day, where the record says it with its time zone.
    """

    day: date
    sha256: str = ""
    time: datetime | None = None

    def covers(self, capture: Capture) -> bool:
        """Return whether *capture*, a whole file, has the content that was seen on that day."""
        if not self.sha256:
            return True
        text = "\n".join(capture.lines) + ("" if capture.ends_mid_line or not capture.lines else "\n")
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() == self.sha256


def parse_day(text: str) -> date | None:
    """Return the day of a time in ISO 8601, None for another text.

    >>> parse_day("2026-11-23T20:05:00+00:00"), parse_day("yesterday")
    (datetime.date(2026, 11, 23), None)
    """
    try:
        return datetime.fromisoformat(text).date() if len(text) <= _LONGEST else None
    except ValueError:
        return None


def parse_time(text: str) -> datetime | None:
    """Return a time in ISO 8601 that has a time zone, None for another text.

    >>> parse_time("2026-11-23T20:05:00+00:00").isoformat(), parse_time("2026-11-23")
    ('2026-11-23T20:05:00+00:00', None)
    """
    try:
        found = datetime.fromisoformat(text) if len(text) <= _LONGEST else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


def find_collected_day(lines: Iterable[str]) -> date | None:
    """Return the oldest day on which the script of `collect-script` wrote into *lines*, None where it did not.

    >>> find_collected_day(["# gathered with roce-audit 0.1 by user 0 on 2026-11-23 20:05:00 UTC", "$ uname -n"])
    datetime.date(2026, 11, 23)
    """
    return min((found.date() for found in _find_collected_times(lines)), default=None)


def _find_collected_times(lines: Iterable[str]) -> Iterator[datetime]:
    """Yield the times at which the script of `collect-script` began to write into *lines*."""
    for line in lines:
        match = _COLLECTED.fullmatch(line) if line.startswith("# gathered") else None
        found = parse_time(f"{match[1]}T{match[2]}+00:00") if match else None
        if found:
            yield found


def list_dates(raws: Iterable[Raw], of_manifests: Mapping[str, Mapping[str, CaptureDate]]) -> Mapping[str, CaptureDate]:
    """Return the dates of files by the manifest of their folder, *of_manifests*, else by the head of a transcript."""
    dates = {}
    for raw in raws:
        own = of_manifests.get(raw.folder, {}).get(PurePath(raw.name).name)
        if own:
            dates[raw.name] = own
        elif times := list(_find_collected_times(raw.lines[:_HEAD_LINES])):
            dates[raw.name] = CaptureDate(min(times).date(), time=min(times))
    return dates
