"""Unexpected errors, in one line."""

import traceback
from pathlib import Path


def describe_crash(error: BaseException) -> str:
    """Return the type of *error* and the line that raised it; its message may hold text of a dump.

    >>> try:
    ...     {}["secret"]
    ... except KeyError as error:
    ...     describe_crash(error).split(",")[0].split()[0]
    'KeyError'
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    return f"{type(error).__name__} in {Path(frames[-1].filename).name}, line {frames[-1].lineno}"
