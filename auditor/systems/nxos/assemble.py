"""Ports from statements: ports inherit from the system, and equal ports share one configuration object."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from auditor.grammar.acl import find_access
from auditor.grammar.layers import NOTHING, fall_back, find_in_force, is_silent, overlay, place_setting, prefer_own
from auditor.grammar.multichassis import list_shared_stanzas, share_ports
from auditor.grammar.numbers import parse_whole
from auditor.grammar.running import InterfaceStanzas
from auditor.grammar.vlans import ACCESS
from auditor.model.buffers import PriorityGroup
from auditor.model.port import (
    ALONE,
    Ethernet,
    Forwarding,
    LinkPause,
    Pfc,
    PfcMode,
    Port,
    PortConfig,
    RateLimits,
    Watchdog,
)
from auditor.model.qos import Classification, Marking, Policer, Queue
from auditor.model.setting import HEAD, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.nxos.configuration import Breakout, Config
from auditor.systems.nxos.network import PARTIAL, NetworkQos, find_class_mtu, find_network_qos
from auditor.systems.nxos.numbers import PORT
from auditor.systems.nxos.resolve import (
    SortedBy,
    build_classification,
    build_marking,
    build_policers,
    build_priority_groups,
    build_queues,
)
from auditor.systems.nxos.statements import Interface, Slot
from auditor.util.values import dataclass

T = TypeVar("T")
QOS_ONLY = Unknown("the dump holds the quality of service alone: show running-config has the rest")
FIRST_FEX = 100
"""Chassis numbers from 100 are fabric extenders, whose names also have three parts but no parent port."""


@dataclass(frozen=True, slots=True)
class _Policies:
    """The effect of a set of attached policies, computed once for all ports with the same set."""

    classification: Classification
    marking: Marking
    queues: Setting[tuple[Queue, ...]]
    priority_groups: Setting[tuple[PriorityGroup, ...]]
    policers: Setting[tuple[Known[Policer], ...]]


class Assembler:
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._network: NetworkQos = find_network_qos(config)
        self._class_mtu = find_class_mtu(config)
        self._top = Where(config.file, 1)
        self._silent = Unset(HEAD)
        self._bare = Interface(self._top)
        self._policies: dict[tuple[Setting[str], ...], _Policies] = {}
        self._sorted_by: SortedBy = {}
        self._shared: dict[tuple[str, Setting[str] | str], Any] = {}
        self._configs: dict[tuple[int, int, int, bool, bool], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        made = (name for name, breakout in self._config.breakouts.items() if isinstance(breakout, Known))
        names = dict.fromkeys(n for n in (*self._config.interfaces, *made) if PORT.match(n))
        ports = tuple(self._port(name) for name in names)
        return share_ports(ports, list_shared_stanzas(self._config.interfaces))

    def _port(self, name: str) -> Port:
        split = self._config.breakouts.get(name, NOTHING)
        breakout = value_of(split)
        top = split.where if isinstance(split, Known) and split.where else self._top
        written = self._config.interfaces.get(name) or InterfaceStanzas(top, self._bare)
        lag = self._config.interfaces.get(written.lag.value or "") if written.lag else None
        shape = (id(written.body), id(lag.body) if lag else 0, id(breakout.speed_gbps) if breakout else 0)
        in_vlan = _is_in_vlan(written.vlans)
        key = (*shape, name in self._config.balanced, in_vlan)
        if key not in self._configs:
            body = self._in_vlan(_with_profile(written.body, self._config.profiles), in_vlan=in_vlan)
            found = self._port_config(_with_lag(body, lag), breakout)
            spreading = self._config.balancing if name in self._config.balanced else self._silent
            self._configs[key] = replace(found, spreading=fall_back(spreading, self._silent))
        parent = _parent(name, breakout)
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            lag=written.lag or ALONE,
            parent=Known(parent, Origin.INTENDED, HEAD) if parent else ALONE,
            description=written.description.value if written.description else None,
        )

    def _in_vlan(self, body: Interface, *, in_vlan: bool) -> Interface:
        """Return the statements of a port: an access VLAN is printed of a switched port alone."""
        if not in_vlan or not isinstance(body.forwarding, Unset):
            return body
        return replace(body, forwarding=Known(Forwarding.SWITCHED, Origin.INTENDED, self._silent.where))

    def _port_config(self, body: Interface, breakout: Breakout | None) -> PortConfig:
        found = self._resolve(body)
        nothing = self._silent
        unsaid = QOS_ONLY if self._config.is_qos_only else nothing
        return PortConfig(
            ethernet=Ethernet(
                enabled=fall_back(body.enabled, self._shut(body, unsaid)),
                speed_gbps=fall_back(body.speed_gbps, breakout.speed_gbps if breakout else unsaid),
                fec=fall_back(body.fec, unsaid),
                mtu_bytes=fall_back(body.mtu, unsaid if self._config.is_qos_only else self._mtu(body)),
                ip_mtu_bytes=nothing,
                max_frame_bytes=nothing,
                forwarding=fall_back(body.forwarding, unsaid),
                tagged=fall_back(body.tagged, unsaid),
                negotiates=fall_back(body.negotiates, unsaid),
            ),
            pfc=Pfc(
                mode=self._pfc_mode(body, unsaid),
                priorities=fall_back(self._network.priorities, nothing),
                tx_priorities=nothing,
                rx_priorities=nothing,
                watchdog=self._watchdog(body),
            ),
            pause=LinkPause(fall_back(body.pause_rx, unsaid), fall_back(body.pause_tx, unsaid)),
            classification=found.classification,
            marking=found.marking,
            queues=fall_back(found.queues, nothing),
            priority_groups=fall_back(found.priority_groups, nothing),
            access=find_access(body.access, self._config.acls, nothing),
            limits=RateLimits(nothing, fall_back(found.policers, nothing)),
        )

    def _shut(self, body: Interface, unsaid: Setting[bool]) -> Setting[bool]:
        """Return whether a silent port is up: the switch may shut the silent ports that are switched."""
        shut, forwarding = self._config.switchports_shut, body.forwarding
        if not isinstance(shut, Known) or isinstance(forwarding, Unknown):
            return unsaid
        is_switched = forwarding.value is Forwarding.SWITCHED if isinstance(forwarding, Known) else self._is_switchport
        return Known(value=False, origin=shut.origin, where=shut.where) if is_switched else unsaid

    @cached_property
    def _is_switchport(self) -> bool:
        """Whether a silent port is switched: as written, or as `no switchport` shows, which no default prints."""
        written = self._config.is_switchport
        if not isinstance(written, Unset):
            return value_of(written) is True
        bodies = (stanza.body for stanza in self._config.interfaces.values())
        return any(value_of(body.forwarding) is Forwarding.ROUTED for body in bodies)

    def _pfc_mode(self, body: Interface, unsaid: Setting[PfcMode]) -> Setting[PfcMode]:
        override = self._config.pfc_override
        if isinstance(override, Known) and override.where:
            return Unknown(f"`{override.value}` on line {override.where.line} stands above every port's own mode")
        return fall_back(body.pfc_mode, unsaid)

    def _mtu(self, body: Interface) -> Setting[int]:
        routed = isinstance(body.forwarding, Known) and body.forwarding.value is Forwarding.ROUTED
        return self._silent if routed else fall_back(self._class_mtu, self._silent)

    def _resolve(self, body: Interface) -> _Policies:
        """Follow the policies in effect: the port's own or its port-channel's, else the system's."""
        system = self._config.system.policies
        own, out, into = (_find_policy(body.policies.get(s, NOTHING), system.get(s, NOTHING)) for s in _SLOTS)
        key = (own, out, into)
        if key not in self._policies:
            self._policies[key] = _Policies(
                build_classification(self._config, self._network, own, self._silent, self._sorted_by),
                self._share("marking", own, lambda: build_marking(self._config, own)),
                self._share("queues", out, lambda: build_queues(self._config, out)),
                self._share("buffers", into, lambda: build_priority_groups(self._config, self._network, into)),
                self._share("policers", own, lambda: build_policers(self._config, own)),
            )
        return self._policies[key]

    def _share(self, kind: str, attached: Setting[str], build: Callable[[], T]) -> T:
        """Return the result of *build*, called once for all places where a policy is attached."""
        key = kind, attached.value if isinstance(attached, Known) else attached
        if key not in self._shared:
            self._shared[key] = build()
        shared: Any = self._shared[key]
        if isinstance(attached, Known) and isinstance(shared, Known | Unset):
            shared = replace(shared, where=attached.where)
        result: T = shared
        return result

    def _watchdog(self, body: Interface) -> Watchdog:
        config = self._config
        nothing = self._silent
        unsaid: Setting[bool] = nothing if config.complete and not config.is_qos_only else PARTIAL
        polling, multiplier = (
            config.watchdog_interval_ms,
            fall_back(body.watchdog_multiplier, config.watchdog_multiplier),
        )
        detection: Setting[float] = nothing  # the default of the multiplier is on no page that could be read
        if isinstance(polling, Known) and isinstance(multiplier, Known):
            detection = Known(polling.value * multiplier.value, Origin.INTENDED, multiplier.where)
        return Watchdog(
            enabled=body.watchdog if isinstance(body.watchdog, Known) else fall_back(config.watchdog, unsaid),
            detection_ms=detection,
            polling_ms=fall_back(polling, nothing),
            action=fall_back(body.watchdog_action, nothing),
            restoration_ms=nothing,
            priorities=nothing,
        )


