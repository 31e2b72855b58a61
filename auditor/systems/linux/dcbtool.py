"""`dcbtool gc` and `go` of lldpad: CEE features of a port, as configured and as they operate after DCBX."""

from collections.abc import Callable, Mapping

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import text
from auditor.systems.linux.command import QOS, Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port, make_service
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.systems.linux.tlv import TlvSheet, build_config, take_groups
from auditor.util.regex import regex

_FIELD = regex(r"([A-Za-z0-9' ]+?):\s*(.*)")
_RANKS = {"Get Config": Rank.REQUESTED, "Get Oper": Rank.RUNNING}
"""The rank of each query; a query of the peer shows no setting of the port."""
_EIGHT = len(text.PRIORITIES)


def read_dcbtool(capture: Capture, call: Call) -> Events:
    """Yield PFC, priority groups and willingness that one query shows."""
    sheet, netdev, asked, feature, is_off = TlvSheet(), call.subject.netdev, "", "", False
    for index, line in text.list_lines(capture):
        match, where = _FIELD.fullmatch(line), capture.where(index)
        name, value = (match[1], match[2].strip()) if match else ("", "")
        if name in {"Command", "Port"}:
            asked, netdev = (value, netdev) if name == "Command" else (asked, value)
            yield mark_modelled(index)
        elif name in {"Enable", "Oper Mode"} and value in {"true", "false"}:
            is_off = is_off or value == "false"
            yield mark_modelled(index)
        elif name == "Feature":
            feature = value
            yield mark_modelled(index)
        elif name in _FIELDS and asked in _RANKS and feature in _FEATURE_OF.get(name, feature):
            expected = _FIELDS[name](sheet, value, where)
            yield text.make_doubt(capture, index, expected) if expected else mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
    rank = _RANKS.get(asked)
    if rank is None or not netdev:
        return
    yield make_service("lldpad", "active", capture.where(0))  # the tool repeats the daemon's answer
    if is_off:  # a disabled feature has no effect
        sheet = TlvSheet(enabled=Known((), Origin.LEARNED, sheet.enabled.where) if sheet.enabled else None)
    said = make_port(build_config(sheet, capture.where(0)), capture.where(0))
    yield PortFact(Subject(netdev=netdev), said, Strength.NIC, rank)


def _take_priorities(sheet: TlvSheet, value: str, where: Where) -> str:
    bits = text.parse_wholes(value.split(), range(2))
    if bits is None or len(bits) != _EIGHT:
        return "0 or 1 for each of the eight priorities"
    sheet.enabled = Known(tuple(p for p, bit in enumerate(bits) if bit), Origin.LEARNED, where)
    return ""


def _take_groups(sheet: TlvSheet, value: str, where: Where) -> str:
    groups = text.parse_wholes(value.split(), text.PRIORITIES)
    if groups is None or len(groups) != _EIGHT:
        return "a priority group of 0 to 7 for each of the eight priorities"
    sheet.carried = {p: Known(group, Origin.LEARNED, where) for p, group in enumerate(groups)}
    return ""


def _take_willing(sheet: TlvSheet, value: str, where: Where) -> str:
    if value not in {"true", "false"}:
        return "true or false"
    sheet.willing[""] = Known(value == "true", Origin.LEARNED, where)
    return ""


_FIELDS: Mapping[str, Callable[[TlvSheet, str, Where], str]] = {
    "pfcup": _take_priorities,
    "pgid": _take_groups,
    "pgpct": take_groups,
    "Willing": _take_willing,
}

_FEATURE_OF = {"pfcup": "Priority Flow Control", "pgid": "Priority Groups", "pgpct": "Priority Groups"}
"""The feature whose value of a field counts; the other feature prints a wrong value."""

COMMANDS = (
    Command(
        "dcbtool gc {netdev} FEATURE",
        r"dcbtool (?:gc|go|gp) {netdev}(?: .+)?",
        read_dcbtool,
        QOS,
        r"^Command:\s+Get (?:Config|Oper|Peer)$",
        "PFC, priority groups and willingness of CEE, as configured and as they operate",
    ),
)
