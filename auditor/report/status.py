"""The hand-over for people, on one screen: what is not to be trusted, new, open, fixed, acknowledged and expiring."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.engine.drift.model import Change, Moment
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.status.model import Action, Expiry, Status, Ticket, TicketState
from auditor.model.finding import Level
from auditor.report.campaigns import describe_campaign
from auditor.report.causes import describe_place
from auditor.report.drift import describe_places
from auditor.report.presentation import clean_text, format_object
from auditor.util.printable import printable

WIDTH = 100
MOST = 5
"""Lines of one part; the rest is counted."""


def render(status: Status) -> str:
    """Return the status as text."""
    lines = [*_list_head(status)]
    for title, rows in _list_parts(status):
        if rows:
            name, colon, rest = title.partition(": ")
            lines += [f"{name} ({len(rows)}){colon}{rest}", *(f"  {row}" for row in rows[:MOST])]
            lines += [f"  and {len(rows) - MOST} more"] if len(rows) > MOST else []
    return "".join(f"{clip(printable(clean_text(line)))}\n" for line in lines)


def clip(line: str) -> str:
    """Return a line that fits the width."""
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 4].rstrip()} ..."


def _list_head(status: Status) -> Iterator[str]:
    first, last = status.moments[0], status.moments[-1]
    count = len(status.moments)
    span = f", {count} captures since {name_day(first)}" if count > 1 else ""
    yield f"status on {name_day(last)}{span}, {status.devices} device{'' if status.devices == 1 else 's'}"
    levels = Counter(each.cause.level for each in status.tickets if each.state is TicketState.OPEN)
    words = [f"{levels[level]} {level.value}{'' if levels[level] == 1 else 's'}" for level in Level if levels[level]]
    total = levels.total()
    yield f"{total} open cause{'' if total == 1 else 's'}{': ' if words else ''}{', '.join(words)}"


def name_day(moment: Moment) -> str:
    """Return the day of a capture, its label where no day is known."""
    return moment.time[:10] or moment.label


def _list_parts(status: Status) -> Iterator[tuple[str, Sequence[str]]]:
    before = name_day(status.moments[-2]) if len(status.moments) > 1 else ""
    since = f" since {before}" if before else ""
    new = status.of(Action.OPEN)
    stay = [each for each in status.tickets if each.state is TicketState.OPEN and each.action is not Action.OPEN]
    gone = [each for each in status.tickets if each.state in {TicketState.CLOSING, TicketState.CLOSED}]
    yield "not to be trusted now", status.doubts
    yield f"new{since}", [describe_ticket(each) for each in new]
    yield f"open for longer{_count_owners(stay)}", [f"{describe_age(each)}: {describe_ticket(each)}" for each in stay]
    yield "fixed", [f"{describe_fix(each)}: {describe_cause(each.cause)}" for each in gone]
    yield "acknowledged", [*_list_acknowledged(status.acknowledged)]
    yield "ignores that end soon", [describe_expiry(each) for each in status.expiring]
    yield "campaigns", [describe_campaign(each).removeprefix("campaign ") for each in status.campaigns]
    unexplained = [each for each in status.changes if not each.explained_by]
    yield f"unexplained changes{since}", [_describe_change(each) for each in unexplained]


def _count_owners(tickets: Sequence[Ticket]) -> str:
    """Return on whom how many tickets wait, as a part of a title; empty where owners are not declared."""
    owners = Counter(owner for each in tickets for owner in each.cause.owners)
    words = [f"{count} on {owner}" for owner, count in sorted(owners.items())]
    left = sum(not each.cause.owners for each in tickets)
    words += [f"{left} without owner"] if left and words else []
    return f": {', '.join(words)}" if words else ""


def describe_cause(cause: Cause) -> str:
    """Return a cause in one line."""
    return f"{cause.level.value}[{cause.rule}] {describe_place(cause)}: {cause.message}"


def describe_ticket(ticket: Ticket) -> str:
    """Return a ticket in one line: on whom it waits, and its cause."""
    owners = f"{' and '.join(ticket.cause.owners)}: " if ticket.cause.owners else ""
    again = f" (for the {ticket.opened}. time)" if ticket.opened > 1 else ""
    return f"{owners}{describe_cause(ticket.cause)}{again}"


def describe_age(ticket: Ticket) -> str:
    """Return since when a ticket is open, and whether the last capture shows it."""
    unseen = f", seen last in {name_day(ticket.seen)}" if ticket.is_unseen else ""
    return f"since {name_day(ticket.first)}{unseen}"


def describe_fix(ticket: Ticket) -> str:
    """Return how it is known that a cause is gone."""
    shown = " and ".join(name_day(moment) for moment in ticket.clean)
    counters = f", {ticket.quiet}" if ticket.quiet else ""
    left = "" if ticket.state is TicketState.CLOSED else ", closed with one more"
    unseen = ", unknown in the last one" if ticket.is_unseen else ""
    return f"clean in {shown}{counters}{left}{unseen}"


def _list_acknowledged(found: Sequence[ReportedFinding]) -> Iterator[str]:
    """Yield what is ignored, the places of one rule with one reason together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in found:
        groups.setdefault((each.rule, each.ignored), []).append(format_object(each))
    for (rule, reason), places in groups.items():
        yield f"{rule} {places[0]}{f' and {len(places) - 1} more' if len(places) > 1 else ''}: {reason}"


def describe_expiry(each: Expiry) -> str:
    """Return when an ignore ends."""
    when = f"ended on {each.ignore.expires}" if each.days < 0 else f"ends in {each.days} days"
    return f"{', '.join(each.ignore.rules)} at {', '.join(each.ignore.devices)}: {when}: {each.ignore}"


def _describe_change(change: Change) -> str:
    first = change.settings[0]
    more = f" and {len(change.settings) - 1} more" if len(change.settings) > 1 else ""
    return f"{describe_places(change)} {first.path}: {first.before.text} -> {first.after.text}{more}"
