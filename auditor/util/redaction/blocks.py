"""Block YAML: secrets that the keys around a line reveal.

All of a Kubernetes Secret, whatever the order of its keys; the values of variables with a secret name; block scalars,
lists and lone values under a secret name; SNMP communities that are keys.
"""

import re
from collections.abc import Sequence
from dataclasses import field

from auditor.util.redaction.names import is_secret_name
from auditor.util.redaction.nesting import KEYS_ARE_SECRET, NAME_FIELDS, SECRET_DATA
from auditor.util.redaction.spans import MARK, is_mark
from auditor.util.redaction.values import is_no_secret
from auditor.util.regex import regex
from auditor.util.values import dataclass

_LINE = regex(
    r"(?P<indent>[ \t]*+)(?P<dashes>(?>(?:-[ \t]++)*))"
    r"(?>(?P<quote>[\"']?)(?P<key>[^\"'\s:{}\[\],#][^\"':{}\[\],#]*+)(?P=quote)"
    r"[ \t]*+:(?=\s|$)[ \t]*+|)(?P<value>.*+)"
)
_BEFORE_BARE = regex(r"[ \t]*+(?>-[ \t]++|)[\"']?+")
_HINT = regex(
    r"\bSecret\b|\bvalue[\"']?\s*:|communit|NTP_KEY|ntp|pass|secret|token|key|credential|cookie|psk", re.IGNORECASE
)
_FLAG = regex(r"[\"']?(?P<flag>--?[A-Za-z][\w-]*)[\"']?,?")


@dataclass(slots=True)
class _Frame:
    """An open mapping: its column, the key above, and the lines of its parts by number."""

    column: int
    opener: str = ""
    above: str = ""
    key: str = ""
    is_secret_kind: bool = False
    has_secret_name: bool = False
    values: list[int] = field(default_factory=list)
    data: list[tuple[int, int]] = field(default_factory=list)
    open_data: int = -1
    hides_from: int = -1
    keys: int = 0


