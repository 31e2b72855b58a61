"""The whole estimate: what a fault does to an incast, its bounds, and a packet simulator on drawn incasts."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.incast import Estimates, estimate
from auditor.estimate.rows import take
from auditor.estimate.scenario import Scenarios, scenarios

from .packet_simulator import Incast, simulate

GIGABIT = 1e9 / 8
DCQCN = {"marking": True, "reacting": True, "kmin": 400e3, "kmax": 1600e3, "pmax": 0.2}
ENOUGH_HEADROOM = 60_000
some = settings(max_examples=40)


def one(**values: float) -> Estimates:
    return estimate(scenarios(1, {"headroom": ENOUGH_HEADROOM, "delay": 500e-9, "buffer": 12e6, **values}))


def test_a_healthy_incast_is_held_back_and_loses_nothing() -> None:
    found = one()
    assert not found.any_loss[0]
    assert found.pfc_fires[0]
    assert found.loss.high[0] == 0
    assert found.goodput.likely[0] == pytest.approx(1, abs=0.01)
    message, senders, xoff = 4_192_000, 8, found.limits.xoff[0]
    spent = senders * message
    assert found.paused[0] == pytest.approx((spent - senders * xoff - message) / spent, abs=0.01)


def test_short_headroom_loses_a_share_of_each_reaction() -> None:
    none, half = one(headroom=0, delay=5e-6), one(headroom=60_000, delay=5e-6)
    assert none.any_loss[0]
    assert half.any_loss[0]
    assert none.loss.likely[0] > half.loss.likely[0] > 0
    assert none.goodput.likely[0] < one().goodput.likely[0]


@pytest.mark.parametrize(("ignoring", "loss"), [(1, 0.23), (2, 0.37), (4, 0.52), (8, 0.66)])
def test_the_more_senders_ignore_pauses_the_more_is_lost(ignoring: int, loss: float) -> None:
    assert one(ignoring=ignoring).loss.likely[0] == pytest.approx(loss, abs=0.05)


def test_a_switch_that_sends_no_pauses_drops_as_if_all_ignored_them() -> None:
    silent, deaf = one(pfc_sent=False), one(ignoring=8)
    assert silent.loss.likely[0] == pytest.approx(deaf.loss.likely[0])
    assert not silent.pfc_fires[0]
    assert deaf.pfc_fires[0]


def test_a_lossy_class_loses_what_the_queue_does_not_hold() -> None:
    found = one(lossless=False, horizon=4_192_000 / (100 * GIGABIT))
    queue = found.limits.lossy_queue[0]
    assert found.loss.likely[0] == pytest.approx((7 * 4_192_000 - queue) / (8 * 4_192_000), abs=0.005)


def test_lost_tails_wait_for_the_timeout() -> None:
    short, long = (one(lossless=False, timeout=t, horizon=1.0) for t in (1e-3, 67e-3))
    assert short.goodput.likely[0] > 5 * long.goodput.likely[0] > 0


def test_marking_below_xoff_keeps_pfc_quiet_and_above_it_does_not() -> None:
    early = one(message=16e6, horizon=0.1, **DCQCN | {"senders": 2})
    late = one(message=16e6, horizon=0.1, **DCQCN | {"senders": 2, "kmin": 16e6, "kmax": 64e6})
    assert not early.pfc_fires[0]
    assert late.pfc_fires[0]
    assert late.peak_queue[0] > early.peak_queue[0]


def test_a_slow_timer_costs_goodput() -> None:
    quick, slow = (one(horizon=0.1, increase_timer=t, **DCQCN).goodput.likely[0] for t in (55e-6, 1500e-6))
    assert slow < quick - 0.2


def test_a_victim_shares_the_pause_but_not_the_marks() -> None:
    paused, reacting = one(victim_message=4e6), one(victim_message=4e6, **DCQCN)
    assert paused.victim_goodput[0] < 0.3
    assert reacting.victim_goodput[0] > 0.8


def test_one_sender_overloads_nothing() -> None:
    for values in ({}, {"lossless": False}, DCQCN, {"ignoring": 1}):
        found = one(senders=1, **values)
        assert not found.any_loss[0]
        assert found.goodput.likely[0] == pytest.approx(1, abs=0.01)


drawn = st.fixed_dictionaries(
    {
        "senders": st.integers(1, 128).map(float),
        "rate": st.sampled_from([10, 25, 100, 400, 800]).map(lambda g: g * GIGABIT),
        "delay": st.floats(0, 1e-4),
        "uplink_rate": st.sampled_from([0, 0, 400 * GIGABIT]),
        "response": st.floats(0, 3e-6),
        "payload": st.sampled_from([256.0, 1024.0, 4096.0]),
        "message": st.floats(1, 1e8),
        "victim_message": st.sampled_from([0, 1e6]),
        "buffer": st.floats(1e5, 3e8),
        "headroom": st.floats(0, 5e6),
        "headroom_pool": st.sampled_from([0, 1e5, 1e7]),
        "alpha": st.floats(0.01, 16),
        "alpha_lossy": st.floats(0.01, 16),
        "xon_offset": st.floats(0, 1e6),
        "lossless": st.booleans(),
        "pfc_sent": st.booleans(),
        "ignoring": st.sampled_from([0.0, 1.0]),
        "marking": st.booleans(),
        "kmin": st.floats(0, 1e7),
        "pmax": st.floats(0, 1),
        "reacting": st.booleans(),
        "not_reacting": st.sampled_from([0.0, 1.0]),
        "gain": st.floats(1e-6, 1),
        "increase_timer": st.floats(1e-6, 5e-3),
        "min_rate": st.floats(1e3, 1e10),
        "cut_interval": st.floats(1e-6, 1e-3),
        "timeout": st.sampled_from([0, 1e-3, 67e-3]),
        "windowed": st.booleans(),
        "horizon": st.floats(1e-6, 1),
    }
)


def table(rows: list[dict[str, float]]) -> Scenarios:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    made = scenarios(len(rows), columns)
    return replace(made, kmax=made.kmin * 4)


@some
@given(st.lists(drawn, min_size=1, max_size=6))
def test_bounds_and_independence(rows: list[dict[str, float]]) -> None:
    """Every answer is a number within its bounds, and a row's answer does not depend on the rows beside it."""
    batch = table(rows)
    with np.errstate(all="raise", under="ignore"):
        found = estimate(batch)
    for interval in (found.loss, found.goodput):
        assert np.all((interval.low >= 0) & (interval.low <= interval.likely))
        assert np.all((interval.likely <= interval.high) & (interval.high <= 1))
    for ratio in (found.paused, found.victim_goodput):
        assert np.all((ratio >= 0) & (ratio <= 1))
    assert np.all(found.peak_queue >= 0)
    assert np.all(np.isfinite(found.peak_queue))
    assert np.array_equal(found.any_loss, found.loss.likely > 0)
    alone = estimate(take(batch, np.array([0])))
    for field in fields(Estimates):
        if field.name not in {"limits", "loss", "goodput"}:
            assert getattr(found, field.name)[0] == getattr(alone, field.name)[0]


