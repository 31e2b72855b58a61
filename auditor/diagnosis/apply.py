"""A remedy applied to a dump in memory: the lines are read as typed after what the dump holds."""

from collections.abc import Sequence

from auditor.model.dump import Capture
from auditor.systems import systems

FILE = "remedy"
"""The name of the capture that holds the lines."""
_COMMENTS = ("!", "#")


def apply_remedy(remedy: str, os: str, captures: Sequence[Capture]) -> tuple[Capture, ...] | None:
    """Return *captures* with the lines of *remedy* typed after them; None where the system's lines are not read."""
    syntax = systems()[os].remedies
    if syntax is None or syntax.type_lines is None:
        return None
    lines = [line for line in remedy.splitlines() if not line.lstrip().startswith(_COMMENTS)]
    return (*captures, Capture(FILE, syntax.type_lines(lines)))
