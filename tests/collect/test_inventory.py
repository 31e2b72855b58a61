"""Inventories in each form that networks already have, and what is wrong with one said with file and line."""

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.collect.inventory import read_inventory
from auditor.collect.ranges import expand_names
from auditor.collect.target import InventoryError, Target

Write = Callable[[Mapping[str, str | bytes]], Path]


def targets(path: Path) -> list[Target]:
    return list(read_inventory(str(path), {}).targets)


def test_one_file(write: Write) -> None:
    text = """
        hosts:
          leaf[01-03]: {hostname: "10.0.0.[11-13]", groups: [leafs]}
          spine1: {groups: [leafs, spines], username: ops}
          gpu01: {platform: linux, sudo: true}
        groups:
          leafs: {platform: nxos, port: 2022, groups: [all]}
          spines: {platform: eos, port: 22}
          all: {username: netops, port: 1}
        defaults: {username: nobody, data: {sudo: false}}
    """
    found = targets(write({"i.yaml": textwrap.dedent(text)}) / "i.yaml")
    assert found == [
        Target("leaf01", "10.0.0.11", 2022, "netops", "nxos"),
        Target("leaf02", "10.0.0.12", 2022, "netops", "nxos"),
        Target("leaf03", "10.0.0.13", 2022, "netops", "nxos"),
        Target("spine1", "spine1", 2022, "ops", "nxos"),
        Target("gpu01", "gpu01", None, "nobody", "linux", sudo=True),
    ]


def test_files_of_nornir(write: Write) -> None:
    root = write(
        {
            "hosts.yaml": "leaf1:\n  hostname: 10.0.0.1\n  groups: [a]\n  data: {site: x, sudo: true}\n"
            "leaf2: {password: hunter2}\n",
            "groups.yaml": "a: {platform: arista_eos, connection_options: {x: {extras: {secret: y}}}}\n",
            "defaults.yaml": "username: ops\nport: 22\n",
        }
    )
    for path in (root, root / "hosts.yaml"):
        found = read_inventory(str(path), {})
        assert list(found.targets) == [
            Target("leaf1", "10.0.0.1", 22, "ops", "arista_eos", sudo=True),
            Target("leaf2", "leaf2", 22, "ops", None),
        ]
        assert "passwords in an inventory are ignored" in " ".join(found.notes)
        assert "hunter2" not in str(found)


INI = """
    edge1 ansible_host=10.9.9.9   # not in a group
    localhost ansible_connection=local
    [leafs]
    leaf[01:02] ansible_port=2022  # two of them
    leaf03 ansible_host="10.0.0.3" ansible_user='bob'
    [spines]
    spine1
    [gpus]
    gpu[a:b]
    [switches:children]
    leafs
    spines
    [switches:vars]
    ansible_network_os=cisco.nxos.nxos
    ansible_user = admin
    ansible_become=yes
    ansible_become_method=enable
    [gpus:vars]
    ansible_become=true
"""


def test_ansible_ini_with_group_vars(write: Write) -> None:
    root = write(
        {
            "hosts": textwrap.dedent(INI),
            "group_vars/all.yml": "ansible_port: 22\n",
            "group_vars/spines/vars.yml": "ansible_network_os: arista.eos.eos\nvlans: [1, 2]\n",
            "group_vars/spines/vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n6131\n",
            "group_vars/gpus.yaml": "ansible_password: !vault |\n  $ANSIBLE_VAULT;1.1\n  61\nansible_user: root\n",
            "host_vars/spine1.yml": "ansible_host: 10.0.0.100\n",
        }
    )
    found = read_inventory(str(root), {})
    assert list(found.targets) == [
        Target("edge1", "10.9.9.9", 22, None, None),
        Target("leaf01", "leaf01", 2022, "admin", "cisco.nxos.nxos"),
        Target("leaf02", "leaf02", 2022, "admin", "cisco.nxos.nxos"),
        Target("leaf03", "10.0.0.3", 22, "bob", "cisco.nxos.nxos"),
        Target("spine1", "10.0.0.100", 22, "admin", "arista.eos.eos"),
        Target("gpua", "gpua", 22, "root", None, sudo=True),
        Target("gpub", "gpub", 22, "root", None, sudo=True),
    ]
    assert "localhost is skipped: connection local does not use SSH" in found.notes
    assert any("vault.yml is encrypted; its variables are ignored" in note for note in found.notes)


