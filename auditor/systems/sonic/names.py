"""Undefined references, and definitions without a user."""

from collections.abc import Iterator

from auditor.model.device import NamedObject, unite_uses
from auditor.systems.sonic.config import COMMUNITY, Config, find_table, find_target
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.vocabulary import TABLES

_BUILT_IN = frozenset({"", "NULL"})
_ATTACHED = frozenset({"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "WRED_PROFILE"})
"""Tables whose entries are of no effect until a port, a queue or a tunnel names them."""


def list_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to names that no table of the dump defines; each name once."""
    return unite_uses(_list_dangling(config))


def _list_dangling(config: Config) -> Iterator[NamedObject]:
    for table, name, field, row in _references(config):
        is_told = table in config.tables or table not in TABLES  # a table that SONiC does not have defines nothing
        is_known = not is_told or name in config.entries.get(table, {})
        is_own = name in _BUILT_IN or name in config.dialect.built_in
        if not is_known and not is_own and not name.startswith("pg_lossless_"):
            user = f"{field} of {row.table} {row.key}" if config.dialect is COMMUNITY else ""
            yield NamedObject(config.title(table), name, row.place(field), user)


def list_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the maps and profiles without a user; empty for a part of a configuration."""
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
    """Yield each reference as table, name, field and row; equal rows of ports count once."""
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
                    yield find_table(reference) or table, find_target(reference), field, row
