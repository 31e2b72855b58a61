"""Escapes of JSON that stand for no character: halves of surrogate pairs."""

from auditor.util.regex import regex

_HALF = regex(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def replace_halves(text: str) -> str:
    r"""Return JSON *text* with the replacement character for each half of a pair, which no encoding can write.

    The escape in its place is as long, so that places in the text stay.

    >>> replace_halves(r'"\ud800" "\ud83d\ude00"')
    '"\\ufffd" "\\ud83d\\ude00"'
    """
    return _HALF.sub(r"\\ufffd", text)
