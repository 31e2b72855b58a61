"""Outputs and files of Linux hosts, and which of them a capture is."""

from auditor.grammar.show import Show
from auditor.model.dump import Capture
from auditor.systems.linux.commands import COMMANDS, FILES
from auditor.systems.linux.fetch import PULLS
from auditor.systems.linux.identify import identify

KNOWN = (*COMMANDS, FILES)
SHOWS: tuple[Show[None], ...] = (Show("host", "its NICs", pull=PULLS),)


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where no reader knows it."""
    identified = identify(capture, KNOWN)
    return identified.call.text if identified else None
