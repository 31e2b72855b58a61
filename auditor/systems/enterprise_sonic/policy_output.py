"""Show outputs of policies, maps and buffers as operational rows."""

from auditor.grammar.numbers import decimal
from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.contexts import convert_rate
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.output import ShowOutput, split_line
from auditor.systems.sonic.vocabulary import IGNORED, MODELLED, UNRECOGNISED
from auditor.util.regex import regex

_KILO = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}


def parse_wred(output: ShowOutput) -> list[LineState]:
    """Read `show qos wred-policy`: thresholds with their unit."""
    name, head = "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal name, head
        field, value = split_line(text)
        if field in {"policy", "profile"} and value:
            name, head = value, index
            output.writer.begin("WRED_PROFILE", name, index)
            return MODELLED
        if not name or not field:
            return IGNORED
        said = {"ecn": value} if field == "ecn" else _curve(field, value)
        return output.writer.put("WRED_PROFILE", name, said, index, head) if said else UNRECOGNISED

    return output.each(read)


_CURVE = regex(r"(?P<color>green|yellow|red)_(?:min|max)_threshold")


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


def parse_scheduler(output: ShowOutput) -> list[LineState]:
    """Read `show qos scheduler-policy`: rates with their unit."""
    policy, key, head = "", "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal policy, key, head
        field, value = split_line(text)
        if field == "scheduler_policy" and value:
            policy, key = value, ""
            output.writer.begin("SCHEDULER", policy, index)
        elif (policy and (field, value) == ("port", "")) or (policy and field == "queue" and value.isdecimal()):
            key, head = f"{policy}@{value or 255}", index
            output.writer.begin("SCHEDULER", key, index)
        elif key and field in _SCHEDULER:
            return output.writer.put("SCHEDULER", key, {_SCHEDULER[field]: _convert(field, value)}, index, head)
        else:
            return UNRECOGNISED if key and field else IGNORED
        return MODELLED

    return output.each(read)


_SCHEDULER = {name: name for name in ("type", "weight", "meter_type", "cir", "pir", "cbs", "pbs")}


def _convert(field: str, value: str) -> str:
    number, _, unit = value.partition(" ")
    if field == "type":
        return value.upper()
    return convert_rate(number) if unit.strip().lower() == "kbps" else number


_MAP_HEAD = regex(r"(?P<kind>[A-Za-z0-9-]+)-MAP: (?P<name>\S+)")
_MAP_ROW = regex(r"(?P<code>\d{1,2})\s+(?P<value>\d{1,2})")
_MAP_KINDS = {
    "tc-q": "tc-queue",
    "pfc-priority-q": "pfc-priority-queue",
    "pfc-priority-priority-group": "pfc-priority-pg",
}


def parse_qos_maps(output: ShowOutput) -> list[LineState]:
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


_BLOCK = regex(r"(?P<kind>Pool|Profile) (?P<name>\S+):")
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


def parse_buffers(output: ShowOutput) -> list[LineState]:
    """Read `show buffer pool` and `show buffer profile`: sizes in bytes."""
    kind, name, head = "", "", 0

    def read(text: str, index: int) -> LineState:
        nonlocal kind, name, head
        found = _BLOCK.fullmatch(text)
        if found:
            kind, name, head = found["kind"], found["name"], index
            output.writer.begin(f"BUFFER_{kind.upper()}", name, index)
            return MODELLED
        field, value = split_line(text)
        known = _BUFFER.get(kind, {}).get(field)
        if known is None:
            return UNRECOGNISED if kind and field else IGNORED
        return output.writer.put(f"BUFFER_{kind.upper()}", name, {known: value.split(" ")[0]}, index, head)

    return output.each(read)
