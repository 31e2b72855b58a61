"""A table of scenarios, in chunks: each row answered, or said why it makes no sense."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.estimate.incast import Estimates, estimate
from auditor.estimate.scenario import COLUMNS, Column, Flags, Floats, Scenarios, scenarios
from auditor.util.printable import printable
from auditor.util.values import dataclass

CHUNK = 8192
"""Scenarios that are computed together: enough for numpy, few enough for the processor's cache."""
NOT_MODELLED: Mapping[str, Column] = {
    "cable_m": Column("", 0),
    "headroom_formula_bytes": Column("", 0),
    "headroom_frac": Column("", 0),
    "headroom_uplink_frac": Column("", 0),
    "ideal_agg_goodput_gbps": Column("", 0),
}
"""Columns of the reference simulation that follow from others: checked, and not passed through."""
MASK = Column("lossless_mask", 8, most=255, whole=True)
PRIORITY = Column("host_pg", 3, most=7, whole=True)
TOPOLOGIES = ("star", "ls")
INPUTS = frozenset((*COLUMNS, *NOT_MODELLED, "topo", MASK.field, PRIORITY.field))
RESULTS = (
    "loss_ratio_low",
    "loss_ratio",
    "loss_ratio_high",
    "pause_fraction",
    "peak_queue_bytes",
    "goodput_fraction_low",
    "goodput_fraction",
    "goodput_fraction_high",
    "victim_goodput_fraction",
    "pfc_fires",
    "any_loss",
)
ERROR = "error"
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """The rows of a table that make sense, as scenarios, and of each of the others why not."""

    scenarios: Scenarios
    rows: Sequence[int]
    """The row of each scenario."""
    errors: Mapping[int, str]


def estimate_all(s: Scenarios, size: int = CHUNK) -> Estimates:
    """Return what is expected of each of any number of scenarios, computed *size* at a time."""
    with np.errstate(all="ignore"):  # what is out of all bounds is told by its result
        parts = [estimate(s.take(slice(first, first + size))) for first in range(0, max(len(s), 1), size)]
    return parts[0] if len(parts) == 1 else _join(parts)


def _join(parts: Sequence[Any]) -> Any:  # noqa: ANN401  the type of its parts
    """Join dataclasses of arrays, or of such dataclasses, field by field."""
    kind = type(parts[0])
    if kind is np.ndarray:
        return np.concatenate(parts)
    return kind(**{f.name: _join([getattr(part, f.name) for part in parts]) for f in fields(kind)})


def check(table: Mapping[str, Sequence[str]], count: int) -> CheckedTable:
    """Return the scenarios of a table's columns of text, all of *count* cells; what is missing or empty is the default.

    `topo` is `star` (the default; there are no uplinks) or `ls`; `lossless_mask` and `host_pg` (8 and 3) say on which
    priorities switches pause and which one the senders use.
    """
    rows = _Rows(table, count)
    values = {column.field: rows.read(name, column) * column.factor for name, column in COLUMNS.items()}
    for name, column in NOT_MODELLED.items():
        rows.read(name, column)
    mask, priority = (_integers(rows.read(column.field, column), column) for column in (MASK, PRIORITY))
    values["lossless_priorities"] = np.bitwise_count(mask).astype(np.float64)
    values["lossless"] = (mask >> priority & 1).astype(np.float64)
    star = rows.star()
    values["uplink_rate"] = np.where(star, 0.0, values["uplink_rate"])
    _check_together(rows, values, star)
    good = np.flatnonzero(~rows.bad)
    made = scenarios(count, {name: np.nan_to_num(value) for name, value in values.items()})
    return CheckedTable(made.take(good), good.tolist(), rows.errors())


def _check_together(rows: "_Rows", values: Mapping[str, Floats], star: Flags) -> None:
    """Refuse rows whose cells make sense alone and not together."""
    marking = values["marking"] > 0
    rows.refuse(marking & (values["kmin"] > values["kmax"]), "kmin_bytes is above kmax_bytes")
    rows.refuse(values["ignoring"] > values["senders"], "n_senders_ignore_pause is above n_senders")
    rows.refuse(values["not_reacting"] > values["senders"], "n_senders_no_dcqcn is above n_senders")
    smaller = (values["packet"] != 0) & (values["packet"] < values["payload"])
    rows.refuse(smaller, "wire_pkt_bytes is below payload_bytes")
    rows.refuse(~star & (values["uplink_rate"] == 0), "topo is ls, expected uplink_gbps above 0")


