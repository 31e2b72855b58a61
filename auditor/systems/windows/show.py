"""Outputs of Windows hosts, and detection of captures."""

from auditor.grammar.show import Show
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture
from auditor.systems.linux.command import Commands
from auditor.systems.linux.identify import identify
from auditor.systems.windows import qos, tables

KNOWN = Commands((*qos.COMMANDS, *tables.COMMANDS))
SHOWS: tuple[Show[None], ...] = ()
"""`pull` fetches nothing from Windows hosts."""
SIGNS = join_signs(KNOWN.list_patterns())


def names(capture: Capture) -> bool:
    """Return whether the command or the file name of *capture* may be enough to recognise it."""
    return identify(Capture(capture.file, (), capture.command), KNOWN) is not None


def recognise(capture: Capture) -> str | None:
    """Return the command of *capture*; None if unknown."""
    identified = identify(capture, KNOWN)
    return identified.call.text if identified else None
