"""Compiled patterns of modules, and texts that they match or nearly match."""

import random
import re
import re._constants as _c  # type: ignore[import-not-found]  # no public parser gives a pattern's parts
import re._parser as _p  # type: ignore[import-not-found]  # as above
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from auditor.util.regex import LateRegex

_CATEGORY = {
    _c.CATEGORY_DIGIT: "7",
    _c.CATEGORY_SPACE: " ",
    _c.CATEGORY_WORD: "a",
    _c.CATEGORY_NOT_DIGIT: "a",
    _c.CATEGORY_NOT_SPACE: "a",
    _c.CATEGORY_NOT_WORD: " ",
}
_ALPHABET = "a 0-_./:,\"'{}[]()<>#!$=*;|%@\n\tZ\x00"
_PUMPED = ' a0"/:-,.\n!'
"""Repeated where a set holds many characters: one of each kind that other parts of a pattern hold too."""
_FEW = 8
_MANY = 16  # a repetition up to here is bounded
_DEEPEST = 12
_ANCHORED = frozenset({"match", "fullmatch"})
_DERIVED = ("pattern", "negated", "beginning", "head", "sought")
SOURCES = Path(__file__).parents[2] / "auditor"


@dataclass(frozen=True, slots=True)
class Use:
    """A compiled pattern, the name that leads to it, and how the program tries it on a text.

    `ways`: "search", "match" and "fullmatch"; a match may end where all of the text would be tried again and again.
    `longest_line`: lines are cut there before the pattern sees them; None where they are not.
    """

    place: str
    pattern: re.Pattern[str]
    ways: frozenset[str]
    longest_line: int | None = None

    def apply(self, text: str) -> None:
        """Try the pattern on *text* in each of its ways; what is matched, not sought, is a line."""
        for way in self.ways:
            getattr(self.pattern, way)(text if way == "search" else text.replace("\n", "\r"))

    def cut(self, attack: str) -> str:
        """Return *attack* as the program shows it to the pattern."""
        width = self.longest_line or len(attack)
        return "\n".join(attack[start : start + width] for start in range(0, len(attack), width or 1))


def list_patterns(modules: Iterable[ModuleType]) -> list[Use]:
    """Return the patterns that the globals of *modules* hold, however deep.

    A pattern is tried as a module tries a thing of its last name; where none does by that name, as a match and as a
    whole.
    """
    found: dict[tuple[str, int], Use] = {}
    seen: set[int] = set()
    for module in modules:
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for last, pattern in _walk(value, seen, name, 0):
                    place = f"{module.__name__}.{name}{'' if last == name else f' … {last}'}"
                    ways = _list_ways(module, name, last) or _ANCHORED
                    if pattern.flags & re.MULTILINE:
                        ways |= {"search"}
                    known = found.get((pattern.pattern, pattern.flags))
                    found[pattern.pattern, pattern.flags] = Use(
                        place if known is None else known.place, pattern, ways | (known.ways if known else frozenset())
                    )
    return list(found.values())


def _list_ways(module: ModuleType, name: str, last: str) -> frozenset[str]:
    """Return how the program tries a pattern: by its own name, or that of its field."""
    found = _list_tries()
    if last != name:
        return frozenset().union(*(ways.get(f".{last}", frozenset()) for ways in found.values()))
    if name.startswith("_"):
        return found[Path(module.__file__ or "").resolve()].get(name, frozenset())
    return frozenset().union(*(ways.get(name, frozenset()) for ways in found.values()))


@cache
def _list_tries() -> Mapping[Path, Mapping[str, frozenset[str]]]:
    """Return by module the ways in which it tries things, by their names; of fields with a dot before."""
    method = re.compile(r"(\.?\w+)(?:\[[^\]]*\])?\.(search|subn?|split(?!\(\))|findall|finditer|match|fullmatch)\b")
    tries: dict[Path, dict[str, frozenset[str]]] = {}
    for path in SOURCES.rglob("*.py"):
        own = tries.setdefault(path, {})
        for name, tried in method.findall(path.read_text(encoding="utf-8")):
            way = tried if tried in _ANCHORED else "search"
            own[name] = own.get(name, frozenset()) | {way}
    return tries


