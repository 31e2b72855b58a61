"""Presets: recommendations of vendors and operators as data, each with its source page."""

from functools import cache, lru_cache
from typing import Any, Literal

from pydantic import Field

from auditor.intent.schema import IntentFields, PresetTraffic, StrictModel
from auditor.util.data_folder import folder, read_schema
from auditor.util.schema import describe_read
from auditor.util.yamlfile import YamlError, load


class Source(StrictModel):
    """A page, and the part of the preset that the page supports."""

    says: str = Field(min_length=3)
    page: str = Field(min_length=8, description="address, or repository and path")


class Preset(IntentFields):
    """A preset; `traffic` is empty if the source has no traffic classes, or no class of RDMA."""

    schema_: Literal["roce-audit/preset/1"] = Field(alias="schema")
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="the name of its file")
    title: str = Field(min_length=3)
    traffic: list[PresetTraffic] | None = None  # type: ignore[assignment]
    sources: list[Source] = Field(min_length=1)


@cache
def make_preset_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a preset."""
    return describe_read(Preset)


def list_presets() -> list[str]:
    """Return the names of all presets without reading them."""
    entries = (folder() / "presets").iterdir()
    return sorted(entry.name.removesuffix(".yaml") for entry in entries if entry.name.endswith(".yaml"))


@lru_cache
def load_preset(name: str) -> Preset:
    """Return the preset *name*; raises YamlError for a wrong file."""
    file = f"presets/{name}.yaml"
    located = load(file, (folder() / "presets" / f"{name}.yaml").read_text(encoding="utf-8"), read_schema("preset"))
    found = Preset.model_validate(located.data)
    if found.name != name:
        raise YamlError(file, located.line(["name"]), f"name {found.name} differs from the file name {name}")
    return found
