"""Classification: RDMA and CNP packets reach the classes that are meant for them, and names lead somewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from auditor.checks.base import (
    Context,
    Params,
    PortTraffic,
    Whole,
    list_facts,
    list_switch_ports,
    make_lossless_symptom,
)
from auditor.intent import Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, LossKind, Related, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import NO_NUMBER, IpFamily, Trust
from auditor.model.setting import Known, Origin, Where, is_chosen, value_of
from auditor.packet.classify import (
    UNMARKED,
    Landing,
    classify,
    find_deciding_line,
    find_forced_dscp,
    find_meant_line,
    judge_landing,
    split_by_family,
    takes_part,
)
from auditor.packet.trace import Departure, list_departures
from auditor.util.values import dataclass


def trust_missing(given: PortTraffic, _params: Params, context: Context) -> Iterator[Finding]:
    """A port that does not read the marking of RDMA packets puts them where everything else goes."""
    port, traffic = given.port, given.traffic
    if value_of(port.classification.classifiers):
        return
    sorting = port.classification.of(traffic.family)
    trust = sorting.trust.known()
    marked = isinstance(traffic.dscp, Known)
    level = None if marked or context.intent.declared else Level.WARNING
    default = value_of(sorting.default_class)
    loss = None if port.nic else LossKind.LOSSY
    lands = f"{traffic.title} lands in class {default}" if default is not None else f"{traffic.title} is not recognised"
    if trust.value is Trust.NONE:
        message = f"arriving packets are not classified: {lands}"
        yield Finding(
            message,
            trust.where,
            key=traffic.title,
            level=level,
            loss=loss,
            symptom=_make_arrival_symptom(given, context),
        )
    elif trust.value is Trust.PCP and port.nic and marked:
        message = f"the NIC trusts PCP, but {traffic.title} is marked with DSCP {traffic.dscp.known().value[0]}"
        yield Finding(message, trust.where, key=traffic.title, symptom=_make_arrival_symptom(given, context))
    elif trust.value is Trust.PCP and not port.nic and not port.ethernet.tagged.known().value:
        message = f"classification reads CoS, but the port is untagged: {lands}"
        yield Finding(message, trust.where, key=traffic.title, level=level, loss=loss)


def wrong_class(given: PortTraffic, _params: Params, context: Context) -> Iterator[Finding]:
    """RDMA packets outside the no-drop class drop, however PFC is configured."""
    port, traffic = given.port, given.traffic
    if not value_of(port.classification.classifiers) and not _is_read(given):
        return
    if not traffic.lossless.known().value:
        yield from _find_forced_apart(given, context)
        return
    found, entry = classify(port, traffic)
    name = f"{traffic.title} ({_format_marking(given)})"
    lands = judge_landing(found, traffic, declared=context.intent.declared)
    if lands is Landing.LOSSY:
        message = f"{name} lands in class {found.id} ({found.name}), which is not no-drop"
        is_meant = value_of(found.pfc_priority) == value_of(traffic.priority)
        told = found.lossless.known().where if is_meant else entry.where
        where = find_deciding_line(port, traffic, found, entry) or _find_gap(port, traffic, entry) or told
        related = () if is_meant else _find_no_drop_entry(port, traffic.family)
        if where != entry.where and entry.where and not is_meant:
            related = (Related(f"{name} is put into class {found.id}", entry.where), *related)
        loss = None if port.nic else LossKind.LOSSY
        yield Finding(
            message,
            where,
            key=name,
            related=related,
            loss=loss,
            symptom=_make_arrival_symptom(given, context),
            facts=list_facts(traffic),
        )
    elif lands is Landing.OTHER_PRIORITY:
        priority, wanted = found.pfc_priority.known().value, traffic.priority.known().value
        message = f"{name} lands in the no-drop class of priority {priority}, not of priority {wanted}"
        symptom = _make_arrival_symptom(given, context)
        yield Finding(message, entry.where, key=name, symptom=symptom, facts=list_facts(traffic))


def _find_forced_apart(given: PortTraffic, context: Context) -> Iterator[Finding]:
    """Yield that a NIC pauses one priority and forces RDMA into another, unless an intent is declared."""
    port, traffic = given.port, given.traffic
    forced = find_forced_dscp(port.nic) if port.nic else None
    paused = value_of(port.pfc.priorities)
    if (
        context.intent.declared
        or not isinstance(forced, Known)
        or not paused
        or value_of(port.pfc.mode) is not PfcMode.ON
    ):
        return
    if forced.value not in (value_of(traffic.dscp) or ()):
        return
    found, entry = classify(port, traffic)
    if not found.lossless.known().value:
        message = f"{traffic.title} is forced to DSCP {forced.value}, which lands in class {found.id} ({found.name})"
        message = f"{message}; the NIC pauses only priority {', '.join(map(str, paused))}"
        related = (Related("the forced traffic class", forced.where),) if forced.where else ()
        yield Finding(message, entry.where, key="forced", related=related, level=Level.WARNING)


def _make_arrival_symptom(given: PortTraffic, context: Context) -> Symptom | None:
    """Return the symptom of wrong sorting at a NIC; a switch does not count arriving packets by priority."""
    return make_lossless_symptom(Sign.NEVER_RECEIVED_AS, context.intent) if given.port.nic else None


def _find_no_drop_entry(port: PortConfig, family: IpFamily) -> tuple[Related, ...]:
    """Return where the port puts a DSCP into a no-drop class, if it does: the entry that was meant for RDMA."""
    lossless = {c.id for c in value_of(port.classification.classes) or () if value_of(c.lossless)}
    for dscp, entry in (value_of(port.classification.of(family).dscp_to_class) or {}).items():
        if entry.value in lossless and entry.where:
            return (Related(f"no-drop class {entry.value} takes DSCP {dscp}", entry.where, is_at_odds=True),)
    return ()


def _is_read(given: PortTraffic) -> bool:
    """Return whether the port reads the marking; another rule judges ports that do not."""
    trust = _find_trust(given)
    if trust is Trust.PCP:
        return given.port.nic is None and value_of(given.port.ethernet.tagged) is not False
    return trust is not Trust.NONE


def _find_trust(given: PortTraffic) -> Trust | None:
    return value_of(given.port.classification.of(given.traffic.family).trust)


def _format_marking(given: PortTraffic) -> str:
    dscp = value_of(given.traffic.dscp)
    if _find_trust(given) is Trust.PCP or not dscp:
        return f"priority {value_of(given.traffic.priority)}"
    return f"DSCP {dscp[0]}"


def cnp_misplaced(given: PortTraffic, _params: Params, context: Context) -> Iterator[Finding]:
    """A CNP that waits behind paused data arrives too late to slow the sender down."""
    if not _is_read(given):
        return
    found, entry = classify(given.port, given.traffic)
    name = f"{replace(given.traffic, name='CNP').title} ({_format_marking(given)})"
    lands = judge_landing(found, given.traffic, declared=context.intent.declared, port=given.port)
    if lands is Landing.PAUSED:
        message = f"{name} lands in class {found.id} ({found.name}), which is no-drop and can be paused"
        yield Finding(message, entry.where, key=name)
    elif lands is Landing.OTHER_CLASS:
        wanted = f"puts it into {given.traffic.priority.known().value}"
        if found.internal == NO_NUMBER:
            wanted = "keeps it apart from unmarked packets, which land there too"
        message = f"{name} lands in class {found.id} ({found.name}), but the intent {wanted}"
        # the number of a class without pauses is local to the NIC
        is_apart = given.port.nic is not None and found.id != _classify_unmarked(given)
        where = _find_gap(given.port, given.traffic, entry) or entry.where
        yield Finding(message, where, key=name, level=Level.NOTE if is_apart else None)


def _find_gap(port: PortConfig, traffic: Traffic, entry: Known[str]) -> Where | None:
    """Return the line that should name *traffic*, which no line puts into a class, and names other packets."""
    return None if is_chosen(entry) else find_meant_line(port, traffic)


def _classify_unmarked(given: PortTraffic) -> str:
    """Return the class of unmarked packets; raises Undetermined."""
    unmarked = replace(given.traffic, dscp=Known((UNMARKED,), Origin.LEARNED))
    return classify(given.port, unmarked)[0].id


def companion_misplaced(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """Storage that may not drop drops, a heartbeat that waits for a pause is taken for the death of its machine."""
    if not value_of(given.port.classification.classifiers) and not _is_read(given):
        return
    found, entry = classify(given.port, given.traffic)
    lands = judge_landing(found, given.traffic, declared=True, port=given.port)
    if lands is not Landing.AS_MEANT:
        name = f"{given.traffic.title} ({_format_marking(given)})"
        message = f"{name} lands in class {found.id} ({found.name}): {lands.value} than the intent says"
        if lands in {Landing.PAUSED, Landing.LOSSY}:
            message = f"{name} lands in class {found.id} ({found.name}), which is {lands.value}"
        where = _find_gap(given.port, given.traffic, entry) or entry.where
        yield Finding(message, where, key=name, facts=list_facts(given.traffic))


def list_steps(given: Whole, _params: Params) -> Iterable[Departure]:
    """Return each step of RDMA packets and CNPs to the next device, once for each port that may rewrite them.

    A step over IPv6 is judged beside the one over IPv4 where it is rewritten or sorted otherwise.
    """
    found: dict[tuple[object, ...], Departure] = {}
    for each in sorted(list_departures(given.graph, given.intents), key=lambda step: step.before.family):
        writer, after = each.writer, each.next
        marks = each.before.name, value_of(each.before.dscp)
        key = (writer.device.name, writer.port.name, *marks, after.device.name, id(after.port.config))
        known = found.setdefault(key, each)
        if known.before.family is not each.before.family and _goes_otherwise(each, known):
            found.setdefault((*key, each.before.family), each)
    return tuple(found.values())


def _goes_otherwise(given: Departure, than: Departure) -> bool:
    is_rewritten = value_of(given.after.dscp) != value_of(than.after.dscp)
    return is_rewritten or len(split_by_family(given.next.port.config, given.after, tuple(IpFamily))) > 1


def rewrite_out_of_class(given: Departure, _params: Params, _context: None) -> Iterator[Finding]:
    """A DSCP that is rewritten on the way is sorted by the next device as something else.

    What the next device would sort no better with the DSCP as it was is that device's fault, and other rules' matter.
    """
    packet = given.before
    if given.after is packet:
        return
    with given.writer.naming():
        if judge_landing(given.found, packet, declared=False) is not Landing.AS_MEANT:
            return
    with given.next.naming():
        lands, entry = classify(given.next.port.config, given.after)
        result = judge_landing(lands, packet, declared=False)
        if result is Landing.AS_MEANT or classify(given.next.port.config, packet)[0].id == lands.id:
            return
    before, after = packet.dscp.known().value[0], given.after.dscp.known()
    there = str(given.next.end)
    rewritten = f"{packet.title} (DSCP {before}) is rewritten to DSCP {after.value[0]}"
    proof = given.next.port.locate(entry.where)
    yield Finding(
        f"{rewritten}, and {there} puts it into class {lands.id} ({lands.name}): {result.value}",
        after.where,
        key=f"{packet.title} {before} {there}",
        related=(Related(there, proof),) if proof else (),
        device=given.writer.device.name,
        port=given.writer.port.name,
        loss=LossKind.LOSSY if result is Landing.LOSSY else None,
    )


@dataclass(frozen=True, slots=True)
class SortedClass:
    """A port and a class into which it sorts some DSCP."""

    port: PortConfig
    class_id: str
    dscp: int


def list_sorted_classes(port: PortConfig, context: Context) -> Iterable[SortedClass]:
    """Return each class that has DSCPs, on switch ports that take part in RDMA."""
    if not list_switch_ports(port, context) or not takes_part(port, ecn_only=context.intent.is_ecn_only):
        return ()
    first: dict[str, int] = {}
    for dscp, entry in sorted((value_of(port.classification.dscp_to_class) or {}).items()):
        first.setdefault(entry.value, dscp)
    return tuple(SortedClass(port, class_id, dscp) for class_id, dscp in first.items())


def rewrite_not_read_back(given: SortedClass, _params: Params, context: Context) -> Iterator[Finding]:
    """A switch that is set up as this one is sorts what this one has rewritten as something else.

    Where it does not, the hosts may: they were told RDMA's DSCP, and not what a switch makes of it.
    """
    marking, sorting = given.port.marking, given.port.classification
    written = (value_of(marking.class_to_dscp) or {}).get(given.class_id) if value_of(marking.rewrite) else None
    if written is None:
        return
    there = sorting.class_of_dscp(written.value)
    if there.value == given.class_id:
        yield from _check_rdma_rewrite(given, written, context)
        return
    message = (
        f"class {given.class_id}, which DSCP {given.dscp} is sorted into, leaves with DSCP {written.value}, "
        f"and that is class {there.value} here"
    )
    related = (Related(f"DSCP {written.value} is class {there.value}", there.where),) if there.where else ()
    yield Finding(message, written.where, key=f"class {given.class_id}", related=related)


def _check_rdma_rewrite(given: SortedClass, written: Known[int], context: Context) -> Iterator[Finding]:
    """Yield a rewrite of RDMA to a DSCP outside the declared intent."""
    declared = context.intent.of_kind(TrafficKind.RDMA) if context.intent.declared else ()
    meant = {dscp for traffic in declared for dscp in value_of(traffic.dscp) or ()}
    sorting = value_of(given.port.classification.dscp_to_class) or {}
    own = sorted(dscp for dscp in meant if dscp in sorting and sorting[dscp].value == given.class_id)
    if own and written.value not in meant:
        message = f"RDMA (DSCP {own[0]}) leaves with DSCP {written.value}, which hosts do not know as RDMA"
        entry = sorting[own[0]].where
        related = (Related(f"DSCP {own[0]} is class {given.class_id}", entry),) if entry else ()
        yield Finding(message, written.where, key=f"class {given.class_id} RDMA", related=related)


def no_drop_default(given: PortTraffic, _params: Params, _context: Context) -> Iterator[Finding]:
    """Unmarked packets have DSCP 0: in a no-drop class they are paused with RDMA, and fill its queue."""
    port = given.port
    if not _is_read(given) or _find_trust(given) is Trust.PCP:
        return
    if UNMARKED in given.traffic.dscp.known().value:
        return  # RDMA itself is not marked: that is meant
    entry = port.classification.class_of_dscp(UNMARKED)
    found = port.classification.by_id(entry.value)
    if found and found.lossless.known().value:
        message = f"packets without a mark (DSCP 0) land in class {found.id} ({found.name}), which is no-drop"
        yield Finding(message, entry.where)


def list_naming(device: Device, _context: object) -> Iterable[Device]:
    """Return the device if it is a switch of which the dumps show ports, or names that lead nowhere."""
    is_told = device.ports or device.undefined or device.unattached or device.part
    return (device,) if device.kind == "switch" and is_told else ()


def name_undefined(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """What refers to a name that nothing defines has no effect, or not the one that was meant."""
    for name in device.undefined:
        what = f"{name.kind} {name.name}"
        user = f": {name.user}" if name.user else ""
        others = tuple(Related("used here, too", where, is_alike=True) for where in name.others)
        yield Finding(f"{what} is used here and defined nowhere{user}", name.where, key=what, related=others)
    if device.part:
        device.part.known()


def policy_unattached(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """A policy that is attached nowhere does nothing, however right it is."""
    for name in device.unattached:
        what = f"{name.kind} {name.name}"
        level = Level.WARNING if name.guards else None
        told = (("slot", name.slot), ("object", name.name), ("lacks", name.gives))
        facts = (("unused", name.kind), *(each for each in told if each[1]))
        yield Finding(f"{what} is defined and used nowhere", name.where, key=what, level=level, facts=facts)
    if device.part:
        device.part.known()
