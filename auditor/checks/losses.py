"""Counters that prove a loss by themselves, whatever its cause: discards, resent packets, pauses without end."""

from collections.abc import Callable, Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params
from auditor.model.counters import Counter, CounterKind, Growth, identify_counter, select_counters
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.nic import find_other_fabric
from auditor.model.port import PfcMode, Port, PortConfig
from auditor.model.setting import Setting, Undetermined, value_of
from auditor.packet.classify import takes_part
from auditor.packet.number_spaces import list_groups_of, list_queues_of
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class PortCounter:
    """A counter of a port: its kind, and the priority, queue or group that it is of."""

    port: Port
    kind: CounterKind
    counter: Counter

    @property
    def growth(self) -> Growth | None:
        """How the counter grew since an earlier sample, None without one."""
        return (self.port.growths or {}).get(self.counter.name)

    def report(self, message: str, context: Context, *, related: tuple[Related, ...] = ()) -> Finding:
        """Return a finding at the line of the counter, with its growth where an earlier sample tells it."""
        port = self.port
        named = f"{self.counter.name}: {self.growth}" if self.growth else self.counter.name
        place = port.locate(self.counter.value.where) or port.where
        return Finding(
            f"{message} ({named})",
            place,
            key=f"{port.name} {self.counter.name}",
            device=context.device.name,
            port=port.name,
            related=related,
        )


_CLASS_DISCARDS = {
    CounterKind.DISCARDED: "priority",
    CounterKind.GROUP_DISCARDED: "priority group",
    CounterKind.QUEUE_DISCARDED: "queue",
    CounterKind.QUEUE_WRED_DISCARDED: "queue",
}
"""Discards that are counted by class, and the number space of each."""


def list_class_discards(device: Device, context: Context) -> Iterable[PortCounter]:
    """Return each counter of discards that is of one priority, priority group or queue without loss.

    A count of a class whose protection no dump tells is among them if it is not zero.
    """
    return tuple(
        PortCounter(port, kind, counter)
        for port in device.ports
        if port.counters and not port.config.ethernet.is_shut
        for kind, counter in _list_counters(port, _CLASS_DISCARDS)
        if counter.number is not None and _is_lossless(port.config, kind, counter, context)
    )


def _list_counters(port: Port, kinds: Iterable[CounterKind]) -> Iterator[tuple[CounterKind, Counter]]:
    wanted = set(kinds)
    for name, value in (port.counters or {}).items():
        found = identify_counter(name)
        if found and found[0] in wanted:
            yield found[0], Counter(name, found[1], value)


def _is_lossless(config: PortConfig, kind: CounterKind, counter: Counter, context: Context) -> bool:
    """Return whether the counter is of a class without loss; an unknown class counts as one if it has lost packets."""
    try:
        return counter.number in _list_lossless_numbers(config, kind, context)
    except Undetermined:
        return counter.value.value > 0


def _list_lossless_numbers(config: PortConfig, kind: CounterKind, context: Context) -> set[int]:
    """Return the priorities, groups or queues that never drop; raises Undetermined."""
    paused = _list_paused(config, context)
    if not paused or kind is CounterKind.DISCARDED:
        return set(paused)
    if kind is CounterKind.GROUP_DISCARDED:
        kept = {g.pg for g in value_of(config.priority_groups) or () if value_of(g.lossless)}
        return kept | _require(list_groups_of(config, paused), "priority groups")
    return _require(list_queues_of(config, paused), "queues")


def _require(numbers: set[int], name: str) -> set[int]:
    if not numbers:
        raise Undetermined(f"the {name} of the paused priorities are not known")
    return numbers


def _list_paused(config: PortConfig, context: Context) -> tuple[int, ...]:
    """Return the priorities that the port pauses, else those that a declared intent calls lossless."""
    pfc = config.pfc
    is_running = value_of(pfc.oper) or value_of(pfc.mode) is PfcMode.ON
    if not is_running and value_of(pfc.mode) is PfcMode.OFF:
        return ()
    if is_running and value_of(pfc.priorities) is not None:
        return pfc.priorities.known().value
    if context.intent.declared and not context.intent.is_ecn_only:
        return context.intent.lossless.known().value
    mode: Setting[PfcMode] = pfc.mode
    mode.known()
    return pfc.priorities.known().value


