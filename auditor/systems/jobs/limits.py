"""Limits of locked memory, wherever a text states them: shells, limits.conf, systemd, Docker, `/proc/PID/limits`."""

from collections.abc import Iterable, Iterator

from auditor.model.dump import Capture
from auditor.model.text_facts import MemoryLimit
from auditor.util.regex import regex

_KIB = 1024
_UNLIMITED = frozenset({"unlimited", "infinity", "-1"})
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_NUMBER = r"(-1|\d{1,18}|unlimited)"
_ASKED = regex(r"(?:^|[\s;&|'\"(])ulimit\s{1,8}-[SH]{0,2}l[SH]{0,2}['\")]{0,4}$")
_ANSWER = regex(rf"\s*{_NUMBER}\s*")
_SHELL = regex(rf"\s*max locked memory\s+\([^)]*-l\)\s+{_NUMBER}\s*|-l: locked-in-memory size \(\w+\)\s+{_NUMBER}\s*")
_PROCESS = regex(rf"\s*Max locked memory\s+{_NUMBER}\s+{_NUMBER}\s+bytes\s*")
_PRLIMIT = regex(rf"\s*MEMLOCK\s+max locked-in-memory address space\s+{_NUMBER}\s+{_NUMBER}\s+bytes\s*")
_LIMITS_CONF = regex(r"\s*([^\s#]\S*)\s+(soft|hard|-)\s+memlock\s+(\S+)\s*(?:#.*)?")
_SYSTEMD = regex(r"\s*(?:Default)?LimitMEMLOCK(?:Soft)?=(\w+)(?::\w+)?\s*")
_DOCKER = regex(r"--ulimit[= ]['\"]?memlock=(-?\d{1,18})(?::-?\d{1,18})?")
_SIZE = regex(r"(\d{1,15})([KMGT]?)")


def find_limits(capture: Capture) -> Iterator[MemoryLimit]:
    """Yield the limits of locked memory that *capture* states."""
    asked = bool(_ASKED.search(capture.command.rstrip()))
    for index, line in enumerate(capture.lines):
        if asked and line.strip():
            answer = _ANSWER.fullmatch(line)
            if answer:
                yield MemoryLimit(_parse_count(answer[1], 1), "ulimit -l", capture.where(index))
            asked = False
        asked = asked or bool(_ASKED.search(line.rstrip()))
        if "emlock" in line or "MEMLOCK" in line or "ocked" in line:
            for source, kib in _read_line(line):
                yield MemoryLimit(kib, source, capture.where(index))


def _read_line(line: str) -> Iterable[tuple[str, int | None]]:
    """Return what *line* states, as the source and the limit in KiB, None for no limit."""
    if match := _SHELL.fullmatch(line):
        return (("ulimit -l", _parse_count(match[1] or match[2], 1)),)
    if match := _PROCESS.fullmatch(line) or _PRLIMIT.fullmatch(line):
        return (("the limit of the process", _parse_count(match[1], _KIB)),)
    if (match := _LIMITS_CONF.fullmatch(line)) and (match[3] in _UNLIMITED or match[3].isdecimal()):
        return ((f"limits.conf ({match[1]} {match[2]})", _parse_count(match[3], 1)),)
    if match := _SYSTEMD.fullmatch(line):
        size = _SIZE.fullmatch(match[1])
        if match[1] in _UNLIMITED:
            return (("systemd's LimitMEMLOCK", None),)
        return (("systemd's LimitMEMLOCK", int(size[1]) * _UNITS[size[2]] // _KIB),) if size else ()
    return tuple(("docker's --ulimit memlock", _parse_count(match[1], _KIB)) for match in _DOCKER.finditer(line))


def _parse_count(text: str, per_kib: int) -> int | None:
    """Return a limit in KiB, None for no limit.

    >>> _parse_count("65536", 1024), _parse_count("-1", 1024), _parse_count("8192", 1)
    (64, None, 8192)
    """
    return None if text in _UNLIMITED else int(text) // per_kib
