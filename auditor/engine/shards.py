"""A task on a cluster: shards of its items go to workers, each of which answers with bounded children of its own.

A request is the build of this program and a pickle, from the user's machine alone. A reply is JSON with encoded
answers: nothing in it is unpickled. Both are compressed: a worker that fails logs the beginning of its task.
`python -m auditor.engine.shards` is the program on the workers.
"""

import json
import pickle
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from signal import alarm
from typing import Any, Self
from zlib import compress, decompress

from auditor.collect.cluster import Cluster, ClusterError, ProgramRun
from auditor.engine.child import WALL_FACTOR, Bounds, NoAnswer, Task
from auditor.engine.errors import CannotAudit
from auditor.engine.pool import Pool
from auditor.util.build_id import fingerprint

SHARD_BYTES = 2**22
"""Size of a shard: reading it takes seconds, and starting the program for it takes less than one."""
START_SECONDS = 60
"""For the program of a shard to start and to end, beside the bounds of its items."""
_BUILD_CHARS = 64
_PROGRAM = "auditor.engine.shards"


def open_cluster(address: str, notify: Callable[[str], None] | None) -> Cluster:
    """Return the connection to the cluster at *address*, which *notify* hears from; raises CannotAudit."""
    try:
        return Cluster(address, notify or (lambda _: None))
    except ClusterError as error:
        raise CannotAudit(str(error)) from None


class ShardPool:
    """What `Pool` is for the children of this machine, for the workers of a cluster."""

    def __init__(self, cluster: Cluster, task: Task, bounds: Bounds) -> None:
        self._cluster = cluster
        self._task = task
        self._bounds = bounds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: the cluster drops what is left when the connection ends."""

    def answer_all(self) -> Iterator[tuple[int, str | NoAnswer]]:
        """Yield the index of each item and its encoded answer, as they come.

        The items of a shard that is lost are tried again one by one, each alone on the cluster, so that one item costs
        no other its answer. Raises CannotAudit where the cluster cannot be used.
        """
        lost: list[int] = []
        try:
            for indexes, run in self._run(range(len(self._task.things))):
                if run.lost:
                    lost += indexes
                else:
                    yield from _read_reply(run, indexes)
            for index in lost:
                for indexes, run in self._run([index]):
                    yield from [(index, NoAnswer(run.lost))] if run.lost else _read_reply(run, indexes)
        except ClusterError as error:
            raise CannotAudit(str(error)) from None

    def _run(self, indexes: Sequence[int]) -> Iterator[tuple[list[int], ProgramRun]]:
        """Yield the items of each shard of *indexes*, and the run of the program on a worker."""
        if not indexes:
            return
        most = -(-len(indexes) // max(1, self._cluster.count_threads()))
        yield from self._cluster.run_all(_PROGRAM, self._make_shards(indexes, most))

    def _make_shards(self, indexes: Sequence[int], most: int) -> Iterator[tuple[list[int], bytes]]:
        """Yield shards of *indexes*, at most so many items in one, each with the request for a worker."""
        held: list[int] = []
        things: list[bytes] = []
        for index in indexes:
            held.append(index)
            things.append(self._pickle(self._task.things[index]))
            if len(held) == most or sum(map(len, things)) >= SHARD_BYTES:
                yield held, self._make_request(things)
                held, things = [], []
        if held:
            yield held, self._make_request(things)

    def _make_request(self, things: Sequence[bytes]) -> bytes:
        work = self._pickle((self._task.function, self._task.kind, self._bounds, things))
        return fingerprint().encode() + compress(work, level=1)

    @staticmethod
    def _pickle(value: object) -> bytes:
        try:
            return pickle.dumps(value)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise CannotAudit(f"--cluster: cannot send the work to workers: {error}; audit without --cluster") from None


def _read_reply(run: ProgramRun, indexes: Sequence[int]) -> Iterator[tuple[int, str | NoAnswer]]:
    """Yield the answers to the items *indexes*; raises ClusterError where the worker refuses to answer."""
    reply = json.loads(decompress(run.output))
    if build := reply.get("build"):
        own = f"this machine runs {_describe_build()}"
        raise ClusterError(f"worker {run.worker} runs {build}, {own}; install the same version and packages on both")
    if refused := reply.get("refused"):
        raise ClusterError(f"worker {run.worker}: {refused}")
    for index, text, why in reply["answers"]:
        yield indexes[index], NoAnswer(why) if text is None else text


def _describe_build() -> str:
    import auditor

    return f"roce-audit {auditor.__version__}, Python {platform.python_version()}, build {fingerprint()[:12]}"


def answer_request(data: bytes) -> dict[str, Any]:
    """Return the reply to a request; its pickle is not read where it is of another build."""
    if data[:_BUILD_CHARS].decode("ascii", "replace") != fingerprint():
        return {"build": _describe_build()}
    try:
        function, kind, bounds, things = pickle.loads(decompress(data[_BUILD_CHARS:]))  # noqa: S301  from the user's machine alone
        task = Task(function, [pickle.loads(thing) for thing in things], kind)  # noqa: S301  the same
    except (ImportError, AttributeError) as error:
        return {"refused": f"cannot load the work: {error}; install the modules of --allow-python on each worker"}
    alarm(int(START_SECONDS + bounds.seconds * WALL_FACTOR * (len(things) + 1)))
    try:
        with Pool(task, bounds, jobs=1) as pool:
            answers = [
                (index, None, answer.why) if isinstance(answer, NoAnswer) else (index, answer, "")
                for index, answer in pool.answer_all()
            ]
    except CannotAudit as error:
        return {"refused": str(error)}
    return {"answers": answers}


if __name__ == "__main__":
    sys.stdout.buffer.write(compress(json.dumps(answer_request(sys.stdin.buffer.read())).encode(), level=1))
