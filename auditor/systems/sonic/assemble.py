"""Rows to ports: ports with equal rows share one configuration object."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from auditor.model.port import (
    Ethernet,
    Forwarding,
    LinkPause,
    PeerPort,
    Pfc,
    PfcMode,
    Port,
    PortConfig,
    RateLimits,
    Watchdog,
    WatchdogAction,
)
from auditor.model.qos import ValueMap
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.sonic.buffers import PortFacts, list_lossless_groups, list_priority_groups
from auditor.systems.sonic.config import Config, PortRows, convert_number, convert_setting
from auditor.systems.sonic.lookup import Lookup
from auditor.systems.sonic.maps import (
    MapReader,
    Maps,
    PausePlan,
    list_honoured_priorities,
    resolve_classification,
    resolve_marking,
)
from auditor.systems.sonic.queues import find_rate, list_queues
from auditor.systems.sonic.rows import RowEntry
from auditor.util.natsort import natural
from auditor.util.regex import regex

T = TypeVar("T")
ALL_PRIORITIES = tuple(range(8))
NO_VALUE = "N/A"
RUNNING_FIELD = "running"
POLICY_FIELD = "policy"
FORWARDING_FIELD = "forwarding"
TAGGED_FIELD = "tagged"
"""What command lines say and the database keeps in no field: whether a port's watchdog is `on` or `off`, the policy
that classifies before the maps, whether a port is `routed` or `switched`, and `true` where it carries VLAN tags."""
_DESCRIBED = regex(r"(?P<device>[\w.-]{2,64}):(?P<port>(?:Ethernet|Eth|et-|xe-|swp|eth|etp)[\w/.-]{1,40})")


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
        """Return all physical and breakout ports in the order of the dump; a table PORT names all of them."""
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
            parent=self._parent(name, heads),
            peer=_peer(rows, described),
            description=described,
            parts=heads,
        )

    def _lag(self, name: str, heads: tuple[Where, ...]) -> Setting[str | None]:
        if name in self._config.members:
            lag, row = self._config.members[name]
            why = row.body.blanks.get("name")
            return Unknown(why) if why else Known(lag or None, Origin.INTENDED, row.where)
        is_told = self._config.complete or "PORTCHANNEL_MEMBER" in self._config.tables
        return Known(None, Origin.INTENDED, heads[0]) if is_told and heads else NOT_COLLECTED

    def _parent(self, name: str, heads: tuple[Where, ...]) -> Setting[str | None]:
        entry = self._config.entries.get("BREAKOUT_PORTS", {}).get(name)
        if entry:
            master = entry.get("master")
            return convert_setting(master, lambda port: None if port == name else port)
        is_told = self._config.complete and "BREAKOUT_PORTS" in self._config.tables
        return Known(None, Origin.INTENDED, heads[0]) if is_told and heads else NOT_COLLECTED

    def _port_config(self, rows: PortRows, location: str) -> PortConfig:
        config = self._config
        qos = rows.own.get("PORT_QOS_MAP")
        maps = self._reader.maps(qos)
        silent = config.silent("PORT_QOS_MAP") if qos is None else Unset(qos.where)
        pfc = self._pfc(rows, qos, silent)
        pfc = replace(pfc, rx_priorities=list_honoured_priorities(pfc, maps))
        facts = PortFacts(_number(config, rows, "PORT", "speed"), _cable(config, rows), pfc.priorities)
        paused = PausePlan(pfc.priorities, list_lossless_groups(config, rows, maps, facts, self._lookup))
        return PortConfig(
            ethernet=_ethernet(config, rows),
            pfc=pfc,
            pause=LinkPause(silent, silent),
            classification=replace(
                resolve_classification(maps, paused, silent, self._value_maps, self._classifiers(qos)),
                dscp_before_pcp=config.dialect.dscp_first,
            ),
            marking=resolve_marking(maps),
            queues=list_queues(config, rows, maps, location),
            priority_groups=list_priority_groups(config, rows, maps, facts, self._lookup),
            cable_length_m=facts.cable,
            limits=RateLimits(find_rate(config, qos.get("scheduler")) if qos else silent),
        )

    def _classifiers(self, qos: RowEntry | None) -> Setting[tuple[()]]:
        """Return Unknown where access lists or policies set traffic classes: their matches are not modelled."""
        policy: Setting[str] = qos.get(POLICY_FIELD) if qos else Unset()
        if isinstance(policy, Known):
            return Unknown(f"policy {policy.value} may set traffic classes, and what it matches is not modelled")
        for entry in self._config.entries.get("ACL_RULE", {}).values():
            if isinstance(entry.get("SET_TC"), Known):
                return Unknown("access lists set traffic classes, and what they match is not modelled")
        return Known((), Origin.INTENDED)

    def _pfc(self, rows: PortRows, qos: RowEntry | None, silent: Unset | Unknown) -> Pfc:
        written: Setting[str] = qos.get("pfc_enable") if qos else silent
        priorities = convert_setting(written, _priorities)
        mode = convert_setting(written, lambda text: PfcMode.ON if text else PfcMode.OFF)
        asymmetric = _field(self._config, rows, "PORT", "pfc_asym")
        received: Setting[tuple[int, ...]] = Unset(_place(written))
        if value_of(asymmetric) == "on" and value_of(mode) is PfcMode.ON and isinstance(asymmetric, Known):
            received = convert_setting(asymmetric, lambda _: ALL_PRIORITIES)
        return Pfc(
            mode=mode,
            priorities=priorities,
            tx_priorities=Unset(_place(written)),
            rx_priorities=received,
            watchdog=self._watchdog(rows, qos),
        )

    def _watchdog(self, rows: PortRows, qos: RowEntry | None) -> Watchdog:
        """Return the watchdog: a detection time in PFC_WD starts it on the queues that PORT_QOS_MAP selects.

        SONiC refuses an entry without a detection time (sonic-net/sonic-swss, orchagent/pfcwdorch.cpp, createEntry).
        """
        entry = rows.own.get("PFC_WD")
        silent = self._no_watchdog(qos)
        running: Setting[bool] = silent
        if entry:
            started = convert_setting(entry.get("detection_time"), lambda _: True)
            switch = convert_setting(entry.get(RUNNING_FIELD), lambda text: text == "on")
            running = switch if isinstance(switch, Known) else started
            running = self._polls if isinstance(self._polls, Known) and value_of(running) else running
        selected = convert_setting(qos.get("pfcwd_sw_enable"), _priorities) if qos else silent
        general = self._config.general.get("PFC_WD")
        return Watchdog(
            enabled=running,
            detection_ms=_milliseconds(entry, "detection_time", silent),
            restoration_ms=_milliseconds(entry, "restoration_time", silent),
            polling_ms=_milliseconds(general, "POLL_INTERVAL", silent),
            action=convert_setting(entry.get("action"), WatchdogAction) if entry else silent,
            priorities=selected if not isinstance(running, Unset) else Unset(running.where),
            is_forced=convert_setting(general.get("BIG_RED_SWITCH"), lambda text: text == "enable")
            if general
            else silent,
        )

    @cached_property
    def _polls(self) -> Setting[bool]:
        """Whether the counters are polled by which the watchdog detects (`pfcwd counter_poll`), where that is off."""
        row = self._config.entries.get("FLEX_COUNTER_TABLE", {}).get("PFCWD")
        told = row.get("FLEX_COUNTER_STATUS") if row else NOT_COLLECTED
        return convert_setting(told, lambda _: False) if value_of(told) == "disable" else NOT_COLLECTED

    def _no_watchdog(self, qos: RowEntry | None) -> Unset | Unknown:
        """Return the reason for a missing watchdog; a whole configuration with port maps would have its table."""
        silent = self._config.silent("PFC_WD")
        if isinstance(silent, Unset):
            return Unset(qos.where) if qos else silent
        metadata = self._config.metadata
        if self._config.complete and "PORT_QOS_MAP" in self._config.tables and metadata:
            return Unset(qos.where if qos else metadata.where)
        return silent


def _ethernet(config: Config, rows: PortRows) -> Ethernet:
    return Ethernet(
        enabled=convert_setting(_field(config, rows, "PORT", "admin_status"), lambda text: text == "up"),
        speed_gbps=convert_setting(_field(config, rows, "PORT", "speed"), lambda text: int(text) / 1000),
        lanes=_number(config, rows, "PORT", "lanes"),
        fec=_fec(config, rows),
        mtu_bytes=_number(config, rows, "PORT", "mtu"),
        ip_mtu_bytes=Unset(),
        max_frame_bytes=Unset(),
        forwarding=_command_field(rows, FORWARDING_FIELD, Forwarding),
        tagged=_command_field(rows, TAGGED_FIELD, lambda text: text == "true"),
        negotiates=_negotiates(config, rows),
    )


def _negotiates(config: Config, rows: PortRows) -> Setting[bool]:
    written = _field(config, rows, "PORT", "autoneg")
    if isinstance(written, Known) and written.value == NO_VALUE:
        return Unset(written.where)
    return convert_setting(written, lambda text: text == "on")


def _fec(config: Config, rows: PortRows) -> Setting[str]:
    """Return the FEC that a row of PORT names; `N/A`, which outputs print where no line chooses one, names none."""
    written = _field(config, rows, "PORT", "fec")
    return Unset(written.where) if isinstance(written, Known) and written.value == NO_VALUE else written


def _command_field(rows: PortRows, name: str, convert: Callable[[str], T]) -> Setting[T]:
    """Return a field that only command lines set; the database keeps it in tables that this reader skips."""
    entry = rows.own.get("PORT")
    found = entry.get(name) if entry else NOT_COLLECTED
    return convert_setting(found, convert) if isinstance(found, Known) else NOT_COLLECTED


def _field(config: Config, rows: PortRows, table: str, name: str) -> Setting[str]:
    entry = rows.own.get(table)
    return entry.get(name) if entry else config.silent(table)


def _number(config: Config, rows: PortRows, table: str, name: str) -> Setting[int]:
    return convert_number(_field(config, rows, table, name))


def _cable(config: Config, rows: PortRows) -> Setting[int]:
    return convert_setting(_field(config, rows, "CABLE_LENGTH", "length"), lambda text: int(text.removesuffix("m")))


def _milliseconds(entry: RowEntry | None, name: str, silent: Unset | Unknown) -> Setting[float]:
    return convert_setting(entry.get(name), float) if entry else silent


def _priorities(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(number) for number in text.split(",") if number}))


def _place(setting: Setting[str]) -> Where | None:
    return None if isinstance(setting, Unknown) else setting.where


def _own_field(rows: PortRows, name: str) -> str | None:
    """Return a field of one port alone, from its row in the dump."""
    texts = [row.body.fields.get(name) for row in rows.parts if row.table == "PORT" and name in row.body.offsets]
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
