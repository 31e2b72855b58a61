"""Buffer pools against the memory that the switch's chip has, and against the headroom that is drawn from them."""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from auditor.checks.base import Context, Params
from auditor.checks.buffers import bound_headroom
from auditor.estimate.asic import Asic
from auditor.fabric.chip import find_chip
from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.port import Port
from auditor.model.setting import Known, Undetermined, Where, is_by_hand, value_of
from auditor.util.values import dataclass

ROUNDING = 1.1
"""Published buffer sizes are rounded, and count 10^6 or 2^20 bytes as 1 MB: what is less beyond them may still fit."""
SURE = frozenset({"medium", "high"})
"""How well a chip's memory must be known for a finding."""
WHOLE_PERCENT = 100.0
_SIDE = {"ingress": "ingress", "egress": "egress", "both": "whole"}


@dataclass(frozen=True, slots=True)
class SizedPools:
    """The pools of one direction whose sizes are written."""

    device: Device
    direction: str
    pools: tuple[Pool, ...]


def list_sized_pools(device: Device, _context: Context) -> Iterable[SizedPools]:
    """Return the pools of switches by direction; what the switch sizes by itself fits, and virtual queues lie outside.

    A switch with virtual output queues has memory beside the chip.
    """
    if device.kind != "switch" or value_of(device.buffer_architecture) == "voq":
        return ()
    pools = value_of(device.pools) or ()
    written = [p for p in pools if isinstance(p.size_bytes, Known) or isinstance(p.memory_percent, Known)]
    directions = sorted({pool.direction for pool in written})
    return tuple(SizedPools(device, d, tuple(p for p in written if p.direction == d)) for d in directions)


def pools_exceed_chip(given: SizedPools, _params: Params, _context: Context) -> Iterator[Finding]:
    """No pool is larger than the chip's memory, and shares of it add up to no more than all of it.

    Pools that are written in bytes may overlap, and headroom may be part of them, except on chips that are known to
    count otherwise: there ingress pools, their headroom and what groups reserve lie beside each other.
    """
    yield from _check_shares(given)
    in_bytes = [pool for pool in given.pools if value_of(pool.size_bytes)]
    if not in_bytes:
        return
    largest = max(in_bytes, key=lambda pool: pool.size_bytes.known().value)
    size = largest.size_bytes.known()
    chip, memory = _find_memory(given.device, size.where)
    has = f"{chip.name} has about {memory:,}"
    if size.value > ROUNDING * memory:
        message = f"pool {largest.name} has {size.value:,} bytes, but {has}"
        yield Finding(message, size.where, key=given.direction, facts=(("fits", memory),))
    elif given.direction != "egress" and chip.reserved_beside_pools:
        pools = sum(pool.size_bytes.known().value for pool in in_bytes)
        headroom = sum(value_of(pool.shared_headroom_bytes) or 0 for pool in in_bytes)
        reserved = _sum_reserved(given.device)
        if pools + headroom + reserved > ROUNDING * memory:
            terms = f"{pools:,} of pools + {headroom:,} of shared headroom + {reserved:,} reserved for priority groups"
            message = f"{pools + headroom + reserved:,} bytes = {terms}, but {has}"
            fits = max(0, memory - headroom - reserved - (pools - size.value))
            yield Finding(message, size.where, key=given.direction, facts=(("fits", fits),))


def _check_shares(given: SizedPools) -> Iterator[Finding]:
    shares = [share.known() for pool in given.pools if is_by_hand(share := pool.memory_percent)]
    total = sum(share.value for share in shares)
    if total > WHOLE_PERCENT:
        message = f"pools take {total:g} percent of the {_SIDE[given.direction]} buffer"
        yield Finding(message, shares[-1].where, key=f"{given.direction} percent")


def _find_memory(device: Device, where: Where | None) -> tuple[Asic, int]:
    """Return the chip of a switch whose ports share its buffer, with that buffer's size; raises Undetermined."""
    chip = find_chip(device)
    if chip is None or chip.buffer_bytes is None or chip.confidence["buffer_bytes"] not in SURE:
        raise Undetermined("the dumps do not tell the switch's ASIC, or the size of its buffer is not known", where)
    if chip.architecture != "shared":
        raise Undetermined(f"{chip.name} may have memory beside the chip's own", where)
    return chip, chip.buffer_bytes


def _sum_reserved(device: Device) -> int:
    """Return what the priority groups of ports that are up reserve, bytes, as far as it is known."""
    groups = (
        group
        for port in device.ports
        if not port.config.ethernet.is_shut
        for group in value_of(port.config.priority_groups) or ()
    )
    return sum(value_of(group.reserved_bytes) or 0 for group in groups)


@dataclass(frozen=True, slots=True)
class SharedHeadroom:
    """A pool with headroom that its priority groups share, and the groups of each port that draw from it."""

    pool: Pool
    drawn: tuple[tuple[Port, PriorityGroup], ...]


def list_shared_headrooms(device: Device, _context: Context) -> Iterable[SharedHeadroom]:
    """Return pools with shared headroom from which no-drop groups of ports that are up draw."""
    found = []
    for pool in value_of(device.pools) or () if device.kind == "switch" else ():
        if not value_of(pool.shared_headroom_bytes):
            continue
        drawn = tuple(
            (port, group)
            for port in device.ports
            if not port.config.ethernet.is_shut
            for group in value_of(port.config.priority_groups) or ()
            if value_of(group.lossless) and value_of(group.pool) == pool.name
        )
        if drawn:
            found.append(SharedHeadroom(pool, drawn))
    return tuple(found)


def headroom_pool_short(given: SharedHeadroom, _params: Params, context: Context) -> Iterator[Finding]:
    """Shared headroom may be less than all groups need together, but not less than one of them needs alone."""
    shared = given.pool.shared_headroom_bytes.known()
    sized = [
        (xoff.value, port, group, xoff.where)
        for port, group in given.drawn
        if isinstance(xoff := group.xoff_bytes, Known)
    ]
    if not sized:
        yield from _hold_least(given, context)
        return
    need, port, group, where = max(sized, key=lambda each: each[0])
    if need > shared.value:
        message = (
            f"priority groups of pool {given.pool.name} share {shared.value:,} bytes of headroom, "
            f"but group {group.pg} of {port.name} alone may need {need:,}"
        )
        place = port.locate(where)
        yield Finding(message, shared.where, key=f"pool {given.pool.name}", related=_relate_headroom(place))


def _hold_least(given: SharedHeadroom, context: Context) -> Iterator[Finding]:
    """Hold a pool whose groups have sizes that no capture shows against what arrives at one port whatever its cable."""
    shared = given.pool.shared_headroom_bytes.known()
    least, port = max(
        ((bound_headroom(port.config, context.intent), port) for port, _ in given.drawn), key=itemgetter(0)
    )
    if shared.value >= least:
        raise Undetermined("the switch sizes the headroom by itself, and the dump does not show it", shared.where)
    message = (
        f"priority groups of pool {given.pool.name} share {shared.value:,} bytes of headroom, "
        f"but after a pause at least {least:,.0f} still arrive at {port.name} alone"
    )
    yield Finding(message, shared.where, key=f"pool {given.pool.name}")


def _relate_headroom(place: Where | None) -> tuple[Related, ...]:
    return (Related("its headroom", place),) if place else ()
