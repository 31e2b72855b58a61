"""Windows hosts: NICs in the output of PowerShell."""

from collections.abc import Sequence

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.linux.host import read_host
from auditor.systems.windows.show import KNOWN
from auditor.systems.windows.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the host of *captures*; *name* is its name if no capture has one."""
    return read_host(Device(name, "host", SYSTEM.os, source), captures, KNOWN)
