"""Jobs: manifests of Kubernetes, scripts that launch a job, and logs of jobs. They belong to no host."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePath

import yaml

from auditor.grammar import yamltext
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.jobs import Jobs, Workload
from auditor.model.setting import Known, Origin, value_of
from auditor.systems.jobs import networks, nictemplate
from auditor.systems.jobs.manifest import ManifestObject, list_objects
from auditor.systems.jobs.placement import list_slurm_nodes, read_slurm_limits
from auditor.systems.jobs.show import MANIFEST, has_facts, list_settings, recognise
from auditor.systems.jobs.system import SYSTEM
from auditor.systems.jobs.tree import read_documents
from auditor.systems.jobs.workloads import (
    MANY,
    VariableReader,
    VariableSet,
    asks_for_rdma,
    list_attachments,
    list_pods,
    list_workloads,
    read_assignments,
)
from auditor.util.regex import regex

_EMPTY = regex(r"#.*|---.*|\.\.\.|[\s\[\]{},]*")


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the jobs of *captures*; a single file gives the name."""
    states = [
        [LineState.IGNORED if _EMPTY.fullmatch(line.strip()) else LineState.NOT_MODELLED for line in capture.lines]
        for capture in captures
    ]
    doubts: list[Doubt] = []
    found: list[ManifestObject] = []
    scripts: list[Workload] = []
    for capture, own in zip(captures, states, strict=True):
        kind = recognise(capture)
        if kind == MANIFEST or (kind is None and not has_facts(capture)):
            found.extend(_read_objects(capture, own, doubts))
        else:
            scripts.extend(_read_script(capture, own))
    scripts.extend(chain.from_iterable(_read_files(each, found) for each in tuple(found) if each.kind == "ConfigMap"))
    jobs = _build_jobs(found, scripts, doubts)
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


def _read_objects(capture: Capture, states: list[LineState], doubts: list[Doubt]) -> list[ManifestObject]:
    """Return the objects of a file up to the first syntax error."""
    found: list[ManifestObject] = []
    try:
        for root in read_documents(capture):
            found.extend(list_objects(root, capture, states))
    except (yaml.YAMLError, ValueError) as error:
        doubts.append(yamltext.doubt_of(capture, error, "manifests of Kubernetes"))
    return found


def _read_files(holder: ManifestObject, found: list[ManifestObject]) -> Iterator[Workload]:
    """Yield the scripts in the data of a ConfigMap, and add the objects of its manifests to *found*."""
    for key, value in holder.root["data"].entries.items():
        lines = list(value.lines()) if "\n" in (value.text or "") else []
        first = value.first
        inner = Capture(holder.capture.file, tuple(line for _, line in lines), "", holder.capture.first_line + first)
        if not lines or first + len(lines) > len(holder.states) + 1:
            continue
        if recognise(inner) == MANIFEST:
            own = holder.states[first : first + len(lines)]
            found.extend(_read_objects(inner, own, []))
            holder.states[first : first + len(own)] = own
        else:
            own = [LineState.NOT_MODELLED] * len(lines)
            for workload in _read_script(inner, own):
                yield replace(workload, name=f"{holder.name}, {key}", where=holder.where(value))
            for index, state in enumerate(own[: len(holder.states) - first]):
                if state is LineState.MODELLED:
                    holder.states[first + index] = state


def _build_jobs(found: Sequence[ManifestObject], scripts: Sequence[Workload], doubts: list[Doubt]) -> Jobs:
    reader = VariableReader({each.key: each for each in found if each.kind == "ConfigMap"})
    every = [pod for each in found for pod in list_pods(each)]
    # with several networks the RDMA network is unknown
    attached = [list_attachments(pod) for pod in every if asks_for_rdma(pod, reader)]
    used = frozenset(names[0].name for names in attached if len(names) == 1)
    return Jobs(
        workloads=(*scripts, *(job for pod in every for job in list_workloads(pod, reader))),
        templates=tuple(
            t for each in found if each.kind == nictemplate.KIND for t in nictemplate.read_template(each, doubts)
        ),
        networks=tuple(network for each in found for network in networks.list_networks(each, used)),
        idle_templates=tuple(t for each in found if each.kind == nictemplate.KIND for t in nictemplate.read_idle(each)),
        defined=frozenset(key for each in found if (key := networks.find_key(each))),
    )


def _read_script(capture: Capture, states: list[LineState]) -> list[Workload]:
    """Return the variables of a batch script as a workload."""
    given = VariableSet()
    found = read_assignments((capture.where, index, line) for index, line in enumerate(capture.lines))
    for index, name, value in list_settings(capture):
        known = None if value is None else Known(value, Origin.INTENDED, capture.where(index))
        before = found.get(name, known)
        found[name] = known if before and known and before.value == known.value else None
    for name, known in found.items():
        given.give(name, known, MANY)
        if known and known.where:
            states[known.where.line - capture.first_line] = LineState.MODELLED
    if not given.names:
        return []
    limits = read_slurm_limits((capture.where(index), line) for index, line in enumerate(capture.lines))
    for asked in (value_of(limits) or {}).values():
        if asked.where:
            states[asked.where.line - capture.first_line] = LineState.MODELLED
    name, nodes = PurePath(capture.file).name, list_slurm_nodes(capture.lines)
    return [Workload(name, capture.where(0), given.environment, given.undetermined, limits, nodes)]
