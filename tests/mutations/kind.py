"""Kinds of mutation as data: a realistic mistake as a pattern, and what must be found of it.

Each file `kinds/DOMAIN.yaml` is a list of kinds. To add one, write the mistake down where its likes are:

    - name: PFC is off on a port of NX-OS
      story: Switched off while an optic was replaced, and not switched on again.
      os: cisco_nxos
      find: 'priority-flow-control mode on'
      put: 'priority-flow-control mode off'
      rules: [PFC001]
      also: [PFC003]
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Annotated, Self

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

FOLDER = Path(__file__).parent / "kinds"


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"{pattern}: expected a pattern: {error}") from None
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]
Text = Annotated[str, Field(min_length=8)]


class Edit(BaseModel):
    """What is written in the place of what `find` matches in a capture whose command matches `command`.

    `put` takes its place (with groups as in `re.sub`), or each of its groups, numbers, is multiplied by `scale` or has
    `shift` added.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    find: Pattern
    command: Pattern = ""
    put: str | None = None
    scale: float | None = None
    shift: int | None = None

    @model_validator(mode="after")
    def _has_one_way(self) -> Self:
        if sum(way is not None for way in (self.put, self.scale, self.shift)) != 1:
            raise ValueError(f"{self.find}: expected one of put, scale, shift")
        return self

    def fits(self, command: str, file: str) -> bool:
        """Tell whether a capture is one of `command`; its file is named after it where it is not said."""
        named = command or PurePath(file).stem.replace("_", " ")
        return re.search(self.command, named) is not None

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the places in *text*."""
        return re.finditer(self.find, text, re.MULTILINE)

    def instead(self, match: re.Match[str]) -> str:
        """Return what takes the place of *match*."""
        if self.put is not None:
            return match.expand(self.put)
        found, start = match[0], match.start()
        for group in range(match.re.groups, 0, -1):
            number = round(float(match[group]) * (self.scale or 1)) + (self.shift or 0)
            found = found[: match.start(group) - start] + str(number) + found[match.end(group) - start :]
        return found


class Kind(Edit):
    """One kind of mistake: an edit that can be made at each of its places in the dumps of a system.

    `all`: all places of a capture together are one mutant, as after search and replace. `beside`: what other captures
    of the device show then; at the n-th place of the mistake the n-th place of each. `fabric`: only in these, by
    `FABRIC/DEVICE`.

    `rules` are found, all of them, on the device or at the other end of a cable of it; those of `also` may be found
    with them, because at some places the same mistake has that consequence too. `undecidable` says instead why no
    configuration shows that it is a mistake: then no error may be found.
    """

    name: Text
    story: Text
    os: str
    all: bool = False
    beside: tuple[Edit, ...] = ()
    fabric: Pattern = ""
    rules: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    undecidable: str = ""
    domain: str = ""

    @model_validator(mode="after")
    def _has_one_end(self) -> Self:
        if bool(self.rules) == bool(self.undecidable):
            raise ValueError(f"{self.name}: expected rules, or why it is undecidable")
        return self


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of all domains."""
    reader = TypeAdapter(list[Kind])
    files = sorted(FOLDER.glob("*.yaml"))
    read = ((path, reader.validate_python(yaml.safe_load(path.read_text(encoding="utf-8")))) for path in files)
    return tuple(kind.model_copy(update={"domain": path.stem}) for path, found in read for kind in found)
