"""`cat`, `grep` and `head` over files: the file of each line of output."""

import re
from collections.abc import Iterator
from itertools import islice

from auditor.model.dump import Capture
from auditor.systems.linux import filetable, sysfs, text
from auditor.systems.linux.evidence import Call, Events, Silence
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.memo import remember
from auditor.util.redact import redact
from auditor.util.regex import regex

_PREFIXED = regex(r"(?:.{0,80}?:\s)?(/(?:sys|proc|etc|var)/\S*/[\w.-]+)(?:\s=\s|\s*:\s*|=)(.*)")
_SPACED = regex(r"(/(?:sys|proc|etc|var)/[^\s:=]*/[\w.-]+)\s+(?!->)(\S.*)")
_HEADED = regex(r"==>\s*(?P<tail>\S+)\s*<==|(?P<echo>/(?:sys|proc|etc|var)/[^\s:=]+[\w.-]):?")
"""The line before a file, as `tail` prints it, or a loop that repeats the name."""
_BRACES = regex(r"\{([^{}]*)\}")
_MOST_PATHS = 512
_EIGHT = regex(r"(.*[/_]enable)[/_](?:\*|\[0-7\]|\?|[0-7]\.\.[0-7])?")
_SIDES = regex(r"(.*)roce_np_rp_(.*)")
_PATH = regex(r"/(?:sys|proc|etc|var)/[^\s'\":]*(?::[0-9a-f]{2}:[0-9a-f.]{4}[^\s'\":]*)?")
_TOOLS = regex(r"(?:cat|head|tail|more|grep|egrep)\b")
_NAME = regex(r"(cat|head|tail|more|grep)(?:_-[A-Za-z0-9]+)*(?:_\.)?_([a-z][\w.-]*)")
_OPTION = regex(r"-\S*|''|\"\"|\.|\^|'\.'|\"\.\"|\+?\d{1,4}")

PATH_LINE = regex(
    r"^(?:.{0,80}?:\s)?/sys/(?:class/(?:net|infiniband)|kernel/(?:debug|config)|module|bus/pci)/\S+", re.MULTILINE
)


def list_paths(command: str) -> tuple[str, ...]:
    """Return the paths that *command* reads, with braces and the eight priorities expanded; empty for other commands.

    >>> list_paths("cat /sys/class/net/eth0/ecn/roce_{np,rp}/enable/3")
    ('/sys/class/net/eth0/ecn/roce_np/enable/3', '/sys/class/net/eth0/ecn/roce_rp/enable/3')
    """
    words = command.split()
    if not words or not _TOOLS.fullmatch(words[0]):
        return ()
    given = (word.strip("'\"") for word in words[1:] if not _OPTION.fullmatch(word))
    expanded = (path for word in given for brace in _expand_braces(word) for path in _expand_priorities(brace))
    return tuple(islice(expanded, _MOST_PATHS))


def restore_command(stem: str) -> str:
    """Return the `cat PATH` command of a capture's file name; empty for other file names.

    >>> restore_command("cat_sys_class_net_ens1f0_ecn_roce_np_enable_")
    'cat /sys/class/net/ens1f0/ecn/roce_np/enable/*'
    """
    match = _NAME.fullmatch(stem)
    known = [found for path in _expand_priorities(match[2]) if (found := filetable.find_file(path))] if match else []
    if len(known) > 1:
        known = [(file, {**names, "priority": "*"}) for file, names in known]
    paths = dict.fromkeys(file.path(names) for file, names in known if "rest" not in names)
    return f"{match[1]} {' '.join(paths)}" if match and paths else ""


def _expand_braces(word: str, depth: int = 3) -> Iterator[str]:
    match = _BRACES.search(word)
    if not match or not depth:
        yield word
        return
    span = re.fullmatch(r"(\d{1,3})\.\.(\d{1,3})", match[1])
    parts = map(str, range(int(span[1]), int(span[2]) + 1)) if span else match[1].split(",")
    for part in parts:
        yield from _expand_braces(word[: match.start()] + part + word[match.end() :], depth - 1)


