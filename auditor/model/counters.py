"""Counters of a port, independent of the names of drivers and operating systems."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from auditor.model.setting import Known
from auditor.util.regex import regex
from auditor.util.values import dataclass


class CounterKind(StrEnum):
    """The kind of a counter. `sent` and `received` are from the view of the counting port.

    Pauses, packets and `discarded` (on arrival, for want of a buffer) are counted per priority or for the whole port,
    `group_discarded` per ingress priority group, what begins with `queue_` per egress queue. `oversize` are frames that
    were dropped because they are longer than the port takes. `ring_discarded` are packets for which the network stack
    of the host had no buffer, `received` all packets that arrived. `paused_for` is how long the port obeyed
    pauses, `paused_others_for` how long it sent them, in microseconds. `link_down`
    counts losses of the link, `corrected` what forward error correction mended, `corrupt` what it could not.
    """

    PFC_SENT = "pfc_sent"
    PFC_RECEIVED = "pfc_received"
    PAUSE_SENT = "pause_sent"
    PAUSE_RECEIVED = "pause_received"
    DISCARDED = "discarded"
    GROUP_DISCARDED = "group_discarded"
    QUEUE_DISCARDED = "queue_discarded"
    QUEUE_WRED_DISCARDED = "queue_wred_discarded"
    QUEUE_ECN_MARKED = "queue_ecn_marked"
    RING_DISCARDED = "ring_discarded"
    OVERSIZE = "oversize"
    RECEIVED = "received"
    PACKETS_SENT = "packets_sent"
    PACKETS_RECEIVED = "packets_received"
    RDMA_SENT = "rdma_sent"
    RDMA_RECEIVED = "rdma_received"
    RDMA_DISCARDED = "rdma_discarded"
    NO_BUFFER = "no_buffer"
    CNP_SENT = "cnp_sent"
    CNP_RECEIVED = "cnp_received"
    CNP_IGNORED = "cnp_ignored"
    ECN_MARKED = "ecn_marked"
    OUT_OF_SEQUENCE = "out_of_sequence"
    SEQUENCE_NAK = "sequence_nak"
    TIMEOUT = "timeout"
    ADAPTIVE_RETRANSMISSION = "adaptive_retransmission"
    SLOW_RESTART = "slow_restart"
    PAUSE_STORM = "pause_storm"
    PAUSED_FOR = "paused_for"
    PAUSED_OTHERS_FOR = "paused_others_for"
    LINK_DOWN = "link_down"
    CORRECTED = "corrected"
    CORRUPT = "corrupt"


_NAMES: Mapping[CounterKind, tuple[str, ...]] = {
    CounterKind.PFC_SENT: (
        "tx_prio(p)_pause",
        "tx_pfc_ena_frames_pri(p)",
        "tx_pfc_(p)",
        r"(?:port\.)?tx_priority_(p)_xoff(?:\.nic)?",
        "tx_pfc(?:_frames)?",
        "frames_tx_pripause",
    ),
    CounterKind.PFC_RECEIVED: (
        "rx_prio(p)_pause",
        "rx_pfc_ena_frames_pri(p)",
        "rx_pfc_(p)",
        r"(?:port\.)?rx_priority_(p)_xoff(?:\.nic)?",
        "rx_pfc(?:_frames)?",
        "frames_rx_pripause",
    ),
    # not mlx5's [rt]x_pause_ctrl_phy, which grows with frames of PFC as well
    CounterKind.PAUSE_SENT: (
        "tx_(?:global_pause|pause_frames)",
        r"(?:port\.)?link_xoff_tx(?:\.nic)?",
        "frames_tx_pause",
    ),
    CounterKind.PAUSE_RECEIVED: (
        "rx_(?:global_pause|pause_frames)",
        r"(?:port\.)?link_xoff_rx(?:\.nic)?",
        "frames_rx_pause",
    ),
    CounterKind.DISCARDED: (
        "rx_prio(p)_discards",
        "rx_prio(p)_buf_discard",
        "[rt]x_discards_phy",
        r"rx_dropped(?:\.nic)?",
        "frames_rx_dropped",
        "no_buff_discards",
        "rx_stat_discard",
    ),
    CounterKind.GROUP_DISCARDED: ("rx_pg(p)_(?:shared_)?discards(?:_bytes)?",),
    CounterKind.QUEUE_DISCARDED: ("tx_queue(p)_(?:tail_)?discards(?:_bytes)?",),
    CounterKind.QUEUE_WRED_DISCARDED: ("tx_queue(p)_wred_discards",),
    CounterKind.QUEUE_ECN_MARKED: ("tx_queue(p)_ecn_marked",),
    CounterKind.RING_DISCARDED: ("rx_total_ring_discards", "rx_out_of_buffer"),
    CounterKind.OVERSIZE: ("rx_oversize",),
    CounterKind.RECEIVED: ("rx_packets(?:_phy)?", "rx_total_frames", "frames_rx_all"),
    CounterKind.PACKETS_SENT: ("tx_prio(p)_packets", "tx_packets_pri(p)"),
    CounterKind.PACKETS_RECEIVED: ("rx_prio(p)_packets", "rx_packets_pri(p)"),
    CounterKind.RDMA_SENT: ("tx_vport_rdma_unicast_packets",),
    CounterKind.RDMA_RECEIVED: ("rx_vport_rdma_unicast_packets",),
    CounterKind.RDMA_DISCARDED: ("rx_roce_discards",),
    CounterKind.NO_BUFFER: ("out_of_buffer", "resp_rx_outof_buf"),
    CounterKind.CNP_SENT: ("np_cnp_sent", "np_cnp_pkts", "tx_cnp(?:_pkts)?", "tx_rdma_cnp_pkts", "cnpSent"),
    CounterKind.CNP_RECEIVED: ("rp_cnp_handled", "rx_cnp(?:_pkts)?", "rx_rdma_cnp_pkts", "cnpHandled"),
    CounterKind.CNP_IGNORED: ("rp_cnp_ignored", "cnpIgnored"),
    CounterKind.ECN_MARKED: (
        "np_ecn_marked_roce_packets",
        "rx_ecn_marked(?:_pkts)?",
        "rx_rdma_ecn_pkts",
        "RxECNMrkd",
        "rx_ecn_mark",
    ),
    CounterKind.OUT_OF_SEQUENCE: ("(?:rx_)?out_of_sequence", "resp_rx_outouf_seq", "res_oos_drop_count"),
    CounterKind.SEQUENCE_NAK: ("packet_seq_err", "seq_err_naks_rcvd", "req_rx_pkt_seq_err", "implied_nak_seq_err"),
    CounterKind.TIMEOUT: ("local_ack_timeout_err", "to_retransmits", "req_tx_retry_excd_err"),
    CounterKind.ADAPTIVE_RETRANSMISSION: ("roce_adp_retrans(?:_to)?",),
    CounterKind.SLOW_RESTART: ("roce_slow_restart(?:_cnps|_trans)?",),
    CounterKind.PAUSE_STORM: ("[rt]x_pause_storm_(?:warning|error)_events",),
    CounterKind.PAUSED_FOR: ("rx_prio(p)_pause_duration", "pfc_pri(p)_rx_duration_us"),
    CounterKind.PAUSED_OTHERS_FOR: ("tx_prio(p)_pause_duration", "pfc_pri(p)_tx_duration_us"),
    CounterKind.LINK_DOWN: ("link_down_events(?:_phy)?", "link_downed"),
    CounterKind.CORRECTED: ("rx_corrected_bits(?:_phy)?", "rx_fec_corrected_blocks"),
    CounterKind.CORRUPT: (
        "rx_crc_errors_phy",
        "rx_fec_uncorrectable_blocks",
        "rx_(?:pcs_)?symbol_err(?:_phy)?",
        "symbol_error",
    ),
}
LOSSES = frozenset(
    {
        CounterKind.DISCARDED,
        CounterKind.GROUP_DISCARDED,
        CounterKind.QUEUE_DISCARDED,
        CounterKind.QUEUE_WRED_DISCARDED,
        CounterKind.OVERSIZE,
        CounterKind.RDMA_DISCARDED,
        CounterKind.NO_BUFFER,
        CounterKind.OUT_OF_SEQUENCE,
        CounterKind.SEQUENCE_NAK,
        CounterKind.TIMEOUT,
    }
)
"""What a packet of RDMA moves that is lost, or was taken for lost."""
BY_NUMBER = frozenset(
    {
        CounterKind.GROUP_DISCARDED,
        CounterKind.QUEUE_DISCARDED,
        CounterKind.QUEUE_WRED_DISCARDED,
        CounterKind.QUEUE_ECN_MARKED,
    }
)
"""What is counted per queue or priority group, which may have numbers above 7."""
_PATTERNS = tuple(
    (count, regex(name.replace("(p)", r"(\d{1,2})" if count in BY_NUMBER else "([0-7])")))
    for count, names in _NAMES.items()
    for name in names
)


@lru_cache(maxsize=4096)
def identify_counter(name: str) -> tuple[CounterKind, int | None] | None:
    """Return kind and priority of the counter *name*; None for an unknown counter.

    >>> identify_counter("rx_prio3_pause"), identify_counter("rx_priority_3_xoff.nic")
    ((<CounterKind.PFC_RECEIVED: 'pfc_received'>, 3), (<CounterKind.PFC_RECEIVED: 'pfc_received'>, 3))
    """
    for count, pattern in _PATTERNS:
        match = pattern.fullmatch(name)
        if match:
            return count, int(match[1]) if match.re.groups else None
    return None


@dataclass(frozen=True, slots=True)
class Growth:
    """What a counter counted between an earlier sample and its value, in *seconds* (None: not known).

    A counter that was reset in between is lower now, and counted at least its whole value since.
    """

    count: int
    seconds: float | None = None
    was_reset: bool = False

    def __str__(self) -> str:
        """Return the growth in words.

        >>> str(Growth(1200, 60)), str(Growth(0)), str(Growth(3, 60, was_reset=True))
        ('1,200 more in 60 s', 'none since the earlier sample', '3 since a reset less than 60 s ago')
        """
        if self.was_reset:
            when = "after the earlier sample" if self.seconds is None else f"less than {self.seconds:,.0f} s ago"
            return f"{self.count:,} since a reset {when}"
        more = f"{self.count:,} more" if self.count else "none"
        return f"{more} since the earlier sample" if self.seconds is None else f"{more} in {self.seconds:,.0f} s"


def measure_growth(before: int, now: int, seconds: float | None) -> Growth:
    """Return the growth of a counter from *before* to *now*.

    >>> measure_growth(5, 7, 10).count, measure_growth(7, 5, 10).was_reset
    (2, True)
    """
    return Growth(now, seconds, was_reset=True) if now < before else Growth(now - before, seconds)


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter of a port: its name, the priority, queue or group it is of (None: the whole port), and its value."""

    name: str
    number: int | None
    value: Known[int]


