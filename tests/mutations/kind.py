"""Kinds of mutation as data: a realistic mistake as a pattern, and what must be found of it.

Each file `kinds/DOMAIN.yaml` is a list of kinds. To add one, write the mistake down where its likes are:

    - name: PFC is off on a port
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
    re.compile(pattern, re.MULTILINE)
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]


class Kind(BaseModel):
    """One kind of mistake: wherever `find` matches in a capture of the system `os`, it can be made.

    `command`: only in captures of a command in which this pattern is found. What takes the place of the match is `put`
    (with groups as in `re.sub`), or the match with each of its groups, numbers, times `scale` or plus `shift`. `all`:
    all places of a capture together are one mutant, as after search and replace; else each is one.

    `rules` are found, all of them, on the device or at the other end of a cable of it; those of `also` may be found
    with them, because at some places the same mistake has that consequence too. `undecidable` says instead why no
    configuration shows that it is a mistake: then no error may be found.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=8)]
    story: Annotated[str, Field(min_length=8)]
    os: str
    find: Pattern
    command: Pattern = ""
    put: str | None = None
    scale: float | None = None
    shift: int | None = None
    all: bool = False
    rules: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    undecidable: str = ""
    domain: str = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if sum(way is not None for way in (self.put, self.scale, self.shift)) != 1:
            raise ValueError(f"{self.name}: expected one of put, scale, shift")
        if bool(self.rules) == bool(self.undecidable):
            raise ValueError(f"{self.name}: expected rules, or why it is undecidable")
        return self

    def fits(self, command: str, file: str) -> bool:
        """Tell whether the mistake can be made in a capture of *command*, whose file is named after it if not said."""
        named = command or PurePath(file).stem.replace("_", " ")
        return re.search(self.command, named) is not None

    def applied(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield each mutant of *text* that differs from it, with the offset of its (first) place."""
        matches = list(re.finditer(self.find, text, re.MULTILINE))
        for together in [matches] if self.all and matches else [[match] for match in matches]:
            mutant = text
            for match in reversed(together):
                mutant = mutant[: match.start()] + self._instead(match) + mutant[match.end() :]
            if mutant != text:
                yield together[0].start(), mutant

    def _instead(self, match: re.Match[str]) -> str:
        if self.put is not None:
            return match.expand(self.put)
        found, start = match[0], match.start()
        for group in range(match.re.groups, 0, -1):
            number = round(float(match[group]) * (self.scale or 1)) + (self.shift or 0)
            found = found[: match.start(group) - start] + str(number) + found[match.end(group) - start :]
        return found


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of all domains."""
    reader = TypeAdapter(list[Kind])
    files = sorted(FOLDER.glob("*.yaml"))
    read = ((path, reader.validate_python(yaml.safe_load(path.read_text(encoding="utf-8")))) for path in files)
    return tuple(kind.model_copy(update={"domain": path.stem}) for path, found in read for kind in found)
