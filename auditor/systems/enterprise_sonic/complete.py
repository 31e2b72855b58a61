"""The joint effect of statements: port policies as queue entries, and the presets of `roce enable`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.grammar.numbers import MAX_ITEMS, parse_whole
from auditor.model.setting import Origin
from auditor.systems.enterprise_sonic.interfaces import list_interface_entries
from auditor.systems.enterprise_sonic.names import MAPS, TITLES
from auditor.systems.enterprise_sonic.statements import LOSSLESS, SWITCH
from auditor.systems.sonic.assemble import POLICY_FIELD
from auditor.systems.sonic.rows import Row, RowBody

Rows = dict[str, list[Row]]
REFERENCE = "project-arlo/SONiC, doc/qos/SONiC_ROCEv2_support.md (RoCEv2 HLD for 4.1), 2.2.4 and 2.2.7"
_OF_INTERFACES = frozenset({"PORT", *(table for table, _ in list_interface_entries(""))})
"""Tables that say all of an interface once its stanza is in the dump."""
_BY_LINE = frozenset({"BUFFER_PG", "BUFFER_POOL", "DEVICE_METADATA"})
"""Tables that are in the dump only where a line sets a field: one that takes a field back tells of no other."""
_RESERVED = (3, 4)
"""The priority groups and queues that lossless traffic has, where the command names no others."""
_SAME = {str(n): str(n) for n in range(8)}
_ROCE = "ROCE"
_ROCE_MAPS: Mapping[str, Mapping[str, str]] = {
    "DSCP_TO_TC_MAP": {"4": "4", "24": "3", "26": "3", "48": "6"},
    "DOT1P_TO_TC_MAP": {**dict.fromkeys(_SAME, "0"), "3": "3", "4": "4"},
    "TC_TO_QUEUE_MAP": _SAME,
    "TC_TO_PRIORITY_GROUP_MAP": {**dict.fromkeys(_SAME, "7"), "3": "3", "4": "4"},
    "MAP_PFC_PRIORITY_TO_QUEUE": _SAME,
}
_ROCE_QUEUES: Mapping[str, Mapping[str, str]] = {
    **{n: {"type": "DWRR", "weight": "50"} for n in ("0", "3", "4")},
    "6": {"type": "STRICT"},
}
_MARKING_QUEUE = "3"
_GENERATED = {"profile": "NULL"}


def remove_unconfigured(rows: Rows) -> Rows:
    """Remove the rows of ports without a stanza in the dump from *rows*, because their silence proves nothing."""
    ports = rows.get("PORT", [])
    shown = {row.key for row in rows.get("PORT_QOS_MAP", ())}
    rows["PORT"] = [row for row in ports if row.key in shown]
    return {"PORT": [row for row in ports if row.key not in shown]}


def complete(rows: Rows, database: Mapping[str, Sequence[Row]], *, whole: bool, typed: bool) -> Rows:
    """Return the rows of all tables, which lie over those of *database*.

    *whole*: the dump has the whole configuration; *typed*: the dump has only typed lines.
    """
    own = [row for row in rows.pop(SWITCH, []) if row.body.fields.keys() - {"pfc_priority"}]
    switch = next((row for row in own if row.key == LOSSLESS), None)
    policy = next((row.body.fields[POLICY_FIELD] for row in own if row.key == POLICY_FIELD), None)
    for table in _BY_LINE.intersection(rows):
        if table not in database and not any(row.body.fields for row in rows[table]):
            del rows[table]
    _speeds(rows)
    _members(rows)
    _cables(rows)
    if policy:
        _policies(rows, policy)
    _schedulers(rows)
    is_alone = typed and switch is not None and "roce_enable" in switch.body.fields and not _speaks_of_qos(rows)
    _priorities(rows, database, is_alone=is_alone)
    if switch:
        _lossless(rows, switch, is_alone=is_alone)
    present = {*(_OF_INTERFACES if rows.get("PORT") else ()), *(TITLES if whole else ())}
    if not switch and not rows.get("BUFFER_PG"):
        present -= {"BUFFER_PG"}
    for table in present:
        rows.setdefault(table, [])
    return rows


def _speaks_of_qos(rows: Rows) -> bool:
    """Return whether the dump has the lines that `roce enable` writes, or lines in their place."""
    tables = {"WRED_PROFILE", "SCHEDULER", *(table for table, _, _, _ in MAPS.values())}
    by_port = (*rows.get("PORT_QOS_MAP", ()), *rows.get("QUEUE", ()))
    return any(rows.get(table) for table in tables) or any(row.body.fields for row in by_port)


def _speeds(rows: Rows) -> None:
    """Give breakout ports their parent, and the speed of the mode if they have no other."""
    modes = {row.key: row for row in rows.pop("BREAKOUT_CFG", [])}
    spoken = {row.key for row in rows.get("PORT", ()) if "speed" in row.body.fields}
    bodies: dict[str, RowBody] = {}
    implied: list[Row] = []
    for name in dict.fromkeys(row.key for row in rows.get("PORT", ())):
        number = name.removeprefix("Eth")
        mode = modes.get(number) or modes.get(number.rpartition("/")[0])
        if mode is None:
            continue
        if name not in spoken:
            implied.append(mode._replace(table="PORT", key=name))
        if mode.key != number:
            master = f"Eth{mode.key}"
            body = bodies.setdefault(master, RowBody({"master": master}, {"master": 0}))
            rows.setdefault("BREAKOUT_PORTS", []).append(Row("BREAKOUT_PORTS", name, body, mode.where))
    if implied:
        rows["PORT"] = [*implied, *rows["PORT"]]


def _members(rows: Rows) -> None:
    """Name the port-channel of each member; a removed membership points at the line that removed it."""
    if "PORTCHANNEL_MEMBER" in rows:
        members = rows["PORTCHANNEL_MEMBER"]
        rows["PORTCHANNEL_MEMBER"] = [
            row._replace(key=f"{row.body.fields.get('name', '')}|{row.key}", where=row.place("name")) for row in members
        ]


def _cables(rows: Rows) -> None:
    rows["CABLE_LENGTH"] = [row for row in rows.pop("CABLE_LENGTH", []) if row.body.offsets]
    if not rows["CABLE_LENGTH"]:
        del rows["CABLE_LENGTH"]


def _policies(rows: Rows, name: str) -> None:
    """Make the classification of all ports unknown under a switch-wide policy."""
    ports = rows.get("PORT_QOS_MAP", [])
    for index, row in enumerate(ports):
        if POLICY_FIELD not in row.body.fields:
            fields, offsets = {**row.body.fields, POLICY_FIELD: name}, {**row.body.offsets, POLICY_FIELD: 0}
            blanks = {field: why for field, why in row.body.blanks.items() if field != POLICY_FIELD}
            ports[index] = row._replace(body=replace(row.body, fields=fields, offsets=offsets, blanks=blanks))


_PARTLY = "a line takes priorities back from a list that no line of the dump shows"


def _priorities(rows: Rows, database: Mapping[str, Sequence[Row]], *, is_alone: bool) -> None:
    """Make the priorities of a port unknown if a line removes a priority that no line added."""
    given = {row.key for row in database.get("PORT_QOS_MAP", ()) if row.body.fields.get("pfc_enable")}
    ports = rows.get("PORT_QOS_MAP", [])
    for index, row in enumerate(ports):
        if row.body.blanks.get("pfc_enable") == "" and (is_alone or row.key in given):
            ports[index] = row._replace(body=replace(row.body, blanks={**row.body.blanks, "pfc_enable": _PARTLY}))


def _schedulers(rows: Rows) -> None:
    """Give the queues of a port the entries of its policy; their evidence is the port's line."""
    queues_of: dict[str, list[str]] = {}
    for row in rows.get("SCHEDULER", ()):
        name, _, number = row.key.rpartition("@")
        queues = queues_of.setdefault(name or number, [])
        if name and parse_whole(number, range(len(_SAME))) is not None:
            queues.append(number)
    used: dict[str, list[str]] = {}
    for row in rows.get("QUEUE", ()):
        port, _, number = row.key.partition("|")
        used.setdefault(port, []).append(number)
    bodies: dict[tuple[str, int], RowBody] = {}
    for row in list(rows.get("PORT_QOS_MAP", ())):
        policy = row.body.fields.get("scheduler")
        if policy is None:
            continue
        offset = row.body.offsets["scheduler"]
        known = queues_of.get(policy)
        for number in used.get(row.key, []) if known is None else dict.fromkeys(known):
            target = policy if known is None else f"{policy}@{number}"
            body = bodies.setdefault((target, offset), RowBody({"scheduler": target}, {"scheduler": offset}))
            rows.setdefault("QUEUE", []).append(row._replace(table="QUEUE", key=f"{row.key}|{number}", body=body))


