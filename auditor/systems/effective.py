"""Defaults of an operating system, applied to silent configurations as a visible layer.

`defaults.yaml` of a system holds the values with the vendor's page. A default becomes `Known(origin=default)` with the
line of the silent block and that page, so a report can distinguish defaults from written values. The same file
names the commands whose output shows a missing setting.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter
from typing import Any, Generic, TypeVar

from auditor.model.device import Device, VlanInterface
from auditor.model.port import Ethernet, Forwarding, Pfc, PfcMode, PortConfig, WatchdogAction
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, value_of
from auditor.model.spreading import HashField, Spreading
from auditor.systems import systems
from auditor.util.memo import Memo
from auditor.util.quick import replace_fields
from auditor.util.values import dataclass
from auditor.util.yamlfile import data_of

_CONVERT: Mapping[str, Callable[[Any], object]] = {
    "pfc.mode": PfcMode,
    "pfc.watchdog.action": WatchdogAction,
    "ethernet.forwarding": Forwarding,
    "classification.trust": Trust,
    "queues[].scheduler": Scheduler,
    "spreading": Spreading,
    "ecmp.fields": lambda names: frozenset(map(HashField, names)),
}
"""Paths whose values are enumerations; lists become tuples, all else stays what YAML says."""
MOST_CONFIGS = 256
"""Configurations whose completion is kept: those of some kinds of devices."""
_completed: Memo[tuple[int, str, str], tuple[PortConfig, PortConfig]] = Memo(MOST_CONFIGS, MOST_CONFIGS)


@dataclass(frozen=True, slots=True)
class Default:
    """One documented default: the dotted path of a setting of the port configuration, its value, and its reference.

    `when` are paths and the values that they must have for the default to hold.
    """

    path: str
    value: object
    reference: str
    when: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Defaults:
    """The defaults of one operating system.

    `ip_bytes_more` is how much longer than its MTU the largest IP packet is (negative: shorter), `frame_bytes_more` the
    same for the frame, None where it is not documented. `tag_bytes_more` come to the frame of a port whose packets are
    tagged, where `frame_bytes_more` holds no tag. `collect` names by dotted path the command that would show a
    setting. `vlan_mtu` is the MTU of an interface above a VLAN that is silent. `of_device` are defaults of the switch
    itself.
    """

    values: tuple[Default, ...] = ()
    ip_bytes_more: int | None = None
    frame_bytes_more: int | None = None
    tag_bytes_more: int = 0
    mtu_reference: str = ""
    collect: tuple[tuple[str, str], ...] = ()
    vlan_mtu: Known[int] | None = None
    of_device: tuple[Default, ...] = ()


@lru_cache
def load_defaults(os: str) -> Defaults:
    """Return the documented defaults of operating system *os*; empty without a file."""
    system = systems().get(os)
    path = files("auditor.systems") / system.folder / "defaults.yaml" if system else None
    if path is None or not path.is_file():
        return Defaults()
    data = data_of(path.read_text(encoding="utf-8"))
    values = tuple(map(_read_default, data["defaults"]))
    mtu, vlan = data["mtu"], data.get("vlan_interface")
    return Defaults(
        values,
        mtu["ip_bytes_more"],
        mtu["frame_bytes_more"],
        mtu.get("tag_bytes_more", 0),
        mtu["reference"],
        tuple(data["collect"].items()),
        Known(vlan["mtu_bytes"], Origin.DEFAULT, reference=vlan["reference"]) if vlan else None,
        tuple(map(_read_default, data.get("device_defaults", ()))),
    )


def _read_default(entry: Mapping[str, Any]) -> Default:
    return Default(
        entry["path"],
        _convert_value(entry["path"], entry["value"]),
        entry["reference"],
        tuple((path, _convert_value(path, value)) for path, value in entry.get("when", {}).items()),
    )


def _convert_value(path: str, value: object) -> object:
    convert = _CONVERT.get(path)
    if convert:
        return convert(value)
    return tuple(value) if isinstance(value, list) else value


def fill_defaults(device: Device) -> Device:
    """Return *device* with its defaults filled in and its derived values.

    Ports that share a configuration share the result, also those of several devices.
    """
    defaults = load_defaults(device.os)
    device = _fill_config(device, defaults.of_device)
    configs = {id(port.config): port.config for port in device.ports}
    done = {number: _complete(config, device) for number, config in configs.items()}
    return replace(
        device,
        ports=tuple(replace_fields(port, {"config": done[id(port.config)]}) for port in device.ports),
        vlan_interfaces=tuple(_fill_vlan(each, defaults) for each in device.vlan_interfaces),
    )


def _complete(config: PortConfig, device: Device) -> PortConfig:
    """Return *config* with the defaults of its system and its derived values, made once for devices that share it."""
    key = id(config), device.os, device.kind
    known = _completed.find(key)
    if known is not None:
        return known[1]
    defaults = load_defaults(device.os)
    derived = _derive_config(_fill_config(config, defaults.values), defaults)
    derived = _derive_rates(derived) if device.kind == "switch" else derived
    return _completed.keep(key, (config, _hint_config(derived, defaults.collect)), 1)[1]


def _fill_vlan(found: VlanInterface, defaults: Defaults) -> VlanInterface:
    mtu = found.mtu_bytes
    if isinstance(mtu, Unset) and defaults.vlan_mtu:
        mtu = replace(defaults.vlan_mtu, where=mtu.where)
    ip_mtu = _convert_mtu(found.ip_mtu_bytes, mtu, defaults.ip_bytes_more, defaults.mtu_reference)
    return replace(found, mtu_bytes=mtu, ip_mtu_bytes=ip_mtu)


H = TypeVar("H")


def _fill_config(holder: H, values: Sequence[Default]) -> H:
    """Return *holder* with its settings filled that are Unset; those of its lists come last, each list once."""
    draft = _Draft(holder)
    lists: dict[str, list[Default]] = {}
    for default in values:
        if not all(value_of(draft.find(path)) == value for path, value in default.when):
            continue
        path, is_list, rest = default.path.partition("[].")
        if is_list:
            lists.setdefault(path, []).append(replace(default, path=rest, when=()))
        else:
            draft.fill(default)
    for path, of_items in lists.items():
        found = draft.find(path)
        if isinstance(found, Known):
            draft.put(path, replace(found, value=tuple(_fill_config(item, of_items) for item in found.value)))
    return draft.build()


class _Draft(Generic[H]):
    """A value of the model and what changes in it, put together once for all changes."""

    def __init__(self, holder: H) -> None:
        self._holder = holder
        self._changes: dict[str, dict[str, Any]] = {}

    def find(self, path: str) -> Any:  # noqa: ANN401  any setting
        """Return the setting at *path*, as changed."""
        inside, _, name = path.rpartition(".")
        changes = self._changes.get(inside, {})
        return changes[name] if name in changes else attrgetter(path)(self._holder)

    def put(self, path: str, setting: object) -> None:
        """Change the setting at *path*."""
        inside, _, name = path.rpartition(".")
        self._changes.setdefault(inside, {})[name] = setting

    def fill(self, default: Default) -> None:
        """Fill the setting of *default* if it is Unset."""
        setting = self.find(default.path)
        if isinstance(setting, Unset):
            self.put(default.path, Known(default.value, Origin.DEFAULT, setting.where, default.reference))

    def build(self) -> H:
        """Return the value with its changes."""
        depth = max((path.count(".") + bool(path) for path in self._changes), default=0)
        for level in range(depth, 0, -1):
            for path in [path for path in self._changes if path.count(".") + bool(path) == level]:
                self.put(path, replace(attrgetter(path)(self._holder), **self._changes[path]))
        return replace(self._holder, **self._changes[""]) if "" in self._changes else self._holder  # type: ignore[type-var]


def _hint_config(config: PortConfig, collect: Sequence[tuple[str, str]]) -> PortConfig:
    """Return *config*; each setting that was not collected names the command that shows the setting."""
    for path, command in collect:
        config = _hint_setting(config, path.split("."), Unknown(f"not collected: the output of `{command}`"))
    return config


def _hint_setting(holder: Any, steps: Sequence[str], unknown: Unknown) -> Any:  # noqa: ANN401  any dataclass of the model
    inner = getattr(holder, steps[0])
    if inner is None:
        return holder
    if len(steps) > 1:
        hinted = _hint_setting(inner, steps[1:], unknown)
        return holder if hinted is inner else replace(holder, **{steps[0]: hinted})
    return replace(holder, **{steps[0]: unknown}) if inner == NOT_COLLECTED else holder


def _derive_config(config: PortConfig, defaults: Defaults) -> PortConfig:
    return replace(config, pfc=_derive_pfc(config.pfc), ethernet=_derive_mtu(config.ethernet, defaults))


def _derive_rates(config: PortConfig) -> PortConfig:
    """Return *config* with the rate limits of queues in Gb/s that are written in percent of the port's speed."""
    queues, speed = config.queues, value_of(config.ethernet.speed_gbps)
    if speed is None or not isinstance(queues, Known):
        return config
    return replace(config, queues=replace(queues, value=tuple(_derive_rate(each, speed) for each in queues.value)))


