"""Rules on hosts without the captures that they rest on are open or have nothing to check; they never pass."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
RULES = Path(__file__).parents[2] / "fixtures" / "rules"
CASES = [
    # rule, its fixtures, the command whose output is taken away
    ("HST008", "peer-to-peer-detour", "lspci"),
    ("HST008", "peer-to-peer-detour", "cat /proc/cmdline"),
    ("HST008", "peer-to-peer-detour", "lsmod"),
    ("HST007", "nic-buffer-unfit-for-pfc", "mlnx_qos"),
    ("HST007", "nic-buffer-unfit-for-pfc", "ethtool ens1f0\n"),
    ("HST007", "nic-buffer-unfit-for-pfc", "ip "),
]
FORCED = """$ mlnx_qos -i ens8
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
\tprio:4 dscp:39,38,37,36,35,34,33,32,
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   {}   {}   0   0   0
$ ibdev2netdev
mlx5_4 port 1 ==> ens8 (Up)
$ cat /sys/class/infiniband/mlx5_4/tc/1/traffic_class
Global tclass=106
"""


def count(run: Run, folder: Path, rule: str) -> tuple[int, int, int]:
    """Return how many objects of *rule* were checked, failed and are open; zeros where it had nothing to check."""
    report: dict[str, Any] = json.loads(run("check", "--format", "json", folder)[1])
    rows = [row for row in report["rules"] if row["rule"] == rule]
    return (rows[0]["checked"], rows[0]["failed"], rows[0]["open"]) if rows else (0, 0, 0)


@pytest.mark.parametrize(
    ("rule", "name", "command"), CASES, ids=[f"{row[0]} without {row[2].strip()}" for row in CASES]
)
def test_without_its_evidence_a_rule_does_not_pass(
    run: Run, tmp_path: Path, rule: str, name: str, command: str
) -> None:
    for file in (RULES / name / "good").iterdir():
        text = file.read_text(encoding="utf-8")
        parts = re.split(r"(?m)^(?=\$ )", text) if file.suffix == ".txt" else [text]
        kept = [part for part in parts if not f"{part}\n".startswith(f"$ {command}")]
        (tmp_path / file.name).write_text("".join(kept), encoding="utf-8")
    checked, failed, unknown = count(run, tmp_path, rule)
    assert failed == 0
    assert checked == unknown


@pytest.mark.parametrize(("paused", "failed"), [("10", 0), ("01", 1)], ids=["as forced", "another"])
def test_rdma_that_is_forced_into_a_priority_without_pauses(run: Run, tmp_path: Path, paused: str, failed: int) -> None:
    (tmp_path / "host.txt").write_text(FORCED.format(*paused), encoding="utf-8")
    assert count(run, tmp_path, "CLS002") == (1, failed, 0)
