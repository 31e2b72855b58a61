"""PFC headroom as vendors compute or publish it: SONiC on Spectrum, the mlx5e NIC, Cisco Nexus, Broadcom's tables."""

from collections.abc import Mapping
from math import ceil

from auditor.estimate.headroom import (
    FIBRE_S_PER_M,
    PAUSE_FRAME_BYTES,
    QUANTUM_BITS,
    RESPONSE_QUANTA,
    SMALLEST_FRAME_BYTES,
    WIRE_OVERHEAD_BYTES,
)
from auditor.util.values import dataclass

_KIB = 1024
_SONIC_METRES_PER_S = 198e6
_SONIC_MAC_PHY_BYTES = 0.8 * _KIB
_SONIC_LEGACY_RESPONSE_BYTES = 3.8 * _KIB


@dataclass(frozen=True, slots=True)
class Spectrum:
    """What SONiC knows of one generation of the ASIC: its cell, bytes, and its pipeline's latency, KiB."""

    cell_bytes: int
    pipeline_kib: int

    @property
    def cells_per_byte(self) -> float:
        """The buffer bytes that SONiC counts for a byte of the smallest packets."""
        if self.cell_bytes > 2 * SMALLEST_FRAME_BYTES:
            return self.cell_bytes / SMALLEST_FRAME_BYTES
        return 2 * self.cell_bytes / (1 + self.cell_bytes)


SPECTRUM: Mapping[int, Spectrum] = {
    1: Spectrum(96, 19),
    2: Spectrum(144, 19),
    3: Spectrum(144, 19),
    4: Spectrum(192, 19),
    5: Spectrum(192, 19),
    6: Spectrum(256, 42),
}
"""By generation (sonic-net/sonic-buildimage, platform/mellanox/asic_table.j2 at 4a9bf641)."""


@dataclass(frozen=True, slots=True)
class SonicPort:
    """A port's settings that SONiC's formula reads.

    `port_mtu` and `lossless_mtu` in bytes; `small_packets` is the share of traffic, 0 to 1, that may be the smallest
    packets; `legacy_response` takes the fixed peer response of the older releases instead of IEEE's quanta. The
    defaults of `lossless_mtu` and `small_packets` are quoted from memory.
    """

    port_mtu: int = 9100
    lossless_mtu: int = 1024
    small_packets: float = 1.0
    eight_lanes: bool = False
    shared_headroom: bool = False
    legacy_response: bool = False


_COMMON_PORT = SonicPort()


@dataclass(frozen=True, slots=True)
class SonicHeadroom:
    """The terms of SONiC's headroom, bytes, and the profile's `xoff`, `xon` and `size` that follow."""

    lossless_frame: float
    port_frame: float
    cable: float
    mac_phy: float
    response: float
    occupancy: float
    pipeline: float
    second_buffer: float
    shared: bool

    @property
    def xoff(self) -> int:
        """What may still arrive after XOFF, in whole KiB."""
        travelling = self.port_frame + self.cable + self.mac_phy + self.response
        return _whole_kib(self.lossless_frame + travelling * self.occupancy)

    @property
    def xon(self) -> int:
        """What must remain for the pipeline when transmission may resume, in whole KiB."""
        return _whole_kib(self.pipeline)

    @property
    def size(self) -> int:
        """What the priority group reserves; a shared headroom pool holds all but `xon`."""
        return self.xon if self.shared else _whole_kib(self.xoff + self.xon + self.second_buffer)


def sonic(speed_gbps: float, cable_m: float, generation: int, port: SonicPort = _COMMON_PORT) -> SonicHeadroom:
    """Return the headroom that SONiC's dynamic buffer model gives a lossless priority group on a Spectrum switch.

    xoff = MTU_ll + (MTU_port + 2*l*R/v + 0.8 KiB + response) * occupancy, rounded up to KiB, with response = 64 bytes
    a quantum (3.8 KiB at a speed without quanta, or where the release is older) and occupancy the share of small
    packets times the cells that they waste; v = 198 000 km/s, and the cable term counts in KiB. No gearbox.

    speed_gbps: line rate R, Gb/s. cable_m: length l, m. generation: of the Spectrum ASIC, 1 to 6. port: its settings.

    >>> sonic(400, 300, 3).xoff, sonic(100, 5, 1).xoff, sonic(100, 5, 1, SonicPort(legacy_response=True)).xoff
    (487424, 72704, 29696)

    References: [1] sonic-net/sonic-swss, cfgmgr/buffer_headroom_mellanox.lua at 18913fa3. Later revisions (e6b0c5b5)
    differ: they round the cells' waste up and add bytes for Spectrum-4 to 6, so theirs is larger.
    """
    if generation not in SPECTRUM:
        raise ValueError(f"no constants are known of Spectrum-{generation}, only of {[*SPECTRUM]}")
    if speed_gbps <= 0 or cable_m < 0:
        raise ValueError(f"speed must be above 0 and cable at least 0, not {speed_gbps} and {cable_m}")
    asic = SPECTRUM[generation]
    quanta = None if port.legacy_response else RESPONSE_QUANTA.get(speed_gbps)
    return SonicHeadroom(
        lossless_frame=port.lossless_mtu,
        port_frame=port.port_mtu,
        cable=2 * cable_m / _SONIC_METRES_PER_S * speed_gbps * 1e12 / (8 * _KIB),
        mac_phy=_SONIC_MAC_PHY_BYTES,
        response=_SONIC_LEGACY_RESPONSE_BYTES if quanta is None else quanta * QUANTUM_BITS / 8,
        occupancy=1 - port.small_packets + port.small_packets * asic.cells_per_byte,
        pipeline=_KIB * (2 * asic.pipeline_kib - 1 if port.eight_lanes else asic.pipeline_kib),
        second_buffer=port.port_mtu if port.eight_lanes else 0,
        shared=port.shared_headroom,
    )


