"""Rails and homing are matters of design: nobody asks for them where the intent does not declare them."""

import json
import shutil
from pathlib import Path

import pytest

from auditor.cli import main

RULES = Path(__file__).parents[2] / "fixtures" / "rules"


@pytest.mark.parametrize("rule", ["nic-on-wrong-rail", "homing-differs-from-intent"])
def test_what_is_not_declared_is_not_judged(rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / rule
    shutil.copytree(RULES / rule / "bad", case)
    intent = case / "roce-audit.yaml"
    intent.write_text(
        intent.read_text(encoding="utf-8").partition("rails:")[0].partition("homing:")[0], encoding="utf-8"
    )
    main(["check", str(case), "--format", "json", "--links", str(case / "links.yaml")])
    report = json.loads(capsys.readouterr().out)
    assert [count["checked"] for count in report["rules"] if count["rule"] in {"TOP003", "TOP004"}] == [0, 0]


def test_a_neighbour_that_lldp_tells_is_the_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leaves = {"host1": "leaf1", "host2": "leaf1", "host3": "leaf2"}
    for host, leaf in leaves.items():
        ports = [
            {"name": name, "chassis": [_named(switch)], "port": [_port("Ethernet1")]}
            for name, switch in (("ens1", leaf), ("ens2", "leaf3"))
        ]
        lldp = json.dumps({"lldp": [{"interface": ports}]}, indent=1)
        devices = "mlx5_0 port 1 ==> ens1 (Up)\nmlx5_1 port 1 ==> ens2 (Up)"
        (tmp_path / f"{host}.txt").write_text(
            f"$ hostname\n{host}\n$ ibdev2netdev\n{devices}\n$ lldpctl -f json0\n{lldp}\n",
            encoding="utf-8",
        )
    (tmp_path / "roce-audit.yaml").write_text(
        "schema: roce-audit/intent/1\ntraffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3}]\nrails: true\n",
        encoding="utf-8",
    )
    main(["check", str(tmp_path), "--format", "json"])
    (found,) = (f for f in json.loads(capsys.readouterr().out)["findings"] if f["rule"] == "TOP003")
    assert (found["device"], found["port"], Path(found["file"]).name) == ("host3", "ens1", "host3.txt")
    assert found["line"] > 5


def _named(name: str) -> dict[str, object]:
    return {"id": [{"type": "mac", "value": "00:00:00:00:00:01"}], "name": [{"value": name}]}


def _port(name: str) -> dict[str, object]:
    return {"id": [{"type": "ifname", "value": name}], "descr": [{"value": name}]}
