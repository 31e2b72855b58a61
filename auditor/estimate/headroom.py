"""How much buffer a paused priority still needs: PFC headroom, term by term."""

from collections.abc import Mapping

from auditor.util.values import dataclass

FIBRE_S_PER_M = 5.0e-9
"""Propagation delay of optical fibre, s/m (refractive index 1.5)."""
WIRE_OVERHEAD_BYTES = 20
"""Preamble, start delimiter and inter-packet gap of an Ethernet frame (IEEE 802.3)."""
SMALLEST_FRAME_BYTES = 64
PAUSE_FRAME_BYTES = SMALLEST_FRAME_BYTES + WIRE_OVERHEAD_BYTES
FASTEST_RESPONSE_S = 0.3e-6
"""No device known answers a pause faster; with it the equation gives a physical lower bound."""
QUANTUM_BITS = 512
RESPONSE_QUANTA: Mapping[float, int] = {
    10: 67,
    25: 80,
    40: 118,
    50: 147,
    100: 394,
    200: 453,
    400: 905,
    800: 905,
}
"""Longest time in which a device must obey a PAUSE, by speed in Gb/s (IEEE Std 802.3-2022, Annex 31B.3.7)."""


@dataclass(frozen=True, slots=True)
class HeadroomTerms:
    """The terms of the headroom of one port and priority, in bytes on the wire; `total` is in bytes of buffer."""

    blocking_frame: float
    pause_frame: float
    cable: float
    response: float
    last_frame: float
    asic: float
    kappa: float

    @property
    def total(self) -> float:
        """The buffer needed: the terms' sum times the buffer bytes that a wire byte takes."""
        return self.kappa * (self._before_last_frame + self.last_frame)

    @property
    def _before_last_frame(self) -> float:
        return self.blocking_frame + self.pause_frame + self.cable + self.asic + self.response

    def xoff_delay_s(self, speed_gbps: float) -> float:
        """Return the loop delay of XOFF: from the decision until the sender stops, seen at the port that asked for it.

        tau_r = H/(kappa*R) - (MTU + 20)/R. All that arrives in this time is overshoot; the last frame comes on top.

        speed_gbps: line rate R, Gb/s, the one that the headroom was computed for.

        >>> round(compute_headroom(100, 9216, 40, ieee_response_s(100)).xoff_delay_s(100) * 1e6, 2)
        3.16

        References: [1] derived from `required`.
        """
        return self._before_last_frame / _bytes_per_s(speed_gbps)


def compute_headroom(  # noqa: PLR0913  one argument for each quantity of the equation
    speed_gbps: float,
    mtu_bytes: float,
    cable_m: float,
    response_s: float,
    kappa: float = 1.0,
    *,
    asic_s: float = 0.0,
) -> HeadroomTerms:
    """Return the bytes that still arrive after a port decides to send PAUSE.

    H = kappa * ((MTU + 20) + 84 + 2*l*v*R + R*(t_asic + t_resp) + (MTU + 20)): a maximum frame that is already being
    sent and delays the PAUSE frame, the PAUSE frame itself, the cable out and back, the time in which the port notices
    and the peer responds, and a maximum frame that the peer has begun.

    speed_gbps: line rate R, Gb/s. mtu_bytes: largest frame, bytes. cable_m: length l, m. response_s: time from the
    PAUSE frame's arrival until the peer stops, s. kappa: buffer bytes per wire byte (cell rounding), at least 1.
    asic_s: t_asic, from the threshold's crossing until the port asks for the PAUSE frame, s.

    >>> h = compute_headroom(100, 9216, 40, ieee_response_s(100))
    >>> round(h.cable), round(h.response), round(h.total)
    (5000, 25216, 48772)

    References: [1] IEEE Std 802.1Q-2022, Annex N (buffer requirements for priority-based flow control).
    [2] IEEE Std 802.3-2022, Annex 31B.3.7 (timing considerations for PAUSE operation).
    """
    rate = _bytes_per_s(speed_gbps)
    frame = mtu_bytes + WIRE_OVERHEAD_BYTES
    cable = 2 * cable_m * FIBRE_S_PER_M * rate
    return HeadroomTerms(frame, PAUSE_FRAME_BYTES, cable, rate * response_s, frame, rate * asic_s, kappa)


