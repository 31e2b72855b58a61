"""Lossless traffic of an intent, for the tests that judge a port by it."""

from auditor.intent import Traffic, TrafficKind
from auditor.model.setting import Known, Origin


def make_traffic(name: str, kind: TrafficKind, dscp: int, priority: int) -> Traffic:
    """Return lossless traffic that has one DSCP and one priority."""
    return Traffic(
        name,
        kind,
        dscp=Known((dscp,), Origin.INTENDED),
        priority=Known(priority, Origin.INTENDED),
        lossless=Known(value=True, origin=Origin.INTENDED),
    )


RDMA = make_traffic("RDMA", TrafficKind.RDMA, 26, 3)
