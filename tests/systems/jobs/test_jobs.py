"""Manifests of Kubernetes and batch scripts: what they set, where, and that hostile ones do no harm."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.jobs import Jobs
from auditor.model.qos import Trust
from auditor.model.setting import Unknown, Unset, value_of
from auditor.systems.jobs.parse import parse
from auditor.systems.jobs.show import MANIFEST, SCRIPT, recognise

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: job}
spec:
  containers:
  - name: main
"""
TEMPLATE = """\
apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: nics}
spec:
  template:
    roceOptimized:
      enabled: true
"""
NETWORK = """\
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: rdma0}
spec:
  config: '%s'
"""


def read(*texts: str) -> Device:
    captures = [Capture(f"{number}.yaml", tuple(text.split("\n"))) for number, text in enumerate(texts)]
    return parse("cluster", "cluster", captures)


def jobs(*texts: str) -> Jobs:
    device = read(*texts)
    assert device.jobs is not None
    assert not device.doubts, device.doubts
    return device.jobs


def environments(*texts: str) -> list[dict[str, str | None]]:
    """Return the variables of each container; None where the dump does not hold the value."""
    return [
        {**dict.fromkeys(job.undetermined), **{name: known.value for name, known in job.environment.items()}}
        for job in jobs(*texts).workloads
    ]


def test_a_pod_is_found_in_the_job_of_any_operator() -> None:
    pod = {"spec": {"containers": [{"name": "main", "env": [{"name": "NCCL_IB_TC", "value": "106"}]}]}}
    shapes: list[dict[str, object]] = [
        {"kind": "Deployment", "spec": {"template": pod}},
        {"kind": "CronJob", "spec": {"jobTemplate": {"spec": {"template": pod}}}},
        {"kind": "Job", "spec": {"tasks": [{"name": "a", "template": pod}, {"name": "b", "template": pod}]}},
        {"kind": "RayCluster", "spec": {"headGroupSpec": {"template": pod}, "workerGroupSpecs": [{"template": pod}]}},
        {"kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod", **pod}]},
    ]
    for shape in shapes:
        text = json.dumps({"apiVersion": "v1", "metadata": {"name": "x"}, **shape}, indent=4)
        count = json.dumps(shape).count("NCCL_IB_TC")
        assert environments(text) == [{"NCCL_IB_TC": "106"}] * count
        assert recognise(Capture("", tuple(text.split("\n")))) == MANIFEST
        assert recognise(Capture("", (json.dumps(json.loads(text)),))) == MANIFEST


def test_the_last_value_of_a_variable_holds_and_its_line_proves_it() -> None:
    env = "    env:\n    - {name: NCCL_IB_TC, value: '0'}\n    - name: NCCL_IB_TC\n      value: '106'\n"
    (job,) = jobs(POD + env).workloads
    known = job.environment["NCCL_IB_TC"]
    assert (known.value, known.where and known.where.line) == ("106", 10)


def test_a_config_map_gives_its_variables_also_from_another_file() -> None:
    maps = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nccl}\ndata: {NCCL_IB_TC: '106', IB_SL: '3', A: b}\n"
    env = (
        "    envFrom:\n    - configMapRef: {name: nccl}\n    - {prefix: NCCL_, configMapRef: {name: nccl}}\n"
        "    env:\n    - {name: UCX_IB_SL, valueFrom: {configMapKeyRef: {name: nccl, key: IB_SL}}}\n"
    )
    expected = {"NCCL_IB_TC": "106", "NCCL_IB_SL": "3", "UCX_IB_SL": "3"}
    assert environments(POD + env, maps) == environments(maps + "---\n" + POD + env) == [expected]


@pytest.mark.parametrize(
    "entry",
    [
        "- {name: NCCL_IB_TC, valueFrom: {secretKeyRef: {name: s, key: k}}}",
        "- {name: NCCL_IB_TC, valueFrom: {configMapKeyRef: {name: missing, key: k}}}",
        "- {name: NCCL_IB_TC, value: $(TC)}",
        "- {name: NCCL_IB_TC}",
    ],
)
def test_a_value_that_the_dump_does_not_hold_is_not_guessed(entry: str) -> None:
    assert environments(f"{POD}    env:\n    {entry}\n") == [{"NCCL_IB_TC": None}]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('["mpirun", "-x", "NCCL_IB_TC=106", "app"]', "106"),
        ('["sh", "-c", "export NCCL_IB_TC=106; app"]', "106"),
        ('["sh", "-c", "export NCCL_IB_TC=$TC; app"]', None),
        ('["sh", "-c", "NCCL_IB_TC=104 a; NCCL_IB_TC=106 b"]', None),
    ],
)
def test_a_command_sets_variables(command: str, expected: str | None) -> None:
    env = "    env:\n    - {name: NCCL_IB_TC, value: '0'}\n"
    assert environments(f"{POD}{env}    command: {command}\n") == [{"NCCL_IB_TC": expected}]


