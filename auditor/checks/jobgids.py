"""GID indexes of jobs against the GID tables of all hosts: one index means another address on another host."""

from collections.abc import Iterable, Iterator, Mapping

from auditor.checks.base import Params, Whole
from auditor.checks.roceversion import find_fault, is_roce, suggest_index
from auditor.fabric.gid import is_ipv4, is_link_local
from auditor.fabric.job_environment import GID_INDEXES, list_named_devices, list_numbers, read_environment, uses
from auditor.fabric.job_settings import JobSettings, list_job_settings, list_nodes
from auditor.fabric.other_fabrics import has_no_roce
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import Finding, Level, Related
from auditor.model.nic import Gid
from auditor.model.port import Port
from auditor.model.setting import Known, Undetermined
from auditor.model.text_facts import GidRow
from auditor.util.regex import regex
from auditor.util.values import dataclass

_EMPTY = "gid-table-empty"
_MLX5 = regex(r"mlx5_(?:bond_)?\d{1,4}")


@dataclass(frozen=True, slots=True)
class HostTable:
    """The GID table of a NIC: its host, its RDMA device and its port."""

    host: str
    rdma_device: str
    table: Known[tuple[Gid, ...]]
    port: Port


@dataclass(frozen=True, slots=True)
class JobIndex:
    """A GID index of a job, and the tables of the NICs that the job may use.

    `empty` holds a line that says that a table is empty; `is_without_roce`: no RDMA device of the dumps speaks RoCE.
    """

    settings: JobSettings
    variable: str
    number: Known[int]
    tables: tuple[HostTable, ...]
    empty: Related | None
    is_without_roce: bool


@dataclass(frozen=True, slots=True)
class TextTables:
    """The whole GID tables of a device's text, and the values its text gives to GID indexes."""

    device: Device
    is_chosen: bool


def list_indexes(given: Whole, _params: object) -> Iterable[JobIndex | TextTables]:
    """Return each GID index of a job, and each device whose text holds GID tables or contradicting indexes."""
    tables: dict[str, list[HostTable]] = {}
    for table in _list_tables(given.fabric):
        tables.setdefault(table.host, []).append(table)
    is_elsewhere = has_no_roce(given.fabric.devices)
    found: list[JobIndex | TextTables] = []
    apart = _list_set_apart(given.fabric)
    for each in list_job_settings(given.fabric):
        own = tuple(table for host in list_nodes(given.fabric, each) for table in tables.get(host.name, ()))
        empty = _find_empty(given.fabric, each)
        for asked in list_numbers(each.variables, GID_INDEXES):
            if own and not empty and asked.name in read_environment(each.device):
                continue  # `wrong-gid` reports the environment of a host against the tables of the host
            told = apart[asked.name] if each.device.jobs else {}
            fit = tuple(
                t for t in own if uses(each.variables, asked.name, t.rdma_device) and _is_new(t, asked.number, told)
            )
            found.append(JobIndex(each, asked.name, asked.number, fit, empty, is_elsewhere))
    is_chosen = any(True for each in list_job_settings(given.fabric) if list_numbers(each.variables, GID_INDEXES))
    found += [TextTables(d, is_chosen) for d in given.fabric.devices if d.text.gid_rows or _list_differing(d)]
    return tuple(found)


def _list_tables(fabric: Fabric) -> Iterator[HostTable]:
    for device in fabric.devices:
        for port in device.ports:
            nic, name, gids = port.config.nic, port.rdma.name, port.rdma.gids
            if nic and isinstance(gids, Known) and isinstance(name, Known) and is_roce(nic, gids.value):
                yield HostTable(device.name, name.value, gids, port)


def _list_set_apart(fabric: Fabric) -> Mapping[str, Mapping[str, int]]:
    """Return the GID index that hosts' own environments give each variable."""
    found: dict[str, dict[str, int]] = {name: {} for name in GID_INDEXES}
    for device in fabric.devices:
        for own in list_numbers(read_environment(device), GID_INDEXES):
            found[own.name][device.name] = own.number.value
    return found


def _is_new(host: HostTable, asked: Known[int], told: Mapping[str, int]) -> bool:
    """Return whether no finding on the host's own environment tells yet what the index of a job meets there."""
    return told.get(host.host) != asked.value or find_fault(asked.value, host.table.value) is None


def _find_empty(fabric: Fabric, settings: JobSettings) -> Related | None:
    """Return a line that says that a GID table is empty, on a host on which the job may run."""
    hosts = fabric.devices if settings.device.jobs else (settings.device,)
    entries = (entry for device in hosts for entry in device.text.entries if entry.sign == _EMPTY)
    return next((Related("the GID table is empty", entry.where) for entry in entries), None)


