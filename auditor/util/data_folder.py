"""The data that comes with the program: rules and presets, inside the installed package or beside it in a checkout."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import auditor


def folder() -> Traversable:
    """Return the folder of the rules and presets."""
    packaged = files(auditor) / "rules"
    return packaged if packaged.is_dir() else Path(str(files(auditor))).parent / "rules"


@cache
def read_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of files of the kind *name*, which is kept there: to make it takes longer than its use."""
    found: dict[str, Any] = json.loads((folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found
