"""A case of the fuzzer: files and the part of the program that gets them; what is wrong, and how it is kept."""

import json
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import auditor

_HOME = str(Path(auditor.__file__).parent)


class Hang(BaseException):
    """A case has used more CPU time than allowed; no handler of the program catches it."""


class Broken(Exception):  # noqa: N818  it is what a case finds
    """A result contradicts itself; the message says how."""


@dataclass(frozen=True)
class Case:
    """The input of one target: its files by name, and `told`, which says how they are read."""

    target: str
    files: Mapping[str, bytes]
    told: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The first file as text; what is no UTF-8 stays as half of a surrogate pair."""
        return decode(next(iter(self.files.values()), b""))

    def write(self, folder: Path) -> None:
        """Write the files into *folder*."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def to_json(self) -> str:
        """Return the case as JSON, from which `load` makes it again."""
        files = {name: decode(data) for name, data in self.files.items()}
        return json.dumps({"target": self.target, "told": dict(self.told), "files": files}, indent=1)

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the case that `to_json` has written."""
        data: Any = json.loads(text)
        files = {name: content.encode("utf-8", "surrogateescape") for name, content in data["files"].items()}
        return cls(data["target"], files, data["told"])


def decode(data: bytes) -> str:
    """Return *data* as text, from which the bytes can be had again."""
    return data.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a case: `kind` (traceback, hang, memory, broken, died), its place in the program, and more."""

    kind: str
    place: str
    detail: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        """What tells one class of faults from another."""
        return self.kind, self.place


def explain(error: BaseException) -> Fault:
    """Return the fault that an exception is: the innermost line of the program is its place."""
    if isinstance(error, Broken):
        return Fault("broken", str(error).split(":", 1)[0], str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_HOME)]
    last = own[-1] if own else frames[max(0, len(frames) - 2)]
    place = f"{last.filename.removeprefix(_HOME).lstrip('/')}:{last.name}"
    kind = {Hang: "hang", MemoryError: "memory"}.get(type(error), "traceback")
    name = "" if kind != "traceback" else f"{type(error).__name__} "
    if isinstance(error, RecursionError):
        place = f"{own[len(own) // 2].filename.removeprefix(_HOME).lstrip('/')}" if own else place
    return Fault(kind, f"{name}{place}", f"line {last.lineno}: {str(error)[:300]}")
