"""Ports from interfaces: they inherit from profiles and port-channels, and equal ports share one configuration."""

from dataclasses import replace

from auditor.grammar.acl import find_access
from auditor.grammar.layers import fall_back, make_absolute, overlay, prefer_own
from auditor.grammar.multichassis import list_shared_stanzas, share_ports
from auditor.grammar.priorities import list_lossless
from auditor.grammar.running import InterfaceStanzas
from auditor.model.port import (
    ALONE,
    PEER_LINK,
    Ethernet,
    Forwarding,
    LinkPause,
    PeerPort,
    Pfc,
    PfcMode,
    Port,
    PortConfig,
    Watchdog,
)
from auditor.model.setting import HEAD, NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.model.tunnels import Tunnels
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.names import PORT, shorten_name
from auditor.systems.eos.resolve import (
    PARTIAL,
    build_classification,
    build_limits,
    build_marking,
    build_priority_groups,
    build_queues,
)
from auditor.systems.eos.statements import Interface
from auditor.util.regex import regex

_UNSHARED = ("enabled", "speed_gbps", "lanes", "negotiates", "fec", "shape")
"""Fields that a member port does not inherit from its port-channel."""


class Assembler:
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._silent = HEAD
        self._nothing = Unset(self._silent)
        self._configs: dict[tuple[int, int], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        config = self._config
        ports = tuple(self._port(n, written) for n, written in config.interfaces.items() if PORT.match(n))
        joins = config.peer_link
        peer = {joins.value: replace(joins, value=PEER_LINK)} if isinstance(joins, Known) else {}
        return share_ports(ports, {**list_shared_stanzas(config.interfaces), **peer})

    def _port(self, name: str, written: InterfaceStanzas[Interface]) -> Port:
        lag = self._config.interfaces.get(written.lag.value or "") if written.lag else None
        key = (id(written.body), id(lag.body) if lag else 0)
        if key not in self._configs:
            self._configs[key] = self._port_config(self._inherit(written, lag))
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            aliases=(shorten_name(name),),
            lag=written.lag or ALONE,
            parent=_SPLIT_OR_NOT if "/" in name else ALONE,
            peer=_peer(written.description),
            description=written.description.value if written.description else None,
        )

    def _inherit(self, written: InterfaceStanzas[Interface], lag: InterfaceStanzas[Interface] | None) -> Interface:
        """Return the port's statements over those of its profile, and these over what its port-channel has."""
        own = self._with_profile(written.body)
        if lag is None:
            return own
        kept = {name: getattr(own, name) for name in _UNSHARED}
        return replace(overlay(self._with_profile(make_absolute(lag.body, lag.where)), own, prefer_own), **kept)

    def _with_profile(self, body: Interface) -> Interface:
        """Return the statements over those of the interface profile, and these over those of the qos profile."""
        unread = next((name for name in (body.interface_profile, body.profile) if isinstance(name, Unknown)), None)
        if unread:
            return overlay(_missing_profile(unread.why, body.where), body, prefer_own)
        commands = value_of(body.interface_profile)
        if commands is not None:
            unseen = _missing_profile(f"interface profile {commands} is not in the dump", body.where)
            body = overlay(self._config.interface_profiles.get(commands, unseen), body, prefer_own)
        name = value_of(body.profile)
        if name is None:
            return body
        profile = self._config.profiles.get(name)
        return overlay(
            profile or _missing_profile(f"qos profile {name} is not in the dump", body.where), body, prefer_own
        )

    def _port_config(self, body: Interface) -> PortConfig:
        config, nothing = self._config, self._nothing
        speed = fall_back(body.speed_gbps, nothing)
        bridged = self._find_bridged_mtu(body)
        profile = self._config.profiles.get(value_of(body.profile) or "")
        silent = Unset(profile.where) if profile else nothing
        return PortConfig(
            ethernet=Ethernet(
                enabled=fall_back(body.enabled, nothing),
                speed_gbps=speed,
                lanes=fall_back(body.lanes, nothing),
                fec=fall_back(body.fec, nothing),
                mtu_bytes=fall_back(body.mtu, fall_back(config.mtu, nothing)),
                ip_mtu_bytes=bridged,
                max_frame_bytes=bridged,
                forwarding=fall_back(body.forwarding, fall_back(config.forwarding, nothing)),
                tagged=_is_tagged(body, nothing),
                negotiates=fall_back(body.negotiates, nothing),
            ),
            pfc=Pfc(
                mode=self._pfc_mode(body, silent),
                priorities=_no_drop(body, silent),
                tx_priorities=nothing,
                rx_priorities=nothing,
                watchdog=self._watchdog(body),
            ),
            pause=LinkPause(fall_back(body.pause_rx, nothing), fall_back(body.pause_tx, nothing)),
            classification=build_classification(config, body, nothing),
            marking=build_marking(config),
            queues=build_queues(config, body, value_of(speed), nothing),
            priority_groups=build_priority_groups(config, body, nothing),
            access=find_access(body.access, config.acls, nothing),
            limits=build_limits(config, body, value_of(speed), nothing),
        )

    def _pfc_mode(self, body: Interface, silent: Unset) -> Setting[PfcMode]:
        """Return the port's own PFC mode, unless a line turns PFC off on all ports; *silent* without either."""
        everywhere = self._config.pfc_all
        is_own = isinstance(everywhere, Unset) or value_of(everywhere) is PfcMode.ON
        return fall_back(body.pfc_mode, silent) if is_own else everywhere

    def _find_bridged_mtu(self, body: Interface) -> Setting[int]:
        """Return the longest bridged packet by the port's own `l2 mtu`; routed packets follow the MTU."""
        if isinstance(body.l2_mtu, Unknown):
            return body.l2_mtu
        if isinstance(body.l2_mtu, Known):
            return Unknown(f"how EOS counts `l2 mtu {body.l2_mtu.value}` is not documented")
        return self._nothing

    def _watchdog(self, body: Interface) -> Watchdog:
        """Return the watchdog: it runs where it is not switched off and a timeout is set, on the port or for all."""
        config, nothing = self._config, self._nothing
        unsaid: Setting[float] = nothing if config.complete else PARTIAL
        timeout = prefer_own(config.timeout_ms, body.timeout_ms)
        recovery = prefer_own(config.recovery_ms, body.recovery_ms)
        polling = prefer_own(config.polling_ms, body.polling_ms)
        enabled: Setting[bool] = nothing
        if isinstance(body.hidden, Unknown) and not isinstance(body.watchdog, Known):
            enabled = body.hidden
        elif value_of(body.watchdog) is False:
            enabled = body.watchdog
        elif isinstance(timeout, Known):
            enabled = Known(timeout.value > 0, Origin.INTENDED, timeout.where)
        elif isinstance(timeout, Unknown):
            enabled = timeout
        elif not config.complete:
            enabled = PARTIAL
        return Watchdog(
            enabled=enabled,
            detection_ms=fall_back(timeout, unsaid),
            restoration_ms=fall_back(recovery, unsaid),
            polling_ms=fall_back(polling, unsaid),
            action=fall_back(prefer_own(config.watchdog_action, body.watchdog_action), nothing),
            priorities=nothing,
        )


