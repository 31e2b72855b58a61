"""Interfaces and class of service to ports; equal ports share one configuration object."""

from dataclasses import replace
from typing import Any

from auditor.model.port import ALONE, Ethernet, LinkPause, PeerPort, Port, PortConfig
from auditor.model.setting import HEAD, NOT_COLLECTED, Known, Origin, Setting, Unset, Where, value_of
from auditor.systems.junos.config import Config
from auditor.systems.junos.definitions import Notification, or_silent
from auditor.systems.junos.interfaces import Interface, InterfaceStanza
from auditor.systems.junos.names import PORT, find_parent
from auditor.systems.junos.pfc import list_priority_groups, resolve_pfc
from auditor.systems.junos.queues import list_queues
from auditor.systems.junos.resolve import resolve_classification, resolve_marking
from auditor.systems.junos.sorting import PortBindings, Sorting, find_bindings, list_forwarding_classes
from auditor.util.regex import regex

_OF_LAG = ("mtu", "ip_mtu", "forwarding", "tagged", "pause_rx", "pause_tx", "filters")
"""The fields that a member port inherits from its bundle."""


class Assembler:
    """A builder of the ports of one configuration; *model* is the switch's model, empty if unknown."""

    def __init__(self, config: Config, model: str = "") -> None:
        self._config = config
        self._model = model
        self._classes = list_forwarding_classes(config.cos)
        self._nothing = Unset(HEAD)
        self._configs: dict[tuple[Interface, PortBindings], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical ports and channels in the order of the dump, without split ports."""
        found = self._config.interfaces or self._bound_by_name()
        return tuple(self._port(n, written) for n, written in found.items() if PORT.match(n) and not written.is_split)

    def _bound_by_name(self) -> dict[str, InterfaceStanza]:
        """Return the ports that class of service names, for a dump without interfaces."""
        return {b.pattern: InterfaceStanza(b.where, Interface()) for b in self._config.cos.bindings}

    def _port(self, name: str, written: InterfaceStanza) -> Port:
        lag = self._config.interfaces.get(written.lag.value) if written.lag else None
        body = _inherit(written.body, lag) if lag else written.body
        of = find_bindings(self._config.cos, (name, written.lag.value) if written.lag else (name,))
        key = (body, of)
        if key not in self._configs:
            self._configs[key] = self._port_config(body, of)
        parent = find_parent(name)
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            lag=written.lag or ALONE,
            parent=Known(parent, Origin.INTENDED, HEAD) if parent else ALONE,
            peer=_peer(written.description),
            description=written.description.value if written.description else None,
        )

    def _port_config(self, body: Interface, of: PortBindings) -> PortConfig:
        config, nothing = self._config, self._nothing
        sorting = Sorting(config.cos, self._classes, of, config.complete, self._model)
        profile = sorting.profile()
        pfc = resolve_pfc(sorting, profile, nothing)
        return PortConfig(
            ethernet=Ethernet(
                enabled=or_silent(body.enabled, nothing),
                speed_gbps=or_silent(body.speed_gbps, nothing),
                lanes=nothing,
                fec=or_silent(body.fec, nothing),
                mtu_bytes=or_silent(body.mtu, nothing),
                ip_mtu_bytes=or_silent(body.ip_mtu, nothing),
                max_frame_bytes=nothing,
                forwarding=or_silent(body.forwarding, nothing),
                tagged=or_silent(body.tagged, nothing),
                negotiates=or_silent(body.negotiates, nothing),
                loopback=or_silent(body.loopback, nothing),
            ),
            pfc=pfc,
            pause=LinkPause(or_silent(body.pause_rx, nothing), or_silent(body.pause_tx, nothing)),
            classification=config.filters.apply(body.filters, resolve_classification(sorting, nothing)),
            marking=resolve_marking(sorting, nothing),
            queues=or_silent(list_queues(sorting, value_of(body.speed_gbps)), nothing),
            priority_groups=list_priority_groups(
                sorting, profile if isinstance(profile, Notification) else None, pfc.priorities
            ),
            cable_length_m=or_silent(profile.cable_length_m, nothing) if isinstance(profile, Notification) else nothing,
            spreading=or_silent(config.multipath.spreading, nothing),
        )


def _inherit(own: Interface, lag: InterfaceStanza) -> Interface:
    taken: dict[str, Any] = {}
    for name in _OF_LAG:
        said = getattr(own, name)
        if isinstance(said, Unset) or said == ():
            taken[name] = _at(getattr(lag.body, name), lag.where)
    return replace(own, **taken)


def _at(found: Any, head: Where) -> Any:  # noqa: ANN401  a setting, or the filters
    if isinstance(found, tuple):
        return tuple(_at(each, head) for each in found)
    return replace(found, where=found.where.at(head)) if isinstance(found, Known) and found.where else found


_FACING = regex(
    r"(?:facing_|to_|to[.-])?(?P<device>[A-Za-z][\w.-]{0,62}):(?P<port>(?:et|xe|ge)-\d[\d/:]{2,14}|[A-Z]\w{0,20}\d[\d/:.]{0,12}|swp\d\w{0,6})\Z"
)


def _peer(description: Known[str] | None) -> Setting[PeerPort]:
    """Return the neighbour that a description names as `facing_DEVICE:PORT`, the convention of generated fabrics."""
    match = _FACING.match(description.value) if description else None
    if description is None or match is None:
        return NOT_COLLECTED
    return Known(PeerPort(match["device"], match["port"], "description"), Origin.INTENDED, description.where)
