"""Validation of the JSON Schemas in a site's rules: keywords, and fields of the view.

References are not allowed: a schema is complete in its own file.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator

from auditor.custom.subject import HEADER
from auditor.custom.three_valued import TYPES, Path, Schema
from auditor.util.pattern import PatternError, compile_pattern
from auditor.util.yamlfile import Located, YamlError
from auditor.view.documents import port_view_schema

INTENT = "$intent"
NAMES = ("rdma.priority", "rdma.dscp", "cnp.priority", "cnp.dscp", "lossless", "path_mtu_bytes")
_SELF = {"$ref": "#/$defs/Schema"}
_COUNT = {"type": "integer", "minimum": 0}
_LIMIT = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/Intent"}]}
_LIST = {"type": "array", "items": _SELF, "minItems": 1}
_VALUES = {"type": "array", "minItems": 1, "items": {"not": {"type": "null"}}}
_TYPE = {"enum": list(TYPES)}
_WORDS: Mapping[str, Any] = {
    "title": {"type": "string"},
    "description": {"type": "string"},
    "$comment": {"type": "string"},
    "type": {"anyOf": [_TYPE, {"type": "array", "items": _TYPE, "minItems": 1}]},
    "const": {"not": {"type": "null"}},
    "enum": {
        "anyOf": [{"type": "array", "minItems": 1, "items": {"not": {"type": "null"}}}, {"$ref": "#/$defs/Intent"}]
    },
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _LIMIT),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _COUNT),
    **dict.fromkeys(("minContains", "maxContains"), _COUNT),
    **dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"), _SELF),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _LIST),
    "pattern": {"type": "string"},
    "required": {"type": "array", "items": {"type": "string"}},
    "properties": {"type": "object", "additionalProperties": _SELF},
}
RULE_SCHEMA: Mapping[str, Any] = {
    "Schema": {
        "description": "a JSON Schema over the view; null is an unknown value and cannot be required",
        "anyOf": [{"type": "boolean"}, {"type": "object"}],
        "if": {"type": "object"},
        "then": {"properties": _WORDS, "additionalProperties": False},
    },
    "Intent": {
        "type": "object",
        "properties": {INTENT: {"enum": list(NAMES)}},
        "required": [INTENT],
        "additionalProperties": False,
    },
}
"""Definitions of the schema of a rule."""
_BRANCHES = ("allOf", "anyOf", "oneOf")
_SAME = ("not", "if", "then", "else")


def uses_intent(part: object) -> bool:
    """Return whether a schema, or a part of a schema, takes values from the intent."""
    if isinstance(part, Mapping):
        return INTENT in part or any(map(uses_intent, part.values()))
    return isinstance(part, list) and any(map(uses_intent, part))


def check_schema(located: Located, name: str, schema: Schema, of: str) -> Schema:
    """Return *schema*, the value of *name* in the file, after validation against the view of a port, queue or device.

    Raises YamlError with line and path for an impossible field, value, pattern or name of the intent.
    """
    for path, message in _list_mistakes(schema, [_make_view_schema(of)], (name,)):
        raise YamlError(located.file, located.line(path), f"{'/'.join(map(str, path))}: {message}")
    return schema


@lru_cache
def _list_definitions() -> Mapping[str, Any]:
    definitions: Mapping[str, Any] = port_view_schema()["$defs"]
    return definitions


def _make_view_schema(of: str) -> Mapping[str, Any]:
    """Return the schema of the document of a port, queue or device."""
    definitions = _list_definitions()
    whole = definitions["DeviceView"]["properties"]
    device = {"type": "object", "properties": {name: whole[name] for name in HEADER}, "additionalProperties": False}
    if of == "device":
        return {"$ref": "#/$defs/DeviceView"}
    fields = definitions["QueueView" if of == "queue" else "PortView"]["properties"]
    around = {"device": device, **({"port": {"$ref": "#/$defs/PortView"}} if of == "queue" else {})}
    return {"type": "object", "properties": {**fields, **around}, "additionalProperties": False}


def _expand_nodes(nodes: list[Any]) -> list[Mapping[str, Any]]:
    """Return what stands behind references and alternatives of the view's schema."""
    found: list[Mapping[str, Any]] = []
    for node in nodes:
        if "$ref" in node:
            found += _expand_nodes([_list_definitions()[node["$ref"].rpartition("/")[2]]])
        elif "anyOf" in node:
            found += _expand_nodes(node["anyOf"])
        elif node.get("type") != "null":
            found.append(node)
    return found


