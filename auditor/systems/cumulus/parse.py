"""NVIDIA Cumulus Linux: NVUE configurations, the older datapath files and commands, and `nv show` captures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.grammar.doubts import doubts_of
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.cumulus import datapath, document, nclu, network, nvset, overview
from auditor.systems.cumulus.agree import agreed
from auditor.systems.cumulus.assemble import Assembler
from auditor.systems.cumulus.captures import Learned
from auditor.systems.cumulus.captures import read as read_show
from auditor.systems.cumulus.implied import effective
from auditor.systems.cumulus.objects import Node, Proof, Statement, known, paths, word
from auditor.systems.cumulus.references import unattached, undefined
from auditor.systems.cumulus.show import CONFIG, DATAPATH, NETWORK, SHOW, content_of, recognise
from auditor.systems.cumulus.system import SYSTEM
from auditor.systems.cumulus.tunnels import outer_dscp
from auditor.systems.cumulus.vlans import vlan_interfaces
from auditor.systems.cumulus.words import state_of


@dataclass(slots=True)
class _Reading:
    """What the captures of a device hold; `is_older`: commands of releases before NVUE's are among them."""

    statements: list[Statement] = field(default_factory=list)
    header: dict[str, Statement] = field(default_factory=dict)
    learned: list[Learned] = field(default_factory=list)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    is_older: bool = False


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as an NVUE configuration: somebody said that it is of this system.
    """
    reading = _Reading()
    for capture in nclu.sessions_last(captures):
        states = [LineState.UNRECOGNISED] * len(capture.lines)
        _read(reading, capture, states)
        reading.dumps.append((capture, states))
        reading.doubts.extend(doubts_of(capture, states, _READS_LIKE_QOS, _COMMANDS.split(), "Cumulus Linux"))
    written = _tree(reading.statements, Where(captures[0].file if captures else "", 1))
    release = _told(reading.header, "version", "Cumulus Linux ")
    root = effective(written, release.value if isinstance(release, Known) else nclu.LAST * reading.is_older)
    assembler = Assembler(root)
    ports, contradictions = agreed(assembler.ports() if reading.statements else (), reading.learned)
    hostname = known(written.at("system"), "hostname", word)
    pools = assembler.pools()
    return Device(
        name=hostname.value if isinstance(hostname, Known) else name,
        kind="switch",
        os=SYSTEM.os,
        source=source,
        ports=ports,
        os_version=release,
        model=_told(reading.header, "model"),
        pools=Known(pools, Origin.INTENDED, root.proof.where) if reading.statements else NOT_COLLECTED,
        tunnel_dscp=outer_dscp(root),
        undefined=undefined(root),
        unattached=unattached(root),
        dumps=list_dump_files(SYSTEM.os, reading.dumps),
        doubts=(*reading.doubts, *contradictions),
        vlan_interfaces=vlan_interfaces(written, ports),
    )


def _told(header: Mapping[str, Statement], name: str, prefix: str = "") -> Setting[str]:
    """Return what the header of a configuration file says of *name*."""
    said = header.get(name)
    if said is None or len(said.words) < 3:  # noqa: PLR2004  `header NAME VALUE`
        return NOT_COLLECTED
    return Known(said.words[-1].removeprefix(prefix), Origin.LEARNED, said.proof.where)


def _read(reading: _Reading, capture: Capture, states: list[LineState]) -> None:
    """Read one capture by what it is; a transcript may hold commands that were typed between captures."""
    if nvset.is_command(capture.command):
        typed = Capture(capture.file, (capture.command,), first_line=max(1, capture.first_line - 1))
        reading.statements.extend(nvset.read(typed, [LineState.UNRECOGNISED]))
    kind = recognise(capture) or ("" if capture.command else CONFIG)
    if kind == SHOW:
        found = overview.read(capture, states) if overview.is_table(capture) else read_show(capture, states)
        reading.learned.extend(found)
    elif kind == DATAPATH:
        reading.statements.extend(datapath.read(capture, states))
    elif kind == NETWORK or (kind == CONFIG and content_of(capture) == NETWORK):
        reading.statements.extend(network.read(capture, states))
    elif kind == CONFIG:
        _configuration(reading, capture, states)


def _configuration(reading: _Reading, capture: Capture, states: list[LineState]) -> None:
    if any(nclu.is_command(line) for line in capture.lines):
        found = nclu.read(capture, states)
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


def _mark(statements: Sequence[Statement], states: list[LineState]) -> None:
    """Give each line the state of the value on it, and the line of a key the best state of what is below it."""
    values: dict[int, LineState] = {}
    keys: dict[int, LineState] = {}
    for statement in statements:
        state = state_of(statement.words, is_unset=statement.is_unset)
        if paths(statement.words) is None:
            state = LineState.UNRECOGNISED
        line = statement.lines[-1]
        values[line] = max(values.get(line, state), state, key=_BEST_FIRST.index)
        for key in statement.lines[:-1]:
            keys[key] = min(keys.get(key, state), state, key=_BEST_FIRST.index)
    for line, state in (keys | values).items():
        states[line] = state


def _tree(statements: Sequence[Statement], top: Where) -> Node:
    """Carry out the statements in the order of writing."""
    root = Node(Proof(Where(statements[0].proof.where.file, 1) if statements else top))
    for statement in statements:
        for path in paths(statement.words) or ():
            if statement.is_unset:
                root.drop(path, statement.proof)
            else:
                root.put(path, statement.proof)
    return root


_READS_LIKE_QOS = re.compile(
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
