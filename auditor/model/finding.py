"""Findings: the output of checks, with exactly one primary place each."""

from enum import StrEnum
from typing import TypeAlias

from auditor.model.setting import Where
from auditor.util.values import dataclass


class Level(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """Return 0 for the worst."""
        return _RANKS[self]


_RANKS = {level: rank for rank, level in enumerate(Level)}


class FindingKind(StrEnum):
    """The kind of a finding: a failure, an object left open, or a failure that the site ignores."""

    FAIL = "fail"
    OPEN = "open"
    IGNORED = "ignored"


class LossKind(StrEnum):
    """The loss that a failure causes at its port, the input of the loss model."""

    LOSSY = "lossy"
    """RDMA packets may be dropped here: no pause protects their class."""
    NOT_SENT = "not-sent"
    """The port sends no pauses for the priority."""
    NOT_HONOURED = "not-honoured"
    """The port goes on sending when it is paused."""
    SHORT_HEADROOM = "short-headroom"
    NO_MARKS = "no-marks"
    """Congestion is not marked, so only pauses slow senders down."""
    NO_REACTION = "no-reaction"
    """Marks slow no sender down."""
    BLACK_HOLE = "black-hole"
    """Packets above the port's MTU are dropped, all of them."""


class Sign(StrEnum):
    """A sign of an active fault in counters; `auditor.diagnosis.counters` confirms findings by signs."""

    PAUSES_NOT_HONOURED = "pauses-not-honoured"
    DISCARDED_ON_ARRIVAL = "discarded-on-arrival"
    QUEUE_OVERFLOWS = "queue-overflows"
    WRED_DROPS = "wred-drops"
    PAUSED = "paused"
    LINK_PAUSED = "link-paused"
    TOO_LONG = "too-long"
    MARKS_UNANSWERED = "marks-unanswered"
    CNPS_IGNORED = "cnps-ignored"
    NEVER_RECEIVED_AS = "never-received-as"
    NEVER_SENT_AS = "never-sent-as"
    PAUSE_STORM = "pause-storm"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Symptom:
    """The counter signs of a fault, with the priorities, queue or priority group of the port."""

    signs: tuple[Sign, ...]
    priorities: tuple[int, ...] = ()
    queue: int | None = None
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Another place of a finding, with a message.

    `is_at_odds`: its value and the one that the finding calls wrong do not agree, and either may be the one to edit.
    `is_alike`: the same fault stands there, and has to be cured there as well.
    """

    message: str
    where: Where
    is_at_odds: bool = False
    is_alike: bool = False


Facts: TypeAlias = tuple[tuple[str, str | int | float], ...]
"""Numbers and names for a remedy, each with the name of its place there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check.

    `key` tells apart several findings of one check on one object, such as the priority; it goes into the fingerprint
    and never holds a line number. `level` overrides the rule's. `device` and `port` name the object at fault where a
    check looks at more than one; they are empty where it is the object that was given. `loss` is None where the loss
    model has nothing to say, `symptom` where no counter can show the fault. `is_certain`: it holds within the object or
    by arithmetic, and keeps its level however uncertain the intent is. `facts` are numbers and names for the remedy.
    `gives_way`: another rule that finds fault with the same line at the same port speaks alone. `circle` are the ports
    that wait for each other, each a device and a port, one after the other.
    """

    message: str
    where: Where | None
    key: str = ""
    related: tuple[Related, ...] = ()
    level: Level | None = None
    device: str = ""
    port: str = ""
    loss: LossKind | None = None
    symptom: Symptom | None = None
    is_certain: bool = False
    facts: Facts = ()
    gives_way: bool = False
    circle: tuple[tuple[str, str], ...] = ()
