"""Operational state of ports from show outputs, beside their configuration."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from auditor.grammar.numbers import count
from auditor.grammar.thresholds import Curve, fill_setting, learn_buffers
from auditor.model.buffers import PriorityGroup
from auditor.model.device import StateDifference
from auditor.model.dump import Capture
from auditor.model.hardware import Module
from auditor.model.port import Forwarding, LinkPause, PeerPort, PfcMode, Port, PortConfig
from auditor.model.qos import Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where, is_by_hand, value_of
from auditor.util.quick import replace_fields
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
_NOTHING = Unset()
_NO_MODULE = Module()
_LANE = regex(r"(?:/|:)\d{1,2}\Z")


@dataclass(slots=True)
class OperationalPort:
    """The operational state of one port; `fault` is why the switch itself has shut it.

    Where an output names a cage, and not its ports, `module` alone is known. `curves` are the thresholds of ECN by
    queue, `groups` the buffers on arrival by priority.
    """

    where: Where
    enabled: Setting[bool] = _NOTHING
    speed_gbps: Setting[float] = _NOTHING
    mtu: Setting[int] = _NOTHING
    pause_rx: Setting[bool] = _NOTHING
    pause_tx: Setting[bool] = _NOTHING
    pfc_oper: Setting[bool] = _NOTHING
    lag: Setting[str | None] = _NOTHING
    fec: Setting[str] = _NOTHING
    negotiates: Setting[bool] = _NOTHING
    pfc_mode: Setting[PfcMode] = _NOTHING
    pfc_priorities: Setting[tuple[int, ...]] = _NOTHING
    peer_priorities: Setting[tuple[int, ...]] = _NOTHING
    max_frame: Setting[int] = _NOTHING
    forwarding: Setting[Forwarding] = _NOTHING
    tagged: Setting[bool] = _NOTHING
    trust: Setting[Trust] = _NOTHING
    peer: Setting[PeerPort] = _NOTHING
    other_peers: tuple[Known[PeerPort], ...] = ()
    mac: Setting[str] = _NOTHING
    fault: Setting[str] = _NOTHING
    counters: "Counts" = field(default_factory=dict)
    module: Module = _NO_MODULE
    curves: dict[int, Curve] = field(default_factory=dict)
    groups: dict[int, PriorityGroup] = field(default_factory=dict)

    @property
    def settings(self) -> "Settings":
        """Return what is a matter of the port's configuration."""
        return Settings._make(_read_settings(self))

    @property
    def has_settings(self) -> bool:
        """Return whether anything was learned that is a matter of the port's configuration."""
        return any(setting is not _NOTHING for setting in _read_settings(self))

    @property
    def is_cage(self) -> bool:
        """Return whether nothing is known but the module."""
        return self == OperationalPort(self.where, module=self.module)


class Settings(NamedTuple):
    """What outputs show that is a matter of a port's configuration."""

    enabled: Setting[bool]
    speed_gbps: Setting[float]
    mtu: Setting[int]
    pause_rx: Setting[bool]
    pause_tx: Setting[bool]
    pfc_oper: Setting[bool]
    fec: Setting[str]
    negotiates: Setting[bool]
    pfc_mode: Setting[PfcMode]
    pfc_priorities: Setting[tuple[int, ...]]
    peer_priorities: Setting[tuple[int, ...]]
    max_frame: Setting[int]
    forwarding: Setting[Forwarding]
    tagged: Setting[bool]
    trust: Setting[Trust]


_read_settings: Callable[[OperationalPort], tuple[Setting[Any], ...]] = attrgetter(*Settings._fields)
Ports = dict[str, OperationalPort]
Counts: TypeAlias = dict[str, Known[int]]
"""Counters by the names that `auditor.model.counters` knows."""


def keep_count(counters: Counts, name: str, text: str, where: Where) -> None:
    """Keep the count in *text* under *name*; a text without a number (N/A, -) is no count."""
    if (number := count(text)) is not None:
        counters[name] = Known(number, Origin.LEARNED, where)


_MAC = regex(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}", re.IGNORECASE)


class Meets(Protocol):
    """A port, as far as it has neighbours."""

    peer: Setting[PeerPort]
    other_peers: tuple[Known[PeerPort], ...]


