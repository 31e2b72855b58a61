"""Port-channels on several switches: which ports belong together, by the far end and by the number of a pair."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.base import Params, Whole
from auditor.checks.sharedbundles import list_shared_bundles, peers_differ
from auditor.intent import settle_intents
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.port import PEER_LINK, Ethernet, Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Classification, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Undetermined

NO_DROP = Classification(
    classes=Known((TrafficClass("3", "3", lossless=Known(value=True, origin=Origin.INTENDED)),), Origin.INTENDED)
)
BASE = PortConfig(pfc=Pfc(mode=Known(PfcMode.ON, Origin.INTENDED)), classification=NO_DROP)


def make_port(name: str, mtu: int, *, number: str = "", lag: str | None = None, up: bool = True) -> Port:
    ethernet = Ethernet(mtu_bytes=Known(mtu, Origin.INTENDED), enabled=Known(up, Origin.INTENDED))
    shared: Setting[str] = Known(number, Origin.INTENDED) if number else NOT_COLLECTED
    return Port(name, replace(BASE, ethernet=ethernet), lag=Known(lag, Origin.INTENDED), mlag=shared)


def switch(name: str, *ports: Port, os: str = "arista_eos") -> Device:
    return Device(name, "switch", os, name, ports=ports)


def find(devices: tuple[Device, ...], *cables: tuple[str, str, str, str]) -> list[str]:
    links = tuple(Link(End(a, p), End(b, q), ("links.yaml",), confirmed=True) for a, p, b, q in cables)
    whole = Whole(Fabric(devices, links), settle_intents(None, ()))
    found = (peers_differ(each, Params(), None) for each in list_shared_bundles(whole, Params()))
    return [f"{finding.device} {finding.port}" for bundle in found for finding in bundle]


def pair(mtu: int, far: str = "10", *, joins: str = PEER_LINK, up: bool = True) -> list[str]:
    one = switch("leaf1", make_port("Ethernet1", 9216, number="10"), make_port("Ethernet9", 9216, number=PEER_LINK))
    two = switch("leaf2", make_port("Ethernet1", mtu, number=far, up=up), make_port("Ethernet9", 9216, number=joins))
    return find((one, two), ("leaf1", "Ethernet9", "leaf2", "Ethernet9"))


def test_a_number_joins_the_members_of_a_pair() -> None:
    assert pair(1500) == ["leaf2 Ethernet1"]
    assert pair(9216) == []


def test_another_number_or_another_link_joins_nothing() -> None:
    for found in (pair(1500, "11"), pair(1500, up=False)):
        assert found == []
    with pytest.raises(Undetermined):
        pair(1500, joins="12")


def bonded(mtus: list[int], systems: list[str], bonds: list[str | None]) -> list[str]:
    leaves = tuple(
        switch(f"leaf{n}", make_port("Ethernet1", mtu), os=os)
        for n, (mtu, os) in enumerate(zip(mtus, systems, strict=True))
    )
    nics = tuple(make_port(f"eth{n}", 9000, lag=bond) for n, bond in enumerate(bonds))
    host = Device("host1", "host", "linux", "host1", ports=nics)
    return find((*leaves, host), *((f"leaf{n}", "Ethernet1", "host1", f"eth{n}") for n in range(len(leaves))))


ROWS = st.tuples(st.sampled_from((1500, 9216)), st.sampled_from("ab"), st.sampled_from(("bond0", None)))


@given(st.lists(ROWS, max_size=6))
def test_members_of_a_bond_are_compared_with_most_of_their_system(rows: list[tuple[int, str, str | None]]) -> None:
    found = bonded([mtu for mtu, _, _ in rows], [os for _, os, _ in rows], [bond for _, _, bond in rows])
    expected = []
    for system in "ab":
        own = {f"leaf{n} Ethernet1": mtu for n, (mtu, os, bond) in enumerate(rows) if bond and os == system}
        counted = Counter(own.values()).most_common(1)
        expected += [name for name, mtu in own.items() if mtu != counted[0][0]]
    assert sorted(found) == sorted(expected)


def test_a_switch_whose_other_switch_nothing_shows_is_not_judged() -> None:
    leaf = switch("leaf1", make_port("Ethernet1", 9216, number="10"), make_port("Ethernet9", 9216, number=PEER_LINK))
    with pytest.raises(Undetermined, match="port-channel 10"):
        find((leaf,))
    with pytest.raises(Undetermined, match="port-channel 10"):
        find((leaf, replace(leaf, name="leaf2")))
    assert find((switch("leaf1", make_port("Ethernet1", 9216, number="10", up=False)),)) == []


def test_two_ports_of_one_switch_are_left_to_the_rule_on_one_switch() -> None:
    leaf = switch("leaf0", make_port("Ethernet1", 9216), make_port("Ethernet2", 1500))
    nics = tuple(make_port(f"eth{n}", 9000, lag="bond0") for n in (0, 1))
    host = Device("host1", "host", "linux", "host1", ports=nics)
    cables = ("leaf0", "Ethernet1", "host1", "eth0"), ("leaf0", "Ethernet2", "host1", "eth1")
    assert find((leaf, host), *cables) == []
