"""Show outputs of ports and of the switch itself as operational rows."""

import re
from collections.abc import Sequence

from auditor.grammar.numbers import parse_whole
from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.names import MAPS, parse_port_name
from auditor.systems.enterprise_sonic.output import ShowOutput, split_line
from auditor.systems.sonic.assemble import RUNNING_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, UNRECOGNISED
from auditor.util.regex import regex

_SILENT = frozenset({"", "-", "N/A", "None", "none", "Not Available"})
_PORT_SAID = regex(r"interface ((?:Eth\S*|e\S*?) ?[\d/]+)", re.IGNORECASE)
_QUEUE_SAID = regex(r"queue (\d{1,2})\b")
_BOUND = {f"{kind.replace('-', '_')}_map": field for kind, (_, field, _, _) in MAPS.items()}
_WATCHDOG = {"action": "action", "detection_time": "detection_time", "restoration_time": "restoration_time"}


def parse_interface(output: ShowOutput) -> list[LineState]:
    """Read `show qos interface NAME`: maps, policies and PFC of the port in the command."""
    said = _PORT_SAID.search(output.command)
    port = parse_port_name(said[1]) if said else None
    if port is None:
        return [IGNORED] * (output.end - output.start)
    queue = _QUEUE_SAID.search(output.command)
    writer, head = output.writer, output.start
    if queue is None:
        writer.begin("PORT", port, head)
        writer.begin("PORT_QOS_MAP", port, head)

    def read(text: str, index: int) -> LineState:
        field, value = split_line(text)
        if not field or value in _SILENT:
            return IGNORED
        if field in {"asymetric_mode", "asymmetric_mode", "pfc_asymmetric"}:
            return writer.put("PORT", port, {"pfc_asym": "on" if value in {"on", "enabled"} else "off"}, index, head)
        if field == "wred_profile" and queue:
            return writer.put("QUEUE", f"{port}|{queue[1]}", {"wred_profile": value}, index, head)
        if field in _WATCHDOG:
            given = {_WATCHDOG[field]: value.removesuffix("ms").strip()}
            given |= {RUNNING_FIELD: "on"} if field == "detection_time" else {}
            return writer.put("PFC_WD", port, given, index, head)
        name = {"scheduler_policy": "scheduler", "pfc_priority": "pfc_enable"}.get(field) or _BOUND.get(field)
        return writer.put("PORT_QOS_MAP", port, {name: value}, index, head) if name else IGNORED

    return output.each(read)


def parse_watchdog(output: ShowOutput) -> list[LineState]:
    """Read `show priority-flow-control watchdog`: the polling interval, milliseconds."""

    def read(text: str, index: int) -> LineState:
        field, value = split_line(text)
        value = value.removesuffix("ms").strip()
        if field != "polling_interval" or parse_whole(value) is None:
            return IGNORED
        return output.writer.put("PFC_WD", "GLOBAL", {"POLL_INTERVAL": value}, index)

    return output.each(read)


_STATUS = regex(
    r"(?P<port>Eth\S+)\s+(?P<middle>\S.{0,200}?)\s{1,80}(?P<speed>\d{1,7}(?:GB?)?|-)\s+(?P<mtu>\d{2,5})(?:\s+(?P<alias>\S+))?"
)
_STATUS_HEAD = regex(r"Name\s+Description\s+(?P<columns>.*)")


def parse_status(output: ShowOutput) -> list[LineState]:
    """Read `show interface status`: speed, MTU, the name in the other naming mode, and the administrative state.

    Releases differ in their columns: if a reason replaces the administrative state, only `admin-down` is certain.
    """
    has_admin = False

    def read(text: str, index: int) -> LineState:
        nonlocal has_admin
        head, row = _STATUS_HEAD.match(text), _STATUS.fullmatch(text)
        has_admin = "Admin" in head["columns"] if head else has_admin
        port = parse_port_name(row["port"]) if row else None
        if row is None or port is None:
            return UNRECOGNISED if re.match(r"Eth\d", text) else IGNORED
        said = {"mtu": row["mtu"]}
        if row["speed"] != "-":
            said["speed"] = re.sub(r"GB?\Z", "000", row["speed"])
        if row["alias"] and row["alias"] != "-":
            said["alias"] = row["alias"]
        said |= _administrative(row["middle"].split(), has_admin=has_admin)
        return output.writer.put("PORT", port, said, index)

    return output.each(read)


def _administrative(words: Sequence[str], *, has_admin: bool) -> dict[str, str]:
    if "admin-down" in words:
        return {"admin_status": "down"}
    states = [word for word in words if word in {"up", "down"}]
    return {"admin_status": states[0]} if has_admin and states else {}


_VERSION = {"software_version": "sonic_os_version", "hwsku": "hwsku", "platform": "platform"}


def parse_version(output: ShowOutput) -> list[LineState]:
    """Read `show version`: the release and the hardware."""

    def read(text: str, index: int) -> LineState:
        field, value = split_line(text)
        if field not in _VERSION or not value:
            return IGNORED
        return output.writer.put("DEVICE_METADATA", "localhost", {_VERSION[field]: value}, index, output.start)

    return output.each(read)
