"""Where passwords and ways come from, and that they show nowhere."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Lab, Run
from openssh import Keys, served, shell
from replay import PASSWORD, Device

from auditor.collect.credentials import Credentials, find_credentials
from auditor.collect.route import Ways, find_config, find_route
from auditor.collect.target import InventoryError, Target

ENVIRONMENT = {"ROCE_AUDIT_USERNAME": "ops", "ROCE_AUDIT_PASSWORD": "hunter2"}


@pytest.mark.parametrize(
    ("environment", "typed", "expected"),
    [
        (ENVIRONMENT, None, {"ops": "hunter2", "root": None}),
        ({"ROCE_AUDIT_PASSWORD": "hunter2"}, None, {"ops": "hunter2", "root": "hunter2"}),
        ({}, None, {"ops": None, "root": None}),
        (ENVIRONMENT, "typed", {"ops": "typed", "root": "typed"}),
        ({"ROCE_AUDIT_PASSWORD": ""}, None, {"ops": None, "root": None}),
    ],
)
def test_where_a_password_comes_from(
    environment: dict[str, str], typed: str | None, expected: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    found = find_credentials(["ops", "root", "ops"], environment, (lambda _: typed) if typed else None)
    assert {name: each.password for name, each in found.items()} == expected


def test_the_keyring_is_asked_last() -> None:
    keyring = pytest.importorskip("keyring")

    class Memory(keyring.backend.KeyringBackend):  # type: ignore[name-defined,misc]
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return {"roce-audit/root": "kept"}.get(f"{service}/{username}")

        def set_password(self, service: str, username: str, password: str) -> None:
            raise NotImplementedError

    before = keyring.get_keyring()
    keyring.set_keyring(Memory())
    try:
        found = find_credentials(["ops", "root"], {"ROCE_AUDIT_USERNAME": "ops", "ROCE_AUDIT_PASSWORD": "hunter2"})
    finally:
        keyring.set_keyring(before)
    assert {name: each.password for name, each in found.items()} == {"ops": "hunter2", "root": "kept"}


def test_a_password_does_not_show() -> None:
    assert "hunter2" not in repr(Credentials("ops", "hunter2"))


def test_the_way_is_what_openssh_says(tmp_path: Path) -> None:
    (tmp_path / "more").write_text("Host leaf*\n  Port 2022\n  User netops\n  HostKeyAlias fleet\n")
    (tmp_path / "id").write_text("")
    config = tmp_path / "config"
    config.write_text(
        f"Include {tmp_path / 'more'}\nHost leaf1\n  HostName 10.0.0.1\n  ProxyJump ops@bastion:2222,inner\n"
        f"Host leaf2\n  ProxyCommand nc -x proxy %h %p\nHost *\n  IdentityFile {tmp_path / 'id'}\n"
        f"  UserKnownHostsFile {tmp_path / 'known'} {tmp_path / 'more_known'}\n  GlobalKnownHostsFile /dev/null\n"
    )
    ways = Ways(config, None, "envuser")
    one = find_route(Target("leaf1", "leaf1"), ways)
    assert (one.hostname, one.port, one.username, one.alias) == ("10.0.0.1", 2022, "netops", "fleet")
    assert one.jumps == ("ops@bastion:2222", "inner")
    assert one.proxy[-4:] == ("-W", "[10.0.0.1]:2022", "--", "inner")
    assert "BatchMode=yes" in one.proxy
    assert "StrictHostKeyChecking=yes" in one.proxy
    assert one.keys == (str(tmp_path / "id"),)
    assert one.known_hosts[0] == tmp_path / "known"
    two = find_route(Target("leaf2", "leaf2", 22, "bob"), ways)
    assert (two.port, two.username) == (22, "bob")
    assert two.proxy == ("sh", "-c", "exec nc -x proxy leaf2 22")
    assert find_route(Target("x", "spine1"), ways).username == "envuser"


def test_without_a_configuration_of_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_config(None) is None
    assert find_config("none") is None
    with pytest.raises(InventoryError, match="no such file"):
        find_config("gone")
    found = find_route(Target("leaf1", "10.0.0.1"), Ways(None, tmp_path / "known", "ops"))
    assert (found.hostname, found.port, found.username, found.proxy) == ("10.0.0.1", 22, "ops", ())
    assert found.known_hosts == (tmp_path / "known",)


def test_a_broken_configuration_of_ssh_is_told(lab: Lab) -> None:
    config = lab.folder / "config"
    config.write_text("NoSuchOption yes\n")
    lab.host("leaf1", username="audit", platform="nxos")
    status, _, err = lab.pull("--ssh-config", config)
    assert status == 2
    assert "nosuchoption" in err.lower()


def test_a_key_of_the_agent_is_taken(lab: Lab, keys: Keys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    agent = subprocess.run(
        ["ssh-agent", "-s", "-a", str(tmp_path / "agent")], capture_output=True, text=True, check=True
    )
    pid = agent.stdout.partition("SSH_AGENT_PID=")[2].partition(";")[0]
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent"))
    monkeypatch.delenv("ROCE_AUDIT_PASSWORD")
    try:
        subprocess.run(["ssh-add", "-q", str(keys.folder / "id")], check=True, capture_output=True)
        device = shell(tmp_path / "host1", {"ip -j -d link": "[]\n"})
        with served(keys, device) as port:
            keys.know("host1", port)
            lab.host("host1", port=port, platform="linux", username="root")
            status, _, err = lab.pull("--known-hosts", keys.known_hosts)
        assert status == 0, err
    finally:
        subprocess.run(["kill", pid], check=False)


def test_nobody_to_log_in_with(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROCE_AUDIT_PASSWORD")
    lab.add("leaf1", Device("cisco_nxos", {}))
    status, _, err = lab.pull()
    assert status == 2
    assert "leaf1: failed: cannot log in: no key, no agent, no password" in err


def test_a_dry_run_talks_to_nobody(lab: Lab, run: Run) -> None:
    lab.host("leaf1", hostname="192.0.2.1", platform="nxos")
    lab.host("gpu1", hostname="192.0.2.2", platform="linux", sudo="true")
    lab.host("box1", hostname="192.0.2.3")
    status, out, _ = run("pull", lab.inventory, "--dry-run")
    assert status == 0
    assert "leaf1 (192.0.2.1): cisco_nxos\n  show running-config" in out
    assert "  sudo -n lldpctl -f json0" in out
    assert "box1 (192.0.2.3): detected at login" in out
    assert not lab.out.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "give -o DIR"),
        (["-o", "/dev/null/x"], "/dev/null"),
        (["-o", "out", "--ask-password"], "--ask-password: standard input is not a terminal"),
        (["-o", "out", "--workers", "0"], "'0' is no number from 1"),
        (["-o", "out", "--timeout", "nan"], "expected a number above 0"),
        (["-o", "out", "--keep-secrets"], "--keep-secrets: no such option"),
        (["-o", "out", "--password", "x"], "--password: no such option"),
    ],
)
def test_wrong_usage(  # noqa: PLR0913, PLR0917  fixtures
    lab: Lab, run: Run, options: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    lab.host("leaf1", hostname="192.0.2.1", platform="nxos", username="audit")
    status, _, err = run("pull", lab.inventory, *options)
    assert (status, said in err) == (2, True), err
    assert PASSWORD not in err


def test_a_platform_that_is_not_known_is_told_without_a_connection(lab: Lab) -> None:
    lab.host("vax1", hostname="192.0.2.1", platform="vms", username="audit")
    status, _, err = lab.pull()
    assert status == 2
    assert "vax1: failed: unknown platform 'vms'; expected one of huawei_vrp" in err
