"""Tasks of Nornir, run by its own runners over its own inventory, against switches that answer over SSH."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from nornir import InitNornir
from nornir.core import Nornir
from nornir.core.task import AggregatedResult
from nornir.plugins.runners import SerialRunner
from replay import PASSWORD, USER
from switches import Switches

import auditor
from auditor.collect.store import open_store
from auditor.integrations.nornir import check_device, judge_devices, pull_device

pytestmark = pytest.mark.waits
PAGE = (Path(__file__).parents[2] / "docs" / "pages" / "how-to" / "nornir.md").read_text(encoding="utf-8")


def make_nornir(folder: Path, hosts: Mapping[str, Mapping[str, Any]], **defaults: str) -> Nornir:
    """Return Nornir with files of an inventory in *folder*; JSON is YAML."""
    for name, content in (("hosts", hosts), ("groups", {}), ("defaults", defaults)):
        (folder / f"{name}.yaml").write_text(json.dumps(content))
    files = {"host_file": "hosts", "group_file": "groups", "defaults_file": "defaults"}
    options = {key: str(folder / f"{name}.yaml") for key, name in files.items()}
    return InitNornir(
        inventory={"plugin": "SimpleInventory", "options": options},
        runner={"plugin": "threaded", "options": {"num_workers": 4}},
        logging={"enabled": False},
    )


def list_hosts(switches: Switches, **more: str) -> dict[str, dict[str, Any]]:
    return {
        name: {"hostname": "127.0.0.1", "port": port, "platform": "nxos", **more}
        for name, port in switches.ports.items()
    }


def failed(result: AggregatedResult) -> list[str]:
    return sorted(name for name, each in result.items() if each.failed)


def test_hosts_are_pulled_and_held_to_one_audit(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By the code of the page, as it stands there."""
    caplog.set_level("DEBUG")
    switches.add("leaf1", "leaf2", "leaf3")
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    nornir = make_nornir(tmp_path, list_hosts(switches), username=USER, password=PASSWORD)
    monkeypatch.setattr("nornir.InitNornir", lambda _: nornir)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "known_hosts").write_text(switches.known_hosts.read_text())
    names: dict[str, Any] = {}
    exec(compile(code, "nornir.md", "exec"), names)  # noqa: S102  the page's code
    pulled, checked = names["pulled"], names["checked"]
    assert [pulled[name].result["status"] for name in switches.devices] == ["complete"] * 3
    manifest = json.loads((tmp_path / "dumps" / "manifest.json").read_text())
    assert [each["device"] for each in manifest["devices"]] == ["leaf1", "leaf2", "leaf3"]
    assert not [path for path in (tmp_path / "dumps").iterdir() if path.name.startswith(".")]
    verdicts = judge_devices(names["report"])
    assert failed(checked) == [name for name, verdict in verdicts.items() if verdict.is_failing] != []
    for name in switches.devices:
        assert checked[name].result == list(verdicts[name].causes)
        assert {row["device"] for row in checked[name].result} <= {*switches.devices}
    shown = caplog.text + str([pulled[name][0].result for name in pulled]) + repr(pulled)
    assert PASSWORD not in shown


def test_a_refused_login_locks_no_account(switches: Switches, tmp_path: Path) -> None:
    """Two devices refuse it, and no other one is asked, whatever runs the tasks; a new password is tried."""
    switches.add("leaf1", "leaf2", "leaf3", "leaf4")
    hosts = list_hosts(switches, username=USER)
    for number, runner in enumerate((SerialRunner(), None)):
        nornir = make_nornir(tmp_path, hosts, password="Wr0ng-Horse")
        nornir = nornir.with_runner(runner) if runner else nornir
        options: dict[str, Any] = {"folder": tmp_path / f"dumps{number}", "known_hosts": switches.known_hosts}
        result = nornir.run(pull_device, **options)
        assert len(failed(result)) == 4
        assert sum(len(device.logins) for device in switches.devices.values()) == 2
        whys = sorted(each.result["why"].partition(":")[0] for each in result.values())
        assert whys == ["login refused", "login refused", "not tried", "not tried"]
        for device in switches.devices.values():
            device.logins.clear()
    nornir.inventory.defaults.password = PASSWORD
    assert failed(nornir.run(pull_device, on_failed=True, **options)) == []


def test_each_host_has_its_own_login_and_options(switches: Switches, tmp_path: Path) -> None:
    switches.add("leaf1", "leaf2")
    hosts = list_hosts(switches, username="nobody", password="Wr0ng-Horse")
    hosts["leaf1"]["connection_options"] = {"netmiko": {"username": USER, "password": PASSWORD, "extras": {}}}
    hosts["leaf2"]["connection_options"] = {"netmiko": {"extras": {"key_file": str(tmp_path / "none")}}}
    hosts["manifest.json"] = hosts["leaf1"]
    nornir = make_nornir(tmp_path, hosts)
    result = nornir.run(pull_device, folder=tmp_path / "dumps", known_hosts=switches.known_hosts)
    assert failed(result) == ["leaf2", "manifest.json"]
    assert "none: no such file; expected a private key" in result["leaf2"].result
    assert "cannot name a folder" in result["manifest.json"].result


def test_a_dry_run_connects_to_no_host(switches: Switches, tmp_path: Path) -> None:
    switches.add("leaf1")
    nornir = make_nornir(tmp_path, list_hosts(switches))
    nornir.data.dry_run = True
    result = nornir.run(pull_device, folder=tmp_path / "dumps")
    assert "show running-config" in result["leaf1"].result["commands"]
    assert not switches.devices["leaf1"].logins
    assert not (tmp_path / "dumps").exists()


def test_two_programs_do_not_write_into_one_folder(switches: Switches, tmp_path: Path) -> None:
    switches.add("leaf1")
    nornir = make_nornir(tmp_path, list_hosts(switches, username=USER, password=PASSWORD))
    with open_store(tmp_path / "dumps", ["other"]):
        result = nornir.run(pull_device, folder=tmp_path / "dumps", known_hosts=switches.known_hosts)
    assert "another pull writes into this folder" in result["leaf1"].result


def test_a_host_without_a_dump_is_failed(tmp_path: Path) -> None:
    """No finding over no dump is no good news."""
    report = auditor.audit(str(Path(__file__).parents[2] / "fixtures" / "fabric"), auditor.Options(jobs=1))
    nornir = make_nornir(tmp_path, {"host1": {}, "leaf3": {}, "leaf77": {}})
    result = nornir.run(check_device, verdicts=judge_devices(report))
    assert failed(result) == ["leaf3", "leaf77"]
    assert result["leaf77"].result == "leaf77: not audited: no dump of this host was read"
    assert failed(nornir.run(check_device, on_failed=True, verdicts=judge_devices(report, "never"))) == ["leaf77"]
    assert result["leaf3"].result[0]["rule"] == report.list_causes()[0]["rule"]