class _Reader:
    """The frames of a text while its lines are read; `hidden` holds the replaced lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._stack: list[_Frame] = []
        self._ranges: list[tuple[int, int]] = []
        self._scalars: list[tuple[int, int]] = []
        self.hidden: dict[int, str] = {}

    def read(self) -> dict[int, str]:
        """Return the lines that hold a secret, hidden, by number."""
        for number, line in enumerate(self._lines):
            if line.strip() and not line.lstrip().startswith("#"):
                self._read_line(number, line)
        self._pop(-1, len(self._lines))
        self._hide_ranges()
        return self.hidden

    def _read_line(self, number: int, line: str) -> None:
        match = _LINE.match(line)
        if match is None:
            return
        if line.startswith(("---", "...")):
            self._pop(-1, number)
            return
        column = match.start("dashes")
        if match["dashes"]:
            self._pop(column, number)
            column = match.end("dashes")
        self._pop(column if match["key"] is not None or match["dashes"] else column - 1, number)
        if match["key"] is None:
            return
        if not self._stack or self._stack[-1].column < column:
            parent = self._stack[-1] if self._stack else None
            self._stack.append(_Frame(column, parent.key if parent else "", parent.opener if parent else ""))
        self._set_key(self._stack[-1], number, match)

    def _set_key(self, frame: _Frame, number: int, match: re.Match[str]) -> None:
        self._end_parts(frame, number)
        key, value = match["key"].strip(), match["value"].strip()
        frame.key = key
        bare = value.strip("\"', ")
        if KEYS_ARE_SECRET.fullmatch(frame.opener) and not is_mark(key):
            frame.keys += 1
            mark = MARK if frame.keys == 1 else f"{MARK[:-1]} {frame.keys}>"
            self._replace(number, *match.span("key"), mark)
        if key == "kind":
            frame.is_secret_kind = frame.is_secret_kind or bare == "Secret"
        elif key in SECRET_DATA:
            frame.open_data = number
        elif key.lower() in NAME_FIELDS and is_secret_name(bare):
            frame.has_secret_name = True
        elif key.lower() == "value":
            frame.values.append(number)
            if "NTP_KEY" in {frame.opener, frame.above} or frame.above == "key":
                self._hide_value(number)
        is_opener = value[:1] in {"|", ">", "["} and not value[1:].strip("+-0123456789 ")
        if is_secret_name(key) and (not bare or is_opener):
            frame.hides_from = number

    def _end_parts(self, frame: _Frame, number: int) -> None:
        """End what the last key of *frame* began."""
        if frame.open_data >= 0:
            frame.data.append((frame.open_data, number))
            frame.open_data = -1
        if frame.hides_from >= 0:
            self._scalars.append((frame.hides_from + 1, number))
            frame.hides_from = -1

    def _pop(self, column: int, number: int) -> None:
        """Close the frames right of *column*."""
        while self._stack and self._stack[-1].column > column:
            frame = self._stack.pop()
            self._end_parts(frame, number)
            if frame.is_secret_kind:
                self._ranges += frame.data
            if frame.has_secret_name:
                for value in frame.values:
                    self._hide_value(value)

    def _hide_ranges(self) -> None:
        depth = [0] * (len(self._lines) + 1)
        for first, last in self._ranges:
            depth[first] += 1
            depth[last] -= 1
        lone = [0] * (len(self._lines) + 1)
        for first, last in self._scalars:
            lone[first] += 1
            lone[last] -= 1
        in_data = in_scalar = 0
        for number in range(len(self._lines)):
            in_data += depth[number]
            in_scalar += lone[number]
            if in_data and self._lines[number].strip():
                self._hide_value(number)
            elif in_scalar and self._lines[number].strip():
                self._hide_bare(number)

    def _hide_value(self, number: int) -> None:
        """Hide the value of a line; the whole line if it has no key."""
        match = _LINE.match(self.hidden.get(number, self._lines[number]))
        if match is None:
            return
        value = match["value"].rstrip().rstrip(",")
        start = match.start("value")
        if value[:1] in {'"', "'"}:
            start, value = start + 1, value[1:].rstrip(value[0])
        is_opener = value.startswith(("|", ">")) and not value[1:].strip("+-0123456789 ")
        if not value or value in {"{", "[", "}", "]"} or is_opener or is_mark(value):
            return
        self._replace(number, start, start + len(value), MARK)

    def _hide_bare(self, number: int) -> None:
        """Hide a line that is a value by itself; lines with a key keep theirs."""
        line = self.hidden.get(number, self._lines[number])
        found = _LINE.match(line)
        if found is not None and found["key"] is not None:
            return
        start, end = _find_bare(line)
        value = line[start:end]
        if not value or is_no_secret(value) or value[0] in "{[}]<":
            return
        self._replace(number, start, end, MARK)

    def _replace(self, number: int, start: int, end: int, mark: str) -> None:
        line = self.hidden.get(number, self._lines[number])
        self.hidden[number] = line[:start] + mark + line[end:]


def hide_blocks(lines: Sequence[str]) -> dict[int, str]:
    """Return the lines of block YAML that hold a secret, hidden, by number."""
    if not any(":" in line and _HINT.search(line) for line in lines):
        return {}
    return _Reader(lines).read()


def hide_arguments(lines: Sequence[str]) -> dict[int, str]:
    """Return the lines after a secret option that stands alone on its line: lists of arguments, one a line."""
    hidden = {}
    for number, line in enumerate(lines[:-1]):
        if "-" not in line or " " in line.strip().removeprefix("- "):
            continue
        word = line.strip().removeprefix("- ").strip()
        match = _FLAG.fullmatch(word) if word[:3].strip("\"'-") != word[:3] else None
        if match is None or not is_secret_name(match["flag"].lstrip("-")):
            continue
        following = lines[number + 1]
        start, end = _find_bare(following)
        value = following[start:end]
        if value and not value.startswith("-") and not is_no_secret(value):
            hidden[number + 1] = following[:start] + MARK + following[end:]
    return hidden


def _find_bare(line: str) -> tuple[int, int]:
    """Return the bounds of the lone value of a line, without its quotes and the comma after it; (0, 0) without one.

    >>> line = "  - 's3cret' ,"
    >>> line[slice(*_find_bare(line))]
    's3cret'
    """
    before = _BEFORE_BARE.match(line)
    start = before.end() if before else 0
    value = line[start:].rstrip()
    if len(value) > 1 and value.endswith(","):
        value = value[:-1].rstrip()
    if len(value) > 1 and value[-1] in "\"'":
        value = value[:-1]
    if not value or value[0].isspace() or "'" in value or '"' in value:
        return 0, 0
    return start, start + len(value)
