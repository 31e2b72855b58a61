"""Parts of reports for people: quoted lines of dumps, and short lists of ports."""

from collections.abc import Callable, Sequence

from rich.text import Text

from auditor.engine.findings import Place
from auditor.util.printable import printable
from auditor.util.redact import redact

Source = Callable[[str, int], str | None]
"""Returns the text of a line of a dump, None for an unknown line."""


def quote_no_line(_file: str, _line: int) -> None:
    """Return None: no line is quoted."""


MAX_QUOTED = 160
MAX_DIGITS = 6


def join_port_names(names: Sequence[str]) -> str:
    """Return port names in short, neighbours in one range.

    >>> join_port_names(["Ethernet1/1", "Ethernet1/2", "Ethernet1/3", "Ethernet1/7"])
    'Ethernet1/1-3, Ethernet1/7'
    >>> join_port_names(["eth01", "eth02"])
    'eth01, eth02'
    """
    runs: list[tuple[str, int, int]] = []
    plain: list[str] = []
    for name in names:
        stem = name.rstrip("0123456789")
        digits = name[len(stem) :]
        if not digits or len(digits) > MAX_DIGITS or digits != str(int(digits)):
            plain.append(name)
        elif runs and runs[-1][0] == stem and runs[-1][2] + 1 == int(digits):
            runs[-1] = (stem, runs[-1][1], int(digits))
        else:
            runs.append((stem, int(digits), int(digits)))
    return ", ".join([f"{stem}{low}" if low == high else f"{stem}{low}-{high}" for stem, low, high in runs] + plain)


def quote_place(place: Place, gutter: int, source: Source) -> Text:
    """Return a place with its line below, the line numbers *gutter* characters wide; secrets are redacted."""
    pad = " " * gutter
    head = (
        f"   {pad}",
        ("-->", "blue"),
        f" {printable(place.file)}:{place.line}  {printable(place.message)}".rstrip(),
    )
    text = source(place.file, place.line)
    if text is None:
        return Text.assemble(*head)
    shown = printable(redact(text))[:MAX_QUOTED].rstrip()
    return Text.assemble(*head, f"\n    {place.line:>{gutter}} ", ("|", "blue"), f" {shown}")
