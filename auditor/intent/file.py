"""Parsing of roce-audit.yaml, the declared intent of a site, with the line of every mistake."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from auditor.fabric.topology import LinkFile, list_pairs
from auditor.intent.ignore import Ignore
from auditor.intent.model import (
    NO_CONTROL,
    NO_DESIGN,
    CableLength,
    Design,
    Expectation,
    Intent,
    Intents,
    Retirement,
    Role,
    RuleTuning,
    Traffic,
    Tuning,
)
from auditor.intent.presets import list_presets, load_preset
from auditor.intent.schema import IntentFields, StrictModel, TrafficFile, overlay_fields
from auditor.model.finding import Level
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Unknown
from auditor.util.schema import describe_read
from auditor.util.yamlfile import Located, YamlError, load

T = TypeVar("T")
Pattern = Annotated[str, Field(min_length=1)]
_ROOT: tuple[str | int, ...] = ()


class RoleFile(IntentFields):
    """Devices that differ from the rest of the fabric."""

    name: str
    devices: list[Pattern] = Field(min_length=1, description="device names; * and ? are wildcards")
    preset: str | None = Field(
        default=None, description="the preset of these devices; settings in this file override the preset"
    )


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


class IntentFile(IntentFields):
    """roce-audit.yaml: the intent of the fabric."""

    schema_: Literal["roce-audit/intent/1"] = Field(alias="schema")
    preset: str | None = Field(
        default=None, description="the preset of the fabric; settings in this file override the preset"
    )
    roles: list[RoleFile] = Field(
        default_factory=list, description="devices that differ; a device has the first role that matches"
    )
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
    expect: ExpectationFile | None = Field(default=None, description="the devices and captures that must be there")


@cache
def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of roce-audit.yaml."""
    document = describe_read(IntentFile)
    for holder in (document, document["$defs"]["RoleFile"]):
        described = holder["properties"]["preset"]["description"]
        holder["properties"]["preset"] = {"enum": list_presets(), "description": described}
    return document


def parse_intent(file: str, text: str) -> Intents:
    """Return the declared intent in *text*, the content of *file*; raises YamlError."""
    located = load(file, text, make_schema())
    try:
        written = IntentFile.model_validate(located.data)
    except ValidationError as error:  # what a JSON Schema cannot say: a date that no calendar has
        wrong = error.errors()[0]
        raise YamlError(
            file, located.line(wrong["loc"]), f"{'/'.join(map(str, wrong['loc']))}: {wrong['msg']}"
        ) from None
    plan = _resolve_fields(written, written.preset, None, located, _ROOT)
    general = replace(_make_intent(plan), preset=written.preset)
    roles = []
    for number, role in enumerate(written.roles):
        own = _resolve_fields(role, role.preset, plan, located, ("roles", number))
        roles.append(
            Role(tuple(role.devices), replace(_make_intent(own), role=role.name, preset=role.preset or written.preset))
        )
    return Intents(
        general,
        tuple(roles),
        _make_ignores(written.ignore, located),
        _make_tuning(written, located),
        tuple(CableLength((c.between[0], c.between[1]), c.length_m) for c in written.cables),
        list_pairs(written.links),
        _make_retired(written.retired, located),
        _make_expectation(written.expect, located),
    )


def make_preset_intent(name: str) -> Intent:
    """Return the intent of the preset *name*."""
    return replace(_make_intent(load_preset(name)), preset=name)


def _resolve_fields(
    own: IntentFields, named: str | None, general: IntentFields | None, located: Located, at: tuple[str | int, ...]
) -> IntentFields:
    """Return the fields of *own* over the fields of its preset, over the general fields."""
    plan = overlay_fields(general, own, by_name=False) if general else own
    if named:
        base = load_preset(named)
        plan = overlay_fields(overlay_fields(general, base, by_name=False) if general else base, own, by_name=True)
    if plan.traffic is None:
        why = f"preset {named} has no traffic classes: add traffic" if named else "no traffic classes: add traffic"
        raise YamlError(located.file, located.line(at), why)
    places = {each.name: located.line((*at, "traffic", number)) for number, each in enumerate(own.traffic or ())}
    for each in plan.traffic:
        if not each.dscp and each.priority is None:
            why = f"traffic class {each.name} has no marking: add dscp, priority or both"
            raise YamlError(located.file, places.get(each.name, located.line(at)), why)
    if plan.design is Design.ECN_ONLY:
        kept = next((each.name for each in own.traffic or () if each.lossless), None)
        if kept:
            why = f"traffic class {kept} is lossless, but the design is ecn-only: nothing is paused"
            raise YamlError(located.file, places[kept], why)
    elif plan.design and plan.traffic and all(each.lossless is False for each in plan.traffic):
        raise YamlError(located.file, located.line((*at, "design")), "the design is lossless, but no traffic class is")
    return plan


def _make_intent(plan: IntentFields) -> Intent:
    ecn_only = plan.design is Design.ECN_ONLY
    classes = tuple(_make_traffic(t, ecn_only=ecn_only) for t in plan.traffic or ())
    kept = [t for t in classes if not isinstance(t.lossless, Known) or t.lossless.value]
    lossless: Setting[tuple[int, ...]] = Unknown("the intent does not say which priorities are lossless")
    if plan.traffic is not None and all(isinstance(t.lossless, Known) and isinstance(t.priority, Known) for t in kept):
        found = sorted({t.priority.value for t in kept if isinstance(t.priority, Known)})
        lossless = Known(tuple(found), Origin.INTENDED)
    return Intent(
        declared=True,
        evidence=(),
        traffic=classes,
        lossless=lossless,
        path_mtu_bytes=_make_setting(plan.path_mtu_bytes, "the intent gives no path MTU"),
        cable_length_m=_make_setting(plan.cable_length_m, "the intent gives no cable length"),
        design=NO_DESIGN if plan.design is None else Known(plan.design, Origin.INTENDED),
        congestion_control=NO_CONTROL
        if plan.congestion_control is None
        else Known(plan.congestion_control, Origin.INTENDED),
        oversubscription=plan.oversubscription,
        gpus_per_nic=plan.gpus_per_nic,
        incast=plan.incast,
        rails=bool(plan.rails),
        homing=plan.homing,
        ip=tuple(family for number, family in _FAMILIES.items() if number in (plan.ip or ())),
    )


_FAMILIES = {4: IpFamily.IPV4, 6: IpFamily.IPV6}


def _make_traffic(each: TrafficFile, *, ecn_only: bool) -> Traffic:
    lossless = False if ecn_only else each.lossless
    return Traffic(
        each.name,
        each.kind,
        _make_setting(tuple(each.dscp) or None, f"the intent gives no DSCP for {each.name}"),
        _make_setting(each.priority, f"the intent gives no priority for {each.name}"),
        _make_setting(lossless, f"the intent does not say whether {each.name} may be dropped"),
    )


def _make_setting(value: T | None, why: str) -> Setting[T]:
    return Unknown(why) if value is None else Known(value, Origin.INTENDED)


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
