"""`nvidia-smi topo -m`: which NIC is how near to which GPU."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems.linux.parse import parse

Host = Callable[[Mapping[str, str]], Device]
NAME = "nvidia-smi topo -m"
NUMBERED = (
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV18\tPIX\tSYS\t0-55\t0\t\tN/A\nGPU1\tNV18\t X \tNODE\tPXB\t56-111\t1\t\tN/A\n"
    "NIC0\tPIX\tNODE\t X \tSYS\t\t\t\t\nNIC1\tSYS\tPXB\tSYS\t X \t\t\t\t\n\n"
    "Legend:\n\n  X    = Self\n  PIX  = Connection traversing at most a single PCIe bridge\n\n"
    "NIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_bond_0\n"
)
OLDER = (
    "\tGPU0\tGPU1\tmlx5_0\tCPU Affinity\nGPU0\t X \tPHB\tSOC\t0-5\nGPU1\tPHB\t X \tPHB\t6-11\nmlx5_0\tSOC\tPHB\t X \n"
)
SPACED = (
    "      GPU0  NIC0  CPU Affinity  NUMA Affinity\nGPU0   X    PHB   0-71          0\n\nNIC Legend:\n\n  NIC0: roce0\n"
)


def nearness(device: Device) -> dict[str, dict[str, str]]:
    gpus = (value_of(device.host.gpus) if device.host else None) or {}
    return {name: {nic: near.value for nic, near in gpu.value.nics.items()} for name, gpu in gpus.items()}


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (NUMBERED, {"GPU0": {"mlx5_0": "PIX", "mlx5_bond_0": "SYS"}, "GPU1": {"mlx5_0": "NODE", "mlx5_bond_0": "PXB"}}),
        (OLDER, {"GPU0": {"mlx5_0": "SYS"}, "GPU1": {"mlx5_0": "PHB"}}),
        (SPACED, {"GPU0": {"roce0": "PHB"}}),
        ("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0\nGPU1\tNV4\t X \t0\n", {"GPU0": {}, "GPU1": {}}),
    ],
)
def test_the_matrix_names_the_nics(host: Host, output: str, expected: dict[str, dict[str, str]]) -> None:
    device = host({NAME: output})
    assert nearness(device) == expected
    assert not device.doubts


def test_each_row_is_proven_and_each_line_is_known(host: Host) -> None:
    device = host({NAME: NUMBERED})
    gpus = value_of(device.host.gpus) if device.host else None
    assert gpus
    assert [gpu.where and gpu.where.line for gpu in gpus.values()] == [2, 3]
    assert LineState.UNRECOGNISED not in device.dumps[0].states


def test_a_gpu_whose_memory_is_a_node_of_the_cpu_hangs_on_the_cpu(host: Host) -> None:
    device = host({NAME: NUMBERED.replace("0-55\t0\t\tN/A", "0-55\t0\t\t4")})
    gpus = (value_of(device.host.gpus) if device.host else None) or {}
    assert [gpu.value.is_coherent for gpu in gpus.values()] == [True, False]


def test_a_row_that_is_cut_short_is_told_and_not_guessed(host: Host) -> None:
    device = host({NAME: NUMBERED.replace("GPU1\tNV18\t X \tNODE\tPXB", "GPU1\tNV18")})
    assert list(nearness(device)) == ["GPU0"]
    assert [doubt.where.line for doubt in device.doubts] == [3]


def test_the_table_of_another_vendor_is_not_taken_for_it(host: Host) -> None:
    table = "==== Weight between two GPUs ====\n       GPU0         GPU1         \nGPU0   0            15           \n"
    device = host({"rocm-smi --showtopo": table})
    assert nearness(device) == {}
    assert not device.doubts


@given(st.text(alphabet="GPUNICXSYB 0123456789\t\n:mlx_\x1b[4m", max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    capture = Capture("a", tuple(text.split("\n")), NAME)
    assert parse("host1", "host1", [capture]).kind == "host"
