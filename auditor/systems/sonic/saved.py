"""The running configuration against the saved one: what differs is lost, or comes back, at the next reboot."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.model.dump import Doubt
from auditor.systems.sonic.config import target
from auditor.systems.sonic.rows import Row

_COMPARED = frozenset({"PORT_QOS_MAP", "WRED_PROFILE", "SCHEDULER", "QUEUE", "PFC_WD", "CABLE_LENGTH", "PORT"})


def differences(saved: Mapping[str, Sequence[Row]], running: Mapping[str, Sequence[Row]]) -> Iterator[Doubt]:
    """Yield each row about quality of service that differs, at its place in the saved configuration."""
    for table in sorted({*saved, *running}):
        if table not in _COMPARED and not table.startswith("BUFFER_") and "_TO_" not in table:
            continue
        kept, used = ({row.key: row for row in rows.get(table, ())} for rows in (saved, running))
        for key in dict.fromkeys((*kept, *used)):
            yield from _row_differences(table, key, kept.get(key), used.get(key))


def _row_differences(table: str, key: str, kept: Row | None, used: Row | None) -> Iterator[Doubt]:
    if kept is None or used is None:
        present = kept or used
        if present:
            why = "only the running configuration has it: it is lost at the next reboot"
            why = "only the saved configuration has it: it comes into force at the next reboot" if kept else why
            yield Doubt(present.place(), f"{table} {key}", why, understood=True)
        return
    for name in dict.fromkeys((*kept.body.fields, *used.body.fields)):
        before, now = (row.body.fields.get(name) for row in (kept, used))
        if target(before or "") != target(now or ""):
            why = f"saved is {_shown(before)}, running {_shown(now)}: the saved one comes into force at the next reboot"
            yield Doubt(kept.place(name), f"{table} {key} {name}", why, understood=True)


def _shown(text: str | None) -> str:
    return "nothing" if text is None else repr(text)
