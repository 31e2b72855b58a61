"""A page for each JSON Schema, and the schema itself as a file of the site."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pages import Page, code, tabulate

from auditor.cli.lists import SCHEMAS, build_schema

PURPOSES: Mapping[str, str] = {
    "acceptance": "a specification of new devices, for `accept`",
    "accepted": "the verdict of `accept --format json`",
    "baseline": "the findings and devices that `--write-baseline` records",
    "changes": "approved changes, for `drift`, `status` and `verify`",
    "coverage": "the state of each line of each dump (`show --coverage`)",
    "custom-rule": "a rule of a site",
    "device-intent": "the intent of one device (`intent --device NAME --format json`)",
    "drift": "the changes of settings (`drift --format json`)",
    "estimate": "the estimate of one link (`estimate --format json`)",
    "fix": "the plan of `fix --format json`, and `plan.json`",
    "intent": "`roce-audit.yaml`",
    "intent-report": "the intent of a fabric (`intent --format json`)",
    "links": "cables that no dump shows (`--links FILE`)",
    "path": "the trace of a packet (`path --format json`)",
    "port-view": "the fabric as `show` prints it; the view of a rule of your own",
    "preset": "a preset of an intent",
    "report": "the report of `check` and `diff` (`--format json`)",
    "rule": "a rule of `roce-audit` itself",
    "status": "the hand-over of `status --format json`",
    "tickets": "one entry for each cause (`status --format tickets`)",
    "verification": "the verdict of `verify --format json`",
}


def list_schema_pages() -> Iterator[Page]:
    """Yield for each schema its file and its page."""
    for name in SCHEMAS:
        schema = build_schema(name)
        yield Page(name_file(schema), "", json.dumps(schema, indent=2) + "\n")
        yield Page(f"reference/schemas/{name}.md", name, "\n\n".join(_describe(name, schema)) + "\n")


def name_file(schema: Mapping[str, Any]) -> str:
    """Return the path of the file of *schema* below the site: `schemas/NAME/VERSION.json`."""
    _, _, name, version = schema["$id"].split(":")
    return f"schemas/{name}/{version}.json"


def make_overview() -> str:
    """Return the table of all schemas."""
    rows = []
    for name in SCHEMAS:
        schema = build_schema(name)
        file = f"[{code(name_file(schema))}](../../{name_file(schema)})"
        rows.append([f"[{name}]({name}.md)", PURPOSES[name], code(schema["$id"]), file])
    return tabulate(["schema", "describes", "`$id`", "file"], rows)


def _describe(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Schema: {name}"
    yield f"Describes {PURPOSES[name]}."
    rows = [
        ["`$id`", code(schema["$id"])],
        ["file", f"[{code(name_file(schema))}](../../{name_file(schema)})"],
        ["in a terminal", code(f"roce-audit schema {name}")],
    ]
    yield tabulate(["", ""], rows)
    if schema.get("description"):
        yield _flatten(schema["description"])
    yield "## Fields { #fields }"
    yield _tabulate_fields(schema)
    parts = schema.get("$defs", {})
    if parts:
        yield "## Parts { #parts }"
    for title, part in parts.items():
        yield f"### {title} {{ #{title} }}"
        yield from ([_flatten(part["description"])] if part.get("description") else [])
        yield _tabulate_fields(part) if part.get("properties") else _describe_type(part)


def _tabulate_fields(schema: Mapping[str, Any]) -> str:
    needed = schema.get("required", ())
    rows = (
        [code(name), _describe_type(field), "yes" if name in needed else "", _flatten(field.get("description", ""))]
        for name, field in schema.get("properties", {}).items()
    )
    return tabulate(["field", "value", "required", "meaning"], rows)


def _describe_type(field: Any) -> str:  # noqa: ANN401  a schema is an object, true or false
    """Return the values of a field in short, with links to the parts that describe them."""
    if not isinstance(field, dict):
        return "any value"
    either = field.get("anyOf") or field.get("oneOf")
    if either:
        return " or ".join(dict.fromkeys(map(_describe_type, either)))
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})"
    values = [field["const"]] if "const" in field else field.get("enum")
    return ", ".join(code(json.dumps(value)) for value in values) if values else _describe_kind(field)


def _describe_kind(field: Mapping[str, Any]) -> str:
    """Return the type of a field that names one, with that of its items."""
    kind, more = field.get("type", "any value"), field.get("additionalProperties")
    if kind == "array":
        return f"list of {_describe_type(field['items'])}" if "items" in field else "list"
    if kind == "object" and isinstance(more, dict):
        return f"names with {_describe_type(more)}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _flatten(text: str) -> str:
    return " ".join(text.split()).replace("|", "&#124;")
