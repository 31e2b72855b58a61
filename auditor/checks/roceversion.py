"""Which RDMA a NIC speaks: RoCE v2 over a routable address, and not v1, a link-local address or iWARP."""

from collections.abc import Iterable, Iterator, Sequence

from auditor.checks.base import Context, Params
from auditor.fabric.gid import is_ipv4, is_link_local
from auditor.fabric.job_environment import GID_INDEXES, JobNumber, is_switched_on, list_numbers, read_environment, uses
from auditor.intent import TrafficKind
from auditor.model.finding import Facts, Finding, Level, Related
from auditor.model.host import ValuesByName
from auditor.model.nic import Gid, Nic, RdmaDevice, find_other_fabric
from auditor.model.port import PfcMode, Port, PortConfig
from auditor.model.setting import Known, Undetermined, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_INDEX = "NCCL_IB_GID_INDEX"
_MAY_BE_IWARP = frozenset({"Intel", "Chelsio"})


@dataclass(frozen=True, slots=True)
class NicAddresses:
    """A RoCE NIC and its RDMA device, with the GID indexes that jobs ask for on it, if any.

    `unasked`: a variable of a job that uses NCCL on this NIC and leaves it the choice among IPv4 addresses.
    """

    nic: Nic
    rdma: RdmaDevice
    indexes: tuple[JobNumber, ...] = ()
    unasked: Known[str] | None = None


def list_addresses(port: Port, context: Context) -> Iterable[NicAddresses]:
    """Return RoCE NICs whose GID table was captured, and once more those whose job was."""
    nic, rdma = port.config.nic, port.rdma
    if nic is None or not takes_part(port.config):
        return ()
    variables = read_environment(context.device)
    name = value_of(rdma.name)
    numbers = list_numbers(variables, GID_INDEXES)
    used = tuple(a for a in numbers if name is not None and uses(variables, a.name, name))
    unasked = _find_nccl_variable(variables, name)
    is_known = isinstance(rdma.gids, Known) or isinstance(nic.rdma_cm_mode, Known)
    asked = (NicAddresses(nic, rdma, used, unasked),) if used or (unasked and is_known) else ()
    return (*((NicAddresses(nic, rdma),) if is_known else ()), *asked)


def _find_nccl_variable(variables: ValuesByName, rdma_device: str | None) -> Known[str] | None:
    """Return a variable of NCCL where the job uses the NIC and asks neither for a GID index nor for IPv6."""
    family = variables.get("NCCL_IB_ADDR_FAMILY")
    if (family and family.value == "AF_INET6") or is_switched_on(variables, "NCCL_IB_DISABLE"):
        return None
    if rdma_device is None or not uses(variables, _INDEX, rdma_device):
        return None
    if list_numbers(variables, (_INDEX, "RCCL_IB_GID_INDEX")):
        return None
    return next((value for name, value in sorted(variables.items()) if name.startswith("NCCL_")), None)


def wrong_gid(given: NicAddresses, _params: Params, _context: Context) -> Iterator[Finding]:
    """RoCE v1 has no IP header to route or to mark by DSCP, and a link-local address ends at the first router."""
    nic, gids = given.nic, given.rdma.gids
    is_asked = bool(given.indexes or given.unasked)
    if not is_asked and value_of(nic.rdma_cm_mode) == "v1" and isinstance(nic.rdma_cm_mode, Known):
        device = value_of(given.rdma.name)
        facts = (("cm_device", device),) if device else ()
        message = "connections of RDMA-CM use RoCE v1: it is not routed"
        yield Finding(message, nic.rdma_cm_mode.where, key="rdma-cm", facts=facts)
    if not is_asked and not isinstance(gids, Known):
        return
    table = gids.known()
    if not is_roce(nic, table.value):
        return
    if not is_asked and table.value and all(gid.type == "v1" for gid in table.value):
        yield Finding("all GIDs are of RoCE v1, which is not routed", table.where, key="table")
    for each in given.indexes:
        yield from _check_index(each, table)
    if given.unasked:
        yield from _check_fallback(given.unasked, table)


def is_roce(nic: Nic, table: tuple[Gid, ...]) -> bool:
    """Return whether the port is one of Ethernet: `show_gids` prints the GIDs of InfiniBand ports as v1 too."""
    is_ethernet = value_of(nic.link_layer) == "ethernet" or value_of(nic.transport) == "roce"
    return is_ethernet or any(gid.type == "v2" or is_ipv4(gid.gid) for gid in table)