@dataclass(frozen=True, slots=True)
class NicHeadroom:
    """The terms of a NIC's headroom, bytes."""

    reaction: float
    cable: float
    frame: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.reaction + self.cable + self.frame


def mlx5e(speed_gbps: float, cable_m: float, mtu_bytes: float) -> NicHeadroom:
    """Return the headroom that Linux' mlx5e driver keeps in a lossless receive buffer of a ConnectX NIC.

    xoff = (301 + 2.16*l)*max(R, 40) + 2.72*MTU, with R in Gb/s.

    speed_gbps: line rate R, Gb/s. cable_m: length l, m. mtu_bytes: the interface's MTU, bytes.

    >>> round(mlx5e(100, 7, 1500).total), round(mlx5e(10, 10, 9000).total)
    (35692, 37384)

    References: [1] Linux commit 0696d60853d5 (net/mlx5e: Receive buffer configuration).
    [2] Linux commit 5ec983e924c7 (the formula's lowest speed is 40 Gb/s).
    """
    if speed_gbps <= 0 or cable_m < 0 or mtu_bytes <= 0:
        raise ValueError(f"speed and MTU must be above 0, cable at least 0, not {speed_gbps}, {mtu_bytes}, {cable_m}")
    speed = max(speed_gbps, 40)
    return NicHeadroom(301 * speed, 2.16 * cable_m * speed, 2.72 * mtu_bytes)


_NEXUS_INTERFACE_BITS: Mapping[float, int] = {10: 8192, 25: 6144, 40: 24576, 100: 122_880}
_NEXUS_RESPONSE_BITS: Mapping[float, int] = {10: 30_720, 25: 40_960, 40: 60_416, 100: 201_728}
_NEXUS_NO_DROP_FRAME_BYTES = 2300 + WIRE_OVERHEAD_BYTES


@dataclass(frozen=True, slots=True)
class NexusHeadroom:
    """The terms of Cisco's headroom, bytes."""

    blocking_frame: float
    pause_frame: float
    interfaces: float
    cable: float
    response: float
    no_drop_frame: float

    @property
    def total(self) -> float:
        """Their sum."""
        return (
            self.blocking_frame + self.pause_frame + self.interfaces + self.cable + self.response + self.no_drop_frame
        )


def nexus(speed_gbps: float, cable_m: float, mtu_bytes: float) -> NexusHeadroom:
    """Return the headroom that Cisco's sizing in bit times asks of a Nexus port.

    H = (MTU + 20) + 84 + 2*D_intf + 2*l*v*R + D_resp + (2300 + 20): the frame that blocks the pause frame, that frame,
    the interfaces at both ends, the cable out and back, the peer's response, the last no-drop frame (Fibre Channel's).

    speed_gbps: 10, 25, 40 or 100. cable_m: length l, m. mtu_bytes: largest frame, bytes.

    >>> h = nexus(100, 40, 9216)
    >>> round(h.interfaces), round(h.response), round(h.total)
    (30720, 25216, 72576)

    References: [1] the chapter on PFC of a Cisco book on storage networks, as excerpted at besthub.dev: the terms are
    quoted there, their sum is not; that D_intf counts once for each direction is an assumption.
    """
    if speed_gbps not in _NEXUS_INTERFACE_BITS or cable_m < 0 or mtu_bytes <= 0:
        raise ValueError(
            f"speed must be one of {[*_NEXUS_INTERFACE_BITS]} Gb/s, cable at least 0 and MTU above 0, "
            f"not {speed_gbps}, {cable_m} and {mtu_bytes}"
        )
    return NexusHeadroom(
        blocking_frame=mtu_bytes + WIRE_OVERHEAD_BYTES,
        pause_frame=PAUSE_FRAME_BYTES,
        interfaces=2 * _NEXUS_INTERFACE_BITS[speed_gbps] / 8,
        cable=2 * cable_m * FIBRE_S_PER_M * speed_gbps * 1e9 / 8,
        response=_NEXUS_RESPONSE_BITS[speed_gbps] / 8,
        no_drop_frame=_NEXUS_NO_DROP_FRAME_BYTES,
    )


