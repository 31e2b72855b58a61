"""Work on dumps one by one: in worker processes if the work is long, and from the cache if possible."""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from auditor.engine.errors import CannotAudit
from auditor.engine.options import Progress
from auditor.util.codec import Codec, Undecodable

if TYPE_CHECKING:
    from auditor.engine.cache import Cache

CHUNK = 4
"""Number of items per message to a worker."""


class Work:
    """Runs a function on many items, each item once within a run, and once between runs with a cache."""

    alone_s = 0.4
    """Seconds of work before workers start, because a start costs time."""

    def __init__(self, jobs: int | None = None, cache: "Cache | None" = None, progress: Progress | None = None) -> None:
        self._jobs = jobs or _count_cores()
        self._cache = cache
        self._progress = progress
        self._pool: Any = None
        self._known: dict[str, Any] = {}

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._cache is not None:
            self._cache.close()
        gc.unfreeze()

    def run(  # noqa: PLR0913  each parameter is independent
        self,
        function: Callable[[Any], Any],
        things: Sequence[Any],
        keys: Sequence[str],
        kind: type,
        step: str,
        *,
        kept: bool = True,
    ) -> Sequence[Any]:
        """Return what *function* gives for each of *things*, in their order: each a *kind*.

        A key stands for all that the answer depends on, within this run where the answer is not to be *kept*; *step*
        names the work for those who show its progress. Raises CannotAudit where a worker dies.
        """
        codec = _make_codec(kind)
        cache = self._cache if kept else None
        asked = {key: thing for key, thing in zip(keys, things, strict=True) if key not in self._known}
        with _pause_collection():
            for key in asked if cache is not None else ():
                self._recall(key, codec)
        new = {key: thing for key, thing in asked.items() if key not in self._known}
        answers: Iterable[tuple[Any, str]] = self._answer_all(function, list(new.values()), kind)
        if self._progress is not None:
            answers = self._progress(answers, len(new), step)
        for key, (answer, text) in zip(new, answers, strict=True):
            self._known[key] = answer
            if cache is not None:
                cache.put(key, text or codec.encode(answer))
        return [self._known[key] for key in keys]

    def _recall(self, key: str, codec: Codec) -> None:
        text = self._cache.get(key) if self._cache is not None else None
        if text is not None:
            try:
                self._known[key] = codec.decode(text)
            except Undecodable:
                return

    def _answer_all(
        self, function: Callable[[Any], Any], things: Sequence[Any], kind: type
    ) -> Iterator[tuple[Any, str]]:
        """Yield each answer, with its encoded text if a worker made one."""
        end = monotonic() + self.alone_s
        for done, thing in enumerate(things):
            is_shared_out = len(things) > 1 and (
                self._pool or monotonic() >= end
            )  # a single item gains nothing from a worker
            if is_shared_out and self._has_workers():
                yield from self._ask_workers(function, things[done:], kind)
                return
            yield function(thing), ""

    def _has_workers(self) -> bool:
        """Start the workers if needed, and return whether workers run."""
        if self._pool is None and self._jobs > 1:
            from concurrent.futures import ProcessPoolExecutor

            try:
                self._pool = ProcessPoolExecutor(self._jobs)
            except (OSError, NotImplementedError):  # a system without semaphores has no worker processes
                self._jobs = 1
        return self._pool is not None

    def _ask_workers(
        self, function: Callable[[Any], Any], things: Sequence[Any], kind: type
    ) -> Iterator[tuple[Any, str]]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            for text in self._pool.map(partial(_encode_answer, function, kind), things, chunksize=CHUNK):
                yield _make_codec(kind).decode(text), text
        except BrokenProcessPool:
            raise CannotAudit("a worker process crashed; retry with --jobs 1") from None


@contextmanager
def _pause_collection() -> Iterator[None]:
    """Pause the garbage collector while the run makes many permanent objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.freeze()


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _encode_answer(function: Callable[[Any], Any], kind: type, thing: object) -> str:
    return _make_codec(kind).encode(function(thing))


@lru_cache
def _make_codec(kind: type) -> Codec:
    return Codec(kind)
