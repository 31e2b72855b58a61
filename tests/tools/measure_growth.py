"""Print how CPU time grows with the length of the input, for every reader and every pattern, the worst first.

    python tests/tools/measure_growth.py                      all readers, then all patterns (an hour of CPU time)
    python tests/tools/measure_growth.py --only junos         readers and patterns whose name holds a text
    python tests/tools/measure_growth.py --lines 500 2000     shorter inputs

Each reader is fed its own material in each shape (numbered and named anew, stretched, repeated, blank lines, wide gaps,
long tails, nested, unclosed, blocks by chance, a grown document). Each pattern is fed texts that repeat each of its
repetitions and then fail. The growth is that of CPU time from the shorter to the longer input.
"""

import argparse
import resource
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "growth"), str(Path(__file__).parents[2])]

from clock import measure, time_steps  # noqa: E402  found by the line above
from readers import Reader, list_readers, list_uses  # noqa: E402
from sampling import Use, list_attacks  # noqa: E402
from shapes import SHAPES, grow_document, weave  # noqa: E402

SHORTEST_S, LIMIT_S = 0.001, 20.0
SHAPES_BY_CHANCE = 6
MOST_BYTES = 8_000_000_000


def main() -> None:
    """Print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", nargs=2, type=int, default=(4_000, 16_000), metavar=("FEW", "MANY"))
    parser.add_argument("--characters", nargs=2, type=int, default=(16_000, 64_000), metavar=("FEW", "MANY"))
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--rows", type=int, default=40, help="rows of each table")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    readers = [each for each in list_readers() if given.only in each.name]
    _print("reader, step, shape", [row for each in readers for row in _measure_reader(each, given.lines)], given.rows)
    rows = [_measure_use(each, given.characters) for each in list_uses() if given.only in each.place]
    _print("pattern", rows, given.rows)


def _measure_use(use: Use, sizes: Sequence[int]) -> tuple[float, float, str]:
    """Return the growth, the CPU seconds and the name of a pattern at the text that takes it longest."""
    times = [[measure(partial(use.apply, text), LIMIT_S) for text in list_attacks(use.pattern, size)] for size in sizes]
    few, many = (max(each, default=0.0) for each in times)
    return many / max(few, SHORTEST_S), many, f"{use.place}: {use.pattern.pattern[:60]}"


def _measure_reader(reader: Reader, sizes: Sequence[int]) -> Iterator[tuple[float, float, str]]:
    """Yield the growth, the CPU seconds and the name of each step in each shape."""
    shapes = {
        **SHAPES,
        **{f"by chance {seed}": weave(seed) for seed in range(SHAPES_BY_CHANCE)},
        "document": grow_document,
    }
    for form in reader.forms:
        for name, shape in shapes.items():
            few, many = (shape(form.lines, size) for size in sizes)
            if few and many:
                try:
                    before, after = (
                        time_steps(replace(form, lines=tuple(each)), reader.os, whole=True) for each in (few, many)
                    )
                except MemoryError:
                    yield float("inf"), 0.0, f"{reader.name}, more than {MOST_BYTES:,} bytes, {name} ({form.file})"
                    continue
                for step, seconds in after.items():
                    growth = seconds / max(before[step], SHORTEST_S)
                    yield growth, seconds, f"{reader.name}, {step}, {name} ({form.file})"


def _print(title: str, rows: Sequence[tuple[float, float, str]], most: int) -> None:
    print(f"{'growth':>8} {'seconds':>8}  {title}")
    for growth, seconds, name in sorted(rows, reverse=True)[:most]:
        print(f"{growth:8.1f} {seconds:8.2f}  {name}")


if __name__ == "__main__":
    main()
