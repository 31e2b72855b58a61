"""Physical facts beside a fault, in words."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from auditor.diagnosis.physical import PhysicalFact
from auditor.engine.findings import ReportedFinding
from auditor.report.presentation import clean_text, format_number
from auditor.util.redact import redact

_LABELS = {"temperature_c": "", "rx_power_dbm": "weakest lane ", "part_number": "", "kind": "", "length_m": ""}
"""What stands before a value; before that of a counter stands its name."""


def summarise_physical(findings: Sequence[ReportedFinding], path: Callable[[str], str] = str) -> str:
    """Return the facts beside the first finding that has some, each end with a line; empty without facts.

    *path* shortens the name of a file.
    """
    told = [found for found in findings if found.physical]
    if not told:
        return ""
    ends = groupby(told[0].physical, key=lambda fact: (fact.device, fact.port))
    said = f"beside: {'; '.join(_format_end(name, tuple(facts), path) for name, facts in ends)}"
    return said if len(told) == 1 else f"{said}; more at {len(told) - 1} of {len(findings)} findings"


def _format_end(name: tuple[str, str], facts: Sequence[PhysicalFact], path: Callable[[str], str]) -> str:
    values = ", ".join(_list_values(facts))
    return f"{clean_text(' '.join(name))} {values} ({clean_text(path(facts[0].file))}:{facts[0].line})"


def _list_values(facts: Sequence[PhysicalFact]) -> Iterator[str]:
    for fact in facts:
        value = format_number(fact.value) if isinstance(fact.value, (int, float)) else redact(fact.value)
        label = _LABELS.get(fact.name, f"{fact.name} ")
        yield clean_text(f"{label}{value} {fact.unit}".strip())
