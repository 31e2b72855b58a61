"""Causes over time, and all that a hand-over tells."""

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from auditor.engine.campaigns import CampaignState
from auditor.engine.drift.model import Change, Moment
from auditor.engine.findings import Cause, ReportedFinding
from auditor.inputs.rawtext import Problem
from auditor.intent.ignore import Ignore
from auditor.util.values import dataclass


class TicketState(StrEnum):
    """Whether a cause is there."""

    OPEN = "open"
    CLOSING = "closing"
    """One capture shows it gone."""
    CLOSED = "closed"
    """Two captures, one after the other, show it gone."""
    ACKNOWLEDGED = "acknowledged"
    """The site ignores all of it."""


class Action(StrEnum):
    """What the last capture makes of a ticket."""

    OPEN = "open"
    UPDATE = "update"
    CLOSE = "close"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TicketFinding:
    """A finding, and the capture that proved it, by the command or the name of its file."""

    found: ReportedFinding
    capture: str


@dataclass(slots=True)
class Ticket:
    """A cause over time; its id is that of the cause when it was seen first.

    `findings` are all that it has had so far by their fingerprints, each with the capture that proved it. `seen` is the
    capture that shows it last, `clean` are those after it that show it gone. `is_unseen`: the last capture cannot tell.
    `quiet` says of a cause that is gone what its counters did since, empty where no capture shows these.
    """

    id: str
    cause: Cause
    first: Moment
    seen: Moment
    findings: dict[str, TicketFinding]
    clean: list[Moment] = field(default_factory=list)
    action: Action = Action.OPEN
    state: TicketState = TicketState.OPEN
    is_unseen: bool = False
    opened: int = 1
    quiet: str = ""


@dataclass(frozen=True, slots=True)
class Expiry:
    """An ignore that ends soon, and the days until then; below zero: it has ended."""

    ignore: Ignore
    days: int


@dataclass(frozen=True, slots=True)
class Status:
    """The hand-over: `tickets` without those closed before the last capture, the worst first.

    `doubts` say what is not to be trusted now. `changes` are those of settings since the capture before the last one.
    """

    moments: tuple[Moment, ...]
    devices: int
    tickets: tuple[Ticket, ...]
    acknowledged: tuple[ReportedFinding, ...]
    expiring: tuple[Expiry, ...]
    campaigns: tuple[CampaignState, ...]
    changes: tuple[Change, ...]
    doubts: tuple[str, ...]
    problems: tuple[Problem, ...]

    def of(self, *actions: Action) -> Sequence[Ticket]:
        """Return the tickets with one of *actions*."""
        return [each for each in self.tickets if each.action in actions]

    @property
    def is_clean(self) -> bool:
        """Whether no cause is open, and nothing is in doubt."""
        done = {TicketState.CLOSED, TicketState.ACKNOWLEDGED}
        return not self.doubts and all(each.state in done for each in self.tickets)
