"""Commands of a SONiC shell as the change that they make to the configuration database."""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from auditor.model.dump import Capture
from auditor.systems.sonic.vocabulary import TABLES
from auditor.util.regex import regex

Database: TypeAlias = dict[str, dict[str, dict[str, Any]]]
Change: TypeAlias = Callable[[Database, Mapping[str, str]], None]


def apply_commands(lines: Sequence[str], captures: Sequence[Capture]) -> tuple[Capture, ...] | None:
    """Return *captures* with the configuration database as it is after the commands; None without a whole database.

    Commands that change no configuration, such as `config save`, are passed over. A line with a quote that does not
    close is no command: what a shell would make of it cannot be stated, and the result is None.
    """
    commands = _list_commands(lines)
    for number, capture in enumerate(captures if commands is not None else ()):
        database = _load(capture)
        if database is not None:
            for command in commands or ():
                _run(command, database)
            text = json.dumps(database, indent=4)
            return (*captures[:number], replace(capture, lines=tuple(text.split("\n"))), *captures[number + 1 :])
    return None


def _load(capture: Capture) -> Database | None:
    try:
        found = json.loads("\n".join(capture.lines))
    except (ValueError, RecursionError):
        return None
    return found if _is_database(found) and not found.keys().isdisjoint(TABLES) else None


def _is_database(found: object) -> bool:
    """Return whether each table holds rows, and each row fields."""
    tables = found.values() if isinstance(found, dict) else (None,)
    return all(isinstance(table, dict) and all(isinstance(row, dict) for row in table.values()) for table in tables)


def _list_commands(lines: Sequence[str]) -> Sequence[str] | None:
    try:
        return [" ".join(shlex.split(line, comments=True)) for line in lines]
    except ValueError:
        return None


def _run(command: str, database: Database) -> None:
    for form, change in _FORMS.items():
        if match := form.fullmatch(command):
            change(database, match.groupdict())
            return


def _write(database: Database, name: str, fields: Mapping[str, str]) -> None:
    table, _, key = name.partition("|")
    database.setdefault(table, {}).setdefault(key, {}).update(fields)


def _set_fields(database: Database, given: Mapping[str, str]) -> None:
    words = given["fields"].split(" ")
    _write(database, given["row"], dict(zip(words[::2], words[1::2], strict=False)))


def _delete_fields(database: Database, given: Mapping[str, str]) -> None:
    table, _, key = given["row"].partition("|")
    for field in given["fields"].split(" "):
        database.get(table, {}).get(key, {}).pop(field, None)


def _delete_row(database: Database, given: Mapping[str, str]) -> None:
    table, _, key = given["row"].partition("|")
    database.get(table, {}).pop(key, None)


def _set_port(database: Database, given: Mapping[str, str]) -> None:
    _write(database, f"PORT|{given['port']}", {given["field"]: given["value"]})


def _set_negotiation(database: Database, given: Mapping[str, str]) -> None:
    _write(database, f"PORT|{given['port']}", {"autoneg": "on" if given["state"] == "enabled" else "off"})


def _set_pause(database: Database, given: Mapping[str, str]) -> None:
    row = database.setdefault("PORT_QOS_MAP", {}).setdefault(given["port"], {})
    paused = {*filter(None, str(row.get("pfc_enable") or "").split(","))} - {given["priority"]}
    row["pfc_enable"] = ",".join(sorted(paused | ({given["priority"]} if given["state"] == "on" else set())))


def _set_cable(database: Database, given: Mapping[str, str]) -> None:
    lengths = database.setdefault("CABLE_LENGTH", {})
    lengths.setdefault(next(iter(lengths), "AZURE"), {})[given["port"]] = given["length"]


def _start_watchdog(database: Database, given: Mapping[str, str]) -> None:
    fields = {"action": given["action"], "detection_time": given["detection"], "restoration_time": given["restoration"]}
    _write(database, f"PFC_WD|{given['port']}", fields)


def _set_polling(database: Database, given: Mapping[str, str]) -> None:
    _write(database, "PFC_WD|GLOBAL", {"POLL_INTERVAL": given["polling"]})


_CURVE = {"gmin": "green_min_threshold", "gmax": "green_max_threshold", "gdrop": "green_drop_probability"}


def _set_curve(database: Database, given: Mapping[str, str]) -> None:
    _write(database, f"WRED_PROFILE|{given['profile']}", dict(_list_curve(given["curve"].split(" "))))


def _list_curve(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for option, value in zip(words[::2], words[1::2], strict=False):
        yield _CURVE[option.removeprefix("-")], value


def _set_hash(database: Database, given: Mapping[str, str]) -> None:
    database.setdefault("SWITCH_HASH", {}).setdefault("GLOBAL", {})["ecmp_hash"] = given["fields"].split(" ")


def _set_headroom(database: Database, given: Mapping[str, str]) -> None:
    row = f"BUFFER_PG|{given['port']}|{given['group']}"
    if given["verb"] == "add":
        _write(database, row, {"profile": "NULL"})
    else:
        _delete_row(database, {"row": row})


_FORMS: Mapping[re.Pattern[str], Change] = {
    regex(form): change
    for form, change in {
        r"sonic-db-cli CONFIG_DB (?i:hset) (?P<row>\S+) (?P<fields>.+)": _set_fields,
        r"sonic-db-cli CONFIG_DB (?i:hdel) (?P<row>\S+) (?P<fields>.+)": _delete_fields,
        r"sonic-db-cli CONFIG_DB (?i:del) (?P<row>\S+)": _delete_row,
        r"sudo config interface (?P<field>mtu|fec|speed) (?P<port>\S+) (?P<value>\S+)": _set_port,
        r"sudo config interface autoneg (?P<port>\S+) (?P<state>enabled|disabled)": _set_negotiation,
        r"sudo config interface pfc priority (?P<port>\S+) (?P<priority>\d) (?P<state>on|off)": _set_pause,
        r"sudo config interface cable-length (?P<port>\S+) (?P<length>\S+)": _set_cable,
        r"sudo config interface buffer priority-group lossless (?P<verb>add|remove) (?P<port>\S+) (?P<group>\S+)": (
            _set_headroom
        ),
        r"sudo config pfcwd start --action (?P<action>\w+) --restoration-time (?P<restoration>\d+) (?P<port>\S+) "
        r"(?P<detection>\d+)": _start_watchdog,
        r"sudo config switch-hash global ecmp-hash (?P<fields>.+)": _set_hash,
        r"sudo config pfcwd interval (?P<polling>\d+)": _set_polling,
        r"sudo ecnconfig -p (?P<profile>\S+) (?P<curve>(?:-g(?:min|max|drop) \d+ ?)+)": _set_curve,
    }.items()
}
"""The forms of commands, and what each changes: sonic-utilities' `config` and `ecnconfig`, and `sonic-db-cli`."""
