"""Pauses followed to their root: on any tree of pauses, in circles, and with a second sample."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.base import Whole
from auditor.checks.pauseroots import Root, SpreadParams, list_roots, pauses_spread
from auditor.intent import settle_intents
from auditor.model.counters import Growth
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.finding import Level
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Where

Sent = Mapping[tuple[str, str], int]
"""The pauses of priority 3 by sender and receiver; names that begin with `h` are hosts."""


def fabric(sent: Sent, growths: Mapping[str, Growth] | None = None) -> Fabric:
    """Return the devices with a cable for each pair, whose sender alone counts."""
    ports: dict[str, list[Port]] = {name: [] for pair in sent for name in pair}
    links = []
    for (sender, receiver), count in sent.items():
        counters = {"tx_prio3_pause": Known(count, Origin.LEARNED, Where(f"{sender}.txt", 7))}
        ports[sender].append(Port(f"to-{receiver}", PortConfig(), counters=counters, growths=growths))
        ports[receiver].append(Port(f"from-{sender}", PortConfig()))
        ends = End(sender, f"to-{receiver}"), End(receiver, f"from-{sender}")
        links.append(Link(*ends, ("lldp",), confirmed=True))
    kinds = {name: "host" if name.startswith("h") else "switch" for name in ports}
    devices = (Device(name, kinds[name], "linux", name, tuple(own)) for name, own in ports.items())
    return Fabric(tuple(devices), tuple(links))


def roots(sent: Sent, growths: Mapping[str, Growth] | None = None) -> list[Root]:
    return list(list_roots(Whole(fabric(sent, growths), settle_intents(None, ())), None))


def spreads(sent: Sent) -> dict[str, tuple[str, ...]]:
    return {root.pauses.sender.device.name: root.spread for root in roots(sent)}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({("h1", "a"): 9, ("a", "b"): 8, ("b", "c"): 7}, {"h1": ("a", "b", "c")}),
        ({("h1", "a"): 9, ("b", "a"): 10, ("b", "c"): 7}, {"h1": ()}),
        ({("h1", "a"): 9, ("h2", "b"): 9, ("a", "b"): 8, ("b", "c"): 7}, {"h1": ("a",), "h2": ("b", "c")}),
        ({("h1", "a"): 0, ("a", "b"): 8}, {"h1": ()}),
        ({("a", "b"): 9, ("b", "c"): 9, ("c", "a"): 9, ("h1", "a"): 1}, {"h1": ()}),
        ({("a", "b"): 9, ("b", "c"): 9}, {}),
    ],
    ids=["a chain", "a switch pauses more", "two roots", "no pauses", "a circle", "no host"],
)
def test_pauses_are_followed_to_the_host_that_sends_most(sent: Sent, expected: dict[str, tuple[str, ...]]) -> None:
    assert spreads(sent) == expected


@st.composite
def trees(draw: Callable[[st.SearchStrategy[int]], int]) -> tuple[Sent, int]:
    """Draw a tree of pauses below one host, with the number of its switches."""
    size = draw(st.integers(min_value=1, max_value=12))
    sent = {("h0", "s0"): draw(st.integers(min_value=1, max_value=9))}
    for number in range(1, size):
        above = draw(st.integers(min_value=0, max_value=number - 1))
        sent[f"s{above}", f"s{number}"] = draw(st.integers(min_value=1, max_value=9))
    return sent, size


@given(trees())
def test_a_tree_of_pauses_has_one_root(drawn: tuple[Sent, int]) -> None:
    sent, size = drawn
    assert {name: len(spread) for name, spread in spreads(sent).items()} == {"h0": size}


def test_only_a_second_sample_makes_a_warning() -> None:
    sent = {("h1", "a"): 90, ("a", "b"): 80}
    params = SpreadParams(least_pauses=50)
    (once,), (again,), (still,) = (
        roots(sent, {"tx_prio3_pause": growth} if growth else None) for growth in (None, Growth(60, 10), Growth(3, 10))
    )
    (note,), (warning,) = (list(pauses_spread(root, params, None)) for root in (once, again))
    assert (note.level, warning.level) == (Level.NOTE, None)
    assert warning.message == "its pauses of priority 3 (90, 60 more in 10 s) spread over a, b"
    assert not list(pauses_spread(still, params, None))
    assert not list(pauses_spread(replace(again, spread=("a",)), params, None))
