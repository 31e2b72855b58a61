"""Port-channels on several switches: which ports belong together, by the far end and by the number of a pair."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.base import Params, Whole
from auditor.checks.sharedbundles import list_shared_bundles, peers_differ
from auditor.intent import settle_intents
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.port import PEER_LINK, Ethernet, Pfc, PfcMode, Port, PortConfig
from auditor.model.qos import Classification, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting

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
    assert pair(1500, "11") == []
    assert pair(1500, joins="12") == []
    assert pair(1500, up=False) == []


def bonded(mtus: list[int], systems: list[str], bonds: list[str | None]) -> list[str]:
    leaves = tuple(
        switch(f"leaf{n}", make_port("Ethernet1", mtu), os=os)
        for n, (mtu, os) in enumerate(zip(mtus, systems, strict=True))
    )
    nics = tuple(make_port(f"eth{n}", 9000, lag=bond) for n, bond in enumerate(bonds))
    host = Device("host1", "host", "linux", "host1", ports=nics)
    return find((*leaves, host), *((f"leaf{n}", "Ethernet1", "host1", f"eth{n}") for n in range(len(leaves))))


@given(
    st.lists(
        st.tuples(st.sampled_from((1500, 9216)), st.sampled_from("ab"), st.sampled_from(("bond0", None))), max_size=6
    )
)
def test_members_of_a_bond_are_compared_with_the_first_of_their_system(rows: list[tuple[int, str, str | None]]) -> None:
    found = bonded([mtu for mtu, _, _ in rows], [os for _, os, _ in rows], [bond for _, _, bond in rows])
    first: dict[str, int] = {}
    expected = []
    for number, (mtu, os, bond) in enumerate(rows):
        if bond and mtu != first.setdefault(os, mtu):
            expected.append(f"leaf{number} Ethernet1")
    assert sorted(found) == sorted(expected)


def test_two_ports_of_one_switch_are_left_to_the_rule_on_one_switch() -> None:
    leaf = switch("leaf0", make_port("Ethernet1", 9216), make_port("Ethernet2", 1500))
    nics = tuple(make_port(f"eth{n}", 9000, lag="bond0") for n in (0, 1))
    host = Device("host1", "host", "linux", "host1", ports=nics)
    cables = ("leaf0", "Ethernet1", "host1", "eth0"), ("leaf0", "Ethernet2", "host1", "eth1")
    assert find((leaf, host), *cables) == []
