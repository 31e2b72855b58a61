"""Sizes of RoCE packets and what a hop with a small MTU swallows."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.mtu import AETH_BYTES, PATH_MTUS, RETH_BYTES, active_mtu, compute_lost_fraction, packet


@pytest.mark.parametrize(
    ("netdev", "active"),
    [
        (351, 0),
        (352, 256),
        (1119, 512),
        (1120, 1024),
        (1500, 1024),
        (2200, 2048),
        (4191, 2048),
        (4192, 4096),
        (9216, 4096),
    ],
)
def test_active_mtu(netdev: int, active: int) -> None:
    assert active_mtu(netdev) == active


@pytest.mark.parametrize(
    ("parts", "sizes"),
    [
        ((4096, 0, 4), (4140, 4158, 4162)),
        ((4096, RETH_BYTES + 4, 4), (4160, 4178, 4182)),
        ((4096, RETH_BYTES + 4, 6), (4180, 4198, 4202)),
        ((1024, 0, 4), (1068, 1086, 1090)),
        ((5, 0, 4), (52, 70, 74)),
        ((0, AETH_BYTES, 4), (48, 66, 70)),
    ],
)
def test_sizes(parts: tuple[int, int, int], sizes: tuple[int, int, int]) -> None:
    found = packet(*parts)
    assert (found.ip, found.frame(), found.frame(tagged=True)) == sizes


FOUR = 4 * 4096


@pytest.mark.parametrize(
    ("message", "hop", "write", "lost"),
    [
        (FOUR, 9000, True, 0),
        (FOUR, 4156, True, 0),
        (FOUR, 4155, True, 1 / 4),
        (FOUR, 4155, False, 0),
        (FOUR, 4140, False, 0),
        (FOUR, 4139, False, 1),
        (FOUR + 100, 1500, True, 4 / 5),
        (FOUR + 2000, 1500, True, 1),
        (1000, 1500, True, 0),
        (1456, 1500, False, 0),
        (1456, 1500, True, 1),
        (0, 1500, True, 0),
        (4096, 1500, True, 1),
    ],
)
def test_lost_fraction(message: int, hop: int, write: bool, lost: float) -> None:
    assert compute_lost_fraction(message, 4096, hop, write=write) == pytest.approx(lost)


def test_ipv6_needs_twenty_bytes_more() -> None:
    assert compute_lost_fraction(FOUR, 4096, 4159, write=False, ip_version=6) == 1
    assert compute_lost_fraction(FOUR, 4096, 4160, write=False, ip_version=6) == 0


@given(st.integers(0, 100_000), st.sampled_from(PATH_MTUS), st.integers(68, 9216), st.booleans())
def test_lost_fraction_packet_by_packet(message: int, path: int, hop: int, write: bool) -> None:
    cuts = [*range(0, message, path), message] if message else [0, 0]
    sizes = [packet(end - start, RETH_BYTES if write and not start else 0).ip for start, end in pairwise(cuts)]
    lost = compute_lost_fraction(message, path, hop, write=write)
    assert lost == pytest.approx(sum(size > hop for size in sizes) / len(sizes))


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0 bytes"):
        packet(-1)
    with pytest.raises(ValueError, match="4 or 6"):
        packet(64, ip_version=5)
    with pytest.raises(ValueError, match="path MTU one of"):
        compute_lost_fraction(1, 1500, 9000)
