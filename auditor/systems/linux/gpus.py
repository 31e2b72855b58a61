"""`amd-smi`, `rocm-smi` and `nvidia-smi`: that the host has GPUs; the rest bears on no packet and is ignored."""

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact
from auditor.systems.linux.fetch import SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled
from auditor.util.regex import regex

_SIGNS = (
    ("amdgpu", regex(r"GPU: \d{1,3}|.*\bamdgpu version: \d.*|GPU\[\d{1,3}\]\s*:.*|.*\"gpu\"\s*:\s*\d{1,3}\b.*")),
    ("nvidia", regex(r".*\bNVIDIA-SMI \d+\.\d.*|GPU \d{1,3}: NVIDIA .*")),
)
"""The driver of GPUs, and the lines that its tools print of a GPU that is there."""


def read_gpus(capture: Capture, _: Call) -> Events:
    """Yield the kernel module of the GPUs that a tool lists: the tool talks to it."""
    found: dict[str, Known[bool]] = {}
    for index, line in text.list_lines(capture):
        module = next((name for name, sign in _SIGNS if sign.fullmatch(line)), "")
        if module and not text.is_error(line):
            found.setdefault(module, Known(True, Origin.LEARNED, capture.where(index)))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_ignored(index)
    if found:
        yield HostFact(Host(modules=Known(found, Origin.LEARNED, next(iter(found.values())).where)))


COMMANDS = (
    Command(
        "amd-smi",
        r"(?:amd-smi|rocm-smi|nvidia-smi)(?: .+)?",
        read_gpus,
        (),
        r"^GPU: \d{1,3}\n\s+[A-Z_]+:|\bAMD-SMI \d+\.\d|\bNVIDIA-SMI \d+\.\d|^GPU \d{1,3}: NVIDIA |^ACCESS TABLE:"
        r"|^[^\S\n]+GPU0\b",
        "that the host has GPUs (also `rocm-smi` and `nvidia-smi`)",
        fetch=(Fetch(("rocm-smi --showtopo",), "how near GPUs and NICs are", needs="/sys/module/amdgpu", by=SCRIPT),),
    ),
)