class ClassParams(Params):
    """How many discards make a finding."""

    least_discards: int = Field(default=1, ge=1, description="packets, or bytes where the switch counts bytes")


def class_discarded(given: PortCounter, params: ClassParams, context: Context) -> Iterator[Finding]:
    """A class that pauses its senders loses a packet only where the pauses do not work or come too late."""
    counter = given.counter
    try:
        _list_lossless_numbers(given.port.config, given.kind, context)
    except Undetermined:
        why = "no capture tells whether the class of the discarded packets is lossless"
        raise Undetermined(why, given.port.locate(counter.value.where), port=given.port.name) from None
    if counter.value.value >= params.least_discards:
        unit = "bytes" if counter.name.endswith("_bytes") else "packets"
        message = f"{counter.value.value:,} {unit} of lossless {_CLASS_DISCARDS[given.kind]} {counter.number}"
        yield given.report(f"{message} were discarded", context)


@dataclass(frozen=True, slots=True)
class RdmaCounters:
    """A port whose NIC has counted what its RDMA transport lost, and one kind of loss."""

    port: Port
    kind: CounterKind
    counters: tuple[Counter, ...]


_LOSSES = {
    CounterKind.SEQUENCE_NAK: "times a peer missed packets and asked for them again",
    CounterKind.OUT_OF_SEQUENCE: "packets arrived out of sequence",
    CounterKind.RDMA_DISCARDED: "arriving RDMA packets were discarded",
    CounterKind.NO_BUFFER: "packets found no receive request posted",
}
_ALSO = (
    CounterKind.OUT_OF_SEQUENCE,
    CounterKind.TIMEOUT,
    CounterKind.ADAPTIVE_RETRANSMISSION,
    CounterKind.LINK_DOWN,
    CounterKind.CORRUPT,
)
"""What stands beside lost packets: more of their effects, and links that fail or damage frames."""
_OF_PORT = frozenset({CounterKind.DISCARDED, CounterKind.RING_DISCARDED})
"""What is counted for all traffic of a port."""
_SOFTWARE_QUEUES = "rx_out_of_buffer"
"""The same for the queues of the kernel's network stack."""


def list_rdma_losses(device: Device, context: Context) -> Iterable[RdmaCounters]:
    """Return each kind of loss that RDMA NICs count; none for a fabric that may drop, or for InfiniBand."""
    if context.intent.is_ecn_only:
        return ()
    of_kinds: dict[tuple[str, CounterKind], list[PortCounter]] = {}
    for each in list_rdma_counters(device, _LOSSES):
        of_kinds.setdefault((each.port.name, each.kind), []).append(each)
    return tuple(
        RdmaCounters(found[0].port, found[0].kind, tuple(each.counter for each in found)) for found in of_kinds.values()
    )


def list_rdma_counters(device: Device, kinds: Iterable[CounterKind]) -> Iterator[PortCounter]:
    """Yield the counters of *kinds* that the transport of RoCE NICs has."""
    for port in device.ports:
        if port.counters and _may_be_roce(port.config):
            for kind in kinds:
                if kind in _OF_PORT:
                    continue
                for counter in select_counters(port.counters, kind):
                    if counter.name != _SOFTWARE_QUEUES:
                        yield PortCounter(port, kind, counter)


def spreads_packets(given: PortCounter) -> bool:
    """Return whether adaptive routing sends packets out of sequence to the NIC; raises Undetermined."""
    nic = given.port.config.nic
    spreads = value_of(nic.adaptive_routing) if nic else None
    if spreads is None:
        why = "packets arrived out of sequence: by a loss or by adaptive routing, of which no capture tells"
        raise Undetermined(why, given.port.locate(given.counter.value.where), port=given.port.name)
    return spreads


def _may_be_roce(config: PortConfig) -> bool:
    nic = config.nic
    return nic is not None and not find_other_fabric(nic)


class EventParams(Params):
    """How many events make a finding."""

    least_events: int = Field(default=100, ge=1, description="fewer come with a link that goes down or a job that ends")


