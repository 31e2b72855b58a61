"""Errors of the simulation."""

MISSING_NUMBA = "--simulate needs numba: install roce-audit with its extra `simulate`"


class SimulationError(ValueError):
    """A scenario is out of bounds, or numba is missing; the message says what to do."""