def test_ansible_yaml(write: Write) -> None:
    text = """
        all:
          vars: {ansible_user: admin}
          children:
            switches:
              vars: {ansible_network_os: junipernetworks.junos.junos}
              children:
                leafs:
                  hosts:
                    leaf[1:2]: {}
                    leaf3: {ansible_host: 10.0.0.3, ansible_port: 830}
                  vars: {ansible_user: leafadmin}
            gpus: {hosts: {gpu1: {ansible_become: true}}}
    """
    assert targets(write({"inv.yml": textwrap.dedent(text)}) / "inv.yml") == [
        Target("gpu1", "gpu1", None, "admin", None, sudo=True),
        Target("leaf1", "leaf1", None, "leafadmin", "junipernetworks.junos.junos"),
        Target("leaf2", "leaf2", None, "leafadmin", "junipernetworks.junos.junos"),
        Target("leaf3", "10.0.0.3", 830, "leafadmin", "junipernetworks.junos.junos"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("i.yaml", "hosts:\n  leaf1: {hostnam: x}\n", ":2: "),
        ("i.yaml", "hosts:\n  leaf1: {port: 70000}\n", ":2: "),
        ("i.yaml", "hosts:\n  a: {}\n  ../etc: {}\n", ":3: '../etc' cannot name a folder"),
        ("i.yaml", "hosts:\n  .hidden: {}\n", ":2: '.hidden' cannot name a folder"),
        ("i.yaml", "hosts:\n  leaf1: {}\n  Leaf1: {}\n", "two devices have the name Leaf1"),
        *(
            ("i.yaml", f"hosts:\n  {name}: {{}}\n", f":2: {name!r} cannot name a folder: {why}")
            for names, why in (
                (("manifest.json", "Manifest.JSON", "roce-audit.yaml", "Roce-Audit.yml"), "the name of a file of"),
                (("CON", "con", "aux.1", "NUL.txt", "Com1", "lpt9.log", "prn"), "a reserved name on Windows"),
                (("sos_commands", "commands_txt_output", "SOS_commands"), "the sign of"),
                (("__pycache__", "node_modules", "__MACOSX"), "folder of a tool"),
            )
            for name in names
        ),
        *(
            ("i.yaml", f"hosts:\n  '{name}': {{}}\n", f":2: {name!r} cannot name a folder; expected")
            for name in (".git", ".", "..", "a/b", "a\\b", "leaf1.", ".roce-audit-pull", "-x", "a\u202eb", "leaf1 ")
        ),
        ("i.yaml", "hosts:\n  off: {}\n", ": YAML reads this name as a boolean"),
        ("i.yaml", "hosts:\n  a: {hostname: -oProxyCommand=x}\n", ":2: a: '-oProxyCommand=x' is neither a host name"),
        ("i.yaml", "hosts:\n  a: {username: 'x; y'}\n", ":2: a: 'x; y' is not a user name"),
        ("i.yaml", "hosts:\n  a: {groups: [b]}\n", ":2: unknown group 'b'"),
        ("i.yaml", "hosts:\n  a: {groups: [b]}\ngroups: {b: {groups: [b]}}\n", ":2: group 'b' contains itself"),
        ("i.yaml", "hosts:\n  leaf[1-3]: {hostname: 'x[1-2]'}\n", ":2: 3 names, but 2 host names"),
        ("i.yaml", "hosts:\n  leaf[1-3]: {hostname: x}\n", ":2: 3 names, but one host name"),
        ("i.yaml", "hosts:\n  leaf[3-1]: {}\n", ":2: '3-1' is not a range"),
        ("i.yaml", "hosts:\n  leaf[1-999999999]: {}\n", ":2: "),
        ("i.yaml", "hosts:\n  a[1-999][1-999]: {}\n", ":2: 'a[1-999][1-999]' stands for more than"),
        ("i.yaml", "hosts:\n  leaf1: {}\n  leaf[1-2]: {}\n", "two devices have the name leaf1"),
        ("i.yaml", "hosts: {}\n", "no devices in the inventory"),
        ("i.yaml", "hosts: [\n", ":2: not YAML"),
        ("i.yaml", "- a\n", "expected a YAML file with hosts"),
        ("i.yaml", "hosts:\n  a: {platform: '{{ p }}', hostname: '{{ ip }}'}\n", "is not evaluated"),
        ("i.ini", "leaf1 ansible_port\n", ":1: 'ansible_port': expected NAME=VALUE"),
        ("i.ini", "[leafs\nleaf1\n", ":1: '[leafs' cannot name a folder"),
        ("i.ini", "\nleaf1 ansible_host='x\n", ":2: no closing quotation"),
        ("i.ini", "[a:b:c]\nx\n", ":2: [a:b:c]: expected"),
        ("i.ini", "[a:children]\nb\n[b:children]\na\n[b]\nx\n", "group 'a' contains itself"),
        ("i.ini", "leaf1 ansible_port=ssh\n", ":1: leaf1: 'ssh' is not a port"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(write: Write, name: str, text: str, said: str) -> None:
    path = write({name: text}) / name
    with pytest.raises(InventoryError) as caught:
        read_inventory(str(path), {})
    assert str(path) in str(caught.value) or "two devices" in str(caught.value)
    assert said in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in ("gone.yaml", str(tmp_path)):
        with pytest.raises(InventoryError, match="expected"):
            read_inventory(path, {})


@given(st.text())
def test_any_name_expands_or_is_refused(name: str) -> None:
    try:
        names = expand_names(name)
    except ValueError:
        return
    assert len(names) == len(set(names)) or "," in name
    assert "[" in name or names == (name,)


@given(st.integers(0, 999), st.integers(0, 99), st.integers(1, 4))
def test_a_range_keeps_its_zeros(first: int, more: int, width: int) -> None:
    low, high = str(first).zfill(width), str(first + more).zfill(width)
    names = expand_names(f"leaf[{low}-{high}]")
    assert len(names) == more + 1
    assert names[0] == f"leaf{low}"
    assert [int(name[4:]) for name in names] == list(range(first, first + more + 1))


@pytest.mark.parametrize("name", ["/", "../elsewhere", "..", "."])
def test_a_name_leads_to_no_file_outside_its_folder(tmp_path: Path, name: str) -> None:
    for folder in ("elsewhere", "host_vars"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "vars.yml").write_text("a: b: this is no YAML", encoding="utf-8")
    (tmp_path / "vars.yml").write_text("a: b: this is no YAML", encoding="utf-8")
    (tmp_path / "i.ini").write_text(f"{name} ansible_host=192.0.2.1 ansible_network_os=eos\n", encoding="utf-8")
    with pytest.raises(InventoryError, match=r"i\.ini:1: "):
        read_inventory(str(tmp_path / "i.ini"), {})


@given(st.binary(max_size=300), st.sampled_from(["i.yaml", "i.ini"]))
@example(data=b"/", name="i.ini")
def test_any_bytes_are_an_inventory_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("inventory") / name
    path.write_bytes(data)
    try:
        read_inventory(str(path), {})
    except InventoryError as error:
        assert str(path) in str(error) or "two devices" in str(error)  # noqa: PT017  it may be an inventory, too