def _derive_rate(queue: Queue, speed_gbps: float) -> Queue:
    share = queue.shape_percent
    if not isinstance(share, Known) or isinstance(queue.shape_gbps, Known):
        return queue
    return replace(queue, shape_gbps=replace(share, value=speed_gbps * share.value / 100))


def _derive_pfc(pfc: Pfc) -> Pfc:
    """Return *pfc* with sent and honoured pauses by the mode, if the dump does not give the directions."""
    mode = pfc.mode
    priorities: Setting[tuple[int, ...]] = pfc.priorities
    if isinstance(mode, Known) and mode.value is PfcMode.OFF:
        priorities = Known((), mode.origin, mode.where, mode.reference)
    running = _find_running(pfc, priorities)
    enabled = pfc.watchdog.enabled
    watched: Setting[tuple[int, ...]] = pfc.watchdog.priorities
    if isinstance(watched, Unset) and isinstance(enabled, Known):
        watched = priorities if enabled.value else Known((), enabled.origin, enabled.where, enabled.reference)
    return replace(
        pfc,
        priorities=priorities,
        tx_priorities=running if isinstance(pfc.tx_priorities, Unset) else pfc.tx_priorities,
        rx_priorities=running if isinstance(pfc.rx_priorities, Unset) else pfc.rx_priorities,
        watchdog=replace(pfc.watchdog, priorities=watched),
    )