class Meeting:
    """The neighbours of one output: one neighbour of a port counts, others are further agents."""

    def __init__(self) -> None:
        self._met: dict[int, _Agents] = {}

    def add(self, port: Meets, name: str, port_id: str, where: Where, chassis: str = "") -> None:
        """Add a neighbour of *port*, unless it has neither name nor address.

        The first with a name counts. One without counts by the address of its port or chassis, as that of an adapter's
        firmware announces nothing else; where a name follows for the same port, both are one.
        """
        address = next((each for each in (chassis, port_id) if _MAC.fullmatch(each)), "")
        peer = PeerPort(name or address, port_id, "lldp")
        agents = self._met.setdefault(id(port), _Agents())
        if not (peer.device and port_id) or agents.include(peer):
            return
        found = Known(peer, Origin.LEARNED, where)
        agents.add(found)
        held = port.peer.value if isinstance(port.peer, Known) else None
        if held is None or (_is_nameless(held) and not _is_nameless(peer)):
            port.peer, held = found, peer
        others = agents.list_others(held)
        if len(others) > len(port.other_peers):
            port.other_peers = tuple(others)


class _Agents:
    """The agents at one port; one whose name is the address of its port is the same as another with that address."""

    def __init__(self) -> None:
        self._all: dict[PeerPort, Known[PeerPort]] = {}
        self._ports: set[str] = set()
        self._first: PeerPort | None = None
        self._others: dict[PeerPort, Known[PeerPort]] = {}

    def include(self, peer: PeerPort) -> bool:
        """Return whether *peer* adds no agent."""
        return peer in self._all or (peer.device == peer.port and peer.port in self._ports)

    def add(self, found: Known[PeerPort]) -> None:
        """Add an agent, in place of one that has but the address of its port."""
        address = PeerPort(found.value.port, found.value.port, found.value.evidence)
        for agents in (self._all, self._others):
            agents.pop(address, None)
            agents[found.value] = found
        self._ports.add(found.value.port)

    def list_others(self, held: PeerPort) -> Collection[Known[PeerPort]]:
        """Return the agents but that of *held*, but the first where another output spelt it otherwise."""
        first = held if held in self._all else next(iter(self._all))
        if first != self._first:
            self._first, self._others = first, {peer: agent for peer, agent in self._all.items() if peer != first}
        return self._others.values()


def _is_nameless(peer: PeerPort) -> bool:
    return _MAC.fullmatch(peer.device) is not None


def add_operational(ports: tuple[Port, ...], learned: Ports) -> tuple[Port, ...]:
    """Add the operational state; it fills settings that the configuration leaves open.

    Ports of equal configuration and equal operational state still share their configuration.
    """
    configured = {port.name for port in ports}
    bare = PortConfig()
    unwritten = (
        Port(name, bare, found.where)
        for name, found in learned.items()
        if name not in configured and not (found.is_cage and found.module != _NO_MODULE)
    )
    made: dict[object, PortConfig] = {}
    told = (_learn(port, learned[port.name], made) if port.name in learned else port for port in (*ports, *unwritten))
    return tuple(_add_module(port, learned) for port in told)


def _add_module(port: Port, learned: Ports) -> Port:
    """Return *port* with its module: its own, or that of the cage which it is broken out of."""
    own, cage = learned.get(port.name), learned.get(_LANE.sub("", port.name))
    module = own.module if own and own.module != _NO_MODULE else cage.module if cage and cage.is_cage else _NO_MODULE
    return port if module == _NO_MODULE else replace(port, hardware=replace(port.hardware, module=module))


def compare_operation(ports: tuple[Port, ...], learned: Ports) -> tuple[StateDifference, ...] | None:
    """Return what outputs show that is not as the configuration of *ports* sets it; None if no output shows a value.

    That PFC does not run counts at a port with a neighbour alone: on a link that is down it never does.
    """
    found = []
    is_compared = False
    for port in ports:
        shown = learned.get(port.name)
        if shown and isinstance(shown.fault, Known) and shown.fault.where:
            place = port.locate(port.where)
            found.append(StateDifference("the port", port.name, shown.fault.value, "enabled", shown.fault.where, place))
        for what, written, told in _list_pairs(port, shown) if shown and shown.has_settings else ():
            if not (isinstance(written, Known) and is_by_hand(written) and isinstance(told, Known) and told.where):
                continue
            is_compared = True
            if written.value != told.value:
                said = _format(told.value), _format(written.value)
                found.append(StateDifference(what, port.name, *said, told.where, port.locate(written.where)))
    return tuple(found) if found or is_compared else None


