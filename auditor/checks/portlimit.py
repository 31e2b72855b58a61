"""The platform's limit for the headroom of all priority groups of a port."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Undetermined, Unset, value_of
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class LimitedPort:
    """A port whose platform limits its headroom, and its no-drop priority groups."""

    port: Port
    limit: Known[int]
    groups: tuple[PriorityGroup, ...]


def list_limited_ports(device: Device, _context: Context) -> Iterable[LimitedPort]:
    """Return ports that are up and have a limit, where each has its headroom for itself.

    Where all ports share a pool of headroom the limit is about something else (SAI: it holds for headroom per port).
    """
    found = []
    for port in device.ports:
        limit = port.headroom_limit_bytes
        groups = tuple(g for g in value_of(port.config.priority_groups) or () if value_of(g.lossless))
        is_up = not port.config.ethernet.is_shut
        if isinstance(limit, Known) and limit.value and groups and is_up:
            found.append(LimitedPort(port, limit, groups))
    return () if found and _is_shared(device) else tuple(found)


def _is_shared(device: Device) -> bool:
    """Return whether ports share their headroom; raises Undetermined."""
    sizes = [pool.shared_headroom_bytes for pool in device.pools.known().value if pool.direction != "egress"]
    return any(size.known().value for size in sizes if not isinstance(size, Unset))


def headroom_beyond_limit(given: LimitedPort, _params: Params, _context: Context) -> Iterator[Finding]:
    """The switch refuses headroom beyond the limit and keeps what it had; the configuration does not show that."""
    port, limit = given.port, given.limit
    sizes = [_require_size(group.xoff_bytes, port) for group in given.groups]
    total = sum(size.value for size in sizes)
    if total > limit.value:
        numbers = ", ".join(str(group.pg) for group in given.groups)
        place = port.locate(sizes[0].where)
        yield Finding(
            f"the headroom of its priority groups {numbers} is {total:,} bytes, but the port may have {limit.value:,}",
            place or port.where,
            key=f"limit {port.name}",
            port=port.name,
            related=(Related("the port's limit", limit.where),) if limit.where else (),
        )


def _require_size(size: Setting[int], port: Port) -> Known[int]:
    try:
        return size.known()
    except Undetermined as ignorance:
        raise Undetermined(ignorance.why, port.where, port=port.name) from None
