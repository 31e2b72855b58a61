"""Names that lead nowhere: references to entries that a table of the dump does not have, and maps that nothing uses."""

from collections.abc import Iterator

from auditor.model.device import NamedObject
from auditor.systems.sonic.config import Config, target
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.vocabulary import TABLES

_BUILT_IN = frozenset({"", "NULL"})
_ATTACHED = frozenset({"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "WRED_PROFILE"})
"""Tables whose entries are of no effect until a port, a queue or a tunnel names them."""


def undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to names that a table of the dump does not define; each name once."""
    found: dict[tuple[str, str], NamedObject] = {}
    for table, name, field, row in _references(config):
        is_known = table not in config.tables or name in config.entries.get(table, {})
        is_own = name in _BUILT_IN or name in config.dialect.built_in
        if not is_known and not is_own and not name.startswith("pg_lossless_"):
            found.setdefault((table, name), NamedObject(config.title(table), name, row.place(field)))
    return tuple(found.values())


def unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the maps and profiles that nothing uses; only a whole configuration tells."""
    if not config.complete or not {"PORT_QOS_MAP", "QUEUE"} <= config.tables:
        return ()
    used = {(table, name) for table, name, _, _ in _references(config)}
    return tuple(
        NamedObject(config.title(table), name, entry.where)
        for table in sorted(_ATTACHED)
        for name, entry in config.entries.get(table, {}).items()
        if (table, name) not in used
    )


def _references(config: Config) -> Iterator[tuple[str, str, str, Row]]:
    """Yield table and name of each reference, with the field and the row that has it; equal rows of ports once."""
    seen: set[int] = set()
    rows = [row for found in config.ports.values() for row in found.parts]
    rows += [row for entry in config.general.values() for row in entry.rows]
    rows += [row for table in config.entries.values() for entry in table.values() for row in entry.rows]
    for row in rows:
        if id(row.body) in seen or not TABLES[row.table].refers:
            continue
        seen.add(id(row.body))
        for field, table in TABLES[row.table].refers.items():
            if field in row.body.fields:
                for reference in row.body.fields[field].split(","):
                    yield table, target(reference), field, row
