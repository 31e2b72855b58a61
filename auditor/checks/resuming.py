"""When a priority group pauses and lets go, and how much of the shared headroom all groups may take."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params, PortPriorityGroup, list_lossless_groups
from auditor.checks.buffers import FRAME_OVERHEAD_BYTES, LARGEST_PAYLOAD_BYTES
from auditor.checks.pools import SharedHeadroom
from auditor.model.buffers import PriorityGroup
from auditor.model.finding import Finding, Level, Related
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Undetermined, Where, is_chosen, value_of

FRAMES = 2
"""Frames between the pause and its end, below which every frame that arrives turns the pause on or off."""
LARGEST_FRAME_BYTES = LARGEST_PAYLOAD_BYTES + FRAME_OVERHEAD_BYTES


def list_resuming_groups(port: PortConfig, context: Context) -> Iterable[PortPriorityGroup]:
    """Return the no-drop priority groups whose pause and its end are written in bytes."""
    written = any(map(_is_written, value_of(port.priority_groups) or ()))
    found = list_lossless_groups(port, context) if written else ()
    return tuple(each for each in found if _is_written(each.group))


def _is_written(group: PriorityGroup) -> bool:
    end = isinstance(group.xon_bytes, Known) or isinstance(group.xon_offset_bytes, Known)
    return end and isinstance(group.static_threshold_bytes, Known)


def resumes_late(given: PortPriorityGroup, _params: Params, _context: Context) -> Iterator[Finding]:
    """A pause ends where the group has drained: below the depth at which it began, and not at once."""
    group, key = given.group, f"priority group {given.group.pg}"
    pause = group.static_threshold_bytes.known()
    resume = group.xon_bytes if isinstance(group.xon_bytes, Known) else group.xon_offset_bytes.known()
    frame = min(value_of(given.port.ethernet.max_frame_bytes) or LARGEST_FRAME_BYTES, LARGEST_FRAME_BYTES)
    facts = (("pause", max(resume.value + FRAMES * frame, _find_last_mark(given.port))),)
    if resume.value >= pause.value:
        message = f"{key} pauses at {pause.value:,} bytes, and its resume threshold of {resume.value:,} is not below"
        related = _relate_pause(pause.where)
        yield Finding(message, resume.where, key=key, is_certain=True, related=related, facts=facts)
        return
    gap = pause.value - resume.value
    if resume is group.xon_bytes and gap < FRAMES * frame:
        message = f"{key} lets go {gap:,} bytes below where it pauses, less than {FRAMES} frames of {frame:,}"
        related = _relate_pause(pause.where)
        level = Level.WARNING
        yield Finding(message, resume.where, key=key, level=level, is_certain=True, related=related, facts=facts)


def _find_last_mark(port: PortConfig) -> int:
    """Return the depth in bytes at which all packets of a queue are marked, 0 where none is known.

    A port that pauses no earlier leaves the queue room for its whole curve, whoever fills it.
    """
    ends = (value_of(queue.ecn_max) for queue in value_of(port.queues) or ())
    return max((int(end.bytes) for end in ends if end is not None and end.bytes is not None), default=0)


def _relate_pause(where: Where | None) -> tuple[Related, ...]:
    return (Related("the threshold at which a port pauses", where, is_at_odds=True),) if where else ()


class AlphaParams(Params):
    """Between which factors a dynamic threshold is one."""

    least: float = Field(default=1 / 64, gt=0, description="factor of what is free, below which one pauses too early")
    most: float = Field(default=8, gt=0, description="factor above which one port takes what all others need")


def list_dynamic_groups(port: PortConfig, context: Context) -> Iterable[PortPriorityGroup]:
    """Return the no-drop priority groups with a dynamic threshold."""
    written = any(is_chosen(group.alpha) for group in value_of(port.priority_groups) or ())
    found = list_lossless_groups(port, context) if written else ()
    return tuple(each for each in found if is_chosen(each.group.alpha))


def alpha_extreme(given: PortPriorityGroup, params: AlphaParams, _context: Context) -> Iterator[Finding]:
    """Alone, a port may fill alpha/(1 + alpha) of the pool before it pauses."""
    alpha, key = given.group.alpha.known(), f"priority group {given.group.pg}"
    if not params.least <= alpha.value <= params.most:
        part = 100 * alpha.value / (1 + alpha.value)
        message = f"{key} has an alpha of {alpha.value:.4g}: alone it pauses at {part:.3g} percent of its pool"
        yield Finding(message, alpha.where, key=key)


class OversubscriptionParams(Params):
    """How far a pool of shared headroom may be oversubscribed."""

    noted: float = Field(default=4, ge=1, description="ratio above which it is noted")
    most: float = Field(default=8, ge=1, description="ratio above which it is a warning")


def headroom_oversubscribed(
    given: SharedHeadroom, params: OversubscriptionParams, _context: Context
) -> Iterator[Finding]:
    """Shared headroom is a bet that few ports pause at once: the ratio is the stake."""
    shared = given.pool.shared_headroom_bytes.known()
    sizes = [group.xoff_bytes for _, group in given.drawn]
    if not all(isinstance(each, Known) for each in sizes):
        raise Undetermined("the dump does not show the headroom of each priority group", shared.where)
    total = sum(each.known().value for each in sizes)
    ratio = total / shared.value
    if ratio > params.noted:
        message = (
            f"priority groups of pool {given.pool.name} may need {total:,} bytes of headroom together, {ratio:.3g} "
            f"times the {shared.value:,} that they share"
        )
        level = Level.WARNING if ratio > params.most else None
        yield Finding(message, shared.where, key=f"pool {given.pool.name}", level=level, is_certain=True)
