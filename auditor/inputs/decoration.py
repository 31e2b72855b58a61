"""What a viewer, a mail program or a document puts before or around the lines of a paste: quotes, numbers, HTML."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from typing import TypeAlias

from auditor.grammar.prompts import PLACE
from auditor.util.regex import regex

LEAST_LINES = 5
"""Fewer lines prove no decoration."""
MOST_OTHER = 3
"""Lines without the decoration that may stand around it: a prompt, the command, a word of the sender."""
SHARE = 0.9
"""Share of lines with the decoration, where the other ones may stand anywhere."""
SAMPLE = 200
"""Lines that are looked at first."""

_QUOTE = regex(r"> ?")
_QUOTES = regex(r"(?>(?:> ?)+)")
_ITEM = regex(r"(?P<mark>[#*-])(?: (?P<text>.*))?")
_MARKS = frozenset("#*-")
_NUMBER = regex(r"\s{0,8}(?P<number>\d{1,6})(?: ?[:|)]|-(?=\D|$)|\t|(?= |$))")
_TIME = regex(
    r"(?:\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?\]|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?|"
    r"\[\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\])(?: |$)"
)
_PROMPT = regex(
    rf"\s*(?:{PLACE}[\w.-]{{1,63}}(?:\(conf[^)\s]{{0,80}}\))?# ?(?:show|conf|int|do|dis)|"
    r"[<\[][~*]?[\w./:-]{1,80}[>\]] ?[a-z]|"
    r"[\w.-]{1,63}@[\w.:~-]{1,80}[$>#%] ?(?:show|nv|sudo|sonic))"
)
"""The prompt of a switch before a command."""
_MARKED_PROMPT = regex(rf"\n[#*-] {_PROMPT.pattern}")
"""A prompt behind the mark of an item."""
_TAG = regex(r"</?(?:pre|code|br|p|span|div|td|tr|table|tbody|li|ul|strong|em)(?: [^<>]{0,200})?/?>")
_ENTITY = regex(r"&(?:lt|gt|amp|quot|apos|nbsp|emsp|ensp|#\d{2,5}|#x[0-9A-Fa-f]{2,4});")
_ESCAPED = regex(r"&(?:lt|gt|quot|nbsp|emsp|ensp|#\d{2,5}|#x[0-9A-Fa-f]{2,4});|</?(?:pre|code)[ >]")
_BLANK = regex(r"&(?:nbsp|emsp|ensp);")
_SPACES = {ord("\u00a0"): " ", ord("\u2002"): " ", ord("\u2003"): " "}

Lines: TypeAlias = Sequence[str]


def strip_decoration(lines: Lines) -> Lines:
    """Return *lines* as they were before the paste; their count stays.

    >>> strip_decoration(["someone wrote:", *(f"> {text}" for text in "abcde")])
    ['someone wrote:', 'a', 'b', 'c', 'd', 'e']
    """
    text = "\n".join(("", *lines))
    found = _strip_html(lines) if "&" in text or "<" in text else lines
    if found is not lines or ("\n>" in text and text.count("\n>") >= LEAST_LINES):
        found = _strip_quotes(found)
    if _may_be_numbered(found):
        found = _strip_times(_strip_numbers(found))
    if found is not lines:
        text = "\n".join(("", *found))
    if _MARKED_PROMPT.search(text):
        found = _strip_items(found)
    return _strip_indents(found)


def _strip_html(lines: Lines) -> Lines:
    """Return *lines* without HTML; a description may hold one escaped character, and no row of blanks."""
    marked = [line for line in lines if "&" in line or "<" in line]
    is_page = sum(bool(_ESCAPED.search(line)) for line in marked) >= MOST_OTHER
    if not is_page and sum(len(_BLANK.findall(line)) for line in marked) < LEAST_LINES:
        return lines
    return [_unescape(line) if "&" in line or "<" in line else line for line in lines]


def _unescape(line: str) -> str:
    return _ENTITY.sub(lambda match: html.unescape(match[0]), _TAG.sub("", line)).translate(_SPACES)


def _strip_quotes(lines: Lines) -> Lines:
    """Return *lines* without the marks of a quoted mail, however deep; a prompt such as `> show` stands alone."""
    depths = [_count_quotes(line) for line in lines]
    windows = (depths[start : start + LEAST_LINES] for start in range(len(depths) - LEAST_LINES + 1))
    common = max(map(min, windows), default=0)
    if not common:
        return lines
    return [
        _QUOTE.sub("", line, count=min(depth, common)) if depth else line
        for line, depth in zip(lines, depths, strict=True)
    ]


def _count_quotes(line: str) -> int:
    """Return how many marks of a quote a line begins with."""
    match = _QUOTES.match(line)
    return match[0].count(">") if match else 0


def _may_be_numbered(lines: Lines) -> bool:
    """Return whether most of a sample of *lines* begin with a digit or a bracket, as numbers and times do.

    Few files do, and all are asked.
    """
    sample = [text for line in lines[:: max(1, len(lines) // SAMPLE)] if (text := line.lstrip())]
    return 2 * sum(text[0] == "[" or text[0].isdecimal() for text in sample) > len(sample)


def _strip_numbers(lines: Lines) -> Lines:
    """Return *lines* without the numbers of `cat -n`, `grep -n` or an editor.

    Each number stands where it counts: from one line to the next it grows by 1. A table may number its rows so, but not
    its head, and `ip -o link` leaves a blank behind each number.
    """
    matches = [_NUMBER.match(line) for line in lines]
    first = next((n for n, match in enumerate(matches) if match), 0)
    last = next((n for n in range(len(lines) - 1, -1, -1) if matches[n]), 0)
    inside = matches[first : last + 1]
    outside = sum(bool(line.strip()) for line in (*lines[:first], *lines[last + 1 :]))
    if len(inside) < LEAST_LINES or not all(inside) or outside > MOST_OTHER:
        return lines
    numbers = [int(match["number"]) for match in inside if match]
    texts = [lines[n][match.end() :] for n, match in enumerate(matches) if match and first <= n <= last]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or not _is_text_behind(texts):
        return lines
    return [*lines[:first], *dedent("\n".join(texts)).split("\n"), *lines[last + 1 :]]


def _is_text_behind(texts: Lines) -> bool:
    """Return whether *texts*, behind numbers, stand at several depths, or all without a blank before them."""
    depths = {len(text) - len(text.lstrip()) for text in texts if text.strip()}
    return len(depths) > 1 or depths == {0}


def _strip_times(lines: Lines) -> Lines:
    """Return *lines* without the times that a terminal program writes before each line."""
    matches = [_TIME.match(line) for line in lines]
    written = sum(bool(line.strip()) for line in lines)
    if written < LEAST_LINES or sum(map(bool, matches)) < SHARE * written:
        return lines
    return [line[match.end() :] if match else line for line, match in zip(lines, matches, strict=True)]


def _strip_items(lines: Lines) -> Lines:
    """Return *lines* with each session plain that a document shows as comments or as items of a list.

    Comments without a prompt may be lines that somebody took out of use.
    """
    likely = {line for line in set(lines) if line[:1] in _MARKS}
    marked = (index for index, line in enumerate(lines) if line in likely) if likely else ()
    items = {index: match for index in marked if (match := _ITEM.fullmatch(lines[index]))}
    if not any(_PROMPT.match(match["text"] or "") for match in items.values()):
        return lines
    found = list(lines)
    for start, end in _list_runs(items):
        texts = [items[index]["text"] or "" for index in range(start, end)]
        if len(texts) >= LEAST_LINES and any(map(_PROMPT.match, texts)):
            found[start:end] = texts
    return found


def _list_runs(items: Mapping[int, re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield where runs of items of one mark begin and end."""
    start: int | None = None
    for index, item in items.items():
        start = index if start is None else start
        if index + 1 not in items or items[index + 1]["mark"] != item["mark"]:
            yield start, index + 1
            start = None


def _strip_indents(lines: Lines) -> Lines:
    """Return *lines* with each session flush that a document indents as a whole, its prompts included."""
    likely = (line for line in set(lines) if "#" in line or "]" in line or ">" in line or "@" in line)
    if not any(line[:1].isspace() and _PROMPT.match(line) for line in likely):
        return lines
    found = list(lines)
    for start, end in _list_indented(found):
        shown = dedent("\n".join(found[start:end])).split("\n")
        if _PROMPT.match(next(line for line in shown if line.strip())) and not shown[0][:1].isspace():
            found[start:end] = shown
    return found


def _list_indented(lines: Lines) -> Iterator[tuple[int, int]]:
    """Yield where runs of indented lines begin and end; blank lines may stand in them."""
    start = None
    for index, line in enumerate((*lines, "end")):
        if line[:1].isspace() and line.strip():
            start = index if start is None else start
        elif line.strip() and start is not None:
            yield start, index
            start = None
