"""Where an incast meets the switch's limits: XOFF points, the headroom that one PAUSE reaction needs, what is short."""

import numpy as np

from auditor.estimate.rows import Flags, Floats
from auditor.estimate.scenario import Scenarios
from auditor.util.values import dataclass

_OUT_OF_STEP = 16.0
"""Scale by which groups that pause in turns send more between two pauses than in step; fitted to the simulation."""
_SHARED_IN_TURNS = 1.4
"""How much more of shared headroom one group finds when the others fill theirs at other times; fitted likewise."""
PAUSE_FRAME_BYTES = 43
"""A PAUSE frame as the reference simulation counts it; on real wires it is `headroom.PAUSE_FRAME_BYTES`."""


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """What the switches grant the incast, in bytes; one element per scenario."""

    xoff: Floats
    """Occupancy of one sender's priority group at which its own switch pauses it, all senders being equal."""
    first_xoff: Floats
    """Queue of all senders together at which the first PAUSE frame is sent, to a host or to a switch."""
    held: Floats
    """Queue of all senders together at which the senders stand paused."""
    deepest: Floats
    """Longest queue that one port of the lossless class can reach."""
    need: Floats
    """Headroom that one PAUSE reaction fills at line rate, at the port where it is shortest."""
    room: Floats
    """Headroom that this port's priority group may fill."""
    burst: Floats
    """Bytes of one sender that follow the packet which made the switch send PAUSE."""
    refill: Floats
    """Bytes that one sender sends between a RESUME and the next PAUSE."""
    short: Floats
    """Bytes of one sender lost in the first PAUSE reaction."""
    later_short: Floats
    """Bytes of one sender lost in a later one, when the groups' reactions have fallen out of step."""
    lossy_queue: Floats
    """Longest egress queue of the lossy class."""
    arrival: Floats
    """Rate at which the incast can reach the congested port, bytes/s."""


def limits(s: Scenarios) -> BufferLimits:
    """Return the limits of the switches on the incast's way.

    A switch's shared pool is P = B - carved headroom. N equal groups share it by the dynamic threshold, so each reaches
    XOFF at alpha*P / (1 + N*alpha); a lossy egress queue ends at alpha_q*E / (1 + alpha_q), E the lossy share of P.
    A group may use its own headroom, its Nth of the headroom pool, and its Nth of what the chip holds beyond XOFF,
    whichever is least, in whole packets; the packet that crosses XOFF is always admitted. When the reactions have
    fallen out of step, groups fill their headroom at different times, and each finds more of what they share.
    On a leaf and spine the receiver's leaf pauses the spine, the spine the senders' leaf, and that the senders: their
    pools hold the queue one after the other.

    References: [1] Choudhury, Hahne, Dynamic queue length thresholds for shared-memory packet switches, 1998.
    [2] SONiC, Dynamic buffer calculation: shared headroom pool.
    """
    n, hosts = s.senders, s.senders + ~s.star
    connected = n + 1 + (s.star & (s.victim_message > 0))
    ports = np.where(s.headroom_ports > 0, s.headroom_ports, connected)
    carved = (ports * s.headroom + ~s.star * s.uplink_headroom) * s.lossless_priorities
    carved = np.where(s.headroom_pool > 0, s.headroom_pool, carved)
    pool = np.maximum(0.0, s.buffer - carved)
    xoff = s.alpha * pool / (1 + hosts * s.alpha)
    far = np.maximum(0.0, s.buffer - 2 * (s.headroom + s.uplink_headroom) * s.lossless_priorities)
    far_xoff = np.where(s.star, 0.0, s.alpha * far / (1 + s.alpha))
    pooled = np.where(s.headroom_pool > 0, s.headroom_pool / n, np.inf)
    chip = np.maximum(0.0, s.buffer / n - xoff)

    def room(parts: Floats | float) -> Floats:
        granted = np.minimum(s.headroom, np.minimum(pooled, chip) * parts)
        return np.maximum(1.0, np.floor(granted / s.packet)) * s.packet

    rise = 1 - 1 / np.maximum(n, 2)
    need, burst = reaction_need(s, s.rate), reaction_packets(s, s.rate) * s.packet
    pause_end = s.xon_offset / (1 + s.alpha * n) + s.packet
    refill = (1 + n / _OUT_OF_STEP) * (pause_end + 2 * s.delay * s.share) / rise
    host = (
        need,
        room(1),
        burst,
        refill,
        np.maximum(0.0, need - room(1)),
        np.maximum(0.0, need - room(_SHARED_IN_TURNS)),
    )
    uplink = _uplink(s)
    between = ~s.star & (uplink[4] > 0)
    need, granted, burst, refill, short, later = (
        np.where(between, up, own) for up, own in zip(uplink, host, strict=True)
    )
    return BufferLimits(
        xoff=xoff,
        first_xoff=np.where(s.star, n * xoff, far_xoff),
        held=n * xoff + 2 * far_xoff,
        deepest=np.maximum(hosts * xoff, far_xoff),
        need=need,
        room=granted,
        burst=burst,
        refill=refill,
        short=short,
        later_short=later,
        lossy_queue=s.alpha_lossy * s.lossy_share * pool / (1 + s.alpha_lossy),
        arrival=np.where(s.star, n * s.rate, np.minimum(n * s.rate, s.uplink_rate * n / hosts)),
    )


