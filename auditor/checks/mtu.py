"""MTU: every hop takes what the one before may send."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import Field

from auditor.checks.base import Cable, Context, Params
from auditor.finding import Fault, Finding, Related, Sign, Trace
from auditor.model.fabric import Attached
from auditor.model.port import PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, value_of


@dataclass(frozen=True, slots=True)
class Direction:
    """One direction of a link."""

    sender: Attached
    receiver: Attached


def directions(cable: Cable, _context: object) -> Iterable[Direction]:
    """Judge what arrives at switches; a switch may take larger packets than its host, which chooses their size."""
    if any(value_of(end.port.config.ethernet.enabled) is False for end in (cable.a, cable.b)):
        return ()
    both = (Direction(cable.a, cable.b), Direction(cable.b, cable.a))
    return tuple(d for d in both if d.receiver.device.kind == "switch")


def peer_too_small(given: Direction, _params: Params, _context: object) -> Iterator[Finding]:
    """A packet that is larger than the next port takes is dropped there without a word: RoCE is not fragmented."""
    sent = given.sender.known(given.sender.port.config.ethernet.ip_mtu_bytes)
    taken = given.receiver.known(given.receiver.port.config.ethernet.ip_mtu_bytes)
    if sent.value > taken.value:
        name = f"{given.sender.device.name} {given.sender.port.name}"
        place = given.sender.port.locate(sent.where)
        yield Finding(
            f"takes IP packets of {taken.value} bytes at most, but {name} may send {sent.value}",
            given.receiver.port.locate(taken.where) or given.receiver.port.where,
            related=(Related(f"{name} may send {sent.value} bytes", place),) if place else (),
            device=given.receiver.device.name,
            port=given.receiver.port.name,
            fault=Fault.BLACK_HOLE,
            trace=Trace((Sign.TOO_LONG,)),
        )


class PathMtuParams(Params):
    """Bytes of an IP packet beyond the RDMA payload.

    On a switch: IPv4 20, UDP 8, BTH 12, RETH 16, immediate data 4, ICRC 4. On a host: what the Linux RDMA core takes
    off the netdev's MTU before it chooses a path MTU (include/rdma/ib_addr.h, iboe_get_mtu).
    """

    switch_overhead_bytes: int = Field(default=64, ge=0)
    host_overhead_bytes: int = Field(default=96, ge=0)


def below_path_mtu(port: PortConfig, params: PathMtuParams, context: Context) -> Iterator[Finding]:
    """A port whose MTU is below the RDMA path MTU plus headers drops every full packet, or halves the path MTU."""
    payload = context.intent.path_mtu_bytes.known().value
    overhead = params.host_overhead_bytes if port.nic else params.switch_overhead_bytes
    mtu, used = port.ethernet.ip_mtu_bytes, port.nic.active_mtu_bytes if port.nic else NOT_COLLECTED
    if isinstance(mtu, Known) and mtu.value < payload + overhead:
        need = f"an RDMA path MTU of {payload} needs {payload + overhead}"
        # a NIC takes a smaller path MTU instead, and then nothing too long is sent to it
        trace = None if port.nic else Trace((Sign.TOO_LONG,))
        yield Finding(f"takes IP packets of {mtu.value} bytes at most, but {need}", mtu.where, trace=trace)
    elif isinstance(used, Known) and used.value < payload:
        yield Finding(f"the RDMA device uses a path MTU of {used.value}, but {payload} is meant", used.where)
    else:
        mtu.known()
