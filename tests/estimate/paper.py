"""The parameters of the DCQCN papers, for the tests that compare with their figures."""

from auditor.estimate.dcqcn import ReactionPoint
from auditor.estimate.ecn import MarkingCurve

PAPER = ReactionPoint(
    alpha_timer_s=55e-6,
    cut_interval_s=50e-6,
    increase_timer_s=55e-6,
    byte_counter_bytes=10e6,
    fast_recovery_stages=5,
    rate_ai=5e6,
)
PAPER_CURVE = MarkingCurve(5e3, 200e3, 0.01)
