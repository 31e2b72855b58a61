"""Numbers that no device has: whatever stands in a dump, the audit ends with a status and not with an exception."""

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.cli import main

FIXTURES = Path(__file__).parent.parent / "fixtures"
CASES = sorted(FIXTURES.glob("rules/*/bad"))
FILES = [
    path.relative_to(FIXTURES)
    for case in CASES
    for path in sorted(case.rglob("*"))
    if path.is_file() and path.name != "expected.txt" and path.stat().st_size < 50_000
]
NUMBER = re.compile(r"(?<![\w.:/-])\d+(?:\.\d+)?(?![\w.:])")
CRASH = re.compile(r"crash: |internal error")
"""What the program says of an exception that it did not expect: the audit has a status all the same."""
EXTREMES = ("0", "-1", "1", "0.5", "4294967295", "9" * 20, "1e308", "nan", "", "²")


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(FILES),
    places=st.lists(st.integers(0, 10_000), min_size=1, max_size=4),
    value=st.sampled_from(EXTREMES),
)
def test_no_number_raises(
    path: Path, places: list[int], value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case"
    shutil.rmtree(case, ignore_errors=True)
    root = Path(*path.parts[:3])
    shutil.copytree(FIXTURES / root, case)
    changed = case / path.relative_to(root)
    text = changed.read_text(encoding="utf-8")
    numbers = list(NUMBER.finditer(text))
    for place in sorted({place % len(numbers) for place in places} if numbers else (), reverse=True):
        found = numbers[place]
        text = f"{text[: found.start()]}{value}{text[found.end() :]}"
    changed.write_text(text, encoding="utf-8")
    links = ["--links", str(case / "links.yaml")] if (case / "links.yaml").is_file() else []
    assert main(["check", str(case), "--jobs", "1", "--no-cache", *links]) in {0, 1, 2}
    assert not CRASH.search("".join(capsys.readouterr()))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("ecn-after-pause/bad/leaf1/config_db.json", '"size": "16777216"', '"size": "0"'),
        ("ecn-after-pause/bad/leaf1/config_db.json", '"26": "3"', '"99999999999999999999": "nan"'),
        ("egress-queue-drops-before-pause/bad/leaf2/config_db.json", '"size": "60000000"', '"size": "0"'),
        ("headroom-too-small/bad/leaf1.cfg", "pause buffer-size 45000", "pause buffer-size 1"),
    ],
)
def test_these_numbers_have_raised(
    path: str, old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FIXTURES / "rules" / path).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / Path(path).name).write_text(text.replace(old, new), encoding="utf-8")
    assert main(["check", str(tmp_path), "--no-cache"]) in {0, 1, 2}
    assert not CRASH.search("".join(capsys.readouterr()))
