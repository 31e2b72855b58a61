"""The event loop, in slices: between two of them Python hears Ctrl-C and makes rings larger."""

from auditor.estimate.simulation.layout import (
    ARRIVALS,
    CHECKED_EVENTS,
    CNPS,
    CUT,
    INCREASE,
    PFC_FRAMES,
    QUEUES,
    RINGS,
    ROOM,
    TIMERS,
    World,
)
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.reaction_point import cut, increase
from auditor.estimate.simulation.schedule import pop
from auditor.estimate.simulation.sender import accept_answer, follow_rate, retry, send
from auditor.estimate.simulation.switch import arrive, deliver_pfc, transmit

DONE, SLICED, FULL = 0, 1, 2


@compile_function
def is_full(world: World) -> bool:
    """Return whether a ring has too little room for another event."""
    limit = world.frames.shape[1] - ROOM
    for ring in range(RINGS):  # noqa: SIM110  numba compiles no generators
        if world.rings[ring].count > limit:
            return True
    return False


@compile_function
def handle(world: World, slot: int) -> None:
    """Do what is due."""
    hosts = world.case[0].hosts
    if slot <= CNPS:
        accept_answer(world, pop(world, slot))
    elif slot == PFC_FRAMES:
        deliver_pfc(world, pop(world, slot))
    elif slot < QUEUES:
        arrive(world, pop(world, slot), slot - ARRIVALS)
    elif slot < RINGS:
        transmit(world, slot - QUEUES)
    elif slot < RINGS + hosts:
        send(world, slot - RINGS)
    else:
        flow, timer = divmod(slot - RINGS - hosts, TIMERS)
        rate = world.flows[flow].rate
        if timer == CUT:
            cut(world, flow)
        elif timer == INCREASE:
            increase(world, flow)
        else:
            retry(world, flow)
        if world.case[0].prompt_rate:
            follow_rate(world, flow, rate)


@compile_function
def run_slice(world: World, events: int) -> tuple[int, int]:
    """Handle up to so many events; return `DONE`, `SLICED` or `FULL`, and how many events were handled."""
    run = world.run[0]
    for count in range(events):
        if count % CHECKED_EVENTS == 0 and is_full(world):
            return FULL, count
        slot = world.winner[1]
        time = world.slot_time[slot]
        if time > run.stop:
            run.now = run.stop
            return DONE, count
        run.now = time
        handle(world, slot)
    return SLICED, events
