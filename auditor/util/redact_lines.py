"""Redaction of a whole text, including secrets that only the lines around reveal."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.util.redact import MARK, redact

_BEGIN = re.compile(r"-----BEGIN [A-Z\d ]{1,40}-----")
_END = re.compile(r"-----END [A-Z\d ]{1,40}-----")
_LONGEST_PEM = 200
"""Lines: the longest key or certificate has fewer, and an end that never comes must not hide the rest."""

_OPENING = re.compile(
    r"(?P<indent>\s*)(?:-\s+)?[\"']?(?:"
    r"(?P<names>SNMP_COMMUNITY|read-?(?:only|write)-community(?:-v6)?)|(?P<values>NTP_KEY)|"
    r"(?P<list>[\w-]*(?:communit(?:y|ies)|passwords?|secrets?|tokens?|keys)))[\"']?\s*:\s*(?P<bracket>[{\[]?)\s*",
    re.IGNORECASE,
)
_KEY = re.compile(r"(?P<before>\s*(?:-\s+)?)(?P<quote>[\"']?)(?P<key>[^\"':{}\[\],]+)(?P=quote)(?P<after>\s*:.*)")
_ITEM = re.compile(r"(?P<before>\s*(?:-\s+)?)(?P<quote>[\"'])(?P<key>[^\"']+)(?P=quote)(?P<after>\s*,?\s*)")
_VALUE = re.compile(
    r"(?P<before>.*?[\"']?value[\"']?\s*:\s*)(?P<quote>[\"']?)(?P<key>[^\"',{}]+)(?P=quote)(?P<after>.*)"
)


@dataclass(slots=True)
class _Block:
    """A block of JSON or YAML that says of what is indented in it that it is secret: `pattern` finds it."""

    indent: int
    pattern: re.Pattern[str]
    everywhere: bool = False
    inner: int | None = None
    count: int = 0

    def hide(self, line: str) -> str:
        """Return a line of the block without its secret; two names stay two, as a key may stand only once."""
        width = _width(line)
        self.inner = width if self.inner is None else self.inner
        match = self.pattern.fullmatch(line) if self.everywhere or width == self.inner else None
        if match is None or match["key"].startswith(MARK[:-1]):
            return line
        self.count += 1
        mark = MARK if self.count == 1 or self.everywhere else f"{MARK[:-1]} {self.count}>"
        return f"{match['before']}{match['quote']}{mark}{match['quote']}{match['after']}"


def redact_lines(lines: Iterable[str]) -> list[str]:
    """Return *lines* without their secrets, one for one; of a PEM block only the frame and the indentation stay."""
    shown: list[str] = []
    pem = 0
    block: _Block | None = None
    for line in lines:
        if pem and not _END.search(line):
            pem -= 1
            shown.append(line[: _width(line)] + MARK if line.strip() else line)
            continue
        pem = _LONGEST_PEM if _BEGIN.search(line) and not _END.search(line) else 0
        if block is not None and line.strip() and _width(line) <= block.indent:
            block = None
        shown.append(redact(block.hide(line) if block is not None and line.strip() else line))
        block = block or _open_block(line)
    return shown


def _open_block(line: str) -> _Block | None:
    match = _OPENING.fullmatch(line) if ":" in line else None
    if match is None:
        return None
    indent = len(match["indent"])
    if match["names"]:
        return _Block(indent, _KEY)
    if match["values"]:
        return _Block(indent, _VALUE, everywhere=True)
    return _Block(indent, _ITEM) if match["bracket"] == "[" else None


def _width(line: str) -> int:
    return len(line) - len(line.lstrip())
