"""Variables where no job stands: parts of manifests, files of Docker Compose, and environments."""

import pytest

from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.jobs.show import has_facts
from auditor.systems.jobs.text import read_text

VALUES = {
    "NCCL_IB_HCA": "mlx5_4,mlx5_5",
    "NCCL_IB_TC": "162",
    "UCX_NET_DEVICES": "mlx5_4:1",
    "FI_PROVIDER": "tcp",
    "CCL_ATL_TRANSPORT": "ofi",
}
OTHER = {"HF_HOME": "/x", "OMP_NUM_THREADS": "8"}
BOTH = VALUES | OTHER
FORMS = {
    "a part of a manifest": [line for n, v in BOTH.items() for line in (f"      - name: {n}", f'        value: "{v}"')],
    "a part without quotes": ["env:", *(line for n, v in BOTH.items() for line in (f"- name: {n}", f"  value: {v}"))],
    "values of a chart": [
        "envs:",
        *(line for n, v in BOTH.items() for line in (f"  - name: '{n}'", f"    value: '{v}'")),
    ],
    "compose, a mapping": ["services:", "  a:", "    environment:", *(f"      {n}: {v}" for n, v in BOTH.items())],
    "compose, quoted": ["services:", "  a:", "    environment:", *(f'      {n}: "{v}"  # x' for n, v in BOTH.items())],
    "compose, a list": ["services:", "  a:", "    environment:", *(f"      - {n}={v}" for n, v in BOTH.items())],
    "a list in quotes": ["environment:", *(f'  - "{n}={v}"' for n, v in BOTH.items())],
    "an image": ["FROM x", *(f"ENV {n}={v}" for n, v in BOTH.items())],
    "declared": [f'declare -x {n}="{v}"' for n, v in BOTH.items()],
}
OF_A_HOST = {
    "a file of an environment": ["# site", *(f"{n}={v}" for n, v in BOTH.items())],
    "exports": ["cd /x", *(f"export {n}={v}" for n, v in BOTH.items()), "echo done"],
    "quoted exports": [f'export {n}="{v}"' for n, v in BOTH.items()],
}
NOTHING = {
    "prose about a variable": ["Set", "  NCCL_IB_TC: the traffic class of RoCE", "as you like."],
    "prose that assigns": ["We tried NCCL_IB_TC=162 first.", "Then NCCL_IB_TC=0."],
    "names alone": ["- name: NCCL_IB_TC", "- name: NCCL_IB_HCA"],
    "variables that are not kept": ["environment:", "  NCCL_DEBUG: INFO", "  NCCL_DEBUG_SUBSYS: NET"],
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    """Each form gives the variables as facts of the text, and as those of one workload."""
    raw = Raw("a.yaml", ".", tuple(FORMS[form]), ends_with_newline=True)
    assert identify_file(raw, None).os == "jobs"
    captures = list_captures(raw)
    found = read_text(captures).variables
    assert {name: [known.value for known in values] for name, values in found.items()} == {
        name: [value] for name, value in VALUES.items()
    }
    device = systems()["jobs"].parse("a", "a.yaml", captures)
    assert device.jobs is not None
    (workload,) = device.jobs.workloads
    assert {name: known.value for name, known in workload.environment.items()} == VALUES
    lines = {known.where.line for known in workload.environment.values() if known.where}
    assert all(any(value in FORMS[form][(line or 0) - 1] for value in VALUES.values()) for line in lines)


@pytest.mark.parametrize("form", OF_A_HOST)
def test_the_environment_of_a_host(form: str) -> None:
    raw = Raw("a.sh", ".", tuple(OF_A_HOST[form]), ends_with_newline=True)
    assert identify_file(raw, None).os == "linux"
    found = read_text(list_captures(raw)).variables
    assert {name: [known.value for known in values] for name, values in found.items()} == {
        name: [value] for name, value in VALUES.items()
    }


@pytest.mark.parametrize("case", NOTHING)
def test_no_variables(case: str) -> None:
    assert not has_facts(Capture("a.yaml", tuple(NOTHING[case])))


def test_several_values_are_undetermined() -> None:
    lines = ("env:", "- name: NCCL_IB_TC", "  value: 106", "env:", "- name: NCCL_IB_TC", "  value: 162")
    (workload,) = systems()["jobs"].parse("a", "a.yaml", [Capture("a.yaml", lines)]).jobs.workloads  # type: ignore[union-attr]
    assert workload.environment == {}
    assert set(workload.undetermined) == {"NCCL_IB_TC"}
