"""Tables as dataclasses of arrays, one element per row: take rows out, merge two tables, put rows back."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Table = TypeVar("Table", bound=DataclassInstance)
else:
    Table = TypeVar("Table")

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def take(table: Table, index: NDArray[Any] | slice) -> Table:
    """Return the rows of a table, and of tables within it, that a mask, an array of indices or a slice selects."""
    return replace(table, **{f.name: _pick(getattr(table, f.name), index) for f in fields(table)})


def _pick(column: Any, index: NDArray[Any] | slice) -> Any:  # noqa: ANN401  an array or a table
    return column[index] if isinstance(column, np.ndarray) else take(column, index)


def merge(mask: Flags, inside: Table, outside: Table) -> Table:
    """Return a table with the rows of *inside* where the mask holds and those of *outside* elsewhere."""
    picked = {f.name: np.where(mask, getattr(inside, f.name), getattr(outside, f.name)) for f in fields(inside)}
    return replace(inside, **picked)


def put(table: Table, mask: Flags, part: Table) -> Table:
    """Return a table whose rows under the mask are those of *part*, which has no others."""
    values = {f.name: getattr(table, f.name).copy() for f in fields(table)}
    for name, column in values.items():
        column[mask] = getattr(part, name)
    return replace(table, **values)
