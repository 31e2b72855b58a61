"""What a device answered: each command's output as it may be stored, or why there is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from auditor.collect.failure import Failure, Kind
from auditor.collect.platforms import Command, Platform
from auditor.inputs.rawtext import apply_terminal
from auditor.util.redact_lines import redact_lines


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed; `status` is its exit status where a shell ran it, `replaced` counts bytes not UTF-8."""

    text: str
    status: int | None = None
    replaced: int = 0


class Status(StrEnum):
    """What became of a command."""

    OK = "ok"
    FAILED = "failed"
    EMPTY = "empty"
    NOT_INSTALLED = "not installed"
    NOT_SUPPORTED = "not supported"
    DENIED = "denied"
    TIMEOUT = "timeout"
    TOO_LARGE = "too large"
    NOT_REACHED = "not reached"


CAPTURED = frozenset({Status.OK, Status.FAILED})
"""There is a capture; of a command that failed it says why, and the audit reads that as well."""
SETTLED = CAPTURED | {Status.EMPTY, Status.NOT_INSTALLED, Status.NOT_SUPPORTED}
"""Asking again would bring nothing new."""
BROKEN = frozenset({Status.TIMEOUT, Status.TOO_LARGE, Status.NOT_REACHED})
"""The pull of the device is not complete."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One command: its output as it may be stored (empty without a capture), or why there is none."""

    command: str
    status: Status
    text: str = field(default="", repr=False)
    why: str = ""
    required: bool = False


_KILLED = 124
_NOT_FOUND = frozenset({126, 127})
_SHORT = 8
_REFUSAL = re.compile(
    r"\s*(?:%|\^\s*$|error\b|syntax error|unknown command|invalid (?:input|command)|incomplete command"
    r"|ambiguous command|unrecognized command|cmd exec error)",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"permission denied|not authori[sz]ed|authori[sz]ation (?:failed|denied)|access denied|privileged mode required"
    r"|insufficient privilege|operation not permitted|password is required|not in the sudoers|must be (?:run as )?root"
    r"|not allowed to execute|need to be root|root privileges",
    re.IGNORECASE,
)
_LONGEST_WHY = 200


def answer(platform: Platform, command: Command, text: str, said: Output) -> Answer:
    """Return what *said*, the output of *text*, is: a capture without secrets, or why there is none."""
    lines = redact_lines([apply_terminal(line).replace("\0", "") for line in said.text.split("\n")])
    kept = "\n".join(lines)
    result = _status(platform, kept, said.status)
    why = "" if result is Status.OK else _why(kept)
    if said.replaced:
        why = f"{said.replaced} bytes that are no UTF-8 were replaced{f'; {why}' if why else ''}"
    ended = kept if kept.endswith("\n") else f"{kept}\n"
    return Answer(text, result, ended if result in CAPTURED else "", why, command.required)


def unanswered(command: Command, text: str, failure: Failure) -> Answer:
    """Return that *text* got no answer because of *failure*."""
    kinds = {Kind.TIMEOUT: Status.TIMEOUT, Kind.TOO_LARGE: Status.TOO_LARGE}
    return Answer(text, kinds.get(failure.kind, Status.NOT_REACHED), "", failure.message, command.required)


def _status(platform: Platform, text: str, status: int | None) -> Status:
    shown = [line for line in text.splitlines() if line.strip()]
    is_short = len(shown) <= _SHORT
    is_denied = is_short and any(_DENIAL.search(line) for line in shown)
    if status is None:
        is_refused = is_short and any(_REFUSAL.match(line) for line in shown)
    else:
        is_refused = bool(status) and (is_denied or not (platform.keep_failed and shown))
    if status == _KILLED:
        return Status.TIMEOUT
    if status in _NOT_FOUND:
        return Status.NOT_INSTALLED
    if is_refused:
        return Status.DENIED if is_denied else Status.NOT_SUPPORTED
    return Status.FAILED if status else Status.OK if shown else Status.EMPTY


def _why(text: str) -> str:
    """Return the line of an error message that says most: the last one, without what only points."""
    said = [line.strip() for line in text.splitlines() if line.strip(" ^")]
    return said[-1][:_LONGEST_WHY] if said else ""


def lacks(answers: Sequence[Answer]) -> str:
    """Return what makes *answers* less than a complete pull, empty where they are one."""
    required = [each for each in answers if each.required]
    if required and not any(each.status in CAPTURED for each in required):
        first = required[0]
        return f"{first.command}: {first.status}{f': {first.why}' if first.why else ''}"
    broken = [each for each in answers if each.status in BROKEN]
    if broken:
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        return f"{broken[0].command}: {broken[0].status}: {broken[0].why}{more}"
    return ""
