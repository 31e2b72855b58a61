"""The simulation's machine code, for the commands that simulate."""

import sys

from auditor.engine.errors import CannotAudit


def announce_compilation() -> None:
    """Say on standard error that the simulation is compiled before its first run; raises CannotAudit without numba."""
    from auditor.estimate.simulation.errors import SimulationError
    from auditor.estimate.simulation.seeds import is_compiled

    try:
        if not is_compiled():
            print("compiling the simulation, once for this version (about 10 s)", file=sys.stderr)
    except SimulationError as error:
        raise CannotAudit(str(error)) from None
