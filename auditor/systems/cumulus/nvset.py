"""Lists of `nv set` and `nv unset` commands, as typed, as `nv config show -o commands` prints them, or in a script."""

import re
from collections.abc import Sequence

from auditor.model.dump import Capture, LineState
from auditor.systems.cumulus.objects import NvueStatement, Proof
from auditor.util.regex import regex

_COMMAND = regex(
    r"\s*(?P<prompt>[\w.-]{1,64}@[\w.:-]{1,64}\S{0,80}[$#] ?)?(?:sudo )?nv (?P<verb>set|unset)\s+(?P<rest>\S.*)"
)
_OTHER = regex(
    r"\s*(?:[\w.-]{1,64}@[\w.:-]{1,64}\S{0,80}[$#] ?)?(?:sudo )?(?:nv (?:config|action|show)|set -|#|$|net commit)"
)
_WORD = regex(r"""'(?P<single>[^']*)(?:'|\Z)|"(?P<double>[^"]*)(?:"|\Z)|(?P<plain>[^\s'"]+)""")


def is_command(line: str) -> bool:
    """Return whether *line* is an `nv set` or `nv unset` command."""
    return _COMMAND.match(line) is not None


def is_typed(capture: Capture) -> bool:
    """Return whether all commands of *capture* stand behind prompts: no output shows them so."""
    commands = [match for line in capture.lines if (match := _COMMAND.match(line))]
    return not capture.command and bool(commands) and all(match["prompt"] for match in commands)


def read(capture: Capture, states: list[LineState]) -> list[NvueStatement]:
    """Return the statements of a list of commands; mark all other lines in *states*."""
    found: list[NvueStatement] = []
    quote = ""
    for index, line in enumerate(capture.lines):
        if quote:
            states[index] = LineState.IGNORED
            quote = "" if line.count(quote) % 2 else quote
            continue
        command = _COMMAND.match(line)
        if command is None:
            if _OTHER.match(line):
                states[index] = LineState.IGNORED
            continue
        rest = command["rest"]
        quote = _open_quote(rest)
        words = _words(rest)
        if words:
            proof = Proof(capture.where(index), is_own=is_own(words))
            found.append(NvueStatement(words, proof, command["verb"] == "unset", (index,)))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple((m["single"] or m["double"] or m["plain"] or "") for m in _WORD.finditer(text))


def _open_quote(text: str) -> str:
    """Return the quote that a command leaves open for the lines below it."""
    quote = ""
    for character in text:
        if character in {"'", '"'} and quote in {"", character}:
            quote = "" if quote else character
    return quote


def is_own(words: Sequence[str]) -> bool:
    """Return whether a statement concerns one interface alone."""
    return len(words) > 1 and words[0] == "interface" and not re.search(r",|\d-", words[1])
