"""Links: both ends of a cable agree on what it is."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from auditor.checks.base import Cable, Params
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known

T = TypeVar("T")


def list_speeds(cable: Cable, _context: object) -> Iterable[Cable]:
    """Return each link of which neither end is shut down."""
    return () if cable.is_shut else (cable,)


def speed_mismatch(cable: Cable, _params: Params, _context: object) -> Iterator[Finding]:
    """A link whose ends are set to different speeds does not come up, or comes up slower than its buffers expect."""
    near, far = (end.known(end.port.config.ethernet.speed_gbps) for end in (cable.a, cable.b))
    if near.value == far.value:
        return
    end, other, own, theirs = (cable.a, cable.b, near, far)
    if not own.where and theirs.where:
        end, other, own, theirs = (cable.b, cable.a, far, near)
    there = str(other.end)
    message = f"is set to {_format_speed(own)}, but {there} at the other end of the cable to {_format_speed(theirs)}"
    found = make_difference(message, (end, own), (other, theirs))
    yield replace(found, facts=(("speed_mbps", round(theirs.value * 1000)), ("speed_gbps", f"{theirs.value:g}")))


def make_difference(message: str, near: tuple[Attached, Known[T]], far: tuple[Attached, Known[T]]) -> Finding:
    """Return the finding that the ends of a cable have different values; it is placed at the near one."""
    (end, own), (other, theirs) = near, far
    there = str(other.end)
    proof = other.port.locate(theirs.where)
    return Finding(
        message,
        end.port.locate(own.where) or end.port.where,
        key=there,
        related=(Related(there, proof),) if proof else (),
        device=end.device.name,
        port=end.port.name,
    )


def _format_speed(speed: Known[float]) -> str:
    return f"{speed.value:g} Gb/s"
