"""Cisco NX-OS (Nexus 3000 and 9000): running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace

from auditor.grammar.output import OutputReader, read_outputs
from auditor.grammar.tree import load_library
from auditor.grammar.vlans import build_vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.nxos.assemble import Assembler
from auditor.systems.nxos.config import read_config
from auditor.systems.nxos.names import find_unattached, find_undefined
from auditor.systems.nxos.numbers import PORT
from auditor.systems.nxos.show import CONFIG, TABLE, recognise
from auditor.systems.nxos.system import SYSTEM
from auditor.util.regex import regex

prepare = load_library


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* stands in for a missing hostname.

    An unrecognised file counts as a running configuration: the caller names the system.
    """
    found = read_outputs(captures, _READER)
    device, config = found.build_switch(SYSTEM.os, name, source), found.config
    if config is None:
        return device
    switch = config.describe(device, Assembler(config).ports(), found.learned, find_undefined, find_unattached)
    return replace(switch, vlan_interfaces=build_vlan_interfaces(config.interfaces, PORT))


_READS_LIKE_QOS = regex(
    r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|random-detect|\bdscp\b|\bcos\b|class-map|policy-map|service-policy|"
    r"queuing|no-drop|watch-dog|\bmtu\b|flowcontrol|bandwidth .*percent|\bpolice (?:cir|\d)|^interface e",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy random-detect minimum-threshold maximum-threshold drop-probability "
    "class-map policy-map interface queuing network-qos channel-group flowcontrol watch-dog-interval bandwidth "
    "congestion-control description switchport shutdown spanning-tree hostname"
)
_READER = OutputReader(
    "NX-OS", CONFIG, recognise, None, read_config, TABLE.readers, _READS_LIKE_QOS, _COMMANDS, saved=TABLE.saved
)
