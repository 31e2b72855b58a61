"""A running configuration that is cut at a line end, which its own last line gives away."""

from pathlib import Path

import pytest

from auditor import Options, audit

FIXTURES = Path(__file__).parents[2] / "fixtures"
WHOLE = {
    "arista_eos": FIXTURES / "fabric-mixed" / "leaf2" / "show_running-config.txt",
    "cisco_iosxr": FIXTURES / "fabric-more" / "leaf4.cfg",
    "huawei_vrp": FIXTURES / "fabric-more" / "leaf1.cfg",
    "hp_comware": FIXTURES / "fabric-more" / "leaf2.cfg",
}


@pytest.mark.parametrize("os", WHOLE)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_configuration_that_is_cut_at_a_line_end_is_a_problem(tmp_path: Path, os: str, share: float) -> None:
    lines = WHOLE[os].read_text(encoding="utf-8").splitlines(keepends=True)
    kept = lines[: int(share * len(lines))]
    (tmp_path / "leaf1.cfg").write_text("".join(kept), encoding="utf-8")
    report = audit(tmp_path, Options(jobs=1, os=os))
    cut = [problem for problem in report.problems if "the configuration is cut" in problem.message]
    assert [problem.file for problem in cut] == [str(tmp_path / "leaf1.cfg")]
    assert kept[(cut[0].line or 0) - 1].strip()
    assert not "".join(kept[cut[0].line or 0 :]).strip()


@pytest.mark.parametrize("os", WHOLE)
def test_a_whole_configuration_is_none(tmp_path: Path, os: str) -> None:
    (tmp_path / "leaf1.cfg").write_bytes(WHOLE[os].read_bytes())
    assert audit(tmp_path, Options(jobs=1, os=os)).problems == ()
