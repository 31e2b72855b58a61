"""The running configuration against the saved one: differences vanish or return at the next reboot."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.model.dump import Doubt
from auditor.systems.sonic.config import find_target
from auditor.systems.sonic.rows import Row, RowEntry

_COMPARED = frozenset({"PORT_QOS_MAP", "WRED_PROFILE", "SCHEDULER", "QUEUE", "PFC_WD", "CABLE_LENGTH", "PORT"})


def list_differences(saved: Mapping[str, Sequence[Row]], running: Mapping[str, Sequence[Row]]) -> Iterator[Doubt]:
    """Yield each row about quality of service that differs, at its place in the saved configuration."""
    for table in sorted({*saved, *running}):
        if table not in _COMPARED and not table.startswith("BUFFER_") and "_TO_" not in table:
            continue
        kept, used = (_entries(rows.get(table, ())) for rows in (saved, running))
        for key in dict.fromkeys((*kept, *used)):
            yield from _row_differences(table, key, kept.get(key), used.get(key))


def _entries(rows: Sequence[Row]) -> dict[str, RowEntry]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.key, []).append(row)
    return {key: RowEntry(tuple(own)) for key, own in found.items()}


def _row_differences(table: str, key: str, kept: RowEntry | None, used: RowEntry | None) -> Iterator[Doubt]:
    if kept is None or used is None:
        present = kept or used
        if present:
            why = "only the running configuration has it: it is lost at the next reboot"
            why = "only the saved configuration has it: it comes into force at the next reboot" if kept else why
            yield Doubt(present.where, f"{table} {key}", why, understood=True)
        return
    before_by_name, now_by_name = kept.texts(), used.texts()
    for name in dict.fromkeys((*before_by_name, *now_by_name)):
        before, now = before_by_name.get(name), now_by_name.get(name)
        if find_target(before or "") != find_target(now or ""):
            why = f"saved is {_quote(before)}, running {_quote(now)}: the saved one comes into force at the next reboot"
            yield Doubt(kept.place(name), f"{table} {key} {name}", why, understood=True)


def _quote(text: str | None) -> str:
    return "nothing" if text is None else repr(text)