def test_a_line_of_a_block_is_the_proof() -> None:
    (job,) = jobs(POD + "    args:\n    - |\n      # NCCL_IB_TC=0\n      export NCCL_IB_TC=106\n").workloads
    assert (where := job.environment["NCCL_IB_TC"].where) is not None
    assert where.line == 10


@pytest.mark.parametrize(
    ("qos", "expected"),
    [
        ("", (Trust.DSCP, (3,), 0)),
        ("      qos: {trust: pcp, pfc: '0,0,0,0,1,1,0,0', tos: 106}\n", (Trust.PCP, (4, 5), 106)),
        ("      qos: {trust: trust-dscp, pfc: '0,0,0,0,0,0,0,0'}\n", (Trust.DSCP, (), 0)),
    ],
)
def test_what_a_template_leaves_out_the_operator_sets(qos: str, expected: tuple[Trust, tuple[int, ...], int]) -> None:
    (found,) = jobs(TEMPLATE + qos).templates
    assert tuple(map(value_of, (found.trust, found.pfc_priorities, found.tos))) == expected
    assert value_of(found.cnp_dscp) == 4


def test_raw_parameters_win_unless_ports_differ() -> None:
    raw = "    rawNvConfig:\n    - {name: CNP_DSCP_P1, value: '48'}\n    - {name: CNP_DSCP_P2, value: '%s'}\n"
    (same,), (other,) = (jobs(TEMPLATE + raw % value).templates for value in ("48", "46"))
    assert value_of(same.cnp_dscp) == 48
    assert isinstance(other.cnp_dscp, Unknown)


def test_a_field_that_is_not_understood_is_told() -> None:
    device = read(TEMPLATE + "      qos: {trust: dscp, pfc: '3', tos: 106}\n")
    assert device.jobs is not None
    assert isinstance(device.jobs.templates[0].pfc_priorities, Unknown)
    assert [(doubt.where.line, doubt.why) for doubt in device.doubts] == [(8, "expected 0 or 1 for each priority")]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('{"type": "macvlan", "mtu": 9000}', 9000),
        ('{"plugins": [{"type": "sriov"}, {"type": "tuning", "mtu": "4200"}]}', 4200),
        ('{"plugins": [{"type": "macvlan", "mtu": 9000}, {"type": "tuning", "mtu": 1500}]}', 1500),
        ('{"type": "host-device"}', None),
        ("no JSON", None),
        ('{"plugins": 5}', None),
        ("[" * 40000, None),
    ],
)
def test_the_mtu_of_a_network_is_that_of_its_last_plugin(config: str, expected: int | None) -> None:
    (found,) = jobs(NETWORK % config).networks
    assert value_of(found.mtu_bytes) == expected
    assert expected or isinstance(found.mtu_bytes, Unset)


def test_a_network_is_for_rdma_if_it_is_the_only_one_of_a_pod_that_asks_for_it() -> None:
    plain = NETWORK.replace("rdma0", "fast") % '{"type": "macvlan", "mtu": 1500}'
    pod = POD.replace("name: job", "name: job, annotations: {k8s.v1.cni.cncf.io/networks: NETS}")
    asking = pod + "    resources: {limits: {rdma/hca: 1}}\n"
    for text, names, count in ((asking, "x/fast@net1", 1), (asking, "'fast, logs'", 0), (pod, "fast", 0)):
        assert len(jobs(plain, text.replace("NETS", names)).networks) == count


