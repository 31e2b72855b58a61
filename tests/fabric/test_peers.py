"""The neighbour of a port that its own dump does not name: from one link, with its proof, and never by choice."""

import pytest

from auditor.engine.fabric import load
from auditor.engine.options import Options
from auditor.fabric.peers import fill_peers
from auditor.fabric.topology import link_devices
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.port import PeerPort, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where

A, B, C = End("leaf1", "Ethernet1/1"), End("spine1", "Ethernet1/2"), End("spine1", "Ethernet1/3")
LINE = Where("spine1.cfg", 7, relative=True)
HEAD = Where("spine1.cfg", 40)
SILENT: tuple[Setting[PeerPort], ...] = (NOT_COLLECTED, Unset(Where("leaf1.cfg", 3)))


def name(end: End, evidence: str = "lldp") -> Known[PeerPort]:
    return Known(PeerPort(end.device, end.port, evidence), Origin.LEARNED, LINE)


def peers(
    near: Setting[PeerPort], *far: tuple[str, Setting[PeerPort]], cables: tuple[tuple[End, End], ...] = ()
) -> dict[End, Setting[PeerPort]]:
    """Return the neighbours of leaf1 and spine1 after filling; *far* are the ports of spine1."""
    leaf = Device(A.device, "switch", "cisco_nxos", "leaf1.cfg", (Port(A.port, PortConfig(), peer=near),))
    ports = tuple(Port(port, PortConfig(), HEAD, peer=peer) for port, peer in far)
    spine = Device(B.device, "switch", "cisco_nxos", "spine1.cfg", ports)
    complete = fill_peers(link_devices((leaf, spine), cables))
    return {End(device.name, port.name): port.peer for device in complete.devices for port in device.ports}


@pytest.mark.parametrize("silence", SILENT, ids=["not collected", "not set"])
def test_one_end_tells_the_other(silence: Setting[PeerPort]) -> None:
    found = peers(silence, (B.port, name(A)))
    assert found[A] == Known(PeerPort(B.device, B.port, "lldp"), Origin.LEARNED, Where("spine1.cfg", 47))
    assert found[B] == name(A)


def test_a_cable_of_a_file_tells_both_ends() -> None:
    found = peers(NOT_COLLECTED, (B.port, NOT_COLLECTED), cables=((A, B),))
    assert found == {
        A: Known(PeerPort(B.device, B.port, "links_file"), Origin.INTENDED),
        B: Known(PeerPort(A.device, A.port, "links_file"), Origin.INTENDED),
    }


def test_a_cable_to_a_device_without_a_dump() -> None:
    found = peers(NOT_COLLECTED, cables=((A, End("host9", "eth0")),))
    assert found[A] == Known(PeerPort("host9", "eth0", "links_file"), Origin.INTENDED)


def test_what_the_own_dump_says_stays() -> None:
    own = Known(PeerPort("SPINE1", "Eth1/2", "description"), Origin.INTENDED)
    assert peers(own, (B.port, name(A)))[A] is own


def test_of_two_candidates_none_is_taken() -> None:
    assert peers(NOT_COLLECTED, (B.port, name(A)), (C.port, name(A)))[A] == NOT_COLLECTED


def test_outputs_that_contradict_each_other_are_no_silence() -> None:
    contradiction = Unknown("two outputs name different neighbours")
    assert peers(contradiction, (B.port, name(A)))[A] == contradiction


def test_a_file_does_not_outvote_the_dump_of_the_other_end() -> None:
    other = End("leaf2", "Ethernet1/1")
    found = peers(NOT_COLLECTED, (B.port, name(other)), cables=((A, B),))
    assert found == {A: NOT_COLLECTED, B: name(other)}


def test_an_end_that_names_the_port_counts_where_a_third_one_names_that_end() -> None:
    third = Device("leaf2", "switch", "cisco_nxos", "leaf2.cfg", (Port("Ethernet1/9", PortConfig(), peer=name(B)),))
    leaf = Device(A.device, "switch", "cisco_nxos", "leaf1.cfg", (Port(A.port, PortConfig()),))
    spine = Device(B.device, "switch", "cisco_nxos", "spine1.cfg", (Port(B.port, PortConfig(), HEAD, peer=name(A)),))
    complete = fill_peers(link_devices((leaf, spine, third)))
    assert complete.devices[0].ports[0].peer == Known(PeerPort(B.device, B.port, "lldp"), Origin.LEARNED, LINE.at(HEAD))


def test_ports_that_need_nothing_are_the_same_objects() -> None:
    port = Port(A.port, PortConfig(), peer=name(B))
    fabric = link_devices((Device(A.device, "switch", "cisco_nxos", "leaf1.cfg", (port,)),))
    assert fill_peers(fabric).devices[0].ports[0] is port


@pytest.mark.parametrize(
    ("folder", "linked", "before", "after"),
    [
        ("fixtures/fabric-more", 10, 0, 10),
        ("fixtures/fabric-mixed", 32, 26, 32),
        ("fixtures/rules/lldp-contradicts/bad", 11, 9, 10),
        ("fixtures/rules/lldp-contradicts/good", 13, 10, 12),
    ],
)
@pytest.mark.read_once
def test_linked_ports_with_a_peer(folder: str, linked: int, before: int, after: int) -> None:
    """Of the fabric whose LLDP contradicts its file of cables, the ports of these cables alone are left."""
    cables = f"{folder}/links.yaml" if "rules" in folder else None
    fabric = load(folder, Options(jobs=1, links=cables))
    ends = {end for link in fabric.model.links for end in (link.a, link.b)} & set(fabric.model.ends())
    own = [end for end in ends if isinstance(fabric.model.ends()[end].port.peer, Known)]
    view = fabric.view()
    shown = {End(device.name, port.name): port.peer for device in view.devices for port in device.ports}
    assert (len(ends), len(own), sum(shown[end] is not None for end in ends)) == (linked, before, after)


@pytest.mark.read_once
def test_the_proof_of_a_peer_is_the_line_of_the_other_end() -> None:
    fabric = load("fixtures/fabric-mixed", Options(jobs=1))
    silent = {end for end, at in fabric.model.ends().items() if not isinstance(at.port.peer, Known)}
    proofs = [
        (port.peer.device, port.state["/peer"].file)
        for device in fabric.view(with_state=True).devices
        for port in device.ports
        if port.peer and port.state and End(device.name, port.name) in silent
    ]
    assert proofs
    assert all(peer in (file or "") for peer, file in proofs)
