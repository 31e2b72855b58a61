"""Who is cabled to whom: announcements in many spellings, links files, and what must not become a link."""

from dataclasses import replace

import pytest

from auditor.fabric.topology import link_devices, read_links
from auditor.model.device import Device
from auditor.model.fabric import End, Link
from auditor.model.port import PeerPort, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.util.yamlfile import YamlError

A, B = End("leaf1", "Ethernet1/1"), End("spine1", "Ethernet1/2")


def port(name: str, peer: tuple[str, str] | None = None, mac: str = "", aliases: tuple[str, ...] = ()) -> Port:
    return Port(
        name,
        PortConfig(),
        aliases=aliases,
        mac=Known(mac, Origin.LEARNED) if mac else NOT_COLLECTED,
        peer=Known(PeerPort(*peer, "lldp"), Origin.LEARNED) if peer else NOT_COLLECTED,
    )


def device(name: str, *ports: Port) -> Device:
    return Device(name, "switch", "cisco_nxos", f"{name}.cfg", ports)


def links(*devices: Device, cables: tuple[tuple[End, End], ...] = ()) -> list[Link]:
    return list(link_devices(devices, cables).links)


LEAF, SPINE = device("leaf1", port("Ethernet1/1", ("spine1", "Eth1/2"))), device("spine1", port("Ethernet1/2"))
BACK = device("spine1", port("Ethernet1/2", ("leaf1", "Ethernet1/1")))


@pytest.mark.parametrize(
    ("devices", "cables", "evidence", "confirmed"),
    [
        ((LEAF, SPINE), (), ("lldp",), False),
        ((SPINE, LEAF), (), ("lldp",), False),
        ((LEAF, BACK), (), ("lldp",), True),
        ((LEAF, BACK), ((B, A), (A, B)), ("lldp", "links_file"), True),
        ((LEAF, SPINE), ((End("LEAF1", "Eth1/1"), B),), ("lldp", "links_file"), False),
    ],
    ids=["one side", "order of devices", "both sides", "doubled links file", "other spelling in the file"],
)
def test_a_cable_is_one_link_however_often_it_is_told(
    devices: tuple[Device, ...], cables: tuple[tuple[End, End], ...], evidence: tuple[str, ...], *, confirmed: bool
) -> None:
    assert links(*devices, cables=cables) == [Link(A, B, evidence, confirmed)]


@pytest.mark.parametrize(
    ("announced", "named", "own"),
    [
        (("leaf1", "Ethernet1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1", "Eth1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1", "ethernet 1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1", "Et1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1", "Eth1/1/2"), "leaf1", port("Ethernet1/1/2")),
        (("LEAF1", "Eth1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1.dc.example", "Eth1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1", "Eth1/1"), "leaf1.dc.example", port("Ethernet1/1")),
        (("leaf1(FDO2315A0BC)", "Eth1/1"), "leaf1", port("Ethernet1/1")),
        (("leaf1.dc.example(FDO2315A0BC)", "Eth1/1"), "leaf1", port("Ethernet1/1")),
        (("host1", "0c42.a100.0001"), "host1", port("ens1f0np0", mac="0c:42:a1:00:00:01")),
        (("host1", "0C-42-A1-00-00-01"), "host1", port("ens1f0np0", mac="0c:42:a1:00:00:01")),
        (("host1", "etp1a"), "host1", port("Ethernet0", aliases=("etp1a",))),
    ],
)
def test_a_neighbour_is_found_however_it_is_spelled(announced: tuple[str, str], named: str, own: Port) -> None:
    near = device("zz", port("Ethernet1/9", announced))
    assert [(k.a, k.b) for k in links(near, device(named, own))] == [(End(named, own.name), End("zz", "Ethernet1/9"))]


@pytest.mark.parametrize(
    ("announced", "mac", "there"),
    [
        (("0c42.a100.0002", "0c42.a100.0002"), "", "ens2"),  # the firmware of an adapter: chassis and port are one
        (("0c42.a100.0001", "0c:42:a1:00:00:02"), "", "ens2"),  # a daemon without a name: the chassis is its first port
        (("0c42.a100.0001", "ens2"), "", "ens2"),
        (("host1", "to the second leaf"), "0c:42:a1:00:00:02", "ens2"),  # a description, and the address beside it
        (("host1", "0C-42-A1-00-00-02"), "", "ens2"),
        (("0c42.a100.0001", "0c:42:a1:00:00:99"), "", "0c:42:a1:00:00:99"),  # the host, by a port that no dump shows
    ],
)
def test_an_address_leads_to_the_port_that_owns_it(announced: tuple[str, str], mac: str, there: str) -> None:
    host = device("host1", port("ens1", mac="0c:42:a1:00:00:01"), port("ens2", mac="0c:42:a1:00:00:02"))
    near = Port("Ethernet1/9", PortConfig(), peer=Known(PeerPort(*announced, "lldp", mac), Origin.LEARNED))
    assert [(k.a, k.b) for k in links(device("zz", near), host)] == [(End("host1", there), End("zz", "Ethernet1/9"))]


