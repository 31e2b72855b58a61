"""A command as it is typed: its tool, its words, and the file that takes its output."""

import re
import shlex
from collections.abc import Iterator, Sequence

from auditor.util.regex import regex
from auditor.util.values import dataclass

_LOOP = regex(r"for ([a-z]\w*) in ([\w.:/, -]+); do (.+); done")
_EXPANDED = frozenset("$`*?\\")
"""What a shell replaces: a command that holds one does something that cannot be told from its text."""
_COMMENT = regex(r"\s#\s[^'\"]*$")
_CONTROL = frozenset({"|", "||", "&", "&&", ";", ";;", "<", "(", ")"})
MOST_TURNS = 256


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One command: `target` is the file that takes its output, `appends` whether behind what the file holds."""

    tool: str
    words: tuple[str, ...]
    target: str = ""
    appends: bool = False


def parse_commands(line: str) -> tuple[ShellCommand, ...] | None:
    """Return the commands of *line*, a loop turn by turn; None where a shell would do more than its text says.

    >>> parse_commands("echo 106 > /sys/a/traffic_class   # DSCP 26")
    (ShellCommand(tool='echo', words=('106',), target='/sys/a/traffic_class', appends=False),)
    >>> [each.words for each in parse_commands("for a in 1 2; do setpci -s $a R=0; done")]
    [('-s', '1', 'R=0'), ('-s', '2', 'R=0')]
    >>> parse_commands("cat a | sh") is None, parse_commands("echo $(id) > a") is None
    (True, True)
    """
    commands = [_parse_command(each) for each in _unroll(_COMMENT.sub("", line).strip())]
    return None if None in commands else tuple(each for each in commands if each)


def _unroll(line: str) -> Iterator[str]:
    loop = _LOOP.fullmatch(line)
    if not loop:
        yield line
        return
    for value in loop[2].split()[:MOST_TURNS]:
        yield re.sub(rf"\$(?:{loop[1]}\b|{{{loop[1]}}})", lambda _, value=value: value, loop[3])


def _parse_command(line: str) -> ShellCommand | None:
    if not _EXPANDED.isdisjoint(line.replace(r"\.", "")) and not line.startswith("sed "):
        return None
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return None
    target, appends = "", False
    if len(words) > 2 and words[-2] in {">", ">>"}:  # noqa: PLR2004  a tool, `>` and a file
        target, appends, words = words[-1], words[-2] == ">>", words[:-2]
    if not words or not _CONTROL.isdisjoint(words) or ">" in words or ">>" in words:
        return None
    tool, *rest = words[1:] if words[0] == "sudo" and len(words) > 1 else words
    return ShellCommand(tool, tuple(rest), target, appends)


def parse_options(words: Sequence[str]) -> dict[str, str] | None:
    """Return options with their values, each `--name=value`, `--name value` or `-n value`; None for other words.

    >>> parse_options(["-i", "rail0", "--pfc", "0,0,0,1,0,0,0,0", "--dcbx=os"])
    {'-i': 'rail0', '--pfc': '0,0,0,1,0,0,0,0', '--dcbx': 'os'}
    >>> parse_options(["rail0"]) is None
    True
    """
    found: dict[str, str] = {}
    given = iter(words)
    for word in given:
        name, equals, value = word.partition("=")
        if not name.startswith("-") or name in found:
            return None
        found[name] = value if equals else next(given, "")
        if not found[name]:
            return None
    return found
