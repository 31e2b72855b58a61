"""The cost of loss for an RDMA transport: goodput, timeouts, and aborts of a queue pair."""

import numpy as np
from numpy.typing import ArrayLike

from auditor.estimate.headroom import WIRE_OVERHEAD_BYTES
from auditor.estimate.mtu import packet
from auditor.estimate.quantity import Quantity, fraction, non_negative, positive
from auditor.util.values import dataclass

_TIMEOUT_UNIT_S = 4.096e-6
_LONGEST_TIMEOUT = 31
_MOST_RETRIES = 7


def window_packets(
    rate: ArrayLike, round_trip_s: ArrayLike, reaction_s: ArrayLike, packet_bytes: ArrayLike
) -> Quantity:
    """Return the packets that are sent between a loss and the sender's going back.

    W = R*(RTT + t_nack)/P.

    rate: R, B/s. round_trip_s: RTT, s. reaction_s: time t_nack in which both NICs handle the NACK, s. packet_bytes: P.

    >>> round(float(window_packets(12.5e9, 8e-6, 2e-6, 1000)), 3)
    125.0

    References: [1] derived. NICs take from 2 us to 100s of us for a NACK (Lumina, SIGCOMM 2023; from memory).
    """
    rate, packet_bytes = positive(rate=rate, packet_bytes=packet_bytes)
    round_trip_s, reaction_s = non_negative(round_trip_s=round_trip_s, reaction_s=reaction_s)
    return rate * (round_trip_s + reaction_s) / packet_bytes


def go_back_n(loss: ArrayLike, window: ArrayLike, burst: ArrayLike = 1.0) -> Quantity:
    """Return the part of a go-back-N sender's packets that is of use.

    eta = (1 - p)/(1 - p + p*(W + 1)): each loss costs the packet and the W after it. Where losses come in bursts that
    cost one rewind each, p is the loss divided by the burst.

    loss: fraction p of packets lost, below 1. window: W, packets sent before the sender goes back. burst: packets lost
    at a time.

    >>> round(float(go_back_n(1e-3, 125)), 3), round(float(go_back_n(1e-3, 125, burst=10)), 3)
    (0.888, 0.988)

    References: [1] derived; a Monte Carlo simulation agrees within 0.5 % from p = 1e-3 on.
    """
    [loss] = fraction(loss=loss)
    [window] = non_negative(window=window)
    [burst] = positive(burst=burst)
    if not np.all(burst >= 1):
        raise ValueError(f"burst must be at least 1, not {burst}")
    episode = loss / burst
    return (1 - episode) / (1 - episode + episode * (window + 1))


def go_back_0(period: ArrayLike, message_packets: ArrayLike) -> Quantity:
    """Return the part of a go-back-0 sender's packets that is of use where every k-th packet is lost.

    eta = n*floor((k - 1)/n)/k: a message of n packets begins anew after each loss, so one that does not fit between two
    losses never ends (livelock).

    period: k, packets from one loss to the next. message_packets: n.

    >>> float(go_back_0(256, 4000)), float(go_back_0(256, 100))
    (0.0, 0.78125)

    References: [1] C. Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM 2016 (its experiment quoted from
    memory: 4 MB messages, 1 of 256 packets dropped, no goodput); the formula is derived.
    """
    period, message_packets = positive(period=period, message_packets=message_packets)
    return message_packets * np.floor((period - 1) / message_packets) / period


def selective_repeat(loss: ArrayLike) -> Quantity:
    """Return the part of a sender's packets that is of use where it repeats only what was lost.

    eta = (1 - p)/(1 + p).

    loss: fraction p of packets lost.

    >>> round(float(selective_repeat(0.01)), 3)
    0.98

    References: [1] derived, for transports such as IRN; a burst of losses costs a round trip more.
    """
    [loss] = fraction(loss=loss)
    return (1 - loss) / (1 + loss)


def timeout_s(exponent: int) -> float:
    """Return the local ACK timeout of a queue pair, seconds; NICs may wait up to four times as long.

    RTO = 4.096 us * 2^timeout.

    exponent: the queue pair's `timeout`, 1 to 31 (0 would be without end).

    >>> round(timeout_s(14), 6), round(timeout_s(20), 3)
    (0.067109, 4.295)

    References: [1] InfiniBand Architecture Specification, volume 1, section 9.7.6.1.3 (from memory; the formula also in
    Huawei's HCCL documentation).
    """
    if not 1 <= exponent <= _LONGEST_TIMEOUT:
        raise ValueError(f"the timeout must be from 1 to {_LONGEST_TIMEOUT}, not {exponent}")
    return _TIMEOUT_UNIT_S * 2.0**exponent


def abort_after_s(exponent: int, retry_count: int) -> float:
    """Return how long a queue pair that gets no answer lasts before it reports an error, seconds.

    (retry_cnt + 1)*RTO. Adaptive retransmission makes the first tries shorter.

    exponent: the queue pair's `timeout`. retry_count: its `retry_cnt`, 0 to 7.

    >>> round(abort_after_s(14, 7), 2)
    0.54

    References: [1] as `timeout_s`.
    """
    if not 0 <= retry_count <= _MOST_RETRIES:
        raise ValueError(f"the retry count must be from 0 to {_MOST_RETRIES}, not {retry_count}")
    return (retry_count + 1) * timeout_s(exponent)


@dataclass(frozen=True, slots=True)
class MessageTime:
    """The terms of the time that a message takes, s."""

    transfer: Quantity
    round_trip: Quantity
    stall: Quantity

    @property
    def total(self) -> Quantity:
        """Their sum."""
        return self.transfer + self.round_trip + self.stall


def message_time(
    message_bytes: ArrayLike,
    goodput: ArrayLike,
    round_trip_s: ArrayLike,
    timeout_probability: ArrayLike,
    timeout: ArrayLike,
) -> MessageTime:
    """Return the expected time of a message.

    M/(eta*R) + RTT + P_rto*RTO.

    message_bytes: M. goodput: eta*R, B/s. round_trip_s: RTT, s. timeout_probability: P_rto, that the message's end is
    lost: from 0 for messages back to back up to the loss for a lone one. timeout: RTO, s.

    >>> round(float(message_time(1e6, 11e9, 10e-6, 1e-3, timeout_s(14)).total * 1e6))
    168

    References: [1] derived.
    """
    [goodput] = positive(goodput=goodput)
    message_bytes, round_trip_s, timeout = non_negative(
        message_bytes=message_bytes, round_trip_s=round_trip_s, timeout=timeout
    )
    [timeout_probability] = fraction(timeout_probability=timeout_probability)
    return MessageTime(message_bytes / goodput, round_trip_s, timeout_probability * timeout)


def payload_share(path_mtu: int, ip_version: int = 4) -> float:
    """Return the part of a link's rate that full RoCEv2 packets leave to their payload.

    payload/(payload + 82) with IPv4 and no VLAN tag: headers, FCS, preamble and gap.

    path_mtu: payload of a full packet, bytes. ip_version: 4 or 6.

    >>> round(payload_share(1024), 3), round(payload_share(4096), 3)
    (0.926, 0.98)

    References: [1] the sizes of `auditor.estimate.mtu.packet`.
    """
    if path_mtu <= 0:
        raise ValueError(f"the path MTU must be above 0, not {path_mtu}")
    return path_mtu / (packet(path_mtu, ip_version=ip_version).frame() + WIRE_OVERHEAD_BYTES)
