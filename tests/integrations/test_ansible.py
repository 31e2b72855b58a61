"""The collection of Ansible, run by `ansible-playbook` and `ansible-doc` over inventories of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from replay import PASSWORD, USER
from switches import FABRIC, Switches

from auditor.integrations.ansible import CHECK_OPTIONS, PULL_OPTIONS, check_paths

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PAGE = (ROOT / "docs" / "pages" / "how-to" / "ansible.md").read_text(encoding="utf-8")
PLAY, EXAMPLE = (yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
COLLECTIONS = ROOT / "auditor" / "integrations" / "collections"


def run(folder: Path, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Ansible's in *folder*, with the collection of this checkout."""
    variables = {
        "ANSIBLE_COLLECTIONS_PATH": str(COLLECTIONS),
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_NOCOLOR": "1",
        "HOME": str(folder / "home"),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{BIN}:{os.environ['PATH']}",
    }
    return subprocess.run(
        [str(BIN / program), *arguments],
        capture_output=True, text=True, cwd=folder, env=variables | environment, check=False, timeout=120,
    )  # fmt: skip


def play(folder: Path, tasks: list[dict[str, Any]], *arguments: str, **play: Any) -> tuple[dict[str, Any], str]:  # noqa: ANN401
    """Return what the variables of *tasks* hold at their end, and all that Ansible printed."""
    kept = [task["register"] for task in tasks if "register" in task]
    last = {
        "ansible.builtin.copy": {
            "content": "{{ {" + ", ".join(f"'{name}': {name}" for name in kept) + "} | to_json }}",
            "dest": str(folder / "kept.json"),
        },
        "delegate_to": "localhost",
        "run_once": True,
        "check_mode": False,
        "vars": {"ansible_connection": "local", "ansible_python_interpreter": sys.executable},
    }
    whole = [{"hosts": "all", "gather_facts": False, **play, "tasks": [*tasks, last]}]
    (folder / "play.yml").write_text(json.dumps(whole))
    done = run(folder, "ansible-playbook", "-vvvv", "-i", "hosts.yml", "play.yml", *arguments)
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    return json.loads((folder / "kept.json").read_text()), printed


def write_hosts(folder: Path, hosts: Mapping[str, Mapping[str, Any]], **variables: object) -> None:
    (folder / "hosts.yml").write_text(json.dumps({"all": {"hosts": hosts, "vars": variables}}))


def list_hosts(switches: Switches) -> dict[str, dict[str, Any]]:
    return {name: {"ansible_host": "127.0.0.1", "ansible_port": port} for name, port in switches.ports.items()}


def test_a_play_pulls_its_hosts_and_audits_them(switches: Switches, tmp_path: Path) -> None:
    """With the tasks of the page; then with other thresholds, dumps and options."""
    switches.add("leaf1", "leaf2", "leaf3")
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "known_hosts").write_text(switches.known_hosts.read_text())
    login = {"ansible_user": "{{ who }}", "ansible_password": PASSWORD, "ansible_network_os": "cisco.nxos.nxos"}
    hosts = {**list_hosts(switches), "control": {"ansible_connection": "local"}}
    write_hosts(tmp_path, hosts, who=USER, **login)
    pull, check = PLAY[0]["tasks"]
    tasks = [
        {**pull, "register": "would", "check_mode": True},
        {**pull, "register": "first"},
        {**pull, "register": "again"},
        {**check, "ignore_errors": True, "check_mode": True},
        EXAMPLE[0],
        {"roce.audit.check": {"paths": ["dumps"], "fail_on": "never", "limit": 1}, "register": "never"},
        {"roce.audit.check": {"paths": [str(FABRIC.with_name("fabric-clean"))]}, "register": "clean"},
        {"roce.audit.check": {"paths": ["none"]}, "register": "lacking", "ignore_errors": True},
        {"roce.audit.check": {"fail_on": "all"}, "register": "wrong", "ignore_errors": True},
    ]
    kept, printed = play(tmp_path, tasks)
    assert PASSWORD not in printed
    assert "Corr3ct" not in printed
    assert (kept["would"]["skipped"], kept["would"]["msg"]) == (True, "would pull 3 devices")
    assert [(kept[name]["changed"], kept[name]["failed"]) for name in ("first", "again")] == [
        (True, False),
        (False, False),
    ]
    assert [each["status"] for each in kept["first"]["devices"]] == ["complete"] * 3
    assert "control is skipped: connection local does not use SSH" in kept["first"]["warnings"]
    assert (tmp_path / "dumps" / "manifest.json").exists()
    audit = kept["audit"]
    assert (audit["failed"], audit["changed"], audit["devices"]) == (True, False, 3)
    assert len(audit["causes"]) > 1
    assert f"{audit['causes'][0]['device']}: {audit['causes'][0]['message']}" in printed
    assert audit["levels"]["error"] > 0
    assert kept["never"]["failed"] is False
    assert kept["never"]["causes"] == audit["causes"][:1]
    assert (kept["clean"]["failed"], kept["clean"]["causes"], kept["clean"]["problems"]) == (False, [], [])
    assert (kept["lacking"]["failed"], "none: " in kept["lacking"]["problems"][0]) == (True, True)
    assert "missing required arguments: paths" in kept["wrong"]["msg"]


