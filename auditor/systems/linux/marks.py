"""Marks of lines: the state of each line of a capture."""

from functools import lru_cache

from auditor.model.dump import LineState
from auditor.systems.linux.evidence import LineMark

_MOST = 1024  # marks are alike in all captures, and few captures are longer


@lru_cache(maxsize=_MOST)
def mark_modelled(index: int) -> LineMark:
    """Return the mark of a line that gave a value."""
    return LineMark(index, LineState.MODELLED)


@lru_cache(maxsize=_MOST)
def mark_ignored(index: int) -> LineMark:
    """Return the mark of a line without content."""
    return LineMark(index, LineState.IGNORED)


@lru_cache(maxsize=_MOST)
def mark_not_modelled(index: int) -> LineMark:
    """Return the mark of a line whose content has no place in the model."""
    return LineMark(index, LineState.NOT_MODELLED)
