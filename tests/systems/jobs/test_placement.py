"""Where jobs may run and what they get of a node."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.dump import Capture
from auditor.model.jobs import Workload
from auditor.model.setting import value_of
from auditor.systems.jobs.parse import parse
from auditor.systems.jobs.placement import expand_nodes, list_slurm_nodes

HOST = "kubernetes.io/hostname"


def workload(text: str, file: str = "job.yaml") -> Workload:
    jobs = parse("jobs", "folder", (Capture(file, tuple(text.split("\n"))),)).jobs
    assert jobs
    (found,) = jobs.workloads
    return found


def pod(spec: dict[str, object], container: dict[str, object]) -> Workload:
    env = [{"name": "NCCL_IB_TC", "value": "106"}]
    whole = {"containers": [{"name": "main", "env": env, **container}], **spec}
    return workload(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": whole}, indent=1))


def terms(*names: list[str]) -> dict[str, object]:
    of = [
        {"matchExpressions": [{"key": HOST if each else "zone", "operator": "In", "values": each or ["a"]}]}
        for each in names
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": of}}
    return {"affinity": {"nodeAffinity": required}}


@pytest.mark.parametrize(
    ("spec", "nodes"),
    [
        ({}, ()),
        ({"nodeName": "gpu01"}, ("gpu01",)),
        ({"nodeSelector": {HOST: "gpu02", "zone": "a"}}, ("gpu02",)),
        (terms(["gpu01", "gpu02"]), ("gpu01", "gpu02")),
        (terms(["gpu01"], ["gpu03"]), ("gpu01", "gpu03")),
        (terms(["gpu01"], []), ()),
    ],
)
def test_a_pod_names_its_nodes(spec: dict[str, object], nodes: tuple[str, ...]) -> None:
    assert pod(spec, {}).nodes == nodes


def test_limits_win_over_requests_and_only_devices_are_kept() -> None:
    own: dict[str, object] = {
        "resources": {"requests": {"cpu": 2, "rdma/ib": 1}, "limits": {"nvidia.com/gpu": "8", "rdma/ib": 4}}
    }
    limits = value_of(pod({}, own).resources) or {}
    assert {name: known.value for name, known in limits.items()} == {"rdma/ib": "4", "nvidia.com/gpu": "8"}
    assert all(known.where and known.where.line > 1 for known in limits.values())


@pytest.mark.parametrize(
    ("spec", "container", "sees"),
    [
        ({}, {}, False),
        ({}, {"securityContext": {"privileged": True}}, True),
        ({}, {"securityContext": {"privileged": False}}, False),
        ({"volumes": [{"name": "a", "hostPath": {"path": "/dev/infiniband/"}}]}, {}, True),
        ({"volumes": [{"name": "a", "hostPath": {"path": "/opt/data"}}]}, {}, False),
        ({"resourceClaims": [{"name": "nics"}]}, {}, True),
        ({}, {"resources": {"claims": [{"name": "nics"}]}}, True),
    ],
)
def test_devices_come_by_privilege_path_or_claim(
    spec: dict[str, object], container: dict[str, object], *, sees: bool
) -> None:
    assert pod(spec, container).sees_devices is sees


def test_a_train_job_gives_its_runtime_a_container() -> None:
    trainer = {
        "numNodes": 4,
        "env": [{"name": "NCCL_IB_TC", "value": "106"}],
        "resourcesPerNode": {"limits": {"nvidia.com/gpu": 8}},
    }
    body = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "x"}}
    found = workload(json.dumps({**body, "spec": {"trainer": trainer}}, indent=1))
    assert found.environment["NCCL_IB_TC"].value == "106"
    assert list(value_of(found.resources) or ()) == ["nvidia.com/gpu"]


@pytest.mark.parametrize(
    ("option", "count"),
    [
        ("--gpus-per-node=8", "8"),
        ("--gpus-per-node=h100:4", "4"),
        ("--gres=gpu:8", "8"),
        ("--gres=gpu:a100:2", "2"),
        ("--gres gpu:2", "2"),
        ("--gres=nic:1,gpu:8", "8"),
        ("--cpus-per-task=8", None),
    ],
)
def test_a_batch_script_asks_for_gpus(option: str, count: str | None) -> None:
    found = workload(f"#!/bin/bash\n#SBATCH {option}\nexport NCCL_IB_TC=106\nsrun ./train", "a.sbatch")
    limits = value_of(found.resources) or {}
    assert [known.value for known in limits.values()] == ([count] if count else [])


@given(st.lists(st.integers(0, 300), min_size=1, max_size=8, unique=True), st.integers(1, 4))
def test_a_list_of_hosts_names_each_once_written(numbers: list[int], width: int) -> None:
    text = ",".join(str(each).zfill(width) for each in numbers)
    assert list(expand_nodes(f"gpu[{text}]")) == [f"gpu{str(each).zfill(width)}" for each in numbers]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=3))
def test_ranges_of_one_name_multiply(ranges: list[tuple[int, int]]) -> None:
    text = "".join(f"part{place}n[{first}-{first + more}]" for place, (first, more) in enumerate(ranges))
    choices = ([str(n) for n in range(first, first + more + 1)] for first, more in ranges)
    expected = ["".join(f"part{place}n{n}" for place, n in enumerate(each)) for each in product(*choices)]
    assert list(expand_nodes(text)) == expected


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_a_list_of_hosts_may_be_quoted(quote: str) -> None:
    assert list_slurm_nodes([f"#SBATCH --nodelist={quote}gpu[1-2],head{quote}"]) == ("gpu1", "gpu2", "head")


def test_a_hostile_list_of_hosts_is_bounded() -> None:
    assert len(list(expand_nodes("a[1-9999]" * 3))) == 4096
    assert not list(expand_nodes("a[1-9]" * 2000))
    assert not list(expand_nodes("[" * 60_000))
    assert len(list(expand_nodes("a," * 60_000))) == 4096


@given(st.text(max_size=80))
def test_any_text_is_a_list_of_hosts(text: str) -> None:
    assert len(list(expand_nodes(text))) <= 4096
