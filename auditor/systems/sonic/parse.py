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
    """Return the switch in *captures*; *name* is its name if they contain no hostname.

    An unrecognised file is read as a configuration, because `--os` or a manifest names this system. The running
    configuration wins over the saved one; doubts report the differences.
    """
    reading = CaptureReader()
    for capture in captures:
        reading.add(capture, recognise(capture) or ("" if capture.command else CONFIG))
    return make_switch(Identity(name, SYSTEM.os, source), make_config(reading.rows()), reading.shown)
