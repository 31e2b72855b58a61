"""The hand-over as one run: each capture audited by the intent of today, its causes followed, the last one compared."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from auditor.diagnosis.counters import PortSymptom, judge_counters
from auditor.engine.causes import add_causes
from auditor.engine.drift.changes import Tables, list_changes, remember
from auditor.engine.drift.explain import PlannedChange, explain
from auditor.engine.drift.history import History, expand_paths
from auditor.engine.drift.judge import Evidence, Judging, add_counters, judge_state, read_campaigns
from auditor.engine.drift.model import Moment, SeenDevice, State
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import Cause
from auditor.engine.fix.trial import find_left
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.sides import today
from auditor.engine.status.model import Expiry, Status, Ticket, TicketFinding, TicketState
from auditor.engine.status.tickets import Tickets
from auditor.engine.texts import bound_text
from auditor.inputs.rawtext import Problem
from auditor.model.finding import FindingKind

SOON_DAYS = 14
"""Days before the end of an ignore from which on the hand-over lists it."""


def take_over(
    paths: Sequence[str], options: Options, *, since: str = "", planned: Sequence[PlannedChange] = ()
) -> Status:
    """Return the state of the fabric after the captures in *paths*, as `drift` takes them; raises CannotAudit.

    *planned* explains changes of settings.
    """
    paths = expand_paths("status", paths, since)
    with Dumps(options) as dumps:
        history = History(dumps)
        judging = Judging(paths[-1], dumps, options)
        tickets, tables = Tickets(), Tables()
        seen: dict[str, SeenDevice] = {}
        moments: list[Moment] = []
        changes, judged, before = [], None, None
        for state in history.read(paths, since):
            judged = _judge(state, before, judging)
            evidence = Evidence(state)
            tickets.add(state.at, judged.report.causes, evidence.name, _find_unclear(judged, evidence))
            changes = list_changes(seen, moments[-1], state, tables) if moments else []
            seen.update((name, remember(seen.get(name), d, state.at, tables)) for name, d in state.devices.items())
            tables.forget(each.device for each in seen.values())
            moments.append(state.at)
            before = state
        if judged is None or before is None:
            raise CannotAudit("status: no capture was read")
        if not before.devices:
            history.note([Problem(before.at.label, None, "no dump in this capture: nothing is known of it")])
        campaigns = read_campaigns(judging)
        told = tuple(replace(each, explained_by=explain(each, planned, campaigns)) for each in changes)
        present = sorted(tickets.list_present(), key=_rank)
        for ticket in present:
            ticket.quiet = _describe_counters(ticket, judged)
        return Status(
            tuple(moments),
            len(before.devices),
            tuple(present),
            judged.report.of_kind(FindingKind.IGNORED),
            tuple(_list_expiring(judged, _find_day(before.at))),
            judged.report.campaigns,
            told,
            tuple(_list_doubts(judged, seen, before)),
            (*history.problems, *tables.problems),
        )


def _judge(state: State, before: State | None, judging: Judging) -> JudgedFabric:
    """Return a state judged, with the causes of its faults, and the growth of its counters since the one before.

    What the site ignores has causes, too: these are acknowledged.
    """
    judged = judge_state(add_counters(before, state) if before else state, judging)
    options, report = judging.options, judged.report
    bounds = bound_text(options.device_seconds, options.device_memory, report.devices)
    ignored = tuple(replace(each, kind=FindingKind.FAIL) for each in report.of_kind(FindingKind.IGNORED))
    open_ones, hidden = (
        add_causes(each, judged.model, judged.intents, bounds) for each in (report, replace(report, findings=ignored))
    )
    return replace(judged, report=replace(open_ones, causes=(*open_ones.causes, *hidden.causes)))


def _find_unclear(judged: JudgedFabric, evidence: Evidence) -> Callable[[TicketFinding], bool]:
    """Return whether a state that does not show a finding cannot tell.

    Its device is missing, its object is open, or the capture that proved it was not taken again.
    """
    is_left = find_left(judged, ())
    return lambda proved: is_left(proved.found) or not evidence.has(proved.found.device, proved.capture)


def _rank(ticket: Ticket) -> tuple[bool, int, tuple[float, ...], str]:
    is_gone = ticket.state is not TicketState.OPEN
    return is_gone, ticket.cause.level.rank, ticket.cause.cost_rank, ticket.id


def _describe_counters(ticket: Ticket, judged: JudgedFabric) -> str:
    """Return what the counters of a cause that is gone did since the capture before; empty where none is shown."""
    if ticket.state is TicketState.OPEN:
        return ""
    grown = [each for each in _list_growths(ticket.cause, judged) if each[1] is not None]
    if not grown:
        return ""
    moving = next((each for each in grown if each[1]), None)
    return f"{moving[0]} still grows" if moving else f"{grown[0][0]} stands still"


def _list_growths(cause: Cause, judged: JudgedFabric) -> Iterator[tuple[str, int | None]]:
    traced = [PortSymptom(f.device, f.port, f.symptom) for f in cause.findings if f.port and f.symptom]
    for verdict in judge_counters(judged.model, traced):
        for each in verdict.evidence if verdict else ():
            yield f"{each.name} of {each.device} {each.port}", each.growth.count if each.growth else None


def _find_day(moment: Moment) -> date:
    """Return the day of a capture, that of the run where none is known."""
    return date.fromisoformat(moment.time[:10]) if moment.time else today()


def _list_expiring(judged: JudgedFabric, day: date) -> Iterator[Expiry]:
    ignores = [each for each in judged.intents.ignores if each.expires]
    for each in sorted(ignores, key=lambda ignore: ignore.expires or day):
        days = ((each.expires or day) - day).days
        if days <= SOON_DAYS:
            yield Expiry(each, days)


def _list_doubts(judged: JudgedFabric, seen: dict[str, SeenDevice], last: State) -> Iterator[str]:
    """Yield what is not known now: devices not seen, dumps that could not be read, parts, and what is old."""
    report = judged.report
    for name, each in seen.items():
        if name not in last.devices:
            yield f"{name} is not in the last capture, seen last in {each.at.label}"
    yield from (f"{each.file}: {each.message}" if each.file else each.message for each in report.problems)
    yield from (each.message for each in report.expectation.missing) if report.expectation else ()
    for device in judged.model.devices:
        if device.part is not None:
            yield f"{device.name}: only a part of its configuration was captured"
