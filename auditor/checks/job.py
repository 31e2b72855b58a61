"""Marking by jobs: libraries ask for the DSCP that the fabric sorts as RDMA."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from auditor.checks.base import Context, Params
from auditor.fabric.job_environment import (
    TRAFFIC_CLASSES,
    GpuDriven,
    JobNumber,
    list_gpu_driven,
    list_numbers,
    read_environment,
)
from auditor.intent import TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import Finding, Level, Related
from auditor.model.host import ValuesByName
from auditor.model.jobs import FROM_OUTSIDE, Workload
from auditor.model.nic import Nic
from auditor.model.setting import Known, Undetermined, Unknown, value_of
from auditor.packet.classify import find_forced_dscp, takes_part
from auditor.util.values import dataclass

_OVERRIDDEN = "; the NICs' global traffic class overrides it, except for queue pairs that the kernel does not set up"


@dataclass(frozen=True, slots=True)
class RdmaJob:
    """A job: its variables, the traffic classes among them, and the RoCE NICs it can use, as far as the dump tells.

    `name` is empty for that of a host; `undetermined` says why a traffic class is set and not known. `is_overridden`:
    a global traffic class on all NICs overrides what the job asks for. `gpu_driven` are its queue pairs that no global
    traffic class reaches and no variable marks; `unsure_of_those`: why a variable may mark them after all.
    """

    variables: ValuesByName
    classes: tuple[JobNumber, ...]
    nics: tuple[Nic, ...] = ()
    is_overridden: bool = False
    name: str = ""
    undetermined: str = ""
    gpu_driven: tuple[GpuDriven, ...] = ()
    unsure_of_those: str = ""


def link_jobs_to_nodes(fabric: Fabric) -> Fabric:
    """Return *fabric* with jobs that know the forced traffic class of the hosts' NICs."""
    if not any(device.jobs for device in fabric.devices):
        return fabric
    forced = _is_forced([nic for device in fabric.devices for nic in _list_nics(device)])
    devices = (replace(d, jobs=replace(d.jobs, is_overridden=forced)) if d.jobs else d for d in fabric.devices)
    return replace(fabric, devices=tuple(devices))


def _list_nics(device: Device) -> tuple[Nic, ...]:
    return tuple(port.config.nic for port in device.ports if port.config.nic and takes_part(port.config))


def _is_forced(nics: Sequence[Nic]) -> bool:
    return bool(nics) and all(isinstance(find_forced_dscp(nic), Known) for nic in nics)


def list_jobs(device: Device, _context: Context) -> Iterable[RdmaJob]:
    """Return hosts, containers and batch scripts whose environment asks for a traffic class."""
    if device.jobs:
        forced = device.jobs.is_overridden
        return tuple(job for each in device.jobs.workloads if (job := _make_workload_job(each, is_overridden=forced)))
    variables = read_environment(device)
    classes = list_numbers(variables, TRAFFIC_CLASSES)
    nics = _list_nics(device)
    driven = _list_unmarked(variables, classes)
    return (RdmaJob(variables, classes, nics, _is_forced(nics), gpu_driven=driven),) if classes or driven else ()


def _make_workload_job(workload: Workload, *, is_overridden: bool) -> RdmaJob | None:
    classes = list_numbers(workload.environment, TRAFFIC_CLASSES)
    unknown = workload.undetermined
    unsure = next((f"{name}: {unknown[name]}" for name in TRAFFIC_CLASSES if name in unknown), "")
    driven = _list_unmarked(workload.environment, classes)
    outside = next((why for name, why in unknown.items() if name.startswith(FROM_OUTSIDE)), "")
    if not (classes or unsure or driven):
        return None
    return RdmaJob(workload.environment, classes, (), is_overridden, workload.name, unsure, driven, outside)


def _list_unmarked(variables: ValuesByName, classes: Sequence[JobNumber]) -> tuple[GpuDriven, ...]:
    told = {each.name for each in classes}
    return tuple(each for each in list_gpu_driven(variables) if not told.intersection(each.classes))