def select_counters(
    counters: Mapping[str, Known[int]] | None, count: CounterKind, numbers: Collection[int] | None = None
) -> tuple[Counter, ...]:
    """Return the counters of kind *count* with one of *numbers*, or of the whole port for None.

    >>> from auditor.model.setting import Origin
    >>> found = {"rx_prio3_pause": Known(2, Origin.LEARNED), "rx_pfc_frames": Known(5, Origin.LEARNED)}
    >>> [each.name for each in select_counters(found, CounterKind.PFC_RECEIVED, {3, 4})]
    ['rx_prio3_pause']
    >>> [each.name for each in select_counters(found, CounterKind.PFC_RECEIVED)]
    ['rx_pfc_frames']
    """
    if not counters:
        return ()
    return tuple(
        Counter(name, number, counters[name])
        for name, number in _sort_names(tuple(counters)).get(count, ())
        if (number is None if numbers is None else number in numbers)
    )


@lru_cache(maxsize=256)
def _sort_names(names: tuple[str, ...]) -> Mapping[CounterKind, Sequence[tuple[str, int | None]]]:
    """Return the counters of each kind with what they are of; ports of a fleet have the same counters."""
    found: dict[CounterKind, list[tuple[str, int | None]]] = {}
    for name in names:
        of = identify_counter(name)
        if of:
            found.setdefault(of[0], []).append((name, of[1]))
    return found
