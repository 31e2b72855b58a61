"""What jobs mark: the DSCP that their libraries ask for is the one that the fabric sorts as RDMA."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.checks.base import Context, Params
from auditor.finding import Finding, Level, Related
from auditor.intent import TrafficKind
from auditor.job import TRAFFIC_CLASSES, Asked, asked, environment
from auditor.model.device import Device
from auditor.model.host import Named
from auditor.model.nic import Nic
from auditor.model.setting import Known, Undetermined, Unknown, value_of
from auditor.walk import forced_dscp, takes_part

_OVERRIDDEN = "; the NICs' global traffic class overrides it, except for queue pairs that the kernel does not set up"


@dataclass(frozen=True, slots=True)
class Job:
    """A host's job: its variables, the traffic classes among them, and the RoCE NICs it can use."""

    variables: Named
    classes: tuple[Asked, ...]
    nics: tuple[Nic, ...]

    @property
    def is_overridden(self) -> bool:
        """Whether a global traffic class on all NICs overrides what the job asks for."""
        return bool(self.nics) and all(isinstance(forced_dscp(nic), Known) for nic in self.nics)


def jobs(device: Device, _context: Context) -> Iterable[Job]:
    """Judge hosts whose job's environment asks for a traffic class."""
    variables = environment(device)
    classes = asked(variables, TRAFFIC_CLASSES)
    nics = tuple(port.config.nic for port in device.ports if port.config.nic and takes_part(port.config))
    return (Job(variables, classes, nics),) if classes else ()


def job_marks_otherwise(job: Job, _params: Params, context: Context) -> Iterator[Finding]:
    """A traffic class whose DSCP the fabric does not know as RDMA lands in the default class, at every hop."""
    rdma = context.intent.of_kind(TrafficKind.RDMA)
    if not any(isinstance(traffic.dscp, Known) for traffic in rdma):
        yield from _disagreeing(job.classes)
        raise Undetermined("the intent gives RDMA no DSCP to compare with")
    meant = sorted({point for traffic in rdma for point in traffic.dscp.known().value})
    expected = " or ".join(map(str, meant))
    override, level = (_OVERRIDDEN, Level.NOTE) if job.is_overridden else ("", None)
    for each in job.classes:
        dscp = each.number.value >> 2
        if dscp not in meant:
            message = f"{each.name}={each.number.value} is DSCP {dscp}, but the fabric expects {expected}{override}"
            yield Finding(message, each.number.where, key=each.name, level=level)
    yield from _forgotten(job, meant)


def _disagreeing(classes: tuple[Asked, ...]) -> Iterator[Finding]:
    first = classes[0]
    for other in classes[1:]:
        if other.number.value >> 2 != first.number.value >> 2:
            message = f"{other.name}={other.number.value} and {first.name}={first.number.value} are different DSCPs"
            related = (Related(f"{first.name} asks for another", first.number.where),) if first.number.where else ()
            yield Finding(message, other.number.where, key=f"{other.name} {first.name}", related=related)


def _forgotten(job: Job, meant: list[int]) -> Iterator[Finding]:
    """Yield that NCCL marks nothing where another library of the same job was told to mark."""
    other = next((each for each in job.classes if not each.name.endswith("CCL_IB_TC")), None)
    has_nccl = any(name.startswith(("NCCL_", "RCCL_")) for name in job.variables)
    is_told = any(each.name.endswith("CCL_IB_TC") for each in job.classes)
    if other is None or not has_nccl or is_told or job.is_overridden or 0 in meant:
        return
    if any(isinstance(nic.traffic_class, Unknown) and value_of(nic.vendor) == "NVIDIA" for nic in job.nics):
        raise Undetermined("NCCL_IB_TC is not set, and no capture shows the NICs' global traffic class")
    message = f"{other.name} is set but NCCL_IB_TC is not: NCCL marks its packets with DSCP 0"
    yield Finding(message, other.number.where, key="NCCL_IB_TC")
