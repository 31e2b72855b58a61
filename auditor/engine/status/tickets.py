"""Causes followed from capture to capture, so that one that comes and goes does not flap."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from auditor.engine.drift.model import Moment
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.status.model import Action, Ticket, TicketFinding, TicketState

CLEAN_CAPTURES = 2
"""Captures, one after the other, that have to show a cause gone before its ticket is closed."""


class Tickets:
    """The tickets of a fabric, capture by capture."""

    def __init__(self) -> None:
        self._all: list[Ticket] = []

    def add(
        self,
        moment: Moment,
        causes: Sequence[Cause],
        name_capture: Callable[[ReportedFinding], str],
        is_unclear: Callable[[TicketFinding], bool],
    ) -> None:
        """Take in the causes that a capture shows, with those that the site ignores.

        A cause is of each ticket that has one of its findings. *name_capture* says what proves a finding, *is_unclear*
        of one that the capture does not show whether it cannot tell.
        """
        taken: set[str] = set()
        by_print: dict[str, list[Ticket]] = {}
        for ticket in self._all:
            for each in ticket.findings:
                by_print.setdefault(each, []).append(ticket)
        for cause in causes:
            proved = {found.fingerprint: TicketFinding(found, name_capture(found)) for found in cause.findings}
            known = {id(ticket): ticket for each in proved for ticket in by_print.get(each, ())}
            for ticket in known.values():
                _see(ticket, cause, proved, moment, is_first=ticket.id not in taken)
                taken.add(ticket.id)
            if not known:
                made = Ticket(cause.id, cause, moment, moment, proved)
                _acknowledge(made)
                self._all.append(made)
                taken.add(cause.id)
        for ticket in self._all:
            if ticket.id not in taken:
                _miss(ticket, moment, is_unclear=any(map(is_unclear, ticket.findings.values())))

    def list_present(self) -> Iterator[Ticket]:
        """Yield the tickets that are open or acknowledged, and those that the last capture closed."""
        yield from (each for each in self._all if each.state is not TicketState.CLOSED or each.action is Action.CLOSE)


def _see(ticket: Ticket, cause: Cause, proved: Mapping[str, TicketFinding], moment: Moment, *, is_first: bool) -> None:
    """Note that a capture shows the cause of a ticket; of several causes of one ticket the first one describes it."""
    is_again = ticket.state is TicketState.CLOSED
    ticket.opened += is_again
    if is_first:
        has_changed = _describe(ticket.cause) != _describe(cause)
        ticket.action = Action.OPEN if is_again else Action.UPDATE if has_changed else Action.NONE
        ticket.cause = cause
    ticket.findings.update(proved)
    ticket.seen, ticket.clean, ticket.state, ticket.is_unseen = moment, [], TicketState.OPEN, False
    _acknowledge(ticket)


def _acknowledge(ticket: Ticket) -> None:
    """Note that the site ignores all of the cause of a ticket, which then is to be closed."""
    if all(found.ignored for found in ticket.cause.findings):
        ticket.state, ticket.action = TicketState.ACKNOWLEDGED, Action.CLOSE


def _miss(ticket: Ticket, moment: Moment, *, is_unclear: bool) -> None:
    """Note that a capture does not show the cause of a ticket."""
    ticket.is_unseen = is_unclear
    ticket.action = Action.NONE
    if ticket.state is TicketState.CLOSED or is_unclear:
        return
    ticket.clean.append(moment)
    ticket.state = TicketState.CLOSING
    if len(ticket.clean) >= CLEAN_CAPTURES:
        ticket.state, ticket.action = TicketState.CLOSED, Action.CLOSE


def _describe(cause: Cause) -> object:
    """Return what readers of a ticket care for."""
    return cause.level, cause.rule, cause.devices, cause.ports, cause.owners, cause.message
