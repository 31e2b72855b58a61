"""Selective repeat: nothing that arrived is sent again, the record is bounded, and losses cost less."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.estimate.scenario import scenarios
from auditor.estimate.simulation import build as builds
from auditor.estimate.simulation.build import build, find_words, read_row
from auditor.estimate.simulation.layout import LARGEST_WINDOW, WORD_BITS
from auditor.estimate.simulation.run import Outcome, run_on, simulate
from auditor.estimate.simulation.selective_repeat import has_receipt, keep, release

pytestmark = pytest.mark.long  # compiles
LOSSY = {"lossless": 0, "lossless_priorities": 0, "nack_interval": 1.0}
ECN = {"marking": 1, "kmin": 20e3, "kmax": 80e3, "pmax": 0.2, "reacting": 1, "marks_out_of_order": 1}
LEAVES = {"uplink_rate": 200e9 / 8, "uplink_delay": 500e-9}


def one(**values: float) -> Outcome:
    """Return the outcome of a lossy scenario with selective repeat."""
    return simulate(scenarios(1, {"message": 1e6, "buffer": 1e6, **LOSSY, "selective_repeat": 1, **values}), 0, 1)


CASES = st.fixed_dictionaries(
    {
        "senders": st.integers(2, 16),
        "message": st.integers(1, 400_000),
        "victim_message": st.sampled_from([0, 50_000]),
        "buffer": st.integers(5_000, 1_000_000),
        "delay": st.sampled_from([25e-9, 2e-6, 20e-6]),
        "windowed": st.booleans(),
        "send_jitter": st.sampled_from([0, 0.02]),
        "horizon": st.sampled_from([100e-6, 3e-3]),
        **{name: st.just(value) for name, value in ECN.items() if name != "reacting"},
        "reacting": st.booleans(),
    }
)


@given(CASES, st.booleans(), st.integers(1, 2**31))
@settings(max_examples=60)
def test_no_packet_arrives_twice_without_a_timeout(values: dict[str, float], leaves: bool, seed: int) -> None:
    case = {**LOSSY, **values, **(LEAVES if leaves else {}), "selective_repeat": 1}
    world, _, _ = run_on(build(read_row(scenarios(1, case), 0), seed), 300_000)
    kept = int(np.bitwise_count(world.receipts.view(np.uint64)).sum())
    assert world.run[0].delivered == world.flows["expected"].sum() + kept


@given(CASES, st.integers(1, 2**31))
@settings(max_examples=30)
def test_with_a_timeout_all_messages_arrive(values: dict[str, float], seed: int) -> None:
    case = scenarios(1, {**LOSSY, **values, "selective_repeat": 1, "timeout": 1e-3, "horizon": 0.5})
    found = simulate(case, 0, seed, 3_000_000)
    assert found.cut_s is not None or found.end_s < 0.5


@pytest.mark.parametrize(
    "values",
    [
        {"senders": 12, "buffer": 5e5, **ECN, "additive_increase": 6e8},
        {"senders": 16, "windowed": 1},
        {"senders": 13, "buffer": 4e6, "message": 4e6, "timeout": 200e-6},
    ],
)
def test_losses_cost_less_than_with_go_back_n(values: dict[str, float]) -> None:
    repeat, back = (one(**{"delay": 1e-6, "timeout": 1e-3, **values}, selective_repeat=mode) for mode in (1, 0))
    assert repeat.dropped > 0
    assert repeat.delivered < back.delivered
    assert repeat.goodput_fraction > 1.15 * back.goodput_fraction


def test_without_loss_both_are_alike() -> None:
    repeat, back = (one(buffer=64e6, selective_repeat=mode) for mode in (1, 0))
    assert repeat == back


def test_the_record_is_bounded() -> None:
    row = read_row(scenarios(1, {"selective_repeat": 1, "message": 1e9, "payload": 100}), 0)
    assert find_words(row) * WORD_BITS == LARGEST_WINDOW
    assert find_words(row | {"message": 6401}) == 2
    assert find_words(row | {"message": 1}) == 1
    assert build(row, 1).receipts.nbytes == 8 * LARGEST_WINDOW // 8
    assert build(row | {"selective_repeat": 0}, 1).receipts.size == 0


def test_the_record_bounds_what_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "LARGEST_WINDOW", WORD_BITS)
    found = one(buffer=64e6)
    assert found.peak_queue_bytes <= 8 * WORD_BITS * 1048
    assert found.delivered == 8000
    assert one(buffer=200e3, senders=16, timeout=1e-3).delivered == 16000


def test_receipts_go_round() -> None:
    """100 packets at a time, each time without the first one: the bits of 128 packets are used eight times."""
    world = build(read_row(scenarios(1, {"selective_repeat": 1, "message": 128e3}), 0), 1)
    flow = world.flows[3]
    for first in range(0, 1000, 100):
        for number in range(first + 1, first + 100):
            keep(world, 3, number)
        assert not has_receipt(world, 3, first)
        assert has_receipt(world, 3, first + 99)
        flow.expected += 1
        release(world, 3)
        assert flow.expected == first + 100
        assert not world.receipts.any()
