"""Which local priority AOS-CX gives a code point: the documented rows of its default maps, and the maps in outputs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.grammar.operational import Ports
from auditor.grammar.show import command_text
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port, PortConfig
from auditor.model.qos import Classification, ValueMap
from auditor.model.setting import Known, Origin, Setting
from auditor.util.regex import regex

DSCP_PAGE = (
    "AOS-CX Quality of Service Guide, show qos dscp-map, and Configuring expedited forwarding for VoIP traffic; "
    "https://support.hpe.com/techhub/eginfolib/Aruba/8320_10.01/5200-5120/GUID-B3CEA19F-0816-4DDB-BEB6-26B3321AB026.html"
)
"""The guides leave rows of the table out for brevity; what these rows hold is on no page that could be read."""
DEFAULT_DSCP: Mapping[int, int] = {
    **dict.fromkeys(range(8), 1),
    8: 0,
    16: 2,
    24: 3,
    32: 4,
    **dict.fromkeys(range(40, 48), 5),
    48: 6,
    56: 7,
    **dict.fromkeys(range(61, 64), 7),
}
"""Local priorities of the code points that the guides show, where no line maps them."""
COS_PAGE = "AOS-CX 10.18 Quality of Service Guide for 832x, 9300 and 10000, show qos cos-map default"
DEFAULT_COS: Mapping[int, int] = {0: 1, 1: 0} | {cos: cos for cos in range(2, 8)}
DSCP_SIGN = regex(
    r"^[^\S\n]*(?:[01]{6} +)?(?:[89]|[1-5]\d|6[0-3]) +[0-7] +(?:\d +)?(?:green|yellow|red)\b", re.MULTILINE
)
COS_SIGN = regex(r"^[^\S\n]*code_point +local_priority +color +name\b", re.MULTILINE)
DSCP_MAP, COS_MAP = "show qos dscp-map", "show qos cos-map"
_ROW = regex(r"(?:[01]{6} +)?(?P<point>\d{1,2}) +(?P<to>[0-7]) +(?:\d +)?(?:green|yellow|red)\b.*")
_OF_DEFAULTS = regex(r"-map default\b")


def read_map(capture: Capture, _ports: Ports) -> list[LineState]:
    """Return the states of the lines of `show qos dscp-map` or `show qos cos-map`, which `learn_maps` reads."""
    return [LineState.MODELLED if _ROW.fullmatch(line.strip()) else LineState.IGNORED for line in capture.lines]


def _list_rows(capture: Capture) -> Iterator[tuple[int, Known[str]]]:
    origin = Origin.DEFAULT if _OF_DEFAULTS.search(command_text(capture)) else Origin.LEARNED
    for index, line in enumerate(capture.lines):
        if row := _ROW.fullmatch(line.strip()):
            yield int(row["point"]), Known(row["to"], origin, capture.where(index))


def learn_maps(device: Device, maps: Sequence[tuple[str, Capture]]) -> Device:
    """Return a switch whose ports have the rows of *maps*, each with its command, that their configuration leaves open.

    Ports of equal configuration still share it.
    """
    learned: dict[str, dict[int, Known[str]]] = {DSCP_MAP: {}, COS_MAP: {}}
    for command, capture in maps:
        learned[command].update(_list_rows(capture))
    if not any(learned.values()):
        return device
    made: dict[int, PortConfig] = {}
    return replace(device, ports=tuple(_learn_port(port, learned, made) for port in device.ports))


def _learn_port(port: Port, learned: Mapping[str, Mapping[int, Known[str]]], made: dict[int, PortConfig]) -> Port:
    key = id(port.config)
    if key not in made:
        sorting = port.config.classification
        made[key] = replace(port.config, classification=_learn_sorting(sorting, learned))
    return replace(port, config=made[key])


def _learn_sorting(sorting: Classification, learned: Mapping[str, Mapping[int, Known[str]]]) -> Classification:
    return replace(
        sorting,
        dscp_to_class=_fill(sorting.dscp_to_class, learned[DSCP_MAP]),
        pcp_to_class=_fill(sorting.pcp_to_class, learned[COS_MAP]),
    )


def _fill(own: Setting[ValueMap], rows: Mapping[int, Known[str]]) -> Setting[ValueMap]:
    if not rows:
        return own
    if not isinstance(own, Known):  # the map of the factory is not the one that is in effect
        rows = {point: row for point, row in rows.items() if row.origin is Origin.LEARNED}
        return Known(dict(sorted(rows.items())), Origin.LEARNED, next(iter(rows.values())).where) if rows else own
    return replace(own, value=dict(sorted({**rows, **own.value}.items())))
