"""The levels of a declared intent: fabric, site, pod, role, device, each over the one before it.

A device has the fabric's intent, over it that of the first site that matches its name, of the first pod of this site,
of the first role, and of its own entry. Each level sets the fields that it names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Annotated

from pydantic import Field

from auditor.intent.model import Decision, Design, Intent, Role
from auditor.intent.presets import load_preset
from auditor.intent.resolve import make_intent
from auditor.intent.schema import IntentFields, TrafficFile, overlay_fields
from auditor.util.values import dataclass
from auditor.util.yamlfile import Located, YamlError

Pattern = Annotated[str, Field(min_length=1)]
AtPath = tuple[str | int, ...]
"""The way to a value in a YAML file."""
_PRESET = "the preset of these devices; settings in this file override the preset"
MOST_COMBINATIONS = 20_000
"""Combinations of a role with a site or pod, and devices."""


class RoleFile(IntentFields):
    """Devices that differ from the rest of the fabric."""

    name: str
    devices: list[Pattern] = Field(min_length=1, description="device names; * and ? are wildcards")
    preset: str | None = Field(default=None, description=_PRESET)
    reason: str = Field(default="", description="why they differ")


class PodFile(IntentFields):
    """A part of a site that differs from the rest of it."""

    name: str
    devices: list[Pattern] = Field(min_length=1, description="device names; * and ? are wildcards")
    preset: str | None = Field(default=None, description=_PRESET)
    reason: str = Field(min_length=3, description="why it differs")


class SiteFile(PodFile):
    """A site that differs from the rest of the fabric."""

    pods: list[PodFile] = Field(default_factory=list, description="pods of the site; the first that matches counts")


class DeviceFile(IntentFields):
    """One device that differs from its role."""

    name: str = Field(pattern=r"^[^*?\[\]]+$", description="the name of the device")
    preset: str | None = Field(default=None, description=_PRESET)
    reason: str = Field(min_length=3, description="why it differs")


class HierarchyFile(IntentFields):
    """The part of roce-audit.yaml that says what is meant where."""

    preset: str | None = Field(
        default=None, description="the preset of the fabric; settings in this file override the preset"
    )
    sites: list[SiteFile] = Field(
        default_factory=list, description="sites that differ; a device has the first site that matches, and its role"
    )
    roles: list[RoleFile] = Field(
        default_factory=list, description="devices that differ; a device has the first role that matches"
    )
    devices: list[DeviceFile] = Field(default_factory=list, description="single devices that differ from their role")


@dataclass(frozen=True, slots=True)
class _Layer:
    """One level: its fields, its place in the file, the names of devices, and why it differs."""

    title: str
    own: IntentFields
    preset: str | None
    at: AtPath
    patterns: tuple[str, ...] = ("*",)
    reason: str = ""

    def covers(self, device: str) -> bool:
        return any(fnmatchcase(device, pattern) for pattern in self.patterns)


_Chain = tuple[_Layer, ...]


def resolve_hierarchy(
    written: HierarchyFile, located: Located, last: tuple[str, IntentFields, AtPath] | None = None
) -> tuple[Intent, tuple[Role, ...]]:
    """Return the intent of the fabric, and those that differ, the most special first; raises YamlError.

    The fields of *last*, with its title and place, stand over those of all levels.
    """
    fabric = _Layer("fabric", written, written.preset, ())
    over = (_Layer(last[0], last[1], None, last[2]),) if last else ()
    general = _resolve((fabric, *over), located)
    sites = [*_list_sites(written)]
    roles = [
        _Layer(f"role {each.name}", each, each.preset, ("roles", number), tuple(each.devices), each.reason)
        for number, each in enumerate(written.roles)
    ]
    chains = [
        *_list_devices(written, sites, roles),
        *((*site, role) for role in roles for site in (*sites, ())),
        *sites,
    ]
    if len(chains) > MOST_COMBINATIONS:
        why = f"more than {MOST_COMBINATIONS:,} combinations of sites, pods, roles and devices"
        raise YamlError(located.file, located.line(("roles",)), f"{why}: use fewer")
    return general, tuple(_make_role((fabric, *chain), over, located) for chain in chains)


def _list_sites(written: HierarchyFile) -> Iterator[_Chain]:
    """Yield each pod with its site, and then the site."""
    for number, site in enumerate(written.sites):
        layer = _Layer(f"site {site.name}", site, site.preset, ("sites", number), tuple(site.devices), site.reason)
        for index, pod in enumerate(site.pods):
            at = ("sites", number, "pods", index)
            yield layer, _Layer(f"pod {pod.name}", pod, pod.preset, at, tuple(pod.devices), pod.reason)
        yield (layer,)


def _list_devices(written: HierarchyFile, sites: Sequence[_Chain], roles: Sequence[_Layer]) -> Iterator[_Chain]:
    """Yield each single device with the levels above it."""
    for number, each in enumerate(written.devices):
        own = _Layer(f"device {each.name}", each, each.preset, ("devices", number), (each.name,), each.reason)
        site = next((chain for chain in sites if all(layer.covers(each.name) for layer in chain)), ())
        role = next(((layer,) for layer in roles if layer.covers(each.name)), ())
        yield *site, *role, own


def _make_role(chain: _Chain, over: _Chain, located: Located) -> Role:
    name = ", ".join(layer.title.partition(" ")[2] for layer in chain[1:])
    intent = _resolve((*chain, *over), located)
    return Role(chain[-1].patterns, replace(intent, role=name), tuple(layer.patterns for layer in chain[1:-1]))


def _resolve(chain: _Chain, located: Located) -> Intent:
    """Return the intent of the last level of *chain*, with the lines that decide it."""
    plan, preset = None, None
    for layer in chain:
        plan = _resolve_fields(layer.own, layer.preset, plan, located, layer.at)
        preset = layer.preset or preset
    made = make_intent(plan or chain[0].own)
    return replace(made, preset=preset, decided=tuple(_list_decisions(chain, located)))


def _list_decisions(chain: _Chain, located: Located) -> Iterator[Decision]:
    """Yield what each level sets, in the order of levels: of a field the last one holds."""
    for layer in chain:
        of_preset = load_preset(layer.preset) if layer.preset else None
        decide = partial(Decision, level=layer.title, file=located.file, reason=layer.reason)
        for name in IntentFields.model_fields:
            value = getattr(layer.own, name)
            if value is not None:
                yield decide(name, describe_value(value), line=located.line((*layer.at, name)))
            elif of_preset and (value := getattr(of_preset, name)) is not None:
                told = f"{describe_value(value)} (preset {layer.preset})"
                yield decide(name, told, line=located.line((*layer.at, "preset")))


def describe_value(value: object) -> str:
    """Return the value of a field of the intent in words.

    >>> describe_value([TrafficFile(name="RDMA", dscp=[26], priority=3, lossless=True)])
    'RDMA (DSCP 26, priority 3, lossless)'
    """
    if isinstance(value, list):
        return "; ".join(map(describe_value, value))
    if isinstance(value, TrafficFile):
        words = [f"DSCP {','.join(map(str, value.dscp))}"] if value.dscp else []
        words += [f"priority {value.priority}"] if value.priority is not None else []
        words += ["lossless"] if value.lossless else []
        return f"{value.name} ({', '.join(words)})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _resolve_fields(
    own: IntentFields, named: str | None, general: IntentFields | None, located: Located, at: AtPath
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
