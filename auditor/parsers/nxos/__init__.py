"""Cisco NX-OS (Nexus 3000 and 9000): running configurations and show captures."""

import re
from collections.abc import Sequence

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.setting import NOT_COLLECTED
from auditor.parsers.doubts import doubts_of
from auditor.parsers.learned import Ports, with_learned
from auditor.parsers.nxos.assemble import Assembler
from auditor.parsers.nxos.captures import READERS
from auditor.parsers.nxos.config import Config, read_config
from auditor.parsers.nxos.names import unattached, undefined
from auditor.parsers.nxos.recognise import CONFIG, recognise

OS = "cisco_nxos"
__all__ = ["CONFIG", "OS", "parse", "recognise"]


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a running configuration: somebody said that it is of this system.
    """
    configs: list[Config] = []
    learned: Ports = {}
    dumps: list[tuple[Capture, Sequence[LineState]]] = []
    doubts: list[Doubt] = []
    for capture in captures:
        command = recognise(capture) or ("" if capture.command else CONFIG)
        if command == CONFIG:
            configs.append(read_config(capture))
            states = configs[-1].states
        elif command:
            states = READERS[command](capture, learned)
        else:
            states = [LineState.UNRECOGNISED] * len(capture.lines)
        dumps.append((capture, states))
        doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "NX-OS"))
    config = configs[0] if configs else None
    ports = Assembler(config).ports() if config else ()
    return Device(
        name=config.name.value if config and config.name else name,
        kind="switch",
        os=OS,
        source=source,
        ports=with_learned(ports, learned),
        os_version=config.version if config and config.version else NOT_COLLECTED,
        captured_at=config.captured_at if config else None,
        pools=NOT_COLLECTED,
        undefined=undefined(config) if config else (),
        unattached=unattached(config) if config and config.complete else (),
        dumps=dump_files(OS, dumps),
        doubts=tuple(doubts),
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
