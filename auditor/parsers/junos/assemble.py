"""Interfaces and class of service to ports; ports that are configured alike share one configuration object."""

import re
from dataclasses import replace
from typing import Any

from auditor.model.port import Ethernet, LinkPause, PeerPort, Pfc, PfcMode, Port, PortConfig, Watchdog, WatchdogAction
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.parsers.junos.config import Config
from auditor.parsers.junos.definitions import NOTHING, Notification
from auditor.parsers.junos.definitions import Watchdog as WatchdogStatements
from auditor.parsers.junos.interfaces import Interface, Written
from auditor.parsers.junos.names import PORT, parent
from auditor.parsers.junos.queues import queues
from auditor.parsers.junos.resolve import (
    Bound,
    Sorting,
    bound,
    classification,
    forwarding_classes,
    honoured,
    marking,
    paused,
    priority_groups,
)

_OF_LAG = ("mtu", "ip_mtu", "forwarding", "tagged", "pause_rx", "pause_tx", "filters")
"""What a member port takes from its bundle where its own stanza is silent."""
_WATCHDOG = (
    "https://www.juniper.net/documentation/us/en/software/junos/cos/topics/topic-map/cos-pfc-watchdog-configure.html"
)
_DETECTION, _POLLING_MS, _RECOVERY_MS = 2, 100.0, 200.0
"""What the PFC watchdog does where its block does not say: polls until a queue has stalled, and milliseconds."""


class Assembler:
    """Builds the ports of one configuration."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._classes = forwarding_classes(config.cos)
        self._nothing = Unset(Where(config.file, 0, relative=True))
        self._configs: dict[tuple[Interface, Bound], PortConfig] = {}
        self._bound: dict[tuple[str, ...], Bound] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical ports and channels in the order of the dump; what is broken out is no port any more."""
        found = self._config.interfaces or self._bound_by_name()
        return tuple(self._port(n, written) for n, written in found.items() if PORT.match(n) and not written.is_split)

    def _bound_by_name(self) -> dict[str, Written]:
        """Return the ports that class of service names, for a dump that shows nothing else of them."""
        return {b.pattern: Written(b.where, Interface()) for b in self._config.cos.bindings}

    def _port(self, name: str, written: Written) -> Port:
        lag = self._config.interfaces.get(written.lag.value) if written.lag else None
        body = _inherited(written.body, lag) if lag else written.body
        of = bound(self._config.cos, (name, written.lag.value) if written.lag else (name,))
        key = (body, of)
        if key not in self._configs:
            self._configs[key] = self._port_config(body, of)
        alone = Known(None, Origin.INTENDED, written.where)
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            lag=written.lag or alone,
            parent=Known(parent(name), Origin.INTENDED, written.where),
            peer=_peer(written.description),
            description=written.description.value if written.description else None,
        )

    def _port_config(self, body: Interface, of: Bound) -> PortConfig:
        config, nothing = self._config, self._nothing
        sorting = Sorting(config.cos, self._classes, of, config.complete)
        profile = sorting.profile()
        pfc = _pfc(sorting, profile, of, nothing)
        return PortConfig(
            ethernet=Ethernet(
                enabled=_or(body.enabled, nothing),
                speed_gbps=_or(body.speed_gbps, nothing),
                lanes=nothing,
                fec=_or(body.fec, nothing),
                mtu_bytes=_or(body.mtu, nothing),
                ip_mtu_bytes=_or(body.ip_mtu, nothing),
                max_frame_bytes=nothing,
                forwarding=_or(body.forwarding, nothing),
                tagged=_or(body.tagged, nothing),
            ),
            pfc=pfc,
            pause=LinkPause(_or(body.pause_rx, nothing), _or(body.pause_tx, nothing)),
            classification=config.filters.classified(body.filters, classification(sorting, nothing)),
            marking=marking(sorting, nothing),
            queues=_or(queues(sorting, value_of(body.speed_gbps)), nothing),
            priority_groups=priority_groups(
                sorting, profile if isinstance(profile, Notification) else None, pfc.priorities
            ),
            cable_length_m=_or(profile.cable_length_m, nothing) if isinstance(profile, Notification) else nothing,
        )


