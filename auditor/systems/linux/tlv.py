"""TLVs as `lldptool -ti IF` (the port's own), `lldptool -tni IF` (the neighbour's) and `niccli qos` print them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import PeerPort, Pfc, Port, PortConfig
from auditor.model.qos import Classification, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import qos, text
from auditor.systems.linux.command import QOS, Command
from auditor.systems.linux.dcb import DSCP_TRUST
from auditor.systems.linux.evidence import Call, Event, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port, make_service
from auditor.systems.linux.fetch import ADAPTER, BNXT, NETDEV, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"[A-Za-z0-9 /()-]+ (?:TLV|LTV):?|End of LLDPDU \w+|(?:APP|App)#\d{1,4}:")
_NEIGHBOUR = regex(r"\bt(?:ni|in)\b|\s-n\b")
_CEE_FLAGS = regex(r"(?:Enabled|Disabled), (Willing|Not Willing), .*")
_PAIR = regex(r"(\d):(\S+)")
_GROUP = regex(r"(\d):\[([\d,]*)\]")
_FIELD = regex(r"([^:]+):\s*(.*)")
_ONE = regex(r"(\w+)=(.*)")
_WHOLE = 100


@dataclass(slots=True)
class TlvSheet:
    """The values of one port in a listing so far."""

    enabled: Known[tuple[int, ...]] | None = None
    carried: dict[int, Known[int]] = field(default_factory=dict)
    shares: dict[int, Known[float]] = field(default_factory=dict)
    groups: dict[int, Known[float]] = field(default_factory=dict)
    """The shares of CEE priority groups, which have no algorithm of their own."""
    caps: dict[int, Known[float]] = field(default_factory=dict)
    """The rate limits of traffic classes, in per cent of the port's speed."""
    algorithms: dict[int, Known[str]] = field(default_factory=dict)
    dscps: dict[int, Known[str]] = field(default_factory=dict)
    entry: dict[str, int] = field(default_factory=dict)
    system: str = ""
    port: str = ""
    section: str = ""
    neighbour_line: Where | None = None
    willing: dict[str, Known[bool]] = field(default_factory=dict)
    max_traffic_classes: Setting[int] = NOT_COLLECTED
    max_pfc_classes: Setting[int] = NOT_COLLECTED
    chassis: str = ""


def read_tlvs(capture: Capture, call: Call) -> Events:
    """Yield the settings of the port's TLVs, or with `-n` its neighbour."""
    sheet = TlvSheet()
    of_neighbour = bool(_NEIGHBOUR.search(call.text))
    about = call.subject
    for index, line in text.list_lines(capture):
        event = _read_line(sheet, capture, index, line, of_neighbour=of_neighbour)
        if event:
            yield event
    where = capture.where(0)
    is_shown = any(_HEAD.fullmatch(line) for _, line in text.list_lines(capture))
    if call.text.startswith("lldptool") and is_shown:
        yield make_service("lldpad", "active", where)  # the tool repeats the daemon's answer
    if of_neighbour:
        peer: Setting[PeerPort] = NOT_COLLECTED
        system = sheet.system or sheet.chassis
        if system and sheet.port:
            peer = Known(PeerPort(system, sheet.port, "lldp"), Origin.LEARNED, sheet.neighbour_line)
        yield PortFact(about, Port("", PortConfig(), where, peer=peer), Strength.NIC)
    else:
        # the daemon shows its own configuration; other captures show the adapter
        rank = Rank.REQUESTED if call.text.startswith("lldptool") else Rank.RUNNING
        yield PortFact(about, make_port(build_config(sheet, where), where), Strength.NIC, rank)
        if sheet.dscps:
            first = next(iter(sheet.dscps.values()))
            trust = Classification(trust=Known(Trust.DSCP, Origin.LEARNED, first.where, DSCP_TRUST))
            said = make_port(PortConfig(classification=trust), where)
            yield PortFact(about, said, Strength.NIC, Rank.FALLBACK)


