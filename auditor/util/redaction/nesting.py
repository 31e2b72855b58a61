"""JSON and flow YAML: secrets that the objects around a value reveal.

All of a Kubernetes Secret, the values of variables with a secret name, registries' credentials, SNMP communities that
are keys, keys of NTP. The text may be cut, and other text may stand around: brackets alone are counted.
"""

import re
from collections.abc import Iterator
from dataclasses import field

from auditor.util.redaction.names import is_secret_name
from auditor.util.redaction.spans import MARK, Span, is_mark
from auditor.util.redaction.values import is_no_secret
from auditor.util.regex import regex
from auditor.util.values import dataclass

_TOKEN = regex(
    r"""\\?"(?>(?:[^"\\\n]++|\\[^"\n])*)(?:\\?"|(?=\n)|$)|'[^'\n]*+'?"""
    r"""|[{}\[\],\n]|:(?=[\s"'{\[])|(?>(?:[^\s{}\[\],"':]++|:(?![\s"'{\[]))+)"""
)
_HINTS = regex(r"\bSecret\b|value|auths|SNMP_COMMUNITY|NTP_KEY|communit", re.IGNORECASE)
SECRET_DATA = frozenset({"data", "stringData", "stringdata"})
NAME_FIELDS = frozenset({"name", "key", "variable", "var"})
KEYS_ARE_SECRET = regex(r"SNMP_COMMUNITY|(?:read-?(?:only|write)|readonly|readwrite)-community(?:-v6)?", re.IGNORECASE)


@dataclass(slots=True)
class _Frame:
    """An open object or list; `first` is the index of its first scalar."""

    bracket: str
    opener: str
    first: int
    is_all_secret: bool = False
    is_ntp: bool = False
    key: str = ""
    is_value: bool = False
    is_secret_kind: bool = False
    has_secret_name: bool = False
    values: list[int] = field(default_factory=list)
    data: list[tuple[int, int]] = field(default_factory=list)
    keys: int = 0


class _Scanner:
    """The scalars of a text, and which of them are secret."""

    def __init__(self) -> None:
        self.scalars: list[tuple[int, int, str]] = []
        self.marks: dict[int, str] = {}
        self.ranges: list[tuple[int, int]] = []
        self.stack: list[_Frame] = []

    def open(self, bracket: str) -> None:
        above = self.stack[-1] if self.stack else None
        opener = above.key if above and above.is_value else ""
        if above and above.bracket == "[" and not opener:
            opener = above.opener
        frame = _Frame(bracket, opener, len(self.scalars))
        frame.is_all_secret = bool(above and above.is_all_secret) or opener == "auths"
        frame.is_ntp = bool(above and above.is_ntp) or opener == "NTP_KEY"
        self.stack.append(frame)

    def close(self) -> None:
        frame = self.stack.pop()
        if frame.has_secret_name:
            self.marks.update(dict.fromkeys(frame.values, MARK))
        if frame.is_secret_kind:
            self.ranges += frame.data
        above = self.stack[-1] if self.stack else None
        if above is not None:
            if frame.opener in SECRET_DATA and above.bracket == "{":
                above.data.append((frame.first, len(self.scalars)))
            above.is_value = False

    def add(self, start: int, end: int, text: str) -> None:
        """Take a key or a value."""
        frame = self.stack[-1]
        if frame.bracket == "{" and not frame.is_value:
            frame.key = text
            if KEYS_ARE_SECRET.fullmatch(frame.opener):
                frame.keys += 1
                if text:
                    self.scalars.append((start, end, text))
                    self.marks[len(self.scalars) - 1] = MARK if frame.keys == 1 else f"{MARK[:-1]} {frame.keys}>"
            return
        number = len(self.scalars)
        self.scalars.append((start, end, text))
        if frame.bracket == "[":
            return
        lower = frame.key.lower()
        if frame.key == "kind" and text == "Secret":
            frame.is_secret_kind = True
        if lower in NAME_FIELDS and is_secret_name(text):
            frame.has_secret_name = True
        if lower == "value":
            frame.values.append(number)
            if frame.is_ntp:
                self.marks[number] = MARK
        if frame.is_all_secret and lower not in {"username", "email"}:
            self.marks[number] = MARK

    def finish(self) -> Iterator[Span]:
        """Yield the secrets; what a cut text left open counts as closed."""
        while self.stack:
            self.close()
        depth = [0] * (len(self.scalars) + 1)
        for first, last in self.ranges:
            depth[first] += 1
            depth[last] -= 1
        open_ranges = 0
        for number, (start, end, text) in enumerate(self.scalars):
            open_ranges += depth[number]
            mark = self.marks.get(number, MARK if open_ranges else "")
            if mark and not is_mark(text) and (len(mark) > len(MARK) or not is_no_secret(text) or open_ranges):
                yield Span(start, end, mark)


def find_nested(text: str) -> Iterator[Span]:
    """Yield the secrets of a text, of one line or of many, that the objects around them reveal."""
    if "{" not in text or not _HINTS.search(text):
        return
    scanner = _Scanner()
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word in {"{", "["}:
            scanner.open(word)
        elif not scanner.stack:
            continue
        elif word in {"}", "]"}:
            scanner.close()
        elif word == ",":
            scanner.stack[-1].is_value = False
        elif word == ":":
            scanner.stack[-1].is_value = True
        elif word != "\n":
            start, end = _unquote(word, match.start(), match.end())
            scanner.add(start, end, text[start:end])
    yield from scanner.finish()


def _unquote(word: str, start: int, end: int) -> tuple[int, int]:
    for quote in ('\\"', '"', "'"):
        if word.startswith(quote):
            start += len(quote)
            if word.endswith(quote) and end - len(quote) >= start:
                end -= len(quote)
            break
    return start, end
