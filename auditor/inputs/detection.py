"""Detection of a file: its operating system and captures, by content first, then by name."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeAlias

from auditor.inputs.foreign import resembles, without_sign
from auditor.inputs.rawtext import Problem, Raw
from auditor.model.dump import Capture, LineState
from auditor.systems import systems

MAIN_SHARE = 0.6
"""Share of a file's lines that make a capture the file's main one: that of a whole dump."""
FAR_MORE, FEW = 4, 2
"""Times as many lines, and so few lines, that leave no doubt which of two systems a dump is of."""
LEAST_MODELLED, MOST_UNRECOGNISED = 0.1, 0.25
"""Shares of lines of a device's dump, in more than 9 of 10 dumps seen."""
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
    a whole device. `rival` is another system that explains the file as well as `os` does.
    """

    os: str | None
    heads: tuple[int, ...] = ()
    is_whole: bool = False
    looks: str = ""
    is_unread: bool = False
    rival: str | None = None


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
    if heads and not os and _hides_dump(raw, captures):
        heads, captures = (), split_captures(raw, ())
    found, rival = (os, None) if os else _weigh_systems(raw, captures)
    if raw.shunned:
        return FileIdentity(found if found and shows_device(found, _strip_quotes(raw)) else None)
    if found:
        commands = [systems()[found].recognise(capture) for capture in captures]
        is_whole = bool(heads) or not any(commands) or not systems()[found].whole.isdisjoint(commands)
        return FileIdentity(found, heads, is_whole, rival=rival)
    relative = next(
        (name for each in systems().values() for capture in captures if (name := each.foreign(capture))), None
    )
    is_prose = PurePath(raw.name).suffix.lower() in PROSE
    unread = f"{relative}, which is not read" if relative else None if is_prose else resembles(captures)
    return FileIdentity(None, looks=unread or without_sign(captures) or "", is_unread=unread is not None)


def _hides_dump(raw: Raw, captures: Sequence[Capture]) -> bool:
    """Return whether the main capture is a whole dump under a command that does not show it, such as `uname -a`."""
    main = max(captures, key=lambda capture: len(capture.lines), default=None)
    if main is None or len(main.lines) < MAIN_SHARE * len(raw.lines):
        return False
    content = replace(main, command="", file="")
    for os, each in systems().items():
        shown = each.recognise(content)
        if shown is not None and shown in each.whole:
            verb = next(iter(main.command.split()), "")
            is_said = shown.startswith(verb) and each.recognise(main) == shown
            if is_said:
                return False
            return identify_system(captures) != os or len(_list_modelled(os, content)) > len(_list_modelled(os, main))
    return False


def _weigh_systems(raw: Raw, captures: Sequence[Capture]) -> tuple[str | None, str | None]:
    """Return the system that explains *captures*, and a rival that explains other lines of them, None without one.

    A few lines cannot change what a dump is, such as those of a banner: of two systems that claim a whole dump, the one
    that models far more lines counts.
    """
    found = identify_system(captures)
    main = max(captures, key=lambda capture: len(capture.lines), default=None)
    if found is None or main is None or len(main.lines) < MAIN_SHARE * len(raw.lines):
        return found, None
    if systems()[found].recognise(main) not in systems()[found].whole:
        return found, None  # an output, such as a host's, not a whole dump
    content = replace(main, command="", file="")
    claims = [name for name, each in systems().items() if (each.recognise(content) or "") in each.whole]
    if not set(claims) - {found}:
        return found, None
    lines = {name: _list_modelled(name, content) for name in dict.fromkeys((found, *claims))}
    for name in claims:
        if len(lines[name] - lines[found]) > FAR_MORE * max(FEW, len(lines[found] - lines[name])):
            found = name
    rivals = {name: len(own - lines[found]) for name, own in lines.items() if name != found}
    rival = max(rivals, key=lambda name: rivals[name])
    clear = FAR_MORE * rivals[rival] <= len(lines[found] - lines[rival]) or rivals[rival] <= FAR_MORE * FEW
    return found, None if clear else rival


def _list_modelled(os: str, capture: Capture) -> set[int]:
    """Return the lines of *capture* that the system *os* models; empty where it cannot read them."""
    try:
        dumps = systems()[os].parse("", "", [capture]).dumps
    except Exception:  # noqa: BLE001  a system may choke on the dump of another; its own dump is read again later
        return set()
    wanted = {LineState.MODELLED, LineState.CONDITIONAL, LineState.NOT_MODELLED}
    return {number for dump in dumps for number, state in enumerate(dump.states) if state in wanted}


def _strip_quotes(raw: Raw) -> Raw:
    """Return *raw* without the quoted blocks of Markdown."""
    kept, inside = [], False
    for line in raw.lines:
        is_fence = line.lstrip().startswith(("```", "~~~"))
        inside ^= is_fence
        kept.append("" if inside or is_fence else line)
    return replace(raw, lines=tuple(kept))


def shows_device(os: str, raw: Raw) -> bool:
    """Return whether *raw* reads like the dump of a device of the system *os*: with ports, and understood for the most.

    A document, a script or a history of commands may quote lines of any system.
    """
    captures = split_captures(raw, _find_heads(raw))
    try:
        device = systems()[os].parse("", "", captures)
    except Exception:  # noqa: BLE001  what makes a reader fail looks like a dump
        return True
    states = Counter(state for dump in device.dumps for state in dump.states)
    count = sum(1 for capture in captures for line in capture.lines if line.strip())
    is_understood = states[LineState.UNRECOGNISED] <= MOST_UNRECOGNISED * count
    return bool(device.ports) and is_understood and states[LineState.MODELLED] >= LEAST_MODELLED * count


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
