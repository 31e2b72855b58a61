"""A remedy applied to a dump in memory: as a second dump would show it, with the lines typed before."""

from collections.abc import Sequence

from auditor.model.dump import Capture
from auditor.systems import systems

_COMMENTS = ("!", "#")


def apply_remedy(remedy: str, os: str, captures: Sequence[Capture]) -> tuple[Capture, ...] | None:
    """Return *captures* after the lines of *remedy* were typed; None where their effect cannot be stated."""
    syntax = systems()[os].remedies
    if syntax is None or syntax.apply is None:
        return None
    lines = [line for line in remedy.splitlines() if not line.lstrip().startswith(_COMMENTS)]
    return syntax.apply(lines, captures)
