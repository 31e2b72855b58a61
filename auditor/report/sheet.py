"""A sheet of text at most 80 columns wide: facts and tables, each value with its origin and its line."""

from collections.abc import Iterable, Iterator

from auditor.report.columns import lay_row, wrap_text
from auditor.report.facts import Fact
from auditor.report.grid import Grid, list_grid, list_reasons
from auditor.report.proofs import Proofs
from auditor.util.values import dataclass

LABEL = 18
_LABEL_AND_TEXT, _PROOF = 49, 27


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a sheet: a title, facts, a table, and lines that are drawn already.

    `label` is how many characters wide the labels of the facts are.
    """

    title: str
    facts: tuple[Fact, ...] = ()
    grid: Grid | None = None
    lines: tuple[str, ...] = ()
    label: int = LABEL


def render_sheet(title: str, sections: Iterable[Section]) -> str:
    """Return the sheet as text; a section without content is left out."""
    proofs = Proofs()
    lines = wrap_text(title)
    for section in sections:
        table = list_grid(section.grid, proofs) if section.grid and section.grid.rows else ()
        body = [*_list_facts(section, proofs), *table, *section.lines]
        if body:
            lines += ["", *wrap_text(section.title), *body]
    return "\n".join([*lines, "", *proofs.list_legend()]) + "\n"


def _list_facts(section: Section, proofs: Proofs) -> Iterator[str]:
    width = _LABEL_AND_TEXT - section.label
    for fact in section.facts:
        if fact.is_known:
            proof = proofs.describe([fact.state]) if fact.state else ""
            value = [(fact.text, width), (proof, _PROOF)] if proof else [(fact.text, width + 1 + _PROOF)]
            yield from lay_row([(fact.label, section.label), *value])
    yield from list_reasons([(fact.label, [("", fact)]) for fact in section.facts], proofs)
