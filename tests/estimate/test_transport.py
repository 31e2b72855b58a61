"""What loss costs an RDMA transport, against the obvious simulations."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.transport import (
    abort_after_s,
    go_back_0,
    go_back_n,
    message_time,
    payload_share,
    selective_repeat,
    timeout_s,
    window_packets,
)

losses = st.floats(0, 0.5)


@pytest.mark.parametrize(
    ("gbps", "packet", "half"),
    [(100, 1048, 0.0085), (400, 4178, 0.0082), (100, 4178, 0.031)],
)
def test_the_loss_that_halves_goodput(gbps: float, packet: int, half: float) -> None:
    window = window_packets(gbps * 1e9 / 8, 10e-6, 0, packet)
    assert go_back_n(half, window) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("loss", "window"), [(1e-2, 20), (1e-3, 125), (0.1, 5)])
def test_go_back_n_against_a_simulation(loss: float, window: int) -> None:
    chance = random.Random(1)
    good = sent = 0
    while sent < 400_000:
        if chance.random() < loss:
            sent += 1 + window
        else:
            good, sent = good + 1, sent + 1
    assert go_back_n(loss, window) == pytest.approx(good / sent, rel=0.01)


@given(losses, st.floats(0, 1000), st.floats(1, 100))
def test_bursts_cost_no_more_than_single_losses(loss: float, window: float, burst: float) -> None:
    assert 0 < go_back_n(loss, window) <= go_back_n(loss, window, burst) <= 1


@given(losses, st.floats(0, 1000))
def test_selective_repeat_is_no_worse_where_the_window_is_wider_than_a_packet(loss: float, window: float) -> None:
    assert go_back_n(loss, window + 1) <= selective_repeat(loss) + 1e-12


@given(st.integers(1, 300), st.integers(1, 300))
def test_go_back_0_against_a_count(period: int, message: int) -> None:
    done = progress = 0
    for number in range(1, 20 * period + 1):
        progress = 0 if number % period == 0 else progress + 1
        if progress == message:
            done, progress = done + message, 0
    assert go_back_0(period, message) == pytest.approx(done / (20 * period))


@pytest.mark.parametrize(("exponent", "seconds"), [(1, 8.192e-6), (14, 0.0671), (18, 1.07), (20, 4.29), (31, 8796)])
def test_timeout(exponent: int, seconds: float) -> None:
    assert timeout_s(exponent) == pytest.approx(seconds, rel=0.005)
    assert abort_after_s(exponent, 7) == pytest.approx(8 * timeout_s(exponent))


def test_the_terms_of_a_message() -> None:
    found = message_time([1e6, 2e6], 10e9, 10e-6, [0, 1e-3], 0.067)
    assert found.transfer == pytest.approx([100e-6, 200e-6])
    assert found.stall == pytest.approx([0, 67e-6])
    assert found.total == pytest.approx([110e-6, 277e-6])


@pytest.mark.parametrize(
    ("mtu", "version", "share"), [(1024, 4, 0.926), (4096, 4, 0.980), (4096, 6, 0.976), (256, 4, 0.757)]
)
def test_payload_share(mtu: int, version: int, share: float) -> None:
    assert payload_share(mtu, version) == pytest.approx(share, abs=0.0006)


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="loss must be between 0 and 1"):
        go_back_n(1.5, 10)
    with pytest.raises(ValueError, match="burst must be at least 1"):
        go_back_n(0.1, 10, 0.5)
    with pytest.raises(ValueError, match="from 1 to 31"):
        timeout_s(0)
    with pytest.raises(ValueError, match="from 0 to 7"):
        abort_after_s(14, 8)
    with pytest.raises(ValueError, match="path MTU must be above 0"):
        payload_share(0)
