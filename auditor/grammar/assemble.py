"""Statements to ports: what a port-channel has is inherited, and equal ports share one configuration object."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from auditor.grammar.body import DROP_PROFILE, Body, QueueBody
from auditor.grammar.config import Config, Entry, Switch
from auditor.grammar.layers import either, is_silent, laid_over, own_first, placed
from auditor.grammar.priorities import never_dropped
from auditor.model.device import NamedObject
from auditor.model.port import Ethernet, Forwarding, LinkPause, Pfc, PfcMode, Port, PortConfig, Watchdog
from auditor.model.qos import Classification, Marking, Queue, TrafficClass
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of

S = TypeVar("S", bound=Switch)
PARTIAL = Unknown("the dump holds a part of the configuration only")
NOT_READ = Unknown("this is not modelled for the operating system")
ETHERNET_AND_TAG = 22
"""What a frame has beside its IP packet: Ethernet header, one VLAN tag (IEEE Std 802.1Q) and FCS."""
_UNSHARED = ("enabled", "speed_gbps", "pfc_mode", "no_drop", "honoured_only", "pause_rx", "pause_tx", "watchdog")
"""What a member port does not take from its port-channel."""

Resolve = Callable[[Config[S], Body, Unset], PortConfig]
"""Turns the statements in force on a port into its configuration; the Unset has the place of a silent port."""


class Assembler(Generic[S]):
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(
        self, config: Config[S], port: re.Pattern[str], rates: Mapping[str, float], resolve: Resolve[S]
    ) -> None:
        """*port* matches the names of physical ports, its group `kind` what *rates* gives the Gb/s of."""
        self._config = config
        self._port_name = port
        self._rates = rates
        self._resolve = resolve
        self._nothing = Unset(Where(config.file, 0, relative=True))
        self._configs: dict[tuple[object, ...], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        found = self._config.interfaces.items()
        return tuple(self._port(name, entry) for name, entry in found if self._port_name.match(name))

    def _port(self, name: str, entry: Entry) -> Port:
        joined = entry.own.lag
        lag = self._config.interfaces.get(joined.value) if isinstance(joined, Known) else None
        unseen = joined if isinstance(joined, Unknown) else _NO_LAG if isinstance(joined, Known) and not lag else None
        rate = self._rate(name)
        key = (id(entry.body), id(lag.body) if lag else 0, unseen, rate)
        if key not in self._configs:
            body = _inherited(entry, lag, unseen)
            if rate is not None and is_silent(body.speed_gbps):
                body = replace(body, speed_gbps=Known(rate, Origin.LEARNED, self._nothing.where))
            found = self._resolve(self._config, body, self._nothing)
            self._configs[key] = found if self._config.complete else _of_excerpt(found)
        parent, colon, _ = name.rpartition(":")
        alone = Known(None, Origin.INTENDED, entry.where)
        left = Known(None, Origin.INTENDED, joined.where) if isinstance(joined, Unset) and joined.where else alone
        return Port(
            name=name,
            config=self._configs[key],
            where=entry.where,
            lag=left if isinstance(joined, Unset) else joined,
            parent=Known(parent, Origin.INTENDED, entry.where) if colon else alone,
            description=value_of(entry.own.description),
        )

    def _rate(self, name: str) -> float | None:
        """Return the rate that an interface's name tells, None where it tells none."""
        match = self._port_name.match(name)
        return self._rates.get(match["kind"]) if match else None


_NO_LAG = Unknown("the port-channel that this port belongs to is not in the dump")


def _inherited(entry: Entry, lag: Entry | None, unseen: Unknown | None) -> Body:
    """Return the statements of a port over those of its port-channel, which are unknown with the reason *unseen*."""
    own = entry.body
    if unseen:
        under = Body(own.where, trust=unseen, forwarding=unseen, tagged=unseen, policy=unseen, mtu=unseen)
    elif lag is not None:
        under = placed(lag.body, lag.where)
    else:
        return own
    return replace(laid_over(under, own, own_first), **{name: getattr(own, name) for name in _UNSHARED})


D = TypeVar("D", Ethernet, LinkPause, Pfc, Classification, TrafficClass, Marking, Queue)


def _of_excerpt(found: PortConfig) -> PortConfig:
    """Return a port of an excerpt: what is not written there may stand elsewhere, and no default is told."""
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


def ethernet(body: Body, nothing: Unset, mtu: Setting[int], ip: Setting[int], frame: Setting[int]) -> Ethernet:
    """Return a port's link settings; how its MTU is counted is the operating system's matter."""
    return Ethernet(
        enabled=either(body.enabled, nothing),
        speed_gbps=either(body.speed_gbps, nothing),
        lanes=NOT_READ,
        fec=NOT_READ,
        mtu_bytes=mtu,
        ip_mtu_bytes=ip,
        max_frame_bytes=frame,
        forwarding=either(body.forwarding, nothing),
        tagged=either(body.tagged, nothing),
    )


