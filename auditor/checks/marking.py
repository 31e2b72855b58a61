"""Marking: what a NIC writes into its packets is what the fabric sorts them by."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Context, Params
from auditor.finding import Fault, Finding
from auditor.intent import Traffic, TrafficKind
from auditor.model.nic import CcEngine, Nic
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Setting, Unknown, Unset, value_of
from auditor.walk import takes_part

_CNPS = "CNPs"
_UNFORCED = Unknown("no traffic class is forced on the NIC: each application marks its own packets")


@dataclass(frozen=True, slots=True)
class Mark:
    """The DSCP that a NIC writes into packets of one kind, and the classes of the intent they may belong to."""

    packets: str
    dscp: Setting[int]
    meant: tuple[Traffic, ...]


def marks(port: PortConfig, context: Context) -> Iterable[Mark]:
    """Judge RDMA packets and CNPs of RoCE NICs; a NIC whose congestion control is not DCQCN sends no CNPs."""
    nic = port.nic
    if nic is None or not takes_part(port):
        return ()
    rdma = context.intent.of_kind(TrafficKind.RDMA)
    found = [Mark("RDMA packets", _forced(nic), rdma)]
    forced, by_cm = value_of(nic.traffic_class), value_of(nic.rdma_cm_tos)
    if by_cm and not forced:
        found.append(Mark("packets of RDMA-CM connections", _dscp(nic.rdma_cm_tos), rdma))
    if value_of(nic.cc_engine) not in {CcEngine.RTT, CcEngine.PROGRAMMABLE}:
        found.append(Mark(_CNPS, nic.cnp_dscp, context.intent.of_kind(TrafficKind.CNP)))
    return tuple(mark for mark in found if mark.meant)


def _forced(nic: Nic) -> Setting[int]:
    """Return the DSCP of the global traffic class, which overrides what applications ask for; 0 forces nothing."""
    tos = nic.traffic_class
    unforced = isinstance(tos, Unset) or (isinstance(tos, Known) and not tos.value)
    return _UNFORCED if unforced else _dscp(tos)


def _dscp(tos: Setting[int]) -> Setting[int]:
    return Known(tos.value >> 2, tos.origin, tos.where) if isinstance(tos, Known) else tos


def marked_otherwise(given: Mark, _params: Params, _context: Context) -> Iterator[Finding]:
    """Packets with another DSCP than the fabric expects are sorted as something else, at every hop."""
    written = given.dscp.known()
    meant = sorted({point for traffic in given.meant for point in traffic.dscp.known().value})
    if written.value not in meant:
        expected = " or ".join(map(str, meant))
        message = f"{given.packets} leave with DSCP {written.value}, but the fabric expects {expected}"
        fault = None if given.packets == _CNPS else Fault.LOSSY
        yield Finding(message, written.where, key=given.packets, fault=fault)
