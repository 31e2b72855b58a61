"""Jobs: manifests of Kubernetes, batch scripts of Slurm, and scripts that launch a job. They belong to no host."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath

import yaml

from auditor.grammar import yamltext
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.jobs import Jobs, Workload
from auditor.systems.jobs import networks, nictemplate
from auditor.systems.jobs.manifest import Object, objects
from auditor.systems.jobs.tree import documents
from auditor.systems.jobs.workloads import MANY, Given, Reading, asks_for_rdma, assigned, networks_of, pods, workloads

OS = "jobs"
MANIFEST, SCRIPT = "kubectl get -o yaml", "sbatch"
_EMPTY = re.compile(r"#.*|---.*|\.\.\.|[\s\[\]{},]*")
_HEAD_LINES, _HEAD_CHARACTERS = 400, 2**16
_OBJECT = re.compile(r"^[ \t{-]*[\"']?(?:apiVersion|kind|metadata)[\"']?\s*:\s", re.MULTILINE)
_API = re.compile(r"[\"']?\bapiVersion[\"']?\s*:\s*[\"']?[a-z]")
_KIND = re.compile(r"[\"']?\bkind[\"']?\s*:\s*[\"']?[A-Z]")
_OF_RDMA = re.compile(
    r"\b(?:NCCL_IB|RCCL_IB|UCX_IB|UCX_NET|NVSHMEM_IB|MORI_RDMA)_|\b(?:NicConfigurationTemplate|SriovNetworkNodePolicy)\b"
    r"|\b(?:NetworkAttachmentDefinition|MacvlanNetwork|HostDeviceNetwork)\b|\brdma/"
)
_CHART = re.compile(r"^[ \t]*(?:- )?\{\{|:[ \t]+\{\{", re.MULTILINE)
_BATCH = re.compile(
    r"^#SBATCH\s|^[ \t]*srun\s"
    r"|^[ \t]*(?:mpirun|mpiexec|(?:docker|podman) run)\s(?:[^\n]{0,400}\\\n){0,40}[^\n]{0,2000}"
    r"\s(?:-x|-e|--env)[ =](?:NCCL|RCCL|UCX|NVSHMEM)_",
    re.MULTILINE,
)


def recognise(capture: Capture) -> str | None:
    """Return what *capture* is: objects of Kubernetes, or a batch script, that have to do with RDMA; else None.

    The template of a chart is none: what it says stands in its values.
    """
    head = "\n".join(capture.lines[:_HEAD_LINES])[:_HEAD_CHARACTERS]
    is_script = head.startswith("#!") and _BATCH.search(head)
    is_manifest = _OBJECT.search(head) and _API.search(head) and _KIND.search(head) and not _CHART.search(head)
    if not (is_script or is_manifest) or not any(map(_OF_RDMA.search, capture.lines)):
        return None
    return SCRIPT if is_script else MANIFEST


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the jobs of *captures*, called after their file where it is only one."""
    states = [
        [LineState.IGNORED if _EMPTY.fullmatch(line.strip()) else LineState.NOT_MODELLED for line in capture.lines]
        for capture in captures
    ]
    doubts: list[Doubt] = []
    found: list[Object] = []
    scripts: list[Workload] = []
    for capture, own in zip(captures, states, strict=True):
        if recognise(capture) == SCRIPT:
            scripts.extend(_script(capture, own))
        else:
            found.extend(_objects(capture, own, doubts))
    jobs = _jobs(found, scripts, doubts)
    files = {capture.file for capture in captures}
    return Device(
        name=PurePath(files.pop()).stem if len(files) == 1 else name,
        kind="jobs",
        os=OS,
        source=source,
        dumps=dump_files(OS, zip(captures, states, strict=True)),
        jobs=jobs,
        doubts=tuple(doubts),
    )


def _objects(capture: Capture, states: list[LineState], doubts: list[Doubt]) -> list[Object]:
    """Return the objects of a file; what stands before a mistake is kept."""
    found: list[Object] = []
    try:
        for root in documents(capture):
            found.extend(objects(root, capture, states))
    except (yaml.YAMLError, ValueError) as error:
        doubts.append(yamltext.doubt_of(capture, error, "manifests of Kubernetes"))
    return found


def _jobs(found: Sequence[Object], scripts: Sequence[Workload], doubts: list[Doubt]) -> Jobs:
    reading = Reading({each.key: each for each in found if each.kind == "ConfigMap"})
    every = [pod for each in found for pod in pods(each)]
    # of several networks it is not known which one carries RDMA
    attached = [networks_of(pod) for pod in every if asks_for_rdma(pod, reading)]
    used = frozenset(chain.from_iterable(names for names in attached if len(names) == 1))
    return Jobs(
        workloads=(*scripts, *(job for pod in every for job in workloads(pod, reading))),
        templates=tuple(
            t for each in found if each.kind == nictemplate.KIND for t in nictemplate.template(each, doubts)
        ),
        networks=tuple(network for each in found for network in networks.networks(each, used)),
    )


def _script(capture: Capture, states: list[LineState]) -> list[Workload]:
    """Return what a batch script sets, as the workload that it is."""
    given = Given()
    for name, known in assigned((capture.where, index, line) for index, line in enumerate(capture.lines)).items():
        given.give(name, known, MANY)
        if known and known.where:
            states[known.where.line - capture.first_line] = LineState.MODELLED
    where = capture.where(0)
    return [Workload(PurePath(capture.file).name, where, given.environment, given.undetermined)] if given.names else []