def _read_line(sheet: TlvSheet, capture: Capture, index: int, line: str, *, of_neighbour: bool) -> Event | None:
    if _HEAD.fullmatch(line):
        sheet.section, sheet.entry = line, {}
        return mark_ignored(index)
    if of_neighbour:
        return _read_neighbour(sheet, capture, index, line)
    match, flags = _FIELD.fullmatch(line), _CEE_FLAGS.fullmatch(line)
    if flags:
        sheet.willing[sheet.section] = Known(flags[1] == "Willing", Origin.LEARNED, capture.where(index))
        return mark_modelled(index)
    name, value = (match[1].strip(), match[2].strip()) if match else ("", "")
    one = _ONE.fullmatch(line)
    if one and one[1] in _ARGUMENTS:
        name, value = _ARGUMENTS[one[1]], one[2].replace(",", " ").strip()
    if name not in _FIELDS:
        return None if not match and text.is_error(line) else mark_not_modelled(index)
    expected = _FIELDS[name](sheet, value, capture.where(index))
    return text.make_doubt(capture, index, expected) if expected else mark_modelled(index)


def _read_neighbour(sheet: TlvSheet, capture: Capture, index: int, line: str) -> Event | None:
    if sheet.section.startswith("System Name"):
        sheet.system, sheet.neighbour_line = line, capture.where(index)
        return mark_modelled(index)
    if sheet.section.startswith("Port ID"):
        sheet.port = sheet.port or line.partition(":")[2].strip() or line
        return mark_modelled(index)
    if sheet.section.startswith("Chassis ID"):
        sheet.chassis = sheet.chassis or line.partition(":")[2].strip() or line
        sheet.neighbour_line = sheet.neighbour_line or capture.where(index)
        return mark_modelled(index)
    return None if text.is_error(line) or not sheet.section else mark_not_modelled(index)


def _take_enabled(sheet: TlvSheet, value: str, where: Where) -> str:
    words = [] if value == "none" else re.split(r"[\s,]+", value)
    priorities = text.parse_wholes((word for word in words if word), text.PRIORITIES)
    if priorities is None:
        return "priorities of 0 to 7, or none"
    sheet.enabled = Known(tuple(sorted(set(priorities))), Origin.LEARNED, where)
    return ""


def _take_map(sheet: TlvSheet, value: str, where: Where) -> str:
    found = {int(p): text.parse_whole(tc, text.PRIORITIES) for p, tc in _PAIR.findall(value)}
    if len(found) != len(value.split()) or None in found.values() or not found.keys() <= set(text.PRIORITIES):
        return "a traffic class of 0 to 7 for each priority"
    sheet.carried |= {p: Known(tc, Origin.LEARNED, where) for p, tc in found.items() if tc is not None}
    return ""


def _take_groups(sheet: TlvSheet, value: str, where: Where) -> str:
    found = {int(group): text.parse_wholes(ps.split(","), text.PRIORITIES) for group, ps in _GROUP.findall(value)}
    if len(found) != len(value.split()) or None in found.values():
        return "priorities of 0 to 7 in brackets for each group"
    for group, priorities in found.items():
        sheet.carried |= {p: Known(group, Origin.LEARNED, where) for p in priorities or ()}
    return ""


def _take_class_shares(sheet: TlvSheet, value: str, where: Where) -> str:
    """Take the shares of the traffic classes, in per cent; return the expected form of bad shares."""
    return _take_shares(sheet.shares, value, where)


def _take_caps(sheet: TlvSheet, value: str, where: Where) -> str:
    """Take the rate limits of the traffic classes, in per cent; 0 and 100 limit nothing."""
    found: dict[int, Known[float]] = {}
    expected = _take_shares(found, value, where)
    sheet.caps |= {number: cap for number, cap in found.items() if 0 < cap.value < _WHOLE}
    return expected


def take_groups(sheet: TlvSheet, value: str, where: Where) -> str:
    """Take the shares of CEE priority groups, in per cent; return the expected form of bad shares."""
    return _take_shares(sheet.groups, value, where)


