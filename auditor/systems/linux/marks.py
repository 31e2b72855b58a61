"""Marks of lines: the state of each line of a capture."""

from auditor.model.dump import LineState
from auditor.systems.linux.evidence import LineMark


def mark_modelled(index: int) -> LineMark:
    """Return the mark of a line that gave a value."""
    return LineMark(index, LineState.MODELLED)


def mark_ignored(index: int) -> LineMark:
    """Return the mark of a line without content."""
    return LineMark(index, LineState.IGNORED)


def mark_not_modelled(index: int) -> LineMark:
    """Return the mark of a line whose content has no place in the model."""
    return LineMark(index, LineState.NOT_MODELLED)
