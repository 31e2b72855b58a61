"""Arguments and printing: one module for each command; no package below prints."""

import atexit
import gc
import os
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run `roce-audit` with *argv* (default: the process's own arguments); return the exit status.

    0 clean, 1 findings at or above --fail-on, 2 wrong usage or an input that cannot be audited.
    """
    from auditor.cli.ending import guard

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the arrays are small; its threads spin, one for each core
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # they would be sought in each installed package
    if argv is None:
        gc.set_threshold(20_000, 20, 20)  # imports and dumps make many objects, and nearly all of them stay
        atexit.register(gc.freeze)  # Python would walk all objects several times before it ends the process

    def run() -> int:
        from auditor.cli.commands import run_command

        return run_command(argv)

    return guard(run)