def ieee_response_s(speed_gbps: float) -> float:
    """Return the longest time a device of this speed may take to obey a PAUSE, seconds.

    The limit is given in quanta of 512 bit times; a speed between two known ones takes the next higher one's quanta.

    >>> round(ieee_response_s(100) * 1e6, 3), round(ieee_response_s(10) * 1e6, 3)
    (2.017, 3.43)

    References: [1] IEEE Std 802.3-2022, Annex 31B.3.7.
    """
    known = next((speed for speed in RESPONSE_QUANTA if speed >= speed_gbps), max(RESPONSE_QUANTA))
    return quanta_s(RESPONSE_QUANTA[known], speed_gbps)


def quanta_s(quanta: float, speed_gbps: float) -> float:
    """Return how long a number of pause quanta lasts, seconds; a PAUSE that is not refreshed in this time ends.

    t = quanta * 512 / R. A PAUSE frame carries at most 65535 quanta.

    quanta: pause time in units of 512 bit times. speed_gbps: line rate R, Gb/s.

    >>> round(quanta_s(65535, 10) * 1e3, 3), round(quanta_s(65535, 400) * 1e6, 3)
    (3.355, 83.885)

    References: [1] IEEE Std 802.3-2022, Annex 31B.2 (the PAUSE operation's pause_time).
    """
    return quanta * QUANTUM_BITS / (speed_gbps * 1e9)


def xon_delay_s(speed_gbps: float, cable_m: float, packet_bytes: float) -> float:
    """Return the loop delay of XON: from the decision until the first packet is there again, seconds.

    tau_on = (84 + P)/R + 2*l*v: the frame that ends the pause, the cable out and back, the first packet.

    speed_gbps: line rate R, Gb/s. cable_m: length l, m. packet_bytes: size P of a packet, bytes.

    >>> round(xon_delay_s(100, 40, 4178) * 1e6, 3)
    0.741

    References: [1] derived from `required`, without the frame that may block the pause frame.
    """
    return (PAUSE_FRAME_BYTES + packet_bytes) / _bytes_per_s(speed_gbps) + 2 * cable_m * FIBRE_S_PER_M


def kappa(packet_bytes: int, cell_bytes: int) -> float:
    """Return the bytes of buffer that a byte on the wire takes when all packets have one size.

    kappa = ceil(s/cell)*cell/(s + 20): a packet fills whole cells, but its preamble and gap fill none.

    packet_bytes: frame size s, bytes. cell_bytes: the unit in which the ASIC gives out buffer, bytes.

    >>> round(kappa(4178, 254), 2), round(kappa(64, 254), 2)
    (1.03, 3.02)

    References: [1] derived; the published headroom of Tomahawk 5 divides by 254 and has the kappa of 64-byte packets.
    """
    if packet_bytes <= 0 or cell_bytes <= 0:
        raise ValueError(f"packet and cell must be above 0 bytes, not {packet_bytes} and {cell_bytes}")
    return -(-packet_bytes // cell_bytes) * cell_bytes / (packet_bytes + WIRE_OVERHEAD_BYTES)


def worst_kappa(cell_bytes: int) -> float:
    """Return the largest bytes of buffer that a byte on the wire can take, whatever the packets' size.

    max over s >= 64 of ceil(s/cell)*cell/(s + 20): reached by the smallest frame, or by the one that is just too large
    for the cells of the smallest.

    cell_bytes: the unit in which the ASIC gives out buffer, bytes; more than the 20 of preamble and gap.

    >>> [round(worst_kappa(cell), 2) for cell in (96, 144, 208, 254)]
    [1.64, 1.75, 2.48, 3.02]

    References: [1] derived.
    """
    if cell_bytes <= WIRE_OVERHEAD_BYTES:
        raise ValueError(f"a cell must be above {WIRE_OVERHEAD_BYTES} bytes, not {cell_bytes}")
    just_too_large = -(-SMALLEST_FRAME_BYTES // cell_bytes) * cell_bytes + 1
    return max(kappa(SMALLEST_FRAME_BYTES, cell_bytes), kappa(just_too_large, cell_bytes))


def _bytes_per_s(speed_gbps: float) -> float:
    return speed_gbps * 1e9 / 8
