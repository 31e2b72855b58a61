"""ECN marking at the RDMA queue."""

import re
from collections.abc import Iterable, Iterator

from auditor.checks.base import (
    Context,
    Params,
    PortQueue,
    PortTraffic,
    Whole,
    list_marking_queues,
    list_signalled_traffic,
    list_switch_rdma_traffic,
)
from auditor.intent import Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, LossKind, Related, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import Queue, WredDrop
from auditor.model.setting import Known, Origin, Undetermined, Where, is_chosen, value_of
from auditor.packet.classify import classify, find_lossless_class, find_queue
from auditor.util.regex import regex

_MARKING = regex(r"ecn|wred|random-detect|drop-profile|congestion", re.IGNORECASE)
"""Words of lines that may mark, in the syntax of any system."""


def _find_rdma_queue(given: PortTraffic) -> tuple[int, Queue | None, Where | None]:
    """Return number, queue and place of the queue that carries the traffic; raises Undetermined."""
    traffic = given.traffic
    found = None
    if value_of(traffic.lossless) is not False:
        found = find_lossless_class(given.port, traffic.priority.known().value)
    if found is None:
        found, entry = classify(given.port, traffic)
        if value_of(traffic.lossless) and value_of(found.internal) not in {None, value_of(traffic.priority)}:
            raise Undetermined(
                "RDMA is sorted into another class here: it leaves by the queue of other ports' class", entry.where
            )
    queues = given.port.queues.known()
    return found.queue.known().value, find_queue(given.port, found), queues.where


def _drops_rdma(curves: Iterable[WredDrop]) -> bool:
    """Return whether one of *curves* drops RDMA packets: they are green, unless a policer has coloured them."""
    return any(curve.color in {"any", "green"} for curve in curves)


