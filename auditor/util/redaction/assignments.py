"""Assignments: `name = value`, `name: value`, JSON fields, XML elements, headers of HTTP, variables."""

import re
from collections.abc import Iterator

from auditor.util.redaction.names import is_description, is_secret_name
from auditor.util.redaction.spans import Span, is_mark
from auditor.util.redaction.values import (
    find_flow,
    find_list,
    find_quotes,
    find_rest,
    find_word,
    is_bgp_community,
    is_no_secret,
    quote_number,
    trim,
)
from auditor.util.regex import regex

_NAME = regex(
    r"(?:(?<![\w.$/-])[-$/]*+|(?<=/)[-$]*+)"
    r"(?P<name>[A-Za-z_.][\w.$-]*+)(?P<close>\\?[\"']?+\]?+)(?P<gap>[ \t]*+)"
    r"(?P<sign>:=|=>|[:=](?!=))(?P<space>[ \t]*+)"
)
_BEFORE = regex(r"(?:[A-Za-z][\w-]*+[ ])?[A-Za-z][\w-]*+ {1,3}\Z")
_BEFORE_CHARS = 48
_SCHEME = regex(r"(?:bearer|basic|digest|token|negotiate|splunk)[ \t]++", re.IGNORECASE)
_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
_PHRASES = frozenset(
    {"key content", "snmp community", "community name", "community string", "numerical password", "pass phrase"}
)
"""Names of two words in what commands print."""
_NUMBER = regex(r"-?\d[^\s,}\]]*+")
_XML = regex(
    r"<(?:\w{1,40}:)?(?P<name>[A-Za-z][\w.-]{0,80})(?:[ \t][^<>\n]{0,200})?>"
    r"(?:[ \t]*+<[Vv]alue>)?(?P<value>[^<\n]++)"
)
_XML_PAIR = regex(r"(?:key|name)=\"(?P<name>[^\"\n]{1,80})\"[ \t]++value=\"(?P<value>[^\"\n]++)", re.IGNORECASE)
_XML_VALUE = regex(r"<(?P<name>[A-Za-z][\w.-]{0,80})[ \t][^<>\n]{0,80}?\b(?:value|VALUE)=\"(?P<value>[^\"\n]++)")
_TUPLE = regex(
    r"(?:setenv|putenv|setdefault|SetEnvironmentVariable|environ|hset)[ \t]*+[(\[]?+[ \t]*+"
    r"[\"'](?P<name>[\w.-]{1,80})[\"'][ \t]*+"
    r"[,:]?+[ \t]*+[\"'](?P<value>[^\"'\n]++)"
)
_BLOCK = regex(
    r"variable[ \t]++\"(?P<name>[\w-]{1,80})\"[ \t]*+\{[^}\n]{0,200}?default[ \t]*+=[ \t]*+\"(?P<value>[^\"\n]++)"
)
_XML_NAMES = frozenset({"keymaterial", "key-material"})


def find_assignments(line: str) -> Iterator[Span]:
    """Yield the values of *line* whose names are secret."""
    position = 0
    while match := _NAME.search(line, position):
        position = match.end()
        name = match["name"]
        if _is_secret(line, match):
            spans, position = _read_value(line, match, name)
            yield from spans
    if "<" in line:
        for match in _XML.finditer(line):
            if is_secret_name(match["name"]) or match["name"].lower() in _XML_NAMES:
                yield from _accept(line, *match.span("value"))
    if '="' in line:
        yield from _read_pairs(_XML_PAIR, line)
        yield from _read_pairs(_XML_VALUE, line)
    if "variable" in line:
        yield from _read_pairs(_BLOCK, line)
    if "env" in line.lower() or "setdefault" in line or "hset" in line:
        yield from _read_pairs(_TUPLE, line)


def _read_pairs(pattern: re.Pattern[str], line: str) -> Iterator[Span]:
    for match in pattern.finditer(line):
        if is_secret_name(match["name"]):
            yield from _accept(line, *match.span("value"))


def _is_secret(line: str, match: re.Match[str]) -> bool:
    """Return whether the name of an assignment, with the words before it, is secret."""
    name = match["name"]
    if name.lower() in _HEADERS:
        return True
    if is_secret_name(name):
        return True
    if not name.isalpha() or match["close"]:
        return False
    before = _BEFORE.search(line[max(0, match.start() - _BEFORE_CHARS) : match.start()])
    if before is None or is_description(name):
        return False
    words = [*before[0].lower().split(), name.lower()]
    return " ".join(words[-2:]) in _PHRASES or (
        match["sign"] == ":" and any(is_secret_name("-".join(words[-count:])) for count in (2, 3))
    )


def _read_value(line: str, match: re.Match[str], name: str) -> tuple[list[Span], int]:
    """Return the secrets in the value of an assignment, with the end of the value."""
    start = match.end()
    if scheme := _SCHEME.match(line, start):
        start = scheme.end()
    first = line[start : start + 1]
    quoted = find_quotes(line, start)
    if quoted is not None:
        return _check_quoted(line, quoted, name), quoted[1]
    if first == "[" and not (match["sign"] == "=" and name.startswith("rd")):
        return find_list(line, start) if match["sign"] == ":" or match["space"] or match["gap"] else ([], start + 1)
    if first == "{" or (first in {"|", ">"} and not line[start + 1 :].strip("+-0123456789 \t")):
        return [], start + 1
    start, end = _find_end(line, match, start)
    bare_start, bare_end = trim(line, start, end)
    value = line[bare_start:bare_end]
    if match["close"] and (number := _NUMBER.fullmatch(line, bare_start, bare_end)):
        return ([] if name.lower().endswith("tokens") else [quote_number(line, *number.span())]), end
    if _is_counted(name, value):
        return [], end
    return list(_accept(line, bare_start, bare_end, name)), end


def _find_end(line: str, match: re.Match[str], start: int) -> tuple[int, int]:
    """Return the bounds of a plain value: a word, or the rest of the line, of the braces or of the quotes around."""
    before = line[match.start() - 1 : match.start()]
    if before and before in "\"'" and not match["close"]:
        end = line.find(before, start)
        return (start, len(line) if end < 0 else end)
    if match["sign"] == ":":
        if match["close"] or "{" in line[max(0, match.start() - _BRACE) : match.start()]:
            return find_flow(line, start)
        return (start, len(line)) if match["space"] or match["gap"] else find_word(line, start)
    return find_rest(line, start) if match["gap"] and match["space"] else find_word(line, start)


_BRACE = 400


def _check_quoted(line: str, found: tuple[list[Span], int], name: str) -> list[Span]:
    return [span for each in found[0] for span in _accept(line, each.start, each.end, name)]


def _accept(line: str, start: int, end: int, name: str = "") -> Iterator[Span]:
    """Yield the span of a value, unless the value is no secret."""
    value = line[start:end].strip()
    if is_no_secret(value) or is_mark(value):
        return
    if "communit" in name.lower() and is_bgp_community(value):
        return
    yield Span(start, start + len(line[start:end].rstrip()))


def _is_counted(name: str, value: str) -> bool:
    """Return whether *value* counts something: tokens of a language model, tests that pass."""
    lower = name.lower()
    return value.replace(".", "", 1).replace("_", "").isdigit() and (lower.endswith("tokens") or lower == "pass")
