"""How pausing spreads and whom it hits."""

import pytest

from auditor.estimate.spread import Queue, link_paused_fraction, parking_lot, spread, storm_fill_s

RATE = 12.5e9


@pytest.mark.parametrize(
    ("drain", "hot_share", "phi"),
    [(RATE / 4, 1, 0.75), (RATE / 4, 0.5, 0.5), (RATE / 4, 0.25, 0), (RATE / 4, 0.1, 0), (0, 0.1, 1)],
)
def test_link_paused_fraction(drain: float, hot_share: float, phi: float) -> None:
    assert link_paused_fraction(drain, RATE, hot_share) == pytest.approx(phi)


def test_parking_lot() -> None:
    flows = parking_lot([1, 1, 8], RATE)
    assert flows * [1, 1, 8] == pytest.approx([RATE / 3] * 3)
    assert flows[0] == pytest.approx(8 * flows[2])


def test_a_storm_fills_one_share() -> None:
    assert storm_fill_s(16e6, 1.0, RATE) == pytest.approx(640e-6)


def feeding(*names: str, rate: float = RATE) -> dict[Queue, float]:
    """Return the queues of priority 3 of these links, all offering the same."""
    return {(name, 3): rate for name in names}


CLOS = {
    ("leaf1-host1", 3): feeding("spine1-leaf1", "spine2-leaf1", "host2-leaf1"),
    ("spine1-leaf1", 3): feeding("leaf2-spine1", rate=RATE / 2) | feeding("leaf3-spine1", rate=RATE / 2),
    ("spine2-leaf1", 3): feeding("leaf2-spine2", rate=RATE),
    ("leaf2-spine1", 3): feeding("host3-leaf2", rate=RATE / 2),
    ("leaf2-spine2", 3): feeding("host3-leaf2", rate=RATE / 2),
    ("leaf1-host9", 3): feeding("spine1-leaf1", rate=0.0),
}
RATES = {link: RATE for queue, feeders in CLOS.items() for link, _ in (queue, *feeders)}


def test_an_incast_pauses_towards_its_sources() -> None:
    found = spread(CLOS, RATES, ("leaf1-host1", 3), RATE)
    assert {queue: paused.hops for queue, paused in found.items()} == {
        ("spine1-leaf1", 3): 1,
        ("spine2-leaf1", 3): 1,
        ("host2-leaf1", 3): 1,
        ("leaf2-spine1", 3): 2,
        ("leaf3-spine1", 3): 2,
        ("leaf2-spine2", 3): 2,
        ("host3-leaf2", 3): 3,
    }
    assert found["host2-leaf1", 3].fraction == pytest.approx(2 / 3)
    assert found["leaf3-spine1", 3].fraction == pytest.approx(1 - 1 / 6)


def test_a_queue_that_drains_all_pauses_nobody() -> None:
    assert spread(CLOS, RATES, ("leaf1-host1", 3), 3 * RATE) == {}
    assert spread(CLOS, RATES, ("leaf1-host1", 5), 0.0) == {}


def test_a_peer_that_pauses_for_ever_stops_all_upstream() -> None:
    found = spread(CLOS, RATES, ("leaf1-host1", 3), 0.0)
    assert {paused.fraction for paused in found.values()} == {1.0}


def test_a_link_keeps_of_all_its_traffic_what_the_congested_queue_takes() -> None:
    offered = {("down", 3): {("a", 3): 9.0, ("b", 3): 9.0}, ("other", 3): {("b", 3): 1.0}}
    found = spread(offered, {"a": 10.0, "b": 100.0}, ("down", 3), 9.0)
    assert {queue: paused.goodput for queue, paused in found.items()} == pytest.approx({("a", 3): 0.5, ("b", 3): 0.5})
    assert found["a", 3].fraction == pytest.approx(1 - 4.5 / 10)
    assert found["b", 3].fraction == pytest.approx(1 - 5 / 100)


def test_a_link_too_slow_for_its_traffic_is_not_paused() -> None:
    offered = {("down", 3): {("a", 3): 9.0, ("b", 3): 9.0}}
    assert spread(offered, {"a": 10.0, "b": 4.0}, ("down", 3), 9.0).keys() == {("a", 3)}


def test_a_cycle_ends() -> None:
    ring = {("a", 3): {("b", 3): 2.0}, ("b", 3): {("c", 3): 2.0}, ("c", 3): {("a", 3): 2.0}}
    assert spread(ring, {"a": 2.0, "b": 2.0, "c": 2.0}, ("a", 3), 1.0).keys() == {("b", 3), ("c", 3)}


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="drain must be at least 0"):
        spread(CLOS, RATES, ("leaf1-host1", 3), -1.0)
    with pytest.raises(ValueError, match="hot_share must be above 0"):
        link_paused_fraction(1, 1, 0)
