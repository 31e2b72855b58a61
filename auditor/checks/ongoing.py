"""Counters that grew between two samples: what goes on now, whatever else explains it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import Field

from auditor.checks.base import Context, Params
from auditor.checks.losses import PortCounter, list_arrivals, list_rdma_counters, spreads_packets
from auditor.model.counters import CounterKind
from auditor.model.device import Device
from auditor.model.finding import Finding

_WORDS = {
    CounterKind.SEQUENCE_NAK: "packets that a peer missed",
    CounterKind.OUT_OF_SEQUENCE: "packets out of sequence",
    CounterKind.RDMA_DISCARDED: "discarded RDMA packets",
    CounterKind.NO_BUFFER: "packets without a posted receive request",
    CounterKind.TIMEOUT: "packets that nobody acknowledged in time",
    CounterKind.LINK_DOWN: "losses of the link",
    CounterKind.CORRUPT: "frames damaged beyond repair",
    CounterKind.DISCARDED: "packets discarded for want of a buffer",
    CounterKind.RING_DISCARDED: "packets for which the network stack had no buffer",
}


class GrowthParams(Params):
    """How much growth makes a finding."""

    least_growth: int = Field(default=1, ge=1, description="between the two samples")


def list_growing(device: Device, context: Context) -> Iterable[PortCounter]:
    """Return the counters of lost RDMA packets of NICs that two samples have, none where a fabric may drop."""
    if context.intent.is_ecn_only:
        return ()
    arrivals = (PortCounter(each.port, each.kind, each.discarded) for each in list_arrivals(device, context))
    counters = (*list_rdma_counters(device, _WORDS), *arrivals)
    return tuple(each for each in counters if each.growth)


def losses_go_on(given: PortCounter, params: GrowthParams, context: Context) -> Iterator[Finding]:
    """What was lost between two samples is lost now, however many losses there were in a year of uptime."""
    growth = given.growth
    if growth is None or growth.count < params.least_growth:
        return
    if given.kind is CounterKind.OUT_OF_SEQUENCE and spreads_packets(given):
        return
    yield replace(given.report(f"losses go on: {_WORDS[given.kind]}", context), gives_way=True)
