"""The state of a run as arrays of records, allocated once; times in picoseconds, sizes in bytes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NEVER = 2**62
"""The time of an event that is not due."""
PS_PER_S = 10**12
LEVELS = 3
"""Most switches on the way of a packet."""
ACKS, CNPS, PFC_FRAMES, ARRIVALS = 0, 1, 2, 3
"""Rings of frames on their way: two to senders, to whom a switch pauses, and (ARRIVALS + level) to a switch."""
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
    " timers byte_counter cnp_interval cnp_delay selective_repeat words paced prompt_rate",
    "alpha alpha_lossy lossy_pool_share pmax line_rate gain additive hyper least_rate first_rate send_jitter",
)
"""What does not change: the scenario; `windowed` is the window in packets, 0 without one; `words` are those of a flow
in `receipts`; `paced`: notifications have an interval or a delay."""
WORD_BITS = 64
LARGEST_WINDOW = 2**15
"""Packets of a flow whose receipt is on record at once, one bit each: 4 KiB a flow."""
RUN = _record(
    "now stop complete last_done sent dropped marked delivered pause_frames resume_frames nacks timeouts"
    " peak_queue first_pause first_pause_bytes random"
)
"""Counters of the whole run; `random` is the state of the generator of chance."""
FLOW = _record(
    "host packets last_packet last_serial answer_delay next acknowledged due done expected refused refused_until reacts"
    " first_echo alpha_echo alpha_time cut_echo cut_time stage port_one port_two port_three levels resend gap_end"
    " round_last round_next cnp_due byte_stage byte_count",
    "rate target alpha",
)
"""A queue pair: sender, reaction point and receiver. With selective repeat, the sender looks for missing packets from
`resend` up to `gap_end`; `round_last` and `round_next` are the last packet of a round of repeats and the next new one
at its end."""
HOST = _record("first_flow flows turn free paused since paused_time ignores delay")
PORT = _record("switch serial delay paused since paused_time queue_bytes idle level")
"""An egress port: its serial time of a full packet, and what its queue holds."""
GROUP = _record("switch headroom feeder_is_host feeder delay held headroom_used paused peak")
"""A priority group at an ingress port; `feeder` is the host or the port that a PAUSE frame reaches after `delay`."""
FRAME = _record("time item")
RING = _record("head count")
"""A ring: the place of its first frame, and how many frames it holds."""
SWITCH = _record("buffer pool headroom_total used headroom_used egress_used peak")

Records = NDArray[Any]
Ints = NDArray[np.int64]


class World(NamedTuple):
    """All that a run reads and writes.

    Few arrays, and no more dimensions than needed: above some number of values the compiler passes the world to
    functions by memory, and a run takes four times as long.
    """

    case: Records
    run: Records
    flows: Records
    hosts: Records
    ports: Records
    groups: Records
    switches: Records
    frames: Records
    rings: Records
    slot_time: Ints
    winner: Ints
    receipts: Ints
    """Bits of packets that arrived out of order; the words of a flow are used round and round."""
