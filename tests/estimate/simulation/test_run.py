"""The packet simulation: what is conserved, what each mechanism does, what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.scenario import SIMULATED_HEADERS_BYTES, scenarios
from auditor.estimate.simulation import run as runs
from auditor.estimate.simulation.build import build, read_row
from auditor.estimate.simulation.errors import SimulationError
from auditor.estimate.simulation.loop import FULL, run_slice
from auditor.estimate.simulation.run import Outcome, enlarge, simulate

pytestmark = pytest.mark.long  # the first test compiles the simulation
GBPS = 1e9 / 8
PACKET = 1000 + SIMULATED_HEADERS_BYTES
LEAVES = {"uplink_rate": 200 * GBPS, "uplink_delay": 500e-9, "uplink_headroom": 60e3}
LOSSY = {"lossless": 0, "lossless_priorities": 0}
ECN = {"marking": 1, "kmin": 20e3, "kmax": 80e3, "pmax": 0.2, "reacting": 1}


def one(*start: int, **values: float) -> Outcome:
    """Return the outcome of one scenario: 8 senders of 1 MB at 100 Gb/s, unless *values* say otherwise.

    *start* is the seed and the limit of events, 1 and that of users where they are not given.
    """
    seed, most_events = (*start, *(1, runs.MOST_EVENTS)[len(start) :])
    return simulate(scenarios(1, {"message": 1e6, **values}), 0, seed, most_events)


def test_pfc_with_ample_headroom_loses_nothing_and_all_arrives() -> None:
    found = one(buffer=4e6, headroom=50e3, alpha=0.0625)
    assert found.dropped == 0
    assert found.pauses_sent
    assert found.sent == found.delivered == 8 * 1000
    assert found.paused_fraction > 0.1
    assert found.goodput_fraction > 0.98


def test_headroom_below_the_need_loses_packets() -> None:
    assert one(buffer=4e6, headroom=1, alpha=0.0625, delay=1.5e-6).dropped > 0


def test_without_pfc_a_small_buffer_overflows() -> None:
    found = one(buffer=1e6, **LOSSY)
    assert found.dropped > 0
    assert found.pause_frames == 0
    assert found.paused_fraction == 0
    # One dynamic queue holds alpha*E/(1 + alpha), here half of 0.8 MB.
    assert found.peak_queue_bytes == pytest.approx(0.4e6, abs=PACKET)


def test_a_large_buffer_without_pfc_takes_the_whole_burst() -> None:
    found = one(buffer=64e6, **LOSSY)
    assert found.dropped == 0
    # Seven of eight packets wait when all was sent.
    assert found.peak_queue_bytes == pytest.approx(7 / 8 * 8000 * PACKET, rel=0.02)
    assert found.goodput_fraction > 0.99


@pytest.mark.parametrize("alpha", [0.0625, 0.125, 1.0])
def test_the_first_pause_is_due_at_the_dynamic_threshold(alpha: float) -> None:
    buffer, headroom = 8e6, 20e3
    pool = buffer - 9 * headroom
    found = one(buffer=buffer, headroom=headroom, alpha=alpha, message=8e6)
    assert found.first_pause_bytes == pytest.approx(alpha * pool / (1 + 8 * alpha), abs=2 * PACKET)


def test_no_pause_below_the_threshold() -> None:
    found = one(senders=1, buffer=4e6, headroom=50e3)
    assert found.pause_frames == 0
    assert found.peak_queue_bytes <= PACKET


@pytest.mark.parametrize("values", [{"pfc_sent": 0}, {"ignoring": 8}])
def test_a_pause_that_is_not_sent_or_not_obeyed_protects_nothing(values: dict[str, float]) -> None:
    found = one(buffer=4e6, headroom=20e3, **values)
    assert found.dropped > 0
    assert found.paused_fraction == 0
    assert found.pause_frames > 0
    assert found.pauses_sent == ("pfc_sent" not in values)


def test_ecn_lowers_the_queue_and_rates_stay_within_bounds() -> None:
    without = one(buffer=64e6, message=2e6, headroom=50e3)
    found = one(buffer=64e6, message=2e6, headroom=50e3, **ECN)
    assert found.marked > 0
    assert found.peak_queue_bytes < without.peak_queue_bytes / 2
    assert all(0.001 - 1e-12 <= rate <= 1 for rate in found.rates)


def test_senders_without_dcqcn_keep_the_line_rate() -> None:
    found = one(buffer=64e6, headroom=50e3, **ECN, not_reacting=3)
    assert found.rates[:3] == (1, 1, 1)
    assert max(found.rates[3:]) < 1


def test_go_back_n_repeats_and_a_timeout_ends_what_would_stall() -> None:
    lost_tail = one(buffer=1e6, **LOSSY)
    ends = one(buffer=1e6, **LOSSY, timeout=200e-6)
    assert lost_tail.end_s == pytest.approx(20e-3)
    assert ends.timeouts > 0
    assert ends.end_s < 20e-3
    assert ends.goodput_fraction > lost_tail.goodput_fraction


def test_a_window_bounds_the_queue() -> None:
    found = one(buffer=64e6, headroom=50e3, windowed=1)
    free = one(buffer=64e6, headroom=50e3)
    # 4 propagations of 25 ns and two payloads are 3.25 payloads: 4 packets in flight.
    assert found.peak_queue_bytes <= 8 * 4 * PACKET < free.peak_queue_bytes
    assert found.goodput_fraction > 0.9


def test_a_paused_uplink_holds_a_victim_back() -> None:
    values = {**LEAVES, "buffer": 4e6, "headroom": 50e3, "victim_message": 1e6, "message": 4e6}
    found = one(**values)
    alone = one(**values | {"senders": 1})
    assert found.dropped == 0
    assert found.victim_fraction < 0.6
    assert 0.9 < alone.victim_fraction <= 1


def test_a_victim_of_a_star_shares_its_senders_pauses() -> None:
    found = one(buffer=4e6, headroom=50e3, victim_message=1e6, message=4e6)
    assert found.dropped == 0
    assert found.victim_fraction < 0.9


def test_a_seed_gives_the_same_run_and_another_seed_another() -> None:
    values = {"buffer": 2e6, **LOSSY, **ECN}
    assert one(3, **values) == one(3, **values)
    assert one(3, **values) != one(4, **values)


def test_the_limit_of_events_cuts_a_run_and_says_when() -> None:
    found = one(1, 5000)
    assert found.events == 5000
    assert found.cut_s is not None
    assert 0 < found.cut_s == found.end_s < one().end_s
    assert found.sent == found.dropped + found.delivered + found.waiting


def test_slices_do_not_change_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = one(buffer=2e6, **LOSSY)
    monkeypatch.setattr(runs, "SLICE", 777)
    assert one(buffer=2e6, **LOSSY) == whole


def test_rings_grow_and_keep_what_they_hold() -> None:
    row = read_row(scenarios(1, {"delay": 200e-6}), 0)
    world = build(row, 1)
    state, _ = run_slice(world, 10**7)
    assert state == FULL
    larger = enlarge(world)
    assert larger.frames.shape[1] == 2 * world.frames.shape[1]
    for ring, (head, count) in enumerate(world.rings):
        places = (head + np.arange(count)) % world.frames.shape[1]
        assert (larger.frames[ring, :count] == world.frames[ring, places]).all()


def test_memory_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LARGEST_RING", 1024)
    with pytest.raises(SimulationError, match="more than 1024 packets"):
        one(delay=200e-6)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"senders": 1e6}, "1000000 senders, expected at most 4096"),
        ({"horizon": 10}, "an observation of 10 s, expected at most 1 s"),
        ({"buffer": 1}, "a buffer of 1 bytes, expected room for one packet"),
        ({"delay": 1}, "a delay of 1 s, expected at most 0.1 s"),
        ({"jitter": 2}, "a start jitter of 2 s, expected at most 1 s"),
        ({"message": 1e15}, "1000000000000 packets in a flow, expected below 2147483648"),
        ({"cnp_delay": 1}, "a delay of 1 s, expected at most 0.1 s"),
        ({"headroom": 1e19}, "a size or a serial time is too large"),
    ],
)
def test_a_scenario_out_of_bounds_is_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        one(**values)


SMALL = st.fixed_dictionaries(
    {
        "senders": st.integers(1, 12),
        "rate": st.sampled_from([25 * GBPS, 100 * GBPS, 400 * GBPS]),
        "delay": st.sampled_from([0, 25e-9, 1e-6, 10e-6]),
        "payload": st.integers(1, 4096),
        "message": st.integers(1, 300_000),
        "victim_message": st.sampled_from([0, 50_000]),
        "horizon": st.sampled_from([20e-6, 2e-3]),
        "buffer": st.integers(5_000, 2_000_000),
        "headroom": st.integers(0, 60_000),
        "headroom_pool": st.sampled_from([0, 30_000]),
        "alpha": st.floats(0.01, 8),
        "alpha_lossy": st.floats(0.01, 8),
        "lossless": st.booleans(),
        "pfc_sent": st.booleans(),
        "ignoring": st.integers(0, 1),
        "marking": st.booleans(),
        "kmin": st.just(10_000),
        "kmax": st.sampled_from([10_000, 100_000]),
        "pmax": st.floats(0, 1),
        "reacting": st.booleans(),
        "timeout": st.sampled_from([0, 100e-6]),
        "windowed": st.booleans(),
        "marks_out_of_order": st.booleans(),
        "clamp_target": st.booleans(),
        "byte_counter": st.sampled_from([0, 1, 32767]),
        "cnp_interval": st.sampled_from([0, 4e-6, 50e-6]),
        "cnp_delay": st.sampled_from([0, 2e-6]),
        "selective_repeat": st.booleans(),
        "send_jitter": st.sampled_from([0, 0.02]),
    }
)


@given(SMALL, st.booleans(), st.integers(1, 2**31))
@settings(max_examples=60)
def test_packets_are_conserved_and_ratios_are_ratios(values: dict[str, float], leaves: bool, seed: int) -> None:
    found = one(seed, 300_000, **values, **(LEAVES if leaves else {}))
    assert found.sent == found.dropped + found.delivered + found.waiting
    assert 0 <= found.loss_ratio <= 1
    assert 0 <= found.paused_fraction <= 1
    assert found.goodput_fraction >= 0
    assert found.peak_queue_bytes <= values["buffer"]
    assert found.peak_group_bytes <= values["buffer"]
    least = 100e6 / 8 / values["rate"]
    assert all(least - 1e-12 <= rate <= 1 for rate in found.rates)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"buffer": 4e6, "headroom": 50e3, "alpha": 0.0625}, (34986, 8000, 0, 0, 1493, 0, 0, 1196816, 672047804)),
        ({"buffer": 1e6, **LOSSY, "timeout": 200e-6}, (59116, 21537, 13511, 0, 0, 5, 11, 400336, 781241884)),
        (
            {"buffer": 4e6, "headroom": 50e3, **ECN, **LEAVES, "victim_message": 1e6},
            (72733, 9000, 0, 6711, 18, 0, 0, 853072, 1684520270),
        ),
    ],
)
def test_the_reference_run_stays_the_same(values: dict[str, float], expected: tuple[int, ...]) -> None:
    """What real NICs do beside the reference simulation is off by default and changes no event."""
    found = one(**values)
    counts = (found.events, found.sent, found.dropped, found.marked, found.pause_frames, found.nacks, found.timeouts)
    assert (*counts, found.peak_queue_bytes, round(found.end_s * 1e12)) == expected


@pytest.mark.parametrize("name", ["timeout", "nack_interval", "increase_timer", "cut_interval", "cnp_interval"])
def test_a_time_of_centuries_never_passes(name: str) -> None:
    values = {"buffer": 2e6, **LOSSY, **ECN}
    assert one(**values, **{name: 1e9}) == one(**values, **{name: 1.5})


def test_a_least_rate_above_the_line_rate_is_the_line_rate() -> None:
    found = one(buffer=2e6, **LOSSY, **ECN, min_rate=1e15)
    assert set(found.rates) == {1}


def test_an_increase_due_together_with_a_cut_comes_first() -> None:
    """The target then falls with the rate, so senders that are marked all the time stay slow, and lose little more."""
    values = {
        "senders": 24,
        "message": 4_565_187,
        "payload": 9000,
        "delay": 4310e-9,
        "buffer": 4_287_881,
        "headroom": 25_422,
        "alpha": 5.606,
        "marking": 1,
        "kmin": 562_158,
        "kmax": 2_248_634,
        "pmax": 0.2,
        "reacting": 1,
        "additive_increase": 500e6 / 8,
    }
    together, apart = (one(**values, cut_interval=4e-6, increase_timer=timer) for timer in (20e-6, 21e-6))
    assert together.loss_ratio < 0.05
    assert together.goodput_fraction > 0.9
    assert apart.loss_ratio > 2 * together.loss_ratio
