"""Databases of SONiC beside the configuration: headroom limits of ports, and active buffers and links."""

import re
from dataclasses import replace

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.systems.sonic.assemble import NO_VALUE
from auditor.systems.sonic.document import read
from auditor.systems.sonic.operation import Operation
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.shapes import find_rows
from auditor.systems.sonic.vocabulary import APPLICATION, LIMITS, MOST_HEADROOM, PORT


def read_state(capture: Capture, found: Operation) -> list[LineState]:
    """Read the port limits in a dump of the state database."""
    states = [LineState.IGNORED] * len(capture.lines)
    for row in find_rows(capture, read(capture)).rows.get(LIMITS, ()):
        place = row.place(MOST_HEADROOM)
        if PORT.fullmatch(row.key) and MOST_HEADROOM in row.body.fields:
            is_valid = MOST_HEADROOM not in row.body.invalid
            states[place.line - capture.first_line] = LineState.MODELLED if is_valid else LineState.UNRECOGNISED
            if is_valid:
                limit = Known(int(row.body.fields[MOST_HEADROOM]), Origin.LEARNED, place)
                found.port(row.key, row.where).headroom_limit_bytes = limit
    return states


def read_application(capture: Capture, found: Operation) -> list[LineState]:
    """Read a dump of the application database: active profiles, pools and links of ports."""
    renamed = replace(capture, lines=tuple(APPLICATION.sub(r'"\1|', line) for line in capture.lines))
    states = [LineState.IGNORED] * len(capture.lines)
    rows = find_rows(renamed, read(renamed)).rows
    for row in (*rows.get("BUFFER_PROFILE", ()), *rows.get("BUFFER_POOL", ())):
        entry = found.entries.setdefault((row.table, row.key), {})
        for name in row.body.fields:
            if name not in row.body.invalid:
                known = row.read_field(name)
                entry[name] = replace(known, origin=Origin.LEARNED, value=_bare(known.value))
                states[row.place(name).line - capture.first_line] = LineState.MODELLED
    for row in rows.get("PORT", ()):
        if PORT.fullmatch(row.key):
            _link(row, found)
            for name in _LINK & row.body.fields.keys():
                states[row.place(name).line - capture.first_line] = LineState.MODELLED
    return states


_LINK = frozenset({"speed", "mtu", "fec", "lanes", "admin_status"})


def _link(row: Row, found: Operation) -> None:
    """Keep the operational state of a port's link."""
    port = found.port(row.key, row.where)
    told = {name: row.read_field(name) for name in _LINK & row.body.fields.keys() if name not in row.body.invalid}
    if speed := told.get("speed"):
        port.speed_gbps = Known(int(speed.value) / 1000, Origin.LEARNED, speed.where)
    if mtu := told.get("mtu"):
        port.mtu = Known(int(mtu.value), Origin.LEARNED, mtu.where)
    if (fec := told.get("fec")) and fec.value != NO_VALUE:
        port.fec = Known(fec.value, Origin.LEARNED, fec.where)
    if lanes := told.get("lanes"):
        port.lanes = Known(lanes.value.count(",") + 1, Origin.LEARNED, lanes.where)
    if admin := told.get("admin_status"):
        port.enabled = Known(admin.value == "up", Origin.LEARNED, admin.where)


def _bare(name: str) -> str:
    """Return a reference without the brackets that releases up to 202012 write."""
    return re.sub(r"\[\w+[:|]([^\]]*)\]", r"\1", name)
