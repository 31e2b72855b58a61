"""Cisco NX-OS (Nexus 3000 and 9000): running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.port import LinkPause, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unset
from auditor.parsers.nxos.assemble import Assembler
from auditor.parsers.nxos.captures import READERS, Learned, Ports
from auditor.parsers.nxos.config import Config, read_config
from auditor.parsers.nxos.names import unattached, undefined
from auditor.parsers.nxos.recognise import CONFIG, recognise
from auditor.redact import redact

T = TypeVar("T")
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
        doubts.extend(_doubts(capture, states))
    config = configs[0] if configs else None
    ports = Assembler(config).ports() if config else ()
    return Device(
        name=config.name.value if config and config.name else name,
        kind="switch",
        os=OS,
        source=source,
        ports=_with_learned(ports, learned),
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
MIN_PREFIX = 3


def _doubts(capture: Capture, states: Sequence[LineState]) -> list[Doubt]:
    """Return the lines that read like quality of service and were not understood, and a last line cut in two."""
    found = [
        Doubt(
            capture.where(index), redact(line.strip())[:200], "no NX-OS quality-of-service command that is known here"
        )
        for index, (line, state) in enumerate(zip(capture.lines, states, strict=True))
        if state is LineState.UNRECOGNISED and _READS_LIKE_QOS.search(line)
    ]
    last = capture.lines[-1].split() if capture.ends_mid_line and capture.lines else []
    if last and states[-1] is LineState.UNRECOGNISED and len(last[-1]) >= MIN_PREFIX:
        words = {*_COMMANDS.split(), *(word for line in capture.lines[:-1] for word in line.split())}
        if any(word.startswith(last[-1]) for word in words) and last[-1] not in words:
            where = capture.where(len(capture.lines) - 1)
            found.append(
                Doubt(where, redact(capture.lines[-1].strip())[:200], "the dump ends inside a line", fatal=True)
            )
    return found


def _with_learned(ports: tuple[Port, ...], learned: Ports) -> tuple[Port, ...]:
    """Add what show outputs say: it fills what the configuration leaves open and never contradicts it silently."""
    configured = {port.name for port in ports}
    merged = [_learn(port, learned[port.name]) if port.name in learned else port for port in ports]
    merged.extend(_learn(_bare(name, found), found) for name, found in learned.items() if name not in configured)
    return tuple(merged)


def _bare(name: str, found: Learned) -> Port:
    return Port(name=name, config=PortConfig(), where=found.where)


def _learn(port: Port, found: Learned) -> Port:
    return replace(
        port,
        config=_learn_config(port.config, found) if found.has_settings else port.config,
        peer=_fill(port.peer, found.peer),
        mac=_fill(port.mac, found.mac),
        counters=found.counters or port.counters,
    )


def _learn_config(config: PortConfig, found: Learned) -> PortConfig:
    ethernet = config.ethernet
    return replace(
        config,
        ethernet=replace(
            ethernet,
            enabled=_fill(ethernet.enabled, found.enabled),
            speed_gbps=_fill(ethernet.speed_gbps, found.speed_gbps),
            mtu_bytes=_fill(ethernet.mtu_bytes, found.mtu),
        ),
        pfc=replace(config.pfc, oper=_fill(config.pfc.oper, found.pfc_oper)),
        pause=LinkPause(_fill(config.pause.rx, found.pause_rx), _fill(config.pause.tx, found.pause_tx)),
    )


def _fill(written: Setting[T], learned: Setting[T]) -> Setting[T]:
    """Return what is written, else what was learned; an Unset of a show output says nothing."""
    return written if isinstance(written, Known) or (isinstance(learned, Unset) and learned.where is None) else learned
