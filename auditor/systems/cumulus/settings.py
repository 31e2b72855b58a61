"""An example of each known setting: its path, two values, and the port view's field that shows it.

`nv unset PATH` takes each of them back (and `unset:` in a document of NVUE's YAML); NVUE's command reference documents
the two verbs as opposites, command by command.
"""

from auditor.util.values import dataclass

UNSET_PAGE = "https://docs.nvidia.com/networking-ethernet-software/nvue-reference/Set-and-Unset-Commands"
DEL_PAGE = (
    "https://docs.cumulusnetworks.com/cumulus-linux/Layer-1-and-Switch-Ports/Interface-Configuration-and-Management/"
)
"""The page that shows `net del` beside `net add`."""


@dataclass(frozen=True, slots=True)
class NvueExample:
    """A setting of one value: `shows` is its field in the port view as a JSON pointer, `*` for any number.

    `given` are paths that must be set before. `keeps`: the field shows the line that took the value back; else it shows
    the page of the default that holds again. `other` is a second value. `is_list`: values stand beside each other, and
    each is taken back by itself.
    """

    path: str
    value: str
    other: str
    shows: str
    given: tuple[str, ...] = ()
    keeps: bool = False
    is_list: bool = False

    @property
    def negation(self) -> str:
        """The words behind `unset` that take the first value back."""
        return f"{self.path} {self.value}" if self.is_list else self.path


_PFC = ("qos pfc p switch-priority 3", "interface swp1 qos pfc profile p")
_PAUSE = ("qos link-pause p tx enable", "interface swp1 qos link-pause profile p")
_MARKS = ("qos congestion-control p traffic-class 3", "interface swp1 qos congestion-control profile p")
_SHARES = ("qos egress-scheduler p traffic-class 3", "interface swp1 qos egress-scheduler profile p")
_MAPS = ("qos mapping p pcp 6 switch-priority 6", "interface swp1 qos mapping profile p")
_WRITES = ("qos remark p switch-priority 6 pcp 6", "interface swp1 qos remark profile p")
_PACES = ("qos egress-shaper p traffic-class 2 max-rate 1", "interface swp1 qos egress-shaper profile p")
_HOLDS = "qos advance-buffer-config default-global egress-lossless-buffer"

