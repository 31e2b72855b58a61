"""A sheet of text at most 80 columns wide: facts and tables, each value with its origin and its line."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from auditor.report.columns import lay_row, wrap_text
from auditor.report.facts import Fact
from auditor.report.grid import Grid, list_grid, list_reasons
from auditor.report.proofs import Proofs

_LABEL, _TEXT, _PROOF = 18, 31, 27
_WIDE = _TEXT + 1 + _PROOF


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a sheet: a title, facts, a table, and lines that are drawn already."""

    title: str
    facts: tuple[Fact, ...] = ()
    grid: Grid | None = None
    lines: tuple[str, ...] = ()


def render_sheet(title: str, sections: Iterable[Section]) -> str:
    """Return the sheet as text; a section without content is left out."""
    proofs = Proofs()
    lines = wrap_text(title)
    for section in sections:
        table = list_grid(section.grid, proofs) if section.grid and section.grid.rows else ()
        body = [*_list_facts(section.facts, proofs), *table, *section.lines]
        if body:
            lines += ["", *wrap_text(section.title), *body]
    return "\n".join([*lines, "", *proofs.list_legend()]) + "\n"


def _list_facts(facts: Sequence[Fact], proofs: Proofs) -> Iterator[str]:
    for fact in facts:
        if fact.is_known:
            proof = proofs.describe([fact.state]) if fact.state else ""
            value = [(fact.text, _TEXT), (proof, _PROOF)] if proof else [(fact.text, _WIDE)]
            yield from lay_row([(fact.label, _LABEL), *value])
    yield from list_reasons([(fact.label, [("", fact)]) for fact in facts], proofs)
