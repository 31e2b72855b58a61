"""Files of jobs, and detection of captures."""

import re

from auditor.grammar.show import Show
from auditor.model.dump import Capture

MANIFEST, SCRIPT = "kubectl get -o yaml", "sbatch"
SHOWS: tuple[Show[None], ...] = ()
"""Jobs belong to no device: `pull` fetches none of them."""
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
    """Return the kind of *capture*: objects of Kubernetes or a batch script, with RDMA; else None.

    A template of a chart does not count: its values stand in another file.
    """
    head = "\n".join(capture.lines[:_HEAD_LINES])[:_HEAD_CHARACTERS]
    is_script = head.startswith("#!") and _BATCH.search(head)
    is_manifest = _OBJECT.search(head) and _API.search(head) and _KIND.search(head) and not _CHART.search(head)
    if not (is_script or is_manifest) or not any(map(_OF_RDMA.search, capture.lines)):
        return None
    return SCRIPT if is_script else MANIFEST
