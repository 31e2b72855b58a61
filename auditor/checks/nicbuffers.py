"""Receive buffers of NICs: a paused priority has one of its own, with room for what still arrives after its pause."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding, Related, Sign, Symptom
from auditor.model.port import PfcMode, PortConfig
from auditor.model.setting import Known, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_LEAST_GBPS = 40.0
_STEP_BYTES = 8192
"""Buffers of a remedy are whole numbers of this."""


@dataclass(frozen=True, slots=True)
class PausedPriority:
    """A RoCE NIC and one priority on which PFC runs."""

    port: PortConfig
    priority: int


def list_paused_priorities(port: PortConfig, _context: Context) -> Iterable[PausedPriority]:
    """Return the PFC priorities of RoCE NICs whose receive buffers were captured or can be: those of NVIDIA."""
    nic = port.nic
    if nic is None or not takes_part(port) or value_of(port.pfc.mode) is not PfcMode.ON:
        return ()
    if value_of(nic.vendor) != "NVIDIA" and not isinstance(port.priority_groups, Known):
        return ()
    return tuple(PausedPriority(port, priority) for priority in port.pfc.priorities.known().value)


def receive_buffer_unfit(given: PausedPriority, _params: Params, _context: Context) -> Iterator[Finding]:
    """Packets that no pause stops take the room of those that wait for it; a buffer below XOFF cannot pause in time."""
    port, nic = given.port, given.port.nic
    groups = port.priority_groups.known().value
    paused = set(port.pfc.priorities.known().value)
    group = next((g for g in groups if given.priority in g.priorities.known().value), None)
    if group is None or nic is None:
        return
    mapped = group.priorities.known()
    symptom = Symptom((Sign.DISCARDED_ON_ARRIVAL,), (given.priority,))
    related = (Related(f"priority {given.priority} uses buffer {group.pg}", mapped.where),) if mapped.where else ()
    others = [str(priority) for priority in mapped.value if priority not in paused]
    if others:
        message = f"priority {given.priority} shares receive buffer {group.pg} with priorities {','.join(others)}"
        message = f"{message}, which PFC does not pause"
        facts = tuple(_list_apart(port))
        yield Finding(message, mapped.where, key=f"shared {given.priority}", symptom=symptom, facts=facts)
    if nic.vendor.known().value != "NVIDIA":
        return
    sizes = nic.receive_buffers_bytes.known()
    if group.pg >= len(sizes.value):
        return
    lengths = (value_of(nic.cable_length_m), value_of(port.cable_length_m))
    length = max((each for each in lengths if each is not None), default=None)
    size, least = sizes.value[group.pg], compute_xoff_bytes(length or 0, _LEAST_GBPS, 0)
    if size <= least:  # too small at any speed and MTU
        message = f"receive buffer {group.pg} of priority {given.priority} has {size} bytes"
        message = f"{message}, but after a pause at least {least} still arrive"
        facts = tuple(_list_apart(port))
        yield Finding(message, sizes.where, key=f"size {given.priority}", symptom=symptom, related=related, facts=facts)
        return
    length = port.cable_length_m.known().value if length is None else length
    mtu, speed = port.ethernet.ip_mtu_bytes.known().value, port.ethernet.speed_gbps.known().value
    need = compute_xoff_bytes(length, speed, mtu)
    if size <= need:
        message = (
            f"receive buffer {group.pg} of priority {given.priority} has {size} bytes, but after a pause {need} still "
            f"arrive ({length:g} m, {speed:g} Gb/s, MTU {mtu})"
        )
        facts = tuple(_list_apart(port))
        yield Finding(message, sizes.where, key=f"size {given.priority}", symptom=symptom, related=related, facts=facts)


def _list_apart(port: PortConfig) -> Iterator[tuple[str, str]]:
    """Yield buffers that part paused priorities from others, and sizes that let a pause take effect in time.

    Paused priorities use buffer 1 together, as the driver's own default has it. Nothing where a number is unknown.
    """
    nic, paused = port.nic, value_of(port.pfc.priorities)
    mtu, speed = value_of(port.ethernet.ip_mtu_bytes), value_of(port.ethernet.speed_gbps)
    sizes = value_of(nic.receive_buffers_bytes) if nic else None
    lengths = [value_of(port.cable_length_m), value_of(nic.cable_length_m) if nic else None]
    length = max((each for each in lengths if each is not None), default=None)
    if paused is None or sizes is None or mtu is None or speed is None or length is None or len(sizes) < 2:  # noqa: PLR2004
        return
    need = compute_xoff_bytes(length, speed, mtu)
    fitting = sizes[1] if sizes[1] > need else -(-(need + mtu) // _STEP_BYTES) * _STEP_BYTES
    yield "buffers", ",".join(str(int(priority in paused)) for priority in range(8))
    yield "buffer_sizes", ",".join(map(str, (sizes[0], fitting, *(0 for _ in sizes[2:]))))


def compute_xoff_bytes(length_m: float, speed_gbps: float, mtu_bytes: int) -> int:
    """Return what the mlx5 driver reserves above the XOFF threshold, in bytes (calculate_xoff in port_buffer.c).

    >>> compute_xoff_bytes(7, 400, 9000)
    150928
    """
    return round((301 + 2.16 * length_m) * max(speed_gbps, _LEAST_GBPS) + 2.72 * mtu_bytes)
