"""The identity of the program, to the byte: results of another build are not its own."""

import platform
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable

import auditor
from auditor.util.data_folder import folder

_SUFFIXES = (".py", ".yaml", ".txt", ".json")
_READERS = ("ciscoconfparse2", "numpy", "pydantic", "PyYAML")
"""Packages by which dumps are read and numbers are worked out."""


@lru_cache
def fingerprint() -> str:
    """Return a hash of the program's code and rules, of its interpreter and of the packages that it reads with."""
    found = sha256(" ".join((platform.python_version(), *map(version, _READERS))).encode())
    for name, file in (*_files(files(auditor), ""), *_files(folder(), "rules/")):
        data = file.read_bytes()
        found.update(f"\n{name} {len(data)}\n".encode())
        found.update(data)
    return found.hexdigest()


def _files(parent: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(parent.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(_SUFFIXES):
            yield prefix + entry.name, entry
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _files(entry, f"{prefix}{entry.name}/")
