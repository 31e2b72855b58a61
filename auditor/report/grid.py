"""A table of a sheet: its cells, the proofs of its columns, and why cells are not known."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from auditor.report.columns import fit_widths, lay_row
from auditor.report.facts import Fact, fold_names
from auditor.report.proofs import Proofs
from auditor.util.values import dataclass
from auditor.view.documents import StateView

UNKNOWN = "?"
_WHAT, _PROOF = 38, 39
_STATE, _WHY = 18, 59

Row: TypeAlias = tuple[str, tuple[Fact, ...]]
"""The key of a row, and its facts."""
_Kind: TypeAlias = tuple[str, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the name of its keys, and rows of facts with the same labels in each."""

    key: str
    rows: tuple[Row, ...]


def list_grid(grid: Grid, proofs: Proofs) -> Iterator[str]:
    """Yield the lines of *grid*; a column without a known value stands below the table alone, with the reason."""
    labels = [fact.label for fact in grid.rows[0][1]]
    shown = [n for n, _ in enumerate(labels) if any(row[n].is_known for _, row in grid.rows)]
    if shown:
        cells = [[key, *(row[n].text if row[n].is_known else UNKNOWN for n in shown)] for key, row in grid.rows]
        table = [[grid.key, *(labels[n] for n in shown)], *cells]
        widths = fit_widths(table)
        for line in table:
            yield from lay_row(list(zip(line, widths, strict=True)))
    columns = [(label, [(key, row[n]) for key, row in grid.rows]) for n, label in enumerate(labels)]
    yield from list_proofs(columns, proofs)
    yield from list_reasons(columns, proofs)


Column: TypeAlias = tuple[str, Sequence[tuple[str, Fact]]]
"""A label, and the facts below it with the keys of their rows."""


def list_proofs(columns: Sequence[Column], proofs: Proofs) -> Iterator[str]:
    """Yield the proofs of known values, those that share it together."""
    for names, states in _group_states(columns, is_known=True):
        yield from lay_row([(names, _WHAT), (proofs.describe(states), _PROOF)])


def list_reasons(columns: Sequence[Column], proofs: Proofs) -> Iterator[str]:
    """Yield why values are not known, those that share the reason together."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for names, states in _group_states(columns, is_known=False):
        reasons.setdefault(proofs.explain(states), []).append(names)
    for (state, why), values in reasons.items():
        yield from lay_row([(state, _STATE), (f"{'; '.join(values)}: {why}", _WHY)])


def _group_states(columns: Sequence[Column], *, is_known: bool) -> Iterator[tuple[str, list[StateView]]]:
    """Yield labels and keys of the values whose states are of one kind and stand at the same lines, and the states."""
    groups: dict[tuple[_Kind, tuple[str, ...], tuple[StateView, ...]], list[str]] = {}
    whole = {label: tuple(key for key, fact in facts) for label, facts in columns}
    for label, facts in columns:
        kinds: dict[_Kind, list[tuple[str, StateView]]] = {}
        for key, fact in facts:
            if fact.state and fact.is_known is is_known:
                kinds.setdefault(_find_kind(fact.state), []).append((key, fact.state))
        for kind, found in kinds.items():
            keys = tuple(key for key, _ in found)
            at = (kind, () if keys == whole[label] else keys, tuple(state for _, state in found))
            groups.setdefault(at, []).append(label)
    for (_, keys, states), labels in groups.items():
        yield f"{', '.join(labels)}{f' of {fold_names(keys)}' if keys else ''}", list(states)


def _find_kind(state: StateView) -> _Kind:
    """Return all of a state but its line."""
    return state.state, state.origin, state.file, state.why
