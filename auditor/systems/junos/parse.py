"""Juniper Junos and Junos Evolved: configurations in either form, and show captures."""

from collections.abc import Sequence

from auditor.grammar.doubts import doubts_of
from auditor.grammar.operational import Ports, add_operational, choose_first, compare_operation, find_value
from auditor.grammar.running import ONLY_PART
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.routing import Routing
from auditor.model.setting import NOT_COLLECTED
from auditor.model.spreading import Ecmp
from auditor.model.tunnels import Tunnels
from auditor.systems.junos.assemble import Assembler
from auditor.systems.junos.buffers import list_pools
from auditor.systems.junos.config import read_config
from auditor.systems.junos.hardware import find_asic
from auditor.systems.junos.references import list_unattached, list_undefined
from auditor.systems.junos.show import CONFIG, HOSTNAME, MODEL, PART, RELEASE, TABLE, base, find_name, recognise, unread
from auditor.systems.junos.system import SYSTEM
from auditor.util.regex import regex


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch in *captures*; *name* is its name if they contain no hostname.

    Parts of the configuration become one. An unrecognised file is read as a configuration, because `--os` or a manifest
    names this system.
    """
    named_as = [(c, recognise(c) or find_name(c) or ("" if c.command else CONFIG)) for c in captures]
    written = [(capture, base(capture)) for capture, command in named_as if command in {CONFIG, PART}]
    config = read_config(written) if written else None
    states_of = dict(zip([id(capture) for capture, _ in written], config.states, strict=True)) if config else {}
    learned: Ports = {}
    dumps: list[tuple[Capture, Sequence[LineState]]] = []
    doubts: list[Doubt] = list(config.doubts) if config else []
    for capture, command in named_as:
        states: Sequence[LineState] = [unread(capture.command)] * len(capture.lines)
        if command in {CONFIG, PART}:
            states = states_of[id(capture)]
        elif command:
            states = TABLE.readers[command](capture, learned)
        dumps.append((capture, states))
        doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "Junos"))
    versions = [capture for capture, command in named_as if command == "show version"]
    model = find_value(versions, MODEL)
    ports = Assembler(config, model.value if model else "").ports() if config else ()
    hostname = (config.name if config else None) or find_value(versions, HOSTNAME)
    return Device(
        name=hostname.value if hostname else name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=add_operational(ports, learned),
        differences=compare_operation(ports, learned),
        os_version=choose_first(config.version if config else None, find_value(versions, RELEASE)),
        model=choose_first(model),
        asic=find_asic(model),
        ecmp=config.multipath.ecmp if config else Ecmp(),
        tunnels=config.tunnels if config else Tunnels(),
        routing=config.routing if config else Routing(),
        pools=list_pools(config.cos) if config else NOT_COLLECTED,
        undefined=list_undefined(config) if config and config.complete else (),
        part=ONLY_PART if config and not config.complete else None,
        unattached=list_unattached(config) if config and config.complete else (),
        dumps=list_dump_files(SYSTEM.os, dumps),
        doubts=tuple(doubts),
        vlan_interfaces=config.vlan_interfaces if config else (),
    )


_READS_LIKE_QOS = regex(
    r"class-of-service|forwarding-class|\bclassifiers?\b|code-point|congestion-notification|\bpfc\b|flow-control|"
    r"explicit-congestion|drop-profile|schedulers?\b|scheduler-map|shared-buffer|buffer-partition|no-loss|queue-num|"
    r"\bdscp\b|ieee-802\.1|rewrite-rules?|\bmtu\b|watchdog|\bspeed\b",
)
_COMMANDS = (
    "class-of-service forwarding-classes forwarding-class classifiers code-points code-point loss-priority interfaces "
    "congestion-notification-profile explicit-congestion-notification drop-profile drop-probability fill-level "
    "pfc-priority flow-control-queue pfc-watchdog description scheduler-map scheduler-maps schedulers transmit-rate "
    "shared-buffer"
)