def _find_running(pfc: Pfc, priorities: Setting[tuple[int, ...]]) -> Setting[tuple[int, ...]]:
    """Return the priorities that PFC pauses; mode `auto` needs an operational capture."""
    mode, oper = pfc.mode, pfc.oper
    if not isinstance(mode, Known):
        return mode
    if mode.value is not PfcMode.AUTO or (isinstance(priorities, Known) and not priorities.value):
        return priorities
    if isinstance(oper, Known):
        return priorities if oper.value else Known((), oper.origin, oper.where)
    return Unknown("PFC mode is auto: DCBX with the neighbour decides whether PFC runs")


def _derive_mtu(ethernet: Ethernet, defaults: Defaults) -> Ethernet:
    mtu, reference, frame_more = ethernet.mtu_bytes, defaults.mtu_reference, defaults.frame_bytes_more
    if frame_more is not None and value_of(ethernet.tagged):
        frame_more += defaults.tag_bytes_more
    return replace(
        ethernet,
        ip_mtu_bytes=_convert_mtu(ethernet.ip_mtu_bytes, mtu, defaults.ip_bytes_more, reference),
        max_frame_bytes=_convert_mtu(ethernet.max_frame_bytes, mtu, frame_more, reference),
    )


def _convert_mtu(own: Setting[int], mtu: Setting[int], bytes_more: int | None, reference: str) -> Setting[int]:
    """Return the MTU in other terms; the dump's own value (*own*) wins."""
    if not isinstance(own, Unset) or bytes_more is None:
        return own
    if not isinstance(mtu, Known):
        return mtu
    size = mtu.value + bytes_more
    if bytes_more < 0 and size <= 0:
        return Unknown(f"{mtu.value} bytes hold no packet")
    return Known(size, mtu.origin, mtu.where, mtu.reference or reference)
