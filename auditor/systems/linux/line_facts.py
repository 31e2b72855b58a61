"""What the line of a finding tells a remedy: a PCI function, or a setting of the firmware with its running value."""

from collections.abc import Iterator, Sequence

from auditor.systems.linux.portnames import parse_pci
from auditor.util.regex import regex

_DEVICE = regex(r"((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ")
_ROW = regex(r"\*?\s*([A-Z][A-Z0-9_]*)\s+\S+\s+(\S+)\s+\S+\s*")
"""Name, default, current value and value of the next boot, as `mlxconfig -e q` prints them."""
_NUMBER = regex(r"(?:[^()]*\()?(\d{1,10}|0x[0-9a-fA-F]{1,8})\)?")


def list_quoted(line: str, heads: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield facts by their names in remedies, of a quoted *line* and the *heads* of the blocks around it.

    >>> dict(list_quoted("RlxdOrd- ExtTag+", ["1a:00.0 Ethernet controller: Mellanox"]))
    {'pci': '0000:1a:00.0'}
    >>> dict(list_quoted("LLDP_NB_DCBX_P1  False(0)  True(1)  False(0)", []))
    {'parameter': 'LLDP_NB_DCBX_P1', 'running': '1'}
    """
    device = next((match for head in heads if (match := _DEVICE.match(head))), None)
    if device:
        yield "pci", parse_pci(device[1])
    row = _ROW.fullmatch(line)
    number = _NUMBER.fullmatch(row[2]) if row else None
    if row and number:
        yield from (("parameter", row[1]), ("running", number[1]))
