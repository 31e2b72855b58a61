"""Traces of a job's packets: marked by the NIC or by the job, from the hosts on which the job may run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.fabric.job_settings import JobSettings
from auditor.model.device import Device
from auditor.model.host import ValuesByName
from auditor.model.jobs import Workload
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.setting import Known, Origin, Unset, Where, value_of
from auditor.packet.jobpackets import JobPacket, list_job_packets

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
POD = Path(__file__).parents[2] / "fixtures" / "pod-clean"
TABLE = (
    Gid(0, "fe80::1", "v1", None),
    Gid(1, "fe80::1", "v2", None),
    Gid(2, "::ffff:10.0.0.1", "v1", None),
    Gid(3, "::ffff:10.0.0.1", "v2", None),
)
RDMA = RdmaDevice(Known("mlx5_0", Origin.LEARNED), Known(TABLE, Origin.LEARNED))


def nic(tos: int | None = None) -> Nic:
    forced = Unset() if tos is None else Known(tos, Origin.INTENDED)
    return Nic(
        vendor=Known("NVIDIA", Origin.LEARNED),
        has_rdma_device=True,
        traffic_class=forced,
    )


def packets(of: Nic, **variables: str) -> list[JobPacket]:
    known: ValuesByName = {name: Known(value, Origin.INTENDED) for name, value in variables.items()}
    job = Workload("job", Where("job.sh", 1), known, {})
    return list(list_job_packets(JobSettings(Device("jobs", "jobs", "jobs", ""), "job", known, job), of, RDMA))


@pytest.mark.parametrize(
    ("forced", "variables", "dscp", "marking"),
    [
        (None, {"NCCL_IB_TC": "106"}, 26, "NCCL_IB_TC=106"),
        (None, {"NCCL_IB_GID_INDEX": "3"}, 0, "no variable of NCCL sets a traffic class"),
        (106, {"NCCL_IB_TC": "0"}, 26, "the NIC forces traffic class 106"),
        (0, {"UCX_IB_TRAFFIC_CLASS": "104"}, 26, "UCX_IB_TRAFFIC_CLASS=104"),
    ],
)
def test_the_nic_marks_before_the_job(forced: int | None, variables: dict[str, str], dscp: int, marking: str) -> None:
    (packet,) = packets(nic(forced), **variables)
    assert (value_of(packet.dscp), packet.marking) == ((dscp,), marking)


def test_each_library_has_its_own_packets() -> None:
    found = packets(nic(), NCCL_IB_TC="106", UCX_IB_GID_INDEX="1")
    assert [(each.library, value_of(each.dscp)) for each in found] == [("NCCL", (26,)), ("UCX", (0,))]


@pytest.mark.parametrize(
    ("index", "told"),
    [
        ("3", "GID 3 (10.0.0.1, RoCE v2; NCCL_IB_GID_INDEX=3)"),
        ("1", "GID 1 (fe80::1, RoCE v2; NCCL_IB_GID_INDEX=1)"),
        ("9", "no GID at index 9 (NCCL_IB_GID_INDEX=9)"),
        ("-1", "GID 3 (10.0.0.1, RoCE v2; chosen by the library)"),
    ],
)
def test_the_index_or_the_library_chooses_the_gid(index: str, told: str) -> None:
    (packet,) = packets(nic(), NCCL_IB_GID_INDEX=index)
    assert packet.address == told


def test_a_nic_that_the_job_leaves_out_sends_none_of_its_packets() -> None:
    assert packets(nic(), NCCL_IB_HCA="^mlx5_0", NCCL_IB_TC="106") == []


@pytest.mark.parametrize("start", [["llm"], ["training/llm"], ["--job", "llm", "gpu01"]])
def test_a_path_starts_at_a_job(run: Run, start: list[str]) -> None:
    status, out, err = run("path", *start, "gpu05", str(POD), "--format", "json")
    traces = json.loads(out)["traces"]
    data = [each for each in traces if each["start"] == {"device": "gpu01", "port": "rail0"} and "job" in each]
    assert (status, err, [each["dscp"] for each in data]) == (0, "", [[26]])
    assert data[0]["job"]["name"] == "PyTorchJob training/llm, Worker, container pytorch"
    assert {hop["queue"] for hop in data[0]["hops"]} == {3}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--job", "nothing", "gpu01", "gpu05"], "no job 'nothing' among the dumps"),
        (["llm", "gpu99"], "no host 'gpu99' among the dumps"),
    ],
)
def test_what_is_not_there_is_said(run: Run, arguments: list[str], why: str) -> None:
    status, _, err = run("path", *arguments, str(POD))
    assert (status, why in err) == (2, True)
