"""The switch's buffer: who may come in, what lies in headroom, when PAUSE and RESUME are due.

Source: the SONiC buffer model as in inet-tub/ns3-datacenter, `switch-mmu.cc`, whose lines each docstring names.
"""

from auditor.estimate.simulation.layout import World
from auditor.estimate.simulation.machine_code import compile_function

LOSSLESS_EGRESS_ALPHA = 10_000.0
"""The factor of lossless egress queues: never binding before the buffer is full."""


@compile_function
def compute_threshold(world: World, switch: int) -> float:
    """Return the dynamic threshold of a lossless group, alpha times the free pool (line 340)."""
    state = world.switches[switch]
    free = state.pool - (state.used - state.headroom_used)
    return float(world.case[0].alpha * max(0, free))


@compile_function
def is_admitted(world: World, group: int, port: int, size: int) -> bool:
    """Return whether a packet finds room at the ingress and at the egress (lines 656 and 742)."""
    case, state, ingress = world.case[0], world.switches[world.groups[group].switch], world.groups[group]
    after = state.used + size
    if after > state.buffer:
        return False
    if case.lossless:
        in_headroom = ingress.headroom_used
        if in_headroom > 0 and (
            size + in_headroom > ingress.headroom or size + state.headroom_used > state.headroom_total
        ):
            return False
        if after > state.pool + state.headroom_total:
            return False
        limit = LOSSLESS_EGRESS_ALPHA * max(0, state.buffer - state.egress_used)
        return bool(size + world.ports[port].queue_bytes <= limit and size + state.egress_used <= state.buffer)
    if size + state.used - state.headroom_used > state.pool:
        return False
    pool = case.lossy_pool_share * state.pool
    limit = case.alpha_lossy * max(0.0, pool - state.egress_used)
    return bool(size + world.ports[port].queue_bytes <= limit and size + state.egress_used <= pool)


@compile_function
def charge(world: World, group: int, port: int, size: int) -> None:
    """Book a packet; from the first byte above the threshold on, all goes to headroom (line 822)."""
    ingress, queue = world.groups[group], world.ports[port]
    state = world.switches[ingress.switch]
    ingress.held += size
    state.used += size
    state.egress_used += size
    queue.queue_bytes += size
    if world.case[0].lossless and (
        ingress.headroom_used > 0 or ingress.held > compute_threshold(world, ingress.switch)
    ):
        ingress.headroom_used += size
        state.headroom_used += size
    ingress.peak = max(ingress.peak, ingress.held)
    state.peak = max(state.peak, state.used)
    world.run[0].peak_queue = max(world.run[0].peak_queue, queue.queue_bytes)


@compile_function
def refund(world: World, group: int, port: int, size: int) -> None:
    """Book a packet out, from headroom first (line 901)."""
    ingress = world.groups[group]
    state = world.switches[ingress.switch]
    back = min(size, ingress.headroom_used)
    ingress.headroom_used -= back
    state.headroom_used -= back
    ingress.held -= size
    state.used -= size
    state.egress_used -= size
    world.ports[port].queue_bytes -= size


@compile_function
def is_pause_due(world: World, group: int) -> bool:
    """Return whether a group that is not paused lies in headroom (line 1010)."""
    ingress = world.groups[group]
    return bool(not ingress.paused and ingress.headroom_used > 0)


@compile_function
def is_resume_due(world: World, group: int) -> bool:
    """Return whether a paused group has left headroom and is low enough (line 1014)."""
    case, ingress = world.case[0], world.groups[group]
    if not ingress.paused or ingress.headroom_used > 0:
        return False
    return bool(ingress.held < case.xon or ingress.held + case.xon_offset <= compute_threshold(world, ingress.switch))
