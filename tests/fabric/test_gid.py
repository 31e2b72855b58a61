"""Which versions of IP a NIC's RDMA uses."""

import pytest

from auditor.fabric.gid import find_families
from auditor.model.nic import Gid, RdmaDevice
from auditor.model.qos import IpFamily
from auditor.model.setting import NOT_COLLECTED, Known, Origin

LOCAL, GLOBAL, MAPPED = "fe80::1", "fd00::1", "::ffff:10.0.0.1"
BOTH = ((LOCAL, "v2"), (MAPPED, "v2"), (GLOBAL, "v1"), (GLOBAL, "v2"))


@pytest.mark.parametrize(
    ("table", "variables", "used"),
    [
        (None, {}, ""),
        (((LOCAL, "v2"),), {}, ""),
        (((GLOBAL, "v1"),), {}, ""),
        ((("no address", "v2"), (MAPPED, "v2")), {}, "4"),
        (((LOCAL, "v2"), (GLOBAL, "v2")), {}, "6"),
        (BOTH, {}, "4"),
        (BOTH, {"NCCL_IB_GID_INDEX": "3"}, "6"),
        (BOTH, {"NCCL_IB_GID_INDEX": "1"}, "4"),
        (BOTH, {"NCCL_IB_GID_INDEX": "1", "UCX_IB_GID_INDEX": "3"}, "46"),
        (BOTH, {"NCCL_IB_GID_INDEX": "0"}, ""),
        (BOTH, {"NCCL_IB_GID_INDEX": "3", "NCCL_IB_HCA": "mlx5_7"}, "4"),
        (BOTH, {"NCCL_IB_ADDR_FAMILY": "AF_INET6"}, "6"),
        (None, {"NCCL_IB_ADDR_FAMILY": "AF_INET6"}, "6"),
        (BOTH, {"NCCL_IB_ADDR_FAMILY": "AF_INET"}, "4"),
    ],
)
def test_jobs_tell_and_else_the_addresses(
    table: tuple[tuple[str, str], ...] | None, variables: dict[str, str], used: str
) -> None:
    gids = tuple(Gid(index, gid, kind, None) for index, (gid, kind) in enumerate(table or ()))
    rdma = RdmaDevice(
        name=Known("mlx5_0", Origin.LEARNED),
        gids=NOT_COLLECTED if table is None else Known(gids, Origin.LEARNED),
    )
    named = {name: Known(value, Origin.INTENDED) for name, value in variables.items()}
    assert find_families(rdma, named) == {IpFamily(f"ipv{number}") for number in used}
