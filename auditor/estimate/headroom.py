"""How much buffer a paused priority still needs: PFC headroom, term by term."""

from collections.abc import Mapping
from dataclasses import dataclass

FIBRE_S_PER_M = 5.0e-9
"""Propagation delay of optical fibre, s/m (refractive index 1.5)."""
WIRE_OVERHEAD_BYTES = 20
"""Preamble, start delimiter and inter-packet gap of an Ethernet frame (IEEE 802.3)."""
PAUSE_FRAME_BYTES = 64 + WIRE_OVERHEAD_BYTES
FASTEST_RESPONSE_S = 0.3e-6
"""No device known answers a pause faster; with it the equation gives a physical lower bound."""
_QUANTUM_BITS = 512
_RESPONSE_QUANTA: Mapping[float, int] = {
    10: 67,
    25: 80,
    40: 118,
    50: 147,
    100: 394,
    200: 453,
    400: 905,
    800: 905,
}


@dataclass(frozen=True, slots=True)
class Headroom:
    """The terms of the headroom of one port and priority, in bytes on the wire; `total` is in bytes of buffer."""

    blocking_frame: float
    pause_frame: float
    cable: float
    response: float
    last_frame: float
    kappa: float

    @property
    def total(self) -> float:
        """The buffer needed: the terms' sum times the buffer bytes that a wire byte takes."""
        wire = self.blocking_frame + self.pause_frame + self.cable + self.response + self.last_frame
        return self.kappa * wire


def required(speed_gbps: float, mtu_bytes: float, cable_m: float, response_s: float, kappa: float = 1.0) -> Headroom:
    """Return what still arrives after a port decides to send PAUSE.

    H = kappa * ((MTU + 20) + 84 + 2*l*v*R + R*t_resp + (MTU + 20)): a maximum frame that is already being sent and
    delays the PAUSE frame, the PAUSE frame itself, the cable out and back, the response time of the peer, and a
    maximum frame that the peer has begun.

    speed_gbps: line rate R, Gb/s. mtu_bytes: largest frame, bytes. cable_m: length l, m. response_s: time from the
    PAUSE frame's arrival until the peer stops, s. kappa: buffer bytes per wire byte (cell rounding), at least 1.

    >>> h = required(100, 9216, 40, ieee_response_s(100))
    >>> round(h.cable), round(h.response), round(h.total)
    (5000, 25216, 48772)

    References: [1] IEEE Std 802.1Q-2022, Annex N (buffer requirements for priority-based flow control).
    [2] IEEE Std 802.3-2022, Annex 31B.3.7 (timing considerations for PAUSE operation).
    """
    rate = speed_gbps * 1e9 / 8
    frame = mtu_bytes + WIRE_OVERHEAD_BYTES
    return Headroom(frame, PAUSE_FRAME_BYTES, 2 * cable_m * FIBRE_S_PER_M * rate, rate * response_s, frame, kappa)


def ieee_response_s(speed_gbps: float) -> float:
    """Return the longest time a device of this speed may take to obey a PAUSE, seconds.

    The limit is given in quanta of 512 bit times; a speed between two known ones takes the next higher one's quanta.

    >>> round(ieee_response_s(100) * 1e6, 3), round(ieee_response_s(10) * 1e6, 3)
    (2.017, 3.43)

    References: [1] IEEE Std 802.3-2022, Annex 31B.3.7.
    """
    known = next((speed for speed in _RESPONSE_QUANTA if speed >= speed_gbps), max(_RESPONSE_QUANTA))
    return _RESPONSE_QUANTA[known] * _QUANTUM_BITS / (speed_gbps * 1e9)
