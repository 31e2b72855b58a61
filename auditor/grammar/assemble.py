"""Ports from statements: members inherit from port-channels, and equal ports share one configuration object."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from auditor.grammar.body import DROP_PROFILE, BufferBody, PortBody, QueueBody
from auditor.grammar.configuration import InterfaceViews, SwitchStatements, UsingObject, ViewConfig
from auditor.grammar.layers import fall_back, is_silent, make_absolute, overlay, prefer_own
from auditor.grammar.priorities import list_lossless
from auditor.model.buffers import PriorityGroup
from auditor.model.device import NamedObject, unite_uses
from auditor.model.port import ALONE, Ethernet, Forwarding, LinkPause, Pfc, PfcMode, Port, PortConfig, Watchdog
from auditor.model.qos import Classification, Marking, Queue, TrafficClass
from auditor.model.setting import HEAD, NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, value_of

S = TypeVar("S", bound=SwitchStatements)
PARTIAL = Unknown("the dump holds a part of the configuration only")
NOT_READ = Unknown("this is not modelled for the operating system")
ETHERNET_AND_TAG = 22
"""Bytes of a frame beside its IP packet: Ethernet header, one VLAN tag (IEEE Std 802.1Q) and FCS."""
_UNSHARED = (
    "enabled",
    "speed_gbps",
    "pfc_mode",
    "no_drop",
    "honoured_only",
    "sent_only",
    "pause_rx",
    "pause_tx",
    "watchdog",
    "buffers",
    "fec",
    "negotiates",
    "loopback",
)
"""Fields that a member port does not inherit from its port-channel."""

Resolve = Callable[[ViewConfig[S], PortBody, Unset], PortConfig]
"""Turns the statements in force on a port into its configuration; the Unset has the place of a silent port."""
NameLag = Callable[[ViewConfig[S], InterfaceViews], Setting[str]]
"""Returns the port-channel of a port by its full name."""


def take_own_lag(_config: ViewConfig[S], entry: InterfaceViews) -> Setting[str]:
    """Return the port-channel as the port's own line names it."""
    return entry.own.lag


