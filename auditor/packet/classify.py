"""Classification of a packet at a port, and the ports that take part in RDMA."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from auditor.intent import Intent, Traffic, TrafficKind
from auditor.model.nic import CcEngine, Nic, find_other_fabric
from auditor.model.port import PfcMode, PortConfig
from auditor.model.qos import (
    NO_NUMBER,
    Classification,
    Classifier,
    IpFamily,
    Match,
    Policer,
    Queue,
    TrafficClass,
    Trust,
)
from auditor.model.setting import Known, Origin, Setting, Undetermined, Unknown, Unset, Where, is_chosen, value_of

ROCE_UDP_PORT = 4791
UNMARKED = 0
"""The DSCP and the priority of unmarked packets, and their default queue."""


def takes_part(port: PortConfig, *, ecn_only: bool = False) -> bool:
    """Return whether a port is configured for RDMA: a RoCE NIC, or a switch port with a no-drop class in use.

    A design that is *ecn_only* has no no-drop class. There a switch port takes part if its configuration sorts packets
    or marks ECN.

    A netdev without a captured RDMA device or quality of service is not a RoCE NIC. A switch port with default PFC and
    without a policy does not take part.
    """
    if port.ethernet.is_shut:
        return False
    if port.nic:
        sorts = any(isinstance(setting, Known) for setting in (port.pfc.mode, port.classification.trust))
        return (port.nic.has_rdma_device or sorts) and not find_other_fabric(port.nic)
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
    """Return the class of arriving *traffic* at the port, and the line that decides; raises Undetermined.

    The trust of the port selects the DSCP, the PCP of a tagged packet, or the default class.
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


def find_deciding_line(port: PortConfig, traffic: Traffic, found: TrafficClass, entry: "Known[str]") -> Where | None:
    """Return the line that keeps *traffic*, which *entry* puts into class *found*, out of a no-drop class, else None.

    In the class that is meant it is the line that takes the pause, or the priority, from the class. Else it is the step
    of a policy that names the packets and asks for more than they have, or the entry where somebody wrote it.
    """
    wanted, priority = value_of(traffic.priority), found.pfc_priority
    if wanted is not None and value_of(priority) == wanted:
        return _find_written(found.lossless)
    if wanted is not None and value_of(found.internal) == wanted:
        return _find_written(priority)
    named = set(value_of(traffic.dscp) or ())
    steps = value_of(port.classification.classifiers) or ()
    asking = [step for step in steps if step.value.match.pcp and named & set(step.value.match.dscp)]
    refusing = (step.value.match.pcp_at or step.where for step in asking)
    return next(refusing, None) or (entry.where if is_chosen(entry) else None)


def find_meant_line(port: PortConfig, traffic: Traffic) -> Where | None:
    """Return the line that sorts other packets, and not *traffic*, into the class of its priority, if there is one."""
    priority, named = value_of(traffic.priority), set(value_of(traffic.dscp) or ())
    classes = value_of(port.classification.classes) or ()
    meant = {c.id for c in classes if priority is not None and _bears(c, priority)}
    steps = value_of(port.classification.classifiers) or ()
    matches = [step.value.match for step in steps if step.value.class_id in meant and step.value.match.dscp_at]
    if matches:
        return None if any(named & {*match.dscp} for match in matches) else matches[0].dscp_at
    table = value_of(port.classification.dscp_to_class) or {}
    entries = {dscp: entry for dscp, entry in table.items() if entry.value in meant and is_chosen(entry)}
    if entries.keys() & named:
        return None
    entry = next(iter(entries.values()), None)
    return port.classification.asked_at.get(entry.value, entry.where) if entry else None


def _bears(found: TrafficClass, priority: int) -> bool:
    """Return whether the pauses of a class have *priority*, or where they have none, its own number."""
    own = value_of(found.pfc_priority)
    return (value_of(found.internal) if own is None else own) == priority


def _find_written(setting: Setting[Any]) -> Where | None:
    """Return the line that says *setting*, None where the stanza of the port is silent."""
    where = None if isinstance(setting, Unknown) else setting.where
    is_silent = isinstance(setting, Unset) or (isinstance(setting, Known) and setting.origin is Origin.DEFAULT)
    return None if where is None or (is_silent and where.relative) else where


