"""Addresses whose owner hid a part, and tables that are not whole."""

from collections.abc import Callable, Mapping

import pytest

from auditor.fabric.gid import find_families
from auditor.model.device import Device
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, value_of

Host = Callable[[Mapping[str, str]], Device]
MASKS = ("xxxx:xxxx:xxxx:xxxx", "XXXX:XXXX:XX", "****:****:****:****", "x:x:x:x", "####")
HEAD = "DEV PORT INDEX GID IPv4 VER DEV\n--- ---- ----- --- ---- --- ---\n"


def list_rows(mask: str, ip: str) -> list[str]:
    return [
        f"mlx5_4 1 0 fe80:0000:0000:0000:{mask} v1 ens9f0",
        f"mlx5_4 1 1 fe80:0000:0000:0000:{mask} v2 ens9f0",
        f"mlx5_4 1 2 0000:0000:0000:0000:0000:ffff:0a00:xxxx {ip} v1 ens9f0",
        f"mlx5_4 1 3 0000:0000:0000:0000:0000:ffff:0a00:xxxx {ip} v2 ens9f0",
    ]


@pytest.mark.parametrize("ip", ["10.0.x.x", "x.x.x.x", "10.0.*.*", "10.0.7.9"])
@pytest.mark.parametrize("mask", MASKS)
def test_a_masked_table_is_whole(host: Host, mask: str, ip: str) -> None:
    """The kind of each address stays: link-local, or of IPv4."""
    device = host({"show_gids": HEAD + "\n".join(list_rows(mask, ip))})
    (port,) = device.ports
    assert device.doubts == ()
    assert port.config.nic is not None
    assert [(gid.index, gid.type) for gid in value_of(port.rdma.gids) or ()] == [
        (0, "v1"),
        (1, "v2"),
        (2, "v1"),
        (3, "v2"),
    ]
    assert find_families(port.rdma, {}) == {IpFamily.IPV4}


@pytest.mark.parametrize("mask", MASKS)
def test_masked_gids_of_ibv_devinfo(host: Host, mask: str) -> None:
    lines = [
        "hca_id: mlx5_4",
        "\tport: 1",
        f"\t\tGID[  0]:\tfe80:0:0:0:{mask}, RoCE v1",
        "\t\tGID[  1]:\t::ffff:10.x.x.x, RoCE v2",
    ]
    (port,) = host({"ibv_devinfo -v": "\n".join(lines)}).ports
    assert port.config.nic is not None
    assert [gid.type for gid in value_of(port.rdma.gids) or ()] == ["v1", "v2"]


@pytest.mark.parametrize("lost", range(4))
def test_a_table_with_a_row_that_is_not_understood_is_unknown(host: Host, lost: int) -> None:
    """What a table lacks would else read as an empty index."""
    rows = list_rows("1:2:3:4", "10.0.0.1")
    rows[lost] = f"mlx5_4 1 {lost} <hidden> v2 ens9f0"
    device = host({"show_gids": HEAD + "\n".join([*rows, "mlx5_5 1 3 ::ffff:10.0.0.2 v2 ens9f1"])})
    tables = {port.name: port.config.nic and isinstance(port.rdma.gids, Known) for port in device.ports}
    assert tables == {"ens9f0": False, "ens9f1": True}
    assert [doubt.text for doubt in device.doubts] == [rows[lost]]
