"""What explains a change: the message of its commit, or a list of changes that a site keeps."""

from collections.abc import Sequence
from datetime import date, datetime
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from auditor.engine.drift.model import Change
from auditor.engine.errors import CannotAudit
from auditor.intent import Campaign
from auditor.util.filesystem import explain_encoding
from auditor.util.model_config import CLOSED
from auditor.util.regex import regex
from auditor.util.schema import describe_read
from auditor.util.yamlfile import YamlError, load

MAX_CHANGES_BYTES = 2**22
_TICKET = regex(r"(?<![\w-])(?:[A-Z][A-Z0-9]{1,9}-\d{1,9}|(?:CHG|CR|RFC|INC|CHANGE)[ #-]?\d{2,12}|#\d{1,9})(?!\w)")
"""Numbers of tickets as Jira, ServiceNow, GitHub and GitLab write them."""


class _ReadModel(BaseModel):
    model_config = CLOSED


class PlannedChange(_ReadModel):
    """A change that a site has approved: where, which settings (patterns of shells), to what, and when."""

    id: str = Field(min_length=1, max_length=200)
    devices: list[str] = Field(default_factory=lambda: ["*"], description="patterns of names of devices")
    ports: list[str] = Field(
        default_factory=lambda: ["*"], description="patterns of names of ports; a setting of the device has no port"
    )
    settings: list[str] = Field(
        default_factory=lambda: ["*"],
        description="patterns of settings of the port view, in which [ and ] are themselves",
    )
    start: date | datetime | None = Field(default=None, alias="from", description="first day, or time")
    until: date | datetime | None = Field(default=None, description="last day, whole, or last time")
    to: str | None = Field(default=None, description="the value that these settings have afterwards, as drift shows it")
    reason: str = ""


class ChangesFile(_ReadModel):
    """A list of approved changes."""

    schema_: Literal["roce-audit/changes/1"] = Field(alias="schema")
    changes: list[PlannedChange] = Field(max_length=100_000)


@cache
def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a list of changes."""
    return describe_read(ChangesFile)


def read_changes(file: str) -> tuple[PlannedChange, ...]:
    """Return the changes that a file lists; raises CannotAudit."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(MAX_CHANGES_BYTES + 1)
        if len(data) > MAX_CHANGES_BYTES:
            raise CannotAudit(f"{file}: larger than {MAX_CHANGES_BYTES >> 20} MiB")
        return tuple(ChangesFile.model_validate(load(file, data.decode(), make_schema()).data).changes)
    except OSError as error:
        raise CannotAudit(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CannotAudit(f"{file}: {explain_encoding(error)}") from None
    except (YamlError, ValueError) as error:
        raise CannotAudit(str(error)) from None


def explain(change: Change, planned: Sequence[PlannedChange], campaigns: Sequence[Campaign] = ()) -> str:
    """Return what explains *change*: a listed change, a campaign, or a ticket; empty where nothing does."""
    listed = [each for each in planned if _covers(each, change)]
    if listed:
        return listed[0].id
    moved = [each for each in campaigns if _moves(each, change)]
    if moved:
        return f"campaign {moved[0].name}"
    ticket = _TICKET.search(change.seen.message)
    return f"{ticket[0]} (commit {change.seen.label})" if ticket else ""


def _covers(planned: PlannedChange, change: Change) -> bool:
    """Return whether *planned* is about all devices and settings of *change*, and its time."""
    devices = all(any(fnmatchcase(name, pattern) for pattern in planned.devices) for name in change.devices)
    ports = all(any(fnmatchcase(port, pattern) for pattern in planned.ports) for _, port in change.places)
    patterns = list_patterns(planned)
    settings = all(any(fnmatchcase(each.path, pattern) for pattern in patterns) for each in change.settings)
    values = planned.to is None or all(each.after.text == planned.to for each in change.settings)
    return devices and ports and settings and values and _may_be_within(planned, change)


def _moves(campaign: Campaign, change: Change) -> bool:
    """Return whether a campaign moves all devices of *change* to the versions that these have now, in its time."""
    wanted = {
        "nic.firmware": [version for _, version in campaign.firmware],
        "os_version": [version for _, version in campaign.os_versions],
    }
    versions = all(
        any(fnmatchcase(each.after.text, version) for version in wanted.get(each.path, ())) for each in change.settings
    )
    window = PlannedChange.model_validate({"id": campaign.name, "from": campaign.start, "until": campaign.until})
    is_known = bool(change.last.time and change.seen.time)
    return versions and all(map(campaign.covers, change.devices)) and (not is_known or _may_be_within(window, change))


def list_patterns(planned: PlannedChange) -> list[str]:
    """Return the patterns of its settings, as `fnmatch` reads them."""
    return [pattern.replace("[", "[[]") for pattern in planned.settings]


def _may_be_within(planned: PlannedChange, change: Change) -> bool:
    """Return whether a change that two captures enclose may have been made in the window of *planned*.

    Captures without a time are of a change without a window alone.
    """
    if planned.start is None and planned.until is None:
        return True
    if not change.last.time or not change.seen.time:
        return False
    first, last = (datetime.fromisoformat(each.time) for each in (change.last, change.seen))
    has_begun = planned.start is None or _compare(last, planned.start) >= 0
    return has_begun and (planned.until is None or _compare(first, planned.until) <= 0)


def _compare(time: datetime, limit: date | datetime) -> int:
    """Return a negative number where *time* is before *limit*, 0 on the day of a limit that is a day."""
    if isinstance(limit, datetime):
        own = time.astimezone() if limit.tzinfo else time.replace(tzinfo=None)
        return (own > limit) - (own < limit)
    return (time.date() > limit) - (time.date() < limit)
