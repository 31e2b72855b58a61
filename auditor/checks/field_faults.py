"""Faults from the field (`rules/faults.yaml`), each with the rules that find it or the reason why no rule does."""

from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, Field

from auditor.util.data_folder import folder
from auditor.util.model_config import CLOSED
from auditor.util.yamlfile import load

FILE = "faults.yaml"


class FaultExample(BaseModel):
    """A fixture with the fault, and a part of the finding in it: `DEVICE PORT: MESSAGE`."""

    model_config = CLOSED

    fixture: str = Field(description="folder below fixtures/")
    says: str = Field(min_length=4)


class FieldFault(BaseModel):
    """A fault with one answer: its `rules` (for a `part` of it), its `needs`, why `never`, or a `trap`."""

    model_config = CLOSED

    fault: int = Field(ge=1)
    name: str = Field(min_length=8)
    rules: tuple[str, ...] = ()
    part: str | None = Field(default=None, description="the part of the fault that the rules find")
    shown: dict[str, FaultExample] = Field(default_factory=dict, description="per rule, a fixture with its finding")
    needs: str | None = Field(default=None, description="evidence or rule that is missing")
    never: str | None = Field(default=None, description="reason why no configuration can show the fault")
    trap: str | None = Field(default=None, description="the test that shows that no rule reports this harmless setting")


class _File(BaseModel):
    model_config = CLOSED

    schema_: Literal["roce-audit/faults/1"] = Field(alias="schema")
    faults: tuple[FieldFault, ...]


@lru_cache
def load_field_faults() -> tuple[FieldFault, ...]:
    """Return all faults in the order of their numbers; raise YamlError for a wrong file."""
    located = load(FILE, (folder() / FILE).read_text(encoding="utf-8"), _File.model_json_schema())
    return _File.model_validate(located.data).faults
