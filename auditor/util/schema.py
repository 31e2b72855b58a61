"""JSON Schemas of the documents that the program reads and writes, each with a versioned identifier."""

from typing import Any

from pydantic import BaseModel

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def describe_read(model: type[BaseModel], document: str = "") -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of documents that are read as *model*; *document* as in `name_schema`."""
    return _head(model.model_json_schema(), document)


def describe_written(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of documents that are written from *model*: no field is left out."""
    return _head(model.model_json_schema(mode="serialization"), "")


def _head(schema: dict[str, Any], document: str) -> dict[str, Any]:
    return {"$schema": _DRAFT, "$id": name_schema(document or _name_document(schema)), **schema}


def _name_document(schema: dict[str, Any]) -> str:
    """Return what documents of *schema* say of themselves; of several versions the one that is written."""
    own = schema["properties"]["schema"]
    name: str = own["const"] if "const" in own else own["default"]
    return name


def name_schema(document: str) -> str:
    """Return the identifier of the schema of a *document*, named as documents name it: `roce-audit/NAME/VERSION`.

    It names no place on the network, so that it stays the same wherever the schema is kept.

    >>> name_schema("roce-audit/report/2")
    'urn:roce-audit:report:2'
    """
    return f"urn:{document.replace('/', ':')}"
