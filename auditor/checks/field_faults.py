"""Faults that were seen in the field (`rules/faults.yaml`): which rule finds each, or what is missing to find it."""

from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from auditor.util.data_folder import folder
from auditor.util.yamlfile import load

FILE = "faults.yaml"


class FaultExample(BaseModel):
    """A fixture with the fault, and what a rule says of it: a part of `DEVICE PORT: MESSAGE`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fixture: str = Field(description="folder below fixtures/")
    says: str = Field(min_length=4)


class FieldFault(BaseModel):
    """A fault with exactly one answer: `rules` that find it (in `part`), what it `needs`, why `never`, or a `trap`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fault: int = Field(ge=1)
    name: str = Field(min_length=8)
    rules: tuple[str, ...] = ()
    part: str | None = Field(default=None, description="how far the rules find it")
    shown: dict[str, FaultExample] = Field(
        default_factory=dict, description="by rule, a fixture in which it finds the fault"
    )
    needs: str | None = Field(default=None, description="what is missing to find it")
    never: str | None = Field(default=None, description="why no configuration can show it")
    trap: str | None = Field(default=None, description="it is no fault: the test that shows that no rule speaks")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_: Literal["roce-audit/faults/1"] = Field(alias="schema")
    faults: tuple[FieldFault, ...]


@lru_cache
def load_field_faults() -> tuple[FieldFault, ...]:
    """Return all faults in the order of their numbers; raises YamlError where the file is wrong."""
    located = load(FILE, (folder() / FILE).read_text(encoding="utf-8"), _File.model_json_schema())
    return _File.model_validate(located.data).faults