def split_by_family(port: PortConfig, traffic: Traffic, families: Sequence[IpFamily]) -> tuple[Traffic, ...]:
    """Return *traffic* over each of *families*, or over the first if the port puts all families into one class."""
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
    """Return the class of the first step that matches the traffic, None if no step matches; raises Undetermined."""
    for step in steps:
        if _takes(step.value.match, port, traffic):
            return Known(step.value.class_id, step.origin, step.where)
    return None


def _takes(match: Match, port: PortConfig, traffic: Traffic) -> bool:
    """Return whether a step of a policy takes the traffic; raises Undetermined."""
    if match.family not in {None, traffic.family} or match.udp_port not in {None, ROCE_UDP_PORT}:
        return False
    if match.dscp and _read_first_dscp(traffic) not in match.dscp:
        return False
    if match.pcp and not (port.ethernet.tagged.known().value and traffic.priority.known().value in match.pcp):
        return False
    if not match.is_whole:
        raise Undetermined(f"access list {match.acl} decides the class, and what it matches is not modelled")
    return True


def find_policer(port: PortConfig, traffic: Traffic) -> Known[Policer] | None:
    """Return the policer that takes arriving *traffic*, None if no class of the policy does; raises Undetermined."""
    return next((each for each in port.limits.policers.known().value if _takes(each.value.match, port, traffic)), None)


def carries(port: PortConfig, traffic: Traffic) -> bool:
    """Return whether a port carries *traffic*; raises Undetermined.

    Only storage at a NIC is in doubt. The NIC carries storage if it pauses the priority or sorts the packets into it.
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
    """The class of a packet, compared with the intent."""

    AS_MEANT = "as meant"
    LOSSY = "not no-drop"
    OTHER_PRIORITY = "no-drop of another priority"
    PAUSED = "no-drop: it can be paused"
    OTHER_CLASS = "another class"


def judge_landing(found: TrafficClass, traffic: Traffic, *, declared: bool, port: PortConfig | None = None) -> Landing:
    """Return how class *found* compares with the intent for *traffic*; raises Undetermined.

    Lossless traffic belongs in the no-drop class of its priority. CNPs and heartbeats belong in a class that may drop.
    Only a *declared* intent with a priority names that class. A class without a number must differ from the class of
    unmarked packets at *port*.
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
    """Return whether unmarked packets share class *found*; raises Undetermined for a class of queue 0."""
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
    """Return whether a NIC can have a global traffic class: only NVIDIA's driver sets one."""
    return isinstance(nic.traffic_class, Known) or value_of(nic.vendor) in {None, "NVIDIA"}


def find_forced_dscp(nic: Nic) -> Setting[int]:
    """Return the DSCP of the global traffic class, which overrides what applications ask for; 0 forces nothing."""
    tos = nic.traffic_class
    unforced = not tos.value if isinstance(tos, Known) else isinstance(tos, Unset) or not can_force(nic)
    return _UNFORCED if unforced else convert_tos(tos)


def sends_cnps(nic: Nic, intent: Intent) -> bool:
    """Return whether a NIC answers marks with CNPs: only DCQCN uses CNPs."""
    return intent.uses_dcqcn and value_of(nic.cc_engine) not in {CcEngine.RTT, CcEngine.PROGRAMMABLE}


def convert_tos(tos: Setting[int]) -> Setting[int]:
    """Return the DSCP of a ToS byte: its upper six bits."""
    return Known(tos.value >> 2, tos.origin, tos.where) if isinstance(tos, Known) else tos


def find_lossless_class(port: PortConfig, priority: int) -> TrafficClass | None:
    """Return the no-drop class of *priority*, None if there is no such class; raises Undetermined."""
    classes = port.classification.classes.known().value
    found = next((c for c in classes if value_of(c.pfc_priority) == priority and value_of(c.lossless)), None)
    if found is None:
        for each in classes:
            each.lossless.known()
    return found


def find_queue(port: PortConfig, found: TrafficClass) -> Queue | None:
    """Return the egress queue of a class, None if the port does not describe the queue; raises Undetermined."""
    number = found.queue.known().value
    return next((q for q in port.queues.known().value if q.queue == number), None)
