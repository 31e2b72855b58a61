"""The NICs that jobs name against the rails of the intent: all of them, and no NIC of another network."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.checks.rails import list_rails
from auditor.fabric.gpus import count_gpus
from auditor.fabric.job_environment import uses
from auditor.fabric.job_settings import JobSettings, list_job_settings, list_nodes
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, Where, value_of
from auditor.packet.classify import takes_part
from auditor.util.listing import join_first
from auditor.util.natsort import natural
from auditor.util.values import dataclass

_LIST = "NCCL_IB_HCA"
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class HostNics:
    """The RDMA devices of a host on rails, and those of other networks, with the place of each."""

    host: Device
    rails: dict[str, Where | None]
    others: dict[str, Where | None]


@dataclass(frozen=True, slots=True)
class JobNics:
    """The list of NICs of a job, or None where it has none, and the NICs of the hosts on which it may run."""

    settings: JobSettings
    listed: Known[str] | None
    hosts: tuple[HostNics, ...]


def list_job_nics(given: Whole, _params: object) -> Iterable[JobNics]:
    """Return the jobs that use NCCL on hosts of which the intent and the cables tell the rails."""
    by_host = {each.host.name: each for each in _list_hosts(given)}
    found = []
    for each in list_job_settings(given.fabric):
        listed = each.variables.get(_LIST)
        hosts = tuple(by_host[node.name] for node in list_nodes(given.fabric, each) if node.name in by_host)
        if hosts and listed is not None:
            found.append(JobNics(each, listed, hosts))
    return tuple(found)


def _list_hosts(given: Whole) -> Iterator[HostNics]:
    """Yield the NICs of each host with rails; a NIC whose leaf is not known is neither on a rail nor beside them."""
    on_rails: dict[str, dict[str, Where | None]] = {}
    for rail in list_rails(given, None):
        for nic in rail.nics:
            if nic.leaf:
                on_rails.setdefault(nic.nic.device.name, {})[nic.name] = nic.where
    linked = {end for link in given.fabric.links for end in (link.a, link.b)}
    for device in given.fabric.devices:
        rails = on_rails.get(device.name)
        if rails:
            others = {
                name: port.locate(port.where)
                for port in device.ports
                if port.config.nic and takes_part(port.config) and End(device.name, port.name) in linked
                if (name := value_of(port.rdma.name)) is not None and name not in rails
            }
            yield HostNics(device, rails, others)


def job_leaves_rails(given: JobNics, _params: Params, _context: object) -> Iterator[Finding]:
    """A job that leaves a rail out has less bandwidth; one that takes a storage NIC waits for the storage network."""
    listed = given.listed
    if listed is None:
        return
    variables = given.settings.variables
    left = [(each, [name for name in each.rails if not uses(variables, _LIST, name)]) for each in given.hosts]
    # a host of which the list names no rail is one of other NICs, on which the job does not run
    excludes = listed.value.startswith("^")
    missing = [(each, own) for each, own in left if own and (excludes or len(own) < len(each.rails))]
    beyond = [(e, own) for e in given.hosts if (own := [n for n in e.others if uses(variables, _LIST, n)])]
    if beyond:
        each, own = beyond[0]
        message = (
            f"{_LIST}={listed.value} takes {_join(own)}, whose cable leads to no rail, on {_describe(each, beyond)}"
        )
        yield _make_finding(given, message, "beyond", each.others[own[0]], "the NIC of another network")
    if missing and _needs_all(given):
        each, own = missing[0]
        message = (
            f"{_LIST}={listed.value} leaves {_join(own)} out, which {'are rails' if len(own) > 1 else 'is a rail'} "
            f"of {_describe(each, missing)}"
        )
        yield _make_finding(given, message, "missing", each.rails[own[0]], "a rail that is left out")


def _needs_all(given: JobNics) -> bool:
    """Return whether the job may have all GPUs of a host: a job of fewer GPUs may use fewer rails."""
    workload = given.settings.workload
    asked = count_gpus(value_of(workload.resources) or {}) if workload else 0
    return not asked or asked >= max(len(each.rails) for each in given.hosts)


def _describe(first: HostNics, all_hosts: list[tuple[HostNics, list[str]]]) -> str:
    more = f" and {len(all_hosts) - 1} more" if len(all_hosts) > 1 else ""
    return f"{first.host.own_name}{more}"


def _join(names: list[str]) -> str:
    return join_first(sorted(names, key=natural), _SHOWN)


def _make_finding(given: JobNics, message: str, key: str, where: Where | None, why: str) -> Finding:
    listed = given.listed
    related = (Related(why, where),) if where else ()
    return Finding(
        given.settings.describe(message),
        listed.where if listed else None,
        f"{given.settings.name} {key}".strip(),
        related,
        device=given.settings.device.name,
    )