def framed(body: Body, nothing: Unset) -> Ethernet:
    """Return the link settings of a system that gives routed ports an MTU and all ports a longest frame."""
    frame = either(body.max_frame, nothing)
    routed: Setting[int] = either(body.mtu, nothing)
    if not isinstance(body.forwarding, Known):
        open_ = Unknown("whether the port is routed or switched is not written")
        return ethernet(body, nothing, mtu=routed, ip=open_, frame=frame)
    if body.forwarding.value is Forwarding.ROUTED:
        return ethernet(body, nothing, mtu=routed, ip=routed, frame=frame)
    return ethernet(body, nothing, mtu=frame, ip=_less(frame, ETHERNET_AND_TAG), frame=frame)


def _less(length: Setting[int], overhead: int) -> Setting[int]:
    return replace(length, value=length.value - overhead) if isinstance(length, Known) else length


def pfc(body: Body, nothing: Unset, mode: Setting[PfcMode], watchdog: Watchdog) -> Pfc:
    """Return priority flow control of a port."""
    paused = [priority for priority, said in body.no_drop.items() if value_of(said)]
    only = [said for priority in paused if value_of(said := body.honoured_only.get(priority, nothing))]
    silenced = Known((), Origin.INTENDED, only[0].where) if only and isinstance(only[0], Known) else None
    return Pfc(
        mode=mode,
        priorities=never_dropped(body.no_drop, nothing),
        tx_priorities=silenced or nothing,
        rx_priorities=nothing,
        watchdog=watchdog,
    )


def pause(body: Body, nothing: Unset) -> LinkPause:
    """Return IEEE 802.3x link pause of a port."""
    return LinkPause(either(body.pause_rx, nothing), either(body.pause_tx, nothing))


def sorting(body: Body, found: Classification) -> Classification:
    """Return how a port sorts packets: *found*, unless a traffic policy, which is not modelled, decides."""
    policy = body.policy
    if isinstance(policy, Unset):
        return found
    told = (
        f"the traffic policy {policy.value} decides, which is not modelled" if isinstance(policy, Known) else policy.why
    )
    why = Unknown(told)
    return replace(found, trust=why, dscp_to_class=why, pcp_to_class=why, default_class=why, classifiers=why)


def lossless(mode: Setting[PfcMode], no_drop: Setting[bool]) -> Setting[bool]:
    """Return whether a class is never dropped: with PFC off none is."""
    if isinstance(mode, Known) and mode.value is PfcMode.OFF:
        return Known(value=False, origin=mode.origin, where=mode.where)
    return no_drop


def queues(body: Body, nothing: Unset, build: Callable[[int, QueueBody], Queue]) -> Setting[tuple[Queue, ...]]:
    """Return the egress queues, where anything is written of one."""
    if not body.queues:
        return nothing
    found = tuple(build(number, said) for number, said in sorted(body.queues.items()))
    return Known(found, Origin.INTENDED, next(iter(body.queues.values())).where)


def all_queues(body: Body) -> Body:
    """Return the statements with an empty one for each queue that has none, where any has one.

    A queue that is left out counts as one that does not mark; where no default is documented, it is merely silent.
    """
    if not body.queues:
        return body
    return replace(body, queues={number: QueueBody(body.where) for number in range(8)} | body.queues)


def names(
    config: Config[S], built_in: Mapping[str, frozenset[str]]
) -> tuple[tuple[NamedObject, ...], tuple[NamedObject, ...]]:
    """Return the references that lead nowhere and the definitions that no interface uses; none of an excerpt."""
    used: dict[tuple[str, str], Where] = {}
    for head, uses in ((None, config.switch.uses()), *((e.where, _uses(e.body)) for e in config.interfaces.values())):
        for kind, name in uses:
            if isinstance(name, Known) and name.where:
                used.setdefault((kind, name.value), name.where.at(head) if head else name.where)
    if not config.complete:
        return (), ()
    known = {(kind, name) for kind, own in built_in.items() for name in own}
    defined = {key: found.where for key, found in config.objects.items() if not isinstance(found, Unset)}
    undefined = (NamedObject(*key, where) for key, where in used.items() if key not in defined and key not in known)
    unattached = (NamedObject(*key, where) for key, where in defined.items() if key not in used and key not in known)
    return tuple(undefined), tuple(unattached)


def _uses(body: Body) -> Iterable[tuple[str, Setting[str]]]:
    """Return the named objects that a port uses, by their kind."""
    return (*body.names.items(), *((DROP_PROFILE, queue.profile) for queue in body.queues.values()))
