"""Stanzas of one interface: the last word on each statement, whatever is left out on the way."""

import re
from collections.abc import Callable, Iterable
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar import history
from auditor.grammar.body import PortBody, QueueBody, intend
from auditor.grammar.history import MOST_NAMES, Layers
from auditor.grammar.layers import NOTHING, Pick, overlay, take_later
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import Setting, Unknown, Unset, Where
from auditor.systems import systems

SETTINGS = st.integers(0, 3)


def make_setting(kind: int, where: Where) -> Setting[bool]:
    return (NOTHING, Unset(where), Unknown("unread"), intend(value=True, where=where))[kind]


@st.composite
def bodies(draw: Callable[[st.SearchStrategy[int]], int]) -> list[PortBody]:
    """Return stanzas with settings, and entries of mappings, written in any order or not at all."""
    made = []
    for index in range(draw(st.integers(1, 6))):
        where = Where("leaf1.cfg", index)
        body = PortBody(
            where, pause_rx=make_setting(draw(SETTINGS), where), enabled=make_setting(draw(SETTINGS), where)
        )
        for _ in range(draw(st.integers(0, 3))):
            body.no_drop[draw(SETTINGS)] = make_setting(draw(SETTINGS), where)
        for _ in range(draw(st.integers(0, 2))):
            queue = body.queue(draw(SETTINGS), where)
            queue.ecn = make_setting(draw(SETTINGS), where)
        made.append(body)
    return made


@given(stanzas=bodies())
def test_what_is_left_out_changes_nothing(stanzas: list[PortBody]) -> None:
    """The order of entries counts as well: it is that in which ports show them."""
    whole = reduce(lambda under, over: overlay(under, over, take_later), stanzas)
    assert repr(Layers[PortBody]().join(stanzas)) == repr(whole)


def test_equal_sequences_share_one_object() -> None:
    where = Where("leaf1.cfg", 0)
    first, second = PortBody(where, enabled=intend(value=True, where=where)), PortBody(where)
    second.queues[3] = QueueBody(where)
    layers: Layers[PortBody] = Layers()
    assert layers.join([first, second]) is layers.join([first, second])
    assert layers.join([second, first]) is not layers.join([first, second])
    assert layers.join([PortBody(where), first]) is first


RANGES = {
    "arista_eos": ("hostname leaf1", "interface Ethernet1-{last}", "   {statement}"),
    "cisco_nxos": ("hostname leaf1", "interface Ethernet1/1-{last}", "  {statement}"),
    "dell_os10": ("hostname leaf1", "interface range ethernet 1/1/1-1/1/{last}", " {statement}"),
    "aruba_aoscx": ("hostname leaf1", "interface 1/1/1-1/1/{last}", "    {statement}"),
    "huawei_vrp": ("sysname leaf1", "interface range 100GE1/0/1 to 100GE1/0/{last}", " {statement}"),
    "hp_comware": (" sysname leaf1", "interface range HundredGigE1/0/1 to HundredGigE1/0/{last}", " {statement}"),
}


@pytest.mark.parametrize("os", RANGES)
def test_n_stanzas_on_n_ports_lay_what_they_write(os: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each range is one port longer than that above, and has the last word on all its ports."""
    laid = []

    def count(under: PortBody, over: PortBody, pick: Pick) -> PortBody:
        laid.append(over)
        return overlay(under, over, pick)

    monkeypatch.setattr(history, "overlay", count)
    ports = 300
    assert len(parse(os, range(1, ports + 1)).ports) == ports
    assert len(laid) <= 4 * ports


@pytest.mark.parametrize("os", RANGES)
def test_ranges_that_name_too_many_interfaces_are_not_audited(os: str) -> None:
    """No port of such a configuration is shown: a later stanza would change what the earlier ones say of it."""
    longest = 999 if os == "aruba_aoscx" else 4096
    found = parse(os, [longest] * (MOST_NAMES // longest + 1))
    (doubt,) = found.doubts
    assert not found.ports
    assert doubt.fatal
    assert doubt.text == RANGES[os][1].format(last=longest)
    assert len(parse(os, [longest] * 3).ports) == longest


def test_the_vlan_lines_of_all_ports_are_bounded() -> None:
    """Each port keeps all lines on its VLANs; ports with the same stanzas share them."""
    lines = ["hostname leaf1"]
    for number in range(700):
        lines += [f"interface Ethernet1-{number + 1}"]
        lines += ["   switchport mode trunk", f"   switchport trunk allowed vlan add {number + 2}"]
    found = read("arista_eos", lines)
    assert not found.ports
    assert [doubt.fatal for doubt in found.doubts] == [True]
    assert "VLAN lines" in found.doubts[0].why
    assert len(read("arista_eos", [re.sub("Ethernet1-.*", "Ethernet1-64", line) for line in lines]).ports) == 64


def parse(os: str, lasts: Iterable[int]) -> Device:
    """Return a switch whose ranges end at ports of these numbers, each with a statement of its own."""
    top, head, below = RANGES[os]
    lines = [top]
    for last in lasts:
        lines += [head.format(last=last), below.format(statement=("shutdown", "mtu 9000", "description x")[last % 3])]
    return read(os, lines)


def read(os: str, lines: Iterable[str]) -> Device:
    found: Device = systems()[os].parse("leaf1", "leaf1.cfg", (Capture("leaf1.cfg", tuple(lines)),))
    return found