def gid_index_unfit(given: JobIndex | TextTables, _params: Params, _context: object) -> Iterator[Finding]:
    """A job gives all hosts one GID index; where the table has another GID there, or none, connections fail."""
    if isinstance(given, TextTables):
        yield from _check_differing(given)
        yield from _check_default(given)
        return
    index = given.number.value
    if given.empty:
        message = (
            f"{given.variable} asks for GID index {index}, but the GID table is empty: give the RoCE NIC a network "
            "interface with an address there"
        )
        yield _make_finding(given, message, (given.empty,))
        return
    faults = [(each, fault) for each in given.tables if (fault := find_fault(index, each.table.value))]
    if faults:
        (first, (level, why)) = faults[0]
        more = f", and on {len(faults) - 1} more of {len(given.tables)} NICs" if len(faults) > 1 else ""
        place = f"{first.host} {first.rdma_device}"
        message = (
            f"{given.variable} asks for GID index {index}, but on {place} {why}{more}{suggest_index(first.table.value)}"
        )
        shown = first.port.locate(first.table.where)
        related = (Related(f"the GIDs of {place}", shown),) if shown else ()
        yield _make_finding(given, message, related, level)
        return
    yield from _check_families(given)
    if index == 0 and not given.tables and not given.is_without_roce:
        message = (
            f"{given.variable}=0 forces GID index 0: on a RoCE port that is the default GID, link-local and mostly "
            f"RoCE v1; leave {given.variable} unset, or name the index of RoCE v2 that `show_gids` lists"
        )
        yield _make_finding(given, message, (), Level.WARNING)
        return
    if index == 1 and not given.tables and not given.is_without_roce and _names_only_mlx5(given):
        message = (
            f"{given.variable}=1 forces GID index 1: on an mlx5 RoCE port that is the default GID of RoCE v2, "
            f"link-local and not routed; leave {given.variable} unset, or name an index with an address (`show_gids`)"
        )
        yield _make_finding(given, message, (), Level.WARNING)
        return
    if not given.tables:
        raise Undetermined(
            f"no capture shows the GID tables for {given.variable}={index}: show_gids", given.number.where
        )


def _check_families(given: JobIndex) -> Iterator[Finding]:
    """Yield NICs where the index is an address of the other version of IP than at most NICs: those do not reach it."""
    gids = [(each, gid) for each in given.tables for gid in each.table.value if gid.index == given.number.value]
    old, new = ([pair for pair in gids if is_ipv4(pair[1].gid) is flag] for flag in (True, False))
    few, many = sorted((old, new), key=len)
    if not few or len(few) == len(many):
        return
    for each, gid in few:
        place = f"{each.host} {each.rdma_device}"
        usual = f"an IPv{6 if few is old else 4} address on {len(many)} of {len(gids)} NICs"
        asked = f"{given.variable}={given.number.value}"
        message = f"{asked} is {gid.gid} on {place}, and {usual}: these do not reach each other"
        where = each.port.locate(gid.where or each.table.where)
        related = (Related(f"{given.variable} is set", given.number.where),) if given.number.where else ()
        name = given.settings.name
        text = f"{name}: {message}" if name else message
        yield Finding(text, where, f"{place} {name} {given.variable}", related, Level.WARNING, each.host)


def _names_only_mlx5(given: JobIndex) -> bool:
    """Return whether the job names its devices, and all by the driver that reserves GIDs 0 and 1 for v1 and v2.

    The kernel reserves the first indexes for link-local defaults, one for each version of RoCE that the driver has
    (drivers/infiniband/core/cache.c, gid_table_reserve_default).
    """
    named = list_named_devices(given.settings.variables, given.variable)
    return bool(named) and all(_MLX5.fullmatch(name) for name in named)


def _make_finding(given: JobIndex, message: str, related: tuple[Related, ...], level: Level | None = None) -> Finding:
    name = given.settings.name
    text = f"{name}: {message}" if name else message
    key = f"{name} {given.variable}".strip()
    return Finding(text, given.number.where, key, related, level, given.settings.device.name)


def _list_differing(device: Device) -> Mapping[str, tuple[Known[str], ...]]:
    """Return the GID indexes to which the text of *device* gives several values."""
    return {name: device.text.variables[name] for name in GID_INDEXES if len(device.text.variables.get(name, ())) > 1}


def _check_differing(given: TextTables) -> Iterator[Finding]:
    for name, values in _list_differing(given.device).items():
        listed = " and ".join(f"GID index {known.value}" for known in values)
        related = tuple(Related("another index", known.where) for known in values[1:] if known.where)
        message = (
            f"{name} asks for {listed}: one index does not suit hosts or pods whose tables differ; leave {name} "
            "unset (NCCL 2.21 and later choose by address), or let each pod set its own"
        )
        yield Finding(message, values[0].where, f"{name} differs", related, Level.WARNING, given.device.name)


def _check_default(given: TextTables) -> Iterator[Finding]:
    """Yield the tables without GID index 0, which libraries use where no job names an index."""
    tables: dict[tuple[str, str, int | None], list[GidRow]] = {}
    for row in given.device.text.gid_rows:
        tables.setdefault((row.device, row.table.file, row.table.line), []).append(row)
    for (device, _, _), rows in tables.items():
        versions = {row.version for row in rows}
        if given.is_chosen or any(row.index == 0 for row in rows) or versions != {"v1", "v2"}:
            continue
        fit = [row for row in rows if row.version == "v2" and not is_link_local(row.gid)]
        first = min(row.index for row in rows)
        use = f"; export NCCL_IB_GID_INDEX={fit[0].index} (RoCE v2), or use NCCL 2.21 or later" if fit else ""
        message = (
            f"the GID table of {device} begins at index {first}: GID index 0, which NCCL before 2.21 uses by "
            f"default, is empty{use}"
        )
        where = fit[0].where if fit else rows[0].where
        yield Finding(message, where, f"{device} default", (), Level.WARNING, given.device.name)
