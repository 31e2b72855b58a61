"""Seeds of the fuzzer: the files of the fixtures and of corpora, sorted by what reads them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

from auditor.grammar.show import Show
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.systems import systems

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
PLACES = (ROOT / "fixtures", *(SHARED / name for name in ("corpus", "corpus2", "cases")))
FOLDER = "/tmp" if not Path("/dev/shm").is_dir() else "/dev/shm"  # noqa: S108  a fresh folder in it
MAX_BYTES = 200_000
"""Size of the largest seed: a mutant of a large dump shows no more than one of a small dump, and takes longer."""
USUAL_BYTES = 6_000
NO_DUMPS = frozenset({"MANIFEST.csv", "README.md", "FAULTS.md", "expected.txt"})
_SCHEMA = re.compile(r"""^\s*["']?schema["']?\s*:\s*["']?roce-audit/(?P<kind>[a-z-]+)/""", re.MULTILINE)
_WORD = re.compile(r"[^\s,;{}\[\]\"']{1,64}")
_ARGUMENTS = {"OBJECT": "pfc", "OPTION": "-x", "BOND": "bond0"}
_HOLES = {"netdev": "eth0", "device": "mlx5_0", "rdma": "mlx5_0", "card": "1"}


@dataclass(frozen=True, slots=True)
class Seed:
    """A text to mutate. `os` and `command` are those that its reader goes by, empty where they are unknown."""

    name: str
    text: str
    os: str = ""
    command: str = ""


@dataclass(frozen=True)
class Material:
    """All seeds: whole dumps by system, captures by system and command, settings by kind, folders of small fabrics."""

    dumps: Mapping[str, Sequence[Seed]]
    captures: Mapping[tuple[str, str], Sequence[Seed]]
    settings: Mapping[str, Sequence[Seed]]
    fabrics: Sequence[Path]
    unknown: Sequence[Seed]
    readers: Sequence[tuple[str, str]] = field(default_factory=lambda: tuple(list_readers()))

    @cached_property
    def all_dumps(self) -> Sequence[Seed]:
        """All whole dumps of all systems."""
        return [seed for seeds in self.dumps.values() for seed in seeds]

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of all seeds, each once."""
        texts = (seed.text for seeds in (self.all_dumps, *self.settings.values()) for seed in seeds)
        return sorted({word for text in texts for word in _WORD.findall(text[:USUAL_BYTES])})

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of all dumps, each once."""
        return sorted({line for seed in self.all_dumps for line in seed.text.split("\n")[:300] if len(line) < 500})


def choose(chance: Random, seeds: Sequence[Seed]) -> Seed:
    """Return one of *seeds*; a large one is rare."""
    return chance.choices(seeds, [1 / (1 + len(seed.text) / USUAL_BYTES) ** 2 for seed in seeds])[0]


def list_readers() -> Iterator[tuple[str, str]]:
    """Yield the system and the command of each reader of a capture, and an empty command for what is not recognised."""
    for os, system in systems().items():
        shows: Sequence[Show[object]] = system._module("show").SHOWS
        for show in shows:
            name = show.command.replace("[", "").replace("]", "")
            for hole, argument in _ARGUMENTS.items():
                name = name.replace(hole, argument)
            yield os, re.sub(r"\{(\w+)\}", lambda hole: _HOLES.get(hole[1], "1"), name)
        yield os, ""


def collect(places: Sequence[Path] = PLACES) -> Material:
    """Return the seeds below *places*; a place that does not exist has none."""
    dumps: dict[str, list[Seed]] = defaultdict(list)
    captures: dict[tuple[str, str], list[Seed]] = defaultdict(list)
    settings: dict[str, list[Seed]] = defaultdict(list)
    unknown: list[Seed] = []
    seen: set[tuple[str, ...]] = set()
    for path in _list_files(places):
        raw = parse_text(path.read_bytes(), str(path), given=False)
        if not isinstance(raw, Raw) or raw.lines in seen:
            continue
        seen.add(raw.lines)
        text = _join(raw.lines)
        if kind := _find_kind(path, text):
            settings[kind].append(Seed(path.name, text))
            continue
        identity = identify_file(raw, None)
        if identity.os is None:
            unknown.append(Seed(path.name, text))
            continue
        dumps[identity.os].append(Seed(path.name, text, identity.os))
        for capture in list_captures(raw):
            command = systems()[identity.os].recognise(capture)
            if command:
                shown = capture.command or (command)
                captures[identity.os, command].append(Seed(path.name, _join(capture.lines), identity.os, shown))
    fabrics = [each for each in sorted((ROOT / "fixtures" / "rules").glob("*/*")) if each.is_dir()]
    return Material(dict(dumps), dict(captures), dict(settings), fabrics, unknown)


def _list_files(places: Sequence[Path]) -> Iterator[Path]:
    for place in places:
        for path in sorted(place.rglob("*")):
            is_seed = path.is_file() and path.name not in NO_DUMPS and path.suffix not in {".py", ".csv", ".sealed"}
            if is_seed and path.stat().st_size <= MAX_BYTES:
                yield path


def _find_kind(path: Path, text: str) -> str:
    """Return the kind of settings that a file holds, empty for a dump."""
    if path.parent.name == "inventory":
        return "inventory"
    if path.parent.name in {"custom-rules", "rules"} and path.suffix == ".yaml":
        return "custom-rule"
    found = _SCHEMA.search(text[:2000])
    if found and found["kind"] in {"intent", "links", "baseline", "changes"}:
        return found["kind"]
    return "links" if path.name == "links.yaml" else ""


def _join(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
