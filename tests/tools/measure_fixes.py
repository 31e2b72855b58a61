"""Print what `fix` makes of dumps on disk, each by itself: the states of causes, and the findings before and after.

python tests/tools/measure_fixes.py PATH…      files and folders; each file of a folder is a fabric of its own
python tests/tools/measure_fixes.py --most 20 PATH…      the first so many in which something is wrong
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from auditor import Options
from auditor.engine.fix.plan import plan_fixes
from auditor.engine.fix.values import FixPlan


def main() -> int:
    """Print a line for each dump with faults, and their sum; return 1 if one has more errors than before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=sys.maxsize)
    arguments = parser.parse_args()
    states: Counter[str] = Counter()
    count = worse = 0
    for path in list_files(arguments.paths):
        plan = plan_fixes([str(path)], Options(jobs=1), (), ())
        if not plan.fixes:
            continue
        states.update(each.state.value for each in plan.fixes)
        is_worse = list_levels(plan, after=True) > list_levels(plan, after=False)
        worse += is_worse
        print(f"{'WORSE ' if is_worse else ''}{path}: {describe(plan)}")
        count += 1
        if count == arguments.most:
            break
    print(f"{count} dumps, {worse} worse; causes: {', '.join(f'{n} {state}' for state, n in states.most_common())}")
    return bool(worse)


def list_files(paths: list[Path]) -> Iterator[Path]:
    """Yield the files in *paths*."""
    for path in paths:
        yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def list_levels(plan: FixPlan, *, after: bool) -> tuple[int, ...]:
    """Return the number of findings of each level, the worst first."""
    return tuple((plan.after if after else plan.before).count_levels().values())


def describe(plan: FixPlan) -> str:
    """Return the states of the causes, and the findings before and after."""
    states = Counter(each.state.value for each in plan.fixes)
    told = ", ".join(f"{count} {state}" for state, count in states.most_common())
    return f"{told}; {list_levels(plan, after=False)} -> {list_levels(plan, after=True)} errors, warnings, notes"


if __name__ == "__main__":
    sys.exit(main())
