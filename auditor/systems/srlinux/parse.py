"""Nokia SR Linux: configurations in any syntax, the state, and tables."""

from collections.abc import Sequence

from auditor.grammar.doubts import doubts_of
from auditor.grammar.operational import Ports, add_operational, choose_first, compare_operation, find_value
from auditor.grammar.running import ONLY_PART
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.srlinux.assemble import Assembler
from auditor.systems.srlinux.config import read_config
from auditor.systems.srlinux.operational import add_details
from auditor.systems.srlinux.references import list_unattached, list_undefined
from auditor.systems.srlinux.show import CONFIG, PART, STATE, TABLE, find_name, mark_unread, recognise
from auditor.systems.srlinux.state import HOSTNAME, MODEL, RELEASE, read_state
from auditor.systems.srlinux.system import SYSTEM
from auditor.systems.srlinux.vlans import list_vlan_interfaces
from auditor.util.regex import regex


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch in *captures*; *name* is its name if they contain no host name.

    Parts of the configuration become one. An unrecognised file is read as a configuration, because `--os` or a manifest
    names this system.
    """
    named_as = [(c, recognise(c) or find_name(c) or ("" if c.command else CONFIG)) for c in captures]
    versions = [capture for capture, command in named_as if command == "show version"]
    model = find_value(versions, MODEL)
    written = [capture for capture, command in named_as if command in {CONFIG, PART}]
    config = read_config(written, model.value if model else "") if written else None
    states_of = dict(zip(map(id, config.tree.captures), config.tree.list_states(), strict=True)) if config else {}
    learned: Ports = {}
    names: list[Known[str]] = []
    dumps: list[tuple[Capture, Sequence[LineState]]] = []
    doubts: list[Doubt] = list(config.doubts) if config else []
    for capture, command in named_as:
        states: Sequence[LineState] = [mark_unread(capture.command)] * len(capture.lines)
        if id(capture) in states_of:
            states = states_of[id(capture)]
        elif command == STATE:
            states = read_state(capture, learned, names)
        elif command in TABLE.readers:
            states = TABLE.readers[command](capture, learned)
        dumps.append((capture, states))
        doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), SYSTEM.name))
    ports = Assembler(config).ports() if config else ()
    hostname = (config.name if config else None) or find_value(versions, HOSTNAME) or next(iter(names), None)
    is_whole = config is not None and config.is_complete
    return Device(
        name=hostname.value if hostname else name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=add_details(add_operational(ports, learned), learned),
        differences=compare_operation(ports, learned),
        os_version=choose_first(find_value(versions, RELEASE)),
        model=choose_first(model),
        buffer_architecture=_find_architecture(model),
        undefined=list_undefined(config) if config and is_whole else (),
        part=None if is_whole or config is None else ONLY_PART,
        unattached=list_unattached(config) if config and is_whole else (),
        dumps=list_dump_files(SYSTEM.os, dumps),
        doubts=tuple(doubts),
        vlan_interfaces=list_vlan_interfaces(config) if config else (),
    )


def _find_architecture(model: Known[str] | None) -> Setting[str]:
    """Return how the switch keeps packets: the 7250 IXR in virtual output queues, the 7220 IXR in shared memory."""
    if model is None or not model.value.startswith(("7220", "7250")):
        return NOT_COLLECTED
    kind = "voq" if model.value.startswith("7250") else "shared"
    return Known(kind, Origin.LEARNED, model.where)


_READS_LIKE_QOS = regex(
    r"\bqos\b|forwarding-class|classifiers?\b|\bpfc|flow-control|queue|\bdscp|dot1p|rewrite-rules|\bmtu\b|deadlock|"
    r"scheduler|buffer-|wred|\becn",
)
_COMMANDS = (
    "interface network-instance system qos admin-state description mtu ethernet aggregate-id port-speed subinterface "
    "forwarding-class queue-management-profile buffer-allocation-profile pfc-mapping-profile classifiers dscp-policy"
)
