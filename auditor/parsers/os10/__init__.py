"""Dell SmartFabric OS10: running configurations and show captures."""

import re
from collections.abc import Sequence
from itertools import chain

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.parsers.doubts import doubts_of
from auditor.parsers.learned import Ports, with_learned
from auditor.parsers.os10.assemble import Assembler
from auditor.parsers.os10.captures import MODEL, READERS, RELEASE
from auditor.parsers.os10.config import Config, read_config
from auditor.parsers.os10.recognise import CONFIG, named, recognise
from auditor.parsers.os10.references import unattached, undefined

OS = "dell_os10"
__all__ = ["CONFIG", "OS", "parse", "recognise"]


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a running configuration: somebody said that it is of this system.
    """
    model = _told(captures, MODEL)
    configs: list[Config] = []
    learned: Ports = {}
    dumps: list[tuple[Capture, Sequence[LineState]]] = []
    doubts: list[Doubt] = []
    for capture in captures:
        command = recognise(capture) or named(capture) or ("" if capture.command else CONFIG)
        if command == CONFIG:
            configs.append(read_config(capture, model))
            states: Sequence[LineState] = configs[-1].states
        elif command:
            states = READERS[command](capture, learned)
        else:
            states = [LineState.UNRECOGNISED] * len(capture.lines)
        dumps.append((capture, states))
        doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "OS10"))
    config = configs[0] if configs else None
    return Device(
        name=config.name.value if config and config.name else name,
        kind="switch",
        os=OS,
        source=source,
        ports=with_learned(Assembler(config).ports() if config else (), learned),
        os_version=_first(config.version if config else None, _told(captures, RELEASE)),
        model=_first(config.model if config else None, model),
        pools=NOT_COLLECTED,
        undefined=undefined(config) if config else (),
        unattached=unattached(config) if config and config.complete else (),
        dumps=dump_files(OS, dumps),
        doubts=tuple(doubts),
    )


def _first(*found: Known[str] | None) -> Setting[str]:
    return next((setting for setting in found if setting), NOT_COLLECTED)


def _told(captures: Sequence[Capture], pattern: re.Pattern[str]) -> Known[str] | None:
    """Return what `show version` says, None where it was not captured."""
    lines = chain.from_iterable(((c, n, line) for n, line in enumerate(c.lines)) for c in captures if _is_version(c))
    matches = ((capture, index, pattern.match(line)) for capture, index, line in lines)
    return next((Known(m["value"], Origin.LEARNED, capture.where(n)) for capture, n, m in matches if m), None)


def _is_version(capture: Capture) -> bool:
    return recognise(capture) == "show version"


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
