"""Cost of a fault on a typical link, for the explanation of a rule."""

from dataclasses import replace

from auditor.diagnosis.impact import Impact, break_link, estimate_mtu_loss, make_impact, vary_senders
from auditor.estimate.assess import assess
from auditor.estimate.headroom import compute_headroom
from auditor.estimate.link import ASSUMED_ECN, Dcqcn, Range, usual
from auditor.model.finding import LossKind

GBPS = 400
JUMBO_MTU, SMALL_MTU = 9000, 1500
"""A jumbo frame's MTU, and the default MTU of a port."""
LINK = f"a {GBPS} Gb/s link from a host to its leaf with 4096-byte packets, ECN marking and DCQCN"


def estimate_typical_cost(loss: LossKind) -> Impact:
    """Return the cost of a fault on a typical link from a host to its leaf (`LINK`)."""
    if loss is LossKind.BLACK_HOLE:
        return estimate_mtu_loss(JUMBO_MTU, SMALL_MTU)
    sound = replace(usual(GBPS), ecn=ASSUMED_ECN, dcqcn=Dcqcn())
    need = compute_headroom(GBPS, sound.frame_bytes, sound.cable_m.likely, sound.response_s.likely).total
    half = Range(need / 2, need / 2, need / 2, "half of what it needs")
    link = break_link(sound, loss, half, is_edge=True)
    links = vary_senders(link)
    return make_impact(loss, links, dict(zip(links, assess(links), strict=True)))
