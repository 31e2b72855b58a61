"""Dell SmartFabric OS10: running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from auditor.grammar.operational import first, told, with_learned
from auditor.grammar.output import System, read_outputs
from auditor.grammar.vlans import vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture, list_dump_files
from auditor.model.setting import NOT_COLLECTED, value_of
from auditor.systems.os10.assemble import Assembler
from auditor.systems.os10.config import read_config
from auditor.systems.os10.names import PORT
from auditor.systems.os10.references import unattached, undefined
from auditor.systems.os10.show import CONFIG, MODEL, RELEASE, TABLE, recognise
from auditor.systems.os10.system import SYSTEM
from auditor.systems.os10.vlans import carried


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a running configuration: somebody said that it is of this system.
    """
    versions = [capture for capture in captures if recognise(capture) == "show version"]
    model, release = (told(versions, pattern) for pattern in (MODEL, RELEASE))
    system = replace(_SYSTEM, read_config=partial(read_config, model=model))
    found = read_outputs(captures, system)
    config = found.config
    return Device(
        name=(value_of(config.name) if config else None) or name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=with_learned(Assembler(config).ports() if config else (), found.learned),
        os_version=first(config.version if config else None, release),
        model=first(config.model if config else None, model),
        pools=NOT_COLLECTED,
        undefined=undefined(config) if config else (),
        unattached=unattached(config) if config and config.complete else (),
        dumps=list_dump_files(SYSTEM.os, found.dumps),
        doubts=tuple(found.doubts),
        vlan_interfaces=vlan_interfaces(config.interfaces, PORT, carried) if config else (),
    )


_READS_LIKE_QOS = re.compile(
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
_SYSTEM = System("OS10", CONFIG, recognise, TABLE.find_name, read_config, TABLE.readers, _READS_LIKE_QOS, _COMMANDS)
