"""The hand-over for programs: `roce-audit/status/1`, and its tickets alone, `roce-audit/tickets/1`."""

from typing import Any, Literal

from pydantic import Field

from auditor.engine.status.model import Action, Expiry, Status, Ticket, TicketState
from auditor.model.finding import Level
from auditor.report.campaigns import describe_campaign
from auditor.report.causes import describe_place
from auditor.report.drift_json import ChangeView, MomentView, build_change, build_moment
from auditor.report.presentation import clean_text, format_object
from auditor.report.status import describe_age, describe_cause, describe_fix
from auditor.util.redact import redact
from auditor.util.schema import describe_written
from auditor.view.base import ClosedView


class TicketView(ClosedView):
    """A ticket; its id stays the same from capture to capture."""

    id: str
    action: Action = Field(description="what the last capture makes of it")
    state: TicketState
    opened: int = Field(description="how many times it was opened")
    rule: str
    level: Level
    title: str
    body: str = Field(description="where it is, since when, how it is known to be gone, and what to type")
    devices: list[str]
    owners: list[str]
    file: str | None
    line: int | None
    first_seen: MomentView
    last_seen: MomentView
    clean: list[MomentView] = Field(description="captures after the last one that shows it, in which it is gone")


class AcknowledgedView(ClosedView):
    """An ignored finding."""

    rule: str
    device: str
    port: str | None
    message: str
    reason: str


class ExpiryView(ClosedView):
    """An ignore that ends soon."""

    rules: list[str]
    devices: list[str]
    reason: str
    file: str
    line: int
    expires: str
    days: int = Field(description="until it ends, from the day of the last capture; below zero: it has ended")


class StatusView(ClosedView):
    """The state of the fabric after many captures."""

    schema_: Literal["roce-audit/status/1"] = Field(default="roce-audit/status/1", alias="schema")
    captures: list[MomentView]
    devices: int
    tickets: list[TicketView]
    acknowledged: list[AcknowledgedView]
    expiring: list[ExpiryView]
    campaigns: list[str]
    changes: list[ChangeView] = Field(description="changes of settings since the capture before the last one")
    doubts: list[str] = Field(description="what is not to be trusted now")


class TicketsView(ClosedView):
    """The tickets of the last capture; those that were closed before it are left out."""

    schema_: Literal["roce-audit/tickets/1"] = Field(default="roce-audit/tickets/1", alias="schema")
    capture: MomentView
    tickets: list[TicketView]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the status."""
    return describe_written(StatusView)


def build_tickets_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the tickets."""
    return describe_written(TicketsView)


def render(status: Status) -> str:
    """Return the status as JSON text."""
    view = StatusView(
        captures=[build_moment(moment) for moment in status.moments],
        devices=status.devices,
        tickets=[_build_ticket(each) for each in status.tickets],
        acknowledged=[
            AcknowledgedView(
                rule=each.rule,
                device=each.device,
                port=each.port,
                message=clean_text(each.message),
                reason=clean_text(each.ignored),
            )
            for each in status.acknowledged
        ],
        expiring=[_build_expiry(each) for each in status.expiring],
        campaigns=[describe_campaign(each) for each in status.campaigns],
        changes=[build_change(each) for each in status.changes],
        doubts=[clean_text(each) for each in status.doubts],
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def render_tickets(status: Status) -> str:
    """Return the tickets as JSON text."""
    view = TicketsView(
        capture=build_moment(status.moments[-1]), tickets=[_build_ticket(each) for each in status.tickets]
    )
    return view.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _build_ticket(ticket: Ticket) -> TicketView:
    cause = ticket.cause
    return TicketView(
        id=ticket.id,
        action=ticket.action,
        state=ticket.state,
        opened=ticket.opened,
        rule=cause.rule,
        level=cause.level,
        title=clean_text(f"{cause.rule} {cause.name}: {describe_place(cause)}"),
        body=_write_body(ticket),
        devices=[clean_text(device) for device in cause.devices],
        owners=[clean_text(owner) for owner in cause.owners],
        file=cause.file,
        line=cause.line,
        first_seen=build_moment(ticket.first),
        last_seen=build_moment(ticket.seen),
        clean=[build_moment(moment) for moment in ticket.clean],
    )


def _write_body(ticket: Ticket) -> str:
    cause = ticket.cause
    lines = [describe_cause(cause), describe_age(ticket)]
    lines += [f"at {cause.file}:{cause.line}"] if cause.file and cause.line else []
    lines += [f"finding {each.rule} {format_object(each)}: {each.message}" for each in cause.findings[:20]]
    lines += [describe_fix(ticket)] if ticket.clean else []
    lines += [f"ignored: {each}" for each in dict.fromkeys(found.ignored for found in cause.findings) if each]
    if cause.remedy and not ticket.clean:
        lines += [f"type on {cause.remedy.os}:", *(f"  {line}" for line in redact(cause.remedy.text).splitlines())]
    return "\n".join(clean_text(line) for line in lines)


def _build_expiry(each: Expiry) -> ExpiryView:
    return ExpiryView(
        rules=list(each.ignore.rules),
        devices=list(each.ignore.devices),
        reason=clean_text(str(each.ignore)),
        file=each.ignore.file,
        line=each.ignore.line,
        expires=str(each.ignore.expires),
        days=each.days,
    )