@dataclass(frozen=True, slots=True)
class TableFit:
    """A vendor's table of headroom by speed and cable, as a line through it.

    `kappa`: buffer bytes per byte in the cable. `fixed_bytes`: what neither speed nor cable changes. `reaction_s`: time
    that counts at full rate, cell rounding included.
    """

    kappa: float
    fixed_bytes: float
    reaction_s: float


TABLES: Mapping[str, TableFit] = {
    "Trident II": TableFit(1.195, 44_096, 0.190e-6),
    "Tomahawk": TableFit(2.57, 21_603, 10.32e-6),
    "Tomahawk 2": TableFit(0.0, 15_392, 6.52288e-6),
    "Tomahawk 5": TableFit(3.038, 57_986, 6.494e-6),
    "Spectrum-1": TableFit(2.002, 29_172, 0.0),
}
"""By ASIC, fitted to `pg_profile_lookup.ini` of sonic-net/sonic-buildimage: Arista 7050QX-32S (rows within 2.1 %),
Dell S6100 (11 %), Arista 7260CX3 (exact at 50 and 100 Gb/s, the same up to 300 m), Arista 7060X6-64PE-B (0.5 %) and
Mellanox MSN2700 (1.6 %)."""


BEYOND_FORMULA_BYTES: Mapping[str, int] = {"Spectrum-6": 18 * _KIB}
"""By ASIC what its vendor found that a lossless priority group needs beyond the sum of the terms, bytes, because the
ASIC takes longer when traffic starts (sonic-net/sonic-swss, pull request 4797: no other Spectrum needs it)."""


PUBLISHED_BELOW_BOUND: frozenset[tuple[float, float, int]] = frozenset(
    {
        *((400.0, float(cable), xoff) for cable, xoff in ((5, 18_432), (40, 35_840), (300, 165_888))),
        *((400.0, float(cable), xoff) for cable, xoff in ((1500, 427_008), (2000, 555_008))),
        *((speed, 2000.0, xoff) for speed, xoff in ((10.0, 33_792), (25.0, 65_536), (40.0, 97_280))),
        *((speed, 2000.0, xoff) for speed, xoff in ((50.0, 118_784), (100.0, 225_280))),
    }
)
"""Speed, cable and xoff of the published rows that hold less than `required` with the fastest response and frames of
RDMA: Accton AS9516 (newport), Mellanox SN4280-O28 and SN3800-D112C8 (`pg_profile_lookup.ini` of sonic-buildimage)."""


@dataclass(frozen=True, slots=True)
class TableHeadroom:
    """The terms of the headroom of a vendor's table, bytes."""

    cable: float
    fixed: float
    reaction: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.cable + self.fixed + self.reaction


def compute_published(asic: str, speed_gbps: float, cable_m: float) -> TableHeadroom:
    """Return the headroom by the vendor's table for an ASIC, a speed and a cable.

    H = kappa*2*l*v*R + a + b*R, fitted to the table.

    asic: a key of `TABLES`. speed_gbps: line rate R, Gb/s. cable_m: length l, m.

    >>> round(compute_published("Tomahawk 5", 400, 30).total), round(compute_published("Tomahawk 2", 100, 300).total)
    (428256, 96928)

    References: [1] sonic-net/sonic-buildimage, device/*/*/pg_profile_lookup.ini; Tomahawk 5 in its pull requests
    22836, 25208 and 25862.
    """
    if asic not in TABLES:
        raise ValueError(f"no table of {asic} is known, only of {', '.join(TABLES)}")
    if speed_gbps <= 0 or cable_m < 0:
        raise ValueError(f"speed must be above 0 and cable at least 0, not {speed_gbps} and {cable_m}")
    fit, rate = TABLES[asic], speed_gbps * 1e9 / 8
    return TableHeadroom(fit.kappa * 2 * cable_m * FIBRE_S_PER_M * rate, fit.fixed_bytes, fit.reaction_s * rate)


def _whole_kib(size: float) -> int:
    return ceil(size / _KIB) * _KIB
