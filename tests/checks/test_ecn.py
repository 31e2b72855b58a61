"""Marking: what a configuration that is not understood leaves open."""

from pathlib import Path

import pytest

from auditor import Options, audit

FIXTURE = Path(__file__).parents[2] / "fixtures" / "rules" / "nothing-marks"
MARK = "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (MARK, []),
        ("    ecn-marking minimum-threshold 150 kbytes\n", ["open"]),
        ("    qos-marking minimum-threshold 150 kbytes\n", ["fail"]),
    ],
)
def test_a_line_that_may_mark_and_is_not_understood_leaves_it_open(
    tmp_path: Path, line: str, expected: list[str]
) -> None:
    text = (FIXTURE / "good" / "leaf1.cfg").read_text(encoding="utf-8")
    assert MARK in text
    (tmp_path / "leaf1.cfg").write_text(text.replace(MARK, line), encoding="utf-8")
    found = audit(tmp_path, Options(jobs=1)).findings
    assert [each.kind.value for each in found if each.rule == "ECN009"] == expected
