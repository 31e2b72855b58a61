"""The settings of a run: what `auditor.audit` and `auditor.load` take beside paths."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from auditor.engine.errors import CannotAudit
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.engine.cache import Cache

DEVICE_SECONDS, DEVICE_MEMORY_MB = 30, 1024
"""Bounds of one step on one device; a switch of 60,000 lines takes two seconds."""
EARLIER = ".earlier"
"""What the name of a folder ends with that has the first of two samples of counters."""
StrPath = str | os.PathLike[str]
Progress = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Takes results, their number and the name of the step; returns the same results, and may draw a bar on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a run, each with a default; files and folders are named by their path.

    >>> Options(base="origin/main").side, Options(old="last-week").side
    ('base', 'head')
    """

    config: str | None = None
    """File with the declared intent (default: `roce-audit.yaml` in the first path, where there is one)."""
    infer: bool = False
    """Leave a declared intent aside, and take what most ports do (default: no)."""
    links: str | None = None
    """File with cables, beside those that LLDP and the intent give (default: no file)."""
    os: str | None = None
    """Operating system of every input, in place of detection (default: detect each one)."""
    rules: str | None = None
    """Folder with the site's own rules (default: no folder)."""
    allow_python: Sequence[str] = ()
    """Installed modules or packages whose functions the rules in `rules` may call (default: no module)."""
    earlier: str | None = None
    """File, folder or archive with an earlier sample of the same devices: how their counters grew since is evidence
    (default: one sample only)."""
    base: str | None = None
    """Git revision, or `REV...` for the commit where HEAD left it: each finding is compared with those of the same
    paths at this revision (default: no comparison)."""
    repo: str | None = None
    """Folder in the git work tree that holds the paths and `base` (default: the working folder)."""
    old: str | None = None
    """Older folder or archive: each finding is compared with those of this one (default: no comparison)."""
    baseline: str | None = None
    """File of known findings: each finding is compared with those in it (default: no comparison)."""
    config_from: Literal["head", "base"] | None = None
    """Side whose intent, ignores, links and rules judge both sides; with `base`, edits by the change have no effect
    (default: `base` where `base` is given, else `head`)."""
    suggest: bool = False
    """For the worst causes that are new, seek edits of the configuration files, and audit them (default: no)."""
    simulate_events: int | None = None
    """Simulate the costs of new failures packet by packet, in so many events at most (default: closed forms)."""
    fabric_map: bool = False
    """Add to the report a map of the fabric, which the HTML page draws (default: no)."""
    jobs: int | None = None
    """Worker processes at once (default: one for each core)."""
    cluster: str | None = None
    """Address of a Dask scheduler, whose workers read and check devices (default: this machine). Without TLS
    (`tls://HOST:PORT`) anyone on the network can read the dumps and run programs on the workers."""
    device_seconds: float = DEVICE_SECONDS
    """Processor time for a step on one device: identify, parse, check (default: 30); ten times as much by the clock."""
    device_memory: int = DEVICE_MEMORY_MB
    """Megabytes of memory for a step on one device (default: 1024)."""
    cache: "Cache | None" = None
    """Results of earlier runs, read and written; `auditor.engine.cache.open_cache` opens one (default: no cache)."""
    stdin: BinaryIO | None = None
    """Bytes of the path `-` (default: no bytes)."""
    notify: Callable[[str], None] | None = None
    """Callback for messages about the workers of `cluster`: no TLS, a worker that leaves or is slow (default: no
    messages)."""
    progress: Progress | None = None
    """Callback for the progress of a long step (default: no progress is reported)."""

    @property
    def side(self) -> Literal["head", "base"]:
        """The side whose intent, ignores, links and rules judge both sides."""
        return self.config_from or ("head" if self.base is None else "base")


def list_paths(paths: StrPath | Iterable[StrPath]) -> tuple[str, ...]:
    """Return *paths*, of which there may be a single one, as texts; raises CannotAudit where there is no path.

    >>> list_paths("configs")
    ('configs',)
    """
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    names = tuple(os.fspath(path) for path in several)
    if not names:
        raise CannotAudit("no path is given; give a file, a folder or an archive")
    return names
