"""Settings of jobs from everywhere in a fabric: manifests, scripts, hosts' environments and pasted lines."""

from collections.abc import Iterator, Mapping

from auditor.fabric.gpus import count_gpus, has_wanted_gpus
from auditor.fabric.job_environment import read_environment
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.jobs import Workload
from auditor.model.setting import Known, value_of
from auditor.util.values import dataclass

INDEXES = {"NCCL": "NCCL_IB_GID_INDEX", "RCCL": "NCCL_IB_GID_INDEX", "UCX": "UCX_IB_GID_INDEX"}


@dataclass(frozen=True, slots=True)
class JobSettings:
    """The variables of one job and the device they belong to; `name` is empty for those of a host or a text.

    `workload` is None for those of a host or a text.
    """

    device: Device
    name: str
    variables: Mapping[str, Known[str]]
    workload: Workload | None = None

    def describe(self, message: str) -> str:
        """Return *message* with the job's name, unless the host owns the job."""
        return f"{self.name}: {message}" if self.name else message


def list_nodes(fabric: Fabric, settings: JobSettings) -> tuple[Device, ...]:
    """Return the hosts on which a job may run: those that it is bound to, else those that may have its GPUs.

    The environment of a host is that of the jobs on this host.
    """
    if not settings.device.jobs:
        return (settings.device,)
    hosts = tuple(device for device in fabric.devices if device.kind == "host")
    if settings.workload is None:
        return hosts
    if settings.workload.nodes:
        return tuple(host for host in hosts if host.own_name in settings.workload.nodes)
    resources = value_of(settings.workload.resources) or {}
    return tuple(host for host in hosts if has_wanted_gpus(host, resources)) if count_gpus(resources) else hosts


def list_job_settings(fabric: Fabric) -> Iterator[JobSettings]:
    """Yield the settings of each workload and each other text; a variable of several values is left out."""
    for device in fabric.devices:
        workloads = device.jobs.workloads if device.jobs else ()
        for each in workloads:
            yield JobSettings(device, each.name, each.environment, each)
        taken = {name for each in workloads for name in (*each.environment, *each.undetermined)}
        single = {name: values[0] for name, values in device.text.variables.items() if len(values) == 1}
        several = {name for name, values in device.text.variables.items() if len(values) > 1}
        own = {**single, **{k: v for k, v in read_environment(device).items() if k not in several}}
        own = {name: known for name, known in own.items() if name not in taken}
        if own:
            yield JobSettings(device, "", own)


def has_variable(fabric: Fabric, name: str) -> bool:
    """Return whether a job of *fabric* sets *name*, to whatever value."""
    workloads = (each for device in fabric.devices if device.jobs for each in device.jobs.workloads)
    hosts = any(name in device.text.variables or name in read_environment(device) for device in fabric.devices)
    return hosts or any(name in each.environment or name in each.undetermined for each in workloads)


def uses_rdma(fabric: Fabric) -> bool:
    """Return whether a dump of *fabric* shows an RDMA device of a host, or a job that asks for RDMA."""
    for device in fabric.devices:
        nics = [port.config.nic for port in device.ports if port.config.nic]
        if any(nic.has_rdma_device for nic in nics) or device.text.devices or device.text.gid_rows:
            return True
    return any(
        "_IB_" in name or name == "UCX_NET_DEVICES" for each in list_job_settings(fabric) for name in each.variables
    )
