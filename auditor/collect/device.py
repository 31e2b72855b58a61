"""Pulling one device: its commands in the order of the list, each answer kept whatever happens after it."""

from collections.abc import Callable, Collection
from typing import Protocol

from auditor.collect.failure import Failure, Kind
from auditor.collect.output import Answer, Output, answer, unanswered
from auditor.collect.platforms import Command, Platform

Progress = Callable[[int, int, str], None]
"""Is told that command *k* of *n* is being run."""


class Runs(Protocol):
    """What runs a command on a device."""

    def run(self, command: Command, text: str) -> Output:
        """Return what *text* prints; raises Failure."""


def ask(
    session: Runs,
    platform: Platform,
    settled: Collection[str],
    keep: Callable[[Answer], None],
    progress: Progress,
) -> None:
    """Run what *platform* lists except the commands that are *settled*, and hand each answer to *keep*.

    A command that takes too long or prints too much costs only itself; raises Failure where the session is lost, after
    the commands that were not reached have been handed over as well.
    """
    found: dict[str, dict[str, None]] = {}
    lost: Failure | None = None
    left = list(platform.commands)
    done = 0
    while left:
        command = left.pop(0)
        texts = list(command.instances({name: tuple(values) for name, values in found.items()}))
        for text in texts:
            if text in settled and not command.finds:
                continue
            done += 1
            if lost is not None:
                keep(unanswered(command, text, Failure(Kind.NOT_TRIED, lost.message)))
                continue
            progress(done, done + len(left), text)
            try:
                said = session.run(command, text)
            except Failure as failure:
                keep(unanswered(command, text, failure))
                lost = None if failure.kind is Kind.TIMEOUT else failure
                continue
            for name, value in command.found_in(said.text):
                found.setdefault(name, {})[value] = None
            keep(answer(platform, command, text, said))
    if lost is not None:
        raise lost
