"""A manifest as a tree of values with their lines. An alias shares its value, without a copy."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import yaml

from auditor.grammar import yamltext
from auditor.model.dump import Capture
from auditor.util.values import dataclass

MAX_VALUES = 1_000_000
"""Of one file; a cluster of thousands of pods stays below."""
_MERGE = "<<"
_MAX_MERGES = 4
_LITERAL = {"|", ">"}


@dataclass(slots=True, eq=False)
class Value:
    """A scalar (`text`), a mapping (`entries`) or a list (`items`); `line` is the index of the line it begins on.

    `first` is the index of the first line of its text, behind the mark of a block. A missing value is an empty value,
    so a path needs no check at each step.
    """

    line: int = 0
    text: str | None = None
    first: int = 0
    entries: dict[str, "Value"] = field(default_factory=dict)
    items: list["Value"] = field(default_factory=list)

    def __getitem__(self, key: str) -> "Value":
        return self.get(key) or NOTHING

    def __bool__(self) -> bool:
        return self is not NOTHING

    def at(self, *keys: str) -> "Value":
        """Return the value at the path *keys*."""
        found = self
        for key in keys:
            found = found[key]
        return found

    def get(self, key: str, merges: int = _MAX_MERGES) -> "Value | None":
        """Return the value of *key*, own or merged (`<<`); None if missing."""
        found = self.entries.get(key)
        merged = self.entries.get(_MERGE)
        if found is None and merged is not None and merges:
            holders = merged.items or [merged]
            found = next((got for each in holders[:_MAX_MERGES] if (got := each.get(key, merges - 1))), None)
        return found

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line of the text with the index of its line in the file."""
        for number, line in enumerate((self.text or "").split("\n")):
            yield self.first + number, line


NOTHING = Value()


@dataclass(slots=True)
class _Open:
    """An open mapping or list, and the key of its next value."""

    value: Value
    is_map: bool
    key: str | None = None


def read_documents(capture: Capture) -> Iterator[Value]:
    """Yield the root of each document; raises yaml.YAMLError or ValueError at a syntax error."""
    anchors: dict[str, Value] = {}
    levels: list[_Open] = []
    count = 0
    for line, event in yamltext.events(capture):
        if isinstance(event, yaml.DocumentStartEvent):
            anchors, levels = {}, []
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            closed = levels.pop()
            if not levels:
                yield closed.value
        elif isinstance(event, yaml.AliasEvent | yaml.NodeEvent):
            count += 1
            if count > MAX_VALUES or len(levels) >= yamltext.MAX_DEPTH:
                limit = f"{MAX_VALUES} values" if count > MAX_VALUES else f"{yamltext.MAX_DEPTH} levels"
                raise ValueError(f"more than {limit}")
            value = _make_value(event, line, anchors)
            _put_value(levels, value, event)
            if isinstance(event, yaml.CollectionStartEvent):
                levels.append(_Open(value, isinstance(event, yaml.MappingStartEvent)))


def _make_value(event: Any, line: int, anchors: dict[str, Value]) -> Value:  # noqa: ANN401  PyYAML's events are not typed
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(event.anchor or "", NOTHING)
    value = Value(line)
    if isinstance(event, yaml.ScalarEvent):
        value.text = event.value
        value.first = line + (event.style in _LITERAL)
    if event.anchor:
        anchors[event.anchor] = value
    return value


def _put_value(levels: list[_Open], value: Value, event: yaml.Event) -> None:
    if not levels:
        return
    holder = levels[-1]
    if not holder.is_map:
        holder.value.items.append(value)
    elif holder.key is None:
        # a key that is no text stands for nothing that a manifest has
        holder.key = value.text if isinstance(event, yaml.ScalarEvent) and value.text is not None else ""
    else:
        holder.value.entries[holder.key] = value
        holder.key = None
