"""The commands of one device, in the order of the list; later failures keep earlier results."""

from collections.abc import Callable, Collection
from typing import Protocol

from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CommandOutput, CommandResult, classify_output, record_error
from auditor.collect.platforms import Platform, PullCommand

ProgressHook = Callable[[int, int, str], None]
"""Receives *k*, *n* and the text when command *k* of *n* starts."""


class CommandRunner(Protocol):
    """A session that runs a command on a device."""

    def run(self, command: PullCommand, text: str) -> CommandOutput:
        """Return the output of *text*; raises PullError."""


def run_commands(
    session: CommandRunner,
    platform: Platform,
    settled: Collection[str],
    keep: Callable[[CommandResult], None],
    progress: ProgressHook,
) -> None:
    """Run the commands of *platform* except the *settled* ones; hand each result to *keep*.

    A command that takes too long costs only its own result. Raises PullError if the session is lost, after *keep* has
    the results of the commands that were not reached.
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
