"""The interfaces of a configuration, with the statements of ranges, bundles and the chassis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from auditor.model.dump import LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Known, Origin, Setting, Where
from auditor.systems.junos.chassis import Chassis, read_chassis
from auditor.systems.junos.definitions import NOTHING
from auditor.systems.junos.names import FEC, LAG, PORT, find_parent, list_between, list_members, parse_gbps
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.stanzas import Stanzas
from auditor.systems.junos.tree import StatementNode
from auditor.systems.junos.units import find_forwarding, find_ip_mtu, find_tagging, list_units
from auditor.util.values import dataclass

_OPTIONS = ("ether-options", "gigether-options", "aggregated-ether-options")


@dataclass(frozen=True, slots=True)
class Interface:
    """The settings of one interface; `filters` are the filters on arriving packets, nearest first."""

    enabled: Setting[bool] = NOTHING
    speed_gbps: Setting[float] = NOTHING
    fec: Setting[str] = NOTHING
    mtu: Setting[int] = NOTHING
    ip_mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    tagged: Setting[bool] = NOTHING
    pause_rx: Setting[bool] = NOTHING
    pause_tx: Setting[bool] = NOTHING
    negotiates: Setting[bool] = NOTHING
    loopback: Setting[bool] = NOTHING
    filters: tuple[Known[str], ...] = ()


@dataclass(frozen=True, slots=True)
class InterfaceStanza:
    """One interface: its head line, its shareable settings, and its own values.

    `vlans` has each unit with its VLANs.
    """

    where: Where
    body: Interface
    lag: Known[str] | None = None
    description: Known[str] | None = None
    is_split: bool = False
    vlans: tuple[tuple[str, tuple[str, ...]], ...] = ()


def read_interfaces(reading: StatementReader) -> dict[str, InterfaceStanza]:
    """Return the ports and bundles by name, in the order of the dump."""
    top = reading.block(reading.written.root, "interfaces")
    chassis = read_chassis(reading)
    found: dict[str, InterfaceStanza] = {}
    if top is None:
        return found
    ranges = _ranges(reading, top)
    names = [child.word for child in top.active() if PORT.match(child.word) or LAG.match(child.word)]
    alike = _StanzaReader(reading)
    for name in dict.fromkeys((*names, *(n for n in ranges if PORT.match(n) or LAG.match(n)))):
        stanzas = [stanza for stanza in (top.get(name), *ranges.get(name, ())) if stanza]
        found[name] = alike.read(stanzas[0]) if len(stanzas) == 1 else _interface(reading, stanzas)
    for name, written in found.items():
        if isinstance(written.body.speed_gbps, Known) and find_parent(name) is None:
            continue
        found[name] = _with_speed(name, written, found, chassis)
    for child in top.active():
        if not PORT.match(child.word) and not LAG.match(child.word) and child.word != "interface-range":
            for inner in child.below():
                if inner.word == "mtu":
                    _of_no_port(reading, inner)
    return found


def _of_no_port(reading: StatementReader, mtu: StatementNode) -> None:
    """Mark the MTU of an interface other than a port; on one that routes into a VLAN it limits routed packets."""
    for inner in (mtu, *mtu.below()):
        reading.mark(inner, LineState.CONDITIONAL)


def _ranges(reading: StatementReader, top: StatementNode) -> Mapping[str, list[StatementNode]]:
    """Return the ranges that each interface is a member of."""
    found: dict[str, list[StatementNode]] = {}
    for entry in reading.entries(top, "interface-range"):
        names: list[str] = []
        for member in reading.entries(entry, "member"):
            names += list_members(member.word, top.children)
        for first in reading.entries(entry, "member-range"):
            last = next((word for word in first.below() if word.word != "to"), None)
            for word in first.below():
                reading.mark(word)
            names += list_between(first.word, last.word) if last else ()
        for name in names:
            found.setdefault(name, []).append(entry)
    return found


@dataclass(slots=True)
class _StanzaReader:
    """A reader of stanzas that reads only the first of equal stanzas: their differences are not modelled.

    `known` are stanzas by shape: the first stanza, its statements, and its settings.
    """

    reading: StatementReader
    known: dict[tuple[object, ...], tuple[list[StatementNode], InterfaceStanza]] = field(default_factory=dict)

    def read(self, stanza: StatementNode) -> InterfaceStanza:
        """Return the interface of a stanza."""
        shape, statements = _shape(stanza)
        if shape not in self.known:
            self.known[shape] = statements, _interface(self.reading, [stanza])
            return self.known[shape][1]
        models, first = self.known[shape]
        states = self.reading.written.states
        for model, own in zip(models, statements, strict=True):
            if own.end >= 0:
                states[own.end] = states[model.end]
        lag = first.lag and replace(first.lag, where=self._where(first, stanza, first.lag.where))
        return replace(
            first, where=self.reading.where(stanza), lag=lag, description=self.reading.name(stanza, "description")
        )

    def _where(self, first: InterfaceStanza, stanza: StatementNode, where: Where | None) -> Where | None:
        """Return the place in *stanza* that corresponds to *where* in the first equal stanza."""
        head = self.reading.where(stanza)
        own = where and where.file == first.where.file and where.line >= first.where.line
        return Where(head.file, head.line + where.line - first.where.line) if where and own else where


_OF_ONE = frozenset({"description", "address"})
"""Statements that differ from port to port, and say nothing that equal ports would not share."""


def _shape(stanza: StatementNode) -> tuple[tuple[object, ...], list[StatementNode]]:
    """Return the key of equal stanzas, and the statements of this stanza in the same order."""
    head = stanza.line
    shape: list[object] = [(word, line - head) for word, line in (stanza.gone or {}).items()]
    found: list[StatementNode] = []
    waiting = [(child, 1) for child in stanza.children.values()]
    while waiting:
        statement, depth = waiting.pop()
        if statement.word in _OF_ONE:
            continue
        found.append(statement)
        own = statement.line >= head
        gone = tuple((word, line - head) for word, line in (statement.gone or {}).items())
        off = statement.off - head if statement.inactive else 0
        line = statement.line - head if own else statement.line
        shape.append((statement.word, depth, statement.inactive, own, line, gone, off))
        waiting.extend((child, depth + 1) for child in statement.children.values())
    return tuple(shape), [stanza, *found]


def _interface(reading: StatementReader, found: list[StatementNode]) -> InterfaceStanza:
    for stanza in found:
        reading.mark(stanza)
    head = reading.where(found[0])
    stanzas = Stanzas(reading, found, head)
    description = stanzas.name("description")
    options = stanzas.present(_OPTIONS)
    lag = next((name for option in options if (name := _bundle(stanzas, option))), None)
    split = stanzas.number("number-of-sub-ports")
    speeds = (("speed",), *((option, "speed") for option in options))
    speed = next((name for path in speeds if (name := stanzas.name(*path))), None)
    rate = parse_gbps(speed.value) if speed else None
    units = list_units(stanzas)
    tagged = find_tagging(stanzas, units)
    mtu = stanzas.number("mtu")
    body = Interface(
        enabled=stanzas.flag("disable", value=False) or stanzas.flag("enable", value=True) or stanzas.silent("disable"),
        speed_gbps=Known(rate, Origin.INTENDED, speed.where) if speed and rate is not None else stanzas.silent("speed"),
        fec=_fec(stanzas, options),
        mtu=mtu,
        ip_mtu=find_ip_mtu(mtu, tagged, units),
        forwarding=find_forwarding(units),
        tagged=tagged,
        pause_rx=_pause(stanzas, options, "tx-buffers"),
        pause_tx=_pause(stanzas, options, "rx-buffers"),
        negotiates=_find_flag(stanzas, {"auto-negotiation": True, "no-auto-negotiation": False}),
        loopback=_find_flag(stanzas, {"loopback": True, "no-loopback": False}),
        filters=tuple(name for unit in units for name in unit.filters),
    )
    vlans = tuple((unit.number, unit.vlans) for unit in units)
    return InterfaceStanza(head, body, lag, description, isinstance(split, Known) and split.value > 1, vlans)


def _bundle(stanzas: Stanzas, option: str) -> Known[str] | None:
    """Return the bundle of the interface."""
    for stanza in stanzas.all:
        name = stanzas.reading.name(stanza, option, "802.3ad")
        if name and LAG.match(name.value):
            return name
    return None


def _fec(stanzas: Stanzas, options: Sequence[str]) -> Setting[str]:
    name = next((name for option in options if (name := stanzas.name(option, "fec"))), None)
    if name is None:
        return next((gone for option in _OPTIONS if (gone := stanzas.silent(option, "fec")).where), NOTHING)
    return Known(FEC.get(name.value, name.value), name.origin, name.where)


def _find_flag(stanzas: Stanzas, words: Mapping[str, bool]) -> Setting[bool]:
    """Return what one of *words* means in the options of the link; Unset with the line that took it back."""
    paths = [(option, word) for option in _OPTIONS for word in words]
    found = next((flag for path in paths if (flag := stanzas.flag(*path, value=words[path[1]]))), None)
    return found or next((gone for path in paths if (gone := stanzas.silent(*path)).where), NOTHING)


def _pause(stanzas: Stanzas, options: Sequence[str], buffers: str) -> Setting[bool]:
    """Return link pause in one direction: `flow-control` sets both, `configured-flow-control` each alone."""
    for option in options:
        own = stanzas.name(option, "configured-flow-control", buffers)
        if own:
            return Known(own.value == "on", own.origin, own.where)
        found = stanzas.flag(option, "flow-control", value=True) or stanzas.flag(option, "no-flow-control", value=False)
        if found:
            return found
    words = (("configured-flow-control", buffers), ("flow-control",))
    paths = ((option, *path) for option in _OPTIONS for path in words)
    return next((gone for path in paths if (gone := stanzas.silent(*path)).where), NOTHING)


def _with_speed(
    name: str, written: InterfaceStanza, all_written: Mapping[str, InterfaceStanza], chassis: Chassis
) -> InterfaceStanza:
    """Return a port with the speed of its parent or of the chassis."""
    speed: Setting[float] = next(_speeds(name, written, all_written, chassis), written.body.speed_gbps)
    return replace(written, body=replace(written.body, speed_gbps=speed))


def _speeds(
    name: str, written: InterfaceStanza, all_written: Mapping[str, InterfaceStanza], chassis: Chassis
) -> Iterator[Known[float]]:
    port = PORT.match(name)
    whole = all_written.get(find_parent(name) or "")
    if isinstance(written.body.speed_gbps, Known):
        yield written.body.speed_gbps
    if whole and whole.is_split and isinstance(whole.body.speed_gbps, Known):
        found = whole.body.speed_gbps
        yield Known(found.value, found.origin, found.where.at(whole.where) if found.where else None)
    table = chassis.channels if find_parent(name) else chassis.ports
    if port and port["place"] in table:
        yield table[port["place"]]