def test_a_batch_script_is_a_workload() -> None:
    script = "#!/bin/bash\n#SBATCH --export=ALL,NCCL_IB_TC=106\n# export NCCL_IB_SL=1\nsrun ./train\n"
    device = parse("x", "x", [Capture("train.sbatch", tuple(script.split("\n")))])
    assert device.jobs is not None
    (job,) = device.jobs.workloads
    assert (job.name, {n: k.value for n, k in job.environment.items()}) == ("train.sbatch", {"NCCL_IB_TC": "106"})
    assert (device.name, device.dumps[0].states[1]) == ("train", LineState.MODELLED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (POD + "    env: [{name: NCCL_IB_TC, value: '0'}]\n", MANIFEST),
        (POD, None),
        (POD + "    env: [{name: NCCL_IB_TC, value: {{ .Values.tc }}}]\n{{- end }}\n", None),
        ("#!/bin/sh\n#SBATCH -N 2\nexport NCCL_IB_TC=106\n", SCRIPT),
        ("#!/bin/sh\nmpirun -np 16 \\\n  -x NCCL_DEBUG=INFO \\\n  -x NCCL_IB_TC=106 ./train\n", SCRIPT),
        ("#!/bin/sh\ndocker run --gpus all -e NCCL_IB_TC=106 image\n", SCRIPT),
        ("#!/bin/sh\nmpirun -np 16 ./train\nexport NCCL_IB_TC=106\n", None),
        ("#!/bin/sh\nexport NCCL_IB_TC=106\n", None),
        ("NCCL_IB_TC=106\n", None),
    ],
)
def test_what_has_nothing_to_do_with_rdma_is_not_taken(text: str, expected: str | None) -> None:
    assert recognise(Capture("", tuple(text.split("\n")))) == expected


HOSTILE = {
    "aliases that unfold": POD
    + "    env: &a\n    - {name: NCCL_IB_TC, value: '0'}\n"
    + "".join(f"    x{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(30)),
    "a value within itself": POD + "    env: &a [*a, {name: NCCL_IB_TC, value: '0'}]\n    args: &b [*b]\n",
    "a list within itself": "apiVersion: v1\nkind: List\nitems: &a [*a, *a, *a]\n# NCCL_IB_TC\n",
    "merges within themselves": POD + "    <<: &a {<<: *a}\n    env: [{name: NCCL_IB_TC, value: '0', <<: *a}]\n",
    "one list for many": POD
    + "    env: &e ["
    + "{name: NCCL_IB_TC, value: '0'}, " * 3000
    + "]\n"
    + "  - {name: x, env: *e}\n" * 3000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_aliases_cost_no_more_than_what_is_written(text: str) -> None:
    start = time.process_time()
    assert read(text).kind == "jobs"
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (POD + "    env: [\n", 8, "not YAML"),
        (POD + "    args: " + "[" * 60 + "]" * 60 + "\n", 1, "not YAML: more than 50 levels"),
        ("apiVersion: v1\nkind: Pod\n\tspec: x\n", 3, "not YAML"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_what_stands_before_is_kept(text: str, line: int, why: str) -> None:
    before = POD + "    env: [{name: NCCL_IB_TC, value: '0'}]\n"
    device = read(text, before)
    (doubt,) = device.doubts
    assert (doubt.fatal, doubt.where.line, why in doubt.why) == (True, line, True)
    assert device.jobs is not None
    assert len(device.jobs.workloads) == 1


@given(st.text(alphabet="apiVersion: kind-{}[]&*<\n'\"|NCCL_IB_TC=", max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert read(f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - env: {text}\n").kind == "jobs"


CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: files}
data:
  job.sh: |
    #!/bin/bash
    export NCCL_IB_GID_INDEX=3
    mpirun -np 2 -x NCCL_IB_TC=106 ./train
  pod.yaml: |
    apiVersion: v1
    kind: Pod
    metadata: {name: inner}
    spec:
      containers:
      - name: main
        env: [{name: NCCL_IB_TC, value: '96'}]
"""


def test_scripts_and_manifests_inside_of_config_maps_are_read_with_their_lines() -> None:
    script, pod = jobs(CONFIG_MAP).workloads
    assert script.name == "ConfigMap files, job.sh"
    assert {name: (known.value, known.where.line) for name, known in script.environment.items() if known.where} == {
        "NCCL_IB_GID_INDEX": ("3", 7),
        "NCCL_IB_TC": ("106", 8),
    }
    assert pod.name == "Pod inner, container main"
    known = pod.environment["NCCL_IB_TC"]
    assert (known.value, known.where and known.where.line) == ("96", 16)
