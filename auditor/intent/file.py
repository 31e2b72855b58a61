"""Parsing of roce-audit.yaml, the declared intent of a site, with the line of every mistake."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from auditor.fabric.topology import LinkFile, list_pairs
from auditor.intent.campaign import CampaignHolder, make_campaigns
from auditor.intent.hierarchy import Pattern, resolve_hierarchy
from auditor.intent.ignore import Ignore
from auditor.intent.model import (
    CableLength,
    Expectation,
    Intent,
    Intents,
    Owner,
    Retirement,
    RuleTuning,
    Tuning,
)
from auditor.intent.presets import list_presets, load_preset
from auditor.intent.resolve import make_intent
from auditor.intent.schema import StrictModel
from auditor.model.finding import Level
from auditor.util.data_folder import read_schema
from auditor.util.schema import describe_read
from auditor.util.yamlfile import Located, YamlError, load

T = TypeVar("T")
_ROOT: tuple[str | int, ...] = ()


class RuleChange(StrictModel):
    """The changes of a site to one rule."""

    enabled: bool = Field(default=True, description="false: the rule is not checked")
    level: Level | None = Field(default=None, description="its level in place of the rule's own")
    params: dict[str, int | float | str] = Field(
        default_factory=dict, description="its parameters; `roce-audit explain RULE` names them"
    )


class CableFile(StrictModel):
    """The length of the cables between two tiers."""

    between: list[Pattern] = Field(
        min_length=2, max_length=2, description="device names of either end; * and ? are wildcards"
    )
    length_m: float = Field(gt=0, le=100_000)


class IgnoreFile(StrictModel):
    """Suppressed findings."""

    rule: str = Field(min_length=1, description="id or name of the rule")
    devices: list[str] = Field(default=["*"], min_length=1, description="device names; * and ? are wildcards")
    ports: list[str] = Field(default=["*"], min_length=1, description="port names; * and ? are wildcards")
    reason: str = Field(min_length=3, description="the reason for the suppression")
    expires: date | None = Field(default=None, description="the last day of the suppression, YYYY-MM-DD")
    value: str = Field(
        default="", description="a text of the finding's message; a finding with another value is reported again"
    )
    most: int | None = Field(default=None, ge=1, description="how many findings it may cover; with more it covers none")
    owner: str = Field(default="", description="who lives with the finding")
    approver: str = Field(default="", description="who agreed")
    ticket: str = Field(default="", description="the ticket of the decision")


class OwnerFile(StrictModel):
    """Who is in charge of devices, ports or jobs; an entry matches where all that it names does."""

    owner: str = Field(min_length=1, description="team or person")
    devices: list[Pattern] = Field(default=["*"], min_length=1, description="device names; * and ? are wildcards")
    ports: list[Pattern] = Field(default=["*"], min_length=1, description="port names; * and ? are wildcards")
    jobs: list[Pattern] = Field(default=[], description="jobs that a cause touches; * and ? are wildcards")


class RetirementFile(StrictModel):
    """A device, or ports of a device, that may leave the audit from the next change on."""

    device: Pattern = Field(description="device name; * and ? are wildcards")
    ports: list[Pattern] = Field(
        default_factory=list, description="port names; * and ? are wildcards (default: the device with all its ports)"
    )
    reason: str = Field(min_length=3, description="the reason for the retirement")
    expires: date | None = Field(default=None, description="the last day of the permission, YYYY-MM-DD")


class ExpectedDevices(StrictModel):
    """How many devices of one name there must be."""

    name: Pattern = Field(description="device names; * and ? are wildcards")
    count: int = Field(default=1, ge=1, le=1_000_000, description="how many devices have such a name")


class ExpectedCaptures(StrictModel):
    """The captures that devices of one name must have."""

    devices: Pattern = Field(description="device names; * and ? are wildcards")
    commands: list[Pattern] = Field(min_length=1, description="beginnings of commands, such as `show_gids`")


class ExpectationFile(StrictModel):
    """What every audit of this fabric must see: devices, an inventory or the age of captures, or several of these."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": [key]} for key in ("devices", "inventory", "max_age_days")]}
    )

    devices: list[ExpectedDevices] = Field(default=[], min_length=1, description="the devices that must be there")
    inventory: str | None = Field(
        default=None,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        max_length=1_000,
        description="inventory of `pull`, whose devices must be there: a file below the folder of this file",
    )
    max_age_days: int | None = Field(
        default=None, ge=0, le=100_000, description="the greatest age of a capture in days, by a record of its time"
    )
    captures: list[ExpectedCaptures] = Field(
        default_factory=list, description="the captures that devices must have to count as seen"
    )
    floor: float = Field(
        default=1, gt=0, le=1, description="the share of devices below which the audit ends with exit status 2"
    )


