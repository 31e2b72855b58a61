"""The order of events: one slot for each thing that can happen next, and a tournament that finds the earliest.

Frames in flight on like links arrive in the order in which they left, so they wait in rings, and only the first frame
of a ring takes part in the tournament. Equal times go to the lower slot, so a run depends on its seed alone.
"""

from auditor.estimate.simulation.layout import NEVER, World
from auditor.estimate.simulation.machine_code import compile_function


@compile_function
def set_time(world: World, slot: int, time: int) -> None:
    """Set when the event of a slot is due, and play its matches up to the root of the tournament."""
    slot_time, winner = world.slot_time, world.winner
    slot_time[slot] = time
    node = (slot + winner.size) >> 1
    other = slot ^ 1
    best = slot
    if slot_time[other] < time or (slot_time[other] == time and other < slot):
        best = other
    while True:
        if winner[node] == best and best != slot:
            return
        winner[node] = best
        if node == 1:
            return
        other = winner[node ^ 1]
        if slot_time[other] < slot_time[best] or (slot_time[other] == slot_time[best] and other < best):
            best = other
        node >>= 1


@compile_function
def push(world: World, ring: int, time: int, item: int) -> None:
    """Add a frame to a ring; one that overtakes others, because it is shorter, goes before them."""
    mask = world.frames.shape[1] - 1
    head, count = world.rings[ring].head, world.rings[ring].count
    place = count
    while place > 0 and world.frames[ring, (head + place - 1) & mask].time > time:
        world.frames[ring, (head + place) & mask].time = world.frames[ring, (head + place - 1) & mask].time
        world.frames[ring, (head + place) & mask].item = world.frames[ring, (head + place - 1) & mask].item
        place -= 1
    world.frames[ring, (head + place) & mask].time = time
    world.frames[ring, (head + place) & mask].item = item
    world.rings[ring].count = count + 1
    if place == 0:
        set_time(world, ring, time)


@compile_function
def append(world: World, ring: int, item: int) -> None:
    """Add a frame at the end of an egress queue."""
    mask = world.frames.shape[1] - 1
    world.frames[ring, (world.rings[ring].head + world.rings[ring].count) & mask].item = item
    world.rings[ring].count += 1


@compile_function
def take(world: World, ring: int) -> int:
    """Return the first frame of an egress queue and remove it."""
    head = world.rings[ring].head
    world.rings[ring].head = (head + 1) & (world.frames.shape[1] - 1)
    world.rings[ring].count -= 1
    return int(world.frames[ring, head].item)


@compile_function
def pop(world: World, ring: int) -> int:
    """Return the frame of a ring that has arrived, remove it, and make the next one due."""
    item = take(world, ring)
    time = NEVER
    if world.rings[ring].count > 0:
        time = world.frames[ring, world.rings[ring].head].time
    set_time(world, ring, time)
    return item
