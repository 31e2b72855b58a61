"""The published and simulated numbers of the loss model's reference; DCQCN's are in test_validation_dcqcn."""

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from numpy.typing import ArrayLike

from auditor.estimate.collective import bus_factor
from auditor.estimate.headroom import ieee_response_s, quanta_s
from auditor.estimate.mtu import active_mtu
from auditor.estimate.pause import Ingress, compute_paused_fraction, cycle, ingress, xon_utilisation
from auditor.estimate.threshold import dcqcn_dynamic_ecn, dcqcn_static_pfc, fifo_drain, share
from auditor.estimate.transport import go_back_0, go_back_n, timeout_s
from auditor.estimate.vendor_headroom import SonicPort, compute_published, mlx5e, sonic

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "validation.csv"
OF_DCQCN = ("PM-", "CONV-", "QPEAK-", "PTRANS-", "LTRANS-", "QSS-", "LSS-", "DRAIN-", "NS3-")
RATE = 12.5e9
PACKET = 1048
LEGACY = SonicPort(lossless_mtu=1518, legacy_response=True)


def simulated(ports: int, propagation_s: float) -> Ingress:
    """Return a port of the packet simulator: no blocking frame, no response time, pause frames of 64 bytes."""
    delay = 64 / RATE + 2 * propagation_s + PACKET / RATE
    return ingress(RATE, RATE / ports, delay, delay)


def short_headroom(ports: int, propagation_s: float) -> ArrayLike:
    """Return the loss of a simulated port with 5000 bytes of headroom."""
    return cycle(simulated(ports, propagation_s), 1 / 8, 20_000, 5000).loss


def paused(ports: int) -> ArrayLike:
    """Return the paused fraction of one of several ports at line rate."""
    return compute_paused_fraction(RATE, fifo_drain([RATE] * ports, RATE)[0])


ANSWERS: Mapping[str, Callable[[], ArrayLike]] = {
    "HDRM-SPC1-10G-5m": lambda: sonic(10, 5, 1, LEGACY).xoff,
    "HDRM-SPC1-100G-5m": lambda: sonic(100, 5, 1, LEGACY).xoff,
    "HDRM-SPC1-25G-40m": lambda: sonic(25, 40, 1, LEGACY).xoff,
    "HDRM-SPC1-40G-40m": lambda: sonic(40, 40, 1, LEGACY).xoff,
    "HDRM-SPC1-100G-40m": lambda: sonic(100, 40, 1, LEGACY).xoff,
    "HDRM-SPC1-25G-300m": lambda: sonic(25, 300, 1, LEGACY).xoff,
    "HDRM-TD2-40G-5m": lambda: compute_published("Trident II", 40, 5).total,
    "HDRM-TD2-100G-5m": lambda: compute_published("Trident II", 100, 5).total,
    "HDRM-TD2-40G-40m": lambda: compute_published("Trident II", 40, 40).total,
    "HDRM-TD2-100G-40m": lambda: compute_published("Trident II", 100, 40).total,
    "HDRM-TD2-40G-300m": lambda: compute_published("Trident II", 40, 300).total,
    "HDRM-TH-10G-5m": lambda: compute_published("Tomahawk", 10, 5).total,
    "HDRM-TH-100G-5m": lambda: compute_published("Tomahawk", 100, 5).total,
    "HDRM-TH-100G-40m": lambda: compute_published("Tomahawk", 100, 40).total,
    "HDRM-TH-40G-300m": lambda: compute_published("Tomahawk", 40, 300).total,
    "HDRM-TH5-200G-5m": lambda: compute_published("Tomahawk 5", 200, 5).total,
    "HDRM-TH5-400G-30m": lambda: compute_published("Tomahawk 5", 400, 30).total,
    "HDRM-TH5-400G-300m": lambda: compute_published("Tomahawk 5", 400, 300).total,
    "HDRM-TH5-800G-5m": lambda: compute_published("Tomahawk 5", 800, 5).total,
    "HDRM-TH2-100G": lambda: compute_published("Tomahawk 2", 100, 40).total,
    "HDRM-MLX5E-100G-7m": lambda: mlx5e(100, 7, 1500).total,
    "HDRM-MLX5E-10G-min40": lambda: mlx5e(10, 10, 9000).total,
    "HDRM-LUA-400G-300m-SPC3": lambda: sonic(400, 300, 3).xoff,
    "QUANTA-RESP-100G": lambda: ieee_response_s(100) * 1e6,
    "QUANTA-RESP-400G": lambda: ieee_response_s(400) * 1e6,
    "PAUSE-MAX-10G": lambda: quanta_s(65_535, 10) * 1e3,
    "PAUSE-MAX-400G": lambda: quanta_s(65_535, 400) * 1e6,
    "DCQCN-TPFC": lambda: dcqcn_static_pfc(12e6, 32, 22.4e3),
    "DCQCN-TECN-DYN": lambda: dcqcn_dynamic_ecn(12e6, 32, 22.4e3, 8),
    "DT-SHARE": lambda: share(16e6, 1 / 8, 16),
    "HLOSS-N8-H5000": lambda: short_headroom(8, 1.5e-6),
    "HLOSS-N4-H5000": lambda: short_headroom(4, 0.5e-6),
    "HLOSS-N16-H5000": lambda: short_headroom(16, 1.5e-6),
    "PFRAC-N4": lambda: paused(4),
    "PFRAC-N16": lambda: paused(16),
    "XON-N2-S0.2": lambda: xon_utilisation(simulated(2, 5e-6), 0.2e6, 1 / 8, 2, 3072),
    "XON-N2-S4-50us": lambda: xon_utilisation(simulated(2, 50e-6), 4e6, 1 / 8, 2, 3072),
    "MTU-1500": lambda: active_mtu(1500),
    "MTU-4200": lambda: active_mtu(4200),
    "RTO-14": lambda: timeout_s(14),
    "RTO-20": lambda: timeout_s(20),
    "GBN-1e3-W125": lambda: go_back_n(1e-3, 125),
    "GB0-LIVELOCK": lambda: go_back_0(256, 4000),
    "BUSBW": lambda: bus_factor(8),
}

pytestmark = pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference is not beside this checkout")


@pytest.fixture(scope="module")
def rows() -> Mapping[str, Mapping[str, str]]:
    """Return the rows of the reference by their ids."""
    return {row["id"]: row for row in csv.DictReader(REFERENCE.read_text(encoding="utf-8").splitlines())}


def within(expected: float, tolerance: str) -> object:
    """Return what equals any number that *tolerance* allows; `exact` is to the digits that are written."""
    if tolerance == "exact":
        return pytest.approx(expected, rel=5e-6)
    if tolerance.startswith("abs "):
        return pytest.approx(expected, abs=float(tolerance.removeprefix("abs ")))
    return pytest.approx(expected, rel=float(tolerance.partition("%")[0]) / 100)


@pytest.mark.parametrize("row", ANSWERS)
def test_within_tolerance(row: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    assert ANSWERS[row]() == within(float(rows[row]["expected"]), rows[row]["tolerance"])


def test_no_row_is_left_out(rows: Mapping[str, Mapping[str, str]]) -> None:
    assert {row for row in rows if not row.startswith(OF_DCQCN)} == ANSWERS.keys()
