"""Cisco NX-OS (Nexus 3000 and 9000): running configurations and show captures."""

import re
from collections.abc import Sequence

from auditor.grammar.operational import with_learned
from auditor.grammar.output import System, read_outputs
from auditor.grammar.vlans import vlan_interfaces
from auditor.model.device import Device
from auditor.model.dump import Capture, list_dump_files
from auditor.model.setting import NOT_COLLECTED
from auditor.systems.nxos.assemble import Assembler
from auditor.systems.nxos.config import read_config
from auditor.systems.nxos.names import unattached, undefined
from auditor.systems.nxos.numbers import PORT
from auditor.systems.nxos.show import CONFIG, TABLE, recognise
from auditor.systems.nxos.system import SYSTEM


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a running configuration: somebody said that it is of this system.
    """
    found = read_outputs(captures, _SYSTEM)
    config = found.config
    ports = Assembler(config).ports() if config else ()
    return Device(
        name=config.name.value if config and config.name else name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=with_learned(ports, found.learned),
        os_version=config.version if config and config.version else NOT_COLLECTED,
        captured_at=config.captured_at if config else None,
        pools=NOT_COLLECTED,
        undefined=undefined(config) if config else (),
        unattached=unattached(config) if config and config.complete else (),
        dumps=list_dump_files(SYSTEM.os, found.dumps),
        doubts=tuple(found.doubts),
        vlan_interfaces=vlan_interfaces(config.interfaces, PORT) if config else (),
    )


_READS_LIKE_QOS = re.compile(
    r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|random-detect|\bdscp\b|\bcos\b|class-map|policy-map|service-policy|"
    r"queuing|no-drop|watch-dog|\bmtu\b|flowcontrol|bandwidth .*percent|^interface e",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy random-detect minimum-threshold maximum-threshold drop-probability "
    "class-map policy-map interface queuing network-qos channel-group flowcontrol watch-dog-interval bandwidth "
    "congestion-control description switchport shutdown spanning-tree hostname"
)
_SYSTEM = System("NX-OS", CONFIG, recognise, None, read_config, TABLE.readers, _READS_LIKE_QOS, _COMMANDS)
