"""Ports from statements: members inherit from bundles, and equal ports share one configuration object."""

from dataclasses import replace
from typing import Any, TypeVar

from auditor.grammar.acl import find_access
from auditor.grammar.layers import NOTHING, fall_back, find_in_force, is_silent, place_setting
from auditor.grammar.running import ONLY_PART, InterfaceStanzas
from auditor.model.port import (
    ALONE,
    Ethernet,
    LinkPause,
    Pfc,
    Port,
    PortConfig,
    RateLimits,
    Watchdog,
)
from auditor.model.setting import HEAD, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.iosxr.buffers import PauseProfile
from auditor.systems.iosxr.configuration import Config
from auditor.systems.iosxr.names import PORT, find_location, find_parent, find_rate
from auditor.systems.iosxr.policies import QOS, PolicyMap, serves_queues
from auditor.systems.iosxr.resolve import (
    Pausing,
    add_paused,
    build_classification,
    build_marking,
    build_policers,
    build_priority_groups,
    build_queues,
    find_child,
    find_pausing,
)
from auditor.systems.iosxr.statements import Interface
from auditor.systems.iosxr.watchdogs import DEFAULT_INTERVAL_MS, DEFAULT_RESTART, DEFAULT_SHUTDOWN, DEFAULTS_OUTPUT
from auditor.util.values import dataclass

T = TypeVar("T")
_UNCONFIGURED = Unknown("no line configures the port, and IOS XR shuts such a port by itself")


@dataclass(frozen=True, slots=True)
class _Effects:
    """The effect of the policies and the PFC profile of a port, computed once for all ports with the same ones."""

    config: PortConfig
    pausing: Pausing


