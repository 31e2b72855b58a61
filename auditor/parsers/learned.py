"""What show outputs say of ports, laid beside what the configuration says."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from auditor.model.dump import Capture
from auditor.model.port import LinkPause, PeerPort, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where

T = TypeVar("T")
_NOTHING = Unset()


@dataclass(slots=True)
class Learned:
    """What show outputs say of one port."""

    where: Where
    enabled: Setting[bool] = _NOTHING
    speed_gbps: Setting[float] = _NOTHING
    mtu: Setting[int] = _NOTHING
    pause_rx: Setting[bool] = _NOTHING
    pause_tx: Setting[bool] = _NOTHING
    pfc_oper: Setting[bool] = _NOTHING
    peer: Setting[PeerPort] = _NOTHING
    mac: Setting[str] = _NOTHING
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def settings(self) -> "Settings":
        """Return what is a matter of the port's configuration."""
        return self.enabled, self.speed_gbps, self.mtu, self.pause_rx, self.pause_tx, self.pfc_oper

    @property
    def has_settings(self) -> bool:
        """Tell whether anything was learned that is a matter of the port's configuration."""
        return any(setting is not _NOTHING for setting in self.settings)


Settings: TypeAlias = tuple[Setting[bool], Setting[float], Setting[int], Setting[bool], Setting[bool], Setting[bool]]
"""Enabled, speed, MTU, pauses received and sent, PFC as it runs."""


Ports = dict[str, Learned]


def with_learned(ports: tuple[Port, ...], learned: Ports) -> tuple[Port, ...]:
    """Add what show outputs say: it fills what the configuration leaves open and never contradicts it silently.

    Ports that are configured alike, and of which the outputs say the same, still share their configuration.
    """
    configured = {port.name for port in ports}
    bare = PortConfig()
    unwritten = (Port(name, bare, found.where) for name, found in learned.items() if name not in configured)
    made: dict[object, PortConfig] = {}
    return tuple(
        _learn(port, learned[port.name], made) if port.name in learned else port for port in (*ports, *unwritten)
    )


def _learn(port: Port, found: Learned, made: dict[object, PortConfig]) -> Port:
    config, parts = port.config, port.parts
    if found.has_settings:
        settings, parts = _from_parts(found.settings, parts)
        key = (id(config), settings)
        if key not in made:
            made[key] = _learn_config(config, settings)
        config = made[key]
    return replace(
        port,
        config=config,
        parts=parts,
        peer=_fill(port.peer, found.peer),
        mac=_fill(port.mac, found.mac),
        counters=found.counters or port.counters,
    )


def _from_parts(settings: Settings, parts: tuple[Where, ...]) -> tuple[Settings, tuple[Where, ...]]:
    """Return the settings with the line of each as one more part of its port, and the parts with these lines."""
    heads = list(parts)

    def from_part(setting: Setting[T]) -> Setting[T]:
        if not isinstance(setting, Known) or setting.where is None or setting.where.relative:
            return setting
        if setting.where not in heads:
            heads.append(setting.where)
        where = Where(setting.where.file, 0, relative=True, part=heads.index(setting.where) + 1)
        return replace(setting, where=where)

    enabled, speed, mtu, rx, tx, oper = settings
    counted = from_part(enabled), from_part(speed), from_part(mtu), from_part(rx), from_part(tx), from_part(oper)
    return counted, tuple(heads)


def _learn_config(config: PortConfig, settings: Settings) -> PortConfig:
    enabled, speed, mtu, rx, tx, oper = settings
    ethernet = config.ethernet
    return replace(
        config,
        ethernet=replace(
            ethernet,
            enabled=_fill(ethernet.enabled, enabled),
            speed_gbps=_fill(ethernet.speed_gbps, speed),
            mtu_bytes=_fill(ethernet.mtu_bytes, mtu),
        ),
        pfc=replace(config.pfc, oper=_fill(config.pfc.oper, oper)),
        pause=LinkPause(_fill(config.pause.rx, rx), _fill(config.pause.tx, tx)),
    )


def _fill(written: Setting[T], learned: Setting[T]) -> Setting[T]:
    """Return what is written, else what was learned; an Unset of a show output says nothing."""
    return written if isinstance(written, Known) or (isinstance(learned, Unset) and learned.where is None) else learned


def told(captures: Iterable[Capture], pattern: re.Pattern[str]) -> Known[str] | None:
    """Return what the first line that *pattern* matches gives as its group `value`, None where none does."""
    lines = ((capture, index, line.strip()) for capture in captures for index, line in enumerate(capture.lines))
    matches = ((capture, index, pattern.match(line)) for capture, index, line in lines)
    return next((Known(m["value"], Origin.LEARNED, capture.where(index)) for capture, index, m in matches if m), None)


def first(*found: Known[str] | None) -> Setting[str]:
    """Return the first value that there is."""
    return next((setting for setting in found if setting), NOT_COLLECTED)
