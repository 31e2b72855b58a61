"""Dell SmartFabric OS10: running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from auditor.grammar.operational import add_operational, choose_first, compare_operation, find_value
from auditor.grammar.output import OutputReader, read_outputs
from auditor.grammar.running import ONLY_PART
from auditor.grammar.vlans import build_vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems.os10.assemble import Assembler
from auditor.systems.os10.config import read_config
from auditor.systems.os10.names import PORT
from auditor.systems.os10.references import find_unattached, find_undefined
from auditor.systems.os10.show import CONFIG, MODEL, RELEASE, TABLE, recognise
from auditor.systems.os10.system import SYSTEM
from auditor.systems.os10.vlans import list_vlans
from auditor.util.regex import regex


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* stands in for a missing hostname.

    An unrecognised file counts as a running configuration: the caller names the system.
    """
    versions = [capture for capture in captures if recognise(capture) == "show version"]
    model, release = (find_value(versions, pattern) for pattern in (MODEL, RELEASE))
    system = replace(_READER, read_config=partial(read_config, model=model))
    found = read_outputs(captures, system)
    device, config = found.build_switch(SYSTEM.os, name, source), found.config
    if config is None:
        return replace(device, os_version=choose_first(release), model=choose_first(model))
    ports = Assembler(config).ports()
    return replace(
        device,
        name=value_of(config.name) or name,
        ports=add_operational(ports, found.learned),
        differences=compare_operation(ports, found.learned),
        os_version=choose_first(config.version, release),
        model=choose_first(config.model, model),
        undefined=find_undefined(config) if config.complete else (),
        part=None if config.complete else ONLY_PART,
        unattached=find_unattached(config) if config.complete else (),
        vlan_interfaces=build_vlan_interfaces(config.interfaces, PORT, list_vlans),
    )


_READS_LIKE_QOS = regex(
    r"\bqos\b|qos-group|qos-map|trust-map|priority-flow-control|\bpause\b|pfc-|\becn\b|random-detect|\bwred\b|\bdscp\b|"
    r"\bdot1p\b|\bcos\b|class-map|policy-map|service-policy|watchdog|\bmtu\b|flowcontrol|dcbx|\bets\b|"
    r"bandwidth .*percent|^\s*interface (?:range )?e",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy random-detect minimum-threshold maximum-threshold drop-probability class-map "
    "policy-map interface qos-map traffic-class trust-map qos-group channel-group flowcontrol bandwidth buffer-size "
    "pause-threshold resume-threshold description switchport shutdown spanning-tree hostname"
)
_READER = OutputReader(
    "OS10",
    CONFIG,
    recognise,
    TABLE.find_name,
    read_config,
    TABLE.readers,
    _READS_LIKE_QOS,
    _COMMANDS,
    saved=TABLE.saved,
)
