"""A remedy applied to a dump in memory: as a second dump would show it, with the lines typed before."""

from collections.abc import Sequence

from auditor.diagnosis.remedies import list_typed
from auditor.model.dump import Capture
from auditor.systems import systems


def apply_remedy(remedy: str, os: str, captures: Sequence[Capture]) -> tuple[Capture, ...] | None:
    """Return *captures* after the lines of *remedy* were typed; None where their effect cannot be stated."""
    syntax = systems()[os].remedies
    if syntax is None or syntax.apply is None:
        return None
    return syntax.apply(list_typed(remedy), captures)
