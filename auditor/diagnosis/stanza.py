"""The block of a dump in which a line stands, in the dump's own words."""

from auditor.diagnosis.dumptext import DumpText
from auditor.util.regex import regex

_HEAD = regex(
    r"\s*(?:interface|class|class-map|policy-map|qos profile|queue|tx-queue|qos-profile|traffic-class|system qos|"
    r"dcb pfc|drop-profile|trust|schedule-profile|vlan)\b"
)
_CLOSED = regex(r"[{};]\s*(?:#.*)?$")


def find_stanza(text: DumpText, number: int) -> tuple[str, ...]:
    """Return the heads of the indented block around line *number*, outermost first; the line itself if it is a head.

    >>> text = DumpText(["policy-map P", "  class C", "    pause", "interface 1", "  mtu 1500"])
    >>> find_stanza(text, 3), find_stanza(text, 4)
    (('policy-map P', 'class C'), ('interface 1',))
    """
    line = text.read(number)
    if line is None or not line.strip():
        return ()
    own = (line.strip(),) if _is_head(line, text.read(number + 1)) else ()
    return (*reversed([*text.list_above(number)]), *own)


def _is_head(line: str, following: str | None) -> bool:
    is_deeper = following is not None and bool(following.strip()) and _measure(following) > _measure(line)
    return is_deeper or bool(_HEAD.match(line))


def _measure(line: str) -> int:
    return len(line) - len(line.lstrip())


_KEY = regex(r'"(?P<key>(?:[^"\\]|\\.)*)"\s*:')


def find_row(text: DumpText, number: int) -> tuple[str, ...]:
    """Return the keys of the JSON objects around line *number*, outermost first, and its own; empty in other dumps.

    >>> find_row(DumpText(["{", '    "WRED_PROFILE": {', '        "ROCE": {', '            "ecn": "ecn_none"']), 4)
    ('WRED_PROFILE', 'ROCE', 'ecn')
    """
    line = text.read(number)
    if line is None or not (own := _KEY.match(line.strip())):
        return ()
    above = map(_KEY.match, text.list_above(number))
    return (*reversed([match["key"] for match in above if match]), own["key"])


def find_path(text: DumpText, number: int) -> str | None:
    """Return the words of the block around line *number* of a configuration in braces; None for another one.

    >>> lines = ["class-of-service {", "    schedulers {", "        LOSSLESS {", "            buffer-size percent 5;"]
    >>> find_path(DumpText(lines), 4)
    'class-of-service schedulers LOSSLESS'
    """
    line = text.read(number)
    if line is None or not _CLOSED.search(line):
        return None
    heads = [*reversed([*text.list_above(number)])]
    if line.rstrip().endswith("{"):
        heads.append(line.strip())
    return " ".join(head.removesuffix("{").strip() for head in heads)
