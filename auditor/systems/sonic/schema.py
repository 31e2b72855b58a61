"""The terms of SONiC's models: leaves, rows as a whole, constraints of a table."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace

from auditor.model.finding import Level
from auditor.util.regex import regex
from auditor.util.values import dataclass

_WHOLE = regex(r"[+-]?\d{1,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The values that a leaf allows: text that `pattern` matches, or a whole number in `numbers`.

    `level` is an error where SONiC's daemons refuse or drop the item, a warning where the model alone refuses the item:
    `config apply-patch` and `config replace` judge by the model, older releases do not. `many`: a list of such values.
    """

    expected: str
    pattern: re.Pattern[str] | None = None
    numbers: range | None = None
    level: Level = Level.ERROR
    many: bool = False

    def refuses(self, text: str) -> bool:
        """Return whether the leaf has no such value.

        >>> make_number(0, 63).refuses("64"), make_words("on", "off").refuses("on")
        (True, False)
        """
        return any(map(self._refuses, text.split(","))) if self.many else self._refuses(text)

    def _refuses(self, text: str) -> bool:
        if self.numbers is not None and _WHOLE.fullmatch(text.strip()) and int(text) in self.numbers:
            return False
        return self.pattern is None or not self.pattern.fullmatch(text)

    @property
    def as_warning(self) -> "Leaf":
        """The same leaf, whose breach is a warning."""
        return replace(self, level=Level.WARNING)

    @property
    def as_list(self) -> "Leaf":
        """A list of such values."""
        return replace(self, many=True)


def make_number(low: int, high: int, *words: str) -> Leaf:
    """Return a leaf for a whole number from *low* to *high*, or one of *words*."""
    others = "".join(f" or {word}" for word in words)
    pattern = re.compile("|".join(map(re.escape, words))) if words else None
    return Leaf(f"a number from {low} to {high}{others}", pattern, range(low, high + 1))


def make_words(*words: str) -> Leaf:
    """Return a leaf for one of *words*."""
    return Leaf(
        " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))), re.compile("|".join(map(re.escape, words)))
    )


def make_pattern(pattern: str, expected: str) -> Leaf:
    """Return a leaf for text that *pattern* matches as a whole."""
    return Leaf(expected, re.compile(pattern, re.ASCII))


def make_text(low: int, high: int) -> Leaf:
    """Return a leaf for text of *low* to *high* characters."""
    return Leaf(f"text of {low} to {high} characters", re.compile(rf".{{{low},{high}}}", re.DOTALL))


Tables = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Rows as text, by table and key."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A row as the models see the row: its key and its fields, beside all other tables.

    `whole`: nothing of the row can be missing from the dump.
    """

    key: str
    fields: Mapping[str, str]
    tables: Tables
    whole: bool = True

    def number(self, name: str) -> int | None:
        """Return the field *name* as a number, None if the row has no such number."""
        text = self.fields.get(name, "").strip()
        return int(text) if _WHOLE.fullmatch(text) else None

    def host(self, name: str) -> str | None:
        """Return a field of the switch itself, None if the dump lacks the field."""
        return self.tables.get("DEVICE_METADATA", {}).get("localhost", {}).get(name)


Refusal = tuple[str, str]
"""A field, empty for the row as a whole, and the reason why the model refuses the value."""
Must = Callable[[ModelRow], Iterator[Refusal]]


@dataclass(frozen=True, slots=True)
class Constraint:
    """A table in its model: the leaves of its key and of its rows, what each row must have, and its `musts`.

    `key` has a leaf for each part, None for a part of any text. The part `port_part` of the key names a port, or one of
    the words in `ports`; None: no part does. `voq`: the key may be that of a virtual output queue, with four parts:
    host, ASIC, port and queue. `codes` and `entry` are the keys and values of a map, which has no other fields;
    `by_port`: its keys are ports.
    """

    model: str
    fields: Mapping[str, Leaf] = field(default_factory=dict)
    key: tuple[Leaf | None, ...] = (None,)
    port_part: int | None = None
    ports: frozenset[str] = frozenset()
    voq: bool = False
    codes: Leaf | None = None
    entry: Leaf | None = None
    by_port: bool = False
    mandatory: tuple[str, ...] = ()
    musts: tuple[Must, ...] = ()
