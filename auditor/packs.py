"""Rules as data: one YAML file per rule, in packs (folders), bound to a check by name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import auditor
from auditor.checks import CHECKS
from auditor.checks.base import Check, Params, Scope
from auditor.finding import Level
from auditor.yamlfile import YamlError, load

Sentence = Annotated[str, Field(min_length=8)]
Remedied = Literal[
    "arista_eos",
    "aruba_aoscx",
    "cisco_nxos",
    "cumulus_nvue",
    "dell_enterprise_sonic",
    "dell_os10",
    "hp_comware",
    "huawei_vrp",
    "juniper_junos",
    "sonic",
    "linux",
    "any",
]
"""Operating systems that a remedy can be for; `any` is for all that have none of their own."""


class RuleFile(BaseModel):
    """One rule."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Z]{3}\d{3}$", description="stable number, e.g. PFC001")
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)+$", description='reads as "allow NAME"')
    level: Level
    scope: Scope
    check: str = Field(description="name of the check that judges it")
    params: dict[str, Any] = Field(default_factory=dict)
    summary: Sentence = Field(description="what is wrong, in one sentence")
    why: Sentence = Field(description="what it costs")
    remedy: dict[Remedied, str] = Field(
        min_length=1, description="per operating system, the lines to type; says where a maintenance window is needed"
    )
    references: list[str] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with the check that it is bound to and the parameters for it."""

    file: RuleFile
    pack: str
    check: Check
    params: Params


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a rule file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **RuleFile.model_json_schema()}


def folder() -> Traversable:
    """Return the folder of the rules: inside the installed package, or beside it in a checkout."""
    packaged = files(auditor) / "rules"
    return packaged if packaged.is_dir() else Path(str(files(auditor))).parent / "rules"


@lru_cache
def rules() -> tuple[Rule, ...]:
    """Return all rules in the order of their ids; raises YamlError where a file is wrong."""
    return tuple(sorted(_read(folder()), key=lambda rule: rule.file.id))


def _read(root: Traversable) -> Iterator[Rule]:
    document = schema()
    for pack in sorted(root.iterdir(), key=lambda entry: entry.name):
        if not pack.is_dir() or pack.name == "presets":
            continue
        for entry in sorted(pack.iterdir(), key=lambda each: each.name):
            if entry.name.endswith(".yaml"):
                yield bind(f"{pack.name}/{entry.name}", entry.read_text(encoding="utf-8"), document)


def bind(name: str, text: str, document: Mapping[str, Any] | None = None) -> Rule:
    """Return the rule in *text*, read from the file `PACK/RULE.yaml`; raises YamlError with the line at fault."""
    located = load(name, text, document or schema())
    file = RuleFile.model_validate(located.data)
    check = CHECKS.get(file.check)
    if check is None:
        raise YamlError(name, located.line(["check"]), f"no check is named {file.check}")
    if check.scope is not file.scope:
        raise YamlError(name, located.line(["scope"]), f"check {file.check} judges a {check.scope}")
    try:
        params = check.params.model_validate(file.params)
    except ValidationError as error:
        first = error.errors()[0]
        raise YamlError(name, located.line(["params", *first["loc"]]), f"params: {first['msg']}") from None
    return Rule(file, name.partition("/")[0], check, params)