class IntentFile(CampaignHolder):
    """roce-audit.yaml: the intent of the fabric."""

    schema_: Literal["roce-audit/intent/1"] = Field(alias="schema")
    cables: list[CableFile] = Field(
        default_factory=list,
        description="cable lengths by tier where no dump shows a length; the first match applies",
    )
    links: list[LinkFile] = Field(default_factory=list, description="cables in addition to LLDP")
    packs: dict[str, bool] = Field(default_factory=dict, description="packs of rules by name; false: not checked")
    rules: dict[str, RuleChange] = Field(default_factory=dict, description="changes to rules, by id or name")
    ignore: list[IgnoreFile] = Field(default_factory=list)
    retired: list[RetirementFile] = Field(
        default_factory=list,
        description="devices and ports that may leave the audit; effective once the base of a comparison has the entry",
    )
    owners: list[OwnerFile] = Field(
        default_factory=list, description="who is in charge; of several entries that match, the first one decides"
    )
    expect: ExpectationFile | None = Field(default=None, description="the devices and captures that must be there")


@cache
def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of roce-audit.yaml, of which `rules/` keeps a copy."""
    document = describe_read(IntentFile)
    for holder in (document, *(document["$defs"][name] for name in ("RoleFile", "SiteFile", "PodFile", "DeviceFile"))):
        described = holder["properties"]["preset"]["description"]
        holder["properties"]["preset"] = {"enum": list_presets(), "description": described}
    return document


def parse_intent(file: str, text: str) -> Intents:
    """Return the declared intent in *text*, the content of *file*; raises YamlError."""
    located = load(file, text, read_schema("intent"))
    try:
        written = IntentFile.model_validate(located.data)
    except ValidationError as error:  # what a JSON Schema cannot say: a date that no calendar has
        wrong = error.errors()[0]
        raise YamlError(
            file, located.line(wrong["loc"]), f"{'/'.join(map(str, wrong['loc']))}: {wrong['msg']}"
        ) from None
    general, roles = resolve_hierarchy(written, located)
    return Intents(
        general,
        roles,
        _make_ignores(written.ignore, located),
        _make_tuning(written, located),
        tuple(CableLength((c.between[0], c.between[1]), c.length_m) for c in written.cables),
        list_pairs(written.links),
        _make_retired(written.retired, located),
        _make_expectation(written.expect, located),
        tuple(Owner(o.owner, tuple(o.devices), tuple(o.ports), tuple(o.jobs)) for o in written.owners),
        make_campaigns(written, located),
    )


def make_preset_intent(name: str) -> Intent:
    """Return the intent of the preset *name*."""
    return replace(make_intent(load_preset(name)), preset=name)


def _make_ignores(written: Sequence[IgnoreFile], located: Located) -> tuple[Ignore, ...]:
    return tuple(
        Ignore(
            (each.rule,),
            each.reason,
            located.file,
            located.line(("ignore", number)),
            tuple(each.devices),
            tuple(each.ports),
            each.expires,
            most=each.most,
            value=each.value,
            owner=each.owner,
            approver=each.approver,
            ticket=each.ticket,
        )
        for number, each in enumerate(written)
    )


def _make_retired(written: Sequence[RetirementFile], located: Located) -> tuple[Retirement, ...]:
    return tuple(
        Retirement(
            each.device,
            tuple(each.ports),
            each.reason,
            located.file,
            located.line(("retired", number)),
            each.expires,
        )
        for number, each in enumerate(written)
    )


def _make_expectation(written: ExpectationFile | None, located: Located) -> Expectation | None:
    if written is None:
        return None
    return Expectation(
        tuple((each.name, each.count) for each in written.devices),
        tuple((each.devices, tuple(each.commands)) for each in written.captures),
        written.floor,
        located.file,
        located.line(("expect", "inventory") if written.inventory else ("expect",)),
        written.inventory or "",
        max_age_days=written.max_age_days,
    )


def _make_tuning(written: IntentFile, located: Located) -> Tuning:
    return Tuning(
        tuple(
            RuleTuning(
                rule, located.file, located.line(("rules", rule)), each.enabled, each.level, tuple(each.params.items())
            )
            for rule, each in written.rules.items()
        ),
        tuple((pack, located.file, located.line(("packs", pack))) for pack, on in written.packs.items() if not on),
    )
