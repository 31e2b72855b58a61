"""Files that are written as a whole or not at all."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def open_whole(name: str, errors: str = "strict") -> Iterator[TextIO]:
    """Yield a new text file that takes the place of the file *name* at the end, unless an exception ends it before.

    A device, a pipe, and a file that cannot be replaced (alone on a mount, or in a read-only folder) are written in
    place; what is left of such a file after an error is empty. Raises OSError.
    """
    path = Path(os.path.realpath(name))  # behind a symlink lies the file that the user means
    mode = _find_mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        with path.open("w", encoding="utf-8", errors=errors, newline="") as file:
            yield file
        return
    unfinished = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.unfinished")
    try:
        unfinished.touch(exist_ok=False)
    except PermissionError:
        if mode is None:
            raise
        with _open_in_place(path, errors) as file:
            yield file
        return
    try:
        with unfinished.open("w", encoding="utf-8", errors=errors, newline="") as file:
            yield file
        if mode is not None:
            unfinished.chmod(stat.S_IMODE(mode))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _open_in_place(path: Path, errors: str) -> Iterator[TextIO]:
    try:
        with path.open("w", encoding="utf-8", errors=errors, newline="") as file:
            yield file
    except BaseException:
        with suppress(OSError):
            os.truncate(path, 0)
        raise


def _find_mode(path: Path) -> int | None:
    """Return the mode of *path*, None without such a file."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
