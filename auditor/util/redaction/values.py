"""Values: where the value of a setting ends in its line, and which values are no secrets."""

import re

from auditor.util.redaction.spans import MARK, Span, is_mark
from auditor.util.regex import regex

_QUOTED = regex(
    r"""\"{3}(?P<triple>.*?)(?:\"{3}|$)|\\"(?P<escaped>(?>(?:[^"\\]++|\\[^"])*))(?>\\"(?P<more>[^\s;,}\])"]*+)|)"""
    r"""|"(?P<double>(?>(?:[^"\\]++|\\.?)*))(?>"(?P<stuck>[^\s;,}\])"'][^\s;,}\])]*+)?|)"""
    r"""|'(?P<single>[^']*+)(?>'(?P<glued>[^\s;,}\])"'][^\s;,}\])]*+)?|)"""
)
_NEXT = r"(?![ \t]*+[\w.-]{1,40}+(?: [\w.-]{1,40}+){0,2}[ \t]?=|[ \t]|$)"
_WORD = regex(rf"(?>(?:[^\s,;&<]++|<(?!/)|[,;&]{_NEXT})+)")
_REST = regex(rf"(?>(?:[^,;&\n<]++|<(?!/)|[,;&]{_NEXT})+)")
_FLOW = regex(r"(?>(?:[^,}\n]++|\}(?!\s*+(?:[,}\]]|$)))+)")
_ITEM = regex(
    r"""\\?"(?P<double>(?>(?:[^"\\]++|\\[^"])*))(?>\\?"|)|'(?P<single>[^']*+)'?+|(?P<plain>[^\s,\[\]"'\\]++)"""
)
_LIST = regex(r"\[[^\]\n]*+")
_TRAILING = "\\\"';,)]}"

_NO_SECRET = regex(
    r"(?:null|none|nil|true|false|yes|no|on|off|enabled?|disabled?|required|optional|unset|default|empty|hidden|present"
    r"|configured|not|\*+|\(.*\)?|n/a|-+|~|undefined|not-set|unknown|encrypted|string|str|prompt|ask|\.\.\.|<[^<>]*>"
    r"|bytes|int|float|object|\d{1,2}|REG_SZ|REG_DWORD|x{3,}|0x0+)",
    re.IGNORECASE,
)
_REFERENCE = regex(
    r"\$\{[^{}]*\}|\$\([^()]*\)?|\$[A-Z][A-Z0-9_]{2,}|\$\{\{.*\}\}|\{\{.*\}\}|%[A-Z_]{3,}%|\$env:\w+"
    r"|(?:os\.|getpass|args\.|cfg\.|self\.|config\.|env\.|input\(|lookup\(|var\.|secrets?\.|params\.|process\.env).*"
)
_COMMUNITY = regex(
    r"\d{1,10}(?::\d{1,10}){1,2}(?:\s+\S+)*|no-export|no-advertise|local-as|internet|standard|extended|both|large"
    r"|additive|blackhole|graceful-shutdown",
    re.IGNORECASE,
)


def is_no_secret(value: str) -> bool:
    """Return whether *value* is a word of a setting, a reference to a variable, or hidden already."""
    return is_mark(value) or bool(_NO_SECRET.fullmatch(value) or _REFERENCE.fullmatch(value))


def is_bgp_community(value: str) -> bool:
    """Return whether *value* is a community of BGP."""
    return bool(_COMMUNITY.fullmatch(value))


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of `text[start:end]` without what closes a statement, and without quotes around it."""
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    while start < end and text[start] in "\"'\\":
        start += 1
    return start, end


def find_quotes(text: str, start: int) -> tuple[list[Span], int] | None:
    """Return the secrets in the quoted value at *start*, with the end of the value; None if no quote opens there."""
    match = _QUOTED.match(text, start)
    if match is None:
        return None
    spans = [Span(*match.span(name)) for name, part in match.groupdict().items() if part]
    if match["stuck"] or match["glued"] or match["more"]:  # "one"two: one word of the shell
        first = spans[0].start if spans else match.start()
        spans = [Span(first, match.end())]
    return spans, match.end()


def find_list(text: str, start: int) -> tuple[list[Span], int]:
    """Return each item of the list that opens at *start*, with the end of the list."""
    found = _LIST.match(text, start)
    end = found.end() if found else start + 1
    spans = []
    for item in _ITEM.finditer(text, start + 1, end):
        group = item.lastgroup or "plain"
        if not is_mark(item[group]):
            spans.append(Span(*item.span(group)))
    return spans, end


def find_word(text: str, start: int) -> tuple[int, int]:
    """Return the bounds of the word at *start*; another assignment after `,`, `;` or `&` ends the word."""
    return _bounds(_WORD, text, start)


def find_rest(text: str, start: int) -> tuple[int, int]:
    """Return the bounds of the rest of the line; another assignment after `,`, `;` or `&` ends it."""
    return _bounds(_REST, text, start)


def find_flow(text: str, start: int) -> tuple[int, int]:
    """Return the bounds of a plain value inside of braces."""
    return _bounds(_FLOW, text, start)


def _bounds(pattern: re.Pattern[str], text: str, start: int) -> tuple[int, int]:
    match = pattern.match(text, start)
    return (start, match.end()) if match else (start, start)


def quote_number(text: str, start: int, end: int) -> Span:
    """Return the span of a bare number of JSON, whose replacement is a string."""
    return Span(start, end, f'"{MARK}"' if text[start:end].lstrip("-")[:1].isdigit() else MARK)
