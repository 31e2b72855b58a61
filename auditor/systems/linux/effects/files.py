"""Files that `echo`, `printf` and `sed` change: sysfs, configfs, and configuration files."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from auditor.model.dump import Capture
from auditor.systems.linux import files
from auditor.systems.linux.effects.edit import Captures
from auditor.systems.linux.effects.shell import ShellCommand
from auditor.systems.linux.identify import identify
from auditor.systems.linux.show import KNOWN
from auditor.util.regex import regex

_TCLASS = regex(r"/sys/class/infiniband/[^/]+/tc/\d+/traffic_class")
_STAGED = regex(r"(/sys/kernel/config/bnxt_re/[^/]+/ports/\d+/cc)/([a-z_]+)")
_LABELS = {"roce_dscp": "roce dscp", "roce_prio": "roce prio", "cnp_dscp": "cnp dscp", "cnp_prio": "cnp prio"}
"""What `apply` of bnxt_re calls the parameters of configfs."""
_NUMBER = regex(r"(?:0x)?[0-9A-Fa-f]{1,8}")
_DELETE = regex(r"/\^([A-Z][A-Z0-9_]*)=/d")
_REPLACE = regex(r"s/\^([A-Z][A-Z0-9_]*)=\.\*/\1=([\w.,:=^-]*)/")

Rewrite: TypeAlias = Callable[[list[str]], list[str]]
"""Returns the lines of a file as they are afterwards."""


def write(typed: ShellCommand, captures: Captures, before: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `echo` or `printf` wrote its words into a file; *before* are the commands before it."""
    if not typed.target.startswith("/") or not typed.words:
        return None
    text = " ".join(typed.words)
    staged = _STAGED.fullmatch(typed.target)
    if staged and staged[2] == "apply":
        return _put_into_force(staged[1], captures, before)
    shown = f"Global tclass={text}" if _TCLASS.fullmatch(typed.target) else text
    if typed.appends:
        return rewrite_file(captures, typed.target, lambda lines: [*lines, shown])
    return rewrite_file(captures, typed.target, lambda _: [shown])


def _put_into_force(folder: str, captures: Captures, before: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `apply` of bnxt_re took the numbers that were written into the files beside it."""
    numbers = {}
    for each in before:
        staged = _STAGED.fullmatch(each.target)
        if staged and staged[1] == folder and _NUMBER.fullmatch(each.words[0]):
            if staged[2] not in _LABELS:
                return None
            numbers[_LABELS[staged[2]]] = int(each.words[0], 16)
    return rewrite_file(captures, f"{folder}/apply", lambda lines: [_show(line, numbers) for line in lines])


def _show(line: str, numbers: Mapping[str, int]) -> str:
    label, colon, _ = line.partition(":")
    known = numbers.get(label.strip())
    return line if known is None else f"{label}{colon} {known}"


def edit_file(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `sed -i` deleted or replaced the lines of a variable in a file."""
    if len(typed.words) != 3 or typed.words[0] != "-i":  # noqa: PLR2004  option, script and file
        return None
    script, path = typed.words[1:]
    gone, other = _DELETE.fullmatch(script), _REPLACE.fullmatch(script)
    if gone:
        return rewrite_file(captures, path, lambda lines: [each for each in lines if not _sets(each, gone[1])])
    if other:
        text = f"{other[1]}={other[2]}"
        return rewrite_file(captures, path, lambda lines: [text if _sets(each, other[1]) else each for each in lines])
    return None


def _sets(line: str, name: str) -> bool:
    return line.startswith(f"{name}=")


def rewrite_file(captures: Captures, path: str, rewrite: Rewrite) -> Captures:
    """Return *captures* with the lines of the file *path* rewritten wherever one shows them."""
    return tuple(_rewrite_capture(capture, path, rewrite) for capture in captures)


def _rewrite_capture(capture: Capture, path: str, rewrite: Rewrite) -> Capture:
    paths = _list_paths(capture, path)
    own = [number for number, shown in enumerate(_name_lines(capture.lines, paths)) if shown == path]
    if not own and paths != (path,):
        return capture
    heads = [_find_head(capture.lines[number], path) for number in own]
    held = [capture.lines[number].removeprefix(head) for number, head in zip(own, heads, strict=True)]
    written = [f"{heads[0] if heads else ''}{line}" for line in rewrite(held)]
    at = own[0] if own else len(capture.lines)
    kept = [line for number, line in enumerate(capture.lines) if number not in own]
    return replace(capture, lines=(*kept[:at], *written, *kept[at:]))


def _list_paths(capture: Capture, path: str) -> Sequence[str]:
    """Return the files that a capture shows, *path* alone where the name of the capture spells it without slashes."""
    identified = identify(capture, KNOWN)
    if identified is None:
        return ()
    command = identified.call.text
    spelled = re.sub(r"[\s/_]+", "_", command)
    return (path,) if spelled == re.sub(r"[\s/_]+", "_", f"cat {path}") else files.list_paths(command)


def _find_head(line: str, path: str) -> str:
    return line[: line.index(path) + len(path) + 1] if path in line else ""


def _name_lines(lines: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """Yield the file of each line: the one that it names, that a heading names, or the only one that was asked for."""
    current = paths[0] if len(paths) == 1 else ""
    bare = [line for line in lines if line.strip()]
    in_order = iter(paths) if len(paths) == len(bare) > 1 else iter(())
    for line in lines:
        named, headed = files.find_named(line), files.find_heading(line)
        current = headed or current
        yield "" if headed or not line.strip() else named or next(in_order, current)
