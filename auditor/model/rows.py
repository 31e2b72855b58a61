"""Rows of a configuration that the system itself refuses, that have no effect, or that contradict each other."""

from enum import StrEnum

from auditor.model.finding import Level, Related
from auditor.model.setting import Where
from auditor.util.values import dataclass


class RowFaultKind(StrEnum):
    """The kind of a fault of a row; each has its rule."""

    REFUSED_BY_MODEL = "refused-by-model"
    """The system's own model of its configuration does not allow the row."""
    REFUSED_BY_SWITCH = "refused-by-switch"
    """A log or the reply to a command says that the switch did not take the row."""
    IDLE_CURVE = "idle-curve"
    """A curve neither marks nor drops, because no colour is enabled."""
    NO_LOOKUP = "no-lookup"
    """The platform's table of headroom has no line for the speed and cable of a port."""
    TWICE_SORTED = "twice-sorted"
    """A code point stands in the lists of two classes."""


@dataclass(frozen=True, slots=True)
class RowFault:
    """A fault of a row, with its place; `key` tells it apart on one device and holds no line number."""

    key: str
    message: str
    where: Where
    level: Level | None = None
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class RowCheck:
    """The faults of one kind, found where the dumps hold what decides; a device without that has no such check."""

    kind: RowFaultKind
    faults: tuple[RowFault, ...]
