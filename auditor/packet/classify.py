"""A packet's way through a port: which class its marking gets, and whether the port takes part in RDMA at all."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from auditor.intent import Intent, Traffic, TrafficKind
from auditor.model.nic import CcEngine, Nic
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import NO_NUMBER, Classification, Classifier, IpFamily, Queue, TrafficClass, Trust
from auditor.model.setting import Known, Origin, Setting, Undetermined, Unknown, Unset, is_chosen, value_of

ROCE_UDP_PORT = 4791
UNMARKED = 0
"""The DSCP and the priority of packets that nobody marked, and the queue that they get where nothing is said."""


def takes_part(port: PortConfig, *, ecn_only: bool = False) -> bool:
    """Tell whether a port is configured for RDMA: a RoCE NIC, or a switch port with a no-drop class in use.

    Where the design is *ecn_only* no class is no-drop: then a switch port takes part if somebody made it sort packets
    or mark ECN.

    A netdev of which no capture shows an RDMA device or quality of service is no RoCE NIC. A switch port whose PFC was
    left to the default and to which no policy is attached is somebody else's port.
    """
    if value_of(port.ethernet.enabled) is False:
        return False
    if port.nic:
        shows = (port.nic.rdma_device, port.pfc.mode, port.classification.trust)
        is_roce = value_of(port.nic.transport) not in {"iwarp", "infiniband"}
        return is_roce and any(isinstance(setting, Known) for setting in shows)
    if ecn_only and _has_sorting_or_marks(port):
        return True
    if value_of(port.pfc.mode) is PfcMode.ON:
        paused = port.pfc.priorities
        return not isinstance(paused, Known) or bool(paused.value)
    return bool(_list_used_lossless(port.classification))


def _has_sorting_or_marks(port: PortConfig) -> bool:
    sorting = port.classification
    trusts = is_chosen(sorting.trust) and value_of(sorting.trust) is not Trust.NONE
    sorts = any(is_chosen(table) and value_of(table) for table in (sorting.dscp_to_class, sorting.classifiers))
    return trusts or sorts or any(is_chosen(q.ecn) and value_of(q.ecn) for q in value_of(port.queues) or ())


def _list_used_lossless(classification: Classification) -> set[str]:
    """Return the no-drop classes into which the port's own policy puts packets."""
    lossless = {c.id for c in value_of(classification.classes) or () if value_of(c.lossless)}
    by_dscp = (classification.of(family).dscp_to_class for family in IpFamily)
    tables = (*by_dscp, classification.pcp_to_class)
    used = {entry.value for table in tables for entry in (value_of(table) or {}).values()}
    used |= {step.value.class_id for step in value_of(classification.classifiers) or ()}
    return lossless & used


def classify(port: PortConfig, traffic: Traffic) -> tuple[TrafficClass, "Known[str]"]:
    """Return the class into which the port puts *traffic* on arrival, with the line that decides; raises Undetermined.

    What the port trusts decides: the DSCP, the PCP of a tagged packet, or neither, and then the default class takes it.
    """
    sorting = port.classification
    steps = sorting.classifiers.known().value if value_of(sorting.classifiers) else ()
    entry = _classify_by_steps(port, steps, traffic) if steps else None
    if entry is None:
        entry = sorting.default_class.known() if steps and sorting.steps_decide else _classify_by_trust(port, traffic)
    found = sorting.by_id(entry.value)
    if found is None:
        raise Undetermined(f"class {entry.value} is not described in the dump")
    return found, entry


def split_by_family(port: PortConfig, traffic: Traffic, families: Sequence[IpFamily]) -> tuple[Traffic, ...]:
    """Return *traffic* over each of *families*; once only where the port puts them all into one class."""
    each = tuple(replace(traffic, family=family) for family in families)
    return each if len({_find_class_id(port, packet) for packet in each}) > 1 else each[:1]


def _find_class_id(port: PortConfig, traffic: Traffic) -> str | None:
    try:
        return classify(port, traffic)[0].id
    except Undetermined:
        return None


def _classify_by_trust(port: PortConfig, traffic: Traffic) -> "Known[str]":
    sorting = port.classification.of(traffic.family)
    trust = sorting.trust.known().value
    dscp_decides = sorting.dscp_before_pcp or value_of(port.ethernet.tagged) is False
    if trust is Trust.DSCP or (trust is Trust.BOTH and dscp_decides):
        return sorting.class_of_dscp(_read_first_dscp(traffic))
    if trust is Trust.PCP:
        if port.ethernet.tagged.known().value:
            return sorting.class_of_pcp(traffic.priority.known().value)
        return sorting.default_class.known()
    if trust is Trust.NONE:
        return sorting.default_class.known()
    raise Undetermined("the port trusts DSCP and PCP, and whether packets are tagged is not known")


def _read_first_dscp(traffic: Traffic) -> int:
    return traffic.dscp.known().value[0]


def _classify_by_steps(
    port: PortConfig, steps: tuple["Known[Classifier]", ...], traffic: Traffic
) -> "Known[str] | None":
    """Return the class of the first step that takes the traffic, None where none does; raises Undetermined."""
    for step in steps:
        match = step.value.match
        if match.family not in {None, traffic.family}:
            continue
        if match.udp_port not in {None, ROCE_UDP_PORT}:
            continue
        if match.dscp and _read_first_dscp(traffic) not in match.dscp:
            continue
        if match.pcp and not (port.ethernet.tagged.known().value and traffic.priority.known().value in match.pcp):
            continue
        if not match.is_whole:
            raise Undetermined(f"access list {match.acl} decides the class, and what it matches is not modelled")
        return Known(step.value.class_id, step.origin, step.where)
    return None


