"""A file that holds prompts: its parts, the system that its own words name, and the name of the device."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.engine.load import read_device
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.sessions import cut_captures, split_captures
from auditor.inputs.snapshot import find
from auditor.systems import systems

Run = Callable[..., tuple[int, str, str]]
STATUS = (
    "Port          Name               Status    Vlan      Duplex  Speed   Type",
    "Eth1/1        --                 connected routed    full    400G    QSFP-400G-DR4",
)


def raw(*lines: str) -> Raw:
    return Raw("x.txt", ".", lines, ends_with_newline=True)


PARTS = {
    "typed lines around an output that is shown in their mode": (
        ("l1(config)# interface Eth1/1", "l1(config-if)# do show interface status", *STATUS, "l1(config-if)# mtu 9216"),
        [
            ("show interface status", STATUS, 3),
            ("", ("l1(config)# interface Eth1/1", "", "", "", "l1(config-if)# mtu 9216"), 1),
        ],
    ),
    "an output first": (
        ("l1# show interface status", *STATUS, "l1#", "l1# conf t", "l1(config)# feature lldp"),
        [("show interface status", STATUS, 2), ("", ("l1#", "l1# conf t", "l1(config)# feature lldp"), 4)],
    ),
    "views": (
        ("<l1>display lldp neighbor brief", "a", "[~l1]interface 25GE1/0/1", "[*l1-25GE1/0/1]dcb pfc enable"),
        [
            ("display lldp neighbor brief", ("a",), 2),
            ("", ("[~l1]interface 25GE1/0/1", "[*l1-25GE1/0/1]dcb pfc enable"), 3),
        ],
    ),
    "a configuration before the first prompt": (
        ("feature lldp", "interface Ethernet1/1", "  mtu 9216", "l1# show interface status", *STATUS),
        [("", ("feature lldp", "interface Ethernet1/1", "  mtu 9216"), 1), ("show interface status", STATUS, 5)],
    ),
    "a word in brackets is no prompt of a session of others": (
        ("l1# show version", "[boot] ok", "[rdma] ready"),
        [("", ("l1# show version", "[boot] ok", "[rdma] ready"), 1)],
    ),
}


@pytest.mark.parametrize("case", PARTS)
def test_parts(case: str) -> None:
    """Outputs stand beside the typed lines, of which there is one capture; each line keeps its number."""
    lines, expected = PARTS[case]
    found = [(capture.command, capture.lines, capture.first_line) for capture in list_captures(raw(*lines))]
    assert found == expected


SYSTEMS = {
    "EOS": ("arista_eos", ("(config)# interface Ethernet1", "(config-if-Et1)# service-profile ROCE")),
    "AOS-CX": ("aruba_aoscx", ("(config)# interface 1/1/1", "(config-if)# apply qos threshold-profile ECN")),
    "IOS XR": ("cisco_iosxr", ("(config)# interface HundredGigE0/0/0/1", "(config-if)# service-policy input RDMA-IN")),
    "NX-OS": ("cisco_nxos", ("(config)# interface Eth1/1", "(config-if)# priority-flow-control mode on")),
    "OS10": ("dell_os10", ("(config)# interface ethernet1/1/1", "(conf-if-eth1/1/1)# priority-flow-control mode on")),
    "OS10 with a port that others spell so": (
        "dell_os10",
        ("(config)# interface Ethernet 1/1/9", "(conf-if-eth1/1/9)# flowcontrol transmit off"),
    ),
    "Enterprise SONiC": ("dell_enterprise_sonic", ("(config)# interface Eth 1/1", "(conf-if-Eth1/1)# qos-map tc-pg P")),
}


@pytest.mark.parametrize("ends", [False, True], ids=["alone", "with an output that all systems have"])
@pytest.mark.parametrize("case", SYSTEMS)
def test_system_of_typed_lines(case: str, *, ends: bool) -> None:
    """The words behind prompts name the system; a command that several systems have does not outrank them."""
    os, lines = SYSTEMS[case]
    shown = ("leaf1# show interface counters", "Interface  In  Out") if ends else ()
    assert identify_file(raw(*(f"leaf1{line}" for line in lines), *shown), None).os == os


VIEWS = {
    "huawei_vrp": ("[~leaf1]interface 25GE1/0/1", "[*leaf1-25GE1/0/1]dcb pfc enable mode manual"),
    "hp_comware": ("[leaf1]interface HundredGigE1/0/1", "[leaf1-HundredGigE1/0/1]priority-flow-control enable"),
}


@pytest.mark.parametrize("os", VIEWS)
def test_system_of_views(os: str) -> None:
    """The prompts of views are stripped before the words count."""
    assert identify_file(raw(*VIEWS[os]), None).os == os


NAMES = {
    "a mode": ("spine7(config)# feature lldp", "spine7(config)# interface Ethernet1/1"),
    "a command": ("spine7# show running-config", "feature lldp", "interface Ethernet1/1"),
    "views": ("[~spine7]interface 25GE1/0/1", "[*spine7-25GE1/0/1]dcb pfc enable mode manual", "<spine7>save"),
    "a command at the processor of a router": (
        "RP/0/RP0/CPU0:spine7#show interfaces",
        "HundredGigE0/0/0/1 is up, line protocol is up",
        "  Interface state transitions: 1",
    ),
    "a mode at the processor of a router": (
        "RP/0/RP0/CPU0:spine7(config)#interface HundredGigE0/0/0/1",
        "RP/0/RP0/CPU0:spine7(config-if)#mtu 9216",
    ),
    "a user and a host": ("admin@spine7> show configuration", "interfaces {", "    et-0/0/1 {", "    mtu 9000;", "}}"),
}


@pytest.mark.parametrize("case", NAMES)
def test_hostname_of_a_prompt(case: str, tmp_path: Path) -> None:
    """A device without a hostname has that of its prompts; one that tells it keeps it."""
    (tmp_path / "dump.txt").write_text("\n".join(NAMES[case]) + "\n")
    (unit,) = find([str(tmp_path / "dump.txt")]).units
    assert read_device(unit).device.name == "spine7"


def test_written_hostname_wins(tmp_path: Path) -> None:
    """The configuration outranks the prompt, which may be that of another name."""
    (tmp_path / "dump.txt").write_text("old# show running-config\nhostname leaf1\nfeature lldp\n")
    (unit,) = find([str(tmp_path / "dump.txt")]).units
    assert read_device(unit).device.name == "leaf1"


def test_own_words_are_of_one_system() -> None:
    """The words of a system are in no fixture of another one."""
    folder = Path(__file__).parents[2] / "fixtures" / "dumps"
    switches = {each.folder: each for each in systems().values() if each.kind == "switch"}
    checked = 0
    for path in sorted(folder.glob("*/*")):
        if path.parent.name not in switches or ".warnings" in path.name or not path.is_file():
            continue
        lines = tuple(path.read_text(encoding="utf-8").splitlines())
        owners = {name for name, each in switches.items() for part in list_captures(raw(*lines)) if each.owns(part)}
        assert owners <= {path.parent.name}, path
        checked += bool(owners)
    assert checked > 10


def test_each_line_is_shown_and_counted_once(tmp_path: Path, run: Run) -> None:
    """Coverage has the state of an output's lines although typed lines lie around it."""
    lines, _ = PARTS["typed lines around an output that is shown in their mode"]
    (tmp_path / "x.txt").write_text("\n".join(lines) + "\n")
    status, out, _ = run("show", "--coverage", "--format", "json", str(tmp_path / "x.txt"))
    states = dict(json.loads(out)["dumps"][0]["lines"])
    assert status == 0
    assert states[1] == states[4] == states[5] == "modelled"


def test_cuts_make_the_captures_of_a_file() -> None:
    """The captures of a file that was identified before, in whatever folder it is, are those of its lines."""
    root = Path(__file__).parents[2] / "fixtures"
    files = [path for name in ("dumps", "hosts", "fabric-mixed", "optics") for path in sorted((root / name).rglob("*"))]
    told = [parse_text(path.read_bytes(), str(path), given=False) for path in files if path.is_file()]
    known = [(each, identify_file(each, None)) for each in told if isinstance(each, Raw)]
    cut = [(each, found.heads, found.cuts) for each, found in known if found.cuts is not None]
    for each, heads, cuts in cut:
        assert cut_captures(each, cuts) == split_captures(each, heads)
    assert len(cut) > 0.8 * sum(found.os is not None for _, found in known)
    assert any(len(cuts) > 3 for _, _, cuts in cut)
