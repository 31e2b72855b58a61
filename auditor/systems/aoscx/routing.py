"""Routing of AOS-CX: addresses, BGP neighbours, and how flows spread over equal-cost paths."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from auditor.grammar.assemble import NOT_READ
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.lines import NEVER, Line
from auditor.grammar.multipath import build_ecmp
from auditor.grammar.operational import Ports
from auditor.grammar.routing import read_routing
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.routing import Routing
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.model.spreading import Ecmp, HashField
from auditor.util.regex import regex

MAX_PATHS = 4
PAGE = "https://support.hpe.com/techhub/eginfolib/Aruba/8400_10.01/5200-5131/GUID-7214BCD3-78D0-44F3-90C5-9A99685FE462.html"
"""`maximum-paths` of BGP: 4 by default, to which `no` goes back."""
_BGP = regex(r"router bgp \d")
_PATHS = regex(r"(?:no maximum-paths(?: \d{1,4})?|maximum-paths (?P<count>\d{1,4}))\Z")
_OTHER_VRF = regex(r"\bvrf (?!default\b)")
ECMP, ECMP_SIGN = "show ip ecmp", regex(r"^[^\S\n]*ECMP Load Balancing by\b", re.MULTILINE)
_FIELD = regex(r"(?P<field>Source IP|Destination IP|Source Port|Destination Port)\s*: (?P<state>Enabled|Disabled)")
_SHOWN = Unknown("`show ip ecmp` tells what the hash reads")
_FIELDS = {
    "Source IP": HashField.SOURCE_IP,
    "Destination IP": HashField.DESTINATION_IP,
    "Source Port": HashField.SOURCE_PORT,
    "Destination Port": HashField.DESTINATION_PORT,
}


def find_routing(config: ViewConfig[Any]) -> Routing:
    """Return the part of the switch in routing; a static route of another VRF is none of the default one."""
    found = read_routing(config.lines, NEVER, is_whole=config.complete)
    return replace(found, static_routes=tuple(each for each in found.static_routes if not _OTHER_VRF.search(each.to)))


def find_ecmp(config: ViewConfig[Any]) -> Ecmp:
    """Return how many paths a route of BGP may have; what the hash reads, `show ip ecmp` alone tells."""
    paths: Setting[int] | None = None
    for capture, lines in config.lines:
        for line in _list_paths(lines):
            where = capture.where(line.index)
            match = _PATHS.match(line.text)
            if match and match["count"]:
                paths = Known(int(match["count"]), Origin.INTENDED, where)
            elif match or paths is None:
                paths = Known(MAX_PATHS, Origin.DEFAULT, where, PAGE) if config.complete else Unset(where)
            config.states[id(capture)][line.index] = LineState.MODELLED
    return build_ecmp(_SHOWN, NOT_READ, {"": paths} if paths else {}, is_whole=config.complete)


def _list_paths(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the heads of BGP processes, and the lines on paths of their default VRF."""
    in_bgp, vrf = False, 0
    for line in lines:
        if not line.text:
            continue
        if not line.indent or (line.mode is not None and _BGP.match(line.text)):
            in_bgp, vrf = bool(_BGP.match(line.text)), 0
            if in_bgp:
                yield line
        elif in_bgp:
            if vrf and line.indent <= vrf:
                vrf = 0
            if line.text.startswith("vrf "):
                vrf = line.indent
            elif not vrf and _PATHS.match(line.text):
                yield line


def read_fields(capture: Capture, _ports: Ports) -> list[LineState]:
    """Return the states of the lines of `show ip ecmp`, which `learn_fields` reads."""
    return [LineState.MODELLED if _FIELD.fullmatch(line.strip()) else LineState.IGNORED for line in capture.lines]


def learn_fields(device: Device, captures: Sequence[Capture]) -> Device:
    """Return a switch with the fields of its hash as *captures* of `show ip ecmp` print them."""
    fields: dict[HashField, bool] = {}
    first: Where | None = None
    for capture in captures:
        for index, line in enumerate(capture.lines):
            if row := _FIELD.fullmatch(line.strip()):
                fields[_FIELDS[row["field"]]] = row["state"] == "Enabled"
                first = first or capture.where(index)
    if len(fields) < len(_FIELDS):
        return device
    read = frozenset(field for field, is_read in fields.items() if is_read)
    return replace(device, ecmp=replace(device.ecmp, fields=Known(read, Origin.LEARNED, first)))