def _expand_priorities(path: str) -> Iterator[str]:
    sides = _SIDES.fullmatch(path)
    match = _EIGHT.fullmatch(path)
    if sides and match:
        for side in ("np", "rp"):
            yield from _expand_priorities(f"{sides[1]}roce_{side}_{sides[2]}")
    elif match:
        yield from (f"{match[1]}/{priority}" for priority in text.PRIORITIES)
    else:
        yield path


def find_named(line: str) -> str:
    """Return the file that a line of output names before its value; empty for other lines.

    >>> find_named("/sys/class/net/rail0/ecn/roce_np/cnp_dscp:48"), find_named("48")
    ('/sys/class/net/rail0/ecn/roce_np/cnp_dscp', '')
    """
    return _split_named(line)[0]


@remember
def _split_named(line: str) -> tuple[str, str]:
    """Return the file that a line names, and its value; empty for other lines."""
    match = _PREFIXED.fullmatch(line) or _SPACED.fullmatch(line)
    return (match[1], match[2]) if match else ("", "")


@remember
def find_heading(line: str) -> str:
    """Return the file whose lines follow a heading; empty for other lines.

    >>> find_heading("==> /etc/nccl.conf <==")
    '/etc/nccl.conf'
    """
    match = _HEADED.fullmatch(line)
    return (match["tail"] or match["echo"]) if match else ""


def read_files(capture: Capture, call: Call) -> Events:
    """Yield the facts of the files' lines."""
    paths = list_paths(call.text)
    numbered = [(index, line) for index, line in text.list_lines(capture) if not text.is_exit_status(line)]
    if not numbered and len(paths) == 1:
        yield from _read_line(capture, paths[0], 0, "", is_empty=True)
    bare: list[tuple[int, str]] = []
    current = ""
    for index, line in numbered:
        heading, (path, value) = find_heading(line), _split_named(line)
        if text.is_error(line):
            yield from _report_missing(index, line, paths, call)
        elif heading:
            current = heading
            yield mark_ignored(index)
        elif path:
            yield from _read_line(capture, path, index, value)
        elif current:
            yield from _read_line(capture, current, index, line)
        else:
            bare.append((index, line))
    yield from _assign_lines(capture, paths, bare)


def read_prefixed(capture: Capture, call: Call) -> Events:
    """Yield the facts of lines that name their file; another reader takes the other lines."""
    for index, line in text.list_lines(capture):
        match = _PREFIXED.fullmatch(line)
        if match and text.is_error(match[2]):
            yield from _report_missing(index, line, (), call)
        elif match:
            yield from _read_line(capture, match[1], index, match[2])


def _assign_lines(capture: Capture, paths: tuple[str, ...], bare: list[tuple[int, str]]) -> Events:
    """Give each line without a path the file that stands at its place in the command."""
    if len(paths) == len(bare):
        for path, (index, line) in zip(paths, bare, strict=True):
            yield from _read_line(capture, path, index, line)
    elif len(paths) <= 1 and not (paths and "*" in paths[0] and bare):
        for index, line in bare:
            yield from _read_line(capture, paths[0] if paths else "", index, line)
    elif bare:
        files = "each file of a pattern" if len(paths) == 1 else f"each of {len(paths)} files"
        why = f"one line for {files}; found {len(bare)} lines without a path"
        yield text.make_doubt(capture, bare[0][0], why)


def _read_line(capture: Capture, path: str, index: int, value: str, *, is_empty: bool = False) -> Events:
    known = filetable.find_file(path) if path else None
    if known is None:
        return
    file, names = known
    found = file.read(names, sysfs.LineContent(value.strip(), capture.where(index)))
    if found.expected and not is_empty:
        yield text.make_doubt(capture, index, found.expected)
    elif found.events:
        yield from found.events
        if not is_empty:
            yield mark_modelled(index)
    elif not is_empty:
        yield mark_not_modelled(index)


def _report_missing(index: int, line: str, paths: tuple[str, ...], call: Call) -> Events:
    for path in _PATH.findall(line) or paths:
        known = filetable.find_file(next(_expand_priorities(path)))
        if known:
            yield Silence(
                sysfs.parse_subject(known[1]), known[0].silent, f"{call.text.split()[0]}: {redact(line)[-120:]}"
            )
    yield mark_not_modelled(index)