def _take_shares(shares: dict[int, Known[float]], value: str, where: Where) -> str:
    words = [word.removesuffix("%") for word in value.split()]
    pairs = [word.split(":", 1) if ":" in word else [str(n), word] for n, word in enumerate(words)]
    found = {text.parse_whole(number, text.PRIORITIES): text.parse_number(share, most=100) for number, share in pairs}
    if None in found or None in found.values():
        return "a share of 0 to 100 per cent for each traffic class"
    shares |= {n: Known(s, Origin.LEARNED, where) for n, s in found.items() if n is not None and s is not None}
    return ""


def _take_algorithms(sheet: TlvSheet, value: str, where: Where) -> str:
    found = {int(number): name for number, name in _PAIR.findall(value)}
    known = {*qos.SCHEDULERS, "cbs"}
    if len(found) != len(value.split()) or not set(found.values()) <= known or not found.keys() <= set(text.PRIORITIES):
        return "strict, ets or vendor for each traffic class"
    sheet.algorithms |= {number: Known(name, Origin.LEARNED, where) for number, name in found.items()}
    return ""


def _take_willing(sheet: TlvSheet, value: str, where: Where) -> str:
    if value not in {"yes", "no"}:
        return "yes or no"
    sheet.willing[sheet.section] = Known(value == "yes", Origin.LEARNED, where)
    return ""


def _take_limit(name: str, sheet: TlvSheet, value: str, where: Where) -> str:
    number = text.parse_whole(value, range(9))
    if number is None:
        return "a number of 0 to 8"
    setattr(sheet, name, Known(number, Origin.LEARNED, where))
    return ""


_DSCP_SELECTOR = 5


def _take_entry(name: str, sheet: TlvSheet, value: str, where: Where) -> str:
    allowed = {"Priority": text.PRIORITIES, "Sel": text.PRIORITIES, "DSCP": text.DSCPS}[name]
    number = text.parse_whole(value, allowed)
    if number is None:
        return f"a number of 0 to {allowed.stop - 1}"
    sheet.entry[name] = number
    if sheet.entry.keys() >= {"Priority", "Sel", "DSCP"} and sheet.entry["Sel"] == _DSCP_SELECTOR:
        earlier = sheet.dscps.get(sheet.entry["DSCP"])
        highest = max(sheet.entry["Priority"], int(earlier.value) if earlier else 0)
        sheet.dscps[sheet.entry["DSCP"]] = Known(str(highest), Origin.LEARNED, where)
    return ""


_FIELDS: Mapping[str, Callable[[TlvSheet, str, Where], str]] = {
    "PFC enabled": _take_enabled,
    "PFC enabled priorities": _take_enabled,
    "PRIO_MAP": _take_map,
    "Willing": _take_willing,
    "MAX_TCS": lambda sheet, value, where: _take_limit("max_traffic_classes", sheet, value, where),
    "PFC capable traffic classes": lambda sheet, value, where: _take_limit("max_pfc_classes", sheet, value, where),
    "PGID Priorities": _take_groups,
    "TC Bandwidth": _take_class_shares,
    "TC Rate Limit": _take_caps,
    "PGID Percentages": take_groups,
    "TSA_MAP": _take_algorithms,
    "Priority": lambda sheet, value, where: _take_entry("Priority", sheet, value, where),
    "Sel": lambda sheet, value, where: _take_entry("Sel", sheet, value, where),
    "DSCP": lambda sheet, value, where: _take_entry("DSCP", sheet, value, where),
}


_ARGUMENTS = {
    "enabled": "PFC enabled",
    "willing": "Willing",
    "up2tc": "PRIO_MAP",
    "tsa": "TSA_MAP",
}
"""Arguments of `lldptool -ti IF -V TLV -c`, with the same field of a listing."""