def _list_mistakes(schema: Schema, nodes: list[Any], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the places in *schema* that can never be right of what *nodes*, schemas of the view, describe."""
    if isinstance(schema, bool):
        return
    for word in ("const", "enum"):
        yield from _list_impossible_values(schema, word, nodes, (*path, word))
    if "pattern" in schema:
        try:
            compile_pattern(schema["pattern"])
        except PatternError as error:
            yield (*path, "pattern"), str(error)
    plain = _expand_nodes(nodes)
    named = [((*path, "required", number), field) for number, field in enumerate(schema.get("required", ()))]
    named += [((*path, "properties", field), field) for field in schema.get("properties", {})]
    for at, field in named:
        if not isinstance(field, str):
            yield at, f"expected a name: quote {field!r}"
        elif not _find_field(plain, field):
            yield at, f"the view has no field {field!r} here; `roce-audit schema port-view` lists them"
    for below, found, at in _list_subschemas(schema, nodes, path):
        yield from _list_mistakes(below, found, at)


def _list_subschemas(
    schema: Mapping[str, Any], nodes: list[Any], path: Path
) -> Iterator[tuple[Schema, list[Any], Path]]:
    """Yield each schema inside *schema*, what of the view it is about, and its own path."""
    plain = _expand_nodes(nodes)
    items = [node["items"] for node in plain if "items" in node] or [False]
    values = [node["additionalProperties"] for node in plain if _is_map(node)]
    about = {"items": items, "contains": items, "additionalProperties": values, "propertyNames": [{"type": "string"}]}
    for word, found in (about | dict.fromkeys(_SAME, nodes)).items():
        if word in schema:
            yield schema[word], found, (*path, word)
    for field, below in schema.get("properties", {}).items():
        yield below, _find_field(plain, field), (*path, "properties", field)
    for word in _BRANCHES:
        for number, each in enumerate(schema.get(word, ())):
            yield each, nodes, (*path, word, number)


def _find_field(plain: list[Mapping[str, Any]], field: str) -> list[Any]:
    """Return the schemas of a field; those of a map's values for any name of it."""
    found = []
    for node in plain:
        if field in node.get("properties", {}) and field != "state":
            found.append(node["properties"][field])
        elif _is_map(node):
            found.append(node["additionalProperties"])
    return found


def _is_map(node: Mapping[str, Any]) -> bool:
    return isinstance(node.get("additionalProperties"), dict)


def _list_impossible_values(
    schema: Mapping[str, Any], word: str, nodes: list[Any], path: Path
) -> Iterator[tuple[Path, str]]:
    """Yield the values of *word* (`const` or `enum`) that the view never has."""
    if word not in schema:
        return
    operand = schema[word]
    values = operand if word == "enum" else [operand]
    if isinstance(operand, dict) and INTENT in operand:
        if operand.keys() != {INTENT} or operand[INTENT] not in NAMES:
            yield path, f"expected {{{INTENT}: NAME}} with one of {', '.join(NAMES)}"
            return
        values = [[0] if word == "const" and operand[INTENT] == "lossless" else 0]
    judges = Draft202012Validator({"$defs": _list_definitions(), "anyOf": nodes or [True]})
    for value in values:
        if not judges.is_valid(value):
            said = str(value).lower() if isinstance(value, bool) else repr(value)
            said = f"what {operand[INTENT]} is" if isinstance(operand, dict) and INTENT in operand else said
            yaml = "; YAML reads a bare on or off as true or false: quote it" if isinstance(value, bool) else ""
            yield path, f"the view never has {said} here{yaml}"