SETTINGS = (
    NvueExample("interface swp1 link mtu", "9000", "4200", "/mtu_bytes", keeps=True),
    NvueExample("interface swp1 link speed", "100G", "400G", "/speed_gbps", keeps=True),
    NvueExample("interface swp1 link fec", "rs", "baser", "/fec", keeps=True),
    NvueExample("interface swp1 link auto-negotiate", "on", "off", "/negotiates", keeps=True),
    NvueExample("interface swp1 link lanes", "4", "8", "/lanes", keeps=True),
    NvueExample("interface swp1 link state", "down", "up", "/enabled", keeps=True),
    NvueExample("interface swp1 ip address", "10.0.0.1/31", "10.0.0.3/31", "/forwarding", keeps=True, is_list=True),
    NvueExample("interface swp1 bridge domain", "br_default", "br1", "/forwarding", keeps=True, is_list=True),
    NvueExample(
        "interface swp1 bridge domain br_default access",
        "10",
        "20",
        "/tagged",
        ("interface swp1 bridge domain br_default",),
    ),
    NvueExample("interface bond1 bond member", "swp1", "swp2", "/lag", is_list=True),
    NvueExample("interface swp1 qos pfc-watchdog state", "enable", "disable", "/pfc_watchdog", _PFC, keeps=True),
    NvueExample("qos pfc-watchdog polling-interval", "200", "300", "/pfc_watchdog_polling_ms"),
    NvueExample("qos pfc-watchdog robustness", "5", "7", "/pfc_watchdog_detection_ms"),
    NvueExample("qos roce", "", "", "/pfc_mode"),
    NvueExample("qos roce mode", "lossy", "lossy-multi-tc", "/pfc_mode", ("qos roce",)),
    NvueExample("qos pfc default-global switch-priority", "3", "4", "/pfc_priorities", is_list=True),
    NvueExample(
        "interface swp1 qos pfc profile", "p", "q", "/pfc_priorities", (_PFC[0], "qos pfc q switch-priority 4")
    ),
    NvueExample("qos pfc p switch-priority", "5", "6", "/priority_groups/*/lossless", _PFC, is_list=True),
    NvueExample("qos pfc p tx", "disable", "enable", "/pfc_tx_priorities", _PFC),
    NvueExample("qos pfc p rx", "disable", "enable", "/pfc_rx_priorities", _PFC),
    NvueExample("qos pfc p cable-length", "50", "5", "/cable_length_m", _PFC),
    NvueExample("qos pfc p port-buffer", "25000", "30000", "/priority_groups/*/size_bytes", _PFC, keeps=True),
    NvueExample("qos pfc p xon-threshold", "2000", "3000", "/priority_groups/*/xon_offset_bytes", _PFC, keeps=True),
    NvueExample(
        "qos pfc p xoff-threshold",
        "10000",
        "12000",
        "/priority_groups/*/static_threshold_bytes",
        (*_PFC, "qos pfc p port-buffer 25000"),
        keeps=True,
    ),
    NvueExample(
        "qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha",
        "alpha_2",
        "alpha_4",
        "/priority_groups/*/alpha",
        _PFC,
        keeps=True,
    ),
    NvueExample(f"{_HOLDS} reserved", "4096", "8192", "/queues/*/reserved_bytes", _PFC, keeps=True),
    NvueExample(f"{_HOLDS} shared-alpha", "alpha_8", "alpha_16", "/queues/*/alpha", _PFC, keeps=True),
    NvueExample(f"{_HOLDS} shared-bytes", "50000", "60000", "/queues/*/static_threshold_bytes", _PFC, keeps=True),
    NvueExample(
        "interface swp1 qos link-pause profile", "p", "q", "/pause_tx", (_PAUSE[0], "qos link-pause q tx disable")
    ),
    NvueExample("qos link-pause p rx", "enable", "disable", "/pause_rx", _PAUSE),
    NvueExample(
        "interface swp1 qos mapping profile", "p", "q", "/trust", ("qos mapping p trust l3", "qos mapping q trust both")
    ),
    NvueExample("qos mapping p trust", "l3", "both", "/trust", _MAPS, keeps=True),
    NvueExample("qos mapping p port-default-sp", "3", "4", "/default_class", _MAPS),
    NvueExample("qos mapping p dscp 26 switch-priority", "5", "6", "/dscp_to_class", _MAPS),
    NvueExample("qos mapping p pcp 3 switch-priority", "5", "6", "/pcp_to_class", _MAPS),
    NvueExample("qos remark p rewrite", "l3", "both", "/rewrite", _WRITES, keeps=True),
    NvueExample("qos remark p switch-priority 3 dscp", "26", "28", "/class_to_dscp", _WRITES),
    NvueExample("qos remark p switch-priority 3 pcp", "3", "4", "/class_to_pcp", _WRITES),
    NvueExample(
        "qos egress-queue-mapping default-global switch-priority 3 traffic-class", "5", "6", "/classes/*/queue"
    ),
    NvueExample("qos congestion-control p traffic-class 3 ecn", "disable", "enable", "/queues/*/ecn", _MARKS),
    NvueExample(
        "qos congestion-control p traffic-class 3 min-threshold",
        "5",
        "6",
        "/queues/*/ecn_min_bytes",
        _MARKS,
        keeps=True,
    ),
    NvueExample(
        "qos congestion-control p traffic-class 3 max-threshold",
        "7",
        "8",
        "/queues/*/ecn_max_bytes",
        _MARKS,
        keeps=True,
    ),
    NvueExample(
        "qos congestion-control p traffic-class 3 probability", "5", "6", "/queues/*/ecn_max_probability", _MARKS
    ),
    NvueExample(
        "qos congestion-control p traffic-class 3 red",
        "enable",
        "disable",
        "/queues/*/wred_drop",
        ("qos congestion-control p traffic-class 3 ecn disable", *_MARKS[1:]),
    ),
    NvueExample("qos egress-scheduler p traffic-class 3 mode", "strict", "dwrr", "/queues/*/scheduler", _SHARES),
    NvueExample(
        "qos egress-scheduler p traffic-class 3 bw-percent", "30", "40", "/queues/*/bandwidth_percent", _SHARES
    ),
    NvueExample(
        "qos egress-shaper p traffic-class 3 max-rate", "2000000", "1000000", "/queues/*/shape_gbps", _PACES, keeps=True
    ),
)

OLDER = (
    NvueExample("interface swp1 mtu", "9000", "4200", "/mtu_bytes", keeps=True),
    NvueExample("interface swp1 link speed", "100000", "400000", "/speed_gbps", keeps=True),
    NvueExample("interface swp1 link fec", "rs", "baser", "/fec", keeps=True),
    NvueExample("interface swp1 link", "down", "", "/enabled", keeps=True, is_list=True),
    NvueExample("interface swp1 ip address", "10.0.0.1/31", "10.0.0.3/31", "/forwarding", keeps=True, is_list=True),
    NvueExample("bond bond1 bond slaves", "swp1", "swp2", "/lag", is_list=True),
    NvueExample("roce", "lossless", "lossy", "/pfc_mode", is_list=True),
)
"""Settings of `net add`, which `net del` takes back with or without the value."""
