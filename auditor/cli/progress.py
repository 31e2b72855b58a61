"""The bar of a long step of the engine."""

import sys
from collections.abc import Iterable
from typing import Any

LEAST_RESULTS = 8
"""A step with fewer results is done before a bar could be read."""


def show_progress(results: Iterable[Any], count: int, step: str) -> Iterable[Any]:
    """Return *results* as they are; on a terminal a bar grows while they come."""
    if count < LEAST_RESULTS or not sys.stderr.isatty():
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, step, total=count, console=Console(stderr=True), transient=True)
