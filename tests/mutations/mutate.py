"""Mistakes made in clean fabrics, one at a time: how many are found by the rules that should find them.

    python tests/mutations/mutate.py [--most N] [--only TEXT] [--fabric TEXT] [--misspelt]

Each kind of mistake of `kinds/DOMAIN.yaml` is made at each place where it fits, in each fabric of `clean.CLEAN`: at
most N places in each (20; fewer in a large one), evenly spread. Every mutant is audited; only the device that was
changed is read anew. It is found where every rule that its kind names fails on that device or at the other end of a
cable, and right where no error is found beside. What is not right is listed; then a table counts the mutants of each
domain:

    found        by every rule that should
    open         not found, but said to be undecided or not understood
    missed       not found, and not a word
    undecidable  of a kind that no configuration shows to be a mistake, and not called an error
    unrelated    at which an error was found that the kind does not name

`--only` takes the kinds whose domain, system or name holds the text, `--fabric` the fabrics whose name does.
`--misspelt` misspells each word instead that a parser of a switch reads, and counts what is said of it. The exit status
is 1 where a mutant is not right, or a misspelt word is passed over in silence.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "fabrics"))

from clean import Clean, clean_fabrics
from engine import Result, Verdict, judge_all
from kind import Kind, kinds
from misspelt import Told, misspellings

HEADS = ("kinds", "mutants", *(verdict.value for verdict in Verdict), "unrelated")


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--fabric", default="", metavar="TEXT")
    parser.add_argument("--misspelt", action="store_true")
    chosen = parser.parse_args(arguments)
    fabrics = [fabric for fabric in clean_fabrics() if chosen.fabric in fabric.name]
    if chosen.misspelt:
        return _misspelt(fabrics)
    picked = [kind for kind in kinds() if any(chosen.only in text for text in (kind.domain, kind.os, kind.name))]
    results = []
    for result in judge_all(picked, fabrics, chosen.most):
        results.append(result)
        if not result.is_right:
            print("\n".join(told(result)))
    fitting = {result.mutant.kind.name for result in results}
    lost = [kind.name for kind in picked if kind.name not in fitting and not chosen.fabric]
    print("".join(f"fits nowhere: {name}\n" for name in lost) + table(results))
    return 0 if all(result.is_right for result in results) and not lost else 1


def told(result: Result) -> Iterable[str]:
    """Yield the lines that say what is not right of a mutant."""
    kind = result.mutant.kind
    yield f"{result.mutant.place}: {kind.domain}: {kind.name}"
    if result.missed:
        found = ", ".join(sorted(result.found)) or "none"
        yield f"    {result.verdict}: expected {', '.join(result.missed)}, found {found}"
    yield from (f"    unrelated: {each}" for each in result.unrelated)


def table(results: Sequence[Result]) -> str:
    """Return what became of the mutants, a line for each domain and one for all."""
    by_domain: dict[str, list[Result]] = {}
    for result in results:
        by_domain.setdefault(result.mutant.kind.domain, []).append(result)
    rows = [(domain, _counts(own)) for domain, own in sorted(by_domain.items())]
    return _lines(("domain", HEADS), [*rows, ("all", _counts(results))])


def _counts(results: Sequence[Result]) -> tuple[int, ...]:
    verdicts = Counter(result.verdict for result in results)
    kinds_of: set[Kind] = {result.mutant.kind for result in results}
    unrelated = sum(bool(result.unrelated) for result in results)
    return len(kinds_of), len(results), *(verdicts[verdict] for verdict in Verdict), unrelated


def _misspelt(fabrics: Iterable[Clean]) -> int:
    counted: dict[str, Counter[Told]] = {}
    for fabric in fabrics:
        for each in misspellings(fabric):
            counted.setdefault(each.os, Counter())[each.told] += 1
            if each.told is Told.SILENT:
                print(f"{each.place}: {each.written!r} in {each.line!r}: not a word")
    rows: Mapping[str, tuple[int, ...]] = {os: tuple(own[told] for told in Told) for os, own in sorted(counted.items())}
    print(_lines(("system", tuple(told.value for told in Told)), list(rows.items())))
    return 1 if any(own[Told.SILENT] for own in counted.values()) else 0


def _lines(head: tuple[str, tuple[str, ...]], rows: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    first = max(len(name) for name, _ in (head, *rows))
    lines = [f"{head[0]:{first}}  " + "  ".join(head[1])]
    for name, row in rows:
        numbers = (f"{number:{len(title)}}" for title, number in zip(head[1], row, strict=True))
        lines.append(f"{name:{first}}  " + "  ".join(numbers))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
