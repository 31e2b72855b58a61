"""Defaults of Cumulus Linux and the profiles of `qos roce`, as statements below the configured ones.

No configuration file lists them. Each carries the vendor's page. The statements of a RoCE profile point at the line
that enables it; those of the operating system have no line.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from auditor.model.setting import HEAD, Known, Origin
from auditor.systems.cumulus.objects import ObjectNode, Proof, find_value, list_paths, parse_switch, parse_word

_DOCS = "https://docs.nvidia.com/networking-ethernet-software/cumulus-linux"
QOS_PAGE = f"{_DOCS}-513/Layer-1-and-Switch-Ports/Quality-of-Service/"
ROCE_PAGE = f"{_DOCS}-515/Layer-1-and-Switch-Ports/Quality-of-Service/RDMA-over-Converged-Ethernet-RoCE/"
DOCUMENTED = (5,)
"""The first release whose defaults the vendor's pages list."""
MULTI_TC_CHANGED = (5, 15)
"""The release from which `lossy-multi-tc` gives DSCP 41 to 50 a switch priority of their own."""

_PRIORITIES = range(8)
_BY_DEFAULT = Proof(HEAD, Origin.DEFAULT, QOS_PAGE)
"""The proof of a default: the head of the port's own stanza, and the vendor's page."""


def _identity_maps() -> Iterator[str]:
    """Yield the default maps: DSCP 8n to 8n+7 and PCP n to switch priority n."""
    for priority in _PRIORITIES:
        yield f"mapping default-global dscp {8 * priority}-{8 * priority + 7} switch-priority {priority}"
        yield f"mapping default-global pcp {priority} switch-priority {priority}"


MAPS = (*_identity_maps(), "mapping default-global port-default-sp 0")
_TIMING = ("pfc-watchdog polling-interval 100", "pfc-watchdog robustness 3")
_PLAIN = (
    *MAPS,
    "mapping default-global trust l2",
    *(f"egress-queue-mapping default-global switch-priority {n} traffic-class {n}" for n in _PRIORITIES),
    "congestion-control default-global traffic-class 0 min-threshold 150000",
    "congestion-control default-global traffic-class 0 max-threshold 1500000",
    "egress-scheduler default-global traffic-class 0-7 mode dwrr",
    "egress-scheduler default-global traffic-class 0,2,4,6 bw-percent 12",
    "egress-scheduler default-global traffic-class 1,3,5,7 bw-percent 13",
    "traffic-pool default-lossy memory-percent 100",
)
_ROCE = (
    *MAPS,
    "mapping default-global trust both",
    "egress-queue-mapping default-global switch-priority 0-2,4-5,7 traffic-class 0",
    "egress-queue-mapping default-global switch-priority 3 traffic-class 3",
    "egress-queue-mapping default-global switch-priority 6 traffic-class 6",
    "egress-scheduler default-global traffic-class 0,3 mode dwrr",
    "egress-scheduler default-global traffic-class 0,3 bw-percent 50",
    "egress-scheduler default-global traffic-class 6 mode strict",
    "congestion-control default-global traffic-class 0,3 min-threshold 150000",
    "congestion-control default-global traffic-class 0,3 max-threshold 1500000",
)
_PAUSING = (
    "pfc default-global switch-priority 3",
    "pfc default-global tx enable",
    "pfc default-global rx enable",
    "pfc default-global cable-length 100",
)
_MULTI_TC_WEIGHTS = (4, 8, 18, 22, 22, 22, 4, 0)
_MULTI_TC = (
    *(f"mapping default-global pcp {n} switch-priority {n}" for n in _PRIORITIES),
    "mapping default-global port-default-sp 0",
    "mapping default-global trust both",
    "mapping default-global dscp 0,7-10,51-63 switch-priority 0",
    "mapping default-global dscp 1-2 switch-priority 1",
    "mapping default-global dscp 3-4 switch-priority 2",
    "mapping default-global dscp 5-6 switch-priority 3",
    "mapping default-global dscp 11-40 switch-priority 4",
    *(f"egress-queue-mapping default-global switch-priority {n} traffic-class {n}" for n in _PRIORITIES),
    "egress-scheduler default-global traffic-class 0-7 mode dwrr",
    *(
        f"egress-scheduler default-global traffic-class {n} bw-percent {weight}"
        for n, weight in enumerate(_MULTI_TC_WEIGHTS)
    ),
    "congestion-control default-global traffic-class 1-3 min-threshold 166912",
    "congestion-control default-global traffic-class 1-3 max-threshold 239616",
    "congestion-control default-global traffic-class 1-3 probability 5",
)
_POOLS = ("traffic-pool default-lossy memory-percent 50", "traffic-pool roce-lossless memory-percent 50")
_PROFILES = {
    "lossless": (*_ROCE, *_PAUSING, *_POOLS),
    "lossless-single-ipool": (*_ROCE, *_PAUSING, "traffic-pool default-lossy memory-percent 100"),
    "lossy": (*_ROCE, "traffic-pool default-lossy memory-percent 100"),
    "lossy-multi-tc": (*_MULTI_TC, "traffic-pool default-lossy memory-percent 100"),
}
MODES = frozenset(_PROFILES)


