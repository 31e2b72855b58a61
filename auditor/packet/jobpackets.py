"""What a job's packets get at a NIC: the DSCP, by the NIC or by a variable, and the GID."""

from collections.abc import Iterator

from auditor.fabric.addresses import read_gid
from auditor.fabric.gid import is_ipv4, is_link_local
from auditor.fabric.job_environment import GID_INDEXES, TRAFFIC_CLASSES, list_numbers, uses
from auditor.fabric.job_settings import JobSettings, list_job_settings
from auditor.model.fabric import Fabric
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Where, value_of
from auditor.packet.classify import convert_tos, find_forced_dscp
from auditor.util.regex import regex
from auditor.util.values import dataclass

_LIBRARY = regex(r"(NCCL|RCCL|UCX|NVSHMEM|MORI)_")
_WORDS = regex(r"[ ,]+")


@dataclass(frozen=True, slots=True)
class JobPacket:
    """A packet of one library of a job at a NIC; `marking` says where its DSCP comes from, `address` which GID it uses.

    `family` is None where no capture shows the GID.
    """

    job: str
    library: str
    dscp: Setting[tuple[int, ...]]
    marking: str
    address: str
    family: IpFamily | None


def find_jobs(fabric: Fabric, name: str) -> tuple[JobSettings, ...]:
    """Return the jobs of a name: the whole one, the name of an object with or without its namespace, or of a file."""
    found = [each for each in list_job_settings(fabric) if each.workload]
    exact = tuple(each for each in found if each.name == name)
    return exact or tuple(each for each in found if name in _list_names(each.name))


def _list_names(name: str) -> set[str]:
    """Return the words of a job's name by which people call it.

    >>> sorted(_list_names("PyTorchJob training/llm, Worker, container pytorch"))
    ['PyTorchJob', 'Worker', 'container', 'llm', 'pytorch', 'training/llm']
    """
    words = {word for word in _WORDS.split(name) if word}
    return words | {word.rpartition("/")[2] for word in words}


def list_job_packets(settings: JobSettings, nic: Nic, rdma: RdmaDevice) -> Iterator[JobPacket]:
    """Yield the packets of each library of a job at a NIC, none where the job does not use the NIC."""
    device = value_of(rdma.name) or ""
    libraries = dict.fromkeys(match[1] for name in settings.variables if (match := _LIBRARY.match(name)))
    for library in libraries or ("NCCL",):
        variable = next(name for name in TRAFFIC_CLASSES if name.startswith(f"{library}_"))
        if uses(settings.variables, variable, device):
            dscp, marking = _find_dscp(settings, nic, library)
            address, family = _find_gid(settings, rdma, library)
            yield JobPacket(settings.name, library, dscp, marking, address, family)


def _find_dscp(settings: JobSettings, nic: Nic, library: str) -> tuple[Setting[tuple[int, ...]], str]:
    """Return the DSCP of a library's packets, and where it comes from: the NIC's own comes first."""
    forced = find_forced_dscp(nic)
    if isinstance(forced, Known):
        tos = value_of(nic.traffic_class)
        return _wrap(forced), f"the NIC forces traffic class {tos}"
    if isinstance(nic.roce_dscp, Known):
        return _wrap(nic.roce_dscp), "the NIC marks RDMA by itself"
    names = tuple(name for name in TRAFFIC_CLASSES if name.startswith(f"{library}_"))
    asked = list_numbers(settings.variables, names)
    if asked:
        each = asked[0]
        return _wrap(convert_tos(each.number)), f"{each.name}={each.number.value}"
    unset: Where | None = settings.workload.where if settings.workload else None
    return Known((0,), Origin.DEFAULT, unset), f"no variable of {library} sets a traffic class"


def _wrap(dscp: Setting[int]) -> Setting[tuple[int, ...]]:
    return Known((dscp.value,), dscp.origin, dscp.where) if isinstance(dscp, Known) else dscp


def _find_gid(settings: JobSettings, rdma: RdmaDevice, library: str) -> tuple[str, IpFamily | None]:
    """Return the GID of a library's packets in words, and its version of IP."""
    names = tuple(name for name in GID_INDEXES if name.startswith(f"{library}_"))
    asked = list_numbers(settings.variables, names)
    table = value_of(rdma.gids)
    if table is None:
        wanted = f"index {asked[0].number.value}" if asked else "chosen by the library"
        return f"GID {wanted}; no capture shows the table", None
    if not asked:
        fit = next((gid for gid in table if gid.type == "v2" and is_ipv4(gid.gid)), None)
        fit = fit or next((gid for gid in table if gid.type == "v2" and not is_link_local(gid.gid)), None)
        return (_describe_gid(fit, "chosen by the library"), _find_family(fit)) if fit else ("no fit GID", None)
    index = asked[0].number.value
    gid = next((gid for gid in table if gid.index == index), None)
    why = f"{asked[0].name}={index}"
    return (_describe_gid(gid, why), _find_family(gid)) if gid else (f"no GID at index {index} ({why})", None)


def _describe_gid(gid: Gid, why: str) -> str:
    return f"GID {gid.index} ({read_gid(gid.gid)}, RoCE {gid.type}; {why})"


def _find_family(gid: Gid) -> IpFamily:
    return IpFamily.IPV4 if is_ipv4(gid.gid) else IpFamily.IPV6
