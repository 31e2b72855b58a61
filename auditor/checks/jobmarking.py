"""Marking by NCCL where no setting asks for a traffic class: its packets leave with DSCP 0."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.fabric.job_environment import TRAFFIC_CLASSES, is_switched_on, list_numbers, uses
from auditor.fabric.job_settings import JobSettings, has_variable, list_job_settings, list_nodes
from auditor.intent import Intent, TrafficKind
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.jobs import FROM_OUTSIDE, Workload
from auditor.model.nic import Nic
from auditor.model.port import Port
from auditor.model.setting import Known, Undetermined, Unknown, value_of
from auditor.packet.classify import can_force, find_forced_dscp, takes_part
from auditor.util.values import dataclass

_SETS = ("NCCL_IB_TC", "RCCL_IB_TC", "NCCL_IB_FIFO_TC")
_RDMA = ("NCCL_IB_", "RCCL_IB_")


@dataclass(frozen=True, slots=True)
class HostNic:
    """A NIC with its port and its host."""

    host: Device
    port: Port
    nic: Nic


@dataclass(frozen=True, slots=True)
class NcclHost:
    """The settings of NCCL of a host or a container, the NICs that it may use, and the intent for a host of theirs.

    `is_marked`: a capture of the fabric sets a traffic class of NCCL, or one of the host sets one of any library. A
    container does not see the files of its host: only its own variables mark its packets.
    """

    settings: JobSettings
    variable: Known[str]
    nics: tuple[HostNic, ...]
    intent: Intent
    is_marked: bool


def list_nccl_hosts(given: Whole, _params: object) -> Iterable[NcclHost]:
    """Return the hosts and the containers in which NCCL is set to use RDMA."""
    is_marked = any(has_variable(given.fabric, name) for name in _SETS)
    found = []
    for each in list_job_settings(given.fabric):
        own = next((known for name, known in sorted(each.variables.items()) if name.startswith(_RDMA)), None)
        is_off = is_switched_on(each.variables, "NCCL_IB_DISABLE")
        if (each.device.jobs and not _is_container(each)) or own is None or is_off:
            continue
        hosts = list_nodes(given.fabric, each)
        found_nics = [nic for host in hosts for nic in _list_nics(host, each)]
        nics = tuple(nic for nic in found_nics if not isinstance(nic.nic.roce_dscp, Known))
        if nics:
            sets_other = bool(list_numbers(each.variables, TRAFFIC_CLASSES))
            intent = given.intents.of(found_nics[0].host.own_name)
            by_other = _may_be_marked(each.workload) if each.workload else is_marked
            found.append(NcclHost(each, own, nics, intent, by_other or sets_other))
    return tuple(found)


def _is_container(settings: JobSettings) -> bool:
    return any(part.startswith("container ") for part in settings.name.split(", "))


def _may_be_marked(workload: Workload) -> bool:
    """Return whether a source outside of the dump may give the container a traffic class."""
    return any(name in TRAFFIC_CLASSES or name.startswith(FROM_OUTSIDE) for name in workload.undetermined)


def _list_nics(host: Device, settings: JobSettings) -> Iterator[HostNic]:
    for port in host.ports:
        nic = port.config.nic
        name = value_of(port.rdma.name)
        if nic and name and takes_part(port.config) and uses(settings.variables, "NCCL_IB_TC", name):
            yield HostNic(host, port, nic)


def nccl_marks_nothing(given: NcclHost, _params: Params, _context: object) -> Iterator[Finding]:
    """NCCL asks for traffic class 0 by default, so that RDMA runs in the default class of the fabric."""
    if given.is_marked:
        return
    rdma = given.intent.of_kind(TrafficKind.RDMA)
    if not any(isinstance(traffic.dscp, Known) for traffic in rdma):
        raise Undetermined("the intent gives RDMA no DSCP to compare with")
    meant = sorted({point for traffic in rdma for point in traffic.dscp.known().value})
    unforced = [each for each in given.nics if not isinstance(find_forced_dscp(each.nic), Known)]
    if 0 in meant or not unforced:
        return
    if any(can_force(each.nic) and isinstance(each.nic.traffic_class, Unknown) for each in unforced):
        raise Undetermined("no capture shows the NICs' global traffic class", given.variable.where)
    device = unforced[0].port.rdma.name
    expected = " or ".join(map(str, meant))
    setter = "the container does not set" if given.settings.workload else "no capture sets"
    message = (
        f"{setter} NCCL_IB_TC, and no traffic class is forced on {value_of(device)}: NCCL's RDMA "
        f"leaves with DSCP 0, but the fabric expects {expected}; export NCCL_IB_TC={4 * meant[0]}"
    )
    where = unforced[0].port.locate(device.where) if isinstance(device, Known) else None
    related = (Related("the NIC without a forced traffic class", where),) if where else ()
    settings = given.settings
    key = f"{settings.name} NCCL_IB_TC".strip()
    yield Finding(settings.describe(message), given.variable.where, key, related, Level.WARNING, settings.device.name)
