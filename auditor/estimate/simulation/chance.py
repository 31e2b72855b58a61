"""The generator of chance of a run."""

import numpy as np

from auditor.estimate.simulation.layout import World
from auditor.estimate.simulation.machine_code import compile_function


@compile_function
def draw(world: World) -> float:
    """Return the next number of chance in [0, 1): Marsaglia's xorshift64, 2003."""
    run = world.run[0]
    state = np.uint64(run.random)
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    run.random = np.int64(state)
    return float(state >> np.uint64(11)) / 9007199254740992.0