def build_tunnels(config: Config) -> Tunnels:
    """Return what the outer headers of the VXLAN interface say; a part of a configuration says nothing by silence."""
    end = next((each for name, each in config.interfaces.items() if name.startswith("Vxlan")), None)
    if end is None:
        return Tunnels()
    carries = fall_back(make_absolute(end.body, end.where).tunnel_ecn, Unset(end.where))
    return Tunnels(copies_ecn=carries if config.complete or isinstance(carries, Known) else PARTIAL)


def _missing_profile(why: str, where: Where) -> Interface:
    """Return the statements of a profile that the dump does not hold."""
    unknown = Unknown(why)
    return Interface(where, trust=unknown, policy=unknown, pfc_mode=unknown, hidden=unknown)


def _no_drop(body: Interface, nothing: Unset) -> Setting[tuple[int, ...]]:
    """Return the priorities that the port never drops."""
    return body.hidden if isinstance(body.hidden, Unknown) else list_lossless(body.no_drop, nothing)


def _is_tagged(body: Interface, nothing: Unset) -> Setting[bool]:
    """Return whether a port is a trunk; a routed port is not, whatever its mode."""
    forwarding = body.forwarding
    if isinstance(forwarding, Known) and forwarding.value is Forwarding.ROUTED:
        return Known(value=False, origin=Origin.INTENDED, where=forwarding.where)
    return fall_back(body.tagged, nothing)


_SPLIT_OR_NOT = Unknown("`EthernetM/N` is lane N of port M whether or not the port is broken out")
_NEIGHBOUR = regex(
    r"(?:P2P_(?:UP)?LINK_TO_|MLAG_PEER_|MLAG_|L2_)(?P<device>[A-Za-z0-9.-]+)_(?P<port>Ethernet\d+(?:/\d+){0,2})\Z"
)


def _peer(description: Known[str] | None) -> Setting[PeerPort]:
    """Return the neighbour that a description names in the convention of generated fabrics."""
    match = _NEIGHBOUR.match(description.value) if description else None
    if description is None or match is None:
        return NOT_COLLECTED
    return Known(PeerPort(match["device"], match["port"], "description"), Origin.INTENDED, description.where)
