"""Arista EOS: running configurations and show captures."""

import re
from collections.abc import Sequence

from auditor.grammar.operational import first, told, with_learned
from auditor.grammar.output import System, read_outputs
from auditor.grammar.vlans import vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture, list_dump_files
from auditor.model.setting import NOT_COLLECTED
from auditor.systems.eos.assemble import Assembler
from auditor.systems.eos.config import read_config
from auditor.systems.eos.names import PORT
from auditor.systems.eos.references import unattached, undefined
from auditor.systems.eos.show import CONFIG, MODEL, RELEASE, TABLE, recognise
from auditor.systems.eos.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a running configuration: somebody said that it is of this system.
    """
    found = read_outputs(captures, _SYSTEM)
    config = found.config
    versions = [capture for capture in captures if recognise(capture) == "show version"]
    model, release = (told(versions, pattern) for pattern in (MODEL, RELEASE))
    if config:
        config.model = config.model or model
    return Device(
        name=config.name.value if config and config.name else name,
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
        vlan_interfaces=vlan_interfaces(config.interfaces, PORT) if config else (),
    )


_READS_LIKE_QOS = re.compile(
    r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|random-detect|\bdscp\b|\bcos\b|class-map|policy-map|service-policy|"
    r"service-profile|tx-queue|traffic-class|no-drop|watchdog|\bmtu\b|flowcontrol|dcbx|bandwidth .*percent|"
    r"^interface e",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy service-profile random-detect minimum-threshold maximum-threshold "
    "max-mark-probability class-map policy-map interface tx-queue traffic-class channel-group flowcontrol bandwidth "
    "description switchport shutdown spanning-tree hostname"
)
_SYSTEM = System("EOS", CONFIG, recognise, TABLE.find_name, read_config, TABLE.readers, _READS_LIKE_QOS, _COMMANDS)
