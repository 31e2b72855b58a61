"""Show outputs that print what is configured: they are read into the same rows, as learned."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from auditor.model.dump import LineState
from auditor.parsers.enterprise_sonic.contexts import rate
from auditor.parsers.enterprise_sonic.names import MAPS, port_name
from auditor.parsers.enterprise_sonic.store import Writer
from auditor.parsers.numbers import decimal
from auditor.parsers.sonic.assemble import RUNNING_FIELD

IGNORED, MODELLED, UNRECOGNISED = LineState.IGNORED, LineState.MODELLED, LineState.UNRECOGNISED
Read = Callable[["Output"], list[LineState]]
_SILENT = frozenset({"", "-", "N/A", "None", "none", "Not Available"})


@dataclass(frozen=True, slots=True)
class Output:
    """Lines `start` to before `end` of a capture as the output of `command`, and what writes down what they say."""

    command: str
    lines: Sequence[str]
    start: int
    end: int
    writer: Writer

    def each(self, read: Callable[[str, int], LineState]) -> list[LineState]:
        """Return the state of each line, which *read* takes without the blanks around it."""
        return [read(self.lines[index].strip(), index) for index in range(self.start, self.end)]


_FIELD = re.compile(r"(?P<name>[A-Za-z][\w -]{0,40}?)\s*:+\s*:?\s*(?P<value>.*)")
"""A name, a colon and a value; one release prints two colons."""


def _named(text: str) -> tuple[str, str]:
    """Return name and value of a line, in the form of the database's names; two empty texts where it has none.

    >>> _named("green-max-threshold : 5  KBytes"), _named("Polling Interval:   : 150")
    (('green_max_threshold', '5  KBytes'), ('polling_interval', '150'))
    """
    found = _FIELD.fullmatch(text)
    if found is None:
        return "", ""
    return re.sub(r"[ -]+", "_", found["name"].strip().lower()), found["value"].strip().strip("'")


_KILO = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}


def wred(output: Output) -> list[LineState]:
    """Read `show qos wred-policy`: thresholds with their unit."""
    name, head = "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal name, head
        field, value = _named(text)
        if field in {"policy", "profile"} and value:
            name, head = value, index
            output.writer.begin("WRED_PROFILE", name, index)
            return MODELLED
        if not name or not field:
            return IGNORED
        said = {"ecn": value} if field == "ecn" else _curve(field, value)
        return output.writer.put("WRED_PROFILE", name, said, index, head) if said else UNRECOGNISED

    return output.each(read)


_CURVE = re.compile(r"(?P<color>green|yellow|red)_(?:min|max)_threshold")


def _curve(field: str, value: str) -> dict[str, str]:
    found = _CURVE.fullmatch(field)
    if found:
        number, _, unit = value.partition(" ")
        size = decimal(number, 0, 1e12)
        factor = _KILO.get(unit.strip().lower())
        if size is None or factor is None:
            return {}
        return {field: str(round(size * factor)), f"wred_{found['color']}_enable": "true"}
    return {field: value} if field.endswith("_drop_probability") else {}


def scheduler(output: Output) -> list[LineState]:
    """Read `show qos scheduler-policy`: rates with their unit."""
    policy, key, head = "", "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal policy, key, head
        field, value = _named(text)
        if field == "scheduler_policy" and value:
            policy, key = value, ""
            output.writer.begin("SCHEDULER", policy, index)
        elif (policy and (field, value) == ("port", "")) or (policy and field == "queue" and value.isdecimal()):
            key, head = f"{policy}@{value or 255}", index
            output.writer.begin("SCHEDULER", key, index)
        elif key and field in _SCHEDULER:
            return output.writer.put("SCHEDULER", key, {_SCHEDULER[field]: _scheduled(field, value)}, index, head)
        else:
            return UNRECOGNISED if key and field else IGNORED
        return MODELLED

    return output.each(read)


_SCHEDULER = {name: name for name in ("type", "weight", "meter_type", "cir", "pir", "cbs", "pbs")}


def _scheduled(field: str, value: str) -> str:
    number, _, unit = value.partition(" ")
    if field == "type":
        return value.upper()
    return rate(number) if unit.strip().lower() == "kbps" else number


_MAP_HEAD = re.compile(r"(?P<kind>[A-Za-z0-9-]+)-MAP: (?P<name>\S+)")
_MAP_ROW = re.compile(r"(?P<code>\d{1,2})\s+(?P<value>\d{1,2})")
_MAP_KINDS = {
    "tc-q": "tc-queue",
    "pfc-priority-q": "pfc-priority-queue",
    "pfc-priority-priority-group": "pfc-priority-pg",
}


def qos_maps(output: Output) -> list[LineState]:
    """Read `show qos map TYPE`: two columns under the name of each map."""
    table, name, head = "", "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal table, name, head
        found, row = _MAP_HEAD.fullmatch(text), _MAP_ROW.fullmatch(text)
        if found:
            kind = found["kind"].lower()
            known = MAPS.get(_MAP_KINDS.get(kind, kind))
            table, name, head = known[0] if known else "", found["name"], index
            if table:
                output.writer.begin(table, name, index)
            return MODELLED if table else UNRECOGNISED
        if row and table:
            return output.writer.put(table, name, {row["code"]: row["value"]}, index, head)
        return IGNORED

    return output.each(read)


_PORT_SAID = re.compile(r"interface ((?:Eth\S*|e\S*?) ?[\d/]+)", re.IGNORECASE)
_QUEUE_SAID = re.compile(r"queue (\d{1,2})\b")
_BOUND = {f"{kind.replace('-', '_')}_map": field for kind, (_, field, _, _) in MAPS.items()}
_WATCHDOG = {"action": "action", "detection_time": "detection_time", "restoration_time": "restoration_time"}


def interface(output: Output) -> list[LineState]:
    """Read `show qos interface NAME`: maps, policies and PFC of one port; of which, only the command tells."""
    said = _PORT_SAID.search(output.command)
    port = port_name(said[1]) if said else None
    if port is None:
        return [IGNORED] * (output.end - output.start)
    queue = _QUEUE_SAID.search(output.command)
    writer, head = output.writer, output.start
    if queue is None:
        writer.begin("PORT", port, head)
        writer.begin("PORT_QOS_MAP", port, head)

    def read(text: str, index: int) -> LineState:
        field, value = _named(text)
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


def watchdog(output: Output) -> list[LineState]:
    """Read `show priority-flow-control watchdog`: the polling interval, milliseconds."""

    def read(text: str, index: int) -> LineState:
        field, value = _named(text)
        if field != "polling_interval" or not value.isdecimal():
            return IGNORED
        return output.writer.put("PFC_WD", "GLOBAL", {"POLL_INTERVAL": value}, index)

    return output.each(read)


_BLOCK = re.compile(r"(?P<kind>Pool|Profile) (?P<name>\S+):")
_BUFFER = {
    "Pool": {"mode": "mode", "size": "size", "type": "type", "shared_head_room": "xoff", "shared_headroom": "xoff"},
    "Profile": {
        "mode": "mode",
        "pool": "pool",
        "size": "size",
        "static_threshold": "static_th",
        "dynamic_threshold": "dynamic_th",
        "pause_threshold": "xoff",
        "resume_threshold": "xon",
        "resume_offset_threshold": "xon_offset",
    },
}


def buffers(output: Output) -> list[LineState]:
    """Read `show buffer pool` and `show buffer profile`: sizes in bytes."""
    kind, name, head = "", "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal kind, name, head
        found = _BLOCK.fullmatch(text)
        if found:
            kind, name, head = found["kind"], found["name"], index
            output.writer.begin(f"BUFFER_{kind.upper()}", name, index)
            return MODELLED
        field, value = _named(text)
        known = _BUFFER.get(kind, {}).get(field)
        if known is None:
            return UNRECOGNISED if kind and field else IGNORED
        return output.writer.put(f"BUFFER_{kind.upper()}", name, {known: value.split(" ")[0]}, index, head)

    return output.each(read)


_STATUS = re.compile(
    r"(?P<port>Eth\S+)\s+(?P<middle>\S.*?)\s+(?P<speed>\d{1,7}(?:GB?)?|-)\s+(?P<mtu>\d{2,5})(?:\s+(?P<alias>\S+))?"
)
_STATUS_HEAD = re.compile(r"Name\s+Description\s+(?P<columns>.*)")


def status(output: Output) -> list[LineState]:
    """Read `show interface status`: speed, MTU, the name in the other naming mode, and the administrative state.

    Releases differ in their columns: where a reason stands for the administrative state, only `admin-down` tells it.
    """
    has_admin = False

    def read(text: str, index: int) -> LineState:
        nonlocal has_admin
        head, row = _STATUS_HEAD.match(text), _STATUS.fullmatch(text)
        has_admin = "Admin" in head["columns"] if head else has_admin
        port = port_name(row["port"]) if row else None
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


def version(output: Output) -> list[LineState]:
    """Read `show version`: the release and the hardware."""

    def read(text: str, index: int) -> LineState:
        field, value = _named(text)
        if field not in _VERSION or not value:
            return IGNORED
        return output.writer.put("DEVICE_METADATA", "localhost", {_VERSION[field]: value}, index, output.start)

    return output.each(read)


@dataclass(frozen=True, slots=True)
class Shows:
    """How a command's output is read, what only it contains, and the tables of which it shows all entries."""

    read: Read
    content: re.Pattern[str]
    tables: tuple[str, ...] = ()


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


