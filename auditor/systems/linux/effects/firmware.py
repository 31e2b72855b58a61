"""`mlxconfig set` and `mlxfwreset`: settings of NVIDIA firmware, for the next boot and at once."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from auditor.model.dump import Capture
from auditor.systems.linux.effects.edit import Captures, Lines, edit_captures
from auditor.systems.linux.effects.names import find_pci
from auditor.systems.linux.effects.shell import ShellCommand
from auditor.systems.linux.evidence import Call
from auditor.systems.linux.identify import identify
from auditor.systems.linux.portnames import parse_device
from auditor.systems.linux.show import KNOWN
from auditor.util.regex import regex

_HEAD = regex(r"Configurations:(.*)")
_COLUMNS = ("Default", "Current", "Next Boot")
_ROW = regex(r"(\*?+\s*+(?:RO\s++)?)([A-Z][A-Z0-9_]*+(?:\[[0-9.]++\])?)(\s++)(\S.*)")
_SETTING = regex(r"([A-Z][A-Z0-9_]*(?:\[[0-9.]+\])?)=(\w+)")


def set_next_boot(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `mlxconfig -d DEV set NAME=VALUE…`: the column of the next boot changes."""
    words = [word for word in typed.words if word not in {"-y", "--yes"}]
    settings = [_SETTING.fullmatch(word) for word in words[3:]]
    if words[:1] != ["-d"] or words[2:3] != ["set"] or not settings or None in settings:
        return None
    wanted = {match[1]: match[2] for match in settings if match}
    return edit_captures(captures, "mlxconfig", _is_of(words[1], captures), lambda lines: _write_rows(lines, wanted))


def put_into_force(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `mlxfwreset -d DEV reset`: what waited for the next boot takes effect."""
    words = [word for word in typed.words if word not in {"-y", "--yes"}]
    if words[:1] != ["-d"] or words[2:] != ["reset"]:
        return None
    return edit_captures(captures, "mlxconfig", _is_of(words[1], captures), _copy_rows)


def _is_of(device: str, captures: Sequence[Capture]) -> Callable[[Call, Capture], bool]:
    """Return what accepts a capture of *device*, a PCI function or the RDMA device that another capture puts there."""
    pci = parse_device(device).pci or find_pci(device, captures)

    def accepts(call: Call, capture: Capture) -> bool:
        own = call.subject
        named = next((match[1] for line in capture.lines if (match := re.match(r"Device:\s*(\S+)", line))), "")
        about = own if own.is_named else parse_device(named)
        return bool(pci and about.pci == pci) or about.rdma == device

    return accepts


def list_captures(device: str, captures: Sequence[Capture]) -> Iterator[Capture]:
    """Yield the captures of `mlxconfig` that show *device*."""
    accepts = _is_of(device, captures)
    for capture in captures:
        identified = identify(capture, KNOWN)
        if identified and identified.command.name.startswith("mlxconfig") and accepts(identified.call, capture):
            yield capture


def _list_columns(lines: Lines) -> tuple[str, ...]:
    head = next((match[1] for line in lines if (match := _HEAD.fullmatch(line.strip()))), "")
    return tuple(each for each in _COLUMNS if each in head)


def _write_rows(lines: Lines, wanted: Mapping[str, str]) -> Lines | None:
    columns = _list_columns(lines)
    if "Next Boot" not in columns:
        return None
    at, left = columns.index("Next Boot"), dict(wanted)

    def change(name: str, values: list[str]) -> list[str]:
        value = left.pop(name, None)
        return values if value is None else [*values[:at], _spell(value, values), *values[at + 1 :]]

    found = _change_rows(lines, len(columns), change)
    return None if left else found


def _copy_rows(lines: Lines) -> Lines | None:
    columns = _list_columns(lines)
    if not {"Current", "Next Boot"} <= set(columns):
        return lines
    now, boot = columns.index("Current"), columns.index("Next Boot")
    return _change_rows(lines, len(columns), lambda _, values: [*values[:now], values[boot], *values[now + 1 :]])


def _change_rows(lines: Lines, columns: int, change: Callable[[str, list[str]], list[str]]) -> Lines:
    return [_change_row(line, columns, change) for line in lines]


def _change_row(line: str, columns: int, change: Callable[[str, list[str]], list[str]]) -> str:
    row = _ROW.fullmatch(line)
    values = row[4].split() if row else []
    if not row or len(values) != columns:
        return line
    after = change(row[2], values)
    return line if after == values else f"{row[1]}{row[2]}{row[3]}{'  '.join(after)}"


def _spell(value: str, shown: Sequence[str]) -> str:
    """Return *value* as the tool prints it in a row that has *shown* others: words with their number in parentheses.

    >>> _spell("FALSE", ["True(1)"]), _spell("0", ["OFF(0)", "ALL(2)"]), _spell("0", ["ALL(2)"]), _spell("48", ["0"])
    ('False(0)', 'OFF(0)', '_(0)', '48')
    """
    if not shown[-1].endswith(")"):
        return value
    number = {"TRUE": "1", "FALSE": "0"}.get(value.upper(), value)
    word = {"TRUE": "True(1)", "FALSE": "False(0)"}.get(value.upper(), f"_({number})")
    return next((each for each in shown if each.endswith(f"({number})")), word)
