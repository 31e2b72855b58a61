"""What an AOS-CX switch has written for all its ports: trust, maps, profiles of queues, and lossless pools."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.grammar.body import QueueBody, known
from auditor.grammar.config import Config, Place
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import expand
from auditor.grammar.tree import Node
from auditor.model.buffers import Pool
from auditor.model.dump import LineState
from auditor.model.qos import Scheduler, Threshold, Trust, Unit
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.aoscx.interfaces import SCHEDULE, THRESHOLD, TRUSTS

QUEUE_PROFILE = "qos queue-profile"
KBYTE = 1000
"""Aruba does not document whether a kbyte is 1000 or 1024 bytes; no rule hangs on the difference."""


@dataclass(slots=True)
class AosCx:
    """What is written for the whole switch.

    `queue_maps` and `profiles` are keyed by the name of the profile, `applied` holds the names in force by their kind.
    """

    trust: Setting[Trust] = NOTHING
    dscp: dict[int, Known[int]] = field(default_factory=dict)
    cos: dict[int, Known[int]] = field(default_factory=dict)
    queue_maps: dict[str, dict[int, Known[int]]] = field(default_factory=dict)
    profiles: dict[tuple[str, str], dict[int, QueueBody]] = field(default_factory=dict)
    applied: dict[str, Known[str]] = field(default_factory=dict)
    pools: dict[str, Pool] = field(default_factory=dict)


_MAP = re.compile(r"qos (?P<what>dscp|cos)-map (?P<values>\d[\d,-]*) local-priority (?P<to>[0-7])\b")
_PROFILE = re.compile(r"(?P<kind>qos (?:queue|schedule|threshold)-profile) (?P<name>\S+)\Z")
_APPLIED = re.compile(r"(?P<kind>(?:queue|schedule|threshold)-profile) (?P<name>\S+)")
_POOL = re.compile(
    r"qos pool (?P<name>\d{1,2}) lossless size (?P<percent>\d{1,3}(?:\.\d{1,3})?) percent"
    r"(?: headroom (?P<headroom>\d{1,9}) kbytes)?(?: priorities (?P<priorities>[\d,-]+))?\Z"
)


def block(config: Config[AosCx], node: Node, place: Place) -> bool:
    """Read a view or line of the whole switch."""
    where, system = place(node.index), config.system
    trust, profile = re.match(r"qos trust (dscp|cos|none)\Z", node.text), _PROFILE.match(node.text)
    mapped, pool = _MAP.match(node.text), _POOL.match(node.text)
    if profile:
        _profile(config, node, profile["kind"], profile["name"], place)
        return True
    if trust:
        system.trust = known(TRUSTS[trust[1]], where)
    elif mapped:
        values = expand(mapped["values"], 0, 63 if mapped["what"] == "dscp" else 7)
        if values is None:
            return False
        table = system.dscp if mapped["what"] == "dscp" else system.cos
        table.update(dict.fromkeys(values, known(int(mapped["to"]), where)))
    elif pool:
        headroom = pool["headroom"]
        system.pools[pool["name"]] = Pool(
            name=pool["name"],
            direction="both",
            lossless=known(value=True, where=where),
            memory_percent=known(float(pool["percent"]), where),
            shared_headroom_bytes=known(int(headroom) * KBYTE, where) if headroom else NOT_COLLECTED,
        )
    elif node.text.startswith("apply qos "):
        for match in _APPLIED.finditer(node.text):
            kind, name = f"qos {match['kind']}", match["name"]
            system.applied[kind] = known(name, where)
            config.used.setdefault((kind, name), where)
    else:
        return False
    config.states[node.index] = LineState.MODELLED
    return True


def _profile(config: Config[AosCx], node: Node, kind: str, name: str, place: Place) -> None:
    config.states[node.index] = LineState.MODELLED
    config.defined.setdefault((kind, name), place(node.index))
    queues = config.system.profiles.setdefault((kind, name), {})
    for child in node.children:
        where = place(child.index)
        if kind == QUEUE_PROFILE:
            is_read = _queue_map(config.system.queue_maps.setdefault(name, {}), child.text, where)
        else:
            is_read = _OF_KIND[kind](queues, child.text, where)
        if is_read:
            config.states[child.index] = LineState.MODELLED
        elif child.text.startswith(("name ", "no ")):
            config.states[child.index] = LineState.NOT_MODELLED


_MAPPED = re.compile(r"map queue (?P<queue>[0-7]) local-priority (?P<list>[\d,-]+)\Z")
_MARKED = re.compile(
    r"queue (?P<queue>[0-7]) action ecn all (?:threshold (?P<at>\d{1,7}) kbytes|"
    r"min-threshold (?P<low>\d{1,7}) kbytes max-threshold (?P<high>\d{1,7}) kbytes)\Z"
)
_SCHEDULED = re.compile(
    r"(?:(?P<strict>strict) queue (?P<first>[0-7])|dwrr queue (?P<queue>[0-7]) weight (?P<weight>\d{1,4}))"
)


def _queue_map(table: dict[int, Known[int]], text: str, where: Where) -> bool:
    match = _MAPPED.match(text)
    priorities = expand(match["list"], 0, 7) if match else None
    if match is None or priorities is None:
        return False
    table.update(dict.fromkeys(priorities, known(int(match["queue"]), where)))
    return True


def _marked(queues: dict[int, QueueBody], text: str, where: Where) -> bool:
    match = _MARKED.match(text)
    if match is None:
        return False
    queue = queues.setdefault(int(match["queue"]), QueueBody(where))
    low, high = (int(match[name] or match["at"]) * KBYTE for name in ("low", "high"))
    queue.ecn = known(value=True, where=where)
    queue.ecn_min, queue.ecn_max = known(Threshold(low, Unit.BYTES), where), known(Threshold(high, Unit.BYTES), where)
    if match["at"]:
        queue.probability = known(1.0, where)
    return True


def _scheduled(queues: dict[int, QueueBody], text: str, where: Where) -> bool:
    match = _SCHEDULED.match(text)
    if match is None:
        return False
    queue = queues.setdefault(int(match["queue"] or match["first"]), QueueBody(where))
    queue.scheduler = known(Scheduler.STRICT if match["strict"] else Scheduler.DWRR, where)
    if match["weight"]:
        queue.weight = known(int(match["weight"]), where)
    return True


_OF_KIND: Mapping[str, Callable[[dict[int, QueueBody], str, Where], bool]] = {
    THRESHOLD: _marked,
    SCHEDULE: _scheduled,
}


def pools(config: Config[AosCx]) -> Setting[tuple[Pool, ...]]:
    """Return the lossless pools; what else there is by default is not documented."""
    found = tuple(config.system.pools.values())
    return Known(found, Origin.INTENDED, found[0].lossless.known().where) if found else NOT_COLLECTED
