"""Outputs and files of Linux hosts, and detection of captures."""

from auditor.grammar.show import Show
from auditor.model.dump import Capture
from auditor.systems.linux.command import Commands
from auditor.systems.linux.commands import COMMANDS, FILES
from auditor.systems.linux.evidence import Reader
from auditor.systems.linux.fetch import PULL, SCRIPT, Fetch
from auditor.systems.linux.identify import identify

KNOWN = Commands((*COMMANDS, FILES))
SHOWS: tuple[Show[Reader], ...] = tuple(
    Show(each.name, each.shows, read=each.read, pull=tuple(fetch.pull for fetch in each.fetch if fetch.by >= PULL))
    for each in KNOWN
)
SCRIPTED: tuple[Fetch, ...] = tuple(fetch for each in KNOWN for fetch in each.fetch if fetch.by >= SCRIPT)
"""Commands of the script that `collect-script` prints."""


def recognise(capture: Capture) -> str | None:
    """Return the command of *capture*; None if unknown."""
    identified = identify(capture, KNOWN)
    return identified.call.text if identified else None
