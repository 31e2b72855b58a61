"""Work on dumps one by one: in child processes within bounds, and from the cache if possible."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from auditor.engine.child import Bounds, NoAnswer, Task
from auditor.engine.options import Progress
from auditor.engine.pool import Pool
from auditor.util.codec import Common, Undecodable, list_texts, make_codec
from auditor.util.cores import count_cores
from auditor.util.redact import redact

if TYPE_CHECKING:
    from auditor.collect.cluster import Cluster
    from auditor.engine.cache import Cache
    from auditor.engine.shards import ShardPool


class Work:
    """Runs a function on many items, each item once within a run, and once between runs with a cache."""

    def __init__(
        self,
        bounds: Bounds,
        jobs: int | None = None,
        cache: "Cache | None" = None,
        progress: Progress | None = None,
        cluster: "Cluster | None" = None,
    ) -> None:
        self._bounds = bounds
        self._jobs = jobs or count_cores()
        self._cache = cache
        self._progress = progress
        self._cluster = cluster
        self._pool: Pool | ShardPool | None = None
        self._known: dict[str, Any] = {}
        self.is_whole = True
        """Whether every item had an answer."""

    def close(self) -> None:
        """End the children, and the connection to the cluster: what is asked for later is done here."""
        if self._pool is not None:
            self._pool.close()
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None
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
        is_shared: bool = False,
        scale: float = 1,
        makes_garbage: bool = True,
        prepare: Callable[[Sequence[Any]], None] | None = None,
    ) -> Sequence[Any]:
        """Return what *function* gives for each of *things*, in their order: each a *kind*, or NoAnswer.

        A key stands for all that the answer depends on, within this run where the answer is not to be *kept*; *step*
        names the work for those who show its progress. Work that *is_shared* goes to the cluster, where there is one.
        *scale* multiplies the bounds of an item, *makes_garbage* is that of a `Task`. *prepare* imports all that
        children need for the items that are new. Raises CannotAudit where no child process can be started.
        """
        codec, common = make_codec(kind), Common()
        cache = self._cache if kept else None
        asked = {key: thing for key, thing in zip(keys, things, strict=True) if key not in self._known}
        with pause_collection():
            for key, text in cache.recall(asked) if cache is not None else ():
                with suppress(Undecodable):
                    self._known[key] = codec.decode(text, common)
        new = {key: thing for key, thing in asked.items() if key not in self._known}
        if prepare is not None and new:
            prepare(list(new.values()))
        names = list(new)
        answers: Iterable[tuple[int, Any, str]] = self._answer_all(
            Task(function, list(new.values()), kind, makes_garbage),
            self._bounds.scale(scale),
            self._cluster if is_shared else None,
            common,
        )
        if self._progress is not None:
            answers = self._progress(answers, len(new), step)
        with pause_collection():
            for index, answer, text in answers:
                self._known[names[index]] = answer
                self.is_whole &= not isinstance(answer, NoAnswer)
                if cache is not None and text:
                    cache.put(names[index], text)
        if cache is not None:
            cache.flush()
        return [self._known[key] for key in keys]

    def recall(self, key: str, kind: type) -> Any:  # noqa: ANN401  a *kind*
        """Return the *kind* that an earlier run has kept under *key*, None without one."""
        for _, text in self._cache.recall([key]) if self._cache is not None else ():
            with pause_collection(), suppress(Undecodable):
                return make_codec(kind).decode(text)
        return None

    def keep(self, key: str, value: object, kind: type) -> None:
        """Keep *value*, a *kind*, for later runs under *key*, unless a part of it cannot be kept or shows a secret."""
        if self._cache is not None:
            with suppress(TypeError):
                text = make_codec(kind).encode(value)
                if not any(redact(each) != each for each in list_texts(text)):
                    self._cache.put(key, text)

    def _answer_all(
        self, task: Task, bounds: Bounds, cluster: "Cluster | None", common: Common
    ) -> Iterator[tuple[int, Any, str]]:
        """Yield the index of each item, its answer or NoAnswer, and the encoded answer."""
        codec = make_codec(task.kind)
        self._pool = _make_pool(cluster, task, bounds, self._jobs)
        with self._pool:
            for index, answer in self._pool.answer_all():
                if isinstance(answer, NoAnswer):
                    yield index, answer, ""
                    continue
                try:
                    yield index, codec.decode(answer, common), answer
                except Undecodable:
                    yield index, NoAnswer("crash: unreadable results"), ""


def _make_pool(cluster: "Cluster | None", task: Task, bounds: Bounds, jobs: int) -> "Pool | ShardPool":
    if cluster is None:
        return Pool(task, bounds, jobs)
    from auditor.engine.shards import ShardPool

    return ShardPool(cluster, task, bounds)


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pause the garbage collector while the run makes many permanent objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.freeze()