def ecn_missing(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """Without marks the senders learn of congestion from pauses and losses only."""
    number, queue, where = _find_rdma_queue(given)
    symptom = Symptom((Sign.QUEUE_OVERFLOWS,), queue=number)
    if queue is None:
        yield Finding(
            f"queue {number} ({given.traffic.name}) has no ECN: no output policy names it",
            where,
            key=given.traffic.name,
            loss=LossKind.NO_MARKS,
            symptom=symptom,
        )
        return
    if _drops_rdma(value_of(queue.wred_drop) or ()):
        return
    ecn = queue.ecn.known()
    if not ecn.value:
        message = f"queue {number} ({given.traffic.name}) does not mark ECN"
        yield Finding(message, ecn.where, key=given.traffic.name, loss=LossKind.NO_MARKS, symptom=symptom)


def list_silent_fabrics(given: Whole, _params: object) -> Iterable[Whole]:
    """Return the fabric, where the intent does not say what slows senders down."""
    intents = (given.intents.general, *(role.intent for role in given.intents.roles))
    is_open = any(not intent.is_ecn_only and not isinstance(intent.congestion_control, Known) for intent in intents)
    return (given,) if is_open and any(_list_pausing(given)) else ()


def nothing_marks(given: Whole, _params: Params, _context: object) -> Iterator[Finding]:
    """Pauses alone hold senders back: congestion spreads to flows that do not cause it."""
    pausing = list(_list_pausing(given))
    silent = [at for at in pausing if given.intents.of(at.device.own_name).nothing_marks]
    quiet = [at for at in silent if not _may_mark(at.device)]
    if silent and not quiet:
        raise silent[0].make_undetermined("lines of its configuration that may mark ECN are not understood, or missing")
    if quiet:
        first = quiet[0]
        what = f"none of {len(quiet)} ports that pause marks" if len(quiet) > 1 else "the port pauses and does not mark"
        yield Finding(
            f"{what} ECN, and no NIC is shown to answer marks: if so meant, declare `congestion_control: none`",
            first.port.locate(first.port.config.pfc.mode.known().where) or first.port.where,
            key="nothing marks",
            device=first.device.name,
            port=first.port.name,
        )
    elif not any(isinstance(at.port.config.queues, Known) for at in pausing):
        raise pausing[0].make_undetermined("no capture shows whether its queues mark ECN")


def _may_mark(device: Device) -> bool:
    """Return whether lines that mark may stand in what the dump does not show, or what is not understood of it."""
    return device.part is not None or any(_MARKING.search(d.text) for d in device.doubts if not d.understood)


def _list_pausing(given: Whole) -> Iterator[Attached]:
    """Yield the ports of switches on which PFC runs."""
    for device in given.fabric.devices:
        for port in device.ports if device.kind == "switch" else ():
            pfc = port.config.pfc
            is_up = not port.config.ethernet.is_shut
            paused = value_of(pfc.priorities)
            if is_up and paused and value_of(pfc.mode) is PfcMode.ON:
                yield Attached(device, port)


def list_undroppable_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on switch ports; without a known priority, each class that the port pauses."""
    for given in list_switch_rdma_traffic(port, context):
        paused = value_of(port.pfc.priorities) or ()
        if isinstance(given.traffic.priority, Known) or not paused:
            yield given
            continue
        for number in paused:
            priority = Known(number, Origin.LEARNED)
            kept = Known(value=True, origin=Origin.LEARNED)
            yield PortTraffic(port, Traffic(f"priority {number}", TrafficKind.RDMA, given.traffic.dscp, priority, kept))


def wred_drops(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """WRED without ECN drops what it would otherwise mark; RDMA pays with go-back-N."""
    try:
        _, queue, _ = _find_rdma_queue(given)
    except Undetermined:
        queue = _find_dropping_queue(given)
        if queue is None:
            raise
    if queue is None:
        return
    drops = queue.wred_drop.known()
    if _drops_rdma(drops.value):
        message = f"WRED without ECN drops packets of queue {queue.queue} ({given.traffic.name})"
        refused = queue.ecn.where if isinstance(queue.ecn, Known) and is_chosen(queue.ecn) else None
        is_elsewhere = drops.where and refused not in {None, drops.where}
        yield Finding(
            message,
            refused or drops.where,
            key=given.traffic.name,
            related=(Related("the curve that drops", drops.where),) if is_elsewhere and drops.where else (),
            symptom=Symptom((Sign.WRED_DROPS,), queue=queue.queue),
            is_certain=True,
        )


def _find_dropping_queue(given: PortTraffic) -> Queue | None:
    """Return the queue of the priority's number where every queue drops: then it does not matter which one it is."""
    queues = value_of(given.port.queues) or ()
    all_drop = all(_drops_rdma(value_of(queue.wred_drop) or ()) for queue in queues)
    wanted = value_of(given.traffic.priority)
    return next((queue for queue in queues if queue.queue == wanted), None) if all_drop else None


def list_curved_traffic(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return each RDMA class on switch ports whose queues say apart whether they mark and whether the curve is on."""
    is_told = any(isinstance(queue.curved_colors, Known) for queue in value_of(port.queues) or ())
    return list_signalled_traffic(port, context) if is_told else ()


def curve_switched_off(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """A profile that is to mark green packets, as those of RDMA are, marks none where their curve is off."""
    number, queue, _ = _find_rdma_queue(given)
    if queue is None or not isinstance(queue.curved_colors, Known):
        return
    colors = value_of(queue.ecn_colors)
    if not (value_of(queue.ecn) if colors is None else "green" in colors):
        return
    curved = queue.curved_colors
    if "green" not in curved.value:
        yield Finding(
            f"queue {number} ({given.traffic.name}) is to mark green packets, but their curve is not enabled: "
            "most chips mark none then",
            curved.where,
            key=given.traffic.name,
            is_certain=True,
        )


def curve_inverted(given: PortQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A marking curve needs Kmin <= Kmax; equal ones are step marking and legal."""
    low, high = given.queue.ecn_min.known(), given.queue.ecn_max.known()
    kmin, kmax = low.value, high.value
    if kmin.unit is not kmax.unit:
        raise Undetermined(f"Kmin is in {kmin.unit} and Kmax in {kmax.unit}, which do not compare", low.where)
    if kmin.value > kmax.value:
        number, unit = given.queue.queue, kmin.unit.value
        message = f"Kmin {kmin.value:.10g} {unit} is above Kmax {kmax.value:.10g} {unit} of queue {number}"
        elsewhere = high.where if high.where != low.where else None
        related = (Related("Kmax", elsewhere, is_at_odds=True),) if elsewhere else ()
        yield Finding(message, low.where, key=f"queue {number}", related=related)


def list_curved_queues(port: PortConfig, context: Context) -> Iterable[PortQueue]:
    """Return queues that mark ECN up to a configured probability."""
    return tuple(
        each for each in list_marking_queues(port, context) if isinstance(each.queue.ecn_max_probability, Known)
    )


def curve_flat(given: PortQueue, _params: Params, _context: Context) -> Iterator[Finding]:
    """A curve that does not rise to anything marks nothing up to Kmax; with Kmin = Kmax there is no curve to rise."""
    queue = given.queue
    low, high = value_of(queue.ecn_min), value_of(queue.ecn_max)
    most = queue.ecn_max_probability.known()
    if most.value == 0 and (low is None or low != high):
        message = f"queue {queue.queue} marks nothing up to Kmax: the probability that it reaches there is 0"
        yield Finding(message, most.where, key=f"queue {queue.queue}")
