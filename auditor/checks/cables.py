"""Cables: the configured length, which sizes headroom, against the intent and the other end."""

from collections.abc import Iterable, Iterator
from math import ceil

from auditor.checks.base import Params, Whole
from auditor.intent import find_cable_length
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.setting import Known, is_by_hand
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class CableLengths:
    """A switch port with the cable length of its dump, and the lengths of the intent and of the other end."""

    near: Attached
    told: Known[float]
    meant: float | None
    far: tuple[Attached, Known[float]] | None


def list_cable_lengths(given: Whole, _params: object) -> Iterable[CableLengths]:
    """Return ports of switches that take part, on links whose length the intent gives, or the other end's switch."""
    found = []
    for _, a, b in given.fabric.inner_links():
        if not (_find_length(a) or _find_length(b)):
            continue
        meant = find_cable_length(given.intents.cables, a.device.own_name, b.device.own_name)
        for near, far in ((a, b), (b, a)):
            told, other = _find_length(near), _find_length(far)
            if told is None or not takes_part(near.port.config):
                continue
            opposite = (far, other) if other and is_by_hand(other) else None
            if meant is not None or opposite:
                found.append(CableLengths(near, told, meant, opposite))
    return tuple(found)


def _find_length(end: Attached) -> Known[float] | None:
    """Return the length in a switch's dump; a length from the intent has no place in a dump."""
    length = end.port.config.cable_length_m
    return length if end.device.kind == "switch" and isinstance(length, Known) and length.where else None


def cable_length_short(given: CableLengths, _params: Params, _context: object) -> Iterator[Finding]:
    """A switch that takes its cable for shorter than it is makes too little headroom for it."""
    near, told = given.near, given.told
    message = f"the switch takes the cable for {told.value:g} m, but"
    related: tuple[Related, ...] = ()
    if given.meant is not None:
        if told.value >= given.meant:
            return
        needed = given.meant
        message = f"{message} the intent gives it {given.meant:g}"
    elif given.far and told.value < given.far[1].value:
        far, other = given.far
        needed = other.value
        message = f"{message} {far.end} at its other end takes it for {other.value:g}"
        place = far.port.locate(other.where)
        related = (Related("the length at the other end", place),) if place else ()
    else:
        return
    yield Finding(
        message,
        near.port.locate(told.where),
        key="cable",
        related=related,
        device=near.device.name,
        port=near.port.name,
        facts=(("length_m", ceil(needed)),),
    )
