"""Buffers: the headroom of no-drop priority groups against physics and against the standard's worst case."""

from collections.abc import Iterator

from auditor.checks.base import Context, Params, PortGroup
from auditor.estimate.headroom import FASTEST_RESPONSE_S, Headroom, ieee_response_s, required
from auditor.estimate.vendor_headroom import PUBLISHED_BELOW_BOUND
from auditor.finding import Fault, Finding, Level, Sign, Trace
from auditor.model.buffers import HeadroomSource
from auditor.model.setting import Undetermined, value_of

LARGEST_PAYLOAD_BYTES = 4096
FRAME_OVERHEAD_BYTES = 82
"""Of an RDMA write with immediate data: Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, data 4, ICRC 4, FCS 4."""


def headroom_short(given: PortGroup, _params: Params, context: Context) -> Iterator[Finding]:
    """Headroom must hold what still arrives after a pause is sent; below the physical bound loss is certain.

    The bound counts frames of RDMA, of which a class may have nothing else; the standard's worst case those of the
    port's MTU. A size that a vendor has published is not called an error.
    """
    port, group = given.port, given.group
    if value_of(group.headroom_source) is HeadroomSource.GENERATED and value_of(group.xoff_bytes) is None:
        raise Undetermined("the switch sizes the headroom by itself, and the dump does not show it")
    have = group.xoff_bytes.known()
    speed = port.ethernet.speed_gbps.known().value
    frame = port.ethernet.max_frame_bytes.known().value
    cable = value_of(port.cable_length_m)
    if cable is None:
        cable = value_of(context.intent.cable_length_m)
    payload = value_of(context.intent.path_mtu_bytes) or LARGEST_PAYLOAD_BYTES
    bound = required(speed, min(frame, payload + FRAME_OVERHEAD_BYTES), cable or 0.0, FASTEST_RESPONSE_S)
    key = f"priority group {group.pg}"
    trace = Trace((Sign.DISCARDED_ON_ARRIVAL,), value_of(group.priorities) or (), group=group.pg)
    if have.value < bound.total:
        message = _message(group.pg, have.value, bound, "cannot hold", cable)
        level = Level.WARNING if (speed, cable, have.value) in PUBLISHED_BELOW_BOUND else None
        yield Finding(message, have.where, key=key, level=level, fault=Fault.SHORT_HEADROOM, trace=trace)
        return
    if cable is None:
        raise Undetermined("the headroom passes the physical bound; its worst case needs the cable length", have.where)
    worst = required(speed, frame, cable, ieee_response_s(speed))
    if have.value < worst.total:
        message = _message(group.pg, have.value, worst, "is below the IEEE worst case,", cable)
        yield Finding(message, have.where, key=key, level=Level.WARNING, fault=Fault.SHORT_HEADROOM, trace=trace)


def _message(pg: int, have: int, need: Headroom, verdict: str, cable: float | None) -> str:
    terms = (
        f"{need.blocking_frame:.0f} blocking frame + {need.pause_frame:.0f} pause frame + {need.cable:.0f} cable"
        f"{'' if cable is None else f' of {cable:g} m'} + {need.response:.0f} response + "
        f"{need.last_frame:.0f} last frame"
    )
    return f"headroom of priority group {pg} ({have} bytes) {verdict} {need.total:.0f} bytes = {terms}"
