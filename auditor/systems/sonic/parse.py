"""Community SONiC: config_db.json and its fragments, the platform's table of headroom, and show captures."""

from collections.abc import Sequence

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.sonic.config import make_config
from auditor.systems.sonic.reading import CaptureReader
from auditor.systems.sonic.show import CONFIG, recognise
from auditor.systems.sonic.switch import Identity, make_switch
from auditor.systems.sonic.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a configuration: somebody said that it is of this system. Where the
    running and the saved configuration are both there, the running one counts, and the difference is told.
    """
    reading = CaptureReader()
    for capture in captures:
        reading.add(capture, recognise(capture) or ("" if capture.command else CONFIG))
    return make_switch(Identity(name, SYSTEM.os, source), make_config(reading.rows()), reading.shown)
