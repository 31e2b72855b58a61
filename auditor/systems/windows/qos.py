"""Windows: `Get-NetAdapterQos`, whose Operational fields hold the running values after DCBX."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field

from auditor.grammar.numbers import expand
from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Pfc, PortConfig
from auditor.model.qos import Classification
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Where
from auditor.systems.linux import qos, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact
from auditor.systems.linux.facts import make_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.systems.windows.records import find_adapter
from auditor.util.regex import regex
from auditor.util.values import dataclass

_KEY = regex(r"([A-Z][A-Za-z]+)\s*:\s*(.*)")
_KEYS = frozenset(
    {"Name", "InterfaceDescription", "Enabled", "Capabilities"}
    | {
        f"{side}{what}"
        for side in ("Operational", "Remote", "Local")
        for what in ("TrafficClasses", "FlowControl", "Classifications", "Parameters")
    }
)
_CLASS = regex(r"([0-7])\s+(ETS|Strict)(?:\s+(\d{1,3})%)?\s+([0-7](?:\s*[-,]\s*[0-7])*)", re.IGNORECASE)
_PFC = regex(r"Priorit(?:y|ies)\s+([0-7](?:\s*[-,]\s*[0-7])*)\s+Enabled", re.IGNORECASE)
_SORTED = regex(r"(?:(Default)|(NetDirect)\s+\d{1,5}|\S+\s+\S+)\s+([0-7])", re.IGNORECASE)
_NUMBERS = regex(r"NumTCs\(Max/ETS/PFC\)\s*:\s*(\d)/\d/(\d)\s+(\d)/\d/(\d)")


@dataclass(slots=True)
class _Sheet:
    name: str
    where: Where
    pfc: Known[tuple[int, ...]] | None = None
    classes: list[tuple[qos.EtsClass, tuple[int, ...]]] = field(default_factory=list)
    max_traffic_classes: Setting[int] = NOT_COLLECTED
    max_pfc_classes: Setting[int] = NOT_COLLECTED
    rest: Setting[int] = NOT_COLLECTED
    net_direct: list[Known[int]] = field(default_factory=list)


def read_qos(capture: Capture, call: Call) -> Events:
    """Yield traffic classes and PFC of each adapter; the command names that of an output without a name."""
    sheets: list[_Sheet] = []
    section = ""
    for index, whole in text.list_lines(capture):
        key, line = _KEY.fullmatch(whole), whole
        if key and key[1] in _KEYS:
            section, line = key[1], key[2].strip()
        where = capture.where(index)
        if key and key[1] == "Name" and line:
            sheets.append(_Sheet(line, where))
            yield mark_modelled(index)
            continue
        if not sheets and section in _SECTIONS:
            sheets.append(_Sheet(find_adapter(call.text), where))
        if not sheets and not key and set(line) - set("- "):
            continue  # a table, or lines whose key was cut
        if not sheets or not line or set(line) <= set("- "):
            yield mark_ignored(index)
        else:
            take = _SECTIONS.get(section)
            is_taken = take is not None and take(sheets[-1], line, where)
            is_row = section == "OperationalFlowControl" or (section in _EXPECTED and line[0].isdecimal())
            if is_row and not is_taken:
                yield text.make_doubt(capture, index, _EXPECTED[section])
            else:
                yield mark_modelled(index) if is_taken else mark_not_modelled(index)
    for sheet in sheets:
        yield PortFact(Subject(netdev=sheet.name), make_port(_build_config(sheet), sheet.where))


def _take_class(sheet: _Sheet, line: str, where: Where) -> bool:
    match = _CLASS.fullmatch(line)
    if not match:
        return False
    share = Known(float(match[3]), Origin.LEARNED, where) if match[3] else None
    each = qos.EtsClass(int(match[1]), match[2].lower(), Known(line, Origin.LEARNED, where), share)
    priorities = _parse_priorities(match[4])
    if priorities is not None:
        sheet.classes.append((each, priorities))
    return priorities is not None


def _take_pfc(sheet: _Sheet, line: str, where: Where) -> bool:
    match = _PFC.fullmatch(line)
    words = line.lower().split()
    if not match and words not in (["all", "priorities", "disabled"], ["all", "priorities", "enabled"]):
        return False
    enabled = _parse_priorities(match[1]) if match else () if words[-1] == "disabled" else tuple(text.PRIORITIES)
    if enabled is not None:
        sheet.pfc = Known(enabled, Origin.LEARNED, where)
    return enabled is not None


def _take_classification(sheet: _Sheet, line: str, where: Where) -> bool:
    """Take the priority of RDMA (NetDirect), or the priority of traffic without a policy."""
    match = _SORTED.fullmatch(line)
    if not match or not (match[1] or match[2]):
        return False
    priority = Known(int(match[3]), Origin.LEARNED, where)
    if match[2]:
        sheet.net_direct.append(priority)
    else:
        sheet.rest = priority
    return True


def _find_rdma_priority(sheet: _Sheet) -> Setting[int]:
    """Return the priority of RDMA: its own, else the default priority; unknown if several."""
    found = {each.value: each for each in sheet.net_direct}
    if len(found) > 1:
        return Unknown(f"NetDirect traffic has priorities {', '.join(map(str, sorted(found)))}, by port")
    return next(iter(found.values()), sheet.rest)


def _take_capability(sheet: _Sheet, line: str, where: Where) -> bool:
    match = _NUMBERS.fullmatch(" ".join(line.split())) or _NUMBERS.fullmatch(line)
    if not match:
        return False
    # the current numbers are 0 while QoS is disabled, which says nothing of what the adapter can do
    classes, pfc = int(match[3]) or int(match[1]), int(match[4]) or int(match[2])
    sheet.max_traffic_classes = Known(classes, Origin.LEARNED, where)
    sheet.max_pfc_classes = Known(pfc, Origin.LEARNED, where)
    return True


def _take_state(sheet: _Sheet, line: str, where: Where) -> bool:
    """Take disabled QoS: no PFC runs, and the cmdlet prints no further PFC."""
    if line.lower() != "false":
        return False
    sheet.pfc = Known((), Origin.LEARNED, where)
    return True


_SECTIONS: Mapping[str, Callable[[_Sheet, str, Where], bool]] = {
    "Enabled": _take_state,
    "Capabilities": _take_capability,
    "OperationalTrafficClasses": _take_class,
    "OperationalFlowControl": _take_pfc,
    "OperationalClassifications": _take_classification,
}
_EXPECTED: Mapping[str, str] = {
    "OperationalTrafficClasses": "number, TSA, bandwidth and priorities of a class",
    "OperationalFlowControl": "All Priorities Disabled, or the priorities that are enabled",
}
"""What each line of a section holds, behind the heads of its table."""


def _parse_priorities(listed: str) -> tuple[int, ...] | None:
    """Return the priorities of a list such as `0-3,5-7`; None for a list that is malformed.

    >>> _parse_priorities("0-2, 4"), _parse_priorities("0-2-4"), _parse_priorities("5-3")
    ((0, 1, 2, 4), None, None)
    """
    found = expand(listed, text.PRIORITIES[0], text.PRIORITIES[-1])
    return None if found is None else tuple(sorted(set(found)))


def _build_config(sheet: _Sheet) -> PortConfig:
    queues = tuple(each.queue(Known(priorities, Origin.LEARNED, each.head.where)) for each, priorities in sheet.classes)
    priorities = qos.Priorities(queues=qos.map_queues(queues), lossless=sheet.pfc or NOT_COLLECTED)
    return PortConfig(
        pfc=qos.make_pfc(sheet.pfc) if sheet.pfc else Pfc(),
        classification=Classification(
            classes=priorities.classes(sheet.where) if sheet.pfc or queues else NOT_COLLECTED
        ),
        queues=Known(queues, Origin.LEARNED, sheet.classes[0][0].head.where) if queues else NOT_COLLECTED,
        nic=Nic(
            max_traffic_classes=sheet.max_traffic_classes,
            max_pfc_classes=sheet.max_pfc_classes,
            roce_priority=_find_rdma_priority(sheet),
        ),
    )


COMMANDS = (
    Command(
        "Get-NetAdapterQos",
        r"Get-NetAdapterQos(?: .+)?",
        read_qos,
        ("config.pfc.mode", "config.pfc.priorities", "config.queues", "config.nic.roce_priority"),
        r"^Operational(?:TrafficClasses|FlowControl)\s*:|^[^\S\n]*NumTCs\(Max/ETS/PFC\)\s*:",
        "traffic classes, PFC and the priority of RDMA as they run (Windows)",
    ),
)