def _uplink(s: Scenarios) -> tuple[Floats, ...]:
    """Return need, room, burst, refill and shortfalls of the port that the spine feeds; the last four per sender."""
    n = s.senders
    rate = np.maximum(s.uplink_rate, s.rate)
    packets = np.floor((2 * s.uplink_delay * rate + PAUSE_FRAME_BYTES) / s.packet) + 1
    leaving = np.maximum(0.0, np.floor(packets * s.rate / rate - 2))
    need = s.packet * (1 + packets - leaving)
    room = np.maximum(1.0, np.floor(s.uplink_headroom / s.packet)) * s.packet
    refill = s.xon_offset / (1 + s.alpha) + 2 * s.uplink_delay * s.rate + s.packet
    refill = refill / np.maximum(1 - s.rate / rate, 0.05)
    short = np.maximum(0.0, need - room)
    return need, room, packets * s.packet / n, refill / n, short / n, short / n


def reaction_packets(s: Scenarios, rate: Floats) -> Floats:
    """Return how many packets still come in after the one that made the switch send PAUSE.

    The PAUSE frame takes its own time and the cable's, the sender its response time; it then ends the packet it has
    begun: floor((R*(2d + t_resp) + PAUSE) / packet) + 1 packets, R being the sender's present rate, bytes/s.
    """
    return np.floor((rate * (2 * s.delay + s.response) + PAUSE_FRAME_BYTES * rate / s.rate) / s.packet) + 1


def reaction_need(s: Scenarios, rate: Floats) -> Floats:
    """Return the least headroom, bytes, that loses nothing in one PAUSE reaction while the queue drains.

    Of the K packets that follow the crossing one, every Nth time one of this group leaves: 1 + K - floor(K/N) packets,
    about 2*d*R*(1 - 1/N) + 2 packets: a paused group that drains needs less than `headroom.required`, the bound for
    a port whose own egress is paused too.
    """
    packets = reaction_packets(s, rate)
    return s.packet * (1 + packets - np.floor(packets / s.senders))


def pauses(s: Scenarios) -> Flags:
    """Return where the senders' class is lossless, the switch sends PAUSE, and all senders obey."""
    obeyed: Flags = s.lossless & s.pfc_sent & (s.ignoring == 0)
    return obeyed


def compute_offered_queue(s: Scenarios, limit: BufferLimits) -> Floats:
    """Return the longest queue, bytes of all senders, that one pass of the messages at line rate would build.

    N*W*(1 - C/A), A the arrival rate: what comes in less what leaves meanwhile. With a window it ends at one
    bandwidth-delay product per sender.
    """
    window = np.where(s.windowed, s.rate * 4 * s.delay + 2 * s.packet, np.inf)
    excess = np.maximum(0.0, 1 - s.rate / limit.arrival)
    return np.minimum(s.senders * s.wire_message * excess, s.senders * window)


def uplink_queue(s: Scenarios) -> Floats:
    """Return the longest queue, bytes, that one pass would build on the way from the senders' leaf to the spine."""
    hosts = s.senders + 1
    queue = hosts * s.wire_message * np.maximum(0.0, 1 - s.uplink_rate / (hosts * s.rate))
    return np.where(s.star, 0.0, queue)
