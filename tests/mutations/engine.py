"""Mutants: each kind of mistake at each place of the clean fabrics where it fits, and what an audit says of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from clean import Clean, Judged, text_of, with_text
from kind import Kind

from auditor.finding import Level
from auditor.model.dump import Capture
from auditor.result import Reported


@dataclass(frozen=True)
class Mutant:
    """A clean fabric with one mistake, made in the capture at `index` of the unit at `unit`."""

    kind: Kind
    fabric: Clean
    unit: int
    index: int
    offset: int
    text: str

    @property
    def _capture(self) -> Capture:
        return self.fabric.units[self.unit].captures[self.index]

    @property
    def place(self) -> str:
        """The place of the mistake as FABRIC/FILE:LINE."""
        line = text_of(self._capture).count("\n", 0, self.offset) + self._capture.first_line
        file = PurePath(self._capture.file)
        return f"{self.fabric.name}: {file.parent.name}/{file.name}:{line}"

    def judged(self) -> Judged:
        """Return what an audit says of it that it does not say of the clean fabric."""
        captures = list(self.fabric.units[self.unit].captures)
        captures[self.index] = with_text(self._capture, self.text)
        return self.fabric.judged(self.unit, captures)


@dataclass(frozen=True)
class Result:
    """What became of a mutant: the rules that found it, those that should have, and errors that are none of it."""

    mutant: Mutant
    found: frozenset[str]
    missed: tuple[str, ...]
    unrelated: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether all that should be found of it was, and no error beside."""
        return not self.missed and not self.unrelated


def mutants(kind: Kind, fabric: Clean, most: int) -> tuple[Mutant, ...]:
    """Return the mutants of a kind; where there are more than *most*, so many, evenly spread over the places."""
    found = list(_mutants(kind, fabric))
    return tuple(found[n * len(found) // most] for n in range(most)) if len(found) > most else tuple(found)


def _mutants(kind: Kind, fabric: Clean) -> Iterator[Mutant]:
    for number, unit in enumerate(fabric.units):
        if unit.os != kind.os:
            continue
        for index, capture in enumerate(unit.captures):
            if not kind.fits(capture.command, capture.file):
                continue
            for offset, text in kind.applied(text_of(capture)):
                yield Mutant(kind, fabric, number, index, offset, text)


def judge(mutant: Mutant) -> Result:
    """Return what became of a mutant."""
    kind, fabric = mutant.kind, mutant.fabric
    near = fabric.neighbours(fabric.device(mutant.unit).name)
    failed = mutant.judged().failed
    found = frozenset(f.rule for f in failed if f.device in near)
    allowed = {*kind.rules, *kind.also}
    strange = sorted(
        {_told(f) for f in failed if f.level is Level.ERROR and not (f.rule in allowed and f.device in near)}
    )
    return Result(mutant, found, tuple(rule for rule in kind.rules if rule not in found), tuple(strange))


def _told(found: Reported) -> str:
    return f"{found.rule} {found.device} {found.port or '-'}: {found.message}"


def judge_all(kinds: Sequence[Kind], fabrics: Sequence[Clean], most: int) -> Iterator[Result]:
    """Judge at most *most* mutants of each kind in each fabric."""
    for kind in kinds:
        for fabric in fabrics:
            yield from map(judge, mutants(kind, fabric, most))
