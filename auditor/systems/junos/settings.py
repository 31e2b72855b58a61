"""An example of each known setting: its path, two values, and the port view's field that shows it.

`delete PATH` takes each of them back, `deactivate PATH` leaves it written and without effect until `activate PATH`;
`replace:` before a statement in braces takes back what was written of it before.
"""

from auditor.util.values import dataclass

DELETE_PAGE = "https://juniper.net/documentation/en_US/junos13.2/topics/reference/command-summary/delete.html"
DEACTIVATE_PAGE = "https://juniper.net/documentation/en_US/junos13.1/topics/reference/command-summary/deactivate.html"
ACTIVATE_PAGE = "https://juniper.net/documentation/en_US/junos13.2/topics/reference/command-summary/activate.html"
REPLACE_PAGE = (
    "https://juniper.net/documentation/us/en/software/junos/junos-xml-protocol/topics/task/"
    "junos-xml-protocol-configuration-data-elements-replacing.html"
)


@dataclass(frozen=True, slots=True)
class StatementExample:
    """A statement: `shows` is its field in the port view as a JSON pointer, `*` for any number.

    `given` are statements that must be written before. `other` is a second value, where it has one value at most.
    `keeps`: the field shows the line that took the statement back. `is_list`: values stand beside each other, and each
    is taken back by itself.
    """

    path: str
    value: str
    shows: str
    other: str = ""
    given: tuple[str, ...] = ()
    keeps: bool = False
    is_list: bool = False

    @property
    def negated(self) -> str:
        """The words behind `delete` that take the statement back."""
        return f"{self.path} {self.value}" if self.is_list else self.path


_COS = "class-of-service"
_PORT = "interfaces et-0/0/0"
_UNIT = f"{_PORT} unit 0"
_SORTS = (
    f"{_COS} forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3",
    f"{_COS} classifiers dscp SORT forwarding-class RDMA loss-priority low code-points 011010",
    f"{_COS} {_PORT} unit 0 classifiers dscp SORT",
)
_CNP = f"{_COS} congestion-notification-profile PAUSE"
_PAUSES = (*_SORTS, f"{_CNP} input dscp code-point 011010 pfc", f"{_COS} {_PORT} congestion-notification-profile PAUSE")
_WATCHES = (*_PAUSES, f"{_CNP} output ieee-802.1 code-point 011 flow-control-queue 4", f"{_CNP} pfc-watchdog")
_SCHEDULES = (
    *_SORTS,
    f"{_COS} schedulers S drop-profile-map loss-priority low protocol any drop-profile D",
    f"{_COS} drop-profiles D interpolate",
    f"{_COS} scheduler-maps M forwarding-class RDMA scheduler S",
    f"{_COS} {_PORT} scheduler-map M",
)
_MARKS = (*_SCHEDULES, f"{_COS} schedulers S explicit-congestion-notification")