def _list_pairs(port: Port, shown: OperationalPort) -> Iterator[tuple[str, Setting[object], Setting[object]]]:
    """Yield each setting that outputs show too, as configured and as shown."""
    config = port.config
    yield "the speed (Gb/s)", config.ethernet.speed_gbps, shown.speed_gbps
    yield "the MTU (bytes)", config.ethernet.mtu_bytes, shown.mtu
    yield "the PFC mode", config.pfc.mode, shown.pfc_mode
    modes = {value_of(mode) for mode in (config.pfc.mode, shown.pfc_mode)} - {None}
    if len(modes) == 1 and PfcMode.AUTO not in modes and isinstance(shown.peer, Known):
        yield "PFC", _runs(config.pfc.mode), shown.pfc_oper


def _runs(mode: Setting[PfcMode]) -> Setting[bool]:
    """Return whether PFC is to run, by its mode."""
    return Known(mode.value is PfcMode.ON, mode.origin, mode.where) if isinstance(mode, Known) else mode


def _format(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _learn(port: Port, found: OperationalPort, made: dict[object, PortConfig]) -> Port:
    config, parts = port.config, port.parts
    if found.has_settings:
        settings, parts = _from_parts(found.settings, parts)
        key = (id(config), settings)
        if key not in made:
            made[key] = _learn_config(config, settings)
        config = made[key]
    if found.curves or found.groups:
        config = learn_buffers(config, found.curves, found.groups)
    return replace_fields(
        port,
        {
            "config": config,
            "parts": parts,
            "lag": fill_setting(port.lag, found.lag),
            "peer": fill_setting(port.peer, found.peer),
            "other_peers": found.other_peers,
            "mac": fill_setting(port.mac, found.mac),
            "counters": found.counters or port.counters,
        },
    )


def _from_parts(settings: Settings, parts: tuple[Where, ...]) -> tuple[Settings, tuple[Where, ...]]:
    """Return the settings with the line of each as one more part of its port, and the parts with these lines."""
    heads = list(parts)

    def from_part(setting: Setting[T]) -> Setting[T]:
        if not isinstance(setting, Known) or setting.where is None or setting.where.relative:
            return setting
        if setting.where not in heads:
            heads.append(setting.where)
        where = _find_part(heads.index(setting.where) + 1)
        return Known(setting.value, setting.origin, where, setting.reference)

    told = [each if each is _NOTHING else from_part(each) for each in settings]
    return Settings._make(told), tuple(heads)


@lru_cache(maxsize=256)
def _find_part(part: int) -> Where:
    return Where("", 0, relative=True, part=part)


def _learn_config(config: PortConfig, found: Settings) -> PortConfig:
    ethernet, pfc, sorting = config.ethernet, config.pfc, config.classification
    return replace(
        config,
        ethernet=replace(
            ethernet,
            enabled=fill_setting(ethernet.enabled, found.enabled),
            speed_gbps=fill_setting(ethernet.speed_gbps, found.speed_gbps),
            mtu_bytes=fill_setting(ethernet.mtu_bytes, found.mtu),
            fec=fill_setting(ethernet.fec, found.fec),
            negotiates=fill_setting(ethernet.negotiates, found.negotiates),
            max_frame_bytes=fill_setting(ethernet.max_frame_bytes, found.max_frame),
            forwarding=fill_setting(ethernet.forwarding, found.forwarding),
            tagged=fill_setting(ethernet.tagged, found.tagged),
        ),
        pfc=replace(
            pfc,
            oper=fill_setting(pfc.oper, found.pfc_oper),
            mode=fill_setting(pfc.mode, found.pfc_mode),
            priorities=fill_setting(pfc.priorities, found.pfc_priorities),
            peer_priorities=fill_setting(pfc.peer_priorities, found.peer_priorities),
        ),
        pause=LinkPause(fill_setting(config.pause.rx, found.pause_rx), fill_setting(config.pause.tx, found.pause_tx)),
        classification=replace(sorting, trust=fill_setting(sorting.trust, found.trust)),
    )


def find_value(captures: Iterable[Capture], pattern: re.Pattern[str]) -> Known[str] | None:
    """Return the group `value` of the first line that *pattern* matches, None without such a line."""
    lines = ((capture, index, line.strip()) for capture in captures for index, line in enumerate(capture.lines))
    matches = ((capture, index, pattern.match(line)) for capture, index, line in lines)
    return next((Known(m["value"], Origin.LEARNED, capture.where(index)) for capture, index, m in matches if m), None)


def choose_first(*found: Known[str] | None) -> Setting[str]:
    """Return the first value that there is."""
    return next((setting for setting in found if setting), NOT_COLLECTED)