def test_a_host_that_does_not_come_fails_the_task(switches: Switches, tmp_path: Path) -> None:
    """By the login of the play; a wrong password is tried on two hosts, and one host has its own."""
    switches.add("leaf1", "leaf2", "leaf3", "leaf4")
    hosts = list_hosts(switches)
    hosts["leaf4"] |= {"ansible_user": USER, "ansible_ssh_pass": PASSWORD}
    write_hosts(tmp_path, hosts, ansible_password="Wr0ng-Horse", ansible_network_os="nxos")
    options = {"output": "dumps", "known_hosts": str(switches.known_hosts), "ssh_config": "none"}
    tasks: list[dict[str, Any]] = [{"roce.audit.pull": options, "register": "pulled", "ignore_errors": True}]
    kept, printed = play(tmp_path, tasks, remote_user="nobody")
    devices = {each["device"]: each for each in kept["pulled"]["devices"]}
    assert kept["pulled"]["failed"]
    assert kept["pulled"]["msg"].startswith("1 of 4 devices complete; ")
    assert devices["leaf4"]["status"] == "complete"
    assert sum(len(switches.devices[name].logins) for name in ("leaf1", "leaf2", "leaf3")) == 2
    assert {login for name in ("leaf1", "leaf2") for login in switches.devices[name].logins} <= {"nobody/Wr0ng-Horse"}
    assert "Wr0ng" not in printed
    assert PASSWORD not in printed


def test_the_documentation_has_each_option(tmp_path: Path) -> None:
    done = run(tmp_path, "ansible-doc", "--json", "roce.audit.check", "roce.audit.pull")
    documented = json.loads(done.stdout)
    keys = ("type", "elements", "choices", "default", "required")
    for name, options in (("check", CHECK_OPTIONS), ("pull", PULL_OPTIONS)):
        described = documented[f"roce.audit.{name}"]["doc"]["options"]
        found = {option: {key: said[key] for key in keys if said.get(key)} for option, said in described.items()}
        assert found == {option: {key: said[key] for key in keys if said.get(key)} for option, said in options.items()}


def test_an_audit_says_what_it_doubts(tmp_path: Path) -> None:
    """Ansible prints the warnings of a result."""
    shutil.copytree(ROOT / "fixtures" / "others" / "batfish", tmp_path / "fabric")
    plan = tmp_path / "fabric" / "batfish" / "layer1_topology.json"
    plan.write_text(plan.read_text().replace("Ethernet1/1", "Ethernet9/9"))
    (doubt, *_) = check_paths([str(tmp_path / "fabric")])["warnings"]
    assert doubt.startswith("a declared cable names")
