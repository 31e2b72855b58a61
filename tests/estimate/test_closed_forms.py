"""Closed forms of the loss model against the packet simulator, on drawn parameters."""

from dataclasses import dataclass, replace
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.dcqcn import ReactionPoint, start_up
from auditor.estimate.ecn import MarkingCurve
from auditor.estimate.headroom import FIBRE_S_PER_M, compute_headroom
from auditor.estimate.pause import compute_paused_fraction
from auditor.estimate.threshold import share

from .packet_simulator import ACK_BYTES, LOSSY_SHARE, PAUSE_BYTES, Dcqcn, Incast, Marking, simulate

GIGABIT = 1e9 / 8
few = settings(max_examples=20)


@dataclass(frozen=True, slots=True)
class Load:
    """How many send at what rate over which delay, and in packets of what size."""

    senders: int
    rate: float
    delay_s: float
    packet: int

    def flood(self, lasting_s: float, buffer: float, headroom: float = 0.0) -> Incast:
        """Return an overload of a pool of *buffer* bytes by senders that never run out."""
        return Incast(
            senders=self.senders,
            rate=self.rate,
            delay_s=self.delay_s,
            packets=ceil(lasting_s * self.rate / self.packet) + 1,
            stop_s=lasting_s,
            buffer_bytes=buffer + headroom * (self.senders + 1),
            headroom_bytes=headroom,
            packet_bytes=self.packet,
            jitter_s=self.packet / self.rate,
        )


def loads(least: int = 2, rates: tuple[float, ...] = (25, 100, 400)) -> st.SearchStrategy[Load]:
    """Return loads of at least so many senders, at rates given in Gb/s."""
    rate = st.sampled_from([gbps * GIGABIT for gbps in rates])
    return st.builds(Load, st.integers(least, 16), rate, st.floats(10e-9, 2e-6), st.sampled_from([1048, 4144]))


@few
@given(loads(), st.integers(-4, 1), st.floats(1e6, 5e6))
def test_first_pause_at_the_share_of_the_pool(load: Load, exponent: int, pool: float) -> None:
    alpha = 2.0**exponent
    expected = float(share(pool, alpha, load.senders))
    lasting = 2 * load.delay_s + 1.5 * expected / (load.rate * (1 - 1 / load.senders))
    found = simulate(replace(load.flood(lasting, pool), alpha=alpha))
    assert found.first_pause_bytes == pytest.approx(expected, abs=2 * load.packet)


@few
@given(loads(least=3))
def test_least_headroom_without_loss(load: Load) -> None:
    """2 d C (1 - 1/N) < H <= 2 d C + 2 w; the PAUSE frame adds to it, and half a packet is certain to be missing."""
    loop = 2 * load.delay_s * load.rate
    lasting = 12 * load.delay_s + 60 * load.packet * load.senders / load.rate
    enough = simulate(load.flood(lasting, 4e5, loop + 2 * load.packet + PAUSE_BYTES))
    short = simulate(load.flood(lasting, 4e5, loop * (1 - 1 / load.senders) + load.packet / 2))
    assert enough.pause_frames
    assert not enough.dropped
    assert short.dropped


@few
@given(loads())
def test_the_required_headroom_loses_nothing(load: Load) -> None:
    need = float(compute_headroom(load.rate / GIGABIT, load.packet, load.delay_s / FIBRE_S_PER_M, 0).total)
    lasting = 12 * load.delay_s + 60 * load.packet * load.senders / load.rate
    found = simulate(load.flood(lasting, 4e5, need))
    assert found.pause_frames
    assert not found.dropped


@few
@given(loads())
def test_paused_fraction_of_a_lasting_overload(load: Load) -> None:
    """XON comes so late that packets under way at a pause hardly count, and so early that the queue stays."""
    loop = 2 * load.delay_s * load.rate + 3 * load.packet
    group = 4 * loop + 150 * load.packet
    pool = group * (1 + load.senders / 8) * 8
    incast = load.flood(60 * group / load.rate, pool, loop)
    found = simulate(replace(incast, xon_offset_bytes=60 * load.packet))
    assert not found.dropped
    assert found.paused_fraction == pytest.approx(
        float(compute_paused_fraction(load.rate, load.rate / load.senders)), abs=0.03
    )


@few
@given(loads(), st.floats(5e5, 4e6), st.floats(0.25, 4), st.floats(0.2, 3))
def test_one_pass_through_a_lossy_queue(load: Load, buffer: float, alpha: float, fill: float) -> None:
    """((N - 1) W - q) / (N W) is lost, q the queue's limit."""
    limit = float(share(LOSSY_SHARE * buffer, alpha, 1))
    sent = fill * limit
    near = replace(load, delay_s=25e-9)
    found = simulate(replace(near.flood(sent / load.rate, buffer), lossless=False, alpha_lossy=alpha))
    expected = max(0.0, ((load.senders - 1) * sent - limit) / (load.senders * sent))
    assert found.dropped / found.sent == pytest.approx(expected, abs=0.01 + 3 * load.packet / sent)


@few
@given(
    loads(rates=(100, 400)),
    st.floats(8e-6, 32e-6),
    st.floats(2, 5),
    st.floats(0.1, 1),
    st.sampled_from([4e-6, 10e-6, 50e-6]),
)
def test_peak_queue_of_a_start_up(load: Load, kmin_s: float, width: float, pmax: float, interval_s: float) -> None:
    """At rates at which each sender has marks in each interval; the first cut comes an interval after the first."""
    small = replace(load, packet=1048)
    curve = Marking(kmin_s * load.rate, width * kmin_s * load.rate, pmax)
    expected = start_up(
        small.senders,
        small.rate,
        MarkingCurve(curve.kmin_bytes, curve.kmax_bytes, curve.pmax),
        ReactionPoint(cut_interval_s=interval_s),
        packet_bytes=small.packet,
        feedback_s=(small.packet + 2 * ACK_BYTES) / small.rate + 4 * small.delay_s + interval_s,
    )
    incast = small.flood(1.3 * float(expected.convergence_s), 1e12)
    found = simulate(replace(incast, marking=curve, dcqcn=Dcqcn(cut_interval_s=interval_s)))
    assert 0.6 < found.peak_queue_bytes / float(expected.peak_bytes) < 1.4