EXAMPLES = (
    StatementExample(f"{_PORT} description", "facing_leaf2:et-0/0/1", "/peer", "facing_leaf3:et-0/0/1"),
    StatementExample(f"{_PORT} mtu", "9216", "/mtu_bytes", "4000", keeps=True),
    StatementExample(f"{_PORT} speed", "100g", "/speed_gbps", "400g", keeps=True),
    StatementExample(f"{_PORT} ether-options fec", "fec91", "/fec", "fec74", keeps=True),
    StatementExample(f"{_PORT} disable", "", "/enabled", keeps=True),
    StatementExample(f"{_PORT} ether-options flow-control", "", "/pause_tx", keeps=True),
    StatementExample(f"{_PORT} ether-options 802.3ad", "ae1", "/lag", "ae2"),
    StatementExample(f"{_UNIT} family", "inet", "/forwarding"),
    StatementExample(
        f"{_UNIT} family inet mtu", "3000", "/ip_mtu_bytes", "2000", (f"{_PORT} mtu 9216", f"{_UNIT} family inet")
    ),
    StatementExample(
        f"{_UNIT} family ethernet-switching interface-mode",
        "trunk",
        "/tagged",
        "access",
        (f"{_UNIT} family ethernet-switching",),
    ),
    StatementExample("chassis fpc 0 pic 0 port 0 speed", "100g", "/speed_gbps", "400g"),
    StatementExample(
        f"{_COS} {_PORT} congestion-notification-profile", "PAUSE", "/pfc_mode", "OTHER", _PAUSES[:-1], keeps=True
    ),
    StatementExample(
        f"{_CNP} input dscp code-point 011010", "pfc", "/pfc_priorities", "", (*_SORTS, _PAUSES[-1], f"{_CNP} input")
    ),
    StatementExample(f"{_CNP} input cable-length", "50", "/cable_length_m", "5", _PAUSES, keeps=True),
    StatementExample(
        f"{_CNP} output ieee-802.1 code-point 011 flow-control-queue",
        "4",
        "/pfc_rx_priorities",
        "",
        (*_PAUSES, f"{_CNP} output"),
    ),
    StatementExample(f"{_CNP} pfc-watchdog", "", "/pfc_watchdog", "", _WATCHES[:-1], keeps=True),
    StatementExample(f"{_CNP} pfc-watchdog detection", "5", "/pfc_watchdog_detection_ms", "7", _WATCHES, keeps=True),
    StatementExample(
        f"{_CNP} pfc-watchdog poll-interval", "50", "/pfc_watchdog_polling_ms", "60", _WATCHES, keeps=True
    ),
    StatementExample(
        f"{_CNP} pfc-watchdog recovery", "500", "/pfc_watchdog_restoration_ms", "600", _WATCHES, keeps=True
    ),
    StatementExample(
        f"{_CNP} pfc-watchdog watchdog-action", "forward", "/pfc_watchdog_action", "drop", _WATCHES, keeps=True
    ),
    StatementExample(
        f"{_COS} shared-buffer ingress buffer-partition lossless", "percent 60", "/priority_groups/*/pool", "", _PAUSES
    ),
    StatementExample(
        f"{_COS} forwarding-classes class RDMA pfc-priority",
        "3",
        "/classes/*/pfc_priority",
        "4",
        (f"{_COS} forwarding-classes class RDMA queue-num 4 no-loss",),
    ),
    StatementExample(
        f"{_COS} forwarding-classes class RDMA no-loss",
        "",
        "/classes/*/lossless",
        "",
        (f"{_COS} forwarding-classes class RDMA queue-num 4",),
    ),
    StatementExample(
        f"{_COS} forwarding-classes class RDMA queue-num",
        "4",
        "/classes/*/queue",
        "5",
        (f"{_COS} forwarding-classes class RDMA",),
    ),
    StatementExample(f"{_COS} {_PORT} unit 0 classifiers dscp", "SORT", "/trust", "", _SORTS[:-1]),
    StatementExample(
        f"{_COS} {_PORT} unit 0 classifiers ieee-802.1",
        "TAGS",
        "/pcp_to_class",
        "",
        (*_SORTS, f"{_COS} classifiers ieee-802.1 TAGS forwarding-class RDMA loss-priority low code-points 011"),
    ),
    StatementExample(
        f"{_COS} classifiers dscp SORT forwarding-class RDMA loss-priority low code-points",
        "011011",
        "/dscp_to_class",
        "",
        _SORTS,
        is_list=True,
    ),
    StatementExample(
        f"{_COS} {_PORT} unit 0 rewrite-rules dscp",
        "WRITE",
        "/rewrite",
        "",
        (*_SORTS, f"{_COS} rewrite-rules dscp WRITE forwarding-class RDMA loss-priority low code-point 011010"),
    ),
    StatementExample(
        f"{_COS} {_PORT} unit 0 rewrite-rules ieee-802.1",
        "WRITE",
        "/class_to_pcp",
        "",
        (*_SORTS, f"{_COS} rewrite-rules ieee-802.1 WRITE forwarding-class RDMA loss-priority low code-point 011"),
    ),
    StatementExample(f"{_COS} {_PORT} scheduler-map", "M", "/queues", "", _SCHEDULES[:-1]),
    StatementExample(
        f"{_COS} schedulers S explicit-congestion-notification", "", "/queues/*/ecn", "", _SCHEDULES, keeps=True
    ),
    StatementExample(
        f"{_COS} schedulers S priority", "strict-high", "/queues/*/scheduler", "low", _SCHEDULES, keeps=True
    ),
    StatementExample(
        f"{_COS} schedulers S transmit-rate percent", "30", "/queues/*/bandwidth_percent", "40", _SCHEDULES, keeps=True
    ),
    StatementExample(f"{_COS} schedulers S shaping-rate", "10g", "/queues/*/shape_gbps", "20g", _SCHEDULES, keeps=True),
    StatementExample(
        f"{_COS} schedulers S buffer-size percent", "30", "/queues/*/buffer_percent", "40", _SCHEDULES, keeps=True
    ),
    StatementExample(
        f"{_COS} shared-buffer egress buffer-partition lossless", "percent 60", "/queues/*/pool", "", _SCHEDULES
    ),
    StatementExample(
        f"{_COS} drop-profiles D interpolate fill-level", "[ 30 60 ]", "/queues/*/ecn_min_bytes", "", _MARKS
    ),
    StatementExample(
        f"{_COS} drop-profiles D interpolate drop-probability",
        "[ 0 80 ]",
        "/queues/*/ecn_max_probability",
        "",
        _MARKS,
    ),
)
