"""The table of ASICs: its form, how one is found, and that it says what the reference says."""

import csv
from pathlib import Path

import pytest

from auditor.estimate.asic import Asic, find_asic, list_asics

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "asic.csv"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BCM56850", "Trident II"),
        ("bcm56850", "Trident II"),
        ("Tomahawk 5", "Tomahawk 5"),
        ("TOMAHAWK5", "Tomahawk 5"),
        ("tomahawk-5", "Tomahawk 5"),
        ("Tomahawk", "Tomahawk"),
        ("Tomahawk+", "Tomahawk+"),
        ("Spectrum-4", "Spectrum-4"),
        ("spectrum4", "Spectrum-4"),
        ("N93180YC-FX", "Cloud Scale LSE"),
        ("Tomahawk5 (BCM78900)", "Tomahawk 5"),
    ],
)
def test_found_by_name_or_part_number(text: str, name: str) -> None:
    found = find_asic(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("text", ["", "Tomahawk 99", "BCM", "+"])
def test_not_found(text: str) -> None:
    assert find_asic(text) is None


@pytest.mark.parametrize("asic", list_asics().values(), ids=lambda asic: asic.name)
def test_form(asic: Asic) -> None:
    """Sizes are sound, each field has a source and a confidence, and the ASIC is found by all that it is called."""
    assert asic.buffer_bytes is None or asic.buffer_bytes > 1_000_000
    assert asic.cell_bytes is None or 64 <= asic.cell_bytes <= 512
    assert asic.slices is None or asic.slices >= 1
    assert asic.architecture in {"shared", "voq", None}
    assert asic.confidence.keys() == {"buffer_bytes", "cell_bytes"}
    assert set(asic.confidence.values()) <= {"unknown", "low", "medium", "high"}
    assert all(asic.source[field] for field in ("buffer_bytes", "cell_bytes"))
    assert all(find_asic(text) is asic for text in (asic.name, *asic.parts))


def leading(text: str) -> int | None:
    """Return the number that *text* begins with, None where there is none or it is doubted."""
    digits = text.partition(" ")[0].rstrip("+")
    return int(digits) if digits.isdecimal() else None


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference is not beside this checkout")
def test_each_row_of_the_reference_is_known() -> None:
    for row in csv.DictReader(REFERENCE.read_text(encoding="utf-8").splitlines()):
        for name in row["asic"].split(" (")[0].split(" / "):
            asic = find_asic(name)
            assert asic is not None, name
            assert row["vendor"].startswith(asic.vendor), name
            if row["confidence"] == "unknown":
                continue
            megabytes = None if asic.buffer_bytes is None else asic.buffer_bytes // 1_000_000
            assert (megabytes, asic.cell_bytes) == (leading(row["buffer_MB"]), leading(row["cell_bytes"])), name
            assert asic.slices == leading(row["buffer_slices"]), name
            assert (asic.architecture == "voq") == (row["buffer_slices"] == "VOQ"), name
            levels = row["confidence"].split("/")
            assert list(asic.confidence.values()) == [levels[0], levels[-1]], name
