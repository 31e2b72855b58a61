"""Operational values beside configured ones: they fill gaps, and each contradiction is kept.

A value with different configured and operational states is Unknown, because either may be active after the next
`nv config apply`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, TypeVar

from auditor.grammar.optics import merge_modules
from auditor.model.device import StateDifference
from auditor.model.port import Pfc, Port, PortConfig
from auditor.model.qos import Queue, Threshold, TrafficClass, Unit, ValueMap
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.cumulus.captures import PortStatus
from auditor.systems.cumulus.profiles import make_traffic_class
from auditor.util.values import dataclass

T = TypeVar("T")
TOLERANCE = 0.1
"""Thresholds are shown rounded, and the hardware rounds them up again (NVIDIA documents 150000 bytes as 159744)."""


@dataclass(slots=True)
class _Referee:
    """A comparison of values that keeps the contradictions.

    With `is_part`, the configuration is but a few typed lines: a default stands for what was not shown, and no more.
    `is_compared`: some value is known from both. `port` is the port of which the output at hand speaks, empty where it
    speaks of all.
    """

    is_part: bool = False
    differences: dict[tuple[Where | None, str], StateDifference] = field(default_factory=dict)
    is_compared: bool = False
    port: str = ""

    def settle(self, what: str, written: Setting[T], learned: Setting[T]) -> Setting[T]:
        """Return the value of both sources; the operational one if nothing is configured."""
        if not isinstance(learned, Known):
            return written
        if not isinstance(written, Known):
            return learned if written == NOT_COLLECTED or isinstance(written, Unset) else written
        if self.gives_way(written):
            return learned
        self.is_compared = True
        if _same(written.value, learned.value):
            return written
        return self.differ(what, written, learned)

    def gives_way(self, written: Known[Any]) -> bool:
        """Return whether a value is a default that an output stands above."""
        return self.is_part and written.origin is Origin.DEFAULT

    def differ(self, what: str, written: Known[T], learned: Known[T]) -> Unknown:
        """Note a contradiction."""
        place = learned.where
        why = f"{what} is {_format(learned.value)} in operation, but {_format(written.value)} by the configuration"
        if place:
            said = _format(learned.value), _format(written.value)
            at = None if written.where is None or written.where.relative else written.where
            self.differences.setdefault((place, what), StateDifference(what, self.port, *said, place, at))
        return Unknown(f"{why} ({place.file}:{place.line})" if place else why)


def _same(a: object, b: object) -> bool:
    if isinstance(a, Threshold) and isinstance(b, Threshold):
        return a.unit is b.unit and abs(a.value - b.value) <= TOLERANCE * max(a.value, b.value)
    return a == b


def _format(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, Threshold):
        return f"{value.value:.10g} {value.unit.value}"
    return str(value)


def merge_captures(
    ports: Sequence[Port], outputs: Sequence[PortStatus], *, is_part: bool = False
) -> tuple[tuple[Port, ...], tuple[StateDifference, ...] | None]:
    """Return *ports* with their operational state, and where that differs; None if no output shows a value.

    With *is_part*, *ports* show a part of the configuration alone.
    """
    referee = _Referee(is_part)
    found = {port.name: port for port in ports}
    for learned in outputs:
        if learned.port:
            found.setdefault(learned.port, Port(learned.port, PortConfig(), learned.where))
    for learned in _lay_own_over_all(tuple(found), outputs):
        done: dict[int, PortConfig] = {}
        for name in [learned.port] if learned.port else list(found):
            port = found[name]
            referee.port = learned.port
            if id(port.config) not in done:
                done[id(port.config)] = _config(referee, port.config, learned)
            found[name] = replace(
                port,
                config=done[id(port.config)],
                mac=learned.mac if isinstance(learned.mac, Known) else port.mac,
                counters=learned.counters or port.counters,
                peer=learned.peer if isinstance(learned.peer, Known) else port.peer,
                hardware=replace(port.hardware, module=merge_modules(learned.module, port.hardware.module)),
            )
    differences = tuple(referee.differences.values())
    return tuple(found.values()), differences if differences or referee.is_compared else None


def _lay_own_over_all(ports: Iterable[str], outputs: Sequence[PortStatus]) -> Iterator[PortStatus]:
    """Yield the outputs, in which a port's own answer counts before one for all ports, whatever comes first."""
    general = [each for each in outputs if not each.port]
    own: dict[str, list[PortStatus]] = {}
    for each in outputs:
        own.setdefault(each.port, []).append(each)
    own.pop("", None)
    if not (general and own):
        yield from outputs
        return
    for port in ports:
        if port in own:
            yield _combine([*own[port], *general])
            yield from own[port][1:]
        else:
            yield from (replace(each, port=port) for each in general)


