"""Settings files that lie beside dumps or are named by the user: intent, links, baselines."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from auditor.engine.errors import CannotAudit

if TYPE_CHECKING:
    from auditor.intent import Intents

T = TypeVar("T")
CONFIG = "roce-audit.yaml"
MAX_SETTINGS_BYTES = 2**20


def inside(folder: Path, path: Path) -> bool:
    """Tell whether *path* leads to a file in *folder*: the folder may come from anybody, and so may a symlink in it."""
    return path.resolve().is_relative_to(folder.resolve())


def declared_in(path: Path, name: str) -> "Intents":
    """Return the intent that the file at *path* declares, told by *name*."""
    from auditor.intent import declared

    return from_yaml(declared, path, name)


def from_yaml(reader: Callable[[str, str], T], path: Path, name: str) -> T:
    """Return what *reader* makes of a YAML file, told by *name*; raises CannotAudit."""
    from auditor.util.yamlfile import YamlError

    try:
        return reader(name, settings_text(path))
    except YamlError as error:
        raise CannotAudit(str(error)) from None


def settings_text(path: str | Path, most: int = MAX_SETTINGS_BYTES) -> str:
    """Return the text of a file that the user names; raises CannotAudit."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise CannotAudit(f"{path}: too large, expected at most {most} bytes")
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotAudit(f"{path}: cannot be read: {error}") from None