class Assembler:
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._top = Where(config.file, 1)
        self._silent = Unset(HEAD)
        self._unsaid = self._silent if config.complete else ONLY_PART
        self._bare = Interface(self._top, enabled=_UNCONFIGURED)
        self._tagged = frozenset(map(_find_main, filter(self._is_tagged, config.interfaces)))
        self._effects: dict[tuple[object, ...], _Effects] = {}
        self._configs: dict[tuple[object, ...], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        broken = [optics.lanes for optics in self._config.optics.values() if isinstance(optics.lanes, Known)]
        made = {name: lanes.where for lanes in broken for name in lanes.value}
        names = dict.fromkeys(name for name in (*self._config.interfaces, *made) if PORT.match(name))
        return tuple(self._port(name, made.get(name)) for name in names)

    def _port(self, name: str, made_at: Where | None) -> Port:
        written = self._config.interfaces.get(name) or InterfaceStanzas(made_at or self._top, self._bare)
        lag = self._config.interfaces.get(written.lag.value or "") if written.lag else None
        profile, rate = self._find_profile(name), find_rate(name)
        is_tagged = not self._tagged.isdisjoint({name, written.lag.value if written.lag else None})
        key = (id(written.body), id(lag.body) if lag else 0, id(profile), rate, is_tagged)
        if key not in self._configs:
            self._configs[key] = self._port_config(_inherit(written.body, lag), profile, rate, is_tagged=is_tagged)
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            lag=written.lag or ALONE,
            parent=Known(find_parent(name), Origin.INTENDED, made_at or written.where),
            description=written.description.value if written.description else None,
        )

    def _find_profile(self, name: str) -> PauseProfile | None:
        """Return the profile of PFC of the card that a port is on: that of a fixed chassis stands at its processor."""
        rack, _, slot = find_location(name).partition("/")
        profiles = self._config.profiles
        wanted = (f"{rack}/{slot}/CPU0", f"{rack}/RP0/CPU0", "all")
        return next((profiles[each] for each in wanted if each in profiles), None)

    def _is_tagged(self, name: str) -> bool:
        """Return whether an interface is a subinterface that takes packets with a tag."""
        return "." in name and value_of(self._config.interfaces[name].body.tagged) is not False

    def _port_config(
        self, body: Interface, profile: PauseProfile | None, rate: float, *, is_tagged: bool
    ) -> PortConfig:
        found, nothing = self._resolve(body, profile), self._silent
        tagged = Known(value=True, origin=Origin.INTENDED, where=nothing.where) if is_tagged else body.tagged
        return replace(
            found.config,
            ethernet=Ethernet(
                enabled=fall_back(body.enabled, nothing),
                speed_gbps=Known(rate, Origin.LEARNED, nothing.where),
                mtu_bytes=fall_back(body.mtu, nothing),
                ip_mtu_bytes=fall_back(body.ip_mtu, nothing),
                max_frame_bytes=nothing,
                forwarding=fall_back(body.forwarding, nothing),
                tagged=fall_back(tagged, nothing),
                loopback=fall_back(body.loopback, nothing),
                fec=fall_back(body.fec, nothing),
                negotiates=fall_back(body.negotiates, nothing),
            ),
            pfc=Pfc(
                mode=fall_back(body.pfc_mode, self._unsaid),
                priorities=found.pausing.priorities,
                tx_priorities=nothing,
                rx_priorities=nothing,
                watchdog=self._watchdog(body),
            ),
            pause=LinkPause(fall_back(body.pause_rx, nothing), fall_back(body.pause_tx, nothing)),
            access=find_access(body.access, self._config.acls, nothing),
        )

    def _resolve(self, body: Interface, profile: PauseProfile | None) -> _Effects:
        """Follow the policies in effect and the profile of PFC."""
        outputs = tuple(each for each in body.outputs.values() if isinstance(each, Known))
        key = (body.input, outputs, id(profile))
        if key not in self._effects:
            self._effects[key] = self._make_effects(body.input, outputs, profile)
        return self._effects[key]

    def _make_effects(
        self, into: Setting[str], outputs: tuple[Known[str], ...], profile: PauseProfile | None
    ) -> _Effects:
        config, nothing = self._config, self._silent
        policies = {each: config.policy_maps.get((QOS, each.value)) for each in outputs}
        arriving = config.policy_maps.get((QOS, into.value)) if isinstance(into, Known) else None
        served = [find_child(config, policy)[0] for policy in policies.values() if policy]
        pausing = find_pausing(profile, self._unsaid)
        pausing = add_paused(config, pausing, filter(None, (arriving, *policies.values(), *served)))
        queuing: Setting[str] = _find_queuing(policies) or fall_back(NOTHING, self._unsaid)
        into = fall_back(into, self._unsaid)
        queues, rate = build_queues(config, queuing, pausing, nothing)
        return _Effects(
            PortConfig(
                classification=build_classification(config, pausing, into, nothing),
                marking=build_marking(config, into, filter(None, policies.values())),
                queues=fall_back(queues, nothing),
                priority_groups=build_priority_groups(pausing),
                limits=RateLimits(rate, build_policers(config, into)),
            ),
            pausing,
        )

    def _watchdog(self, body: Interface) -> Watchdog:
        whole = self._config.watchdog
        interval = fall_back(body.interval_ms, whole.interval_ms)
        shutdown = fall_back(body.shutdown_multiplier, whole.shutdown_multiplier)
        restart = fall_back(body.restart_multiplier, whole.restart_multiplier)
        return Watchdog(
            enabled=fall_back(fall_back(body.watchdog, whole.watchdog), self._unsaid),
            detection_ms=self._multiply(interval, shutdown, DEFAULT_SHUTDOWN),
            restoration_ms=self._multiply(interval, restart, DEFAULT_RESTART),
            polling_ms=Known(float(interval.value), interval.origin, interval.where)
            if isinstance(interval, Known)
            else interval,
            action=self._silent,
            priorities=self._silent,
        )

    def _multiply(self, interval: Setting[int], times: Setting[int], by_default: int) -> Setting[float]:
        """Return the time of so many intervals in ms; the default stands in for the one of them that is not written."""
        unread = next((each for each in (interval, times) if isinstance(each, Unknown)), None)
        written = next((each for each in (times, interval) if isinstance(each, Known)), None)
        is_whole = isinstance(interval, Known) and isinstance(times, Known)
        if unread or written is None or not (is_whole or self._config.complete):
            return unread or self._unsaid
        length = interval.value if isinstance(interval, Known) else DEFAULT_INTERVAL_MS
        count = times.value if isinstance(times, Known) else by_default
        return Known(float(length * count), Origin.INTENDED, written.where, "" if is_whole else DEFAULTS_OUTPUT)


def _find_queuing(policies: dict[Known[str], PolicyMap | None]) -> Known[str] | None:
    """Return the policy on departure that serves queues: a port may have another one that marks."""
    serving = [name for name, policy in policies.items() if policy is None or serves_queues(policy)]
    return serving[-1] if serving else next(iter(policies), None)


def _find_main(name: str) -> str:
    """Return the interface that a subinterface belongs to.

    >>> _find_main("HundredGigE0/0/0/1.100")
    'HundredGigE0/0/0/1'
    """
    return name.partition(".")[0]


_OF_BUNDLE = ("mtu", "ip_mtu", "forwarding", "pfc_mode", "input")
"""Fields that a member port inherits from its bundle."""


def _inherit(body: Interface, lag: InterfaceStanzas[Interface] | None) -> Interface:
    """Return the statements of a port over those of its bundle, whose policies serve the members."""
    if lag is None:
        return body
    taken: dict[str, Any] = {
        name: find_in_force(getattr(body, name), place_setting(getattr(lag.body, name), lag.where))
        if is_silent(getattr(body, name))
        else getattr(body, name)
        for name in _OF_BUNDLE
    }
    outputs = {name: place_setting(each, lag.where) for name, each in lag.body.outputs.items()} | body.outputs
    return replace(body, outputs=outputs, **taken)