@some
@given(drawn, st.floats(1.0, 4.0))
def test_more_headroom_in_a_pool_of_its_own_never_costs_packets(row: dict[str, float], more: float) -> None:
    """The buffer is given what the headroom takes, so that nothing else changes."""
    less = {**row, "headroom_pool": 0, "marking": False, "ignoring": 0, "pfc_sent": True, "uplink_rate": 0}
    ports = less["senders"] + 1 + (less["victim_message"] > 0)
    pool = less["buffer"]
    losses = []
    for headroom in (less["headroom"], less["headroom"] * more):
        made = table([{**less, "headroom": headroom, "buffer": pool + ports * headroom}])
        losses.append(bool(estimate(made).any_loss[0]))
    assert losses[0] >= losses[1]


@settings(max_examples=25)
@given(
    st.integers(2, 12),
    st.sampled_from([25.0, 100.0, 400.0]),
    st.floats(0.01, 0.4),
    st.floats(0, 1.6),
    st.booleans(),
)
def test_a_first_burst_packet_by_packet(senders: int, gbps: float, loop: float, part: float, lossless: bool) -> None:
    """Drawn incasts cut shortly after the first PAUSE or the first pass: the packet simulator loses what we say.

    loop: what is under way on the cable and back, over what a group holds at XOFF.
    """
    rate, packet, pool = gbps * GIGABIT, 1048, 4e5
    group = 0.125 * pool / (1 + senders / 8)
    delay = loop * group / (2 * rate)
    need = 2 * delay * rate * (1 - 1 / senders) + 2 * packet
    headroom = part * need * lossless
    buffer = pool + headroom * (senders + 1)
    until = group / (rate * (1 - 1 / senders)) + 3 * delay + need / rate if lossless else 1.5 * pool / rate
    made = scenarios(
        1,
        {
            "senders": senders,
            "rate": rate,
            "delay": delay,
            "buffer": buffer,
            "headroom": headroom,
            "lossless": lossless,
            "message": 1000 * (np.ceil(until * rate / packet) + 1),
            "horizon": until,
        },
    )
    expected = estimate(made)
    found = simulate(
        Incast(
            senders=senders,
            rate=rate,
            delay_s=delay,
            packets=int(made.message[0] / 1000),
            stop_s=until,
            buffer_bytes=buffer,
            headroom_bytes=headroom,
            lossless=lossless,
        )
    )
    lost = found.dropped / max(1, found.sent)
    assert expected.loss.likely[0] == pytest.approx(lost, abs=0.05 + 4 * packet / (until * rate))
