"""Which numbers a job's environment asks for, and on which RDMA devices."""

import pytest

from auditor.fabric.job_environment import list_numbers, uses
from auditor.model.setting import Known, Origin


def variables(**given: str) -> dict[str, Known[str]]:
    return {name: Known(value, Origin.INTENDED) for name, value in given.items()}


@pytest.mark.parametrize(
    ("text", "number"),
    [("106", 106), ("0x6a", 106), ("0", 0), ("auto", None), ("-1", None), ("", None), ("9" * 5000, None)],
)
def test_numbers(text: str, number: int | None) -> None:
    found = list_numbers(variables(NCCL_IB_TC=text), ("NCCL_IB_TC",))
    assert [each.number.value for each in found] == ([] if number is None else [number])


@pytest.mark.parametrize(
    ("listed", "is_used"),
    [
        ("mlx5", True),
        ("mlx5_1", True),  # a prefix
        ("=mlx5_1", False),
        ("=mlx5_10:1,mlx5_2:1", True),
        ("^mlx5_1", False),
        ("^=mlx5_1", True),
        ("bnxt_re", False),
        ("", True),
    ],
)
def test_nccl_takes_prefixes_whole_names_or_all_others(listed: str, is_used: bool) -> None:
    assert uses(variables(NCCL_IB_HCA=listed), "NCCL_IB_TC", "mlx5_10") is is_used


@pytest.mark.parametrize(("listed", "is_used"), [("mlx5_1:1", False), ("mlx5_10:1", True), ("all", True)])
def test_ucx_takes_whole_names(listed: str, is_used: bool) -> None:
    assert uses(variables(UCX_NET_DEVICES=listed), "UCX_IB_GID_INDEX", "mlx5_10") is is_used


def test_what_one_library_is_limited_to_does_not_limit_the_others() -> None:
    assert uses(variables(NCCL_IB_HCA="mlx5_1"), "NVSHMEM_IB_GID_INDEX", "mlx5_2")