def _or(setting: Setting[Any], nothing: Unset) -> Setting[Any]:
    return nothing if setting is NOTHING or (isinstance(setting, Unset) and setting.where is None) else setting


def _inherited(own: Interface, lag: Written) -> Interface:
    taken: dict[str, Any] = {}
    for name in _OF_LAG:
        said = getattr(own, name)
        if said is NOTHING or said == ():
            taken[name] = _at(getattr(lag.body, name), lag.where)
    return replace(own, **taken)


def _at(found: Any, head: Where) -> Any:  # noqa: ANN401  a setting, or the filters
    if isinstance(found, tuple):
        return tuple(_at(each, head) for each in found)
    return replace(found, where=found.where.at(head)) if isinstance(found, Known) and found.where else found


def _pfc(sorting: Sorting, profile: Notification | Unknown | None, of: Bound, nothing: Unset) -> Pfc:
    """Return PFC: a port with a congestion notification profile pauses what its `input` names, none else does."""
    if isinstance(profile, Unknown):
        watchdog = Watchdog(profile, profile, profile, profile, profile, profile)
        return Pfc(profile, priorities=profile, tx_priorities=profile, rx_priorities=profile, watchdog=watchdog)
    if profile is None or of.profile is None:
        return Pfc(nothing, priorities=nothing, tx_priorities=nothing, rx_priorities=nothing, watchdog=_none(nothing))
    honours = honoured(sorting, profile)
    return Pfc(
        mode=Known(PfcMode.ON, Origin.INTENDED, of.profile.where),
        priorities=paused(sorting, profile),
        tx_priorities=nothing,
        rx_priorities=honours,
        watchdog=_watchdog(profile, profile.watchdog, honours),
    )


def _none(nothing: Unset) -> Watchdog:
    return Watchdog(nothing, nothing, nothing, nothing, nothing, nothing)


def _watchdog(profile: Notification, said: WatchdogStatements | None, honours: Setting[tuple[int, ...]]) -> Watchdog:
    """Return the watchdog, which watches the queues that a `flow-control-queue` names and no others."""
    if said is None:
        silent = Unset(profile.where)
        return replace(_none(silent), enabled=silent)
    count = _default(said.detection, _DETECTION, said)
    polling = _default(said.polling_ms, _POLLING_MS, said)
    detection: Setting[float] = polling
    if isinstance(count, Known) and isinstance(polling, Known):
        proof = count if said.detection is not NOTHING else polling
        detection = Known(count.value * polling.value, proof.origin, proof.where, proof.reference)
    elif not isinstance(count, Known):
        detection = count
    watched = honours if profile.honours is not None else Known((), Origin.DEFAULT, said.where, _WATCHDOG)
    return Watchdog(
        enabled=Known(value=True, origin=Origin.INTENDED, where=said.where),
        detection_ms=detection,
        restoration_ms=_default(said.recovery_ms, _RECOVERY_MS, said),
        polling_ms=polling,
        action=_action(said),
        priorities=watched,
    )


def _default(setting: Setting[Any], value: float, said: WatchdogStatements) -> Setting[Any]:
    return Known(value, Origin.DEFAULT, said.where, _WATCHDOG) if setting is NOTHING else setting


def _action(said: WatchdogStatements) -> Setting[WatchdogAction]:
    if not isinstance(said.action, Known):
        return Unset(said.where)
    word = said.action.value
    if word not in {"drop", "forward"}:
        return Unknown(f"{word} is no action that is known")
    return Known(WatchdogAction(word), said.action.origin, said.action.where)


_FACING = re.compile(
    r"(?:facing_|to_|to[.-])?(?P<device>[A-Za-z][\w.-]{0,62}):(?P<port>(?:et|xe|ge)-\d[\d/:]{2,14}|[A-Z]\w{0,20}\d[\d/:.]{0,12}|swp\d\w{0,6})\Z"
)


def _peer(description: Known[str] | None) -> Setting[PeerPort]:
    """Return the neighbour that a description names as `facing_DEVICE:PORT`, the convention of generated fabrics."""
    match = _FACING.match(description.value) if description else None
    if description is None or match is None:
        return NOT_COLLECTED
    return Known(PeerPort(match["device"], match["port"], "description"), Origin.INTENDED, description.where)
