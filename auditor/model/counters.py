"""What the counters of a port count, whatever its driver or operating system calls them."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache


class Count(StrEnum):
    """What is counted. `sent` and `received` are seen from the port that counts."""

    PFC_SENT = "pfc_sent"
    PFC_RECEIVED = "pfc_received"
    PAUSE_SENT = "pause_sent"
    PAUSE_RECEIVED = "pause_received"
    DISCARDED = "discarded"
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


_NAMES: Mapping[Count, tuple[str, ...]] = {
    Count.PFC_SENT: (
        "tx_prio(p)_pause",
        "tx_pfc_ena_frames_pri(p)",
        "tx_pfc_(p)",
        r"(?:port\.)?tx_priority_(p)_xoff(?:\.nic)?",
        "tx_pfc(?:_frames)?",
        "frames_tx_pripause",
    ),
    Count.PFC_RECEIVED: (
        "rx_prio(p)_pause",
        "rx_pfc_ena_frames_pri(p)",
        "rx_pfc_(p)",
        r"(?:port\.)?rx_priority_(p)_xoff(?:\.nic)?",
        "rx_pfc(?:_frames)?",
        "frames_rx_pripause",
    ),
    Count.PAUSE_SENT: (r"tx_(?:pause_ctrl_phy|global_pause|pause_frames|link_xoff(?:\.nic)?)", "frames_tx_pause"),
    Count.PAUSE_RECEIVED: (r"rx_(?:pause_ctrl_phy|global_pause|pause_frames|link_xoff(?:\.nic)?)", "frames_rx_pause"),
    Count.DISCARDED: (
        "rx_prio(p)_discards",
        "rx_prio(p)_buf_discard",
        "[rt]x_discards_phy",
        r"rx_dropped(?:\.nic)?",
        "frames_rx_dropped",
        "no_buff_discards",
        "rx_stat_discard",
    ),
    Count.NO_BUFFER: ("(?:rx_)?out_of_buffer", "resp_rx_outof_buf"),
    Count.CNP_SENT: ("np_cnp_sent", "np_cnp_pkts", "tx_cnp(?:_pkts)?", "tx_rdma_cnp_pkts", "cnpSent"),
    Count.CNP_RECEIVED: ("rp_cnp_handled", "rx_cnp(?:_pkts)?", "rx_rdma_cnp_pkts", "cnpHandled"),
    Count.CNP_IGNORED: ("rp_cnp_ignored", "cnpIgnored"),
    Count.ECN_MARKED: (
        "np_ecn_marked_roce_packets",
        "rx_ecn_marked(?:_pkts)?",
        "rx_rdma_ecn_pkts",
        "RxECNMrkd",
        "rx_ecn_mark",
    ),
    Count.OUT_OF_SEQUENCE: ("(?:rx_)?out_of_sequence", "resp_rx_outouf_seq", "res_oos_drop_count"),
    Count.SEQUENCE_NAK: ("packet_seq_err", "seq_err_naks_rcvd", "req_rx_pkt_seq_err", "implied_nak_seq_err"),
    Count.TIMEOUT: ("local_ack_timeout_err", "to_retransmits", "req_tx_retry_excd_err"),
    Count.ADAPTIVE_RETRANSMISSION: ("roce_adp_retrans(?:_to)?",),
    Count.SLOW_RESTART: ("roce_slow_restart(?:_cnps|_trans)?",),
    Count.PAUSE_STORM: ("[rt]x_pause_storm_(?:warning|error)_events",),
}
_PATTERNS = tuple(
    (count, re.compile(name.replace("(p)", "([0-7])"))) for count, names in _NAMES.items() for name in names
)


@lru_cache(maxsize=4096)
def meaning(name: str) -> tuple[Count, int | None] | None:
    """Return what the counter *name* counts and for which priority; None for a counter that is not known.

    >>> meaning("rx_prio3_pause"), meaning("rx_priority_3_xoff.nic") == meaning("rx_prio3_pause")
    ((<Count.PFC_RECEIVED: 'pfc_received'>, 3), True)
    """
    for count, pattern in _PATTERNS:
        match = pattern.fullmatch(name)
        if match:
            return count, int(match[1]) if match.re.groups else None
    return None


def total(counters: Mapping[str, int] | None, count: Count, priority: int | None = None) -> int | None:
    """Return how often *count* was counted, on *priority* alone where one is given; None where no counter says.

    Where there are counters per priority, those of the whole port are left out, and of several counters of the whole
    port the largest counts: they count the same packets again.

    >>> total({"rx_prio3_pause": 2, "rx_prio4_pause": 1, "rx_pfc": 3}, Count.PFC_RECEIVED)
    3
    >>> total({"rx_prio3_pause": 2}, Count.PFC_RECEIVED, priority=4) is None
    True
    """
    told = [(meaning(name), value) for name, value in (counters or {}).items()]
    found = [(of[1], value) for of, value in told if of and of[0] is count]
    by_priority = [value for number, value in found if number is not None and priority in {None, number}]
    if by_priority or priority is not None:
        return sum(by_priority) if by_priority else None
    return max((value for _, value in found), default=None)
