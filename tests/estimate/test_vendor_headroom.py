"""Headroom as vendors compute it: constants, options and tables (the published rows are in test_validation)."""

from dataclasses import replace

import pytest

from auditor.estimate.asic import find_asic
from auditor.estimate.vendor_headroom import SPECTRUM, TABLES, SonicPort, compute_published, mlx5e, nexus, sonic

KIB = 1024


@pytest.mark.parametrize(
    ("generation", "gbps", "metres", "kilobytes"),
    [
        (1, 25, 5, 32),
        (1, 100, 300, 144),
        (2, 25, 2000, 174),
        (3, 400, 5, 160),
        (3, 800, 2000, 4593),
        (4, 100, 40, 122),
        (4, 400, 300, 649),
    ],
)
def test_the_table_of_the_loss_model(generation: int, gbps: float, metres: float, kilobytes: float) -> None:
    assert sonic(gbps, metres, generation).xoff / 1000 == pytest.approx(kilobytes, abs=0.51)


def test_ieee_response_doubles_the_legacy_one() -> None:
    legacy = SonicPort(port_mtu=9216, lossless_mtu=1518, legacy_response=True)
    assert sonic(100, 5, 1, legacy).xoff == 30_720
    assert sonic(100, 5, 1).xoff == 72_704


def test_a_speed_without_quanta_falls_back_to_the_fixed_response() -> None:
    assert sonic(56, 5, 1).response == sonic(50, 5, 1, SonicPort(legacy_response=True)).response == 3.8 * KIB


@pytest.mark.parametrize(
    ("port", "xon", "more"),
    [
        (SonicPort(), 19 * KIB, 19 * KIB),
        (SonicPort(eight_lanes=True), 37 * KIB, 37 * KIB + 9 * KIB),
    ],
)
def test_size_is_xoff_and_xon_and_a_second_buffer_for_eight_lanes(port: SonicPort, xon: int, more: int) -> None:
    found = sonic(400, 5, 3, port)
    assert found.xon == xon
    assert found.size == found.xoff + more
    assert sonic(400, 5, 3, replace(port, shared_headroom=True)).size == xon


def test_large_packets_only_waste_no_cells() -> None:
    found = sonic(100, 40, 4, SonicPort(small_packets=0))
    wire = found.lossless_frame + found.port_frame + found.cable + found.mac_phy + found.response
    assert found.xoff == pytest.approx(wire, abs=KIB)


def test_the_cells_of_each_generation() -> None:
    assert {number: asic.cell_bytes for number, asic in SPECTRUM.items()} == {
        number: asic.cell_bytes for number in range(1, 7) if (asic := find_asic(f"Spectrum-{number}"))
    }
    assert SPECTRUM[6].pipeline_kib == 42


@pytest.mark.parametrize(("gbps", "metres", "kilobytes"), [(25, 5, 38), (100, 300, 120), (400, 40, 180), (800, 5, 275)])
def test_mlx5e_against_the_table_of_the_loss_model(gbps: float, metres: float, kilobytes: float) -> None:
    assert mlx5e(gbps, metres, 9216).total / 1000 == pytest.approx(kilobytes, abs=0.51)


def test_the_bit_times_of_a_nexus() -> None:
    found = nexus(10, 100, 9216)
    assert found.blocking_frame * 8 == 73_888
    assert found.pause_frame * 8 == 672
    assert found.interfaces * 8 == 2 * 8192
    assert found.cable == pytest.approx(2 * 625)
    assert found.response * 8 == 30_720
    assert found.no_drop_frame * 8 == 18_560
    assert found.total == pytest.approx((73_888 + 672 + 16_384 + 10_000 + 30_720 + 18_560) / 8)


@pytest.mark.parametrize("asic", TABLES)
def test_a_table_is_of_an_asic_that_is_known(asic: str) -> None:
    found = find_asic(asic)
    assert found is not None
    assert found.name == asic


@pytest.mark.parametrize(("gbps", "xoff"), [(50, 56_160), (100, 96_928)])
@pytest.mark.parametrize("metres", [5, 40, 300])
def test_tomahawk_2_takes_no_account_of_the_cable(gbps: float, xoff: int, metres: float) -> None:
    assert compute_published("Tomahawk 2", gbps, metres).total == pytest.approx(xoff)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="Spectrum-7"):
        sonic(100, 5, 7)
    with pytest.raises(ValueError, match="speed must be above 0"):
        sonic(0, 5, 1)
    with pytest.raises(ValueError, match="cable at least 0"):
        mlx5e(100, -1, 1500)
    with pytest.raises(ValueError, match="one of"):
        nexus(400, 5, 9216)
    with pytest.raises(ValueError, match="no table of Jericho2"):
        compute_published("Jericho2", 100, 5)
    with pytest.raises(ValueError, match="cable at least 0"):
        compute_published("Tomahawk", 100, -5)