def _walk(value: Any, seen: set[int], name: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:  # noqa: ANN401
    """Yield the patterns in *value*, any global, each with the name of the field that holds it."""
    if isinstance(value, re.Pattern | LateRegex):
        if isinstance(value.pattern, str):
            yield name, value.compile() if isinstance(value, LateRegex) else value
        return
    if depth > _DEEPEST or isinstance(value, str | bytes | int | float | ModuleType | type) or id(value) in seen:
        return
    parts: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        parts = [(name, part) for part in (*value, *value.values())]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [(name, part) for part in value]
    elif is_dataclass(value):
        own = (*(each.name for each in fields(value)), *_DERIVED)
        parts = [(each, getattr(value, each)) for each in own if hasattr(value, each)]
    elif callable(value):
        parts = [(name, cell.cell_contents) for cell in getattr(value, "__closure__", None) or ()]
        parts += [(name, part) for part in (getattr(value, "__self__", None),) if part is not None]
    else:
        return
    seen.add(id(value))
    for own_name, part in parts:
        yield from _walk(part, seen, own_name, depth + 1)


def sample(pattern: re.Pattern[str], seed: int) -> str:
    """Return a text that *pattern* likely matches; another *seed* takes other choices."""
    return _Sampler(random.Random(seed)).text(_p.parse(pattern.pattern, pattern.flags & ~re.UNICODE.value))


def list_attacks(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts of *length* characters: each repetition of *pattern* is repeated far, and then fails to go on."""
    sampler = _Sampler(random.Random(0))
    pumps: dict[tuple[str, str], None] = {}
    for seed in range(2):
        sampler = _Sampler(random.Random(seed))
        for prefix, pump in sampler.pumps(_p.parse(pattern.pattern, pattern.flags & ~re.UNICODE.value), ""):
            pumps[prefix[-200:], pump] = None
    for prefix, pump in pumps:
        body = prefix + pump * max(1, (length - len(prefix)) // max(1, len(pump)))
        yield from (body + end for end in ("\x00", "\n\x00"))
        if prefix.strip():
            whole = prefix + pump * 3
            yield whole * (length // len(whole)) + "\x00"


class _Sampler:
    """Walks the parts of a parsed pattern."""

    def __init__(self, choice: random.Random) -> None:
        self._choice = choice
        self._groups: dict[int, str] = {}

    def text(self, parts: Any) -> str:  # noqa: ANN401  of the standard library's parser, which has no types
        return "".join(self._part(*part) for part in parts)

    def _part(self, op: Any, given: Any) -> str:  # noqa: ANN401, C901, PLR0911  one case for each kind of part
        match op:
            case _c.LITERAL:
                return chr(given)
            case _c.NOT_LITERAL:
                return "b" if given == ord("a") else "a"
            case _c.ANY:
                return "a"
            case _c.IN:
                return self._choice.choice(self._set(given))
            case _c.BRANCH:
                return self.text(self._choice.choice(given[1]))
            case _c.SUBPATTERN:
                made = self.text(given[3])
                self._groups[given[0]] = made
                return made
            case _c.ATOMIC_GROUP:
                return self.text(given)
            case _c.MAX_REPEAT | _c.MIN_REPEAT | _c.POSSESSIVE_REPEAT:
                low, high, inner = given
                return "".join(self.text(inner) for _ in range(min(high, max(low, self._choice.randint(1, 2)))))
            case _c.GROUPREF:
                return self._groups.get(given, "")
            case _c.CATEGORY:
                return _CATEGORY[given]
            case _c.GROUPREF_EXISTS:
                return self.text(given[1])
            case _:
                return ""

    @staticmethod
    def _set(given: Any) -> list[str]:  # noqa: ANN401  as above
        def holds(character: str) -> bool:
            negated, found = False, False
            for op, value in given:
                if op is _c.NEGATE:
                    negated = True
                elif op is _c.LITERAL:
                    found = found or ord(character) == value
                elif op is _c.RANGE:
                    found = found or value[0] <= ord(character) <= value[1]
                elif op is _c.CATEGORY:
                    found = found or bool(re.match(_CLASS[value], character))
            return found is not negated

        listed = [chr(value) for op, value in given if op is _c.LITERAL] if given[0][0] is not _c.NEGATE else []
        ranges = [chr(value[0]) for op, value in given if op is _c.RANGE] if given[0][0] is not _c.NEGATE else []
        return [*filter(holds, _ALPHABET), *listed, *ranges] or ["a"]

    def pumps(self, parts: Any, prefix: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  as above
        """Yield the repetitions without a useful bound: a text before each, and one round of it."""
        for op, given in parts:
            match op:
                case _c.MAX_REPEAT | _c.MIN_REPEAT | _c.POSSESSIVE_REPEAT:
                    _, high, inner = given
                    if high > _MANY:
                        yield from ((prefix, pump) for pump in self._rounds(inner))
                    yield from self.pumps(inner, prefix)
                case _c.SUBPATTERN:
                    yield from self.pumps(given[3], prefix)
                case _c.ATOMIC_GROUP:
                    yield from self.pumps(given, prefix)
                case _c.BRANCH:
                    for branch in given[1]:
                        yield from self.pumps(branch, prefix)
                case _c.ASSERT | _c.ASSERT_NOT:
                    yield from self.pumps(given[1], prefix)
                case _:
                    pass
            prefix += self._part(op, given)

    def _rounds(self, inner: Any) -> Iterator[str]:  # noqa: ANN401  as above
        if len(inner) == 1 and inner[0][0] in {_c.IN, _c.ANY, _c.NOT_LITERAL, _c.CATEGORY}:
            op, given = inner[0]
            if op is _c.IN:
                held = self._set(given)
                yield from held if len(held) <= _FEW else (each for each in _PUMPED if each in held)
                return
            yield from _PUMPED
            return
        yield from dict.fromkeys(self.text(inner) or "a" for _ in range(2))


_CLASS = {
    _c.CATEGORY_DIGIT: r"\d",
    _c.CATEGORY_SPACE: r"\s",
    _c.CATEGORY_WORD: r"\w",
    _c.CATEGORY_NOT_DIGIT: r"\D",
    _c.CATEGORY_NOT_SPACE: r"\S",
    _c.CATEGORY_NOT_WORD: r"\W",
}
