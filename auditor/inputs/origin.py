"""Where a configuration comes from, by what its first lines say: a template, a program, a device, or nothing."""

from collections.abc import Sequence
from itertools import islice, takewhile

from auditor.util.regex import regex

_HEAD = 40
_MADE_ELSEWHERE = regex(
    r"(?i)\b(?:auto-?generated|generated (?:by|from|on|at)|do not edit|(?:managed|rendered) (?:by|from)|ansible managed"
    r"|command: show|rancid-content-type|last configuration change|building configuration|current configuration)\b"
)
_COMMENT = regex(r"\s*(?:[!#;*]|//|/\*|<!--|$)")
_ENDS = " \t*/->"
"""What a comment ends with."""
_FILE = r"[.~/]{0,9}\w[\w.+~/-]{0,190}"
_TEMPLATE = regex(
    rf"(?i)(?<![\w.+~/-])(?:template[ \t]{{0,3}}[:=][ \t]{{0,3}}[\"']?(?P<told>{_FILE})[\"']?\Z"
    rf"|(?P<named>{_FILE}\.(?:j2|jinja2?|tmpl|gotmpl|tpl|erb|mako))(?![\w/-]))"
)


def is_made_elsewhere(lines: Sequence[str]) -> bool:
    """Return whether the first *lines* of a file say that a program wrote it, or that a device printed it.

    >>> is_made_elsewhere(["! Ansible managed", "hostname leaf1"]), is_made_elsewhere(["hostname leaf1"])
    (True, False)
    """
    return any(map(_MADE_ELSEWHERE.search, lines[:_HEAD])) or find_template(lines) is not None


def find_template(lines: Sequence[str]) -> str | None:
    """Return the template that the comments above the first statement name; None where they name none, or several.

    A template is named as a file by the suffix of a template engine, or by `template:` and one word. A comment further
    down names the template of a part, and nothing tells where the part ends.

    >>> find_template(["! Generated from templates/leaf.j2, do not edit", "hostname leaf1"])
    'templates/leaf.j2'
    >>> find_template(["# Template: leaf-400g", "hostname leaf1"]), find_template(["hostname x", "! leaf.j2"])
    ('leaf-400g', None)
    """
    comments = takewhile(_COMMENT.match, islice(lines, _HEAD))
    texts = (line.rstrip(_ENDS) for line in comments)
    found = (match["told"] or match["named"] for text in texts for match in _TEMPLATE.finditer(text))
    names = {name.rstrip(".") for name in found}
    return names.pop() if len(names) == 1 else None