def _lossless(rows: Rows, switch: Row, *, is_alone: bool) -> None:
    """Lay the presets of the switch under the configuration.

    `roce enable` and `buffer init` give the lossless priority groups headroom by speed and cable, even if a line
    removes their own profile. `roce enable` also writes maps, policies and PFC into the configuration: they are implied
    if its line is alone.
    """
    ports = list(dict.fromkeys(row.key for row in rows.get("PORT", ())))[:MAX_ITEMS]
    name = next(name for name in ("roce_enable", "buffer_mode_lossless") if name in switch.body.fields)
    switch = switch._replace(where=switch.place(name))
    listed = switch.body.fields.get("pfc_priority", "")
    groups = tuple(int(number) for number in listed.split(",") if number) or _RESERVED
    implied: Rows = {}
    for row in _headroom(switch, ports, groups):
        implied.setdefault(row.table, []).append(row)
    if is_alone and groups == _RESERVED:
        for row in _roce(switch, ports):
            implied.setdefault(row.table, []).append(row)
    if "BUFFER_PG" in rows:
        rows["BUFFER_PG"] = [row for row in rows["BUFFER_PG"] if row.body.fields]
    for table, own in implied.items():
        rows[table] = [*own, *rows.get(table, [])]


def _row(switch: Row, table: str, key: str, body: RowBody) -> Row:
    return Row(table, key, body, switch.where, origin=Origin.DEFAULT, reference=REFERENCE)


