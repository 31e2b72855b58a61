"""Show outputs of SONiC as operational state by port: PFC, its watchdog, WRED profiles, buffers, neighbours."""

import re
from collections.abc import Callable, Mapping

from auditor.grammar.operational import Meeting
from auditor.model.dump import Capture, LineState
from auditor.model.port import WatchdogAction
from auditor.model.setting import Known, Origin, Where
from auditor.systems.sonic.operation import Operation, Read
from auditor.systems.sonic.vocabulary import PORT, PRIORITY_LIST
from auditor.util.regex import regex

MODELLED, IGNORED, UNRECOGNISED = LineState.MODELLED, LineState.IGNORED, LineState.UNRECOGNISED


_FRAME = regex(r"[-=+|\s]*|[^@]*+@[^:~]*+[:~][^$#]*+[$#].*")


def make_row_reader(row: re.Pattern[str], learn: Callable[[Operation, re.Match[str], Where], None]) -> Read:
    """Return a reader of a table with one row for each port."""

    def read(capture: Capture, found: Operation) -> list[LineState]:
        states = []
        found.meeting = Meeting()
        for index, line in enumerate(capture.lines):
            match = row.fullmatch(line.strip())
            if match and PORT.fullmatch(match["port"]):
                learn(found, match, capture.where(index))
                states.append(MODELLED)
            else:
                states.append(UNRECOGNISED if line.strip().startswith("Eth") else IGNORED)
        return states

    return read


_PRIORITY_ROW = regex(r"(?P<port>Eth\S+)(?:\s+(?P<list>[0-7](?:,[0-7])*|N/A))?")


def _priority(found: Operation, match: re.Match[str], where: Where) -> None:
    text = match["list"] or ""
    numbers = tuple(int(n) for n in text.split(",")) if PRIORITY_LIST.accepts(text) and text else ()
    found.port(match["port"], where).pfc_priorities = Known(numbers, Origin.LEARNED, where)


_ASYMMETRIC_ROW = regex(r"(?P<port>Eth\S+)\s+(?P<state>on|off|N/A)")


def _asymmetric(found: Operation, match: re.Match[str], where: Where) -> None:
    found.port(match["port"], where).asymmetric = Known(match["state"] == "on", Origin.LEARNED, where)


_WATCHDOG_ROW = regex(
    r"(?P<port>Eth\S+)\s+(?P<action>drop|forward|alert|N/A)\s+(?P<detect>\d{1,6}|N/A)\s+"
    r"(?P<restore>\d{1,6}|infinite|N/A)(?:\s+(?:enable|disable|N/A))?"
)
_POLLING = regex(r"Changed polling interval to (?P<ms>\d{1,6})ms(?: on \S+)?")


def _watchdog_row(found: Operation, match: re.Match[str], where: Where) -> None:
    port = found.port(match["port"], where)
    if match["action"] != "N/A":
        port.watchdog_action = Known(WatchdogAction(match["action"]), Origin.LEARNED, where)
    if match["detect"].isdecimal():
        port.detection_ms = Known(float(match["detect"]), Origin.LEARNED, where)
    if match["restore"].isdecimal():
        port.restoration_ms = Known(float(match["restore"]), Origin.LEARNED, where)


def parse_watchdog(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show pfcwd config`: a line with the polling interval, then a row for each port."""
    states = make_row_reader(_WATCHDOG_ROW, _watchdog_row)(capture, found)
    for index, line in enumerate(capture.lines):
        match = _POLLING.fullmatch(line.strip())
        if match:
            found.polling_ms = Known(float(match["ms"]), Origin.LEARNED, capture.where(index))
            states[index] = MODELLED
    return states


_NEIGHBOUR_ROW = regex(
    r"(?P<port>Eth\S+)\s{2,}(?:(?P<device>\S+)\s{2,})?(?P<remote>\S+(?: \S+)*?)\s{2,}(?:[A-Z]{1,8}(?:\s{2,}.*)?)"
)


def _neighbour(found: Operation, match: re.Match[str], where: Where) -> None:
    found.meeting.add(found.port(match["port"], where), match["device"] or "", match["remote"], where)


_LLDP_HEAD = regex(r"Interface:\s+(?P<port>[^,\s]+),\s*via: LLDP.*")
_LLDP_FIELD = regex(r"(?P<key>SysName|PortID|PortDescr):\s+(?:(?:ifname|local|mac|ifalias)\s+)?(?P<value>\S.*)")


def parse_neighbours(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show lldp neighbors`: a block for each neighbour, beginning with the interface."""
    states = []
    meeting = Meeting()
    port, told = "", dict[str, str]()
    for index, line in enumerate(capture.lines):
        head, said = _LLDP_HEAD.fullmatch(line.strip()), _LLDP_FIELD.fullmatch(line.strip())
        if head:
            port, told = head["port"], {}
        if said:
            told.setdefault(said["key"], said["value"].strip())
        states.append(MODELLED if head or said else IGNORED)
        if said and PORT.fullmatch(port) and "PortID" in told:
            where = capture.where(index)
            meeting.add(found.port(port, where), told.get("SysName", ""), told["PortID"], where)
    return states


_BLOCK_HEAD = regex(r"(?P<kind>Pool|Profile): (?P<name>\S+)|(?P<pattern>Lossless traffic pattern):")
_BLOCK_FIELD = regex(r"(?P<name>[a-z_]{2,40})\s+(?P<value>\S+)")
_KINDS = {"Pool": "BUFFER_POOL", "Profile": "BUFFER_PROFILE"}


def make_block_reader(kinds: Mapping[str, str]) -> Read:
    """Return a reader of blocks of fields, each under a line with its name."""

    def read(capture: Capture, found: Operation) -> list[LineState]:
        states = []
        entry: dict[str, Known[str]] | None = None
        for index, line in enumerate(capture.lines):
            head, said = _BLOCK_HEAD.fullmatch(line.strip()), _BLOCK_FIELD.fullmatch(line.strip())
            if head:
                table = kinds[head["kind"]] if head["kind"] else "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
                entry = found.entries.setdefault((table, head["name"] or "AZURE"), {})
            elif said and entry is not None:
                entry[said["name"]] = Known(said["value"], Origin.LEARNED, capture.where(index))
            states.append(MODELLED if head or (said and entry is not None) else IGNORED)
        return states

    return read


lossless_priorities = make_row_reader(_PRIORITY_ROW, _priority)
asymmetric_pfc = make_row_reader(_ASYMMETRIC_ROW, _asymmetric)
lldp_table = make_row_reader(_NEIGHBOUR_ROW, _neighbour)
buffers = make_block_reader(_KINDS)
wred_profiles = make_block_reader({"Pool": "BUFFER_POOL", "Profile": "WRED_PROFILE"})
