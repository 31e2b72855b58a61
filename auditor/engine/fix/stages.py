"""What is fixed first: memory and queues, pauses, marks, the packets that rely on them, and marking last."""

from collections.abc import Mapping

from auditor.engine.findings import ReportedFinding

_PACKS = (
    ("config", "buffers", "scheduling"),
    ("pfc",),
    ("watchdog",),
    ("ecn", "dcqcn"),
    ("classification",),
    ("mtu", "topology"),
    ("hosts",),
    ("jobs",),
)
"""What makes a class lossless, in its order: memory and queues, pauses, marks, then the packets that rely on them."""
_STAGES: Mapping[str, int] = {pack: stage for stage, packs in enumerate(_PACKS) for pack in packs}
_MARKING = frozenset({"CLS006", "CLS007", "CLS009", "HST006"})
"""Rules whose remedy changes what packets are marked with: this comes after everything that relies on the marks."""
_TAKING = frozenset({"PFC004", "CLS010"})
"""Rules whose remedy takes something away: this goes backwards, packets first and memory last."""
_AFTER_ALL = len(_PACKS)
_HOSTS_FIRST = frozenset({"pfc"})
"""Packs in which those who honour pauses come before those who send them: hosts, leaves, spines."""


def find_stage(found: ReportedFinding, rank: int = 0) -> tuple[int, int]:
    """Return when what is *found* is fixed at a device of a *rank*: the lower the earlier."""
    stage = _STAGES.get(found.pack, _AFTER_ALL)
    if found.rule in _TAKING:
        return 2 * _AFTER_ALL + 2 - stage, rank
    if found.rule in _MARKING:
        return _AFTER_ALL + 1, rank
    return stage, -rank if found.pack in _HOSTS_FIRST else rank
