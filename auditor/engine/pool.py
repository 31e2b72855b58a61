"""Child processes that share the items of a task; a lost item costs no other item its answer."""

from collections import deque
from collections.abc import Iterator, Sequence
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import Self

from auditor.engine.child import Bounds, Child, NoAnswer, Task, hold_signals
from auditor.engine.errors import CannotAudit

AHEAD = 4
"""Number of items that a child has at once, so that it never waits for the next one."""
SHARES = 4
"""A child has no more at once than this part of its fair share, so that all children end together."""
FEW, ALONE_S = 100, 0.25
"""Of so few items the first child has the work to itself for these seconds: each further one has to warm up."""
MOST_ITEMS = 1000
"""Items after which a child is replaced: a fork copies each page of its parent that it touches."""


class Pool:
    """At most *jobs* children at once."""

    def __init__(self, task: Task, bounds: Bounds, jobs: int) -> None:
        self._task = task
        self._bounds = bounds
        self._jobs = jobs
        self._ahead = max(1, min(AHEAD, len(task.things) // (SHARES * jobs)))
        self._shared_from = monotonic() + (0 if len(task.things) > FEW else ALONE_S)
        self._waiting: deque[int] = deque()
        self._children: dict[int, Child] = {}
        self._selector = DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the children."""
        for answers in list(self._children):
            self._forget(answers).close()
        self._selector.close()

    def answer_all(self) -> Iterator[tuple[int, str | NoAnswer]]:
        """Yield the index of each item and its encoded answer, as they come.

        An item is lost only where a child that had no other item before it loses it, or where it is the cause beyond
        doubt. Raises CannotAudit where no child can be started.
        """
        doubtful: list[int] = []
        for index, answer in self._share_out(range(len(self._task.things))):
            if isinstance(answer, NoAnswer) and answer.doubtful:
                doubtful.append(index)
            else:
                yield index, answer
        for index in doubtful:
            yield from self._share_out([index])

    def _share_out(self, indexes: Sequence[int]) -> Iterator[tuple[int, str | NoAnswer]]:
        self._waiting.extend(indexes)
        while self._waiting or self._children:
            self._start_children()
            ready = self._wait()
            for answers in list(self._children):
                yield from self._receive(answers, is_ready=answers in ready)

    def _start_children(self) -> None:
        """Start as many children as the waiting items keep busy."""
        while len(self._waiting) > self._ahead * len(self._children) and len(self._children) < self._count_allowed():
            try:
                with hold_signals():
                    child = Child(self._task, self._bounds)
                    self._children[child.answers] = child
                    self._selector.register(child.answers, EVENT_READ)
            except OSError as error:
                if not self._children:
                    why = f"cannot start a worker process: {error.strerror or error}"
                    raise CannotAudit(f"{why}; end other programs, or allow more processes and memory") from None
                self._jobs = len(self._children)
                return
            self._fill(child)

    def _count_allowed(self) -> int:
        """Return how many children there may be now."""
        return self._jobs if monotonic() >= self._shared_from else min(1, self._jobs)

    def _fill(self, child: Child) -> None:
        """Give *child* as many items as it may have at once."""
        count = min(self._ahead - len(child.pending), MOST_ITEMS - child.sent, len(self._waiting))
        if count > 0:
            child.send([self._waiting.popleft() for _ in range(count)])

    def _wait(self) -> frozenset[int]:
        """Return the answers that can be read, once there are any, a child is overdue, or another one may start."""
        seconds = min(child.count_seconds_left() for child in self._children.values())
        if self._waiting and self._count_allowed() < self._jobs:
            seconds = min(seconds, self._shared_from - monotonic())
        return frozenset(key.fd for key, _ in self._selector.select(max(0, seconds)))

    def _receive(self, answers: int, *, is_ready: bool) -> Iterator[tuple[int, str | NoAnswer]]:
        """Yield the new answers of a child; refill, replace or end the child."""
        child = self._children[answers]
        found, lives = child.receive(is_ready=is_ready)
        if lives and self._waiting:
            self._fill(child)
        if not lives or not child.pending:
            self._forget(answers).close()
            self._waiting.extendleft(reversed(child.pending))
        yield from found

    def _forget(self, answers: int) -> Child:
        self._selector.unregister(answers)
        return self._children.pop(answers)
