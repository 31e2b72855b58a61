"""Selectors of NICs in values of charts, ConfigMaps and policies, and what nodes offer of the resources.

The text is read line by line: the same keys stand in YAML, in JSON inside of YAML, and in what a shell prints.
"""

import re
from collections.abc import Iterator
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where
from auditor.model.text_facts import NicSelector, NodeResource
from auditor.util.regex import regex
from auditor.util.values import dataclass

_PROMPT = regex(r"> ?")
_ITEM = r"[\"']?[\w.:/-]{1,64}[\"']?"
_NAME = regex(r"[\s{-]*[\"']?name[\"']?\s*:\s*[\"']?([\w./-]{1,128})[\"']?[\s,}]*")
_RESOURCE = regex(r"\bresourceName[\"']?\s*:\s*[\"']?([\w./-]{1,128})")
_KEYS = {"vendor": "vendors", "vendors": "vendors", "deviceid": "deviceIDs", "deviceids": "deviceIDs"}
_SELECTS = regex(
    r"[\"']?\b(vendors?|deviceIDs?|ifNames|pfNames)[\"']?\s{0,8}:\s{0,8}"
    rf"(?:\[([^\]\[:]{{0,2000}})\]|({_ITEM})(?=[\s,}}\]]|$)|(?=\s{{0,80}}$))"
)
_BELOW = regex(rf"\s*-\s+({_ITEM})\s*(?:#.*)?")
_OFFER = regex(r"[\s{,]*[\"']?([\w.-]{1,100}/[\w.-]{1,100})[\"']?\s*:\s*[\"']?(\d{1,9})k?[\"']?[\s,}]*")
_OF_RDMA = regex(r"rdma|roce|hca|sriov|mlnx|mellanox|infiniband", re.IGNORECASE)
_OFFERS = regex(r"\b(?:[Cc]apacity|[Aa]llocatable)\b")
_ENDS = regex(r"---\s*|\s*kind\s*:.*")


@dataclass(slots=True)
class _Open:
    """A selector that is being read: its resource, whether that is the resource's own name, and its keys."""

    resource: str = ""
    is_named: bool = False
    keys: dict[str, Known[tuple[str, ...]]] = field(default_factory=dict)
    where: Where | None = None


def find_selectors(capture: Capture) -> Iterator[NicSelector]:
    """Yield the selectors of NICs, each with the name of the resource beside it."""
    current, below = _Open(), ""
    for index, raw in enumerate(capture.lines):
        line = _PROMPT.sub("", raw, count=1) if raw.startswith(">") else raw
        if line.lstrip().startswith("#"):
            continue
        if below and (item := _BELOW.fullmatch(line)):
            before = current.keys[below]
            current.keys[below] = Known((*before.value, item[1].strip("\"'")), before.origin, before.where)
            continue
        below = ""
        resource, name = _RESOURCE.search(line), _NAME.fullmatch(line)
        if _ENDS.fullmatch(line) or (current.keys and (name or (resource and current.is_named))):
            yield from _close(current)
            current = _Open()
        if resource or (name and not current.is_named):
            current.resource = (resource or name or [""])[1]
            current.is_named = bool(resource)
        for match in _SELECTS.finditer(line):
            key = _KEYS.get(match[1].lower(), "ifNames")
            if key in current.keys:
                yield from _close(current)
                current = _Open(current.resource)
            current.where = current.where or capture.where(index)
            current.keys[key] = Known(_split_words(match), Origin.INTENDED, capture.where(index))
            below = "" if current.keys[key].value or match[2] is not None else key
    yield from _close(current)


def _split_words(match: re.Match[str]) -> tuple[str, ...]:
    """Return the values behind a key: those of a list, the one value, or none where they follow on lines below."""
    words = re.findall(_ITEM, match[2]) if match[2] is not None else [match[3]] if match[3] else []
    return tuple(word.strip("\"'") for word in words)


def _close(current: _Open) -> Iterator[NicSelector]:
    if current.keys and current.where:
        yield NicSelector(current.resource, dict(current.keys), current.where)


def find_resources(capture: Capture) -> Iterator[NodeResource]:
    """Yield the RDMA resources that a node offers, below `capacity` or `allocatable` alone."""
    offers = bool(_OFFERS.search(capture.command))
    for index, line in enumerate(capture.lines):
        offers = offers or bool(_OFFERS.search(line))
        found = _OFFER.fullmatch(line)
        if offers and found and _OF_RDMA.search(found[1]):
            yield NodeResource(found[1], int(found[2]), capture.where(index))
