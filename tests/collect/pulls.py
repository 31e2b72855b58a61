"""Runs `roce-audit` in forks that a test can kill; each line of standard input is a JSON list of arguments.

As a program: prints the number of each fork. Imports take most of the time of a short pull, so they happen once.
"""

import json
import os
import sys

from auditor.cli import main
from auditor.collect import children, progress, pull  # noqa: F401  imported before the first fork


def serve() -> None:
    """Run each order of standard input in a fork, one after the other; print its number, then its status."""
    children.find_children()
    for line in sys.stdin:
        number = os.fork()
        if not number:
            with open(os.devnull, "w") as nothing:  # noqa: PTH123
                sys.stdout = sys.stderr = nothing
                status = 2
                try:
                    status = main(json.loads(line))
                finally:
                    os._exit(status)
        print(number, flush=True)  # noqa: T201  the answer
        print(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]), flush=True)  # noqa: T201


if __name__ == "__main__":
    serve()
