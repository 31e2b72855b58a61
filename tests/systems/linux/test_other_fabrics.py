"""RDMA that is no RoCE: recognised, said, and judged by no rule on RoCE."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor import Options, audit
from auditor.model.device import Device
from auditor.model.finding import FindingKind
from auditor.model.nic import OTHER_FABRICS, find_other_fabric
from auditor.model.setting import value_of
from auditor.packet.classify import takes_part

Host = Callable[[Mapping[str, str]], Device]
EFA = """\
hca_id:	rdmap79s0
	transport:			unspecified (4)
	fw_ver:				0.0.0.0
	vendor_id:			0x1d0f
	vendor_part_id:			61345
	hw_ver:				0xEFA1
	phys_port_cnt:			1
		port:	1
			state:			PORT_ACTIVE (4)
			max_mtu:		4096 (5)
			active_mtu:		4096 (5)
			link_layer:		Unspecified
"""
OMNI_PATH = """\
hca_id:	hfi1_0
	transport:			InfiniBand (0)
	fw_ver:				1.27.0
	vendor_id:			0x1175
	vendor_part_id:			9456
	phys_port_cnt:			1
		port:	1
			state:			PORT_ACTIVE (4)
			max_mtu:		4096 (5)
			active_mtu:		4096 (5)
			link_layer:		InfiniBand
"""
DEVICES = """\
0: rdmap79s0: node_type unspecified fw 0.0.0.0 node_guid 0000:0000:0000:0000 sys_image_guid 0000:0000:0000:0000
1: hfi1_0: node_type ca protocol opa fw 1.27.0 node_guid 0011:7501:0100:0001 sys_image_guid 0011:7501:0100:0001
2: mlx5_0: node_type ca protocol ib fw 28.39.3560 node_guid a088:c203:0001:0001 sys_image_guid a088:c203:0001:0001
3: mlx5_1: node_type ca protocol roce fw 28.39.3560 node_guid a088:c203:0001:0002 sys_image_guid a088:c203:0001:0002
4: usnic_0: node_type usnic_udp protocol usnic fw 4.1 node_guid 0000:0000:0000:0001 sys_image_guid 0000:0000:0000:0000
"""
PCI = """\
0000:4f:00.0 Ethernet controller: Amazon.com, Inc. Elastic Fabric Adapter (EFA)
0000:60:00.0 Ethernet controller: Cray Inc Slingshot [Cassini]
0000:70:00.0 Fabric controller: Intel Corporation Omni-Path HFI Silicon 100 Series [discrete]
"""
NODES = """\
lrwxrwxrwx 1 root root 0 Jan 1 00:00 rdmap79s0 -> ../../devices/pci0000:40/0000:4f:00.0/infiniband/rdmap79s0
lrwxrwxrwx 1 root root 0 Jan 1 00:00 hfi1_0 -> ../../devices/pci0000:70/0000:70:00.0/infiniband/hfi1_0
"""


def _list_fabrics(device: Device) -> dict[str, str]:
    return {port.name: find_other_fabric(port.config.nic) for port in device.ports if port.config.nic}


@pytest.mark.parametrize(
    ("outputs", "fabrics"),
    [
        ({"ibv_devinfo": EFA}, {"rdmap79s0": "efa"}),
        ({"ibv_devinfo": OMNI_PATH}, {"hfi1_0": "omni_path"}),
        (
            {"rdma dev": DEVICES},
            {"rdmap79s0": "efa", "hfi1_0": "omni_path", "mlx5_0": "infiniband", "mlx5_1": "", "usnic_0": "usnic"},
        ),
        ({"ethtool -i hsn0": "driver: cxi_eth\nversion: 6.1\nbus-info: 0000:60:00.0\n"}, {"hsn0": "slingshot"}),
        ({"lspci": PCI, "ls -l /sys/class/infiniband": NODES}, {"rdmap79s0": "efa", "hfi1_0": "omni_path"}),
        (
            {"lspci": PCI, "ethtool -i hsn0": "driver: other\nversion: 1\nbus-info: 0000:60:00.0\n"},
            {"hsn0": "slingshot"},
        ),
    ],
)
def test_fabric(host: Host, outputs: Mapping[str, str], fabrics: Mapping[str, str]) -> None:
    """A port of another fabric takes no part in RoCE; the fabric has a line that proves it."""
    device = host(outputs)
    assert _list_fabrics(device) == fabrics
    for port in device.ports:
        assert port.config.nic
        assert not fabrics[port.name] or not takes_part(port.config)
        assert not fabrics[port.name] or getattr(port.config.nic.transport, "where", None)
    assert {name for name in fabrics.values() if name} <= OTHER_FABRICS.keys()


def test_cloud_drivers(host: Host) -> None:
    """The plain NICs of clouds have a vendor, and no RDMA."""
    device = host({f"ethtool -i {n}": f"driver: {n[:3]}\nversion: 1\nbus-info: \n" for n in ("ena0", "gve0")})
    told = {port.name: value_of(port.config.nic.vendor) for port in device.ports if port.config.nic}
    assert told == {"ena0": "Amazon", "gve0": "Google"}
    assert not any(takes_part(port.config) for port in device.ports)


@pytest.mark.parametrize(("output", "name"), [(EFA, "AWS EFA"), (OMNI_PATH, "Omni-Path")])
def test_left_alone(tmp_path: Path, output: str, name: str) -> None:
    """An audit names the ports that it leaves alone, with the line that proves it, and nothing of theirs is open."""
    dump = tmp_path / "host1.txt"
    dump.write_text(f"[root@host1 ~]# ibv_devinfo\n{output}[root@host1 ~]# rdma dev\n{DEVICES[:115]}\n")
    report = audit(dump, Options(jobs=1))
    port = output.split()[1]
    assert [f for f in report.findings if f.port == port] == []
    notice = next(each for each in report.skipped if port in each.message)
    assert (name in notice.message, notice.line is not None) == (True, True)


def test_beside_roce(tmp_path: Path) -> None:
    """A RoCE port beside a port of another fabric is judged."""
    (tmp_path / "host1.txt").write_text(f"[root@host1 ~]# rdma dev\n{DEVICES}")
    report = audit(tmp_path, Options(jobs=1))
    assert {f.port for f in report.of_kind(FindingKind.OPEN) if f.port} == {"mlx5_1"}
    assert [each.message.partition(": ")[2] for each in report.skipped] == [
        "AWS EFA, which is no RoCE",
        "InfiniBand, which is no RoCE",
        "Omni-Path, which is no RoCE",
        "Cisco usNIC, which is no RoCE",
    ]


def test_many_ports(tmp_path: Path) -> None:
    """Of many ports of a fabric the first are named."""
    rows = "".join(f"{n}: rdmap{n}s0: node_type unspecified fw 0.0.0.0\n" for n in range(32))
    (tmp_path / "host1.txt").write_text(f"[root@host1 ~]# rdma dev\n{rows}")
    (notice,) = audit(tmp_path, Options(jobs=1)).skipped
    assert "rdmap7s0 and 24 more: AWS EFA" in notice.message
