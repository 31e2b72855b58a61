"""`show interface PORT detail` and `queue-detail`: a page for each interface, of titles, keys and small tables.

Sources: https://documentation.nokia.com/srlinux/SR_Linux_HTML_R21-11/QoS_Guide/displaying_qos_-ai9epsxdhy.html and
https://learn.srlinux.dev/cli/show-commands/interface/.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from auditor.grammar.numbers import parse_whole
from auditor.grammar.operational import Ports, keep_count
from auditor.grammar.thresholds import fill_setting
from auditor.model.dump import Capture, LineState
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import Known, Origin, Where, value_of
from auditor.systems.srlinux.names import find_default_class, parse_gbps
from auditor.systems.srlinux.operational import DetailedPort, find_port
from auditor.systems.srlinux.tree import FLAGS
from auditor.util.regex import regex

_NUMBER = range(2**31)
_QUEUE = range(16)
_WHOLE_LINE = 100
_TITLE = regex(r"\s*(?P<kind>Interface|Subinterface|Unicast Queue|Multicast Queue)\s*: (?P<name>\S{1,64})\s*\Z")
_OTHER_TITLE = regex(r"\s*(?P<title>[A-Z0-9][\w/ ]{1,60}?) (?:for|to) (?:for )?\S{1,64}\s*\Z")
_PAIR = regex(r"\s*(?P<key>[A-Z][\w%()./ -]{0,40}?)\s*:(?: (?P<value>.*))?\Z")
_FLOW = regex(r"\b(?P<way>Rx|Tx) is (?P<state>enabled|disabled)\b")
_COUNTS = regex(r"\s*(?P<key>MAC pause frames|CRC errors)\s+(?P<rx>\S+)\s+(?P<tx>\S+)\s*\Z")
_POLICY = regex(r"\s*(?P<kind>[A-Z][\w ]{1,40}?)\s{2,}(?P<ingress>\S+)\s+(?P<egress>\S+)\s*\Z")
_NODE = regex(
    r"\s*\d{1,3}\s+(?P<kind>SP|WRR)\s+(?P<weight>\d{1,3}|-)\s+unicast queues? (?P<queues>\d{1,2}(?:, ?\d{1,2}){0,15})",
    re.IGNORECASE,
)
_KINDS = {"SP": Scheduler.STRICT, "WRR": Scheduler.WRR}
_READS_LIKE_QOS = regex(r"\b(?:mtu|dscp|dot1p|queue|scheduler|wred|ecn|pause|slopes?)\b", re.IGNORECASE)


def read_details(capture: Capture, ports: Ports) -> list[LineState]:
    """Read pages of interfaces: settings, counters and queues of ports, and the IP MTU of their subinterfaces."""
    reader = _PageReader(capture, ports)
    return [reader.read(index, line) for index, line in enumerate(capture.lines)]


class _PageReader:
    """A reader of the lines of one capture; it holds the port and the section in which a line stands."""

    def __init__(self, capture: Capture, ports: Ports) -> None:
        self._capture = capture
        self._ports = ports
        self._port: DetailedPort | None = None
        self._section = ""
        self._queue: int | None = None

    def read(self, index: int, line: str) -> LineState:
        """Read a line; return its state."""
        where = self._capture.where(index)
        if title := _TITLE.match(line):
            return self._enter(title["kind"], title["name"], where)
        if other := _OTHER_TITLE.match(line):
            self._section = other["title"]
            return LineState.MODELLED if self._section in _TABLES else LineState.IGNORED
        if self._port is None:
            return LineState.IGNORED
        is_read = self._read_pair(self._port, line, where) or self._read_row(self._port, line, where)
        if is_read:
            return LineState.MODELLED
        return LineState.NOT_MODELLED if _READS_LIKE_QOS.search(line) else LineState.IGNORED

    def _enter(self, kind: str, name: str, where: Where) -> LineState:
        self._section, self._queue = kind, None
        if kind == "Interface":
            self._port = find_port(self._ports, name, where)
        if self._port is None or kind == "Multicast Queue":
            return LineState.IGNORED
        if kind == "Unicast Queue":
            self._queue = parse_whole(name, _QUEUE)
            if self._queue is None:
                return LineState.NOT_MODELLED
            self._port.queues.setdefault(self._queue, Queue(self._queue))
        return LineState.MODELLED

    def _read_pair(self, port: DetailedPort, line: str, where: Where) -> bool:
        pair = _PAIR.match(line)
        if pair is None:
            return False
        word = (pair["value"] or "").strip()
        if self._section == "Unicast Queue" and self._queue is not None:
            return self._read_queue(port, pair["key"], word, where)
        reader = _READERS.get(self._section, {}).get(pair["key"])
        return reader(port, word, where) if reader else False

    def _read_queue(self, port: DetailedPort, key: str, word: str, where: Where) -> bool:
        change = _QUEUE_READERS.get(key)
        if change is None or self._queue is None:
            return False
        queue = change(port.queues[self._queue], word, where)
        port.queues[self._queue] = queue or port.queues[self._queue]
        return queue is not None

    def _read_row(self, port: DetailedPort, line: str, where: Where) -> bool:
        reader = _TABLES.get(self._section)
        return reader is not None and reader(port, line, where)


def _learn_state(port: DetailedPort, word: str, where: Where) -> bool:
    """Read the operational state: a port that is up is enabled."""
    if word == "up":
        port.enabled = Known(value=True, origin=Origin.LEARNED, where=where)
    return word in {"up", "down"}


def _learn_reason(port: DetailedPort, word: str, where: Where) -> bool:
    if word == "port-admin-disabled":
        port.enabled = Known(value=False, origin=Origin.LEARNED, where=where)
    return True


def _learn_speed(port: DetailedPort, word: str, where: Where) -> bool:
    rate = parse_gbps(word)
    if rate is not None:
        port.speed_gbps = Known(rate, Origin.LEARNED, where)
    return True


def _learn_mtu(port: DetailedPort, word: str, where: Where) -> bool:
    number = parse_whole(word, _NUMBER)
    if number is not None:
        port.mtu = Known(number, Origin.LEARNED, where)
    return number is not None


def _learn_tagging(port: DetailedPort, word: str, where: Where) -> bool:
    if word in FLAGS:
        port.tagged = Known(FLAGS[word], Origin.LEARNED, where)
    return word in FLAGS


def _learn_mac(port: DetailedPort, word: str, where: Where) -> bool:
    port.mac = Known(word, Origin.LEARNED, where)
    return True


def _learn_pause(port: DetailedPort, word: str, where: Where) -> bool:
    ways = {match["way"]: match["state"] == "enabled" for match in _FLOW.finditer(word)}
    if "Rx" in ways:
        port.pause_rx = Known(ways["Rx"], Origin.LEARNED, where)
    if "Tx" in ways:
        port.pause_tx = Known(ways["Tx"], Origin.LEARNED, where)
    return bool(ways)


_Reader = Callable[[DetailedPort, str, Where], bool]
_READERS: Mapping[str, Mapping[str, _Reader]] = {
    "Interface": {
        "Oper state": _learn_state,
        "Down reason": _learn_reason,
        "Speed": _learn_speed,
        "MTU": _learn_mtu,
        "VLAN tagging": _learn_tagging,
        "MAC address": _learn_mac,
        "Flow control": _learn_pause,
    },
    "Subinterface": {"IP MTU": DetailedPort.learn_ip_mtu, "Type": DetailedPort.learn_type},
}
"""What each key of a section tells of its port; a reader returns whether it understands the value."""


def _read_counts(port: DetailedPort, line: str, where: Where) -> bool:
    row = _COUNTS.match(line)
    if row is None:
        return False
    if row["key"] == "CRC errors":
        keep_count(port.counters, "rx_crc_errors_phy", row["rx"], where)
    else:
        keep_count(port.counters, "rx_pause_frames", row["rx"], where)
        keep_count(port.counters, "tx_pause_frames", row["tx"], where)
    return True


def _read_policy(port: DetailedPort, line: str, where: Where) -> bool:
    """Read the policies of a subinterface: one that classifies by DSCP, and those that rewrite DSCP or PCP."""
    row = _POLICY.match(line)
    if row and row["kind"] == "DSCP classifier" and row["ingress"] not in {"-", "none"}:
        port.trust = Known(Trust.DSCP, Origin.LEARNED, where)
        return True
    if row and row["kind"] in {"DSCP rewrite", "Dot1p rewrite"} and row["egress"] != "-":
        is_applied = row["egress"] != "none" or bool(value_of(port.rewrites))
        port.rewrites = Known(is_applied, Origin.LEARNED, where)
        return True
    return False


def _read_node(port: DetailedPort, line: str, where: Where) -> bool:
    """Read a node of the scheduler: how it serves each of its queues."""
    row = _NODE.match(line)
    if row is None:
        return False
    for word in row["queues"].split(","):
        number = parse_whole(word.strip(), _QUEUE)
        if number is not None:
            held = port.queues.get(number, Queue(number))
            kind = Known(_KINDS[row["kind"].upper()], Origin.LEARNED, where)
            port.queues[number] = replace(held, scheduler=fill_setting(held.scheduler, kind))
    return True


_TABLES: Mapping[str, _Reader] = {
    "Traffic statistics": _read_counts,
    "Scheduler details": _read_node,
    "QOS Policies applied": _read_policy,
}
"""What reads the rows below each title; a reader returns whether it understands the row."""


def _learn_class(queue: Queue, word: str, where: Where) -> Queue | None:
    index = find_default_class(word)
    return None if index is None else replace(queue, priorities=Known((index,), Origin.LEARNED, where))


def _learn_strict(queue: Queue, word: str, where: Where) -> Queue | None:
    if word not in FLAGS:
        return None
    kind = Scheduler.STRICT if FLAGS[word] else Scheduler.WRR
    return replace(queue, scheduler=Known(kind, Origin.LEARNED, where))


def _learn_weight(queue: Queue, word: str, where: Where) -> Queue | None:
    """Read a weight, which a queue that is served strictly prints and does not use."""
    number = parse_whole(word, _NUMBER)
    if number is None or value_of(queue.scheduler) is not Scheduler.WRR:
        return None if number is None else queue
    return replace(queue, weight=Known(number, Origin.LEARNED, where))


def _learn_share(queue: Queue, word: str, where: Where) -> Queue | None:
    """Read a rate limit in percent of the line; the whole line is no limit."""
    number = parse_whole(word, range(1, _WHOLE_LINE + 1))
    if number is None or number == _WHOLE_LINE:
        return None if number is None else queue
    return replace(queue, shape_percent=Known(float(number), Origin.LEARNED, where))


def _learn_burst(queue: Queue, word: str, where: Where) -> Queue | None:
    """Read how much a queue may hold; 0 stands for the share that the platform gives."""
    number = parse_whole(word, _NUMBER)
    if not number:
        return None if number is None else queue
    return replace(queue, static_threshold_bytes=Known(number, Origin.LEARNED, where))


_QUEUE_READERS: Mapping[str, Callable[[Queue, str, Where], Queue | None]] = {
    "Forwarding class": _learn_class,
    "Strict Priority": _learn_strict,
    "Weight": _learn_weight,
    "PIR (%)": _learn_share,
    "Maximum burst (bytes)": _learn_burst,
}
"""What each key tells of a queue; a reader returns the queue, None where it does not understand the value."""
