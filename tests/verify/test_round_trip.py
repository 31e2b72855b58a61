"""What `fix -o` writes is read as it was written: each step of its plan is in effect there, and none before it."""

import json
from pathlib import Path

import pytest

from auditor.cli.commands import run_command

FIXTURES = Path(__file__).parents[2] / "fixtures"
EOS = "interface Ethernet1\n   mtu 9214\n   service-profile LOST\n   priority-flow-control on\n"
NVUE = "nv set system hostname leaf1\nnv set interface swp1 link mtu 9216\nnv set qos roce enable on\n"
BARE = {"a-eos.cfg": f"! device: x (DCS-7060, EOS-4.30.1F)\n!\n{EOS}", "b-nvset.txt": NVUE}
"""Dumps whose file names and lines leave it open to which device lines typed beside them belong."""


@pytest.mark.parametrize("name", [*sorted(each.name for each in (FIXTURES / "faults").iterdir()), *BARE])
def test_each_step_is_in_effect_where_it_was_typed_and_nowhere_before(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = FIXTURES / "faults" / name
    if name in BARE:
        given = tmp_path / name
        given.write_text(BARE[name])
    run_command(["fix", str(given), "-o", str(tmp_path / "plan"), "--output", str(tmp_path / "page.txt")])
    document = json.loads((tmp_path / "plan" / "plan.json").read_text())
    if not document["plan"]:
        assert name not in BARE
        assert run_command(["verify", str(tmp_path / "plan" / "plan.json"), str(given), str(given)]) == 2
        return
    states = {fix["cause"]: fix["state"] for fix in document["fixes"]}
    for after, is_typed in ((tmp_path / "plan" / "after", True), (given, False)):
        capsys.readouterr()
        run_command(["verify", str(tmp_path / "plan" / "plan.json"), str(given), str(after), "--format", "json"])
        for step in json.loads(capsys.readouterr().out)["steps"]:
            may_remain = any(states[cause] == "partly" for cause in step["causes"])
            good = {"in effect", *(["fault remains"] if may_remain else [])}
            assert (step["outcome"] in good) is is_typed, (step["outcome"], step["why"], step["wrong"][:2])
