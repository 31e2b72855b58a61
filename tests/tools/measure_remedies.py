"""Print what becomes of each finding when its remedy is typed: `python tests/tools/measure_remedies.py [RULE|OS …]`."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

from remedied import list_cases, try_case


def main(words: list[str]) -> None:
    """Print a row for each finding whose remedy does not clear it, and how many do by system."""
    counted: Counter[tuple[str, str]] = Counter()
    for case in list_cases():
        if words and case.rule.id not in words:
            continue
        for each in try_case(case):
            if words and not {each.os, case.rule.id} & {*words}:
                continue
            counted[each.os, each.state] += 1
            if each.state != "cleared":
                print(f"{case.rule.id} {case.folder.name:14} {each.os:22} {each.state:12} {each.detail[:110]}", flush=True)
    for (os, state), count in sorted(counted.items()):
        print(f"{os:22} {state:12} {count}")


if __name__ == "__main__":
    main(sys.argv[1:])
