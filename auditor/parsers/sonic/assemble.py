"""Rows to ports: ports whose rows say the same share one configuration object."""

import re

from auditor.model.port import (
    Ethernet,
    LinkPause,
    PeerPort,
    Pfc,
    PfcMode,
    Port,
    PortConfig,
    Watchdog,
    WatchdogAction,
)
from auditor.model.qos import ValueMap
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.natural import natural
from auditor.parsers.sonic.buffers import PortFacts, lossless_groups, priority_groups
from auditor.parsers.sonic.config import Config, PortRows, as_number, converted
from auditor.parsers.sonic.lookup import Lookup
from auditor.parsers.sonic.maps import MapReader, Maps, Paused, classification, marking
from auditor.parsers.sonic.queues import queues
from auditor.parsers.sonic.rows import Entry

ALL_PRIORITIES = tuple(range(8))
_DESCRIBED = re.compile(r"(?P<device>[\w.-]{2,64}):(?P<port>(?:Ethernet|Eth|et-|xe-|swp|eth|etp)[\w/.-]{1,40})")


class Assembler:
    """Builds the ports of one configuration."""

    def __init__(self, config: Config, lookup: Lookup | None) -> None:
        self._config = config
        self._lookup = lookup
        self._reader = MapReader(config)
        self._maps: dict[tuple[int, ...], Maps] = {}
        self._value_maps: dict[int, ValueMap] = {}
        self._configs: dict[tuple[object, ...], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump; PORT names them all where it is there."""
        rows = self._config.ports
        named = [name for name, found in rows.items() if "PORT" in found.own] if self._has_ports else list(rows)
        return tuple(self._port(name, rows[name]) for name in sorted(named, key=natural))

    @property
    def _has_ports(self) -> bool:
        return self._config.complete and "PORT" in self._config.tables

    def _port(self, name: str, rows: PortRows) -> Port:
        location = "voq" if name in self._config.voq_ports else "egress"
        key = (location, rows.identity)
        if key not in self._configs:
            self._configs[key] = self._port_config(rows, location)
        own = rows.own.get("PORT")
        heads = tuple(row.where for row in rows.parts)
        alias, described = (_own_field(rows, field) for field in ("alias", "description"))
        return Port(
            name=name,
            config=self._configs[key],
            where=heads[own.rows[-1].part - 1] if own else heads[0] if heads else None,
            aliases=(alias,) if alias else (),
            lag=self._lag(name, heads),
            parent=NOT_COLLECTED,
            peer=_peer(rows, described),
            description=described,
            parts=heads,
        )

    def _lag(self, name: str, heads: tuple[Where, ...]) -> Setting[str | None]:
        if name in self._config.members:
            lag, row = self._config.members[name]
            return Known(lag, Origin.INTENDED, row.where)
        return Known(None, Origin.INTENDED, heads[0]) if self._config.complete and heads else NOT_COLLECTED

    def _port_config(self, rows: PortRows, location: str) -> PortConfig:
        config = self._config
        qos = rows.own.get("PORT_QOS_MAP")
        maps = self._reader.maps(qos)
        silent = config.silent("PORT_QOS_MAP") if qos is None else Unset(qos.where)
        pfc = self._pfc(rows, qos, silent)
        facts = PortFacts(_number(config, rows, "PORT", "speed"), _cable(config, rows), pfc.priorities)
        paused = Paused(pfc.priorities, lossless_groups(config, rows, pfc.priorities, maps))
        return PortConfig(
            ethernet=_ethernet(config, rows),
            pfc=pfc,
            pause=LinkPause(silent, silent),
            classification=classification(maps, paused, silent, self._value_maps, self._classifiers()),
            marking=marking(maps),
            queues=queues(config, rows, maps, location),
            priority_groups=priority_groups(config, rows, maps, facts, self._lookup),
            cable_length_m=facts.cable,
        )

    def _classifiers(self) -> Setting[tuple[()]]:
        """Return Unknown where access lists set traffic classes: what they match is not modelled."""
        for entry in self._config.entries.get("ACL_RULE", {}).values():
            if isinstance(entry.get("SET_TC"), Known):
                return Unknown("access lists set traffic classes, and what they match is not modelled")
        return Known((), Origin.INTENDED)

    def _pfc(self, rows: PortRows, qos: Entry | None, silent: Unset | Unknown) -> Pfc:
        written: Setting[str] = qos.get("pfc_enable") if qos else silent
        priorities = converted(written, _priorities)
        mode = converted(written, lambda text: PfcMode.ON if text else PfcMode.OFF)
        asymmetric = _field(self._config, rows, "PORT", "pfc_asym")
        received: Setting[tuple[int, ...]] = Unset(_place(written))
        if value_of(asymmetric) == "on" and value_of(mode) is PfcMode.ON and isinstance(asymmetric, Known):
            received = Known(ALL_PRIORITIES, Origin.INTENDED, asymmetric.where)
        return Pfc(
            mode=mode,
            priorities=priorities,
            tx_priorities=Unset(_place(written)),
            rx_priorities=received,
            watchdog=self._watchdog(rows, qos),
        )

    def _watchdog(self, rows: PortRows, qos: Entry | None) -> Watchdog:
        """Return the watchdog: it runs on ports that PFC_WD names, on the queues that PORT_QOS_MAP selects."""
        entry = rows.own.get("PFC_WD")
        silent = self._no_watchdog(qos)
        running: Setting[bool] = Known(value=True, origin=Origin.INTENDED, where=entry.where) if entry else silent
        selected = converted(qos.get("pfcwd_sw_enable"), _priorities) if qos else silent
        general = self._config.general.get("PFC_WD")
        return Watchdog(
            enabled=running,
            detection_ms=_milliseconds(entry, "detection_time", silent),
            restoration_ms=_milliseconds(entry, "restoration_time", silent),
            polling_ms=_milliseconds(general, "POLL_INTERVAL", silent),
            action=converted(entry.get("action"), WatchdogAction) if entry else silent,
            priorities=selected if not isinstance(running, Unset) else Unset(running.where),
        )

    def _no_watchdog(self, qos: Entry | None) -> Unset | Unknown:
        """Return why a port has no watchdog; a whole configuration with maps of ports would have its table."""
        silent = self._config.silent("PFC_WD")
        if isinstance(silent, Unset):
            return Unset(qos.where) if qos else silent
        metadata = self._config.metadata
        if self._config.complete and "PORT_QOS_MAP" in self._config.tables and metadata:
            return Unset(qos.where if qos else metadata.where)
        return silent


def _ethernet(config: Config, rows: PortRows) -> Ethernet:
    return Ethernet(
        enabled=converted(_field(config, rows, "PORT", "admin_status"), lambda text: text == "up"),
        speed_gbps=converted(_field(config, rows, "PORT", "speed"), lambda text: int(text) / 1000),
        lanes=_number(config, rows, "PORT", "lanes"),
        fec=_field(config, rows, "PORT", "fec"),
        mtu_bytes=_number(config, rows, "PORT", "mtu"),
        ip_mtu_bytes=Unset(),
        max_frame_bytes=Unset(),
    )


def _field(config: Config, rows: PortRows, table: str, name: str) -> Setting[str]:
    entry = rows.own.get(table)
    return entry.get(name) if entry else config.silent(table)


def _number(config: Config, rows: PortRows, table: str, name: str) -> Setting[int]:
    return as_number(_field(config, rows, table, name))


def _cable(config: Config, rows: PortRows) -> Setting[int]:
    return converted(_field(config, rows, "CABLE_LENGTH", "length"), lambda text: int(text.removesuffix("m")))


def _milliseconds(entry: Entry | None, name: str, silent: Unset | Unknown) -> Setting[float]:
    return converted(entry.get(name), float) if entry else silent


def _priorities(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(number) for number in text.split(",") if number}))


def _place(setting: Setting[str]) -> Where | None:
    return None if isinstance(setting, Unknown) else setting.where


def _own_field(rows: PortRows, name: str) -> str | None:
    """Return a field that a port does not share, from the row as it stands in the dump."""
    texts = [row.body.fields[name] for row in rows.parts if row.table == "PORT" and name in row.body.fields]
    return texts[-1] if texts else None


def _peer(rows: PortRows, described: str | None) -> Setting[PeerPort]:
    entry = rows.own.get("DEVICE_NEIGHBOR")
    if entry:
        name, port = entry.get("name"), entry.get("port")
        if isinstance(name, Known) and isinstance(port, Known):
            return Known(PeerPort(name.value, port.value, "device_neighbor"), Origin.INTENDED, name.where)
    found = _DESCRIBED.fullmatch(described or "")
    if found:
        where = next(row.place("description") for row in reversed(rows.parts) if "description" in row.body.fields)
        return Known(PeerPort(found["device"], found["port"], "description"), Origin.INTENDED, where)
    return NOT_COLLECTED
