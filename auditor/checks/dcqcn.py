"""DCQCN at the NIC: the notification point (NP) and the reaction point (RP)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Context, Params, PortTraffic, nic_rdma_traffic
from auditor.finding import Fault, Finding
from auditor.model.nic import Nic, Switches
from auditor.model.port import PortConfig
from auditor.model.setting import Setting, Undetermined
from auditor.walk import sends_cnps


@dataclass(frozen=True, slots=True)
class Point:
    """One of the two points of DCQCN on a NIC, for one RDMA class."""

    given: PortTraffic
    name: str
    does: str
    switches: Setting[Switches]


def points(port: PortConfig, context: Context) -> Iterable[Point]:
    """Judge NP and RP apart; a NIC whose congestion control is not DCQCN needs neither."""
    nic = port.nic
    if nic is None or not sends_cnps(nic, context.intent):
        return ()
    return tuple(point for given in nic_rdma_traffic(port, context) for point in _both(given, nic))


def _both(given: PortTraffic, nic: Nic) -> tuple[Point, Point]:
    return (
        Point(given, "NP", "no CNP is sent for marked packets", nic.dcqcn_np),
        Point(given, "RP", "CNPs do not slow this sender down", nic.dcqcn_rp),
    )


def point_off(point: Point, _params: Params, _context: Context) -> Iterator[Finding]:
    """Marks without a notification or a reaction do not slow anyone down."""
    priority = point.given.traffic.priority.known().value
    running = point.switches.known().value.get(priority)
    if running is None:
        raise Undetermined(f"no capture shows DCQCN {point.name} on priority {priority}")
    if not running.value:
        message = f"DCQCN {point.name} is off on priority {priority}: {point.does}"
        yield Finding(message, running.where, key=f"{point.name} {point.given.traffic.name}", fault=Fault.NO_REACTION)
