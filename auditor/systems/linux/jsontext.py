"""JSON output with the line of every value."""

import json
import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from itertools import accumulate

from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.setting import Where
from auditor.systems.linux.evidence import Event, Events, LineMark
from auditor.systems.linux.text import make_doubt
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.surrogates import replace_halves
from auditor.util.values import dataclass

_DECODER = json.JSONDecoder()
_MOST_INDEXED = 100  # members of an object: the members of a larger one would take much memory
_SPACE = regex(r"[\s,:]*")
_KEY = regex(r'"((?:[^"\\]|\\.)*)"\s*:')


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """The text of a capture and where its lines begin in it."""

    capture: Capture
    text: str
    starts: tuple[int, ...]

    def index(self, offset: int) -> int:
        """Return the line index of *offset*."""
        return bisect_right(self.starts, offset) - 1


@dataclass(frozen=True)
class JsonNode:
    """A JSON value with its place."""

    document: JsonDocument
    value: object
    start: int
    pointer: str = ""

    @property
    def index(self) -> int:
        """The index of the line on which the value begins."""
        return self.document.index(self.start)

    @property
    def where(self) -> Where:
        """The place of the value."""
        line = self.document.capture.where(self.index)
        return Where(line.file, line.line, line.relative, self.pointer, line.part)

    def items(self) -> "Iterator[JsonNode]":
        """Yield the elements of a list; nothing where the value is no list."""
        if isinstance(self.value, list):
            at = self.start + 1
            for number in range(len(self.value)):
                node, at = self._decode(at, str(number))
                yield node

    def members(self) -> "Iterator[tuple[str, JsonNode]]":
        """Yield the keys and values of an object; nothing where the value is no object."""
        if isinstance(self.value, dict):
            at = _skip_space(self.document.text, self.start + 1)
            while self.document.text[at] == '"':
                key, at = _DECODER.raw_decode(self.document.text, at)
                node, at = self._decode(at, key)
                yield key, node
                at = _skip_space(self.document.text, at)

    def get(self, key: str) -> "JsonNode | None":
        """Return the member *key* of an object, None where there is none."""
        if not isinstance(self.value, dict) or key not in self.value:
            return None
        if len(self.value) <= _MOST_INDEXED:
            return self._by_key[key]
        return next(node for name, node in self.members() if name == key)

    @cached_property
    def _by_key(self) -> "Mapping[str, JsonNode]":
        """The members by their keys; the first one of a key that stands twice."""
        return dict(reversed(list(self.members())))

    def text(self, key: str) -> str:
        """Return the member *key* where it is a string, else an empty string."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, str) else ""

    def whole(self, allowed: range) -> int | None:
        """Return the value where it is an *allowed* integer."""
        value = self.value
        return value if isinstance(value, int) and not isinstance(value, bool) and value in allowed else None

    def doubt(self, why: str) -> Doubt:
        """Return the doubt about this value."""
        return Doubt(self.where, redact(json.dumps(self.value)[:2000])[:200], why)

    def _decode(self, at: int, key: str) -> "tuple[JsonNode, int]":
        start = _skip_space(self.document.text, at)
        value, end = _DECODER.raw_decode(self.document.text, start)
        escaped = key.replace("~", "~0").replace("/", "~1")
        return JsonNode(self.document, value, start, f"{self.pointer}/{escaped}"), end


def is_json(capture: Capture) -> bool:
    """Whether the first character of the capture begins a JSON list or object."""
    first = next((line.strip() for line in capture.lines if line.strip()), "")
    return re.match(r'\[\s*(?:[{\]"]|$)|\{\s*(?:["}]|$)', first) is not None


def load_json(capture: Capture) -> JsonNode | Doubt:
    """Return the JSON value of *capture*; a fatal doubt for invalid JSON."""
    text = replace_halves("\n".join(capture.lines))
    starts = tuple(accumulate((len(line) + 1 for line in capture.lines), initial=0))[:-1]
    document = JsonDocument(capture, text, starts)
    start = _skip_space(text, 0)
    try:
        value, _ = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return make_doubt(capture, document.index(min(error.pos, len(text) - 1)), f"JSON: {error.msg}", fatal=True)
    except (ValueError, RecursionError):
        return make_doubt(capture, 0, "JSON of ordinary depth and numbers of ordinary length", fatal=True)
    return JsonNode(document, value, start)


def open_json(capture: Capture, kept: frozenset[str] | None = None) -> Generator[Event, None, JsonNode | None]:
    """Yield the states of the lines if *kept* keys are given; return the value, None after a doubt."""
    root = load_json(capture)
    if isinstance(root, Doubt):
        yield root
        return None
    if kept is not None:
        yield from mark_lines(root, kept)
    return root


def mark_lines(root: JsonNode, kept: frozenset[str]) -> Events:
    """Yield the state of each line: modelled with a key that is *kept*, not modelled with another, else ignored."""
    end = _DECODER.raw_decode(root.document.text, root.start)[1]
    for index in range(root.index, root.document.index(end - 1) + 1):
        keys = set(_KEY.findall(root.document.capture.lines[index]))
        if keys & kept:
            yield LineMark(index, LineState.MODELLED)
        else:
            yield LineMark(index, LineState.NOT_MODELLED if keys else LineState.IGNORED)


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
