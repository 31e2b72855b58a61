"""Buffers: the headroom of no-drop priority groups against physics and against the standard's worst case."""

from collections.abc import Iterator

from auditor.checks.base import Context, Params, PortGroup
from auditor.estimate.headroom import FASTEST_RESPONSE_S, Headroom, ieee_response_s, required
from auditor.finding import Fault, Finding, Level
from auditor.model.buffers import HeadroomSource
from auditor.model.setting import Undetermined, value_of


def headroom_short(given: PortGroup, _params: Params, context: Context) -> Iterator[Finding]:
    """Headroom must hold what still arrives after a pause is sent; below the physical bound loss is certain."""
    port, group = given.port, given.group
    if value_of(group.headroom_source) is HeadroomSource.GENERATED and value_of(group.xoff_bytes) is None:
        raise Undetermined("the switch sizes the headroom by itself, and the dump does not show it")
    have = group.xoff_bytes.known()
    speed = port.ethernet.speed_gbps.known().value
    frame = port.ethernet.max_frame_bytes.known().value
    cable = value_of(port.cable_length_m)
    if cable is None:
        cable = value_of(context.intent.cable_length_m)
    bound = required(speed, frame, cable or 0.0, FASTEST_RESPONSE_S)
    key = f"priority group {group.pg}"
    if have.value < bound.total:
        message = _message(group.pg, have.value, bound, "cannot hold", cable)
        yield Finding(message, have.where, key=key, fault=Fault.SHORT_HEADROOM)
        return
    if cable is None:
        raise Undetermined("the headroom passes the physical bound; its worst case needs the cable length", have.where)
    worst = required(speed, frame, cable, ieee_response_s(speed))
    if have.value < worst.total:
        message = _message(group.pg, have.value, worst, "is below the IEEE worst case,", cable)
        yield Finding(message, have.where, key=key, level=Level.WARNING, fault=Fault.SHORT_HEADROOM)


def _message(pg: int, have: int, need: Headroom, verdict: str, cable: float | None) -> str:
    terms = (
        f"{need.blocking_frame:.0f} blocking frame + {need.pause_frame:.0f} pause frame + {need.cable:.0f} cable"
        f"{'' if cable is None else f' of {cable:g} m'} + {need.response:.0f} response + "
        f"{need.last_frame:.0f} last frame"
    )
    return f"headroom of priority group {pg} ({have} bytes) {verdict} {need.total:.0f} bytes = {terms}"