def list_roce_statements(written: ObjectNode) -> Known[str] | None:
    """Return the mode of the RoCE profile with the line that enables it, None without an active profile.

    `qos roce` alone means lossless, and keeps an earlier mode.
    """
    asked = written.at("qos", "roce")
    if asked is None:
        return None
    for name in ("enable", "state"):
        on = find_value(asked, name, parse_switch)
        if isinstance(on, Known) and not on.value:
            return None
    mode = find_value(asked, "mode", parse_word)
    if isinstance(mode, Known):
        return mode
    return Known("lossless", Origin.INTENDED, asked.proof.where, ROCE_PAGE)


def add_presets(written: ObjectNode, release: str = "", *, has_groups: bool = False) -> ObjectNode:
    """Return the configured statements over the defaults of the operating system or the RoCE profile.

    No page documents the defaults of releases before `DOCUMENTED`; *has_groups*: nor the scheduling of this file.
    """
    mode = list_roce_statements(written)
    root = ObjectNode(written.proof)
    is_documented = _parse_release(release) >= DOCUMENTED
    if is_documented:
        _lay(root, written, _TIMING, _BY_DEFAULT)
    if mode is None and is_documented:
        plain = tuple(text for text in _PLAIN if not (has_groups and text.startswith("egress-scheduler")))
        _lay(root, written, plain, _BY_DEFAULT)
    elif mode and mode.value in _PROFILES:
        proof = Proof(mode.where or written.proof.where, Origin.INTENDED, ROCE_PAGE)
        _lay(root, written, _PROFILES[mode.value], proof)
        cable = written.at("qos", "roce", "cable-length")
        if cable:  # up to release 5.3 it is written here, and of the profile of PFC after that
            root.put(("qos", "pfc", "default-global", "cable-length"), cable.proof)
            (root.at("qos", "pfc", "default-global", "cable-length") or root).lay(cable)
        if mode.value == "lossy-multi-tc":
            priority = 5 if _parse_release(release) >= MULTI_TC_CHANGED else 0
            _lay(root, written, (f"mapping default-global dscp 41-50 switch-priority {priority}",), proof)
    root.lay(written)
    return root


def list_default_maps(root: ObjectNode) -> ObjectNode:
    """Return the classification of an empty profile."""
    found = ObjectNode(root.proof)
    _lay(found, ObjectNode(root.proof), MAPS, _BY_DEFAULT)
    return found.at("qos", "mapping", "default-global") or found


def _lay(root: ObjectNode, written: ObjectNode, statements: tuple[str, ...], proof: Proof) -> None:
    for text in statements:
        words = ("qos", *text.split())
        if not _is_replaced(written, words):
            for path in _list_paths(words):
                root.put(path, proof)


@lru_cache(maxsize=256)
def _list_paths(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the paths of a preset statement, of which there are few."""
    return tuple(list_paths(words) or ())


def _is_replaced(written: ObjectNode, words: tuple[str, ...]) -> bool:
    """Return whether a configured list replaces the preset list instead of adding to it.

    Lists of paused priorities and complete maps replace it. Without RoCE, lists of marking and of scheduled queues
    replace it, too.
    """
    kind, profile = words[1], words[2]

    def says(name: str) -> bool:
        found = written.at("qos", kind, profile, name)
        return found is not None and bool(found.children)

    if kind == "mapping":
        return written.at("qos", kind, profile, f"{words[3]}-only") is not None
    if kind == "pfc":
        return words[3] == "switch-priority" and says("switch-priority")
    if kind in {"congestion-control", "egress-scheduler"} and list_roce_statements(written) is None:
        return says("traffic-class")
    return False


def _parse_release(release: str) -> tuple[int, ...]:
    """Return a release as numbers; an unknown release counts as the newest.

    >>> _parse_release("Cumulus Linux 5.9.2"), _parse_release("")
    ((5, 9), (99,))
    """
    found = re.search(r"(\d{1,3})\.(\d{1,3})", release)
    return (int(found[1]), int(found[2])) if found else (99,)
