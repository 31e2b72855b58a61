"""A reader's own material, grown to any number of lines: one shape for each way in which a dump can be long."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import yaml

Shape: TypeAlias = Callable[[Sequence[str], int], list[str]]
_NUMBER = re.compile(r"(?<![\w.])\d{1,5}(?![\w.])|(?<=[A-Za-z/_-])\d{1,5}\b")
_WORD = re.compile(r"\S+")
_LONGEST = 60_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def renumber(lines: Sequence[str], count: int) -> list[str]:
    """Return copies of *lines*, in each of which every number differs from that in the others."""
    made: list[str] = []
    copy = 0
    while len(made) < count:
        made += [_move_numbers(line, copy) for line in lines]
        copy += 1
    return made[:count]


def _move_numbers(line: str, by: int) -> str:
    return _NUMBER.sub(lambda match: str(int(match[0]) + by), line)


def rename(lines: Sequence[str], count: int) -> list[str]:
    """Return copies of *lines*, in each of which every name differs: words that stand at the end of a line."""
    made: list[str] = []
    copy = 0
    while len(made) < count:
        made += [re.sub(r"(?<=[A-Za-z])(?=\s*[\"'{;:]*\s*\Z)", str(copy), line) for line in lines]
        copy += 1
    return made[:count]


def stretch(lines: Sequence[str], count: int) -> list[str]:
    """Return each line many times in a row with other numbers: long tables and lists of definitions."""
    least = max(1, count // max(1, len(lines)))
    made = [_vary(line, number) for line in lines for number in range(least)]
    return (made + [_vary(lines[-1], number) for number in range(least, least + count)])[:count]


def repeat(lines: Sequence[str], count: int) -> list[str]:
    """Return copies of *lines* as they are."""
    return (list(lines) * (count // max(1, len(lines)) + 1))[:count]


def stay(lines: Sequence[str], count: int) -> list[str]:
    """Return *lines*, and the longest of them again and again."""
    return [*lines[:count], *[max(lines, key=len)] * (count - len(lines))]


def blank(lines: Sequence[str], count: int) -> list[str]:
    """Return *lines* below many that are empty or hold spaces alone."""
    return [*(" " * (number % 3) for number in range(max(0, count - len(lines)))), *lines[:count]]


def widen(lines: Sequence[str], count: int) -> list[str]:
    """Return *lines* with one gap each of as many spaces as there are to be lines, up to the longest line allowed."""
    width = min(count, _LONGEST)
    return [line.replace(" ", " " * width, 1) for line in lines[: max(1, 4_000_000 // width)]] + ["x " * (width // 2)]


def trail(lines: Sequence[str], count: int) -> list[str]:
    """Return *lines*, each with a tail of spaces and then a word that no reader knows."""
    width = min(count, _LONGEST)
    return [line + " " * width + "\x7f" for line in lines[: max(1, 4_000_000 // width)]]


def nest(lines: Sequence[str], count: int, deepest: int = 400) -> list[str]:
    """Return *lines*, each indented further than the one above, up to *deepest*."""
    return [" " * (number % deepest) + lines[number % len(lines)].strip() for number in range(count)]


def open_all(lines: Sequence[str], count: int) -> list[str]:
    """Return *lines* with quotes, banners, comments and braces that nothing closes."""
    marks = ("banner motd ^C {", '"', "{", "[", "/* ", "'", "(", "<", "header login %", "--More--", "$ ", "# ")
    return [f"{marks[number % len(marks)]}{lines[number % len(lines)]}" for number in range(count)]


def mix(lines: Sequence[str], count: int) -> list[str]:
    """Return one text of *count* lines with a part in each shape; gaps and tails grow with it.

    It nests to the same depth at any length, so that it has as many more characters as it has more lines.
    """
    parts = (renumber, rename, stretch, repeat, stay, partial(nest, deepest=100))
    made = [line for shape in parts for line in shape(lines, count // (len(parts) + 2))]
    return [*made, *blank(lines, count // 8), *_gap(lines, count), *open_all(lines, count)][:count]


def _gap(lines: Sequence[str], width: int) -> list[str]:
    """Return four of *lines* with a gap or a tail of *width* spaces."""
    chosen = [*sorted(lines, key=len)[-2:], *lines[:2]]
    return [line.replace(" ", " " * width, 1) + " " * width + "\x7f" for line in chosen]


def _vary(line: str, number: int) -> str:
    """Return *line* with its last number moved, or its last word made another."""
    found = list(_NUMBER.finditer(line))
    if found:
        last = found[-1]
        return f"{line[: last.start()]}{int(last[0]) + number}{line[last.end() :]}"
    return f"{line}{number}"


def weave(seed: int) -> Shape:
    """Return a shape by chance: some neighbouring lines many times with some words changing, then others, below all."""

    def make(lines: Sequence[str], count: int) -> list[str]:
        chance = random.Random(seed)
        parts = chance.randint(1, 3)
        made = list(lines) if len(lines) < count // 4 else []
        share = (count - len(made)) // parts
        for _ in range(parts):
            length = chance.choice((1, 1, 2, 3, 5, 8))
            start = chance.randrange(max(1, len(lines) - length + 1))
            block = lines[start : start + length]
            places = [
                {chance.randrange(max(1, len(_WORD.findall(line)))) for _ in range(chance.randint(0, 2))}
                for line in block
            ]
            rows = share // max(1, len(block))
            made += [_change(line, at, row) for row in range(rows) for line, at in zip(block, places, strict=True)]
        return made

    return make


def _change(line: str, places: set[int], row: int) -> str:
    words = iter(range(len(line)))

    def change(match: re.Match[str]) -> str:
        return _vary(match[0], row) if next(words) in places else match[0]

    return _WORD.sub(change, line) if places else line


SHAPES: Mapping[str, Shape] = {
    "renumbered": renumber,
    "renamed": rename,
    "stretched": stretch,
    "repeated": repeat,
    "same line": stay,
    "blank lines": blank,
    "wide gaps": widen,
    "long tails": trail,
    "nested": nest,
    "unclosed": open_all,
}


def grow_document(lines: Sequence[str], count: int) -> list[str] | None:
    """Return a JSON or YAML document with as many entries that about *count* lines come out; None for other text."""
    text = "\n".join(lines)
    is_json = text.lstrip()[:1] in {"{", "["}
    try:
        given = json.loads(text) if is_json else list(yaml.load_all(text, Loader=_LOADER))
    except (ValueError, yaml.YAMLError):
        return None
    if not is_json and not all(isinstance(each, dict | list) for each in given):
        return None
    lines_now = max(1, len(_print(given, is_json=is_json)))
    return _print(_grow(given, max(1, count // lines_now)), is_json=is_json)


def _print(given: Any, *, is_json: bool) -> list[str]:  # noqa: ANN401  any document
    text = json.dumps(given, indent=1) if is_json else yaml.dump_all(given, Dumper=_DUMPER, sort_keys=False)
    return text.rstrip("\n").split("\n")


def _grow(given: Any, times: int) -> Any:  # noqa: ANN401  any document
    """Return *given* with each mapping or list of like members *times* as long, the outermost first."""
    if isinstance(given, dict):
        if len(given) > 1 and all(isinstance(each, dict) for each in given.values()) and _are_alike([*given.values()]):
            return {_vary(str(key), n): value for key, value in given.items() for n in range(times)}
        return {key: _grow(value, times) for key, value in given.items()}
    if isinstance(given, list):
        if given and all(isinstance(each, dict) for each in given):
            return [_rename(each, n) for each in given for n in range(times)]
        if len(given) > 1:
            return [_vary(each, n) if isinstance(each, str) else each for each in given for n in range(times)]
        return [_grow(each, times) for each in given]
    return given


def _are_alike(members: Sequence[Mapping[str, Any]]) -> bool:
    return bool(set(members[0]) & set(members[1])) or not members[0]


def _rename(entry: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {key: _vary(value, number) if isinstance(value, str) else value for key, value in entry.items()}
