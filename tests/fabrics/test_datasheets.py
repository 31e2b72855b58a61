"""NICs of the fixtures are such as are sold: no link of theirs is faster than the data sheet of the model says."""

from pathlib import Path

import pytest

from auditor import Options, load
from auditor.model.setting import value_of

pytestmark = pytest.mark.read_once

FIXTURES = Path(__file__).parents[2] / "fixtures"
DATASHEETS = {
    "ConnectX-6 Dx": (16.0, 200.0),
    "ConnectX-7": (32.0, 400.0),
    "BCM57508": (16.0, 200.0),
    "BCM57608": (32.0, 400.0),
    "E810-C": (16.0, 100.0),
}
"""Gigatransfers a second of a PCIe lane, and Gb/s of the fastest port."""
HOSTS = sorted(
    path
    for pattern in ("pod-clean/gpu*.txt", "pod-clean/nfs*.txt", "pod-faulty/gpu*.txt", "pod-faulty/nfs*.txt")
    for path in FIXTURES.glob(pattern)
) + sorted((FIXTURES / "hosts").glob("*/*.txt"))


@pytest.fixture(scope="module")
def nics() -> list[tuple[str, str, float | None, float | None]]:
    """Return host, model, PCIe capability and speed of each NIC whose model the fixtures tell."""
    found = []
    for path in HOSTS:
        for device in load(path, Options(jobs=1)).model.devices:
            for port in device.ports:
                nic = port.config.nic
                model = value_of(nic.model) if nic else None
                if nic and model:
                    lanes = value_of(nic.pcie.max_speed_gtps)
                    found.append((path.name, model, lanes, value_of(port.config.ethernet.speed_gbps)))
    return found


def test_no_nic_is_faster_than_its_datasheet(nics: list[tuple[str, str, float | None, float | None]]) -> None:
    known = [each for each in nics if each[1] in DATASHEETS]
    assert {model for _, model, _, _ in known} == set(DATASHEETS)
    for host, model, lanes, speed in known:
        transfers, fastest = DATASHEETS[model]
        assert lanes in {None, transfers}, (host, model)
        assert speed is None or speed <= fastest, (host, model)