def _combine(outputs: Sequence[PortStatus]) -> PortStatus:
    """Return outputs of one port as one, in which the first of them that has a value gives it."""
    said: dict[str, object] = {}
    for name in (each.name for each in fields(PortStatus)):
        values = [getattr(each, name) for each in outputs]
        if isinstance(values[0], dict):
            said[name] = {key: value for each in reversed(values) for key, value in each.items()}
        elif name not in {"port", "where"}:
            said[name] = next((value for value in values if isinstance(value, Known)), values[0])
    return replace(outputs[0], **said)  # type: ignore[arg-type]  # names of fields with their own types


def _config(referee: _Referee, config: PortConfig, learned: PortStatus) -> PortConfig:
    pfc, sorting = config.pfc, config.classification
    paused = referee.settle("PFC priority", pfc.priorities, learned.paused)
    queues = config.queues
    if queues == NOT_COLLECTED:
        queues = _list_queues(learned)
    if isinstance(queues, Known):
        queues = replace(queues, value=tuple(_queue(referee, q, learned) for q in queues.value))
    ethernet = config.ethernet
    settled = replace(
        config,
        ethernet=replace(
            ethernet,
            enabled=referee.settle("the port's state", ethernet.enabled, learned.enabled),
            speed_gbps=referee.settle("the speed", ethernet.speed_gbps, learned.speed_gbps),
            mtu_bytes=referee.settle("the MTU", ethernet.mtu_bytes, learned.mtu_bytes),
            fec=referee.settle("FEC", ethernet.fec, learned.fec),
        ),
        pfc=replace(
            pfc,
            oper=_runs(learned) if isinstance(learned.paused, Known) else pfc.oper,
            priorities=paused,
            tx_priorities=_direction(referee, "PFC sending", pfc.tx_priorities, learned.pauses, learned.paused),
            rx_priorities=_direction(referee, "PFC receiving", pfc.rx_priorities, learned.honours, learned.paused),
            watchdog=replace(
                pfc.watchdog, enabled=referee.settle("the PFC watchdog", pfc.watchdog.enabled, learned.watchdog)
            ),
        ),
        classification=replace(
            sorting,
            classes=_classes(referee, sorting.classes, learned),
            trust=referee.settle("trust", sorting.trust, learned.trust),
            dscp_to_class=_map(referee, "DSCP", sorting.dscp_to_class, learned.classes),
            pcp_to_class=_map(referee, "PCP", sorting.pcp_to_class, learned.pcp_classes),
        ),
        queues=queues,
        cable_length_m=referee.settle("the cable length", config.cable_length_m, learned.cable_length_m),
    )
    return config if settled == config else settled


def _runs(learned: PortStatus) -> Setting[bool]:
    paused = learned.paused
    if not isinstance(paused, Known):
        return paused
    on = any(not isinstance(s, Known) or s.value for s in (learned.pauses, learned.honours))
    return Known(bool(paused.value) and on, Origin.LEARNED, paused.where)


def _direction(
    referee: _Referee,
    what: str,
    written: Setting[tuple[int, ...]],
    on: Setting[bool],
    paused: Setting[tuple[int, ...]],
) -> Setting[tuple[int, ...]]:
    if not isinstance(on, Known) or not isinstance(paused, Known):
        return written
    return referee.settle(what, written, Known(paused.value if on.value else (), Origin.LEARNED, on.where))