def rdma_lost(given: RdmaCounters, params: EventParams, context: Context) -> Iterator[Finding]:
    """A NIC resends all that followed a lost packet, and its peer asks for it or a timer runs out."""
    worst = max(given.counters, key=lambda each: each.value.value)
    if worst.value.value < params.least_events:
        return
    if given.kind is CounterKind.OUT_OF_SEQUENCE:
        naks = select_counters(given.port.counters, CounterKind.SEQUENCE_NAK)
        if any(each.value.value >= params.least_events for each in naks):
            return  # the finding on these names both
        if spreads_packets(PortCounter(given.port, given.kind, worst)):
            return
    others = [each for kind in _ALSO if kind is not given.kind for each in select_counters(given.port.counters, kind)]
    related = tuple(
        Related(f"{each.name} {each.value.value:,}", place)
        for each in others
        if each.value.value and (place := given.port.locate(each.value.where))
    )
    message = f"{worst.value.value:,} {_LOSSES[given.kind]}"
    yield PortCounter(given.port, given.kind, worst).report(message, context, related=related)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A NIC's counter of packets that it had no room for, and of all that arrived if the dump tells."""

    port: Port
    kind: CounterKind
    discarded: Counter
    received: int | None


def list_arrivals(device: Device, _context: Context) -> Iterable[Arrivals]:
    """Return the discards of NICs for RDMA; on a host that does not tell which those are, of all NICs."""
    if device.kind != "host":
        return ()
    is_told = any(takes_part(port.config) for port in device.ports)
    found = []
    for port in device.ports:
        if not port.counters or (is_told and not takes_part(port.config)):
            continue
        received = select_counters(port.counters, CounterKind.RECEIVED)
        total = max((each.value.value for each in received), default=None)
        for kind in (CounterKind.DISCARDED, CounterKind.RING_DISCARDED):
            of_port = select_counters(port.counters, kind)
            found += [Arrivals(port, kind, each, total) for each in of_port if not each.name.startswith("tx_")]
    return tuple(found)


class ShareParams(Params):
    """Which discards make a finding: so many, and if all arrivals were counted such a share of them."""

    least_packets: int = Field(default=1000, ge=1)
    least_share: float = Field(default=1e-5, ge=0, le=1, description="of the packets that arrived")


def arrivals_discarded(given: Arrivals, params: ShareParams, context: Context) -> Iterator[Finding]:
    """A NIC that has no room for what arrives neither keeps it nor, in time, pauses who sends it."""
    count, received = given.discarded.value.value, given.received
    if count < params.least_packets or (received and count < params.least_share * received):
        return
    share = f", {100 * count / received:.2g} % of what arrived," if received else ""
    message = f"{count:,} arriving packets{share} were discarded for want of a buffer"
    yield PortCounter(given.port, given.kind, given.discarded).report(message, context)


def _list_of_kind(kind: CounterKind) -> Callable[[Device, Context], Iterable[PortCounter]]:
    def list_counters(device: Device, _context: Context) -> Iterable[PortCounter]:
        return tuple(
            PortCounter(port, kind, counter)
            for port in device.ports
            if port.counters
            for counter in select_counters(port.counters, kind)
        )

    return list_counters


_list_storms = _list_of_kind(CounterKind.PAUSE_STORM)
_list_ignored = _list_of_kind(CounterKind.CNP_IGNORED)


def list_storms(device: Device, context: Context) -> Iterable[PortCounter]:
    """Return the counters of pauses that the NIC itself ended; long pauses alone are no fault."""
    return tuple(each for each in _list_storms(device, context) if "error" in each.counter.name)


def list_ignored_cnps(device: Device, context: Context) -> Iterable[PortCounter]:
    """Return the counters of CNPs that NICs ignored, where CNPs are meant to slow senders down."""
    return _list_ignored(device, context) if context.intent.uses_dcqcn else ()


def storm_counted(given: PortCounter, _params: Params, context: Context) -> Iterator[Finding]:
    """A NIC that pauses without end stops the fabric; where it ends the pause by itself, it drops what arrives."""
    if given.counter.value.value:
        yield given.report(f"the NIC paused for too long {given.counter.value.value:,} times and gave up", context)


def cnps_ignored(given: PortCounter, params: EventParams, context: Context) -> Iterator[Finding]:
    """A sender that ignores CNPs does not slow down, and pauses alone hold it back."""
    if given.counter.value.value >= params.least_events:
        yield given.report(f"the NIC ignored {given.counter.value.value:,} CNPs", context)
