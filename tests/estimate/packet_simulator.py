"""A reference to hold closed forms against: an incast through one switch, packet by packet.

N senders, one switch, one receiver; all links alike, store-and-forward, no processing delay. The rules are those of the
ns-3 simulator whose results lie in shared/sim (its README, sections 1 to 3): dynamic thresholds on ingress priority
groups with headroom, PAUSE and RESUME, one FIFO egress queue that marks at dequeue, DCQCN senders without byte counter,
go-back-N. ACKs and PAUSE frames are never lost and wait for nothing. Bytes, seconds, bytes/s.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random

ACK_BYTES, PAUSE_BYTES, HEADER_BYTES = 60, 43, 48
LOSSY_SHARE = 0.8
"""Part of the ingress pool that lossy egress queues may use."""


@dataclass(frozen=True, slots=True)
class Marking:
    """The switch's ECN profile."""

    kmin_bytes: float
    kmax_bytes: float
    pmax: float


@dataclass(frozen=True, slots=True)
class Dcqcn:
    """The senders' reaction point; the defaults are those of shared/sim."""

    g: float = 1 / 256
    alpha_timer_s: float = 1e-6
    cut_interval_s: float = 4e-6
    increase_timer_s: float = 300e-6
    fast_recovery_stages: int = 1
    rate_ai: float = 50e6 / 8
    rate_hai: float = 100e6 / 8
    min_rate: float = 100e6 / 8
    clamp_target: bool = False


@dataclass(frozen=True, slots=True)
class Incast:
    """What is simulated: senders that start together at line rate and send so many packets each."""

    senders: int
    rate: float
    delay_s: float
    packets: int
    stop_s: float
    buffer_bytes: float
    headroom_bytes: float = 0.0
    packet_bytes: int = 1048
    alpha: float = 1 / 8
    xon_bytes: float = 1248
    xon_offset_bytes: float = 2496
    lossless: bool = True
    alpha_lossy: float = 1.0
    marking: Marking | None = None
    dcqcn: Dcqcn | None = None
    jitter_s: float = 0.0
    nack_interval_s: float = 500e-6
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of it, until all was acknowledged or time was up; packets unless a name says otherwise."""

    end_s: float
    sent: int
    dropped: int
    marked: int
    pause_frames: int
    paused_fraction: float
    first_pause_bytes: float
    peak_group_bytes: float
    peak_queue_bytes: float
    goodput_bytes: float


@dataclass(slots=True)
class _Sender:
    """A NIC: the next packet and when it is due, its pauses and DCQCN state; and what its receiver remembers."""

    rate: float
    target: float
    next: int = 0
    due_s: float = 0.0
    plan: int = 0
    paused: bool = False
    paused_at: float = 0.0
    paused_s: float = 0.0
    reacting: bool = False
    alpha: float = 1.0
    stage: int = 0
    timer: int = 0
    echo_for_alpha: bool = False
    echo_for_cut: bool = False
    expected: int = 0
    refused: int = -1
    refused_at: float = -inf


class _Buffer:
    """The switch's memory: what each ingress group holds, what of it lies in headroom, and who is paused."""

    def __init__(self, incast: Incast) -> None:
        self._incast = incast
        self._headroom_pool = incast.headroom_bytes * (incast.senders + 1)
        self._pool = max(0.0, incast.buffer_bytes - self._headroom_pool)
        self.held = [0.0] * incast.senders
        self.headroom = [0.0] * incast.senders
        self.paused = [False] * incast.senders
        self.used = 0.0
        self._headroom_used = 0.0

    def _threshold(self) -> float:
        return self._incast.alpha * max(0.0, self._pool - self.used + self._headroom_used)

    def _fits(self, port: int) -> bool:
        size, after = self._incast.packet_bytes, self.used + self._incast.packet_bytes
        if not self._incast.lossless:
            shared = LOSSY_SHARE * self._pool
            return after <= min(shared, self._incast.alpha_lossy * (shared - self.used))
        if after > min(self._pool + self._headroom_pool, self._incast.buffer_bytes):
            return False
        return not self.headroom[port] or (
            self.headroom[port] + size <= self._incast.headroom_bytes
            and self._headroom_used + size <= self._headroom_pool
        )

    def admit(self, port: int) -> bool:
        """Take a packet in; tell whether there was room."""
        if not self._fits(port):
            return False
        size = self._incast.packet_bytes
        self.held[port] += size
        self.used += size
        if self._incast.lossless and (self.headroom[port] or self.held[port] > self._threshold()):
            self.headroom[port] += size
            self._headroom_used += size
        return True

    def release(self, port: int) -> None:
        """Let a packet go, out of the headroom first."""
        size = self._incast.packet_bytes
        refunded = min(size, self.headroom[port])
        self.headroom[port] -= refunded
        self._headroom_used -= refunded
        self.held[port] -= size
        self.used -= size

    def pauses(self, port: int) -> bool:
        """Tell whether PAUSE is due."""
        return not self.paused[port] and self.headroom[port] > 0

    def resumes(self, port: int) -> bool:
        """Tell whether RESUME is due."""
        held, incast = self.held[port], self._incast
        low = held < incast.xon_bytes or held + incast.xon_offset_bytes <= self._threshold()
        return self.paused[port] and self.headroom[port] == 0 and low


