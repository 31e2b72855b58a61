"""Jobs that leave RDMA or GPUDirect out by a setting, on hosts that have it."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.fabric.job_environment import is_switched_on
from auditor.fabric.job_settings import JobSettings, list_job_settings, list_nodes
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Undetermined, Where, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_TCP_PROVIDERS = frozenset({"tcp", "sockets", "tcp;ofi_rxm", "net"})
_NO_PLUGIN = frozenset({"", "none"})
_LIBRARIES = ("NCCL_", "RCCL_", "CCL_", "FI_")
_GPUDIRECT = ("NCCL_NET_GDR_LEVEL", "NCCL_IB_GDR_LEVEL")
"""How far apart a GPU and a NIC may be to use it; the second is the name before NCCL 2.4."""
_NEVER = frozenset({"LOC", "0"})
_ASKS = ("NCCL_IB_HCA", "NCCL_IB_TC", "NCCL_IB_GID_INDEX", "NCCL_IB_QPS_PER_CONNECTION", "NCCL_NET_GDR_LEVEL")


@dataclass(frozen=True, slots=True)
class JobTransport:
    """A job that uses a library of collectives, and the hosts on which it may run."""

    settings: JobSettings
    nodes: tuple[Device, ...]


def list_transports(given: Whole, _params: object) -> Iterable[JobTransport]:
    """Return the jobs that give a library of collectives a variable."""
    return tuple(
        JobTransport(each, list_nodes(given.fabric, each))
        for each in list_job_settings(given.fabric)
        if any(name.startswith(_LIBRARIES) for name in each.variables)
    )


def _list_choices(settings: JobSettings) -> Iterator[str]:
    """Yield the variables that leave RDMA out; another plugin of the network may still use RDMA."""
    values = {name: known.value.strip().lower() for name, known in settings.variables.items()}
    has_plugin = values.get("NCCL_NET_PLUGIN", "") not in _NO_PLUGIN or values.get("NCCL_NET", "ib") not in {
        "ib",
        "socket",
    }
    for library in ("NCCL", "RCCL"):
        if is_switched_on(settings.variables, f"{library}_IB_DISABLE") and not has_plugin:
            yield f"{library}_IB_DISABLE"
        if values.get(f"{library}_NET") == "socket":
            yield f"{library}_NET"
    if values.get("FI_PROVIDER") in _TCP_PROVIDERS and "CCL_ATL_TRANSPORT" in values:
        yield "FI_PROVIDER"


def rdma_left_out(given: JobTransport, _params: Params, _context: object) -> Iterator[Finding]:
    """A library that a setting keeps off RDMA runs the job over TCP, many times slower, and only its log says so."""
    variables = given.settings.variables
    nics = [(host, where) for host in given.nodes for where in _find_nic(host)]
    asks = next(_list_requests(given.settings), "")
    for name in _list_choices(given.settings):
        choice = f"{name}={variables[name].value}"
        if nics:
            host, where = nics[0]
            those = f"{host.own_name} and {len(nics) - 1} more have" if len(nics) > 1 else f"{host.own_name} has"
            yield _make_finding(
                given, name, f"{choice} leaves RDMA out: the job runs over TCP, but {those} RoCE NICs", where
            )
        elif asks:
            yield _make_finding(
                given, name, f"{choice} leaves RDMA out: the job runs over TCP, but it asks for RDMA by {asks}", None
            )
        else:
            why = f"no capture shows whether the hosts have RDMA, which {choice} leaves out"
            raise Undetermined(given.settings.describe(why), variables[name].where)


def gpudirect_left_out(given: JobTransport, _params: Params, _context: object) -> Iterator[Finding]:
    """Without GPUDirect RDMA each byte goes through the memory of the host: the network waits for the processors."""
    variables = given.settings.variables
    name = next((name for name in _GPUDIRECT if name in variables), "")
    if not name or variables[name].value.strip() not in _NEVER or any(_list_choices(given.settings)):
        return
    choice = f"{name}={variables[name].value}"
    places = [where for host in given.nodes for where in _find_nic(host)]
    if not places and not {*_list_requests(given.settings)} - {*_GPUDIRECT}:
        why = f"no capture shows whether the hosts have RDMA, for which {choice} leaves GPUDirect out"
        raise Undetermined(given.settings.describe(why), variables[name].where)
    message = f"{choice} leaves GPUDirect out: NICs copy through the memory of the host"
    yield _make_finding(given, name, message, *places[:1])


_PATHS = {
    "P2P_DISABLE": "GPUs of a host exchange data without NVLink or PCIe",
    "SHM_DISABLE": "ranks of a host exchange data without shared memory",
}
"""What a switch of NCCL and RCCL takes away inside a host."""


def path_switched_off(given: JobTransport, _params: Params, _context: object) -> Iterator[Finding]:
    """What GPUs of a host exchange then goes through its memory, or through the NICs, which the fabric has to carry."""
    for library in ("NCCL", "RCCL"):
        for switch, effect in _PATHS.items():
            name = f"{library}_{switch}"
            if is_switched_on(given.settings.variables, name):
                yield _make_finding(given, name, f"{name}={given.settings.variables[name].value}: {effect}")


def _list_requests(settings: JobSettings) -> Iterator[str]:
    """Yield the variables, then the resources, by which the job asks for RDMA."""
    yield from (name for name in _ASKS if name in settings.variables)
    limits = value_of(settings.workload.resources) if settings.workload else None
    yield from (name for name in limits or () if name.startswith("rdma/"))


def _find_nic(host: Device) -> Iterator[Where | None]:
    """Yield the place of the first RoCE NIC of a host."""
    for port in host.ports:
        if takes_part(port.config) and isinstance(port.rdma.name, Known):
            yield port.locate(port.rdma.name.where)
            return


def _make_finding(given: JobTransport, name: str, message: str, where: Where | None = None) -> Finding:
    related = (Related("a RoCE NIC of the host", where),) if where else ()
    return Finding(
        given.settings.describe(message),
        given.settings.variables[name].where,
        f"{given.settings.name} {name}".strip(),
        related,
        device=given.settings.device.name,
    )