def _map(
    referee: _Referee, what: str, written: Setting[ValueMap], learned: Mapping[int, Known[str]]
) -> Setting[ValueMap]:
    """Compare a map entry by entry: one that differs makes the whole map unknown."""
    if not learned:
        return written
    if not isinstance(written, Known):
        first = next(iter(learned.values()))
        return Known(dict(learned), Origin.LEARNED, first.where)
    if referee.gives_way(written):
        first = next(iter(learned.values()))
        return Known({**written.value, **learned}, Origin.LEARNED, first.where)
    for point, entry in learned.items():
        own = written.value.get(point)
        if own and own.value != entry.value:
            return referee.differ(f"the class of {what} {point}", own, entry)
    return written


def _classes(
    referee: _Referee, written: Setting[tuple[TrafficClass, ...]], learned: PortStatus
) -> Setting[tuple[TrafficClass, ...]]:
    """Return the switch priorities as configured, else those whose queue an output shows."""
    is_open = written == NOT_COLLECTED or (isinstance(written, Known) and referee.gives_way(written))
    if not (is_open and learned.queues):
        return written
    pfc = Pfc(priorities=learned.paused)
    found = tuple(make_traffic_class(number, queue, pfc) for number, queue in sorted(learned.queues.items()))
    return Known(found, Origin.LEARNED, learned.where)


def _list_queues(learned: PortStatus) -> Setting[tuple[Queue, ...]]:
    """Return the queues that an output names, without settings."""
    marking = learned.marking_queues
    numbers = {*learned.schedulers, *(marking.value if isinstance(marking, Known) else ())}
    if not numbers:
        return NOT_COLLECTED
    return Known(tuple(Queue(number) for number in sorted(numbers)), Origin.LEARNED, learned.where)


def _queue(referee: _Referee, queue: Queue, learned: PortStatus) -> Queue:
    marking = learned.marking_queues
    told: Setting[bool] = Unset()
    if isinstance(marking, Known):
        told = Known(queue.queue in marking.value, Origin.LEARNED, marking.where)
    name = f"queue {queue.queue}"
    found = replace(queue, ecn=referee.settle(f"ECN of {name}", queue.ecn, told))
    if isinstance(told, Known) and told.value:
        found = replace(
            found,
            ecn_min=referee.settle(f"the ECN minimum of {name}", queue.ecn_min, _depth(learned.kmin_bytes)),
            ecn_max=referee.settle(f"the ECN maximum of {name}", queue.ecn_max, _depth(learned.kmax_bytes)),
            ecn_max_probability=referee.settle(
                f"the ECN probability of {name}", queue.ecn_max_probability, learned.probability
            ),
        )
    share = learned.schedulers.get(queue.queue)
    if share:
        scheduler, percent = share.value
        found = replace(
            found,
            scheduler=referee.settle(
                f"the scheduling of {name}", queue.scheduler, Known(scheduler, Origin.LEARNED, share.where)
            ),
        )
        if percent is not None:
            told_share = Known(percent, Origin.LEARNED, share.where)
            share_ = referee.settle(f"the bandwidth of {name}", queue.bandwidth_percent, told_share)
            found = replace(found, bandwidth_percent=share_)
    fed = tuple(sorted(p for p, q in learned.queues.items() if q.value == queue.queue))
    if learned.queues and len(learned.queues) == 8:  # noqa: PLR2004  all eight switch priorities were shown
        first = next(iter(learned.queues.values()))
        told_fed = Known(fed, Origin.LEARNED, first.where)
        found = replace(found, priorities=referee.settle(f"what feeds {name}", queue.priorities, told_fed))
    return found


def _depth(size: Setting[float]) -> Setting[Threshold]:
    if not isinstance(size, Known):
        return Unset()
    return Known(Threshold(round(size.value), Unit.BYTES), Origin.LEARNED, size.where)