class _Run:
    """One simulation: events in order of time, each a method and its arguments."""

    def __init__(self, incast: Incast) -> None:
        self.incast = incast
        self.now = 0.0
        self.sent = self.dropped = self.marked = self.pause_frames = self.complete = 0
        self.first_pause = self.peak_group = self.peak_queue = 0.0
        self.senders = [_Sender(incast.rate, incast.rate) for _ in range(incast.senders)]
        self._dcqcn = incast.dcqcn or Dcqcn()
        self._serial = incast.packet_bytes / incast.rate
        self._pause_delay = PAUSE_BYTES / incast.rate + incast.delay_s
        self._answer_delay = self._serial + 2 * ACK_BYTES / incast.rate + 3 * incast.delay_s
        self._buffer = _Buffer(incast)
        self._queue: deque[tuple[int, int]] = deque()
        self._busy = False
        self._chance = Random(incast.seed)
        self._events: list[tuple[float, int, Callable[..., None], tuple[int | bool, ...]]] = []
        self._order = count()

    def until_done(self) -> None:
        """Run until every packet is acknowledged or time is up."""
        for port in range(self.incast.senders):
            self._at(self._chance.uniform(0, self.incast.jitter_s), self._plan, port)
        while self._events and self._events[0][0] <= self.incast.stop_s and self.complete < self.incast.senders:
            self.now, _, action, arguments = heappop(self._events)
            action(*arguments)
        if self.complete < self.incast.senders:
            self.now = self.incast.stop_s
        for port in range(self.incast.senders):
            self._resume(port)

    def _at(self, time: float, action: Callable[..., None], *arguments: int | bool) -> None:
        heappush(self._events, (time, next(self._order), action, arguments))

    # Sender

    def _plan(self, port: int) -> None:
        """Set the time of the next packet, in place of the one set before."""
        sender = self.senders[port]
        sender.plan += 1
        if not sender.paused and sender.next < self.incast.packets:
            self._at(max(self.now, sender.due_s), self._send, port, sender.plan)

    def _send(self, port: int, plan: int) -> None:
        sender = self.senders[port]
        if plan == sender.plan:
            self._at(self.now + self._serial + self.incast.delay_s, self._arrive, port, sender.next)
            self.sent += 1
            sender.next += 1
            sender.due_s = self.now + self.incast.packet_bytes / sender.rate
            self._plan(port)

    def _pause(self, port: int) -> None:
        sender = self.senders[port]
        sender.paused, sender.paused_at = True, self.now
        self._plan(port)

    def _resume(self, port: int) -> None:
        sender = self.senders[port]
        if sender.paused:
            sender.paused = False
            sender.paused_s += self.now - sender.paused_at
        self._plan(port)

    def _answer(self, port: int, expected: int, marked: bool, refusal: bool) -> None:
        sender = self.senders[port]
        if refusal:
            sender.next = expected
            self._plan(port)
        self.complete += expected == self.incast.packets
        if marked and self.incast.dcqcn:
            if not sender.reacting:
                sender.reacting = True
                self._at(self.now + self._dcqcn.alpha_timer_s, self._update_alpha, port)
                self._at(self.now + self._dcqcn.cut_interval_s, self._cut, port)
            else:
                sender.echo_for_alpha = True
            sender.echo_for_cut = True

    # Reaction point

    def _update_alpha(self, port: int) -> None:
        sender, dcqcn = self.senders[port], self._dcqcn
        sender.alpha = (1 - dcqcn.g) * sender.alpha + dcqcn.g * sender.echo_for_alpha
        sender.echo_for_alpha = False
        self._at(self.now + dcqcn.alpha_timer_s, self._update_alpha, port)

    def _cut(self, port: int) -> None:
        sender, dcqcn = self.senders[port], self._dcqcn
        self._at(self.now + dcqcn.cut_interval_s, self._cut, port)
        if sender.echo_for_cut:
            sender.echo_for_cut = False
            if sender.stage or dcqcn.clamp_target:
                sender.target = sender.rate
            sender.rate = max(dcqcn.min_rate, sender.rate * (1 - sender.alpha / 2))
            sender.stage = 0
            sender.timer += 1
            self._at(self.now + dcqcn.increase_timer_s, self._increase, port, sender.timer)

    def _increase(self, port: int, timer: int) -> None:
        sender, dcqcn = self.senders[port], self._dcqcn
        if timer != sender.timer:
            return
        if sender.stage >= dcqcn.fast_recovery_stages:
            hyper = sender.stage > dcqcn.fast_recovery_stages
            sender.target = min(self.incast.rate, sender.target + (dcqcn.rate_hai if hyper else dcqcn.rate_ai))
        sender.rate = (sender.rate + sender.target) / 2
        sender.stage += 1
        self._at(self.now + dcqcn.increase_timer_s, self._increase, port, timer)

    # Switch

    def _arrive(self, port: int, number: int) -> None:
        buffer = self._buffer
        if not buffer.admit(port):
            self.dropped += 1
            return
        self._queue.append((port, number))
        self.peak_group = max(self.peak_group, buffer.held[port])
        self.peak_queue = max(self.peak_queue, len(self._queue) * self.incast.packet_bytes)
        if buffer.pauses(port):
            buffer.paused[port] = True
            self.pause_frames += 1
            self.first_pause = self.first_pause or buffer.held[port]
            self._at(self.now + self._pause_delay, self._pause, port)
        if not self._busy:
            self._depart()

    def _depart(self) -> None:
        self._busy = bool(self._queue)
        if not self._busy:
            return
        port, number = self._queue.popleft()
        self._buffer.release(port)
        if self._buffer.resumes(port):
            self._buffer.paused[port] = False
            self._at(self.now + self._pause_delay, self._resume, port)
        marked = self._marks(len(self._queue) * self.incast.packet_bytes)
        self.marked += marked
        self._receive(port, number, marked)
        self._at(self.now + self._serial, self._depart)

    def _marks(self, queue: float) -> bool:
        marking = self.incast.marking
        if marking is None or queue <= marking.kmin_bytes:
            return False
        part = (queue - marking.kmin_bytes) / max(1.0, marking.kmax_bytes - marking.kmin_bytes)
        return queue > marking.kmax_bytes or self._chance.random() < marking.pmax * part

    # Receiver, whose answer is set when the packet leaves the switch

    def _receive(self, port: int, number: int, marked: bool) -> None:
        sender = self.senders[port]
        if number > sender.expected:
            if sender.refused == sender.expected and self.now < sender.refused_at + self.incast.nack_interval_s:
                return
            sender.refused, sender.refused_at = sender.expected, self.now
            self._at(self.now + self._answer_delay, self._answer, port, sender.expected, marked, True)
        elif number == sender.expected:
            sender.expected += 1
            if marked or sender.expected == self.incast.packets:
                self._at(self.now + self._answer_delay, self._answer, port, sender.expected, marked, False)


def simulate(incast: Incast) -> Measured:
    """Run one incast."""
    run = _Run(incast)
    run.until_done()
    return Measured(
        end_s=run.now,
        sent=run.sent,
        dropped=run.dropped,
        marked=run.marked,
        pause_frames=run.pause_frames,
        paused_fraction=sum(sender.paused_s for sender in run.senders) / (incast.senders * run.now),
        first_pause_bytes=run.first_pause,
        peak_group_bytes=run.peak_group,
        peak_queue_bytes=run.peak_queue,
        goodput_bytes=sum(sender.expected for sender in run.senders) * (incast.packet_bytes - HEADER_BYTES),
    )
