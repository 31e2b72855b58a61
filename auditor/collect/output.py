"""Results of commands: the output as it is stored, or the reason why output is missing."""

import re
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.platforms import Platform, PullCommand
from auditor.inputs.rawtext import apply_terminal
from auditor.util.redact_lines import redact_lines
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """The output of a command; `status` is the exit status in a shell, `replaced` counts bytes that are not UTF-8."""

    text: str
    status: int | None = None
    replaced: int = 0


class Status(StrEnum):
    """The status of a command."""

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
"""Statuses with a capture; the audit also reads the error message of a failed command."""
SETTLED = CAPTURED | {Status.EMPTY, Status.NOT_INSTALLED, Status.NOT_SUPPORTED}
"""Statuses that a repetition would not change."""
BROKEN = frozenset({Status.TIMEOUT, Status.TOO_LARGE, Status.NOT_REACHED})
"""Statuses that leave the pull of the device incomplete."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: its output as stored (empty without a capture), and the reason if output is missing."""

    command: str
    status: Status
    text: str = field(default="", repr=False)
    why: str = ""
    required: bool = False


_KILLED = 124
_NOT_FOUND = frozenset({126, 127})
_SHORT = 8
_REFUSAL = regex(
    r"\s*(?:%|\^\s*$|error\b|(?:syntax|parsing) error|unknown command|invalid (?:input|command)|incomplete command"
    r"|ambiguous command|unrecognized command|cmd exec error)",
    re.IGNORECASE,
)
_DENIAL = regex(
    r"permission denied|not authori[sz]ed|authori[sz]ation (?:failed|denied)|access denied|privileged mode required"
    r"|insufficient privilege|operation not permitted|password is required|not in the sudoers|must be (?:run as )?root"
    r"|not allowed to execute|need to be root|root privileges",
    re.IGNORECASE,
)
_LONGEST_WHY = 200


def classify_output(platform: Platform, command: PullCommand, text: str, said: CommandOutput) -> CommandResult:
    """Return the result of *text*, which printed *said*: a capture without secrets, or a reason."""
    lines = redact_lines([apply_terminal(line).replace("\0", "") for line in said.text.split("\n")])
    kept = "\n".join(lines)
    result = _find_status(platform, kept, said.status)
    why = "" if result is Status.OK else _find_reason(kept)
    if said.replaced:
        why = f"replaced {said.replaced} bytes that are not UTF-8{f'; {why}' if why else ''}"
    ended = kept if kept.endswith("\n") else f"{kept}\n"
    return CommandResult(text, result, ended if result in CAPTURED else "", why, command.required)


def record_error(command: PullCommand, text: str, failure: PullError) -> CommandResult:
    """Return the result of *text* that ended in *failure*."""
    kinds = {
        ErrorKind.TIMEOUT: Status.TIMEOUT,
        ErrorKind.TOO_LARGE: Status.TOO_LARGE,
        ErrorKind.FLOOD: Status.TOO_LARGE,
    }
    return CommandResult(text, kinds.get(failure.kind, Status.NOT_REACHED), "", failure.message, command.required)


def _find_status(platform: Platform, text: str, status: int | None) -> Status:
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


def _find_reason(text: str) -> str:
    """Return the last line of an error message, without lines that only point at a column."""
    said = [line.strip() for line in text.splitlines() if line.strip(" ^")]
    return said[-1][:_LONGEST_WHY] if said else ""


def describe_gap(answers: Sequence[CommandResult]) -> str:
    """Return the first gap of *answers*; empty for a complete pull."""
    required = [each for each in answers if each.required]
    if required and not any(each.status in CAPTURED for each in required):
        first = required[0]
        return f"{first.command}: {first.status}{f': {first.why}' if first.why else ''}"
    broken = [each for each in answers if each.status in BROKEN]
    if broken:
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        return f"{broken[0].command}: {broken[0].status}: {broken[0].why}{more}"
    return ""
