"""Captures of a host and its NICs, joined into ports: one port per netdev that carries RDMA."""

from collections.abc import Sequence

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.linux.host import read_host
from auditor.systems.linux.show import KNOWN
from auditor.systems.linux.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the host of *captures*; *name* is its name if no capture has one."""
    return read_host(Device(name, "host", SYSTEM.os, source), captures, KNOWN)
