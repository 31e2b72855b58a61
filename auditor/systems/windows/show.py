"""Outputs of Windows hosts, and detection of captures."""

from auditor.grammar.show import Show
from auditor.model.dump import Capture
from auditor.systems.linux.command import Commands
from auditor.systems.linux.identify import identify
from auditor.systems.windows import qos, tables

KNOWN = Commands((*qos.COMMANDS, *tables.COMMANDS))
SHOWS: tuple[Show[None], ...] = ()
"""`pull` fetches nothing from Windows hosts."""


def recognise(capture: Capture) -> str | None:
    """Return the command of *capture*; None if unknown."""
    identified = identify(capture, KNOWN)
    return identified.call.text if identified else None
