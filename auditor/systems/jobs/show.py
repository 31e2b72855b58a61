"""Files of jobs, and detection of captures."""

import re
from collections.abc import Iterator

from auditor.grammar.show import Show
from auditor.grammar.variables import NAME
from auditor.model.dump import Capture
from auditor.systems.jobs.limits import find_limits
from auditor.systems.jobs.selectors import find_resources, find_selectors
from auditor.systems.jobs.settings import find_settings, is_environment
from auditor.systems.jobs.signs import LOGGED, LONGEST_LINE, has_sign
from auditor.util.regex import regex

MANIFEST, SCRIPT = "kubectl get -o yaml", "sbatch"
SHOWS: tuple[Show[None], ...] = ()
"""Jobs belong to no device: `pull` fetches none of them."""
_HEAD_LINES, _HEAD_CHARACTERS = 400, 2**16
_OBJECT = regex(r"^[ \t{-]*[\"']?(?:apiVersion|kind|metadata)[\"']?\s*:\s", re.MULTILINE)
_API = regex(r"[\"']?\bapiVersion[\"']?\s*:\s*[\"']?[a-z]")
_KIND = regex(r"[\"']?\bkind[\"']?\s*:\s*[\"']?[A-Z]")
_OF_RDMA = regex(
    r"\b(?:NCCL_IB|NCCL_NET_GDR|RCCL_IB|UCX_IB|UCX_NET|NVSHMEM_IB|MORI_RDMA)_|\b(?:NicConfigurationTemplate|SriovNetworkNodePolicy)\b"
    r"|\b(?:NetworkAttachmentDefinition|MacvlanNetwork|HostDeviceNetwork)\b|\brdma/"
)
_CHART = regex(r"^[ \t]*(?:- )?\{\{|:[ \t]+\{\{", re.MULTILINE)
_PATH = r"(?:[\w.+/-]{0,200}/)?"
_LAUNCHER = rf"{_PATH}(?:mpirun|mpiexec(?:\.hydra)?|prterun|srun|torchrun|deepspeed)"
_BATCH = regex(
    rf"^#SBATCH\s|^[ \t]*{_PATH}srun\s"
    rf"|^[ \t]*(?:{_LAUNCHER}|{_PATH}(?:docker|podman) run)\s(?:[^\n]{{0,400}}\\\n){{0,40}}[^\n]{{0,2000}}"
    rf"\s(?:-x|-g?env|-e|--env)[ =][\"']?{NAME}",
    re.MULTILINE,
)
_SETS = regex(rf"^[ \t]*(?:export[ \t]{{1,8}})?{NAME}=", re.MULTILINE)
_STARTS = regex(
    rf"^[ \t]*(?:exec[ \t]{{1,8}})?(?:{_LAUNCHER}|{_PATH}(?:python[\d.]{{0,6}}|accelerate|vllm|sglang))[ \t]",
    re.MULTILINE,
)
_LAUNCH = regex(
    rf"\A\s*(?:[$#] |{NAME}=\S*\s+)*(?:{_LAUNCHER}|{_PATH}(?:docker|podman) run)\s"
    rf"(?:[^\n]*\\\n){{0,60}}[^\n]*(?:\b{NAME}=|\s-g?env\s+{NAME}\s)"
)
"""A file without a first line `#!` whose first command starts a job with variables."""
_SETS_ANY = regex(NAME)
_SELECTOR = regex(
    r"\b(?:ifNames|deviceIDs?|pfNames)\b|\brdma/\w|\bnvidia\.com/[\w.-]{0,64}?(?:rdma|roce|hca|sriov)", re.IGNORECASE
)


def recognise(capture: Capture) -> str | None:
    """Return the kind of *capture*: objects of Kubernetes or a batch script, with RDMA; else None.

    A template of a chart does not count: its values stand in another file.
    """
    head = "\n".join(capture.lines[:_HEAD_LINES])[:_HEAD_CHARACTERS]
    is_script = (head.startswith("#!") and _starts_job(head)) or _LAUNCH.match(head)
    has_words = "apiVersion" in head and "kind" in head
    is_manifest = has_words and all(part.search(head) for part in (_OBJECT, _API, _KIND)) and not _CHART.search(head)
    if not (is_script or is_manifest) or not any(map(_OF_RDMA.search, capture.lines)):
        return None
    return SCRIPT if is_script else MANIFEST


def _starts_job(text: str) -> bool:
    """Return whether a command in *text* starts a job, with variables of its own or below those that the text sets."""
    if _BATCH.search(text):
        return True
    first = _SETS.search(text)
    return bool(first and _STARTS.search(text, first.end()))


def list_settings(capture: Capture) -> Iterator[tuple[int, str, str | None]]:
    """Yield the variables that YAML sets which is no manifest, by line."""
    if recognise(capture) != MANIFEST and any(map(_SETS_ANY.search, capture.lines)):
        yield from find_settings(capture.lines)


def has_facts(capture: Capture) -> bool:
    """Return whether *capture*, which no system recognises, holds lines of a log or of a job that are read."""
    text = "\n".join(line[:LONGEST_LINE] for line in (capture.command, *capture.lines))
    if LOGGED.search(text) or has_sign(capture.lines) or any(find_limits(capture)):
        return True
    if is_environment(capture.lines) or any(list_settings(capture)):
        return True
    if _starts_job(text) and _OF_RDMA.search(text):
        return True
    return bool(_SELECTOR.search(text)) and (any(find_selectors(capture)) or any(find_resources(capture)))
