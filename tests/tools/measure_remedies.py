"""Print what becomes of findings when their remedies are typed: `python tests/tools/measure_remedies.py [RULE …]`."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "remedies"))

from trial import list_cases, try_case

from auditor.checks.catalogue import load_rules


def main(words: list[str]) -> None:
    """Print a row for each finding whose remedy does not clear it, the counts by system, and what is not tried."""
    counted: Counter[tuple[str, str]] = Counter()
    cases = [case for case in list_cases() if not words or case.rule.id in words]
    for case in cases:
        for each in try_case(case):
            counted[each.os, each.state] += 1
            if each.state != "cleared":
                print(f"{case.rule.id} {case.folder.name} {each.os} {each.state}: {each.detail}", flush=True)
    for (os, state), count in sorted(counted.items()):
        print(f"{os:22} {state:12} {count}")
    for rule in load_rules():
        for os, why in rule.file.untried.items():
            print(f"{rule.file.id} {os} untried: {why}")


if __name__ == "__main__":
    main(sys.argv[1:])
