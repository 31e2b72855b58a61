"""Devices in memory held against a peer: identity is no difference, and cables keep to their rail."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from auditor.engine.accept.candidate import Candidate, FarEnd, list_settings
from auditor.engine.accept.like import make_pattern
from auditor.engine.accept.values import Item, ItemState
from auditor.model.device import Device
from auditor.model.hardware import Hardware, Module
from auditor.model.host import Gpu, Host, Nearness
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import Known, Origin, Unknown, Where

T = TypeVar("T")
PASS, FAIL, NOT_SHOWN = ItemState.PASS, ItemState.FAIL, ItemState.NOT_SHOWN
Cables = Mapping[str, str]


def know(value: T, line: int = 1) -> Known[T]:
    return Known(value, Origin.LEARNED, Where("dump", line))


def make_host(number: int, ports: int = 2, part: Unknown | None = None) -> Device:
    """Return a host whose identity, cable length and temperature follow from its number."""
    name = f"gpu{number:02}"

    def make_port(index: int) -> Port:
        gids = (Gid(0, f"fe80::{number}", "v1", f"rail{index}"), Gid(1, f"fe80::{number}", "v2", f"rail{index}"))
        nic = Nic(
            vendor=know("NVIDIA"),
            has_rdma_device=True,
            firmware=know("28.43.2026"),
            nv=know({"SRIOV_EN": know("False(0)", 7)}),
        )
        module = Module(serial=know(f"C{number}"), temperature_c=know(40.0 + number), length_m=know(float(number)))
        hardware = Hardware(slot=know(f"0000:{index}a:00.0"), serial=know(f"S{number}-{index}"), module=module)
        config = PortConfig(Ethernet(mtu_bytes=know(9000)), nic=nic)
        mac, rdma = know(f"02::{number}:{index}"), RdmaDevice(know(f"mlx5_{index}"), know(gids))
        return Port(f"rail{index}", config, Where("dump", 2), mac=mac, hardware=hardware, rdma=rdma)

    host = Host(
        environment=know({"MASTER_ADDR": know(f"10.0.0.{number}"), "HOST": know(name), "NCCL_IB_TC": know("106")}),
        gpus=know({"GPU0": know(Gpu({f"mlx5_{index}": Nearness.PXB for index in range(ports)}))}),
        sysctls=know({"net.ipv4.tcp_ecn": know("2", 9)}),
    )
    return Device(name, "host", "linux", name, tuple(map(make_port, range(ports))), host=host, part=part)


def join(device: Device, cables: Cables) -> Candidate:
    far = {port: FarEnd(leaf, "Ethernet1/1", "dump", 3) for port, leaf in cables.items()}
    return Candidate(device, list_settings(device), far, Where("dump", 1))


def judge(device: Device, cables: Cables | None = None, others: Mapping[str, Cables] | None = None) -> list[Item]:
    """Return the items of *device* beside gpu01, which is cabled to leaf1 and leaf2."""
    peer_cables = {"rail0": "leaf1", "rail1": "leaf2"}
    peer, candidate = join(make_host(1), peer_cables), join(device, peer_cables if cables is None else cables)
    more = [{port: FarEnd(leaf, "", None, None) for port, leaf in own.items()} for own in (others or {}).values()]
    return [*make_pattern(peer, [peer.far, candidate.far, *more]).judge(candidate)]


def list_bad(items: list[Item]) -> list[tuple[str, str, str, ItemState]]:
    return [(item.port, item.what, item.found, item.state) for item in items if item.state is not PASS]


def change_port(
    device: Device,
    config: PortConfig | None = None,
    hardware: Hardware | None = None,
    rdma: RdmaDevice | None = None,
) -> Device:
    first, *rest = device.ports
    new = replace(first, config=config or first.config, hardware=hardware or first.hardware, rdma=rdma or first.rdma)
    return replace(device, ports=(new, *rest))


def test_identity_is_no_difference() -> None:
    items = judge(make_host(2))
    assert list_bad(items) == []
    assert {(item.port, item.what) for item in items} == {
        ("rail0", "peer"),
        ("rail1", "peer"),
        ("", "settings"),
        ("rail0", "settings"),
        ("rail1", "settings"),
    }


def test_a_card_in_another_slot_fails() -> None:
    other = replace(make_host(2).ports[0].hardware, slot=know("0000:ff:00.0", 8))
    (item,) = [item for item in judge(change_port(make_host(2), hardware=other)) if item.state is FAIL]
    assert (item.port, item.what, item.expected, item.line) == ("rail0", "hardware.slot", "0000:0a:00.0", 8)


def test_a_setting_in_the_memory_of_a_card_fails() -> None:
    port = make_host(2).ports[0]
    assert port.config.nic
    nic = replace(port.config.nic, nv=know({"SRIOV_EN": know("True(1)", 8), "NUM_OF_VFS": know("8", 9)}))
    bad = list_bad(judge(change_port(make_host(2), config=replace(port.config, nic=nic))))
    assert bad == [
        ("rail0", "nic.nv[SRIOV_EN]", "True(1)", FAIL),
        ("rail0", "nic.nv[NUM_OF_VFS]", "8", FAIL),
    ]


def test_what_no_capture_shows_is_one_item_for_each_port() -> None:
    port = make_host(2).ports[0]
    config = PortConfig(nic=Nic(vendor=know("NVIDIA")))
    bare = change_port(make_host(2), config=config, hardware=Hardware(), rdma=RdmaDevice())
    (item,) = [item for item in judge(bare) if item.state is not PASS]
    assert (item.port, item.state, item.found) == (port.name, NOT_SHOWN, "no capture shows it")
    assert re.fullmatch(r"mtu_bytes and \d+ more settings", item.what)


def test_a_missing_port_is_one_failure_with_what_names_its_device() -> None:
    """The GPUs of the peer name `mlx5_1`, the RDMA device of rail1, and those of the host do not."""
    found = make_host(2, ports=1)
    assert ("", "host.gpus.GPU0.mlx5_1") in list_settings(make_host(1)).cells
    assert ("", "host.gpus.GPU0.mlx5_1") not in list_settings(found).cells
    assert list_bad(judge(found, {"rail0": "leaf1"})) == [("rail1", "port", "absent", FAIL)]


def test_a_port_that_the_peer_has_not_fails() -> None:
    assert list_bad(judge(make_host(2, ports=3))) == [("rail2", "port", "present", FAIL)]


def test_ports_of_a_part_of_a_configuration_are_not_shown() -> None:
    part = make_host(2, ports=1, part=Unknown("a part"))
    assert list_bad(judge(part, {"rail0": "leaf1"})) == [("rail1", "port", "a part", NOT_SHOWN)]


@pytest.mark.parametrize(
    ("cables", "others", "bad"),
    [
        ({"rail0": "leaf1", "rail1": "leaf2"}, {}, []),
        ({"rail0": "leaf2", "rail1": "leaf1"}, {}, [("rail0", "leaf2", FAIL), ("rail1", "leaf1", FAIL)]),
        ({"rail0": "leaf1", "rail1": "stor-leaf1"}, {}, [("rail1", "stor-leaf1", FAIL)]),
        ({"rail0": "leaf1"}, {}, [("rail1", "no capture shows it", NOT_SHOWN)]),
        ({"rail0": "leaf9", "rail1": "leaf10"}, {"gpu17": {"rail0": "leaf9", "rail1": "leaf10"}}, []),
        (
            {"rail0": "leaf10", "rail1": "leaf9"},
            {"gpu17": {"rail0": "leaf9", "rail1": "leaf10"}},
            [("rail0", "leaf10", FAIL), ("rail1", "leaf9", FAIL)],
        ),
        (
            {"rail0": "leaf9", "rail1": "leaf2"},
            {},
            [("rail0", "leaf9, to which no other device leads", NOT_SHOWN)],
        ),
    ],
)
def test_cables_keep_to_their_rail(
    cables: Cables, others: Mapping[str, Cables], bad: list[tuple[str, str, ItemState]]
) -> None:
    found = [item for item in judge(make_host(2), cables, others) if item.what == "peer" and item.state is not PASS]
    assert [(item.port, item.found, item.state) for item in found] == bad


def test_a_host_with_nics_of_another_maker_is_one_failure() -> None:
    def change(port: Port) -> Port:
        assert port.config.nic
        nic = replace(port.config.nic, vendor=know("Broadcom", 4), firmware=know("231.0.153.0"))
        return replace(port, config=replace(port.config, nic=nic))

    other = make_host(2)
    other = replace(other, ports=tuple(map(change, other.ports)))
    (item,) = judge(other)
    assert (item.what, item.expected, item.state, item.line) == ("nic.vendor", "NVIDIA", FAIL, 4)
    assert item.found.startswith("Broadcom: ")


def test_what_the_peer_does_not_show_is_not_compared() -> None:
    port = make_host(1).ports[0]
    bare = replace(port, config=PortConfig(nic=Nic(vendor=know("NVIDIA"))), rdma=RdmaDevice())
    thin = replace(make_host(1, ports=1), ports=(bare,))
    pattern = make_pattern(join(thin, {}), [])
    other = join(make_host(2, ports=1), {})
    assert list_bad([*pattern.judge(other)]) == []
    assert {"mtu_bytes", "nic.firmware", "nic.nv[SRIOV_EN]"} <= pattern.list_strange(other)


def test_four_numbers_of_firmware_are_no_address() -> None:
    def change(port: Port, firmware: str) -> Port:
        assert port.config.nic
        return replace(port, config=replace(port.config, nic=replace(port.config.nic, firmware=know(firmware))))

    other = make_host(2)
    other = replace(other, ports=tuple(change(port, "231.0.153.0") for port in other.ports))
    assert [each[1] for each in list_bad(judge(other))] == ["nic.firmware"] * 2
