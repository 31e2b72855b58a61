"""Detection of a file: its operating system and captures, by content first, then by name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeAlias

from auditor.inputs.foreign import resembles, without_sign
from auditor.inputs.rawtext import Problem, Raw
from auditor.model.dump import Capture
from auditor.systems import systems

PROSE = frozenset({".md", ".rst"})
"""Suffixes of documents that may quote a configuration."""
_HEAD = re.compile(
    r"(?:\$(?: |$)|\+{1,4} (?=\S)|"
    r"\[?[\w.-]{1,64}@[\w.-]{1,64}[:\s~][^#$%]{0,200}[#$%] ?|"
    r"[\w.-]{1,64}# ?(?=sho?w? )|"
    r"PS [A-Za-z]:\\[^>]{0,200}> ?(?=Get-)|"
    r"[<\[][~*]?[\w./:-]{1,64}[>\]] ?(?=di(?:s|sp|spl|spla|splay) )|"
    r"[\w.-]{1,64}@[\w.-]{1,64}[>#] ?(?=(?:run )?sho?w?\b))(?P<command>.*)"
)
"""The first line of a capture in a transcript: `$ COMMAND`, `+ COMMAND` in the trace of a script, a shell's prompt with
user and host, a switch's prompt before a show or display command, or PowerShell's prompt before a Get cmdlet."""
_USER_AND_HOST = re.compile(r"\[?([\w.-]{1,64}@[\w.-]{1,64})")
_OWN_TOOLS = (
    r"mlnx_qos|m(?:lx|st)config|mlxlink|mlxreg|ibv_devinfo|ibdev2netdev|show_gids|cma_roce_tos|cma_roce_mode|lldptool"
    r"|niccli|bnxtqos|nicctl|ethtool"
)
_COMMON_TOOLS = (
    r"mst status|ibstat|rdma|lldpctl|lldpcli|dcb|ip|lspci|devlink|nvidia-smi"
    r"|(?:cat|grep|tail|head)(?= [^|]*/(?:sys|proc|etc)/)"
)
_BARE_HEAD = re.compile(
    r"(?:(?:[\w.-]{1,64}(?::[^\s#$]{0,200})? ?)?(?P<prompt>[#$]) ?)?"
    rf"(?P<command>(?:sudo )?(?:/\w+/s?bin/)?(?:{_OWN_TOOLS}|(?(prompt)(?:{_COMMON_TOOLS})|(?!)))(?: .*)?)"
)
"""Prompts that may also be comments or scripts: `# COMMAND` and `sh-5.1# COMMAND` before a host tool, and a command of
an RDMA tool without a prompt."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """The identity of a file.

    `os` is None for an unknown system; `looks` then describes the content, and `is_unread` marks an unsupported system.
    `heads` are the indexes of the first lines of captures, empty for a file of one capture. `is_whole`: the file shows
    a whole device.
    """

    os: str | None
    heads: tuple[int, ...] = ()
    is_whole: bool = False
    looks: str = ""
    is_unread: bool = False


Identify: TypeAlias = Callable[[Sequence[Raw], str | None], Sequence[FileIdentity | Problem]]
"""Identifies files; the second argument is the operating system that the user gives."""
IdentifySystem: TypeAlias = Callable[[Sequence[Capture], str], str | Problem | None]
"""Identifies the system of captures; the second argument is the file that a problem is about."""


def identify_files(raws: Sequence[Raw], os: str | None) -> Sequence[FileIdentity]:
    """Return the identity of each file."""
    return [identify_file(raw, os) for raw in raws]


def identify_file(raw: Raw, os: str | None) -> FileIdentity:
    """Return the identity of *raw* by its lines and file name; *os* is the system that the user gives."""
    raw = replace(raw, name=PurePath(raw.name).name)
    heads = _find_heads(raw)
    captures = split_captures(raw, heads)
    found = os or identify_system(captures)
    if found:
        commands = [systems()[found].recognise(capture) for capture in captures]
        return FileIdentity(
            found, heads, bool(heads) or not any(commands) or not systems()[found].whole.isdisjoint(commands)
        )
    relative = next(
        (name for each in systems().values() for capture in captures if (name := each.foreign(capture))), None
    )
    is_prose = PurePath(raw.name).suffix.lower() in PROSE
    unread = f"{relative}, which is not read" if relative else None if is_prose else resembles(captures)
    return FileIdentity(None, looks=unread or without_sign(captures) or "", is_unread=unread is not None)


def list_captures(raw: Raw) -> tuple[Capture, ...]:
    """Return the captures of a file: several for a transcript, else one."""
    return split_captures(raw, _find_heads(raw))


def split_captures(raw: Raw, heads: Sequence[int]) -> tuple[Capture, ...]:
    """Return the captures of *raw*, which begin at the lines *heads*."""
    if not heads:
        return (Capture(raw.name, raw.lines, ends_mid_line=not raw.ends_with_newline),)
    return tuple(
        Capture(
            raw.name,
            raw.lines[head + 1 : end],
            command,
            head + 2,
            ends_mid_line=end == len(raw.lines) and not raw.ends_with_newline,
            session=_find_session(raw.lines[head]),
        )
        for head, end in zip(heads, (*heads[1:], len(raw.lines)), strict=True)
        if (command := _find_command(raw.lines[head]))
    )


def _find_command(line: str) -> str:
    found = _HEAD.match(line) or _BARE_HEAD.fullmatch(line.rstrip())
    return found["command"].strip() if found else ""


def _find_session(line: str) -> str:
    found = _USER_AND_HOST.match(line)
    return found[1] if found else ""


def _find_heads(raw: Raw) -> tuple[int, ...]:
    """Return the indexes of the first lines of captures, empty for a file without a transcript.

    A transcript has a known command, and no dump before its first command. A banner may hold any text.
    """
    heads = tuple(number for number, line in enumerate(raw.lines) if _HEAD.match(line))
    heads = tuple(sorted({*heads, *_find_bare_heads(raw)}))
    if not heads or identify_system([Capture("", raw.lines[: heads[0]])]):
        return ()
    return heads if identify_system(split_captures(raw, heads)) else ()


def _find_bare_heads(raw: Raw) -> tuple[int, ...]:
    """Return the lines of *raw* with a bare prompt; empty if no output below proves a command."""
    heads = tuple(number for number, line in enumerate(raw.lines) if _BARE_HEAD.fullmatch(line.rstrip()))
    return heads if heads and any(map(_shows_its_command, split_captures(raw, heads))) else ()


def _shows_its_command(capture: Capture) -> bool:
    """Return whether the lines of *capture* match its command."""
    hosts = (each for each in systems().values() if each.kind == "host")
    shown = next((found for each in hosts if (found := each.recognise(replace(capture, command="", file="")))), None)
    return shown is not None and shown.split()[0] in capture.command.split()[:2]


def identify_system(captures: Sequence[Capture]) -> str | None:
    """Return the operating system that recognises most *captures*, by command or content, then by file name.

    Many systems have commands of the same name; of several that know as many captures, the first counts.
    """
    for nameless in (True, False):
        told_of = [replace(capture, file="") for capture in captures] if nameless else captures
        best, most = None, 0
        for os, system in systems().items():
            known = sum(bool(system.recognise(capture)) for capture in told_of)
            if known > most:
                best, most = os, known
            if known == len(told_of):
                break
        if best:
            return best
    return None


def identify_captures(captures: Sequence[Capture]) -> FileIdentity:
    """Return the identity of *captures* together."""
    return FileIdentity(identify_system(captures))


def describe_expected() -> str:
    """Return the list of expected dumps in words."""
    return "a dump of " + " or ".join(system.name for system in systems().values())
