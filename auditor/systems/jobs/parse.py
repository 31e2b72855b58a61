"""Jobs: manifests of Kubernetes, batch scripts of Slurm, and scripts that launch a job. They belong to no host."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath

import yaml

from auditor.grammar import yamltext
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.jobs import Jobs, Workload
from auditor.systems.jobs import networks, nictemplate
from auditor.systems.jobs.manifest import Object, objects
from auditor.systems.jobs.show import SCRIPT, recognise
from auditor.systems.jobs.system import SYSTEM
from auditor.systems.jobs.tree import documents
from auditor.systems.jobs.workloads import MANY, Given, Reading, asks_for_rdma, assigned, networks_of, pods, workloads

_EMPTY = re.compile(r"#.*|---.*|\.\.\.|[\s\[\]{},]*")


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
        os=SYSTEM.os,
        source=source,
        dumps=list_dump_files(SYSTEM.os, zip(captures, states, strict=True)),
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
