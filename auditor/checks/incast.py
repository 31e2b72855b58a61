"""The incast that the intent declares: DCQCN is to hold its senders below the depth at which PFC pauses them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from auditor.checks.base import Params
from auditor.checks.declared_incasts import Incast
from auditor.checks.pause_point import relate_threshold
from auditor.fabric.dcqcn import has_cnp_interval
from auditor.model.finding import Finding
from auditor.model.setting import Undetermined, value_of

if TYPE_CHECKING:
    from auditor.checks.bottleneck import Bottleneck


class StartParams(Params):
    """How long it takes from the first mark until a cut rate arrives at the queue that gave it."""

    feedback_us: float = Field(default=5.0, gt=0, le=1000)


def pause_before_slowdown(given: Incast, params: StartParams, _context: object) -> Iterator[Finding]:
    """Senders that start at line rate fill the queue until their first cuts show; PFC is not to be quicker."""
    from auditor.checks import bottleneck  # noqa: PLC0415  numpy is slow to import, and most intents declare no incast

    feedback_s = params.feedback_us * 1e-6
    met = bottleneck.list_bottlenecks(given)
    for at in met:
        peak = bottleneck.compute_peak_bytes(at, feedback_s)
        if peak > at.pause_bytes:
            lasts = bottleneck.compute_pause_s(at, feedback_s) * 1e6
            message = (
                f"{given.senders} senders at once would fill queue {at.paused.queue.queue} to {peak:,.0f} bytes before "
                f"DCQCN has slowed them down, but are paused at {at.pause_bytes:,.0f}, for {lasts:.0f} us each"
            )
            yield _make_finding(given, at, message)
    _require_cnp_interval(given, met)


def rests_beyond_pause(given: Incast, _params: Params, _context: object) -> Iterator[Finding]:
    """Where DCQCN comes to rest only in a queue that is paused, pauses go on for as long as the incast does."""
    from auditor.checks import bottleneck  # noqa: PLC0415  as above

    met = bottleneck.list_bottlenecks(given)
    for at in met:
        depth, needed = bottleneck.compute_rest(at.congestion)
        if depth >= at.pause_bytes:
            there, most = f"{depth:,.0f} bytes", float(at.congestion.curve.pmax)
            if needed > most:
                there += f", for below Kmax it marks {most:.2%} at most"
            message = (
                f"DCQCN of {given.senders} senders rests where {needed:.2%} of packets are marked; queue "
                f"{at.paused.queue.queue} marks so many at {there}, but they are paused at {at.pause_bytes:,.0f}"
            )
            yield _make_finding(given, at, message)
    _require_cnp_interval(given, met)


def _require_cnp_interval(given: Incast, met: "Sequence[Bottleneck]") -> None:
    """Raise Undetermined where the time between CNPs is unknown: it has no documented default, and may be long."""
    nic = given.nic.port.config.nic if given.nic else None
    names = value_of(nic.dcqcn) or {} if nic else {}
    if given.nic and nic and met and not has_cnp_interval(value_of(nic.vendor), names):
        with given.nic.naming():
            raise Undetermined("no capture shows the least time between CNPs: min_time_between_cnps")


def _make_finding(given: Incast, at: "Bottleneck", message: str) -> Finding:
    near, queue = given.near, at.paused.queue
    return Finding(
        message,
        near.port.locate(queue.ecn_min.known().where),
        key=f"queue {queue.queue}",
        related=relate_threshold(at.paused, near.port),
        device=near.device.name,
        port=near.port.name,
    )
