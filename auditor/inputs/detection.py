"""Detection of a file: its operating system and captures, by content first, then by name."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import PurePath
from typing import TypeAlias

from auditor.grammar.clues import ClueTable, tabulate_clues
from auditor.grammar.show import beginning
from auditor.inputs.cable_plans import CablePlan, find_plan
from auditor.inputs.foreign import resembles, without_settings, without_sign
from auditor.inputs.heads import list_bare
from auditor.inputs.once import forgetting, remember_once
from auditor.inputs.pastes import unwrap
from auditor.inputs.rawtext import Problem, Raw
from auditor.inputs.sessions import Cut, find_commands, find_cuts, find_hostname, find_parts, split_captures
from auditor.model.dump import Capture, LineState
from auditor.systems import systems
from auditor.util.filenames import get_name
from auditor.util.values import dataclass

MAIN_SHARE = 0.6
"""Share of a file's lines that make a capture the file's main one: that of a whole dump."""
FAR_MORE, FEW = 4, 2
"""Times as many lines, and so few lines, that leave no doubt which of two systems a dump is of."""
LEAST_MODELLED, MOST_UNRECOGNISED = 0.1, 0.25
"""Shares of lines of a device's dump, in more than 9 of 10 dumps seen."""
MOST_OUTPUTS, LONGEST_OUTPUT = 2048, 300
"""Outputs whose systems are remembered from file to file, and their lines at most."""
PROSE = frozenset({".md", ".rst"})
"""Suffixes of documents that may quote a configuration."""
SOURCES = frozenset({".c", ".cc", ".cpp", ".go", ".h", ".html", ".js", ".py", ".rs"})
"""Suffixes of programs, which hold the texts that they log."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """The identity of a file.

    `os` is None for an unknown system; `looks` then describes the content, and `is_unread` marks an unsupported system.
    `heads` are the indexes of the first lines of captures, empty for a file of one capture. `is_whole`: the file shows
    a whole device, `is_saved` one as its next boot makes it. `rival` is another system that explains the file as well
    as `os` does. `cuts` are those of its captures, None where they have to be sought. `plan` are the cables in a file
    of another tool that has no dump. `host` is the name of the switch in the prompts of a session, empty without one.
    """

    os: str | None
    heads: tuple[int, ...] = ()
    is_whole: bool = False
    looks: str = ""
    is_unread: bool = False
    rival: str | None = None
    is_saved: bool = False
    cuts: tuple[Cut, ...] | None = None
    plan: CablePlan | None = None
    host: str = ""


Identify: TypeAlias = Callable[[Sequence[Raw], str | None], Sequence[FileIdentity | Problem]]
"""Identifies files; the second argument is the operating system that the user gives."""
IdentifySystem: TypeAlias = Callable[[Sequence[Capture], str], str | Problem | None]
"""Identifies the system of captures; the second argument is the file that a problem is about."""


def identify_files(raws: Sequence[Raw], os: str | None) -> Sequence[FileIdentity]:
    """Return the identity of each file."""
    return [identify_file(raw, os) for raw in raws]


_split = remember_once(split_captures)
"""The steps of an identification split a file at the same lines."""


@dataclass(frozen=True, slots=True)
class _SystemTable:
    """Which systems are asked about a capture: `always`, for a clue in its lines, or for its command or file name."""

    always: frozenset[str]
    clues: ClueTable[str]
    by_name: tuple[str, ...]


@cache
def _tabulate_systems() -> _SystemTable:
    clues = {os: each.signs.clues for os, each in systems().items() if each.signs}
    told = {os: own for os, own in clues.items() if own is not None}
    by_name = tuple(os for os in told if systems()[os].find_names)
    return _SystemTable(frozenset(systems()) - told.keys(), tabulate_clues(told), by_name)


@remember_once
def _list_bearers(lines: tuple[str, ...]) -> frozenset[str]:
    """Return the systems that may recognise *lines*: a clue to one of their signs is there, or no clues are known."""
    asked = _tabulate_systems()
    return asked.always.union(asked.clues.find_owners(beginning(lines)))


def _recognise_all(capture: Capture) -> Mapping[str, str]:
    """Return the command of *capture* by the system that has it; the steps of an identification ask several times."""
    is_common = not capture.file and len(capture.lines) <= LONGEST_OUTPUT
    return _recognise_common(capture) if is_common else _recognise_once(capture)


@remember_once
def _recognise_once(capture: Capture) -> Mapping[str, str]:
    return _ask_bearers(capture)


@lru_cache(maxsize=MOST_OUTPUTS)
def _recognise_common(capture: Capture) -> Mapping[str, str]:
    """Return what `_recognise_all` does of an output without a file: ports and hosts print many alike."""
    return _ask_bearers(capture)


def _ask_bearers(capture: Capture) -> Mapping[str, str]:
    bearers = _list_bearers(capture.lines)
    if capture.command or capture.file:
        bearers = bearers.union(os for os in _tabulate_systems().by_name if systems()[os].names(capture))
    return {os: command for os in bearers if (command := systems()[os].recognise(capture)) is not None}


@remember_once
def _recognise(os: str, capture: Capture) -> str | None:
    """Return the command of *capture* as the system *os* has it."""
    is_asked = os in _list_bearers(capture.lines) or systems()[os].names(capture)
    return systems()[os].recognise(capture) if is_asked else None


@remember_once
def _has_own_words(os: str, lines: tuple[str, ...]) -> bool:
    """Return whether *lines* have words that the system *os* alone has; asked several times, too."""
    return os in _list_bearers(lines) and systems()[os].owns(Capture("", lines))


@forgetting
def identify_file(raw: Raw, os: str | None) -> FileIdentity:
    """Return the identity of *raw* by its lines and file name; *os* is the system that the user gives."""
    raw = replace(raw, name=get_name(raw.name))
    if not raw.shunned and (plan := find_plan(raw)):
        return FileIdentity(None, plan=plan)
    heads = _find_heads(raw)
    captures = _split(raw, heads)
    if heads and not os and _hides_dump(raw, captures):
        heads, captures = (), _split(raw, ())
    found, rival = (os, None) if os else _weigh_systems(raw, captures)
    if raw.shunned:
        shown = found if found and shows_device(found, _strip_quotes(raw)) else None
        return FileIdentity(shown, host=_find_host(shown, raw))
    if found:
        commands = [] if heads else [_recognise(found, capture) for capture in captures]
        is_whole = bool(heads) or not any(commands) or not systems()[found].whole.isdisjoint(commands)
        is_saved = not heads and not systems()[found].saved.isdisjoint(commands)
        cuts = find_cuts(raw, captures)
        host = _find_host(found, raw)
        return FileIdentity(found, heads, is_whole, rival=rival, is_saved=is_saved, cuts=cuts, host=host)
    if raw.given or PurePath(raw.name).suffix.lower() not in PROSE | SOURCES:
        holder = next((os for os, each in systems().items() if any(map(each.has_facts, captures))), None)
        if holder:
            return FileIdentity(holder, host=_find_host(holder, raw))
    relative = next(
        (name for each in systems().values() for capture in captures if (name := each.foreign(capture))), None
    )
    is_prose = PurePath(raw.name).suffix.lower() in PROSE
    owners = () if is_prose else _list_owners(captures)
    mixed = " and as one of ".join(f"a dump of {name}" * (not n) or name for n, name in enumerate(owners))
    unread = f"{relative}, which is not read" if relative else None if is_prose else resembles(captures)
    if unread is None and len(owners) > 1:
        unread = f"{mixed}; give each in a file of its own"
    looks = unread or without_settings(captures) or without_sign(captures) or ""
    return FileIdentity(None, looks=looks, is_unread=unread is not None)


def _find_host(os: str | None, raw: Raw) -> str:
    """Return the name in the prompts of *raw*, if it is of a switch."""
    return find_hostname(raw.lines) if os and systems()[os].kind == "switch" else ""


def _list_owners(captures: Sequence[Capture]) -> tuple[str, ...]:
    """Return the names of the systems each of which alone has some of the words of *captures*."""
    return tuple(each.name for os, each in systems().items() if any(_has_own_words(os, c.lines) for c in captures))


def _hides_dump(raw: Raw, captures: tuple[Capture, ...]) -> bool:
    """Return whether the main capture is a whole dump under a command that does not show it, such as `uname -a`."""
    main = max(captures, key=lambda capture: len(capture.lines), default=None)
    if main is None or len(main.lines) < MAIN_SHARE * len(raw.lines):
        return False
    content = replace(main, command="", file="")
    for os, each in systems().items():
        shown = _recognise(os, content)
        if shown is not None and shown in each.whole:
            verb = next(iter(main.command.split()), "")
            is_said = shown.startswith(verb) and _recognise(os, main) == shown
            if is_said:
                return False
            return _find_system(captures) != os or len(_list_modelled(os, content)) > len(_list_modelled(os, main))
    return False


def _weigh_systems(raw: Raw, captures: tuple[Capture, ...]) -> tuple[str | None, str | None]:
    """Return the system that explains *captures*, and a rival that explains other lines of them, None without one.

    A few lines cannot change what a dump is, such as those of a banner: of two systems that claim a whole dump, the one
    that models far more lines counts, or any line where the other models none.
    """
    found = _find_system(captures)
    main = max(captures, key=lambda capture: len(capture.lines), default=None)
    if found is None or main is None or len(main.lines) < MAIN_SHARE * len(raw.lines):
        return found, None
    if _recognise(found, main) not in systems()[found].whole:
        return found, None  # an output, such as a host's, not a whole dump
    content = replace(main, command="", file="")
    claims = [
        name
        for name, each in systems().items()
        if (_recognise(name, content) or "") in each.whole or _has_own_words(name, content.lines)
    ]
    if not set(claims) - {found}:
        return found, None
    lines = {name: _list_modelled(name, content) for name in dict.fromkeys((found, *claims))}
    for name in claims:
        more = len(lines[name] - lines[found])
        if more > FAR_MORE * max(FEW, len(lines[found] - lines[name])) or (more and not lines[found]):
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
    captures = _split(raw, _find_heads(raw))
    try:
        device = systems()[os].parse("", "", captures)
    except Exception:  # noqa: BLE001  what makes a reader fail looks like a dump
        return True
    states = Counter(state for dump in device.dumps for state in dump.states)
    count = sum(1 for capture in captures for line in capture.lines if line.strip())
    is_understood = states[LineState.UNRECOGNISED] <= MOST_UNRECOGNISED * count
    return bool(device.ports) and is_understood and states[LineState.MODELLED] >= LEAST_MODELLED * count


@forgetting
def list_captures(raw: Raw) -> tuple[Capture, ...]:
    """Return the captures of a file: several for a transcript, else one."""
    return _split(raw, _find_heads(raw))


def _find_heads(raw: Raw) -> tuple[int, ...]:
    """Return the first lines of the parts of a session, empty for a file that is one capture.

    A transcript has a known command. A dump of a host before the first command makes it no transcript; the
    configuration of a switch there is a part of its own. A banner may hold any text.
    """
    paste = unwrap(raw.lines)
    raw = replace(raw, lines=paste.lines)
    certain = frozenset(find_commands(raw.lines))
    commands = tuple(sorted(certain.union(_find_bare_heads(raw, certain))))
    if not commands and not paste.breaks:
        return ()
    starts = find_parts(raw.lines, commands, paste.breaks)
    before = _find_system((Capture("", raw.lines[: starts[0]]),))
    if before and systems()[before].kind != "switch":
        return ()
    starts = (0, *starts) if before else starts
    return starts if _find_system(_split(raw, starts)) else ()


def _find_bare_heads(raw: Raw, certain: AbstractSet[int]) -> tuple[int, ...]:
    """Return the lines of *raw* with a bare prompt; empty if no output proves one, or all are *certain* commands."""
    heads = list_bare(raw.lines)
    return heads if not certain >= {*heads} and any(map(_shows_its_command, _split(raw, heads))) else ()


def _shows_its_command(capture: Capture) -> bool:
    """Return whether the lines of *capture* match its command."""
    content = replace(capture, command="", file="")
    hosts = (os for os, each in systems().items() if each.kind == "host")
    shown = next((found for os in hosts if (found := _recognise(os, content))), None)
    return shown is not None and shown.split()[0] in capture.command.split()[:2]


@forgetting
def identify_system(captures: Sequence[Capture]) -> str | None:
    """Return the operating system of *captures*, None where no system recognises one."""
    return _find_system(tuple(captures))


@remember_once
def _find_system(captures: tuple[Capture, ...]) -> str | None:
    """Return the operating system that recognises most *captures*, by command or content, then by file name.

    Many systems have commands of the same name; of several that know as many captures, the first counts.
    """
    for nameless in (True, False):
        told_of = [Capture("", capture.lines, capture.command) for capture in captures] if nameless else captures
        known = Counter(os for capture in told_of for os, command in _recognise_all(capture).items() if command)
        if known:
            return _prefer_owner(max(systems(), key=known.__getitem__), told_of)
    return None


def _prefer_owner(best: str, captures: Sequence[Capture]) -> str:
    """Return the switch system that has a configuration here, which outranks the names of commands; else *best*."""
    if systems()[best].kind != "switch" or _owns(best, captures):
        return best
    for shows in (_owns, _configures):
        owners = [os for os, each in systems().items() if each.kind == "switch" and shows(os, captures)]
        if owners:
            return best if best in owners else max(owners, key=lambda os: _count_known(os, captures))
    return best


def _count_known(os: str, captures: Sequence[Capture]) -> int:
    return sum(bool(_recognise(os, capture)) for capture in captures)


def _owns(os: str, captures: Sequence[Capture]) -> bool:
    """Return whether a capture that the system *os* recognises has words that no other system has."""
    return any(_has_own_words(os, each.lines) and _recognise(os, replace(each, command="")) for each in captures)


def _configures(os: str, captures: Sequence[Capture]) -> bool:
    """Return whether a capture is a configuration of the system *os* by its lines."""
    each = systems()[os]
    return any(_recognise(os, replace(capture, command="")) in each.whole for capture in captures)


def identify_captures(captures: Sequence[Capture]) -> FileIdentity:
    """Return the identity of *captures* together."""
    return FileIdentity(identify_system(captures))


def describe_expected() -> str:
    """Return the list of expected dumps in words."""
    return "a dump of " + " or ".join(system.name for system in systems().values())
