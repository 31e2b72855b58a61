"""Priority flow control: on at the right priority, at both ends, with a no-drop class behind it."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import (
    Cable,
    Context,
    Params,
    PortTraffic,
    format_priorities,
    is_set_up,
    list_lossless_traffic,
    list_pausing_ports,
)
from auditor.intent import Intent, TrafficKind
from auditor.model.device import NO_DROP_CLASS
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Level, LossKind, Related, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.setting import Known, Origin, Undetermined, Where, is_by_hand, value_of
from auditor.packet.classify import carries, classify, find_deciding_line, find_meant_line, takes_part
from auditor.util.values import dataclass


def describe_origin(value: Known[object]) -> str:
    """Return the origin of a value in words; empty for a configured value."""
    return {Origin.DEFAULT: " by default", Origin.LEARNED: " in operation"}.get(value.origin, "")


def pfc_off(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """A port that never pauses drops the priorities that the fabric calls lossless."""
    traffic, pfc = given.traffic, given.port.pfc
    traffic.lossless.known()
    priority = traffic.priority.known().value
    mode = pfc.mode.known()
    carries(given.port, traffic)
    need = f"priority {priority} ({traffic.name}) is lossless"
    loss = LossKind.NOT_HONOURED if given.port.nic else LossKind.NOT_SENT
    symptom = Symptom((Sign.PAUSES_NOT_HONOURED, Sign.DISCARDED_ON_ARRIVAL), (priority,))
    if mode.value is PfcMode.OFF:
        message = f"PFC is off{describe_origin(mode)}, but {need}"
        yield Finding(message, mode.where, key=traffic.name, loss=loss, symptom=symptom)
    elif mode.value is PfcMode.AUTO:
        oper = pfc.oper
        if not isinstance(oper, Known):
            raise Undetermined("PFC mode is auto, and no capture shows whether it runs", mode.where)
        if not oper.value:
            message = f"PFC mode is auto and DCBX left it off, but {need}"
            yield Finding(message, mode.where or oper.where, key=traffic.name, loss=loss, symptom=symptom)
    else:
        paused = pfc.priorities.known()
        if paused.value and priority not in paused.value:
            message = f"PFC runs for priority {format_priorities(paused.value)}, but {need}"
            yield Finding(message, paused.where, key=traffic.name, loss=loss, symptom=symptom)


def list_chosen_modes(port: PortConfig, context: Context) -> Iterable[PortTraffic]:
    """Return switch ports with a configured mode, each with the first lossless class of the declared intent."""
    if context.device.kind != "switch" or not context.intent.declared or not is_by_hand(port.pfc.mode):
        return ()
    return tuple(t for t in list_lossless_traffic(port, context) if value_of(t.traffic.lossless))[:1]


def pfc_negotiated(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """Mode `auto` runs PFC only as long as the peer speaks DCBX and wants it; an outcome that is captured is judged."""
    traffic, pfc = given.traffic, given.port.pfc
    mode = pfc.mode.known()
    if mode.value is PfcMode.AUTO and not isinstance(pfc.oper, Known):
        priority = traffic.priority.known().value
        message = f"PFC is left to DCBX (mode auto), but priority {priority} ({traffic.name}) is lossless"
        yield Finding(message, mode.where)


def no_drop_class_missing(port: PortConfig, _params: Params, context: Context) -> Iterator[Finding]:
    """PFC that is on pauses nothing while no class is no-drop: packets drop as if it were off."""
    mode = port.pfc.mode.known()
    if mode.value is not PfcMode.ON or context.intent.is_ecn_only:
        return
    paused = port.pfc.priorities.known()
    if not paused.value or _is_pause_of_no_class(port, paused.value):
        lossless = value_of(context.intent.lossless)
        level = None if lossless else Level.WARNING
        symptom = Symptom((Sign.DISCARDED_ON_ARRIVAL, Sign.QUEUE_OVERFLOWS), tuple(lossless or ()))
        says = f"PFC pauses {format_priorities(paused.value)}" if paused.value else "no lossless class is active"
        related = (Related(says, paused.where),) if paused.where else ()
        message = "PFC is on, but no class behind it is no-drop"
        where = _find_lost_class(port, context.intent) or mode.where
        if where != mode.where and mode.where:
            related = (Related("PFC is on", mode.where), *related)
        lacks = (("lacks", NO_DROP_CLASS),)
        yield Finding(message, where, related=related, level=level, loss=LossKind.LOSSY, symptom=symptom, facts=lacks)


def _is_pause_of_no_class(port: PortConfig, paused: Iterable[int]) -> bool:
    """Return whether all classes of a port may drop, and none of them fills the priority group that pauses."""
    classes = value_of(port.classification.classes) or ()
    groups = [group for group in value_of(port.priority_groups) or () if value_of(group.lossless)]
    pausing = [group for group in groups if {*(value_of(group.paused_for) or ())} & {*paused}]
    is_empty = bool(pausing) and all(value_of(group.priorities) == () for group in pausing)
    return is_empty and bool(classes) and all(value_of(each.lossless) is False for each in classes)


def _find_lost_class(port: PortConfig, intent: Intent) -> Where | None:
    """Return the line that keeps lossless RDMA out of a no-drop class, None where no capture shows it."""
    for traffic in intent.of_kind(TrafficKind.RDMA):
        if not value_of(traffic.lossless):
            continue
        try:
            found, entry = classify(port, traffic)
        except Undetermined:
            return find_meant_line(port, traffic)
        if value_of(found.lossless) is False:
            line = find_deciding_line(port, traffic, found, entry)
            return line or find_meant_line(port, traffic)
    return None


def extra_priorities(port: PortConfig, _params: Params, context: Context) -> Iterator[Finding]:
    """Each further paused priority takes buffer from the lossless one and spreads pauses to traffic that may drop.

    What only most ports tell is no rule for all: ports of another role may pause more.
    """
    paused = port.pfc.priorities.known()
    meant = context.intent.lossless.known().value
    extra = set(paused.value) - set(meant)
    if extra:
        level, why = None, f"is not meant to be lossless (lossless: {format_priorities(meant)})"
        if not context.intent.declared:
            level, why = Level.NOTE, f"most ports do not pause (they pause {format_priorities(meant)})"
        message = f"PFC pauses priority {format_priorities(extra)}, which {why}"
        where = _find_pause_line(port, extra) or paused.where
        symptom = Symptom((Sign.PAUSED,), tuple(sorted(extra)))
        key = f"priority {format_priorities(extra)}"
        yield Finding(message, where, key=key, level=level, symptom=symptom, facts=tuple(_list_extra(extra)))


def _list_extra(priorities: set[int]) -> Iterator[tuple[str, str]]:
    """Yield the priorities to leave out, and their code points of 802.1p, each in a line of its own."""
    yield "extra", "\n".join(map(str, sorted(priorities)))
    yield "extra_bits", "\n".join(f"{priority:03b}" for priority in sorted(priorities))


def _find_pause_line(port: PortConfig, priorities: set[int]) -> Where | None:
    """Return the line that makes the class of one of *priorities* no-drop, None if no line does."""
    classes = value_of(port.classification.classes) or ()
    own = (c.lossless for c in classes if value_of(c.pfc_priority) in priorities)
    return next((s.where for s in own if isinstance(s, Known) and s.value and s.where), None)


def list_link_pause_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports on which PFC runs; on a host that does not tell which of its ports are for RDMA, all that pause."""
    is_other = port.nic is not None and not takes_part(port)
    if is_other and not port.ethernet.is_shut and _list_pauses(port):
        return () if context.rdma_ports else (port,)
    return list_pausing_ports(port, context)


