"""The list of `ansible-inventory`, the real one, and of programs of that name that are slow, endless or wrong."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.collect import ansible_program
from auditor.collect.inventory import read_inventory
from auditor.collect.target import InventoryError, Target
from auditor.engine.inventory import read_names
from auditor.intent import Expectation

Write = Callable[[Mapping[str, str | bytes]], Path]
BIN = Path(sys.executable).parent
SECRET = "Corr3ct-Horse"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose PATH has Ansible."""
    assert (BIN / ansible_program.PROGRAM).exists()
    home = {name: str(tmp_path / "home") for name in ("HOME", "ANSIBLE_HOME")}
    return {"PATH": f"{BIN}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", **home}


INI = f"""
edge1 ansible_host=10.9.9.9
localhost ansible_connection=local
bare
[leafs]
leaf[01:02] ansible_port=2022 ansible_ssh_private_key_file=~/key
[gpus]
gpu1 ansible_become=true ansible_become_password={SECRET}
[leafs:vars]
ansible_network_os=cisco.nxos.nxos
ansible_user=admin
"""
PLUGIN = """
plugin: generator
hosts: {name: "leaf{{ number }}", parents: []}
layers: {number: [8, 9]}
"""
VAULTED = "ansible_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6131\nansible_port: 22\n"


def test_ansible_lists_what_the_reader_of_files_reads(write: Write, environment: dict[str, str]) -> None:
    root = write({"hosts.ini": INI, "group_vars/all.yml": VAULTED})
    listed, read = (read_inventory(str(root / "hosts.ini"), each) for each in (environment, {}))
    assert sorted(listed.targets, key=lambda each: each.name) == sorted(read.targets, key=lambda each: each.name)
    assert Target("leaf01", "leaf01", 2022, "admin", "cisco.nxos.nxos", key="~/key") in listed.targets
    assert Target("gpu1", "gpu1", 22, sudo=True) in listed.targets
    assert {each.name for each in listed.targets} == {"edge1", "bare", "leaf01", "leaf02", "gpu1"}
    assert "localhost is skipped: connection local does not use SSH" in listed.notes
    assert any("passwords in an inventory are ignored" in note for note in listed.notes)
    assert SECRET not in str(listed)


def test_a_plugin_and_a_script_of_ansible_are_read_by_ansible_alone(write: Write, environment: dict[str, str]) -> None:
    script = f'#!{sys.executable}\nprint(\'{{"all": {{"hosts": ["leaf8", "leaf9"]}}}}\')\n'
    root = write({"x.sh": script, "z.yml": PLUGIN})
    (root / "x.sh").chmod(0o755)
    enabled = {**environment, "ANSIBLE_INVENTORY_ENABLED": "script,generator"}
    for name in ("x.sh", "z.yml"):
        assert [each.name for each in read_inventory(str(root / name), enabled).targets] == ["leaf8", "leaf9"]
    with pytest.raises(InventoryError, match=r"z\.yml: an inventory plugin of Ansible needs ansible-inventory"):
        read_inventory(str(root / "z.yml"), {})


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"i.ini": "[x\nleaf1\n"}, "ansible-inventory failed: Failed to parse inventory with 'ini' plugin"),
        (
            {"i.ini": "leaf1\n", "group_vars/all.yml": "$ANSIBLE_VAULT;1.1;AES256\n6131\n"},
            "no vault secrets found. Set ANSIBLE_VAULT_PASSWORD_FILE",
        ),
        ({"i.ini": "[leafs]\n"}, "no devices in the inventory"),
        ({"i.ini": "leaf1 ansible_user='{{ who }}'\n"}, "is not evaluated"),
    ],
)
def test_a_failure_is_told_with_what_to_do(
    write: Write, environment: dict[str, str], files: Mapping[str, str], said: str
) -> None:
    path = write(files) / "i.ini"
    with pytest.raises(InventoryError) as caught:
        read_inventory(str(path), environment)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sleep 100 & sleep 100", "took more than 1 s"),
        ("yes '{'", "printed more than"),
        ("yes >&2 & echo '{}'", "printed no inventory; run `ansible-inventory -i "),
        ('echo \'{"_meta": {"hostvars": []}, "all": []}\'', "printed no inventory"),
        (f"echo '[ERROR]: password: {SECRET}' >&2; exit 3", "failed: password: <redacted>"),
        ("exit 3", "failed: no message"),
    ],
)
def test_a_program_of_that_name_costs_neither_time_nor_memory(
    write: Write, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    monkeypatch.setattr(ansible_program, "MAX_S", 1.0)
    monkeypatch.setattr(ansible_program, "MAX_BYTES", 2**20)
    root = write({"i.ini": "leaf1\n", "bin/ansible-inventory": f"#!/bin/sh\n{program}\n"})
    (root / "bin" / "ansible-inventory").chmod(0o755)
    path = f"{root / 'bin'}:{os.environ['PATH']}"
    began = time.monotonic()
    with pytest.raises(InventoryError) as caught:
        read_inventory(str(root / "i.ini"), {"PATH": path})
    assert said in str(caught.value)
    assert SECRET not in str(caught.value)
    assert time.monotonic() - began < 30


def test_an_audit_starts_no_program(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The inventory that an intent names may be a stranger's."""
    root = write({"i.ini": "leaf1\n", "bin/ansible-inventory": "#!/bin/sh\ntouch \"$0.ran\"\necho '{}'\n"})
    (root / "bin" / "ansible-inventory").chmod(0o755)
    monkeypatch.setenv("PATH", f"{root / 'bin'}:{os.environ['PATH']}")
    assert shutil.which("ansible-inventory") == str(root / "bin" / "ansible-inventory")
    expected = Expectation((), (), 1, "roce-audit.yaml", 1, inventory="i.ini", folder=str(root))
    assert read_names(expected).names == ("leaf1",)
    assert not (root / "bin" / "ansible-inventory.ran").exists()