class _Rows:
    """The rows of a table while they are checked."""

    def __init__(self, table: Mapping[str, Sequence[str]], count: int) -> None:
        self._table = table
        self._messages: dict[int, list[str]] = {}
        self.bad: Flags = np.zeros(count, dtype=bool)

    def read(self, name: str, column: Column) -> Floats:
        """Return a column's numbers, the default where there is none that is allowed, and refuse those rows."""
        cells = self._table.get(name)
        if cells is None:
            return np.full(len(self.bad), float(column.default))
        numbers = _numbers(cells, column.default)
        wrong = ~(np.isfinite(numbers) & (numbers >= column.least) & (numbers <= column.most))
        if column.whole:
            wrong |= numbers != np.rint(numbers)
        self._refuse_cells(name, cells, wrong, _describe_range(column))
        return np.where(wrong, column.default, numbers)

    def star(self) -> Flags:
        """Return where one switch joins all hosts."""
        cells = self._table.get("topo")
        if cells is None:
            return np.ones(len(self.bad), dtype=bool)
        names = np.array([cell.strip() or TOPOLOGIES[0] for cell in cells], dtype=object)
        star: Flags = names == TOPOLOGIES[0]
        self._refuse_cells("topo", cells, ~star & (names != TOPOLOGIES[1]), f"one of {', '.join(TOPOLOGIES)}")
        return star

    def refuse(self, wrong: Flags, message: str) -> None:
        """Say *message* of the rows where *wrong*."""
        self.bad |= wrong
        for row in np.flatnonzero(wrong).tolist():
            self._messages.setdefault(row, []).append(message)

    def _refuse_cells(self, name: str, cells: Sequence[str], wrong: Flags, expected: str) -> None:
        self.bad |= wrong
        for row in np.flatnonzero(wrong).tolist():
            self._messages.setdefault(row, []).append(f"{name}: {_short(cells[row])}, expected {expected}")

    def errors(self) -> dict[int, str]:
        """Return by row all that is wrong with it."""
        return {row: "; ".join(messages) for row, messages in self._messages.items()}


def _numbers(cells: Sequence[str], default: float) -> Floats:
    """Return the numbers that the cells hold: the default where one is empty, not a number where it holds none."""
    filled = [cell or default for cell in cells]
    try:
        return np.array(filled, dtype=np.float64)
    except ValueError:
        return np.array([_number(cell, default) for cell in cells])


def _number(cell: str, default: float) -> float:
    try:
        return float(cell) if cell.strip() else default
    except ValueError:
        return np.nan


def _integers(numbers: Floats, column: Column) -> NDArray[np.int64]:
    return np.clip(np.nan_to_num(numbers), column.least, column.most).astype(np.int64)


def _describe_range(column: Column) -> str:
    kind = "a whole number" if column.whole else "a number"
    return f"{kind} from {column.least:g} to {column.most:g}"


def _short(cell: str) -> str:
    return printable(cell if len(cell) <= _LONGEST_SHOWN else cell[:_LONGEST_SHOWN] + "...")


def answers(checked: CheckedTable, count: int) -> Iterator[list[str]]:
    """Yield for each row of the table the texts of `RESULTS` and the error, of which one is empty."""
    refusals = refuse_unmodelled(checked)
    found = estimate_all(checked.scenarios)
    columns = (
        *(found.loss.low, found.loss.likely, found.loss.high),
        *(found.paused, np.rint(found.peak_queue)),
        *(found.goodput.low, found.goodput.likely, found.goodput.high),
        *(found.victim_goodput, found.pfc_fires, found.any_loss),
    )
    table = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    values = {
        row: numbers
        for row, numbers in zip(checked.rows, table.tolist(), strict=True)
        if row not in refusals and all(map(isfinite, numbers))
    }
    yield from lay_out(values, {**checked.errors, **refusals}, count)


def refuse_unmodelled(checked: CheckedTable) -> dict[int, str]:
    """Return by row the columns whose values the simulation alone models."""
    messages: dict[int, list[str]] = {}
    for name, column in COLUMNS.items():
        if not column.simulated:
            continue
        cells = getattr(checked.scenarios, column.field)
        for index in np.flatnonzero(cells != column.default * column.factor).tolist():
            message = f"{name}: {cells[index] / column.factor:g} needs --simulate"
            messages.setdefault(checked.rows[index], []).append(message)
    return {row: "; ".join(found) for row, found in messages.items()}


def lay_out(
    values: Mapping[int, Sequence[float]], errors: Mapping[int, str], count: int, width: int = len(RESULTS)
) -> Iterator[list[str]]:
    """Yield the texts of each row: those of its *width* values, or the reason why it has none."""
    for row in range(count):
        numbers = values.get(row)
        if numbers is None:
            yield [*[""] * width, errors.get(row, "the numbers are out of the computable range")]
        else:
            yield [*(f"{number:.10g}" for number in numbers), ""]
