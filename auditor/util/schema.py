"""JSON Schemas of the documents that the program reads and writes."""

from typing import Any

from pydantic import BaseModel

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def describe_read(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of documents that are read as *model*."""
    return {"$schema": _DRAFT, **model.model_json_schema()}


def describe_written(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of documents that are written from *model*: no field is left out."""
    return {"$schema": _DRAFT, **model.model_json_schema(mode="serialization")}
