"""Files that no system claims and that hold lines of a log: read as a job's, unless they quote or print those lines."""

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw
from auditor.inputs.sessions import split_captures

LINE = "NCCL WARN NET/IB : Unable to open device mlx5_3"


@pytest.mark.parametrize(
    ("name", "os"),
    [("worker.log", "jobs"), ("paste.txt", "jobs"), ("values.yaml", "jobs"), ("README.md", None), ("net_ib.cc", None)],
)
def test_a_log_is_of_a_job(name: str, os: str | None) -> None:
    assert identify_file(Raw(name, ".", ("Hello,", LINE), ends_with_newline=True), None).os == os


def test_what_stands_before_the_first_prompt_is_a_capture() -> None:
    raw = Raw("paste.txt", ".", (LINE, "$ ibdev2netdev", "mlx5_0 port 1 ==> ens1 (Up)"), ends_with_newline=True)
    found = identify_file(raw, None)
    assert found.os == "linux"
    before, after = split_captures(raw, found.heads)
    assert (before.command, before.lines, before.first_line) == ("", (LINE,), 1)
    assert after.command == "ibdev2netdev"
