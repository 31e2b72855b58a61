"""Settings of a cluster's operators for NICs and pod networks, against the intent of the fabric."""

from collections.abc import Collection, Iterable, Iterator

from auditor.checks.base import Context, format_priorities
from auditor.checks.mtu import HostMtuParams
from auditor.fabric.job_environment import TRAFFIC_CLASSES
from auditor.intent import Intent, TrafficKind
from auditor.model.device import Device
from auditor.model.finding import Finding, Level
from auditor.model.jobs import FROM_OUTSIDE, IdleTemplate, Jobs, NicTemplate, PodNetwork
from auditor.model.qos import Trust
from auditor.model.setting import Known, Origin, Undetermined, Unset
from auditor.util.values import dataclass

_BY_ITSELF = "; the operator sets that where the template is silent"


@dataclass(frozen=True, slots=True)
class ManifestPart:
    """A template or a network, with the jobs of the same dump."""

    part: NicTemplate | PodNetwork | IdleTemplate
    jobs: Jobs


def list_parts(device: Device, _context: Context) -> Iterable[ManifestPart]:
    """Return templates for NICs, and networks for RDMA that set an MTU."""
    jobs = device.jobs or Jobs()
    sized = [network for network in jobs.networks if not isinstance(network.mtu_bytes, Unset)]
    idle = () if jobs.templates else jobs.idle_templates  # beside another one it may be kept for later
    parts: tuple[NicTemplate | PodNetwork | IdleTemplate, ...] = (*jobs.templates, *idle, *sized)
    return tuple(ManifestPart(each, jobs) for each in parts)


def contradicts_fabric(placed: ManifestPart, params: HostMtuParams, context: Context) -> Iterator[Finding]:
    """A manifest and the switch at the other end of the cable must give the same values."""
    if isinstance(placed.part, PodNetwork):
        yield from _check_mtu(placed.part, params, context.intent)
        return
    if isinstance(placed.part, IdleTemplate):
        yield from _check_effect(placed.part)
        return
    yield from _check_trust(placed.part, context.intent)
    yield from _check_cnp(placed.part, context.intent)
    yield from _check_pfc(placed.part, context.intent)
    yield from _check_tos(placed.part, placed.jobs, context.intent)


def _check_effect(template: IdleTemplate) -> Iterator[Finding]:
    """Yield that settings for RoCE are written and not applied."""
    settings = ", ".join(template.settings)
    message = (
        f"{template.name} sets {settings} for RoCE, which the operator does not apply: roceOptimized is not enabled"
    )
    yield Finding(message, template.where, key=f"{template.name} idle", level=Level.WARNING)


def _check_mtu(network: PodNetwork, params: HostMtuParams, intent: Intent) -> Iterator[Finding]:
    payload = intent.path_mtu_bytes.known().value
    mtu = network.mtu_bytes.known()
    if mtu.value < payload + params.host_overhead_bytes:
        need = f"an RDMA path MTU of {payload} needs {payload + params.host_overhead_bytes}"
        yield Finding(f"{network.name} has an MTU of {mtu.value}, but {need}", mtu.where, key=f"{network.name} mtu")


def _check_trust(template: NicTemplate, intent: Intent) -> Iterator[Finding]:
    """Yield that NICs sort by PCP where the fabric tells RDMA by its DSCP."""
    trust = template.trust.known()
    marked = [traffic for traffic in intent.of_kind(TrafficKind.RDMA) if isinstance(traffic.dscp, Known)]
    if trust.value is Trust.PCP and marked:
        message = f"{template.name} makes NICs trust PCP, but the fabric knows RDMA by its DSCP"
        yield Finding(message, trust.where, key=f"{template.name} trust")


def _check_pfc(template: NicTemplate, intent: Intent) -> Iterator[Finding]:
    pauses, lossless = template.pfc_priorities.known(), intent.lossless.known().value
    if set(pauses.value) != set(lossless):
        meant = f"lossless are {_describe_priorities(lossless)}" if lossless else "nothing is lossless"
        message = f"{template.name} pauses {_describe_priorities(pauses.value)}, but {meant}{_note_default(pauses)}"
        yield Finding(message, pauses.where, key=f"{template.name} pfc")


def _check_cnp(template: NicTemplate, intent: Intent) -> Iterator[Finding]:
    own = intent.of_kind(TrafficKind.CNP) if intent.uses_dcqcn else ()
    meant = {point for traffic in own if isinstance(traffic.dscp, Known) for point in traffic.dscp.value}
    if meant and isinstance(template.cnp_dscp, Known) and template.cnp_dscp.value not in meant:
        dscp = template.cnp_dscp
        expected = f"{_format_points(meant)}{_note_default(dscp)}"
        message = f"{template.name} gives CNPs DSCP {dscp.value}, but the fabric expects {expected}"
        yield Finding(message, dscp.where, key=f"{template.name} cnp")


def _check_tos(template: NicTemplate, jobs: Jobs, intent: Intent) -> Iterator[Finding]:
    """Yield a ToS that differs from RDMA's; ToS 0 is no fault where each job marks by itself."""
    tos = template.tos.known()
    rdma = intent.of_kind(TrafficKind.RDMA)
    if not any(isinstance(traffic.dscp, Known) for traffic in rdma):
        raise Undetermined("the intent gives RDMA no DSCP to compare with")
    meant = {point for traffic in rdma for point in traffic.dscp.known().value}
    if tos.value >> 2 in meant:
        return
    if tos.value:
        expected = _format_points(meant)
        message = f"ToS {tos.value} of {template.name} is DSCP {tos.value >> 2}, but the fabric expects {expected}"
        yield Finding(message, tos.where, key=f"{template.name} tos")
        return
    silent = [job for job in jobs.workloads if not any(name in job.environment for name in TRAFFIC_CLASSES)]
    if jobs.workloads and not silent:
        return
    unsure = next((why for job in silent for name, why in job.undetermined.items() if _may_mark(name)), "")
    if unsure:
        raise Undetermined(f"{template.name} sets ToS 0, and whether jobs mark by themselves is not known: {unsure}")
    note = f"RDMA has DSCP {_format_points(meant)} only where a job asks for it{_note_default(tos)}"
    message = f"{template.name} sets ToS 0: {note}"
    yield Finding(message, tos.where, key=f"{template.name} tos", level=Level.WARNING)


def _may_mark(name: str) -> bool:
    return name in TRAFFIC_CLASSES or name.startswith(FROM_OUTSIDE)


def _note_default(setting: Known[object]) -> str:
    return _BY_ITSELF if setting.origin is Origin.DEFAULT else ""


def _format_points(points: Iterable[int]) -> str:
    return " or ".join(map(str, sorted(points)))


def _describe_priorities(priorities: Collection[int]) -> str:
    return f"priority {format_priorities(priorities)}" if priorities else "no priority"