class Assembler(Generic[S]):
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(
        self,
        config: ViewConfig[S],
        port: re.Pattern[str],
        rates: Mapping[str, float],
        resolve: Resolve[S],
        name_lag: NameLag[S] = take_own_lag,
    ) -> None:
        """*port* matches the names of physical ports; *rates* gives the Gb/s of its group `kind`."""
        self._config = config
        self._port_name = port
        self._rates = rates
        self._resolve = resolve
        self._name_lag = name_lag
        self._nothing = Unset(HEAD)
        self._configs: dict[tuple[object, ...], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        found = self._config.interfaces.items()
        return tuple(self._port(name, entry) for name, entry in found if self._port_name.match(name))

    def _port(self, name: str, entry: InterfaceViews) -> Port:
        joined = self._name_lag(self._config, entry)
        lag = self._config.interfaces.get(joined.value) if isinstance(joined, Known) else None
        unseen = joined if isinstance(joined, Unknown) else _NO_LAG if isinstance(joined, Known) and not lag else None
        rate = self._rate(name)
        key = (id(entry.body), id(lag.body) if lag else 0, unseen, rate)
        if key not in self._configs:
            body = _inherit(entry, lag, unseen)
            if rate is not None and is_silent(body.speed_gbps):
                body = replace(body, speed_gbps=Known(rate, Origin.LEARNED, self._nothing.where))
            found = self._resolve(self._config, body, self._nothing)
            self._configs[key] = found if self._config.complete else _open_excerpt(found)
        parent, colon, _ = name.rpartition(":")
        left = Known(None, Origin.INTENDED, joined.where) if isinstance(joined, Unset) and joined.where else ALONE
        return Port(
            name=name,
            config=self._configs[key],
            where=entry.where,
            lag=left if isinstance(joined, Unset) else joined,
            parent=Known(parent, Origin.INTENDED, HEAD) if colon else ALONE,
            description=value_of(entry.own.description),
        )

    def _rate(self, name: str) -> float | None:
        """Return the rate that belongs to an interface's name, None if the name fixes no rate."""
        match = self._port_name.match(name)
        return self._rates.get(match["kind"]) if match else None


_NO_LAG = Unknown("the port-channel that this port belongs to is not in the dump")


def _inherit(entry: InterfaceViews, lag: InterfaceViews | None, unseen: Unknown | None) -> PortBody:
    """Return the statements of a port over those of its port-channel, which are unknown with the reason *unseen*."""
    own = entry.body
    if unseen:
        under = PortBody(own.where, trust=unseen, forwarding=unseen, tagged=unseen, policy=unseen, mtu=unseen)
    elif lag is not None:
        under = make_absolute(lag.body, lag.where)
    else:
        return own
    return replace(overlay(under, own, prefer_own), **{name: getattr(own, name) for name in _UNSHARED})


D = TypeVar("D", Ethernet, LinkPause, Pfc, Classification, TrafficClass, Marking, Queue)


def _open_excerpt(found: PortConfig) -> PortConfig:
    """Return a port of an excerpt: a silent setting is unknown there, because its line may stand elsewhere."""
    sorting = _open(found.classification)
    if isinstance(sorting.classes, Known):
        each = tuple(_open(traffic_class) for traffic_class in sorting.classes.value)
        sorting = replace(sorting, classes=replace(sorting.classes, value=each))
    queues = found.queues
    if isinstance(queues, Known):
        queues = replace(queues, value=tuple(_open(queue) for queue in queues.value))
    pauses, watchdog = found.pfc, found.pfc.watchdog
    if isinstance(watchdog.enabled, Unset):
        watchdog = replace(watchdog, enabled=PARTIAL)
    return replace(
        found,
        ethernet=_open(found.ethernet),
        pfc=replace(
            _open(pauses), watchdog=watchdog, tx_priorities=pauses.tx_priorities, rx_priorities=pauses.rx_priorities
        ),
        pause=_open(found.pause),
        classification=sorting,
        marking=_open(found.marking),
        queues=PARTIAL if isinstance(queues, Unset) else queues,
    )


def _open(block: D) -> D:
    silent: dict[str, Any] = {f.name: PARTIAL for f in fields(block) if isinstance(getattr(block, f.name), Unset)}
    return replace(block, **silent)


def build_ethernet(
    body: PortBody, nothing: Unset, mtu: Setting[int], ip: Setting[int], frame: Setting[int]
) -> Ethernet:
    """Return a port's link settings; each operating system counts the MTU in its own way."""
    return Ethernet(
        enabled=fall_back(body.enabled, nothing),
        speed_gbps=fall_back(body.speed_gbps, nothing),
        lanes=NOT_READ,
        fec=NOT_READ if is_silent(body.fec) else body.fec,
        mtu_bytes=mtu,
        ip_mtu_bytes=ip,
        max_frame_bytes=frame,
        forwarding=fall_back(body.forwarding, nothing),
        tagged=fall_back(body.tagged, nothing),
        negotiates=NOT_COLLECTED if is_silent(body.negotiates) else body.negotiates,
        loopback=NOT_COLLECTED if is_silent(body.loopback) else body.loopback,
    )


def build_framed(body: PortBody, nothing: Unset) -> Ethernet:
    """Return the link settings of a system that gives routed ports an MTU and all ports a longest frame."""
    frame = fall_back(body.max_frame, nothing)
    routed: Setting[int] = fall_back(body.mtu, nothing)
    if not isinstance(body.forwarding, Known):
        open_ = Unknown("whether the port is routed or switched is not written")
        return build_ethernet(body, nothing, mtu=routed, ip=open_, frame=frame)
    if body.forwarding.value is Forwarding.ROUTED:
        return build_ethernet(body, nothing, mtu=routed, ip=routed, frame=frame)
    return build_ethernet(body, nothing, mtu=frame, ip=subtract_header(frame, ETHERNET_AND_TAG), frame=frame)


def subtract_header(length: Setting[int], header: int) -> Setting[int]:
    """Return the bytes of a frame of *length* without its *header*; Unknown where nothing is left."""
    if not isinstance(length, Known):
        return length
    left = length.value - header
    return replace(length, value=left) if left > 0 else Unknown(f"{length.value} bytes hold no packet")


def build_pfc(body: PortBody, nothing: Unset, mode: Setting[PfcMode], watchdog: Watchdog) -> Pfc:
    """Return priority flow control of a port."""
    paused = [priority for priority, said in body.no_drop.items() if value_of(said)]
    only = [said for priority in paused if value_of(said := body.honoured_only.get(priority, nothing))]
    silenced = Known((), Origin.INTENDED, only[0].where) if only and isinstance(only[0], Known) else None
    return Pfc(
        mode=mode,
        priorities=list_lossless(body.no_drop, nothing),
        tx_priorities=silenced or nothing,
        rx_priorities=nothing,
        watchdog=watchdog,
    )


def build_pause(body: PortBody, nothing: Unset) -> LinkPause:
    """Return IEEE 802.3x link pause of a port."""
    return LinkPause(fall_back(body.pause_rx, nothing), fall_back(body.pause_tx, nothing))


def build_groups(body: PortBody) -> Setting[tuple[PriorityGroup, ...]]:
    """Return the buffers on arrival, one for each priority that a line gives one; Unknown if no line does.

    What the switch gives a paused priority where no line speaks of it differs between models.
    """
    if not body.buffers:
        return Unknown("the switch sizes the buffers on arrival by itself")
    groups = tuple(_build_group(priority, said, body) for priority, said in sorted(body.buffers.items()))
    return Known(groups, Origin.INTENDED, next(iter(body.buffers.values())).where)


_BY_ITSELF = Unknown("the switch sizes this by itself")


def _build_group(priority: int, said: BufferBody, body: PortBody) -> PriorityGroup:
    own = Known((priority,), Origin.DEFAULT, said.where)
    return PriorityGroup(
        pg=priority,
        priorities=own,
        paused_for=own,
        lossless=body.no_drop.get(priority, _BY_ITSELF),
        reserved_bytes=fall_back(said.reserved, _BY_ITSELF),
        xon_bytes=fall_back(said.xon, _BY_ITSELF),
        xon_offset_bytes=fall_back(said.xon_offset, _BY_ITSELF),
        xoff_bytes=fall_back(said.headroom, _BY_ITSELF),
        alpha=fall_back(said.alpha, _BY_ITSELF),
        static_threshold_bytes=fall_back(said.xoff, _BY_ITSELF),
    )


def find_lossless(mode: Setting[PfcMode], no_drop: Setting[bool]) -> Setting[bool]:
    """Return whether a class is lossless: no class is without PFC."""
    if isinstance(mode, Known) and mode.value is PfcMode.OFF:
        return Known(value=False, origin=mode.origin, where=mode.where)
    return no_drop


def build_queues(
    body: PortBody, nothing: Unset, build: Callable[[int, QueueBody], Queue]
) -> Setting[tuple[Queue, ...]]:
    """Return the egress queues, *nothing* if no statement names one."""
    if not body.queues:
        return nothing
    found = tuple(build(number, said) for number, said in sorted(body.queues.items()))
    return Known(found, Origin.INTENDED, next(iter(body.queues.values())).where)


def fill_queues(body: PortBody) -> PortBody:
    """Return the statements with an empty one for each queue that has none, where any has one.

    A queue that is left out counts as one that does not mark; where no default is documented, it is merely silent.
    """
    if not body.queues:
        return body
    return replace(body, queues={number: QueueBody(body.where) for number in range(8)} | body.queues)


def find_names(
    config: ViewConfig[S], built_in: Mapping[str, frozenset[str]], policy: str = ""
) -> tuple[tuple[NamedObject, ...], tuple[NamedObject, ...]]:
    """Return undefined references and unused definitions; an excerpt yields neither.

    *policy* is the kind of the policies that ports have for what arrives, empty where these are not modelled.
    """
    if not config.complete:
        return (), ()
    used: list[NamedObject] = []
    ports = ((each.where, _uses(each.body, policy)) for each in config.interfaces.values())
    objects = ((None, each.uses()) for each in config.objects.values() if isinstance(each, UsingObject))
    for head, uses in ((None, config.switch.uses()), *objects, *ports):
        for kind, name in uses:
            if isinstance(name, Known) and name.where:
                used.append(NamedObject(kind, name.value, name.where.at(head) if head else name.where))
    known = {(kind, name) for kind, own in built_in.items() for name in own}
    defined = {key: found.where for key, found in config.objects.items() if not isinstance(found, Unset)}
    named = {(use.kind, use.name) for use in used} | known
    undefined = unite_uses(use for use in used if (use.kind, use.name) not in known | defined.keys())
    unattached = (NamedObject(*key, where) for key, where in defined.items() if key not in named)
    return undefined, tuple(unattached)


def _uses(body: PortBody, policy: str) -> Iterable[tuple[str, Setting[str]]]:
    """Return the named objects that a port uses, by their kind."""
    sorts = ((policy, body.policy), (policy, body.policy_out)) if policy else ()
    return (*sorts, *body.names.items(), *((DROP_PROFILE, queue.profile) for queue in body.queues.values()))
