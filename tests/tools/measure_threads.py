"""Print which of the public threads of tests/threads the program solves as pasted, and how many."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "threads"))

from threads import list_threads, list_unsaid


def main() -> None:
    """Print a line for each thread, and the number of those that are solved."""
    missing = {thread.name: list_unsaid(thread) for thread in list_threads()}
    for name, unsaid in missing.items():
        print(f"{'silent on ' + ', '.join(unsaid) if unsaid else 'solved':60} {name}")
    print(f"{sum(not unsaid for unsaid in missing.values())} of {len(missing)} solved")


if __name__ == "__main__":
    main()
