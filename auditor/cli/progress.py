"""The progress bar of the engine's long steps."""

import sys
from collections.abc import Iterable
from typing import Any

LEAST_RESULTS = 8
"""A step with fewer results ends before a person can read a bar."""


def show_progress(results: Iterable[Any], count: int, step: str) -> Iterable[Any]:
    """Return *results* unchanged; on a terminal, draw a bar meanwhile."""
    if count < LEAST_RESULTS or not sys.stderr.isatty():
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, step, total=count, console=Console(stderr=True), transient=True)
