"""What may be printed: dumps are hostile, and a name in one can hold a command to a terminal or a CI system.

A neutralised command keeps its text: a space goes between two characters of its sign, so that no program reads it.
"""

from auditor.util.regex import regex

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
"""Characters that Python calls printable and that show nothing: fillers and variation selectors."""
_SIGNED = regex(r"##(?=[\w-]{0,40}\[)")
"""`##vso[`, `##[`, `##teamcity[`: a CI system looks for them anywhere in a line."""
_WORKFLOW = regex(
    r"::(?=[A-Za-z][\w-]{0,40}(?:::|[ \t]{1,8}[\w-]{1,40}=))|(?<![0-9A-Fa-f:])::(?=[A-Za-z][\w-]{0,40}(?:[ \t]|$))"
)
"""`::error::`, `::set-output name=x::`. An address such as `fe80::abc` stays."""
_LETTERS = frozenset(map(chr, range(0xDCA0, 0xDD00)))
_LONGEST_MESSAGE, _HALF = 2_003, 1_000
_FORMULA = regex(r"\s*[=+\-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}]")
_NUMBER = regex(r"[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d{1,4})?")


def printable(text: str) -> str:
    r"""Return *text* with tabs spread, what cannot be printed replaced, and no command to a CI system.

    >>> printable("leaf1\x1b[31m")
    'leaf1�[31m'
    >>> printable("##vso[task.complete] ::error::x fe80::1")
    '# #vso[task.complete] : :error: :x fe80::1'
    """
    shown = text.expandtabs(4)
    if not shown.isprintable() or not shown.isascii():
        shown = "".join(c if c.isprintable() and c not in _INVISIBLE else _REPLACEMENT for c in shown)
    return defuse(shown)


def defuse(text: str) -> str:
    """Return *text* with a space inside the sign of each command to a CI system; all else stays."""
    if "##" in text:
        text = _SIGNED.sub("# #", text)
    return _WORKFLOW.sub(": :", text) if "::" in text else text


def defuse_lines(text: str) -> str:
    r"""Return *text* of several lines, each of them printable; a line end at the end stays.

    >>> defuse_lines("usage: x\n::error::y\n")
    'usage: x\n: :error: :y\n'
    """
    return "\n".join(printable(line) for line in text.split("\n"))


def shorten(text: str) -> str:
    """Return *text* without its middle where it is too long to be read: an error may quote a value of any length.

    >>> shorten("x" * 3000) == "x" * 1000 + " … " + "x" * 1000, shorten("x")
    (True, 'x')
    """
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_HALF]} … {text[-_HALF:]}"


def escape_json(text: str) -> str:
    r"""Return a JSON text of the same meaning in which no CI system finds the sign of a command.

    >>> print(escape_json('{"x": "##[error]"}'))
    {"x": "#\u0023[error]"}
    """
    return text.replace("##", "#\\u0023")


def escape_xml(text: str) -> str:
    """Return an XML text of the same meaning in which no CI system finds the sign of a command."""
    return text.replace("##", "#&#35;")


def escape_cell(cell: str) -> str:
    """Return a cell of CSV that no spreadsheet takes for a formula: an apostrophe goes before the sign.

    >>> [escape_cell(cell) for cell in ("=1+1", "-1.5e3", "@x", "leaf1")]
    ["'=1+1", '-1.5e3', "'@x", 'leaf1']

    Bytes that are no Unicode, as `surrogateescape` decodes them, stay: they are letters of an older encoding.
    """
    plain = defuse("".join(c if c.isprintable() or c in "\t\n" or c in _LETTERS else _REPLACEMENT for c in cell))
    return f"'{plain}" if _FORMULA.match(plain) and not _NUMBER.fullmatch(plain.strip()) else plain
