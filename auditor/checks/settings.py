"""The settings on which lossless RDMA rests, by topic and name, as one flat table of a port or a switch."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from auditor.checks.fec import parse_code
from auditor.model.device import Device
from auditor.model.port import PortConfig
from auditor.model.qos import Threshold
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.util.values import dataclass

Key: TypeAlias = tuple[str, str]
"""A topic, and the name of a setting."""
_HIDDEN = Unknown("what holds the setting is not known")


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """The settings of one object; `hidden` are the groups of settings of which none is known.

    `places` are the lines of groups that are known, by which a setting is absent that another object has.
    """

    values: Mapping[Key, Setting[Any]]
    hidden: frozenset[str]
    places: Mapping[str, Where | None]

    def find(self, key: Key) -> Setting[Any]:
        """Return a setting; Unset at the place of its group where the group lacks it."""
        if key in self.values:
            return self.values[key]
        group = _find_group(key[1])
        return _HIDDEN if group in self.hidden else Unset(self.places.get(group))


@dataclass(frozen=True, slots=True)
class _Group:
    """Members of a port that each have the same settings: a queue, a priority group, a class."""

    name: str
    path: str
    number: str
    fields: tuple[tuple[str, str, str], ...]
    """Topic, name, and field."""


PFC, WATCHDOG, SORTING, MARKING, ECN = "PFC", "the PFC watchdog", "classification", "marking", "ECN"
SCHEDULING, BUFFERS, LINK, PATHS = "scheduling", "buffers", "the link", "equal-cost paths"
PAUSED = "PFC for priorities"
_PLAIN: tuple[tuple[str, str, str], ...] = (
    (PFC, "the PFC mode", "pfc.mode"),
    (PFC, PAUSED, "pfc.priorities"),
    (PFC, "link pause received", "pause.rx"),
    (PFC, "link pause sent", "pause.tx"),
    (WATCHDOG, "the PFC watchdog", "pfc.watchdog.enabled"),
    (WATCHDOG, "the detection time (ms) of the PFC watchdog", "pfc.watchdog.detection_ms"),
    (WATCHDOG, "the restoration time (ms) of the PFC watchdog", "pfc.watchdog.restoration_ms"),
    (WATCHDOG, "the polling interval (ms) of the PFC watchdog", "pfc.watchdog.polling_ms"),
    (WATCHDOG, "the action of the PFC watchdog", "pfc.watchdog.action"),
    (SORTING, "trust", "classification.trust"),
    (SORTING, "the default class", "classification.default_class"),
    (MARKING, "rewriting", "marking.rewrite"),
    (LINK, "the port", "ethernet.enabled"),
    (LINK, "the speed (Gb/s)", "ethernet.speed_gbps"),
    (LINK, "the MTU (bytes)", "ethernet.mtu_bytes"),
    (LINK, "the rate limit of the port (Gb/s)", "limits.shape_gbps"),
    (BUFFERS, "the cable length (m)", "cable_length_m"),
    (PATHS, "spreading", "spreading"),
)
_MAPS: tuple[tuple[str, str, str], ...] = (
    (SORTING, "the class of DSCP", "classification.dscp_to_class"),
    (SORTING, "the class of PCP", "classification.pcp_to_class"),
    (MARKING, "the DSCP of class", "marking.class_to_dscp"),
    (MARKING, "the PCP of class", "marking.class_to_pcp"),
)
_GROUPS = (
    _Group(
        "class",
        "classification.classes",
        "id",
        (
            (PFC, "no-drop", "lossless"),
            (PFC, "the priority of pauses", "pfc_priority"),
            (SORTING, "the queue", "queue"),
            (SORTING, "the priority group", "pg"),
        ),
    ),
    _Group(
        "queue",
        "queues",
        "queue",
        (
            (ECN, "ECN", "ecn"),
            (ECN, "the ECN minimum", "ecn_min"),
            (ECN, "the ECN maximum", "ecn_max"),
            (ECN, "the ECN probability", "ecn_max_probability"),
            (SCHEDULING, "the scheduler", "scheduler"),
            (SCHEDULING, "the share (%)", "bandwidth_percent"),
            (SCHEDULING, "the weight", "weight"),
            (SCHEDULING, "the strict level", "level"),
            (SCHEDULING, "the rate limit (Gb/s)", "shape_gbps"),
            (BUFFERS, "the pool", "pool"),
            (BUFFERS, "the reserve (bytes)", "reserved_bytes"),
            (BUFFERS, "alpha", "alpha"),
            (BUFFERS, "the static threshold (bytes)", "static_threshold_bytes"),
            (BUFFERS, "the buffer (%)", "buffer_percent"),
        ),
    ),
    _Group(
        "priority group",
        "priority_groups",
        "pg",
        (
            (PFC, "no-drop", "lossless"),
            (BUFFERS, "the headroom (bytes)", "xoff_bytes"),
            (BUFFERS, "the size (bytes)", "size_bytes"),
            (BUFFERS, "the reserve (bytes)", "reserved_bytes"),
            (BUFFERS, "xon (bytes)", "xon_bytes"),
            (BUFFERS, "the xon offset (bytes)", "xon_offset_bytes"),
            (BUFFERS, "alpha", "alpha"),
            (BUFFERS, "the static threshold (bytes)", "static_threshold_bytes"),
            (BUFFERS, "the pool", "pool"),
        ),
    ),
)
_OF = " of "


def read_port(config: PortConfig) -> ReadSettings:
    """Return the settings of a port."""
    values: dict[Key, Setting[Any]] = {(topic, name): attrgetter(path)(config) for topic, name, path in _PLAIN}
    values[LINK, "FEC"] = _read_fec(config.ethernet.fec)
    hidden: set[str] = set()
    places: dict[str, Where | None] = {}
    for topic, name, path in _MAPS:
        table = attrgetter(path)(config)
        _note_group(name, table, hidden, places)
        values |= {(topic, f"{name} {key}"): value for key, value in _list_entries(table)}
    for group in _GROUPS:
        members = attrgetter(group.path)(config)
        _note_group(group.name, members, hidden, places)
        values |= dict(_list_members(group, members))
    return ReadSettings(values, frozenset(hidden), places)


def _read_fec(fec: Setting[str]) -> Setting[Any]:
    """Return the code under one name, as systems spell it in a configuration and in an output otherwise."""
    code = parse_code(fec.value) if isinstance(fec, Known) else None
    return Known(code, fec.origin, fec.where, fec.reference) if isinstance(fec, Known) and code else fec


def _note_group(name: str, found: Setting[Any], hidden: set[str], places: dict[str, Where | None]) -> None:
    if isinstance(found, Unknown):
        hidden.add(name)
    else:
        places[name] = found.where


def _list_entries(table: Setting[Any]) -> Iterator[tuple[Any, Setting[Any]]]:
    yield from table.value.items() if isinstance(table, Known) else ()


def _list_members(group: _Group, members: Setting[Any]) -> Iterator[tuple[Key, Setting[Any]]]:
    for member in members.value if isinstance(members, Known) else ():
        number = getattr(member, group.number)
        for topic, name, path in group.fields:
            yield (topic, f"{name}{_OF}{group.name} {number}"), getattr(member, path)


def _find_group(name: str) -> str:
    """Return the group that holds the setting *name*, empty for a setting of no group.

    >>> _find_group("the DSCP of class 3"), _find_group("the queue of class 3"), _find_group("the PFC mode")
    ('the DSCP of class', 'class', '')
    """
    tables = (each for _, each, _ in _MAPS if name.startswith(f"{each} "))
    return next(tables, next((group.name for group in _GROUPS if f"{_OF}{group.name} " in name), ""))


def read_device(device: Device) -> ReadSettings:
    """Return the settings of a whole switch."""
    ecmp, pools = device.ecmp, device.pools
    values: dict[Key, Setting[Any]] = {
        (PATHS, "the fields of the hash"): ecmp.fields,
        (PATHS, "the seed of the hash"): ecmp.seed,
        (PATHS, "the most paths of a route"): ecmp.max_paths,
    }
    for pool in pools.value if isinstance(pools, Known) else ():
        for name, path in _POOL.items():
            values[BUFFERS, f"{name}{_OF}pool {pool.name}"] = getattr(pool, path)
    hidden: set[str] = set()
    places: dict[str, Where | None] = {}
    _note_group("", pools, hidden, places)
    return ReadSettings(values, frozenset(hidden), places)


_POOL: Mapping[str, str] = {
    "the size (bytes)": "size_bytes",
    "the share of the buffer (%)": "memory_percent",
    "the shared headroom (bytes)": "shared_headroom_bytes",
}


def format_value(setting: Setting[Any]) -> str:
    """Return a setting as text.

    >>> from auditor.model.setting import Origin
    >>> format_value(Unset()), format_value(Known((4, 3), Origin.INTENDED)), format_value(Known(True, Origin.INTENDED))
    ('not set', '3,4', 'on')
    """
    if not isinstance(setting, Known):
        return "not set"
    convert = next((each for kind, each in _FORMATS if isinstance(setting.value, kind)), str)
    return convert(setting.value)


def _format_threshold(value: Threshold) -> str:
    size = value.bytes
    return f"{value.value:g} {value.unit.value}" if size is None else f"{size:,.0f} bytes"


def _format_members(value: Any) -> str:  # noqa: ANN401  a tuple or a set
    return ",".join(sorted(map(str, value))) or "none"


_FORMATS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    (bool, lambda value: "on" if value else "off"),
    (Threshold, _format_threshold),
    ((tuple, frozenset), _format_members),
    (float, "{:g}".format),
)
