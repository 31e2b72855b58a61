"""The operational state laid over the configuration; a doubt reports each difference."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from auditor.grammar.numbers import parse_whole
from auditor.model.buffers import HeadroomSource, Pool, PriorityGroup
from auditor.model.device import StateDifference
from auditor.model.port import Ethernet, PeerPort, Pfc, PfcMode, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.sonic.buffers import find_direction
from auditor.systems.sonic.config import Config, find_target
from auditor.systems.sonic.operation import Operation, PortOperation
from auditor.util.values import dataclass

T = TypeVar("T")
_NOT_SHOWN = frozenset({"pool"})
_DIRECTIONS = frozenset({"ingress", "egress", "both"})


@dataclass(slots=True)
class _Merger:
    """A merger of ports with their operational state; equal ports still share one configuration."""

    operation: Operation
    differences: list[StateDifference]
    configs: dict[tuple[object, ...], PortConfig]
    is_compared: bool = False

    def port(self, port: Port) -> Port:
        """Return *port* with its operational state."""
        found = self.operation.ports.get(port.name)
        config = self._config(port, found)
        if found is None:
            return port if config is port.config else replace(port, config=config)
        met = found.peer if isinstance(found.peer, Known) else None
        return replace(
            port,
            config=config,
            aliases=port.aliases or ((found.alias,) if found.alias else ()),
            lag=_fill(port.lag, found.lag),
            peer=self._merge_value("the neighbour", port, port.peer, met),
            other_peers=found.other_peers,
            headroom_limit_bytes=found.headroom_limit_bytes or port.headroom_limit_bytes,
            counters=found.counters or port.counters,
            counted_since=found.counted_since or port.counted_since,
            hardware=replace(port.hardware, module=found.module),
        )

    def _config(self, port: Port, found: PortOperation | None) -> PortConfig:
        written = port.config
        if found is None:
            return written
        pfc, ethernet = self._pfc(port, found), _ethernet(written.ethernet, found)
        if (pfc, ethernet) == (written.pfc, written.ethernet):
            return written
        key = (id(written), pfc, ethernet)
        return self.configs.setdefault(key, replace(written, pfc=pfc, ethernet=ethernet))

    def _pfc(self, port: Port, found: PortOperation) -> Pfc:
        pfc = port.config.pfc
        watchdog = pfc.watchdog
        shown = found.pfc_priorities
        priorities = self._merge_value("the PFC priorities", port, pfc.priorities, shown)
        if shown and priorities is shown:
            mode = PfcMode.ON if shown.value else PfcMode.OFF
            pfc = replace(pfc, mode=Known(mode, Origin.LEARNED, shown.where), priorities=shown)
        if found.asymmetric and found.asymmetric.value:
            pfc = replace(pfc, rx_priorities=Known(tuple(range(8)), Origin.LEARNED, found.asymmetric.where))
        running = found.detection_ms or found.watchdog_action
        return replace(
            pfc,
            watchdog=replace(
                watchdog,
                enabled=Known(value=True, origin=Origin.LEARNED, where=running.where)
                if running and not value_of(watchdog.enabled)
                else watchdog.enabled,
                action=self._merge_value("the watchdog's action", port, watchdog.action, found.watchdog_action),
                detection_ms=self._merge_value("the detection time", port, watchdog.detection_ms, found.detection_ms),
                restoration_ms=self._merge_value(
                    "the restoration time", port, watchdog.restoration_ms, found.restoration_ms
                ),
                polling_ms=self._merge_value(
                    "the polling interval", port, watchdog.polling_ms, self.operation.polling_ms
                ),
            ),
        )

    def _merge_value(self, what: str, port: Port, written: Setting[T], shown: Known[T] | None) -> Setting[T]:
        """Return *shown*, else *written*; note where they differ."""
        if shown is None:
            return written
        if not isinstance(written, Known):
            return shown
        self.is_compared = True
        if _comparable(written.value) == _comparable(shown.value):
            return written
        if shown.where:
            said = _text(shown.value), _text(written.value)
            self.differences.append(StateDifference(what, port.name, *said, shown.where, port.locate(written.where)))
        return shown


def _ethernet(written: Ethernet, found: PortOperation) -> Ethernet:
    """Return the link settings; the operational state fills those that are not configured."""
    return replace(
        written,
        enabled=_fill(written.enabled, found.enabled),
        speed_gbps=_fill(written.speed_gbps, found.speed_gbps),
        lanes=_fill(written.lanes, found.lanes),
        fec=_fill(written.fec, found.fec),
        mtu_bytes=_fill(written.mtu_bytes, found.mtu),
        ip_mtu_bytes=Unset() if found.mtu else written.ip_mtu_bytes,
        max_frame_bytes=Unset() if found.mtu else written.max_frame_bytes,
        forwarding=_fill(written.forwarding, found.forwarding),
    )


def _fill(written: Setting[T], shown: Known[T] | None) -> Setting[T]:
    return shown if shown and not isinstance(written, Known) else written


def _comparable(value: object) -> object:
    """Return the comparable part of a value: for a neighbour its name, whatever the evidence."""
    return f"{value.device} {value.port}" if isinstance(value, PeerPort) else value


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    value = _comparable(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def merge_operational(
    ports: tuple[Port, ...], operation: Operation, config: Config
) -> tuple[tuple[Port, ...], tuple[StateDifference, ...] | None]:
    """Return the ports with their operational state, and where that differs; None if no output shows a value.

    A port that only an output names counts, too.
    """
    merger = _Merger(operation, [], {})
    known = {port.name for port in ports}
    bare = (Port(name, PortConfig(), found.where) for name, found in operation.ports.items() if name not in known)
    merged = tuple(merger.port(port) for port in (*ports, *bare))
    sized = _fill_headroom(merged, operation)
    both = tuple(_list_shown(operation, config))
    others = (each for each in both if find_target(each.shown) != find_target(each.written))
    return sized, (*merger.differences, *others) if both or merger.is_compared else None


def _fill_headroom(ports: tuple[Port, ...], operation: Operation) -> tuple[Port, ...]:
    """Fill the headroom of groups that the switch sizes by itself, from the profiles in its outputs."""
    profiles = {name: fields for (table, name), fields in operation.entries.items() if table == "BUFFER_PROFILE"}
    if not profiles:
        return ports
    done: dict[int, PortConfig] = {}
    for port in ports:
        if id(port.config) not in done:
            done[id(port.config)] = _with_sizes(port.config, profiles)
    return tuple(replace(port, config=done[id(port.config)]) for port in ports)


def _with_sizes(config: PortConfig, profiles: Mapping[str, Mapping[str, Known[str]]]) -> PortConfig:
    groups, speed, cable = config.priority_groups, value_of(config.ethernet.speed_gbps), value_of(config.cable_length_m)
    if not isinstance(groups, Known) or speed is None or cable is None:
        return config
    profile = profiles.get(f"pg_lossless_{speed * 1000:.0f}_{cable:.0f}m_profile")
    if profile is None:
        return config
    sized = tuple(_with_size(group, profile) for group in groups.value)
    return replace(config, priority_groups=replace(groups, value=sized))


def _with_size(group: PriorityGroup, profile: Mapping[str, Known[str]]) -> PriorityGroup:
    is_open = value_of(group.headroom_source) is HeadroomSource.GENERATED and isinstance(group.xoff_bytes, Unknown)
    if not is_open:
        return group
    size = _number(profile, "size")
    return replace(
        group,
        reserved_bytes=size,
        size_bytes=size,
        xon_bytes=_number(profile, "xon"),
        xoff_bytes=_number(profile, "xoff"),
    )


def _number(profile: Mapping[str, Known[str]], name: str) -> Setting[int]:
    found = profile.get(name)
    number = parse_whole(found.value) if found else None
    if found is None or number is None:
        return Unknown(f"the profile that is shown has no {name}")
    return Known(number, found.origin, found.where)


def merge_pools(pools: Setting[tuple[Pool, ...]], operation: Operation) -> Setting[tuple[Pool, ...]]:
    """Return the pools with the sizes of an output, where the switch computes them.

    Without configured pools, the output's pools are all.
    """
    if not isinstance(pools, Known):
        shown = [name for table, name in operation.entries if table == "BUFFER_POOL"]
        pools = Known(tuple(_make_pool(name, operation) for name in shown), Origin.LEARNED) if shown else pools
    if not isinstance(pools, Known):
        return pools
    return replace(pools, value=tuple(_running(pool, operation) for pool in pools.value))


def _make_pool(name: str, operation: Operation) -> Pool:
    shown = operation.entries["BUFFER_POOL", name]
    kind, mode = shown.get("type"), shown.get("mode")
    profiles = [fields for (table, _), fields in operation.entries.items() if table == "BUFFER_PROFILE"]
    used = any(
        "xoff" in fields and find_target(fields["pool"].value) == name for fields in profiles if "pool" in fields
    )
    return Pool(
        name,
        find_direction(name, kind.value if kind and kind.value in _DIRECTIONS else None),
        lossless=Known(used or "lossless" in name, Origin.LEARNED, kind.where if kind else None),
        mode=mode if mode and mode.value in {"dynamic", "static"} else NOT_COLLECTED,
    )


def _running(pool: Pool, operation: Operation) -> Pool:
    shown = operation.entries.get(("BUFFER_POOL", pool.name), {})
    size, xoff = (_number(shown, name) if name in shown else None for name in ("size", "xoff"))
    return replace(
        pool,
        size_bytes=_fill(pool.size_bytes, size if isinstance(size, Known) else None),
        shared_headroom_bytes=_fill(pool.shared_headroom_bytes, xoff if isinstance(xoff, Known) else None),
    )


def _list_shown(operation: Operation, config: Config) -> Iterator[StateDifference]:
    """Yield each field of a profile or pool that outputs show, with its configured value, equal or not."""
    for (table, name), fields in operation.entries.items():
        entry = config.entries.get(table, {}).get(name)
        for field, shown in fields.items() if entry else ():
            written = entry.get(field) if entry else Unknown("")
            if isinstance(written, Known) and field not in _NOT_SHOWN and shown.where:
                what = f"{field} of {table} {name}"
                yield StateDifference(what, "", shown.value, written.value, shown.where, written.where)
