"""Pulling one device: its commands in the order of the list, each answer kept whatever happens after it."""

from collections.abc import Callable, Collection
from typing import Protocol

from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CommandOutput, CommandResult, classify_output, record_error
from auditor.collect.platforms import Platform, PullCommand

ProgressHook = Callable[[int, int, str], None]
"""Is told that command *k* of *n* is being run."""


class CommandRunner(Protocol):
    """What runs a command on a device."""

    def run(self, command: PullCommand, text: str) -> CommandOutput:
        """Return what *text* prints; raises Failure."""


def run_commands(
    session: CommandRunner,
    platform: Platform,
    settled: Collection[str],
    keep: Callable[[CommandResult], None],
    progress: ProgressHook,
) -> None:
    """Run what *platform* lists except the commands that are *settled*, and hand each answer to *keep*.

    A command that takes too long or prints too much costs only itself; raises Failure where the session is lost, after
    the commands that were not reached have been handed over as well.
    """
    found: dict[str, dict[str, None]] = {}
    lost: PullError | None = None
    left = list(platform.commands)
    done = 0
    while left:
        command = left.pop(0)
        texts = list(command.list_instances({name: tuple(values) for name, values in found.items()}))
        for text in texts:
            if text in settled and not command.finds:
                continue
            done += 1
            if lost is not None:
                keep(record_error(command, text, PullError(ErrorKind.NOT_TRIED, lost.message)))
                continue
            progress(done, done + len(left), text)
            try:
                said = session.run(command, text)
            except PullError as failure:
                keep(record_error(command, text, failure))
                lost = None if failure.kind is ErrorKind.TIMEOUT else failure
                continue
            for name, value in command.find_names(said.text):
                found.setdefault(name, {})[value] = None
            keep(classify_output(platform, command, text, said))
    if lost is not None:
        raise lost
