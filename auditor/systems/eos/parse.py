"""Arista EOS: running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace

from auditor.grammar.doubts import Ending
from auditor.grammar.operational import choose_first, find_value
from auditor.grammar.output import OutputReader, read_outputs
from auditor.grammar.vlans import build_vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.eos.assemble import Assembler, build_tunnels
from auditor.systems.eos.config import read_config
from auditor.systems.eos.names import PORT
from auditor.systems.eos.references import find_unattached, find_undefined
from auditor.systems.eos.show import CONFIG, MODEL, RELEASE, TABLE, recognise
from auditor.systems.eos.system import SYSTEM
from auditor.util.regex import regex


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* stands in for a missing hostname.

    An unrecognised file counts as a running configuration: the caller names the system.
    """
    found = read_outputs(captures, _READER)
    versions = [capture for capture in captures if recognise(capture) == "show version"]
    model, release = (find_value(versions, pattern) for pattern in (MODEL, RELEASE))
    device, config = found.build_switch(SYSTEM.os, name, source), found.config
    if config is None:
        return replace(device, os_version=choose_first(release), model=choose_first(model))
    config.model = config.model or model
    switch = config.describe(device, Assembler(config).ports(), found.learned, find_undefined, find_unattached)
    return replace(
        switch,
        os_version=choose_first(config.version, release),
        model=choose_first(config.model),
        tunnels=build_tunnels(config),
        vlan_interfaces=build_vlan_interfaces(config.interfaces, PORT),
    )


_READS_LIKE_QOS = regex(
    r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|random-detect|\bdscp\b|\bcos\b|class-map|policy-map|service-policy|"
    r"service-profile|tx-queue|\bmmu\b|^ *(?:ingress|egress) |traffic-class|no-drop|watchdog|\bmtu\b|flowcontrol|dcbx|"
    r"bandwidth .*percent|\bpolice (?:rate|cir)\b|^interface e",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy service-profile random-detect minimum-threshold maximum-threshold "
    "max-mark-probability class-map policy-map interface tx-queue traffic-class channel-group flowcontrol bandwidth "
    "description switchport shutdown spanning-tree hostname"
)
_ENDING = Ending(regex(r"! Command: show running-config\s*$"), "end")
_READER = OutputReader(
    "EOS",
    CONFIG,
    recognise,
    TABLE.find_name,
    read_config,
    TABLE.readers,
    _READS_LIKE_QOS,
    _COMMANDS,
    _ENDING,
    TABLE.saved,
)
