"""A link beside itself without faults and beside an ideal one: goodput, an incast, an all-reduce."""

from dataclasses import replace

from auditor.estimate.answer import Band, Estimate
from auditor.estimate.collective import ring_all_reduce
from auditor.estimate.headroom import WIRE_OVERHEAD_BYTES
from auditor.estimate.link import ASSUMED_ECN, Dcqcn, LinkModel
from auditor.estimate.link_scenarios import make_sound
from auditor.util.values import dataclass

AS_IT_IS, FIXED, IDEAL = "as it is", "faults fixed", "ideal"
RANKS = 64
ALL_REDUCE_BYTES = 1e9
HOP_S = 5e-6
"""Assumption: software and switches of one hop of a ring."""
_LEAST = 1e-9
_WHOLE = Band(1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Workload:
    """An all-reduce around a ring: ranks, and bytes of each rank."""

    ranks: float = RANKS
    size_bytes: float = ALL_REDUCE_BYTES


@dataclass(frozen=True, slots=True)
class Variant:
    """A link in one state; low and high are ends of the quantity, so that a low goodput makes a high time."""

    name: str
    goodput: Band
    """Goodput over what the line can carry."""
    incast_s: Band
    """Time until all senders of an incast are done, s."""
    all_reduce_s: Band
    """Time of the workload over links as slow as this one, s."""


def make_fixed(link: LinkModel) -> LinkModel:
    """Return the link with all faults fixed: pauses honoured, headroom enough, ECN and DCQCN on."""
    return replace(make_sound(link), deaf=None, ecn=link.ecn or ASSUMED_ECN, dcqcn=link.dcqcn or Dcqcn())


def compare_states(link: LinkModel, found: Estimate, fixed: Estimate, work: Workload) -> tuple[Variant, ...]:
    """Return the link as it is, with its faults fixed, and ideal: credits instead of pauses, without loss or waiting.

    An ideal link carries payload whenever a packet waits, as links with credit-based flow control (InfiniBand) are
    built to do; it spreads no congestion.
    """
    return tuple(
        _make_variant(name, link, goodput, work)
        for name, goodput in ((AS_IT_IS, found.goodput), (FIXED, fixed.goodput), (IDEAL, _WHOLE))
    )


def _make_variant(name: str, link: LinkModel, goodput: Band, work: Workload) -> Variant:
    payload = link.speed_gbps * 1e9 / 8 * link.mtu_bytes / (link.frame_bytes + WIRE_OVERHEAD_BYTES)
    ends = tuple(max(part, _LEAST) * payload for part in (goodput.high, goodput.likely, goodput.low))
    asked = link.incast.likely * link.message_bytes.likely
    rings = (float(ring_all_reduce(work.ranks, work.size_bytes, end, HOP_S).total) for end in ends)
    return Variant(name, goodput, Band(*(asked / end for end in ends)), Band(*rings))