def carries(port: PortConfig, traffic: Traffic) -> bool:
    """Tell whether a NIC is set up for storage that the fabric carries, as not every NIC for RDMA is; others are.

    It is where it pauses the priority or sorts the packets into it; raises Undetermined where it is not told.
    """
    priority = value_of(traffic.priority)
    if port.nic is None or traffic.kind is not TrafficKind.STORAGE or not value_of(traffic.dscp):
        return True
    if priority in (value_of(port.pfc.priorities) or ()):
        return True
    try:
        return any(value_of(classify(port, each)[0].internal) == priority for each in traffic.by_dscp())
    except Undetermined as unknown:
        raise Undetermined(f"no capture shows whether this NIC carries {traffic.name}") from unknown


class Landing(StrEnum):
    """How the class that a packet gets stands to what the intent wants for it."""

    AS_MEANT = "as meant"
    LOSSY = "not no-drop"
    OTHER_PRIORITY = "no-drop of another priority"
    PAUSED = "no-drop: it can be paused"
    OTHER_CLASS = "another class"


def judge_landing(found: TrafficClass, traffic: Traffic, *, declared: bool, port: PortConfig | None = None) -> Landing:
    """Return how class *found* stands to what is meant for *traffic*; raises Undetermined.

    What may not be dropped belongs into the no-drop class of its priority, CNPs and heartbeats into none. Into which
    class they belong instead says a *declared* intent only, and not where it gives no priority. A class that has no
    number to compare must be another than that of unmarked packets at *port*.
    """
    waits_for_none = traffic.kind in {TrafficKind.CNP, TrafficKind.HEARTBEAT}
    if not waits_for_none and traffic.lossless.known().value:
        if not found.lossless.known().value:
            return Landing.LOSSY
        if declared and isinstance(traffic.priority, Unknown):
            return Landing.AS_MEANT
        wanted = traffic.priority.known().value
        return Landing.AS_MEANT if found.pfc_priority.known().value == wanted else Landing.OTHER_PRIORITY
    if waits_for_none and value_of(found.lossless):
        return Landing.PAUSED
    if not declared or isinstance(traffic.priority, Unknown):
        found.lossless.known()
        return Landing.AS_MEANT
    if found.internal == NO_NUMBER and port is not None and value_of(traffic.priority) != UNMARKED:
        is_there = not _is_common(found, traffic, port)
    else:
        is_there = found.internal.known().value == traffic.priority.known().value
    return Landing.AS_MEANT if is_there else Landing.OTHER_CLASS


def _is_common(found: TrafficClass, traffic: Traffic, port: PortConfig) -> bool:
    """Tell whether unmarked packets share class *found*; raises Undetermined where that is not told of queue 0."""
    found.lossless.known()
    unmarked = replace(traffic, dscp=Known((UNMARKED,), Origin.INTENDED), priority=Known(UNMARKED, Origin.INTENDED))
    try:
        return classify(port, unmarked)[0].id == found.id
    except Undetermined:
        if found.queue.known().value == UNMARKED:
            raise
        return False


_UNFORCED = Unknown("no traffic class is forced on the NIC: each application marks its own packets")


def can_force(nic: Nic) -> bool:
    """Tell whether a NIC may have a traffic class for all its connections, as NVIDIA's driver alone gives it."""
    return isinstance(nic.traffic_class, Known) or value_of(nic.vendor) in {None, "NVIDIA"}


def find_forced_dscp(nic: Nic) -> Setting[int]:
    """Return the DSCP of the global traffic class, which overrides what applications ask for; 0 forces nothing."""
    tos = nic.traffic_class
    unforced = not tos.value if isinstance(tos, Known) else isinstance(tos, Unset) or not can_force(nic)
    return _UNFORCED if unforced else convert_tos(tos)


def sends_cnps(nic: Nic, intent: Intent) -> bool:
    """Tell whether a NIC answers marks with CNPs: congestion control that is not DCQCN has no use for them."""
    return intent.uses_dcqcn and value_of(nic.cc_engine) not in {CcEngine.RTT, CcEngine.PROGRAMMABLE}


def convert_tos(tos: Setting[int]) -> Setting[int]:
    """Return the DSCP of a ToS byte: its upper six bits."""
    return Known(tos.value >> 2, tos.origin, tos.where) if isinstance(tos, Known) else tos


def find_lossless_class(port: PortConfig, priority: int) -> TrafficClass | None:
    """Return the no-drop class that *priority* pauses, None where there is none; raises Undetermined."""
    classes = port.classification.classes.known().value
    found = next((c for c in classes if value_of(c.pfc_priority) == priority and value_of(c.lossless)), None)
    if found is None:
        for each in classes:
            each.lossless.known()
    return found


def find_queue(port: PortConfig, found: TrafficClass) -> Queue | None:
    """Return the egress queue of a class, None where the port says nothing of it; raises Undetermined."""
    number = found.queue.known().value
    return next((q for q in port.queues.known().value if q.queue == number), None)