def _check_index(given: JobNumber, table: Known[tuple[Gid, ...]]) -> Iterator[Finding]:
    index = given.number.value
    fault = find_fault(index, table.value)
    if fault:
        level, why = fault
        related = (Related("the GIDs of the NIC", table.where),) if table.where else ()
        message = f"{given.name} asks for GID index {index}, but {why}{suggest_index(table.value)}"
        facts = (("gid_variable", given.name), *_name_index("gid_index", table.value))
        yield Finding(message, given.number.where, key=given.name, related=related, level=level, facts=facts)


def find_fault(index: int, table: tuple[Gid, ...]) -> tuple[Level, str] | None:
    """Return what is wrong with GID *index* of a RoCE table, with the level of the fault; None if it is fit."""
    gid = next((gid for gid in table if gid.index == index), None)
    if gid is None:
        return Level.ERROR, "the table of this NIC has no such GID"
    if gid.type == "v1":
        return Level.ERROR, f"that is {gid.gid}, of RoCE v1"
    return (Level.WARNING, f"that is {gid.gid}, which is link-local and not routed") if is_link_local(gid.gid) else None


def _check_fallback(unasked: Known[str], table: Known[tuple[Gid, ...]]) -> Iterator[Finding]:
    """Yield a finding where NCCL, which wants an IPv4 address by default, finds no such GID and stays at GID 0."""
    first = next((gid for gid in table.value if gid.index == 0), None)
    if first is None or any(is_ipv4(gid.gid) for gid in table.value):
        return
    if first.type == "v1" or is_link_local(first.gid):
        kind = "of RoCE v1" if first.type == "v1" else "link-local"
        message = f"the job names no GID index and the NIC has no IPv4 address: NCCL takes GID 0, which is {kind}"
        related = (Related("the GIDs of the NIC", table.where),) if table.where else ()
        yield Finding(
            f"{message}{suggest_index(table.value)}",
            unasked.where,
            key="no index",
            related=related,
            level=Level.WARNING,
            facts=_name_index("first_gid_index", table.value),
        )


def list_fit_indexes(table: Sequence[Gid]) -> Sequence[int]:
    """Return the indexes of RoCE v2 with a routable address, the least first."""
    return sorted(gid.index for gid in table if gid.type == "v2" and not is_link_local(gid.gid))


def _name_index(name: str, table: Sequence[Gid]) -> Facts:
    """Return for a remedy the only index that is fit, under *name*; nothing where a choice is left."""
    fit = list_fit_indexes(table)
    return ((name, fit[0]),) if len(fit) == 1 else ()


def suggest_index(table: tuple[Gid, ...]) -> str:
    """Return the indexes that are fit, as the end of a message; empty if none is."""
    fit = list_fit_indexes(table)
    return f"; RoCE v2 with a routable address is index {' or '.join(map(str, fit))}" if fit else ""


def list_rdma_nics(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return NICs that can speak iWARP, where RDMA is wanted."""
    nic = port.nic
    if nic is None or port.ethernet.is_shut or not context.intent.of_kind(TrafficKind.RDMA):
        return ()
    fabric = find_other_fabric(nic)
    may = fabric == "iwarp" or (value_of(nic.vendor) in _MAY_BE_IWARP and not fabric)
    return (port,) if may and (nic.has_rdma_device or isinstance(nic.transport, Known)) else ()


def speaks_iwarp(port: PortConfig, _params: Params, context: Context) -> Iterator[Finding]:
    """IWARP is RDMA over TCP: no RoCE peer understands it. A NIC beside the RoCE ones may speak it on purpose."""
    nic = port.nic
    if nic is None:
        return
    if not isinstance(nic.transport, Known):
        raise Undetermined("no capture shows whether the NIC speaks RoCE or iWARP: ibv_devinfo")
    is_meant = value_of(port.pfc.mode) is PfcMode.ON and bool(value_of(port.pfc.priorities))
    others = [each for each in context.rdma_ports if each.nic]
    is_alone = context.intent.declared and not others
    if nic.transport.value == "iwarp" and (is_meant or is_alone):
        why = "PFC is on for it" if is_meant else "the host has no other NIC for the fabric's RoCE"
        yield Finding(f"the NIC speaks iWARP, but {why}", nic.transport.where)
    elif nic.transport.value == "iwarp" and context.intent.declared and not any(map(_speaks_roce, others)):
        raise Undetermined("no capture shows whether another NIC of the host speaks RoCE: ibv_devinfo")


def _speaks_roce(port: PortConfig) -> bool:
    return port.nic is not None and value_of(port.nic.transport) == "roce"