def _body(fields: Mapping[str, str]) -> RowBody:
    return RowBody(fields, dict.fromkeys(fields, 0))


def _headroom(switch: Row, ports: Sequence[str], groups: Sequence[int]) -> Iterator[Row]:
    profile = _body(_GENERATED)
    for port in ports:
        for number in groups:
            yield _row(switch, "BUFFER_PG", f"{port}|{number}", profile)


def _roce(switch: Row, ports: Sequence[str]) -> Iterator[Row]:
    """Yield the rows that `roce enable` writes; its marking depths depend on the platform and the release."""
    for table, entries in _ROCE_MAPS.items():
        yield _row(switch, table, _ROCE, _body(entries))
    for number, fields in _ROCE_QUEUES.items():
        yield _row(switch, "SCHEDULER", f"{_ROCE}@{number}", _body(fields))
    yield _row(switch, "WRED_PROFILE", _ROCE, _body({"ecn": "ecn_green", "wred_green_enable": "true"}))
    bound = {field: _ROCE for table, field, _, _ in MAPS.values() if table in _ROCE_MAPS}
    qos = _body({**bound, "pfc_enable": ",".join(map(str, _RESERVED))})
    queues = {n: _body({"scheduler": f"{_ROCE}@{n}"}) for n in _ROCE_QUEUES}
    queues[_MARKING_QUEUE] = _body({"scheduler": f"{_ROCE}@{_MARKING_QUEUE}", "wred_profile": _ROCE})
    for port in ports:
        yield _row(switch, "PORT_QOS_MAP", port, qos)
        for number, body in queues.items():
            yield _row(switch, "QUEUE", f"{port}|{number}", body)
