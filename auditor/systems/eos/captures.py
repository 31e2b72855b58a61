"""Show outputs of EOS: neighbours, interface status and PFC, as learned values by port."""

import re
from collections.abc import Callable, Mapping

from auditor.grammar.operational import Learned, Meeting, Ports, keep
from auditor.grammar.status import StatusTable
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.eos.names import PORT, full_name


def _port(ports: Ports, name: str, where: Where) -> Learned | None:
    full = full_name(name)
    return ports.setdefault(full, Learned(where)) if PORT.match(full) else None


_STATUS = re.compile(
    r"(?P<port>(?:Et|Po|Ma|Vx|Un)\d\S*)\s+(?:.*\s)?"
    r"(?P<status>connected|notconnect|disabled|errdisabled|inactive|unknown)"
    r"\s+(?P<vlan>in Po\d+|\S+)\s+(?P<duplex>(?:a-)?(?:full|half)|auto|unconf)\s+(?P<speed>\S+)"
)


interface_status = StatusTable(
    _STATUS, re.compile(r"Et\d"), _port, up="connected", disabled="disabled", lag="Port-Channel"
).read


_DETECTED = re.compile(r"Interface (?P<port>\S+) detected (?P<count>\d{1,4}) LLDP neighbors")
_FIELD = re.compile(r"(?:- )?(?P<key>Port ID|System Name)\s*: \"?(?P<value>[^\"]*)\"?\Z")


def lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: for each port its neighbours, of which the first that has a name counts.

    A `Port ID` also stands below the link aggregation TLV: the first of a neighbour is its own.
    """
    states = []
    meeting = Meeting()
    port: Learned | None = None
    port_id = ""
    for index, line in enumerate(capture.lines):
        text = line.strip()
        where = capture.where(index)
        head, found = _DETECTED.match(text), _FIELD.match(text)
        if head:
            port, port_id = _port(ports, head["port"], where), ""
        elif text.startswith("Neighbor "):
            port_id = ""
        elif found and found["key"] == "Port ID" and not port_id:
            port_id = found["value"].strip()
            if port:
                meeting.add(port, "", port_id, where)
        elif found and found["key"] == "System Name" and port and port_id:
            meeting.add(port, found["value"].strip(), port_id, where)
        states.append(LineState.MODELLED if head or found else LineState.IGNORED)
    return states


_NEIGHBOUR = re.compile(r"(?P<local>(?:Et|Ma)\d\S*)\s+(?P<name>\S+)\s+(?P<port>\S.*?)\s+(?P<ttl>\d{1,6})\Z")


def lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`: one row for each neighbour."""
    states = []
    meeting = Meeting()
    for index, line in enumerate(capture.lines):
        match = _NEIGHBOUR.match(line.strip())
        states.append(LineState.MODELLED if match else LineState.IGNORED)
        port = _port(ports, match["local"], capture.where(index)) if match else None
        if port and match:
            meeting.add(port, match["name"], match["port"], capture.where(index))
    return states


_PFC_ROW = re.compile(r"(?P<port>Et\S+)\s+(?:Yes|No)\s+(?P<priorities>[\d, -]*?)\s+(?P<active>Yes|No)\b")

_PFC_LEGEND = re.compile(r"E: PFC Enabled, D: PFC Disabled, A: PFC Active\b.*")
_PFC_STATUS = re.compile(r"(?P<port>Et\S+)\s+[ED]\s(?P<active>[A ]|-)\s(?:[W ]|-)(?:\s.*)?")
"""A row of releases that print the watchdog beside PFC, whose letters the legend above it explains."""


_COUNTER_HEAD = re.compile(r"Port\s+RxPfc\s+TxPfc")
_COUNTER_ROW = re.compile(r"(?P<port>Et\S+)\s+(?P<rx>\d{1,20})\s+(?P<tx>\d{1,20})")


def pfc(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show priority-flow-control [counters]`: whether PFC is active, and its frames received and sent."""
    states = []
    is_counters = has_legend = False
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        is_counters = is_counters or _COUNTER_HEAD.fullmatch(text) is not None
        has_legend = has_legend or _PFC_LEGEND.match(text) is not None
        lettered = _PFC_STATUS.fullmatch(text) if has_legend else None
        active, counts = lettered or _PFC_ROW.match(text), _COUNTER_ROW.fullmatch(text) if is_counters else None
        states.append(LineState.MODELLED if active or counts else LineState.IGNORED)
        match = active or counts
        port = _port(ports, match["port"], where) if match else None
        if port and active:
            port.pfc_oper = Known(active["active"] in {"Yes", "A"}, Origin.LEARNED, where)
        elif port and counts:
            for side in ("rx", "tx"):
                keep(port.counters, f"{side}_pfc", counts[side], where)
    return states


def version(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `show version`, whose model and release the device takes over."""
    return [LineState.MODELLED if MODEL.match(x) or RELEASE.match(x) else LineState.IGNORED for x in capture.lines]


MODEL = re.compile(r"Arista (?P<value>(?:DCS|CCS|vEOS|cEOS)\S*)")
RELEASE = re.compile(r"Software image version: (?P<value>\S+)")

READERS: Mapping[str, Callable[[Capture, Ports], list[LineState]]] = {
    "show lldp neighbors detail": lldp_detail,
    "show lldp neighbors": lldp,
    "show interfaces status": interface_status,
    "show priority-flow-control": pfc,
    "show version": version,
}
"""Commands by what their output begins like; the longer name stands before the shorter that begins it."""
