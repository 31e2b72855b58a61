"""Community SONiC: config_db.json and its fragments, the platform's table of headroom, and show captures."""

from collections.abc import Sequence
from dataclasses import replace

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.sonic.config import make_config
from auditor.systems.sonic.reading import CaptureReader
from auditor.systems.sonic.rowchecks import list_row_checks
from auditor.systems.sonic.show import CONFIG, recognise
from auditor.systems.sonic.switch import Identity, find_part, make_switch
from auditor.systems.sonic.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch in *captures*; *name* is its name if they contain no hostname.

    An unrecognised file is read as a configuration, because `--os` or a manifest names this system. The running
    configuration wins over the saved one. A value that the models refuse is a fault
    of its row, and no doubt.
    """
    reading = CaptureReader()
    for capture in captures:
        reading.add(capture, recognise(capture) or ("" if capture.command else CONFIG))
    rows = reading.rows()
    config = make_config(rows)
    checks = tuple(list_row_checks(rows, config, reading.shown, is_cut=reading.is_cut))
    refused = {fault.where for check in checks for fault in check.faults}
    if refused and reading.shown.doubts:
        refused -= {row.where for found in rows.values() for row in found}
    reading.shown.doubts[:] = [doubt for doubt in reading.shown.doubts if doubt.where not in refused or doubt.fatal]
    device = make_switch(Identity(name, SYSTEM.os, source), config, reading.shown)
    return replace(device, row_checks=checks, part=find_part(rows))