def _list_pauses(port: PortConfig) -> list[Known[bool]]:
    return [s for s in (port.pause.rx, port.pause.tx) if isinstance(s, Known) and s.value]


def link_pause(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """IEEE 802.3x pause stops all priorities and takes the place of PFC on most ASICs and NICs."""
    if on := _list_pauses(port):
        names = [n for n, s in (("received", port.pause.rx), ("sent", port.pause.tx)) if value_of(s)]
        level, why = None, " on a port with PFC"
        if value_of(port.pfc.mode) is not PfcMode.ON:
            level, why = Level.NOTE, ": PFC cannot run beside it, if this port is for RDMA"
        message = f"link pause (802.3x) is {' and '.join(names)}{why}"
        yield Finding(message, on[0].where, level=level, symptom=Symptom((Sign.LINK_PAUSED,)))
        return
    port.pause.rx.known()
    port.pause.tx.known()


def pause_not_honoured(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A port that sends pauses and honours none overruns a peer that pauses it; the other way round is legal."""
    sent, honoured = port.pfc.tx_priorities.known(), port.pfc.rx_priorities.known()
    deaf = set(sent.value) - set(honoured.value)
    if deaf:
        related = (Related("pauses are sent", sent.where),) if sent.where else ()
        message = f"sends pauses of priority {format_priorities(deaf)}, but honours none of that priority"
        yield Finding(
            message,
            honoured.where,
            key=f"priority {format_priorities(deaf)}",
            facts=(("priority", min(deaf)), ("priority_bits", f"{min(deaf):03b}")),
            related=related,
            loss=LossKind.NOT_HONOURED,
            symptom=Symptom((Sign.PAUSES_NOT_HONOURED,), tuple(sorted(deaf))),
        )


@dataclass(frozen=True, slots=True)
class CablePriority:
    """A link and one priority that some end of it pauses."""

    cable: Cable
    priority: int


def list_cable_priorities(cable: Cable, _context: object) -> Iterable[CablePriority]:
    """Return each link per priority that either end sends pauses for or honours.

    Where the intent is declared, a priority that it does not call lossless is another rule's matter: the fault is that
    somebody pauses it, not that the other end does not. Nor is that of storage asked for at a NIC that carries none.
    """
    if cable.is_shut:
        return ()
    found: set[int] = set()
    for end in (cable.a, cable.b):
        pfc = end.port.config.pfc
        for setting in (pfc.tx_priorities, pfc.rx_priorities):
            found |= set(value_of(setting) or ())
    if found and cable.intent_a.declared:
        found &= {p for i in (cable.intent_a, cable.intent_b) for p in value_of(i.lossless) or ()}
        found -= _list_foreign_priorities(cable.a, cable.intent_a) | _list_foreign_priorities(cable.b, cable.intent_b)
    return tuple(CablePriority(cable, p) for p in sorted(found))


def _list_foreign_priorities(end: Attached, intent: Intent) -> set[int]:
    """Return the priorities of storage that the NIC at *end*, if it is one, is not known to carry."""
    port = end.port.config
    storage = [t for t in intent.of_kind(TrafficKind.STORAGE) if not is_set_up(port, t)]
    if not storage:
        return set()
    rdma = {value_of(t.priority) for t in intent.of_kind(TrafficKind.RDMA)}
    return {p for t in storage if (p := value_of(t.priority)) is not None} - rdma


def pause_one_sided(given: CablePriority, _params: Params, _context: object) -> Iterator[Finding]:
    """A pause works only where one end sends it and the other honours it; each direction is judged for itself.

    An end that honours pauses it does not send (asymmetric PFC) relies on the other's only where the fabric calls the
    priority lossless.
    """
    cable, priority = given.cable, given.priority
    for near, far, meant in ((cable.a, cable.b, cable.intent_a), (cable.b, cable.a, cable.intent_b)):
        near_pfc, far_pfc = near.port.config.pfc, far.port.config.pfc
        near_tx, near_rx = near.known(near_pfc.tx_priorities), near.known(near_pfc.rx_priorities)
        far_tx, far_rx = far.known(far_pfc.tx_priorities), far.known(far_pfc.rx_priorities)
        sends, honours = priority in near_tx.value, priority in near_rx.value
        lossless = priority in (value_of(meant.lossless) or ())
        lacks = []
        if sends and priority not in far_rx.value:
            lacks.append("honour")
        if honours and (sends or lossless) and priority not in far_tx.value:
            lacks.append("send")
        if lacks:
            proof = far_rx if lacks[0] == "honour" else far_tx
            yield _make_one_sided(near, far, priority, lacks, proof)


def _make_one_sided(
    near: Attached, far: Attached, priority: int, lacks: list[str], proof: Known[tuple[int, ...]]
) -> Finding:
    there = near.port.config.pfc.priorities
    near_where = near.port.locate(there.where) if isinstance(there, Known) else None
    name = str(near.end)
    signs = {"honour": Sign.PAUSES_NOT_HONOURED, "send": Sign.DISCARDED_ON_ARRIVAL}
    related = (Related(f"{name} has priority {priority} no-drop", near_where),) if near_where else ()
    return Finding(
        f"does not {' or '.join(lacks)} pauses of priority {priority}, on which {name} relies",
        far.port.locate(proof.where) or far.port.where,
        key=f"priority {priority} {near.end}",
        related=related,
        device=far.device.name,
        port=far.port.name,
        loss=LossKind.NOT_HONOURED if lacks[0] == "honour" else LossKind.NOT_SENT,
        symptom=Symptom(tuple(signs[lack] for lack in lacks), (priority,)),
    )