def build_config(sheet: TlvSheet, where: Where) -> PortConfig:
    """Return the configuration of the port of *sheet*; *where* is the head of the listing."""
    enabled = sheet.enabled
    priorities = qos.Priorities(queues=sheet.carried, lossless=enabled or NOT_COLLECTED)
    table: Known[Mapping[int, Known[str]]] | None = None
    if sheet.dscps:
        table = Known(dict(sorted(sheet.dscps.items())), Origin.LEARNED, next(iter(sheet.dscps.values())).where)
    numbers = sorted({known.value for known in sheet.carried.values()} | sheet.algorithms.keys() | sheet.groups.keys())
    queues = tuple(_build_class(sheet, number, where) for number in numbers)
    return PortConfig(
        pfc=qos.make_pfc(enabled) if enabled else Pfc(),
        classification=Classification(
            classes=priorities.classes(where) if enabled or sheet.carried or sheet.dscps else NOT_COLLECTED,
            dscp_to_class=table or NOT_COLLECTED,
        ),
        queues=Known(
            tuple(each.queue(_list_priorities(sheet, each)) for each in queues), Origin.LEARNED, queues[0].head.where
        )
        if queues
        else NOT_COLLECTED,
        nic=Nic(
            # a port is willing that takes over any part of what its neighbour says
            dcbx_willing=next((w for w in sheet.willing.values() if w.value), None)
            or next(iter(sheet.willing.values()), NOT_COLLECTED),
            max_traffic_classes=sheet.max_traffic_classes,
            max_pfc_classes=sheet.max_pfc_classes,
        ),
    )


def _build_class(sheet: TlvSheet, number: int, where: Where) -> qos.EtsClass:
    algorithm, group = sheet.algorithms.get(number), sheet.groups.get(number)
    head = algorithm or group or Known("", Origin.LEARNED, where)
    name = algorithm.value if algorithm else "ets" if group else ""
    # without its algorithm the share of a class may count or not
    share = sheet.shares.get(number) if algorithm else group
    return qos.EtsClass(number, name, head, share, cap=sheet.caps.get(number))


def _list_priorities(sheet: TlvSheet, each: qos.EtsClass) -> Setting[tuple[int, ...]]:
    own = tuple(sorted(p for p, known in sheet.carried.items() if known.value == each.number))
    where = next((known.where for known in sheet.carried.values()), each.head.where)
    return Known(own, Origin.LEARNED, where) if sheet.carried else NOT_COLLECTED


def read_anonymous(capture: Capture, _: Call) -> Events:
    """Yield no setting of TLVs without their command: TLVs of a port and of its neighbour look alike."""
    numbered = tuple(text.list_lines(capture))
    for index, _line in numbered:
        yield mark_not_modelled(index)
    if any(_HEAD.fullmatch(line) for _index, line in numbered):
        yield text.make_doubt(capture, 0, "the command that printed these TLVs, lldptool -ti IF or lldptool -tni IF")


NICCLI = (
    Command(
        "niccli[ -dev {card}] qos --ets --show",
        r"(?:niccli|bnxtqos)(?: --?(?:dev|i|index) {card})? (?:qos --ets --show|get_?qos)",
        read_tlvs,
        QOS,
        r"^ *IEEE 8021QAZ \w+ .*TLV:$",
        "traffic classes, PFC, DSCP map (Broadcom)",
        fetch=(
            Fetch(
                ("niccli --dev {adapter} qos --ets --show",), "trust, ETS and PFC", ADAPTER, drivers=BNXT, is_root=True
            ),
        ),
    ),
)
COMMANDS = (
    Command(
        "lldptool -ti[ {netdev}]",
        r"lldptool (?:-t -i|-?ti|-?tni|-?tin|-t -n -i|-n -t -i|get-tlv -i) {netdev}(?: -n)?(?: -V .+)?(?: -n)?",
        read_tlvs,
        (*QOS, "peer"),
        shows="traffic classes, PFC and DSCP map as requested of lldpad, willingness; the neighbour with -n",
        fetch=(
            Fetch(("lldptool -ti {netdev}",), "DCBX as this end has it", NETDEV, is_root=True),
            Fetch(("lldptool -tni {netdev}",), "DCBX as the switch offers it", NETDEV, is_root=True, by=SCRIPT),
        ),
    ),
    Command("lldptool", r"lldptool .+", read_anonymous, content=r"\AChassis ID TLV$"),
)
