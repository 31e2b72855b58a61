"""All readers of the program with the material that they are tested by, taken from the systems' own tables."""

import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sampling import Use, list_patterns, sample

import auditor
from auditor.grammar.show import Deferred
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.jobs.signs import LONGEST_LINE, load_signs
from auditor.systems.linux.identify import identify
from auditor.systems.linux.show import KNOWN as OF_LINUX
from auditor.systems.windows.show import KNOWN as OF_WINDOWS

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
MOST_LINES, LARGEST_FILE, MOST_FORMS = 400, 100_000, 4
HOSTS = {"linux": OF_LINUX, "windows": OF_WINDOWS}


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: operating system and command; `forms` are the outputs to grow, each in one of the forms it takes."""

    os: str
    command: str
    forms: tuple[Capture, ...]

    @property
    def name(self) -> str:
        """Return the name in a table of results."""
        return f"{self.os}: {self.command}"


@cache
def list_readers() -> tuple[Reader, ...]:
    """Return the reader of each command that a system knows.

    Material are the fixtures of the command; without a fixture, samples of the patterns of its sign and its module.
    """
    found = _find_fixtures()
    readers = []
    for os, system in systems().items():
        entries = _list_entries(os)
        names = dict.fromkeys([*entries, *(command for of, command in found if of == os)])
        for command in names:
            forms = found.get((os, command)) or (_make_sample(os, command, entries.get(command)),)
            readers.append(Reader(system.os, command, forms))
    return tuple(readers)


def _list_entries(os: str) -> Mapping[str, Any]:
    """Return the entries of a system's table of commands by name."""
    if os in HOSTS:
        return {each.name: each for each in HOSTS[os]}
    show = import_module(f"auditor.systems.{systems()[os].folder}.show")
    return {each.command: each for each in show.SHOWS}


def _find_fixtures() -> Mapping[tuple[str, str], tuple[Capture, ...]]:
    """Return the captures of all fixtures by system and command, the longest of each form."""
    found: dict[tuple[str, str], dict[str, Capture]] = {}
    for path in sorted(FIXTURES.rglob("*")):
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            continue
        raw = parse_text(path.read_bytes(), path.name, given=False)
        identity = identify_file(raw, None) if isinstance(raw, Raw) else None
        if isinstance(raw, Raw) and identity and identity.os:
            for capture in list_captures(raw):
                command = _name_command(identity.os, capture)
                if command and capture.lines:
                    forms = found.setdefault((identity.os, command), {})
                    form = _describe_form(capture)
                    forms[form] = max(forms.get(form, capture), capture, key=_judge_size)
    return {key: tuple(sorted(forms.values(), key=_judge_size))[-MOST_FORMS:] for key, forms in found.items()}


def _judge_size(capture: Capture) -> int:
    return len(capture.lines) if len(capture.lines) <= MOST_LINES else -len(capture.lines)


def _describe_form(capture: Capture) -> str:
    """Return the beginning of an output: two that begin alike are of one form."""
    text = "".join(capture.lines[:20]).lstrip()
    return text[:1] if text[:1] in "{[" else re.sub(r"\W|\d", "", text)[:8]


def _name_command(os: str, capture: Capture) -> str | None:
    if os in HOSTS:
        identified = identify(capture, HOSTS[os])
        return identified.command.name if identified else None
    return systems()[os].recognise(capture)


def _make_sample(os: str, command: str, entry: Any) -> Capture:  # noqa: ANN401  an entry of any table
    """Return lines as the patterns of an entry's sign and of its reader's module want them."""
    sign = getattr(entry, "sign", None) or getattr(entry, "content", None)
    signs = [re.compile(sign, re.MULTILINE) if isinstance(sign, str) else sign] if sign else []
    heads = [line for pattern in signs for seed in range(3) for line in sample(pattern, seed).split("\n")]
    body = [sample(pattern, seed) for seed in range(2) for pattern in _list_own_patterns(os, entry)]
    lines = tuple(line for line in (*heads, *body) if line and "\n" not in line) or (command,)
    return Capture("sample.txt", lines[:MOST_LINES], re.sub(r"\[.*?\]|\{.*?\}", "", command))


def _list_own_patterns(os: str, entry: Any) -> Iterator[re.Pattern[str]]:  # noqa: ANN401  as above
    read = getattr(entry, "read", None)
    read = getattr(read, "read", read)
    read = read.resolve() if isinstance(read, Deferred) else read
    module = getattr(read, "__module__", None) or f"auditor.systems.{systems()[os].folder}.show"
    if module.startswith("auditor."):
        yield from (use.pattern for use in list_patterns([import_module(module)]))


def list_lines(captures: Sequence[Capture]) -> tuple[str, ...]:
    """Return the lines of *captures*."""
    return tuple(line for capture in captures for line in capture.lines)


def list_uses() -> list[Use]:
    """Return the patterns of all modules but those of the command line."""
    found = pkgutil.walk_packages(auditor.__path__, "auditor.")
    names = [each.name for each in found if not each.name.startswith("auditor.cli") and "__main__" not in each.name]
    ways = frozenset({"search"})
    signs = [Use(f"signs.yaml {sign.name}", sign.sought, ways, LONGEST_LINE) for sign in load_signs().values()]
    return [*list_patterns([import_module(name) for name in names]), *signs]
