"""Marking: what a NIC writes into its packets is what the fabric sorts them by."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, make_lossless_symptom
from auditor.intent import Traffic, TrafficKind
from auditor.model.finding import Finding, LossKind, Sign
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Setting, value_of
from auditor.packet.classify import can_force, convert_tos, find_forced_dscp, sends_cnps, takes_part
from auditor.util.values import dataclass

_CNPS = "CNPs"


@dataclass(frozen=True, slots=True)
class NicMarking:
    """What a NIC writes into packets of one kind, and the classes of the intent they may belong to.

    `written` is a DSCP or, where *as_priority*, the priority by which the NIC sends them and its peers pause it.
    """

    packets: str
    written: Setting[int]
    meant: tuple[Traffic, ...]
    as_priority: bool = False


def list_markings(port: PortConfig, context: Context) -> Iterable[NicMarking]:
    """Return RDMA packets and CNPs of RoCE NICs; a NIC whose congestion control is not DCQCN sends no CNPs."""
    nic = port.nic
    if nic is None or not takes_part(port):
        return ()
    rdma = context.intent.of_kind(TrafficKind.RDMA)
    found = [NicMarking("RDMA packets", find_forced_dscp(nic), rdma)] if can_force(nic) else []
    if isinstance(nic.roce_dscp, Known):
        found = [NicMarking("RDMA packets that the adapter marks by itself", nic.roce_dscp, rdma)]
    protected = tuple(each for each in rdma if value_of(each.lossless) and isinstance(each.priority, Known))
    if isinstance(nic.roce_priority, Known) and protected == rdma:
        found.append(NicMarking("RDMA packets", nic.roce_priority, protected, as_priority=True))
    forced, by_cm = value_of(nic.traffic_class), value_of(nic.rdma_cm_tos)
    is_given = by_cm is not None and any(value_of(each.nic.rdma_cm_tos) for each in context.rdma_ports if each.nic)
    if is_given and not forced:  # where no NIC of the host has one, the jobs give it
        found.append(NicMarking("packets of RDMA-CM connections", convert_tos(nic.rdma_cm_tos), rdma))
    if sends_cnps(nic, context.intent):
        found.append(NicMarking(_CNPS, nic.cnp_dscp, context.intent.of_kind(TrafficKind.CNP)))
    return tuple(mark for mark in found if mark.meant)


def marking_differs(given: NicMarking, _params: Params, context: Context) -> Iterator[Finding]:
    """Packets with another DSCP than the fabric expects are sorted as something else, at every hop."""
    written = given.written.known()
    if given.as_priority:
        what, meant = "with priority", sorted({traffic.priority.known().value for traffic in given.meant})
    else:
        what, meant = "with DSCP", sorted({point for traffic in given.meant for point in traffic.dscp.known().value})
    if written.value not in meant:
        expected = " or ".join(map(str, meant))
        message = f"{given.packets} leave {what} {written.value}, but the fabric expects {expected}"
        if given.packets == _CNPS:
            yield Finding(message, written.where, key=given.packets)
            return
        symptom = make_lossless_symptom(Sign.NEVER_SENT_AS, context.intent)
        key = f"{given.packets} {what}" if given.as_priority else given.packets
        yield Finding(message, written.where, key=key, loss=LossKind.LOSSY, symptom=symptom)
