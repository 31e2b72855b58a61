"""The command of a capture: by the command line, else by the content, else by the file name."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from auditor.grammar.clues import Text
from auditor.grammar.elsewhere import follow
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture
from auditor.systems.linux import files, filetable
from auditor.systems.linux.command import Command, Commands, match_form
from auditor.systems.linux.commands import FILES
from auditor.systems.linux.evidence import Call
from auditor.systems.linux.portnames import is_placeholder, parse_pci
from auditor.util.memo import MOST, remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_WRAPPERS = regex(r"(?:sudo(?: -[A-Za-z]+)*|env|nice|timeout(?: -\S+)* \d+[smh]?|[A-Za-z_][A-Za-z0-9_]*=\S*)\s+(?=\S)")
_DEEPEST = 3  # of commands that run another
_PIPE = regex(r"(?<!\s)\s*(?:\|\|?|&&|;|\s\d?>|\s&>)")
_LOOP = regex(r"for ([A-Za-z_]\w*) in ([^;$`]{1,200}|\$\(seq [\d ]{3,20}\)) ?; ?do (.{1,400}?) ?;? ?done\b.*")
_SPAN = regex(r"\{\d{1,3}\.\.\d{1,3}\}")
_SEQUENCE = regex(r"\$\(seq (\d{1,3}) (\d{1,3})\)")
_HEAD_LINES, _HEAD_CHARACTERS, _LONGEST_COMMAND, _MOST_HEADS = 200, 65536, 4096, 64
_UNDERSCORE = regex(r"(reg_name|ROCE_ACCL|list_devices|get_qos|get_dscp2prio)|_")
_STARTS = {
    "/sys/class/infiniband/*/tc/*/traffic_class": r"\s*Global tclass=\d+",
    "/sys/kernel/config/bnxt_re/*/ports/*/cc/apply": r"\s*ecn status\s{1,16}: ",
}
"""Files with a known first line."""
_PATH_LINES = join_signs([files.PATH_LINE])
_OPENING = frozenset("$<{`*[")
"""What stands before the name of a variable or a pattern."""
_NAMED_LOOSELY = regex(r"([A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*?)__([A-Za-z0-9][\w.-]*)")


@dataclass(frozen=True, slots=True)
class Identified:
    """A known command, and its call in a capture."""

    command: Command
    call: Call

    @property
    def silent(self) -> tuple[str, ...]:
        """The settings that are unknown if the command failed."""
        return self.command.silent


def identify(capture: Capture, commands: Commands) -> Identified | None:
    """Return the command of *capture* out of *commands*: by command line, else content, else file name.

    `FILES`, where it is known, is the last of *commands*.
    """
    found = _match_typed(clean_command(capture.command), commands) if capture.command else None
    if found:
        return found
    stem = _strip_suffix(capture.file)
    return _match_content(capture, stem, commands) or (_match_name(stem, commands) if stem else None)


@remember
def clean_command(command: str) -> str:
    """Return *command* without prompt, privileges, environment, directories of tools, redirections and pipes.

    >>> clean_command("sudo LC_ALL=C /usr/bin/mlnx_qos -i ens1 2>/dev/null | head")
    'mlnx_qos -i ens1'
    >>> clean_command("kubectl exec pod-0 -- sudo mlnx_qos -i ens1")
    'mlnx_qos -i ens1'
    """
    typed = _unroll_loop(command.strip().removeprefix("$ ")[:_LONGEST_COMMAND])
    bare = _PIPE.split(typed, maxsplit=1)[0].strip()
    for _ in range(_DEEPEST):
        while (match := _WRAPPERS.match(bare)) is not None:
            bare = bare[match.end() :]
        bare, before = _PIPE.split(follow(bare).command, maxsplit=1)[0].strip(), bare
        if bare == before:
            break
    return re.sub(r"^(?:/[\w.-]+)*/(?=[\w.-]+(?:\s|$))", "", bare)


def _unroll_loop(command: str) -> str:
    """Return a loop of the shell as one command, its variable's values in braces.

    >>> _unroll_loop("for i in 0 3; do cat /sys/class/net/a/ecn/roce_np/enable/$i; done")
    'cat /sys/class/net/a/ecn/roce_np/enable/{0,3}'
    """
    loop = _LOOP.fullmatch(command)
    if not loop:
        return command
    span = _SEQUENCE.fullmatch(loop[2])
    values = loop[2] if _SPAN.fullmatch(loop[2]) else f"{{{span[1]}..{span[2]}}}" if span else None
    listed = values or f"{{{','.join(loop[2].split())}}}"
    return re.sub(rf"\$(?:{loop[1]}\b|{{{loop[1]}}})", lambda _: listed, loop[3])


@lru_cache(maxsize=MOST)
def _match_typed(command: str, commands: Commands) -> Identified | None:
    paths = files.list_paths(command) if commands[-1] is FILES else ()
    if any(filetable.find_file(path) for path in paths) or any(path.startswith("/sys/") for path in paths):
        return Identified(FILES, Call(command))
    for each, match in commands.match_forms(command):
        if match:
            return Identified(each, Call(command, _list_arguments(match)))
    return None


def _list_arguments(match: re.Match[str]) -> Mapping[str, str]:
    """Return the arguments by name, without variables and words that stand for any port."""
    whole = match.string
    given = {key: (value, match.start(key)) for key, value in match.groupdict().items() if value}
    return {
        key: value
        for key, (value, at) in given.items()
        if not is_placeholder(value) and whole[max(0, at - 1) : at] not in _OPENING
    }


def _match_content(capture: Capture, stem: str, commands: Commands) -> Identified | None:
    shown = _find_shown("\n".join(capture.lines[:_HEAD_LINES])[:_HEAD_CHARACTERS], commands)
    if shown is None or shown.command is FILES:
        return Identified(FILES, Call(files.restore_command(stem) or shown.call.text)) if shown else None
    named = _match_name(stem, commands) if stem else None
    return named if named and (named.command is shown.command or _tells_more(named.command, shown.command)) else shown


@lru_cache(maxsize=_MOST_HEADS)
def _find_shown(head: str, commands: Commands) -> Identified | None:
    """Return the command whose output begins with *head*, in its usual spelling."""
    text = Text((head,))
    if told := commands.find_shown(text):
        return Identified(told, Call(_spell_usual(told, {})))
    if commands[-1] is not FILES:
        return None
    if _PATH_LINES.are_in(text):
        return Identified(FILES, Call("grep . /sys"))
    path = next((path for path, start in _STARTS.items() if re.match(start, head)), None)
    return Identified(FILES, Call(f"cat {path}")) if path else None


def _tells_more(named: Command, shown: Command) -> bool:
    """Whether the file name identifies the use of a tool, and the content only the tool."""
    return not shown.shows and named.name.split()[0] == shown.name.split()[0]


@lru_cache(maxsize=MOST)
def _match_name(stem: str, commands: Commands) -> Identified | None:
    stem = stem.removeprefix("sudo_")
    read_files = files.restore_command(stem) if commands[-1] is FILES else ""
    if read_files:
        return Identified(FILES, Call(read_files))
    loose = _NAMED_LOOSELY.fullmatch(stem)
    for each, match in commands.match_forms(stem):
        if each is FILES:
            continue
        if match:
            given = {key: _restore_argument(value) for key, value in _list_arguments(match).items()}
            return Identified(each, Call(_spell_name(each, match), given))
        if loose and "{" in each.name and match_form(re.sub(r"\[.*?\]", "", each.name), loose[1]):
            key = each.name.partition("{")[2].partition("}")[0]
            given = {key: _restore_argument(loose[2])}
            return Identified(each, Call(_spell_usual(each, given), given))
    return None


def _restore_argument(value: str) -> str:
    """Return the argument *value* of a file name as it was typed.

    >>> _restore_argument("0000_4d_00.0"), _restore_argument("dev_mst_mt4129_pciconf0"), _restore_argument("mlx5_0")
    ('0000:4d:00.0', '/dev/mst/mt4129_pciconf0', 'mlx5_0')
    """
    if value.startswith("dev_mst_"):
        return "/dev/mst/" + value.removeprefix("dev_mst_")
    return parse_pci(value) or value


def _spell_usual(command: Command, given: Mapping[str, str]) -> str:
    """Return the usual spelling of *command*, without options whose argument is not *given*; a word stays a name."""
    optional = re.compile(r"\[([^\]]*\{(\w+)\})\]")
    spelled = optional.sub(lambda match: match[1] if match[2] in given else "", command.name)
    return re.sub(r"\{(\w+)\}", lambda match: given.get(match[1], match[1].upper()), spelled)


def _spell_name(command: Command, match: re.Match[str]) -> str:
    """Return the command in a file name with its spaces put back."""
    tool = re.split(r"[ \[]", command.name, maxsplit=1)[0]
    at, parts = 0, []
    spans = sorted((match.span(key), value) for key, value in match.groupdict().items() if value)
    for (start, end), value in spans:
        parts += [_restore_spaces(match[0][at:start], tool), _restore_argument(value)]
        at = end
    return "".join([*parts, _restore_spaces(match[0][at:], tool)])


def _restore_spaces(part: str, tool: str) -> str:
    kept = tool if part.startswith(tool) else ""
    return kept + _UNDERSCORE.sub(lambda match: match[1] or " ", part.removeprefix(kept))


@remember
def _strip_suffix(file: str) -> str:
    name = PurePosixPath(file).name
    return re.sub(r"\.(?:txt|json|log|out|conf)$", "", name)
