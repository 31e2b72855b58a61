"""Campaigns in roce-audit.yaml: another intent, or versions of firmware and systems, that devices move to."""

from collections.abc import Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from pydantic import ConfigDict, Field

from auditor.intent.hierarchy import HierarchyFile, Pattern, resolve_hierarchy
from auditor.intent.model import Campaign, Intent, Role, Stage
from auditor.intent.schema import IntentFields, StrictModel
from auditor.systems import systems
from auditor.util.yamlfile import Located, YamlError

_TARGETS = ("intent", "firmware", "os_version")


class StageFile(StrictModel):
    """Devices that move together."""

    name: str = Field(min_length=1)
    devices: list[Pattern] = Field(min_length=1, description="device names; * and ? are wildcards")


class CampaignFile(StrictModel):
    """Devices that move to something else until a day; what they have now and what they move to are both valid."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": [key]} for key in _TARGETS]})

    name: str = Field(min_length=1)
    reason: str = Field(min_length=3, description="why they move")
    start: date | None = Field(default=None, alias="from", description="the first day, YYYY-MM-DD")
    until: date = Field(description="the last day, YYYY-MM-DD; from then on only what they move to is valid")
    devices: list[Pattern] = Field(default=["*"], min_length=1, description="device names; * and ? are wildcards")
    sites: list[str] = Field(default=[], description="only devices of these sites")
    roles: list[str] = Field(default=[], description="only devices of these roles")
    stages: list[StageFile] = Field(default=[], description="the order: a device is of the first stage that matches")
    done: list[Pattern] = Field(default=[], description="devices that have moved: there only the new state is valid")
    intent: IntentFields | None = Field(default=None, description="the fields of the intent that change")
    firmware: dict[str, str] = Field(
        default={}, description="versions of NIC firmware by model of the NIC; * and ? are wildcards"
    )
    os_version: dict[str, str] = Field(
        default={}, description="versions by operating system, as `roce-audit os` names it; * and ? are wildcards"
    )


class CampaignHolder(HierarchyFile):
    """The levels of the intent with the campaigns that change them."""

    campaigns: list[CampaignFile] = Field(
        default_factory=list, description="what devices move to, and until when both states are valid"
    )


def make_campaigns(written: CampaignHolder, located: Located) -> tuple[Campaign, ...]:
    """Return the campaigns of a file; raises YamlError."""
    names: set[str] = set()
    for number, each in enumerate(written.campaigns):
        at = ("campaigns", number)
        if each.name in names:
            raise YamlError(located.file, located.line((*at, "name")), f"two campaigns are named {each.name}")
        names.add(each.name)
        if each.start and each.start > each.until:
            raise YamlError(located.file, located.line((*at, "from")), f"from: {each.start} is after {each.until}")
        for system in each.os_version:
            if not any(fnmatchcase(os, system) for os in systems()):
                line = located.line((*at, "os_version", system))
                raise YamlError(located.file, line, f"os_version: no operating system is named {system}")
    return tuple(_make_campaign(each, written, located, number) for number, each in enumerate(written.campaigns))


def _make_campaign(each: CampaignFile, written: CampaignHolder, located: Located, number: int) -> Campaign:
    at = ("campaigns", number)
    none: tuple[Intent | None, tuple[Role, ...]] = (None, ())
    last = (f"campaign {each.name}", each.intent, (*at, "intent")) if each.intent else None
    general, roles = resolve_hierarchy(written, located, last) if last else none
    return Campaign(
        each.name,
        each.reason,
        each.until,
        each.start,
        (
            tuple(each.devices),
            *_find_patterns("sites", each.sites, written.sites, located, at),
            *_find_patterns("roles", each.roles, written.roles, located, at),
        ),
        tuple(Stage(stage.name, tuple(stage.devices)) for stage in each.stages),
        tuple(each.done),
        general,
        roles,
        tuple(each.firmware.items()),
        tuple(each.os_version.items()),
        located.file,
        located.line(at),
    )


def _find_patterns(
    what: str, names: Sequence[str], known: Sequence[Any], located: Located, at: tuple[str | int, ...]
) -> list[tuple[str, ...]]:
    """Return the patterns of the devices of the sites or roles *names*; nothing for no name."""
    if not names:
        return []
    by_name = {each.name: tuple(each.devices) for each in known}
    for number, name in enumerate(names):
        if name not in by_name:
            raise YamlError(located.file, located.line((*at, what, number)), f"{what}: none is named {name}")
    return [tuple(pattern for name in names for pattern in by_name[name])]