def job_marking_differs(job: RdmaJob, _params: Params, context: Context) -> Iterator[Finding]:
    """A traffic class whose DSCP the fabric does not know as RDMA lands in the default class, at every hop."""
    rdma = context.intent.of_kind(TrafficKind.RDMA)
    if not any(isinstance(traffic.dscp, Known) for traffic in rdma):
        yield from _check_agreement(job)
        raise Undetermined("the intent gives RDMA no DSCP to compare with")
    meant = sorted({point for traffic in rdma for point in traffic.dscp.known().value})
    expected = " or ".join(map(str, meant))
    override, level = (_OVERRIDDEN, Level.WARNING) if job.is_overridden else ("", None)
    for each in job.classes:
        dscp = each.number.value >> 2
        if dscp not in meant:
            message = f"{each.name}={each.number.value} is DSCP {dscp}, but the fabric expects {expected}{override}"
            facts = (("nccl_variable" if each.name.startswith("NCCL_") else "job_variable", each.name),)
            yield replace(_make_finding(job, message, each, each.name), level=level, facts=facts)
    if job.undetermined:
        raise Undetermined(_prefix_name(job, job.undetermined))
    yield from _check_nccl(job, meant)
    yield from _check_gpu_driven(job, meant)


def _check_gpu_driven(job: RdmaJob, meant: list[int]) -> Iterator[Finding]:
    """Yield queue pairs that the GPU drives without a traffic class: a program may still set one by itself."""
    if 0 in meant or not job.gpu_driven:
        return
    if job.unsure_of_those:
        raise Undetermined(_prefix_name(job, job.unsure_of_those))
    for each in job.gpu_driven:
        sign = job.variables[each.name]
        message = (
            f"{each.name}={sign.value} lets the GPU drive queue pairs, and no {' or '.join(each.classes)} marks them: "
            "they leave with DSCP 0, whatever global traffic class the NICs have"
        )
        yield Finding(
            _prefix_name(job, message), sign.where, key=f"{job.name} {each.name}".strip(), level=Level.WARNING
        )


def _make_finding(job: RdmaJob, message: str, asks: JobNumber, key: str) -> Finding:
    """Return a finding of a job, with the job's name unless the host owns the job."""
    return Finding(_prefix_name(job, message), asks.number.where, key=f"{job.name} {key}".strip())


def _prefix_name(job: RdmaJob, message: str) -> str:
    return f"{job.name}: {message}" if job.name else message


def _check_agreement(job: RdmaJob) -> Iterator[Finding]:
    for other in job.classes[1:]:
        first = job.classes[0]
        if other.number.value >> 2 != first.number.value >> 2:
            message = f"{other.name}={other.number.value} and {first.name}={first.number.value} are different DSCPs"
            related = (Related(f"{first.name} asks for another", first.number.where),) if first.number.where else ()
            yield replace(
                _make_finding(job, message, other, f"{other.name} {first.name}"), related=related, is_certain=True
            )


def _check_nccl(job: RdmaJob, meant: list[int]) -> Iterator[Finding]:
    """Yield a finding where NCCL marks no packet and another library of the job does."""
    other = next((each for each in job.classes if not each.name.endswith("CCL_IB_TC")), None)
    has_nccl = any(name.startswith(("NCCL_", "RCCL_")) for name in job.variables)
    is_told = any(each.name.endswith("CCL_IB_TC") for each in job.classes)
    if other is None or not has_nccl or is_told or job.is_overridden or 0 in meant:
        return
    nvidia = [nic for nic in job.nics if value_of(nic.vendor) == "NVIDIA"]
    if job.name or any(isinstance(nic.traffic_class, Unknown) for nic in nvidia):
        raise Undetermined(
            _prefix_name(job, "NCCL_IB_TC is not set, and no capture shows the NICs' global traffic class")
        )
    message = f"{other.name} is set but NCCL_IB_TC is not: NCCL marks its packets with DSCP 0"
    yield _make_finding(job, message, other, "NCCL_IB_TC")
