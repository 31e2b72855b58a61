"""A configuration is the same in a repository of Oxidized or RANCID: comments around it change nothing.

Sources: the models of https://github.com/ytti/oxidized (lib/oxidized/model) and the modules of
https://github.com/haussli/rancid (lib), each with its own sign of a comment.
"""

from pathlib import Path

import pytest

from auditor import load
from auditor.inputs.file_heads import SIGN, restore_files

DUMPS = Path(__file__).parents[2] / "fixtures" / "dumps"
INVENTORY = "NAME: chassis\nModel: x\n    Item  Description\nPID: Y-1 , SN: FDO00000001\n\nVersion : 4.31.2F\n"
PLACES = (DUMPS / "cumulus" / "leaf04" / "interfaces", DUMPS / "cumulus" / "leaf04" / "qos_features.conf")
OXIDIZED = [
    ("eos/leaf1.cfg", "! "),
    ("os10/leaf1.cfg", "! "),
    ("aoscx/leaf1.cfg", "! "),
    ("junos/leaf1.conf", "# "),
    ("huawei/leaf1.cfg", "# "),
    ("comware/leaf1.cfg", "# "),
    ("cumulus/leaf01/startup.yaml", "# "),
]
RANCID = [
    ("eos/leaf1.cfg", "!", "arista"),
    ("os10/leaf1.cfg", "!", "dnos10"),
    ("junos/leaf1.conf", "#", "junos"),
    ("huawei/leaf1.cfg", "#", "vrp"),
]


def rows(path: Path) -> list[dict[str, object]]:
    """Return the ports of a folder or file, without places."""
    found = load(path)
    assert not found.problems
    hidden = {"file", "line", "source"}
    return [{key: value for key, value in row.items() if key not in hidden} for row in found.ports()]


def assert_same(folder: Path, text: str, plain: str) -> None:
    """Assert that the file of a node has the ports of the *plain* dump."""
    file = folder / "pod1" / "leaf1"
    file.parent.mkdir()
    file.write_text(text)
    expected = rows(DUMPS / plain)
    assert expected
    assert rows(folder) == expected


def comment(mark: str, text: str) -> str:
    """Return *text* as comments, as these tools write the output of another command."""
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize(("dump", "mark"), OXIDIZED, ids=[dump for dump, _ in OXIDIZED])
def test_comments_of_oxidized_change_nothing(dump: str, mark: str, tmp_path: Path) -> None:
    assert_same(tmp_path, comment(mark, INVENTORY) + (DUMPS / dump).read_text(), dump)


@pytest.mark.parametrize(("dump", "mark", "kind"), RANCID, ids=[dump for dump, _, _ in RANCID])
def test_comments_of_rancid_change_nothing(dump: str, mark: str, kind: str, tmp_path: Path) -> None:
    head = f"{mark}RANCID-CONTENT-TYPE: {kind}\n{mark}\n" + comment(f"{mark}Inventory: ", INVENTORY)
    assert_same(tmp_path, head + (DUMPS / dump).read_text(), dump)


def test_heads_of_enterprise_sonic_change_nothing(tmp_path: Path) -> None:
    dump = "enterprise_sonic/leaf1.txt"
    text = (DUMPS / dump).read_text().partition("\n")[2]
    assert_same(tmp_path, f"##### VERSION #####\n{INVENTORY}\n##### CONFIGURATION #####\n{text}", dump)


def make_node(name: str) -> str:
    """Return the file of a Cumulus switch, as Oxidized writes it."""
    ports, datapath = (place.read_text() for place in PLACES)
    parts = {
        "THE HOSTNAME": f"{name}\n",
        "THE HOSTS": "127.0.0.1 localhost\n",
        "THE INTERFACES": comment("interfaces:", ports) + "interfaces.d/more:auto swp9\ninterfaces.d/more:iface swp9\n",
        "FRR DAEMONS": "bgpd=yes\n",
        "PASSWD": "root:x:0:0:root:/root:/bin/bash\n",
        "TRAFFIC": datapath,
        "License": "x\n",
    }
    return "".join(f"\n###### {part} ######\n{text}" for part, text in parts.items())


def test_files_of_a_cumulus_switch_are_one_device(tmp_path: Path) -> None:
    for name in ("leaf04", "leaf05"):
        (tmp_path / name).write_text(make_node(name))
    found = load(tmp_path)
    (alone,) = load(PLACES[0].parent).model.devices
    assert [device.name for device in found.model.devices] == ["leaf04", "leaf05"]
    assert not found.problems
    for device in found.model.devices:
        assert {port.name for port in device.ports} == {port.name for port in alone.ports} | {"swp9"}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["###### FRR CONF ######", "interfaces:x"], ["$ cat /etc/frr/frr.conf", "interfaces:x"]),
        ([SIGN, "auto swp1", "interfaces:", "x"], ["$ cat /etc/network/interfaces", "auto swp1", "", "x"]),
        (["###### $(reboot) ######", "#### a ####"], ["###### $(reboot) ######", "#### a ####"]),
        ([SIGN, "###### x ######", "interfaces:a"], ["$ cat /etc/network/interfaces", "$ cat x", "interfaces:a"]),
    ],
)
def test_heads_become_commands(lines: list[str], expected: list[str]) -> None:
    assert restore_files(lines) == expected
