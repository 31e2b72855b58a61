"""The block of a dump in which a line stands, in the dump's own words."""

from collections.abc import Callable, Iterator

from auditor.util.regex import regex

ReadLine = Callable[[int], str | None]
"""Returns a line of a dump by its number, None beyond its ends."""
MOST_LINES = 20_000
"""A block whose head lies farther above is not looked for."""
_HEAD = regex(
    r"\s*(?:interface|class|class-map|policy-map|qos profile|queue|tx-queue|qos-profile|traffic-class|system qos|"
    r"dcb pfc|drop-profile|trust|schedule-profile|vlan)\b"
)
_CLOSED = regex(r"[{};]\s*(?:#.*)?$")


def find_stanza(read: ReadLine, number: int) -> tuple[str, ...]:
    """Return the heads of the indented block around line *number*, outermost first; the line itself if it is a head.

    >>> lines = ["policy-map P", "  class C", "    pause", "interface 1", "  mtu 1500"]
    >>> read = lambda n: lines[n - 1] if 0 < n <= len(lines) else None
    >>> find_stanza(read, 3), find_stanza(read, 4)
    (('policy-map P', 'class C'), ('interface 1',))
    """
    line = read(number)
    if line is None or not line.strip():
        return ()
    own = (line.strip(),) if _is_head(line, read(number + 1)) else ()
    return (*reversed([*_list_above(read, number, _measure(line))]), *own)


def _is_head(line: str, following: str | None) -> bool:
    is_deeper = following is not None and bool(following.strip()) and _measure(following) > _measure(line)
    return is_deeper or bool(_HEAD.match(line))


def _list_above(read: ReadLine, number: int, depth: int) -> Iterator[str]:
    """Yield the heads above a line, the nearest first."""
    for above in range(number - 1, max(0, number - MOST_LINES), -1):
        text = read(above)
        if not depth or text is None:
            return
        if text.strip() and text.strip()[0] not in "!#" and _measure(text) < depth:
            depth = _measure(text)
            yield text.strip()


def _measure(line: str) -> int:
    return len(line) - len(line.lstrip())


_KEY = regex(r'"(?P<key>(?:[^"\\]|\\.)*)"\s*:')


def find_row(read: ReadLine, number: int) -> tuple[str, ...]:
    """Return the keys of the JSON objects around line *number*, outermost first, and its own; empty in other dumps.

    >>> lines = ["{", '    "WRED_PROFILE": {', '        "ROCE": {', '            "ecn": "ecn_none"']
    >>> find_row(lambda n: lines[n - 1] if 0 < n <= len(lines) else None, 4)
    ('WRED_PROFILE', 'ROCE', 'ecn')
    """
    line = read(number)
    if line is None or not (own := _KEY.match(line.strip())):
        return ()
    above = (_KEY.match(head) for head in _list_above(read, number, _measure(line)))
    return (*reversed([match["key"] for match in above if match]), own["key"])


def find_path(read: ReadLine, number: int) -> str | None:
    """Return the words of the block around line *number* of a configuration in braces; None for another one.

    >>> lines = ["class-of-service {", "    schedulers {", "        LOSSLESS {", "            buffer-size percent 5;"]
    >>> find_path(lambda n: lines[n - 1] if 0 < n <= len(lines) else None, 4)
    'class-of-service schedulers LOSSLESS'
    """
    line = read(number)
    if line is None or not _CLOSED.search(line):
        return None
    heads = [*reversed([*_list_above(read, number, _measure(line))])]
    if line.rstrip().endswith("{"):
        heads.append(line.strip())
    return " ".join(head.removesuffix("{").strip() for head in heads)