@pytest.mark.parametrize(
    "announced",
    [
        ("leaf9", "Ethernet1/1"),
        ("leaf1.other.example", "Ethernet1/1"),
        ("leaf", "Ethernet1/1"),
    ],
)
def test_a_neighbour_that_was_not_dumped_stays_as_announced(announced: tuple[str, str]) -> None:
    near = device("zz", port("Ethernet1/9", announced))
    twins = [device(f"leaf1.pod{n}.example", port("Ethernet1/1")) for n in (1, 2)]
    (link,) = links(near, *twins)
    assert link.a == End(*announced)


@pytest.mark.parametrize(
    ("announced", "dumped"), [("leaf1.pod2.example", "leaf1.pod1.example"), ("10.0.0.2", "10.0.0.1")]
)
def test_a_full_name_does_not_match_another_full_name(announced: str, dumped: str) -> None:
    near = device("zz", port("Ethernet1/9", (announced, "Ethernet1/1")))
    (link,) = links(near, device(dumped, port("Ethernet1/1")))
    assert link.a == End(announced, "Ethernet1/1")


def test_an_unknown_port_of_a_known_device_stays_as_announced() -> None:
    near = device("zz", port("Ethernet1/9", ("leaf1", "Ethernet7/7")))
    assert links(near, device("leaf1", port("Ethernet1/1")))[0].a == End("leaf1", "Ethernet7/7")


def describe(name: str, description: str) -> Port:
    return Port(name, PortConfig(), description=description)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("spine1 et-0/0/1:0", "leaf1 et-0/0/30"),
        ("to spine1 / et-0/0/1:0 (rack 7)", "leaf1, et-0/0/30"),
        ("spine1:et-0/0/1:0", "p2p_leaf1: et-0/0/30, leaf1 et-0/0/30"),
    ],
)
def test_ends_that_name_each_other_in_their_descriptions_are_linked(here: str, there: str) -> None:
    found = links(device("leaf1", describe("et-0/0/30", here)), device("spine1", describe("et-0/0/1:0", there)))
    assert [(link.a.port, link.b.port, link.evidence) for link in found] == [
        ("et-0/0/30", "et-0/0/1:0", ("description",))
    ]


@pytest.mark.parametrize(
    ("here", "there"),
    [("spine1 et-0/0/1", "spare"), ("spine1 et-0/0/1", "leaf1 et-0/0/31"), ("leaf1 et-0/0/30", ""), ("", "")],
)
def test_a_description_that_the_other_end_does_not_return_links_nothing(here: str, there: str) -> None:
    assert links(device("leaf1", describe("et-0/0/30", here)), device("spine1", describe("et-0/0/1", there))) == []


def test_bundles_whose_descriptions_name_each_other_are_no_cable() -> None:
    def bundled(name: str, far: str) -> Device:
        member = replace(describe("et-0/0/1", f"{far} et-0/0/1"), lag=Known("ae0", Origin.INTENDED))
        return device(name, describe("ae0", f"{far} ae0"), member)

    found = links(bundled("leaf1", "spine1"), bundled("spine1", "leaf1"))
    assert [(link.a.port, link.b.port) for link in found] == [("et-0/0/1", "et-0/0/1")]


def test_lldp_wins_over_descriptions() -> None:
    leaf = device("leaf1", port("et-0/0/30", ("spine2", "et-0/0/9")))
    leaf = replace(leaf, ports=(replace(leaf.ports[0], description="spine1 et-0/0/1"),))
    found = links(leaf, device("spine1", describe("et-0/0/1", "leaf1 et-0/0/30")), device("spine2", port("et-0/0/9")))
    assert [link.b.device for link in found] == ["spine2"]


def test_links_come_in_the_order_of_devices_and_port_numbers() -> None:
    ports = [port(f"Ethernet1/{n}", ("zz", f"Ethernet1/{n}")) for n in (10, 9, 1)]
    assert [k.a.port for k in links(device("leaf1", *ports))] == ["Ethernet1/1", "Ethernet1/9", "Ethernet1/10"]


def test_a_port_is_not_its_own_neighbour() -> None:
    alone = device("leaf1", port("Ethernet1/1", ("leaf1", "Ethernet1/1")))
    assert links(alone, cables=((A, A),)) == []


def test_a_cable_between_two_ports_of_one_device_is_one_link() -> None:
    loop = device("leaf1", port("Ethernet1/1", ("leaf1", "Eth1/2")), port("Ethernet1/2", ("leaf1", "Eth1/1")))
    assert links(loop) == [Link(A, End("leaf1", "Ethernet1/2"), ("lldp",), confirmed=True)]


HEAD = "schema: roce-audit/links/1\n"


def test_a_links_file() -> None:
    text = HEAD + "links:\n  - {a: {device: leaf1, port: Ethernet1/1}, b: {device: spine1, port: Ethernet1/2}}\n"
    assert read_links("links.yaml", text) == ((A, B),)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        (HEAD, 1),
        (HEAD + "links: {}\n", 2),
        (HEAD + "links:\n  - a: {device: x, port: y}\n", 3),
        (HEAD + "links:\n  - a: {device: x, port: y}\n    b: {device: x, port: 1}\n", 4),
        (HEAD + "links:\n  - a: {device: x, port: y}\n    b: {device: x, prot: y}\n", 4),
    ],
)
def test_every_mistake_in_a_links_file_has_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as raised:
        read_links("links.yaml", text)
    assert str(raised.value).startswith(f"links.yaml:{line}: ")
