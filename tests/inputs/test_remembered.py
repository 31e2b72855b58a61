"""What an identification remembers of its texts is its own, and gone behind it."""

from auditor.grammar import show
from auditor.grammar.show import beginning
from auditor.inputs import once
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw

TEXTS = {
    "cisco_nxos": ("hostname leaf1", "feature lldp", "interface Ethernet1/1", "  priority-flow-control mode on"),
    "arista_eos": ("! device: leaf2 (DCS-7060CX-32S, EOS-4.30.1F)", "interface Ethernet1/1", "   mtu 9214"),
    "juniper_junos": ("system {", "    host-name leaf3;", "}", "interfaces {", "    et-0/0/1 {", "    }", "}"),
}


def test_texts_of_one_file_after_the_other_are_told_apart() -> None:
    for _ in range(3):
        for os, lines in TEXTS.items():
            assert identify_file(Raw("leaf.cfg", ".", tuple(lines), ends_with_newline=True), None).os == os


def test_nothing_is_remembered_behind_an_identification() -> None:
    lines = tuple(TEXTS["cisco_nxos"])
    assert beginning(lines).lines
    assert identify_file(Raw("leaf.cfg", ".", lines, ends_with_newline=True), None).os == "cisco_nxos"
    assert not any(once.KNOWN)
    assert not show._TEXTS
