"""The state of a run as arrays of records, allocated once; times in picoseconds, sizes in bytes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NEVER = 2**62
"""The time of an event that is not due."""
PS_PER_S = 10**12
LEVELS = 3
"""Most switches on the way of a packet."""
ACKS, PFC_FRAMES, ARRIVALS = 0, 1, 2
"""Rings of frames on their way: to senders, to whom a switch pauses, and (ARRIVALS + level) to a switch."""
QUEUES = ARRIVALS + LEVELS
"""Rings of frames in egress queues: QUEUES + port."""
PORTS = 4
RINGS = QUEUES + PORTS
"""Rings; an event slot of the same number belongs to each, so a port's slot is the end of its transmission."""
CUT, INCREASE, RETRY = 0, 1, 2
TIMERS = 3
"""Event slots of a flow, after those of the rings and hosts."""
CHECKED_EVENTS = 32
ROOM = 4 * CHECKED_EVENTS
"""Free places that each ring has before so many events: no event adds more than two frames to one ring."""


def _record(whole: str, real: str = "") -> np.dtype[np.void]:
    return np.dtype([(name, np.int64) for name in whole.split()] + [(name, np.float64) for name in real.split()])


CASE = _record(
    "hosts flows senders stop packet lossless pfc_sent xon xon_offset marking kmin kmax line_serial nack_interval"
    " windowed marks_out_of_order cut_interval alpha_timer increase_timer fast_recovery clamp_target timeout"
    " timers",
    "alpha alpha_lossy lossy_pool_share pmax line_rate gain additive hyper least_rate first_rate",
)
"""What does not change: the scenario; `windowed` is the window in packets, 0 without one."""
RUN = _record(
    "now stop complete last_done sent dropped marked delivered pause_frames resume_frames nacks timeouts"
    " peak_queue first_pause first_pause_bytes random"
)
"""Counters of the whole run; `random` is the state of the generator of chance."""
FLOW = _record(
    "host packets last_packet last_serial answer_delay next acknowledged due done expected refused refused_until reacts"
    " first_echo alpha_echo alpha_time cut_echo cut_time stage port_one port_two port_three levels",
    "rate target alpha",
)
"""A queue pair: sender, reaction point and receiver."""
HOST = _record("first_flow flows turn free paused since paused_time ignores delay")
PORT = _record("switch serial delay paused since paused_time queue_bytes idle level")
"""An egress port: its serial time of a full packet, and what its queue holds."""
GROUP = _record("switch headroom feeder_is_host feeder delay held headroom_used paused peak")
"""A priority group at an ingress port; `feeder` is the host or the port that a PAUSE frame reaches after `delay`."""
SWITCH = _record("buffer pool headroom_total used headroom_used egress_used peak")

Records = NDArray[Any]
Ints = NDArray[np.int64]


class World(NamedTuple):
    """All that a run reads and writes."""

    case: Records
    run: Records
    flows: Records
    hosts: Records
    ports: Records
    groups: Records
    switches: Records
    ring_time: Ints
    ring_item: Ints
    ring_head: Ints
    ring_count: Ints
    slot_time: Ints
    winner: Ints
