"""YAML files checked against a JSON Schema, with the line of each mistake."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import yaml

from auditor.util.printable import shorten
from auditor.util.regex import regex
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from jsonschema import ValidationError


class YamlError(ValueError):
    """A YAML file cannot be used; `line` counts from 1."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(shorten(f"{file}:{line}: {message}"))
        self.file = file
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Located:
    """The data of a YAML file and the line on which each value stands."""

    file: str
    data: Any
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line of the value at *path*, or of the nearest thing around it."""
        steps = tuple(path)
        while steps not in self.lines and steps:
            steps = steps[:-1]
        return self.lines.get(steps, 1)


MAX_DEPTH = 50
_LONGEST = 200
SAFE_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's safe loader: ten times as fast where libyaml is there."""
_UNUSABLE = regex(r"\A[-+]?\.(?:inf|nan)\Z|[\ud800-\udfff]", re.IGNORECASE)
"""Numbers that no schema can bound, and halves of surrogate pairs, which cannot be written again."""


class _Loader(SAFE_LOADER):  # type: ignore[valid-type,misc]
    """Reads what JSON can hold: a date stays text."""

    yaml_implicit_resolvers = {  # noqa: RUF012  PyYAML's own way
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _Tolerant(_Loader):
    """Loads values under tags of other programs (`!vault`) as null."""


_Tolerant.add_multi_constructor("!", lambda *_: None)


_OTHER_BREAKS = dict.fromkeys(map(ord, "\x85\u2028\u2029"), " ")


def blank_breaks(text: str) -> str:
    """Return *text* with blanks for the characters that end a line in YAML alone, so that its marks count our lines.

    >>> blank_breaks("a: b\u2028c")
    'a: b c'
    """
    return text if text.isascii() else text.translate(_OTHER_BREAKS)


def data_of(text: str) -> Any:  # noqa: ANN401  whatever the file holds
    """Return the data of a built-in YAML file."""
    return yaml.load(text, Loader=SAFE_LOADER)  # noqa: S506  one of the safe ones


def load(file: str, text: str, schema: Mapping[str, Any], *, foreign_tags: bool = False) -> Located:
    """Parse *text* and check it against *schema*; raises YamlError with the line of the first mistake.

    With *foreign_tags* a value under a tag that is not YAML's own is null instead of a mistake.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415  deferred: most runs read no file of this kind
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    lines: dict[tuple[str | int, ...], int] = {}
    text = blank_breaks(text)
    with _mistakes(file):
        _bound(file, text)
        loader = (_Tolerant if foreign_tags else _Loader)(text)
        try:
            node = loader.get_single_node()
            if node is not None:
                _walk(node, (), lines)
            data = None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    located = Located(file, data, lines)
    mistakes = list(Draft202012Validator(schema).iter_errors(data))
    within = (each for mistake in mistakes for each in _unwrap(mistake))
    wrong = next(filter(_stranger, within), None) or best_match(mistakes)
    if wrong is not None:
        path = [*wrong.absolute_path, *_stranger(wrong)]
        at = "/".join(str(step) for step in wrong.absolute_path)
        message = _word(wrong)
        raise YamlError(file, located.line(path), f"{at}: {message}" if at else message)
    return located


def compose(file: str, text: str) -> yaml.Node | None:
    """Return *text* as nodes, None where it is empty; raises YamlError."""
    text = blank_breaks(text)
    with _mistakes(file):
        _bound(file, text)
        return yaml.compose(text, Loader=SAFE_LOADER)


@contextmanager
def _mistakes(file: str) -> Iterator[None]:
    """Turn exceptions of PyYAML into YamlError."""
    try:
        yield
    except YamlError:
        raise
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlError(file, line, f"not YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlError(file, 1, f"not YAML: {error}") from None
    except (AttributeError, LookupError, TypeError):  # `!!timestamp x`, `!!bool x`: PyYAML's constructors raise these
        raise YamlError(file, 1, "not YAML: a value does not fit its tag") from None


def _walk(node: yaml.Node, path: tuple[str | int, ...], lines: dict[tuple[str | int, ...], int]) -> None:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode) and _UNUSABLE.search(node.value):
        raise yaml.MarkedYAMLError(problem="neither a finite number nor whole text", problem_mark=node.start_mark)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if (*path, str(key.value)) in lines:
                raise yaml.MarkedYAMLError(problem=f"{key.value!r} stands twice", problem_mark=key.start_mark)
            _walk(value, (*path, str(key.value)), lines)
            lines[*path, str(key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _walk(value, (*path, number), lines)


def _bound(file: str, text: str) -> None:
    """Raise at the first alias, as a few lines of them can unfold without end, and where libyaml would recurse deep."""
    depth = 0
    for event in yaml.parse(text, Loader=SAFE_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise YamlError(file, line, "YAML aliases are unsupported; repeat the value")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise YamlError(file, line, f"not YAML: nested deeper than {MAX_DEPTH} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _word(wrong: "ValidationError") -> str:
    """Return what is wrong in words, with the names that are near to an unknown key or value."""
    schema = wrong.schema if isinstance(wrong.schema, dict) else {}
    if strangers := _stranger(wrong):
        return add_suggestion(f"no key is named {strangers[0]!r} here", strangers[0], schema["properties"])
    if wrong.validator == "enum" and isinstance(wrong.instance, str):
        known = [each for each in schema.get("enum", ()) if isinstance(each, str)]
        return add_suggestion(f"no such value: {wrong.instance!r}", wrong.instance, known)
    return wrong.message if len(wrong.message) < _LONGEST else f"{wrong.message[:_LONGEST]} …"


def _unwrap(wrong: "ValidationError") -> Iterator["ValidationError"]:
    """Yield the mistakes of the one choice that *wrong* can mean, the others being of another type; else *wrong*."""
    own = [each for each in wrong.context or () if each.validator != "type" or each.relative_path]
    if len({each.relative_schema_path[0] for each in own}) != 1:
        yield wrong
        return
    for each in own:
        yield from _unwrap(each)


def _stranger(wrong: "ValidationError") -> list[str]:
    """Return the key that the schema does not know, if an unknown key is the mistake."""
    if wrong.validator != "additionalProperties" or not isinstance(wrong.instance, dict):
        return []
    known = wrong.schema.get("properties", {}) if isinstance(wrong.schema, dict) else {}
    return [str(key) for key in wrong.instance if key not in known][:1]