@lru_cache(maxsize=256)
def _is_in_vlan(lines: tuple[str, ...]) -> bool:
    """Return whether one of the lines of a port on VLANs gives it an access VLAN."""
    return any(map(ACCESS.match, lines))


_OF_LAG = (
    "mtu",
    "forwarding",
    "tagged",
    "pause_rx",
    "pause_tx",
    "pfc_mode",
    "watchdog",
    "watchdog_action",
    "watchdog_multiplier",
)
"""Fields that a member port inherits from its port-channel."""
_SLOTS: tuple[Slot, ...] = (("qos", "input"), ("queuing", "output"), ("queuing", "input"))
"""Types and directions of the policies of a port."""


def _find_policy(own: Setting[str], of_system: Setting[str]) -> Setting[str]:
    """Return the policy of a port, else that of the system; Unknown where the port may have one that is not seen."""
    return own if isinstance(own, Unknown) else find_in_force(own, of_system)


def _with_profile(body: Interface, profiles: Mapping[str, Interface]) -> Interface:
    """Return the statements of a port laid over those of the port-profile that it inherits.

    What the port does not say itself is Unknown where the dump does not hold that profile.
    """
    name = value_of(body.profile)
    if name is None:
        return body
    if name in profiles:
        return overlay(profiles[name], body, prefer_own)
    unseen = Unknown(f"port-profile {name} is not in the dump")
    silent: dict[str, Any] = {f.name: unseen for f in fields(body) if is_silent(getattr(body, f.name))}
    return replace(body, policies=dict.fromkeys(_SLOTS, unseen) | body.policies, **silent)


def _with_lag(body: Interface, lag: InterfaceStanzas[Interface] | None) -> Interface:
    if lag is None:
        return body
    inherited = {slot: place_setting(policy, lag.where) for slot, policy in lag.body.policies.items()}
    own = body.policies
    policies = {slot: find_in_force(own.get(slot, NOTHING), inherited.get(slot, NOTHING)) for slot in inherited | own}
    taken: dict[str, Any] = {
        n: fall_back(getattr(body, n), place_setting(getattr(lag.body, n), lag.where)) for n in _OF_LAG
    }
    return replace(body, policies=policies, **taken)


def _parent(name: str, breakout: Breakout | None) -> str | None:
    if breakout:
        return breakout.parent
    parts = name.removeprefix("Ethernet").split("/")
    is_breakout = len(parts) == 3 and parse_whole(parts[0], range(FIRST_FEX)) is not None  # noqa: PLR2004  module/port/lane
    return "Ethernet" + "/".join(parts[:2]) if is_breakout else None
