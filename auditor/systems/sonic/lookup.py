"""pg_profile_lookup.ini: a platform's table of headroom by speed and length of cable."""

import re
from collections.abc import Mapping

from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.setting import Where
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class HeadroomRow:
    """A row: speed in Mb/s, cable in metres, sizes in bytes.

    `threshold` is the exponent of alpha where the pool is dynamic, bytes where it is static.
    """

    speed: int
    cable: int
    size: int
    xon: int
    xoff: int
    threshold: int
    xon_offset: int | None
    where: Where

    @property
    def alpha(self) -> float | None:
        """The dynamic threshold as a number; None where the threshold is static."""
        return 2.0**self.threshold if self.threshold in EXPONENTS else None


EXPONENTS = range(-8, 9)


@dataclass(frozen=True, slots=True)
class Lookup:
    """All rows of a table, by speed and cable."""

    rows: Mapping[tuple[int, int], HeadroomRow]

    def row(self, speed: int | None, cable: int | None) -> HeadroomRow | None:
        """Return the row for a speed and a cable; the table is not interpolated."""
        return self.rows.get((speed, cable)) if speed is not None and cable is not None else None


_ROW = regex(
    r"(?P<speed>\d{1,8})\s+(?P<cable>\d{1,6})m\s+(?P<size>\d{1,12})\s+(?P<xon>\d{1,12})\s+(?P<xoff>\d{1,12})\s+"
    r"(?P<threshold>-?\d{1,12})(?:\s+(?P<offset>\d{1,12}))?",
    re.ASCII,
)


def read_lookup(capture: Capture) -> tuple[Lookup, list[LineState], list[Doubt]]:
    """Return the table, the state of each line, and a doubt for each line that is not a row."""
    rows: dict[tuple[int, int], HeadroomRow] = {}
    states: list[LineState] = []
    doubts: list[Doubt] = []
    for index, line in enumerate(capture.lines):
        text = line.strip()
        match = _ROW.fullmatch(text)
        if match:
            row = _headroom(match, capture.where(index))
            rows[row.speed, row.cable] = row
            states.append(LineState.MODELLED)
        elif not text or text.startswith(("#", ";", "[")):
            states.append(LineState.IGNORED)
        else:
            states.append(LineState.UNRECOGNISED)
            why = "expected speed, cable, size, xon, xoff, threshold and perhaps xon_offset"
            doubts.append(Doubt(capture.where(index), redact(text)[:200], why))
    return Lookup(rows), states, doubts


def _headroom(match: re.Match[str], where: Where) -> HeadroomRow:
    offset = match["offset"]
    return HeadroomRow(
        speed=int(match["speed"]),
        cable=int(match["cable"]),
        size=int(match["size"]),
        xon=int(match["xon"]),
        xoff=int(match["xoff"]),
        threshold=int(match["threshold"]),
        xon_offset=None if offset is None else int(offset),
        where=where,
    )