SHOWS: Mapping[str, Shows] = {
    "show qos wred-policy": Shows(
        wred, _lines(r"^(?:Policy|Profile) +: +\S+\n(?:-+\n)?(?:ecn|green|yellow|red)\b"), ("WRED_PROFILE",)
    ),
    "show qos scheduler-policy": Shows(scheduler, _lines(r"^ *Scheduler Policy: \S+"), ("SCHEDULER",)),
    "show qos map": Shows(qos_maps, _lines(r"^ *(?:DSCP-TC|DOT1P-TC|TC-(?:Q|Queue|PG|DSCP|DOT1P)|PFC-P\S*)-MAP: \S+")),
    "show qos interface": Shows(interface, _lines(r"^ *dscp-tc-map: ")),
    "show priority-flow-control watchdog": Shows(watchdog, _lines(r"^Watchdog Summary$")),
    "show qos priority-flow-control": Shows(watchdog, _lines(r"(?!)")),
    "show buffer pool": Shows(buffers, _lines(r"^Pool \S+:$"), ("BUFFER_POOL",)),
    "show buffer profile": Shows(buffers, _lines(r"^Profile \S+:$"), ("BUFFER_PROFILE",)),
    "show interface status": Shows(status, _lines(r"^Name +Description +.*Speed +MTU")),
    "show version": Shows(version, _lines(r"^Product *: *'?Enterprise SONiC|^Software Version *: '?[\w.-]*Enterprise")),
}
"""Commands whose output is read; the longer name stands before the shorter that begins it."""
