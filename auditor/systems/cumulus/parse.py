"""NVIDIA Cumulus Linux: NVUE configurations, the older datapath files and commands, and `nv show` captures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from auditor.grammar.doubts import doubts_of
from auditor.grammar.running import ONLY_PART
from auditor.model.device import Device, NamedObject
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.rows import RowCheck
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.model.spreading import Ecmp
from auditor.systems.cumulus import datapath, document, nclu, network, nvset, overview
from auditor.systems.cumulus.agree import merge_captures
from auditor.systems.cumulus.assemble import Assembler
from auditor.systems.cumulus.captures import PortStatus, read_module
from auditor.systems.cumulus.captures import read as read_show
from auditor.systems.cumulus.multipath import read_ecmp
from auditor.systems.cumulus.objects import NvueStatement, ObjectNode, Proof, find_value, list_paths, parse_word
from auditor.systems.cumulus.presets import add_presets
from auditor.systems.cumulus.references import list_unattached, list_undefined
from auditor.systems.cumulus.routing import read_routing
from auditor.systems.cumulus.show import CONFIG, DATAPATH, MODULE, NETWORK, SAVED, SHOW, find_content, recognise
from auditor.systems.cumulus.system import SYSTEM
from auditor.systems.cumulus.tunnels import read_tunnels
from auditor.systems.cumulus.vlans import list_vlan_interfaces
from auditor.systems.cumulus.weights import schedules_by_groups
from auditor.systems.cumulus.words import find_state
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(slots=True)
class _Reading:
    """The content of a device's captures; `is_older`: some commands are of releases before NVUE."""

    statements: list[NvueStatement] = field(default_factory=list)
    header: dict[str, NvueStatement] = field(default_factory=dict)
    learned: list[PortStatus] = field(default_factory=list)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    is_older: bool = False
    is_listed: bool = False
    """A file or an output shows the configuration; other commands are typed ones."""
    has_groups: bool = False
    """Queues are scheduled by groups of switch priorities, as before 5.0."""
    undefined: list[NamedObject] = field(default_factory=list)
    unattached: list[NamedObject] = field(default_factory=list)
    checks: list[RowCheck] = field(default_factory=list)


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch in *captures*; *name* is its name if they contain no hostname.

    An unrecognised file is read as an NVUE configuration, because `--os` or a manifest names this system.
    """
    reading = _Reading()
    for capture in nclu.sessions_last(captures):
        states = [LineState.UNRECOGNISED] * len(capture.lines)
        _read(reading, capture, states)
        reading.dumps.append((capture, states))
        reading.doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "Cumulus Linux"))
    written = _tree(reading.statements, Where(captures[0].file if captures else "", 1))
    release = _header_value(reading.header, "version", "Cumulus Linux ")
    said = release.value if isinstance(release, Known) else nclu.LAST * reading.is_older
    root = add_presets(written, said, has_groups=reading.has_groups)
    assembler = Assembler(root)
    ports, differences = merge_captures(
        assembler.ports() if reading.statements else (), reading.learned, is_part=not reading.is_listed
    )
    is_part = bool(reading.statements) and not (reading.header or written.find_object("interface"))
    hostname = find_value(written.at("system"), "hostname", parse_word)
    pools = assembler.pools()
    return Device(
        name=hostname.value if isinstance(hostname, Known) else name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=ports,
        os_version=release,
        model=_header_value(reading.header, "model"),
        pools=Known(pools, Origin.INTENDED, root.proof.where) if reading.statements else NOT_COLLECTED,
        ecmp=read_ecmp(root) if reading.statements else Ecmp(),
        tunnels=read_tunnels(root),
        routing=read_routing(written, is_whole=not is_part),
        undefined=(*list_undefined(root), *reading.undefined),
        unattached=(*list_unattached(root), *reading.unattached),
        dumps=list_dump_files(SYSTEM.os, reading.dumps),
        doubts=tuple(reading.doubts),
        differences=differences,
        part=ONLY_PART if is_part else None,
        vlan_interfaces=list_vlan_interfaces(written, ports),
        row_checks=tuple(reading.checks),
    )


def _header_value(header: Mapping[str, NvueStatement], name: str, prefix: str = "") -> Setting[str]:
    """Return the value of *name* in the header of a configuration file."""
    said = header.get(name)
    if said is None or len(said.words) < 3:  # noqa: PLR2004  `header NAME VALUE`
        return NOT_COLLECTED
    return Known(said.words[-1].removeprefix(prefix), Origin.LEARNED, said.proof.where)


def _read(reading: _Reading, capture: Capture, states: list[LineState]) -> None:
    """Read one capture by its kind; a transcript may contain typed commands between captures."""
    if nvset.is_command(capture.command):
        typed = Capture(capture.file, (capture.command,), first_line=max(1, capture.first_line - 1))
        reading.statements.extend(nvset.read(typed, [LineState.UNRECOGNISED]))
    kind = recognise(capture) or ("" if capture.command else CONFIG)
    kind = CONFIG if kind == SAVED else kind
    reading.is_listed |= kind not in {SHOW, MODULE, ""} and not nvset.is_typed(capture)
    if kind == SHOW:
        found = overview.read(capture, states) if overview.is_table(capture) else read_show(capture, states)
        reading.learned.extend(found)
    elif kind == MODULE:
        reading.learned.extend(read_module(capture, states))
    elif kind == DATAPATH:
        reading.has_groups |= any(schedules_by_groups(line.partition("=")[0].strip()) for line in capture.lines)
        held = datapath.read(capture, states)
        reading.statements.extend(held.found)
        reading.checks.extend(held.checks)
        reading.undefined.extend(held.undefined)
        reading.unattached.extend(held.unattached)
    elif kind == NETWORK or (kind == CONFIG and find_content(capture) == NETWORK):
        reading.statements.extend(network.read(capture, states))
    elif kind == CONFIG:
        _configuration(reading, capture, states)


def _configuration(reading: _Reading, capture: Capture, states: list[LineState]) -> None:
    if any(nclu.is_command(line) for line in capture.lines):
        found = [*nclu.read(capture, states), *nvset.read(capture, states)]
        reading.is_older = True
    elif any(nvset.is_command(line) for line in capture.lines) or not _is_document(capture):
        found = nvset.read(capture, states)
    else:
        held = document.read(capture, states)
        found = held.statements
        reading.header |= held.header
        reading.doubts.extend(held.doubts)
    reading.statements.extend(found)
    _mark(found, states)


def _is_document(capture: Capture) -> bool:
    first = next((line.strip() for line in capture.lines if line.strip() and line.strip()[0] != "#"), "")
    return first[:1] in {"-", "[", "{"} or first.endswith(":")


_BEST_FIRST = (
    LineState.MODELLED,
    LineState.CONDITIONAL,
    LineState.NOT_MODELLED,
    LineState.UNRECOGNISED,
    LineState.IGNORED,
)


def _mark(statements: Sequence[NvueStatement], states: list[LineState]) -> None:
    """Give each line the state of its value, and the line of a key the best state of the values below it."""
    values: dict[int, LineState] = {}
    keys: dict[int, LineState] = {}
    for statement in statements:
        state = find_state(statement.words, is_unset=statement.is_unset)
        if list_paths(statement.words) is None:
            state = LineState.UNRECOGNISED
        line = statement.lines[-1]
        values[line] = max(values.get(line, state), state, key=_BEST_FIRST.index)
        for key in statement.lines[:-1]:
            keys[key] = min(keys.get(key, state), state, key=_BEST_FIRST.index)
    for line, state in (keys | values).items():
        states[line] = state


def _tree(statements: Sequence[NvueStatement], top: Where) -> ObjectNode:
    """Return the tree after all statements, applied in their order."""
    root = ObjectNode(Proof(Where(statements[0].proof.where.file, 1) if statements else top))
    for statement in statements:
        for path in list_paths(statement.words) or ():
            if statement.is_unset:
                root.drop(path, statement.proof)
            else:
                root.put(path, statement.proof)
    return root


_READS_LIKE_QOS = regex(
    r"\bqos\b|\bpfc|pause|\becn|dscp|\bpcp\b|8021p|traffic[._-]|switch-priority|\bmtu\b|watchdog|sched|roce|threshold|"
    r"cos_|storage-optimized",
    re.IGNORECASE,
)
_COMMANDS = (
    "interface bridge-access congestion-control egress-scheduler egress-queue-mapping switch-priority traffic-class "
    "min-threshold max-threshold pfc-watchdog polling-interval robustness link-pause traffic-pool memory-percent "
    "cable-length port-buffer xoff-threshold xon-threshold breakout lanes-per-port description lossless enabled "
    "disabled"
)
"""Words that a dump may end inside of."""
