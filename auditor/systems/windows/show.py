"""Outputs of Windows hosts, and which of them a capture is."""

from auditor.grammar.show import Show
from auditor.model.dump import Capture
from auditor.systems.linux.identify import identify
from auditor.systems.windows import qos, tables

KNOWN = (*qos.COMMANDS, *tables.COMMANDS)
SHOWS: tuple[Show[None], ...] = ()
"""`pull` fetches nothing from Windows hosts."""


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where no reader knows it."""
    identified = identify(capture, KNOWN)
    return identified.call.text if identified else None
