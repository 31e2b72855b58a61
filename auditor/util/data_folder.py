"""The data that comes with the program: rules and presets, inside the installed package or beside it in a checkout."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import auditor


def folder() -> Traversable:
    """Return the folder of the rules and presets."""
    packaged = files(auditor) / "rules"
    return packaged if packaged.is_dir() else Path(str(files(auditor))).parent / "rules"
