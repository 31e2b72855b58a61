"""Arista EOS: running configurations and show captures."""

import re
from collections.abc import Sequence

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.setting import NOT_COLLECTED
from auditor.parsers.doubts import doubts_of
from auditor.parsers.eos.assemble import Assembler
from auditor.parsers.eos.captures import MODEL, READERS, RELEASE
from auditor.parsers.eos.config import Config, read_config
from auditor.parsers.eos.recognise import CONFIG, named, recognise
from auditor.parsers.eos.references import unattached, undefined
from auditor.parsers.learned import Ports, first, told, with_learned

OS = "arista_eos"
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
        command = recognise(capture) or named(capture) or ("" if capture.command else CONFIG)
        if command == CONFIG:
            configs.append(read_config(capture))
            states: Sequence[LineState] = configs[-1].states
        elif command:
            states = READERS[command](capture, learned)
        else:
            states = [LineState.UNRECOGNISED] * len(capture.lines)
        dumps.append((capture, states))
        doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "EOS"))
    config = configs[0] if configs else None
    versions = [capture for capture in captures if recognise(capture) == "show version"]
    if config:
        config.model = config.model or told(versions, MODEL)
    return Device(
        name=config.name.value if config and config.name else name,
        kind="switch",
        os=OS,
        source=source,
        ports=with_learned(Assembler(config).ports() if config else (), learned),
        os_version=first(config.version if config else None, told(versions, RELEASE)),
        model=first(config.model if config else None, told(versions, MODEL)),
        pools=NOT_COLLECTED,
        undefined=undefined(config) if config else (),
        unattached=unattached(config) if config and config.complete else (),
        dumps=dump_files(OS, dumps),
        doubts=tuple(doubts),
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
