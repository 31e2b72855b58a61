"""Operational state: `info from state` in any syntax, and tables of `show`."""

from collections.abc import Iterator, Mapping

from auditor.grammar.operational import Meeting, OperationalPort, Ports, keep_count
from auditor.grammar.thresholds import Curve
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode
from auditor.model.qos import Threshold, Unit
from auditor.model.setting import Known, Origin, Where
from auditor.systems.srlinux.names import FEC, find_default_queue, parse_gbps
from auditor.systems.srlinux.operational import DetailedPort, find_port
from auditor.systems.srlinux.reader import read
from auditor.systems.srlinux.tree import FLAGS, Stanza, Tree
from auditor.util.regex import regex

_LARGEST = 2**63


_NAMES = (("system", "name", "host-name"), ("system", "lldp", "system-name"))
"""Where the state has the name of the switch."""


def read_state(capture: Capture, ports: Ports, names: list[Known[str]] | None = None) -> list[LineState]:
    """Read `info from state`, which prints the tree with operational leaves and counters among the others.

    The name of the switch is added to *names*.
    """
    tree = Tree()
    read(tree, capture)
    top = Stanza(tree, tree.root, tree.root)
    found = _StateReader(tree, ports)
    for entry in top.entries("interface"):
        found.read_interface(entry)
    for entry in top.entries("qos", "interfaces", "interface"):
        found.read_qos(entry)
    for entry in top.entries("system", "lldp", "interface"):
        found.read_neighbours(entry)
    if names is not None:
        names.extend(found.list_names(top))
    return found.states


class _StateReader:
    """A reader of the state of ports; what it reads are the modelled lines."""

    def __init__(self, tree: Tree, ports: Ports) -> None:
        self._tree = tree
        self._ports = ports
        self._meeting = Meeting()
        self.states = [LineState.IGNORED] * len(tree.states)

    def _port(self, name: str, entry: Stanza) -> DetailedPort | None:
        return find_port(self._ports, name, entry.where)

    def _leaf(self, entry: Stanza, *path: str) -> Known[str] | None:
        node = entry.node.last(*path)
        if node is None:
            return None
        self.states[node.line] = LineState.MODELLED
        return Known(node.word, Origin.LEARNED, self._tree.where(node.line))

    def _count(self, port: OperationalPort, entry: Stanza, name: str, *path: str) -> None:
        found = self._leaf(entry, *path)
        if found and found.where:
            keep_count(port.counters, name, found.value, found.where)

    def read_interface(self, entry: Stanza) -> None:
        """Read the state of one interface."""
        port = self._port(entry.node.word, entry)
        if port is None:
            return
        self.states[entry.node.line] = LineState.MODELLED
        admin, mtu = self._leaf(entry, "admin-state"), self._leaf(entry, "mtu")
        if admin:
            port.enabled = Known(admin.value == "enable", Origin.LEARNED, admin.where)
        if mtu and mtu.value.isdecimal():
            port.mtu = Known(int(mtu.value[:6]), Origin.LEARNED, mtu.where)
        speed = self._leaf(entry, "ethernet", "port-speed")
        rate = parse_gbps(speed.value) if speed else None
        if speed and rate is not None:
            port.speed_gbps = Known(rate, Origin.LEARNED, speed.where)
        fec = self._leaf(entry, "transceiver", "forward-error-correction")
        if fec and fec.value in FEC:
            port.fec = fec
        lag, mac = self._leaf(entry, "ethernet", "aggregate-id"), self._leaf(entry, "ethernet", "hw-mac-address")
        if lag:
            port.lag = lag
        if mac:
            port.mac = mac
        self._read_pause(port, entry)
        self._read_units(port, entry)
        self._count(port, entry, "rx_crc_errors_phy", "ethernet", "statistics", "in-crc-error-frames")
        self._count(port, entry, "rx_pause_frames", "ethernet", "statistics", "in-mac-pause-frames")
        self._count(port, entry, "tx_pause_frames", "ethernet", "statistics", "out-mac-pause-frames")
        self._count(port, entry, "rx_packets", "statistics", "in-packets")
        self._count(port, entry, "link_down_events", "statistics", "carrier-transitions")

    def _read_pause(self, port: OperationalPort, entry: Stanza) -> None:
        receive, transmit = (self._leaf(entry, "ethernet", "flow-control", way) for way in ("receive", "transmit"))
        if receive and receive.value in FLAGS:
            port.pause_rx = Known(FLAGS[receive.value], Origin.LEARNED, receive.where)
        if transmit and transmit.value in FLAGS:
            port.pause_tx = Known(FLAGS[transmit.value], Origin.LEARNED, transmit.where)

    def _read_units(self, port: DetailedPort, entry: Stanza) -> None:
        tagged = self._leaf(entry, "vlan-tagging")
        if tagged and tagged.value in FLAGS:
            port.tagged = Known(FLAGS[tagged.value], Origin.LEARNED, tagged.where)
        for unit in entry.entries("subinterface"):
            kind, mtu = self._leaf(unit, "type"), self._leaf(unit, "ip-mtu")
            if kind and kind.where:
                port.learn_type(kind.value, kind.where)
            if mtu and mtu.where:
                port.learn_ip_mtu(mtu.value, mtu.where)

    def read_qos(self, entry: Stanza) -> None:
        """Read PFC and the queues of one entry of `qos interfaces`."""
        name = self._leaf(entry, "interface-ref", "interface")
        port = self._port(name.value if name else entry.node.word, entry)
        if port is None:
            return
        mode, oper = self._leaf(entry, "pfc", "pfc-enable"), self._leaf(entry, "pfc", "oper-state")
        if mode and mode.value in FLAGS:
            port.pfc_mode = Known(PfcMode.ON if FLAGS[mode.value] else PfcMode.OFF, Origin.LEARNED, mode.where)
        if oper:
            port.pfc_oper = Known(oper.value == "up", Origin.LEARNED, oper.where)
        self._count(port, entry, "rx_discards_phy", "pfc", "statistics", "total-packet-pfc-discards")
        for each in entry.entries("pfc", "statistics", "pfc-priority"):
            number = each.node.word
            self._count(port, each, f"rx_pfc_{number}", "pfc-pause-frames-received")
            self._count(port, each, f"tx_pfc_{number}", "pfc-pause-frames-generated")
        for each in entry.entries("output", "queues", "queue"):
            self._read_queue(port, each)

    def _read_queue(self, port: OperationalPort, entry: Stanza) -> None:
        number = find_default_queue(entry.node.word)
        if number is None:
            return
        counts = ("queue-statistics", "aggregate-statistics")
        self._count(port, entry, f"tx_queue{number}_discards", *counts, "dropped-packets")
        self._count(port, entry, f"tx_queue{number}_ecn_marked", *counts, "ecn-marked-packets")
        for slope in _list_marking(entry):
            low, high, most = (
                self._leaf(slope, leaf) for leaf in ("min-threshold-bytes", "max-threshold-bytes", "max-probability")
            )
            if low and high and most and all(each.value.isdecimal() for each in (low, high, most)):
                port.curves[number] = Curve(_bytes(low), _bytes(high), _share(most))

    def list_names(self, top: Stanza) -> Iterator[Known[str]]:
        """Yield the name of the switch from each place that has it."""
        for path in _NAMES:
            if found := self._leaf(top, *path):
                yield found

    def read_neighbours(self, entry: Stanza) -> None:
        """Read the neighbours of one interface."""
        port = self._port(entry.node.word, entry)
        for each in entry.entries("neighbor") if port else ():
            name, far, chassis = (self._leaf(each, leaf) for leaf in ("system-name", "port-id", "chassis-id"))
            if port and far and far.where:
                told = (name.value if name else "", far.value, far.where, chassis.value if chassis else "")
                self._meeting.add(port, *told)


def _list_marking(queue: Stanza) -> Iterator[Stanza]:
    """Yield the curves of a queue that mark packets, as they run."""
    yield from queue.entries("active-queue-management", "ecn-slope")
    for slope in queue.entries("active-queue-management", "wred-slope"):
        for drop in slope.entries("drop-probability"):
            for each in drop.entries("enable-ecn"):
                if each.node.word == "true":
                    yield each if each.node.children else drop


def _bytes(found: Known[str]) -> Known[Threshold]:
    return Known(Threshold(float(found.value[:20]), Unit.BYTES), found.origin, found.where)


def _share(found: Known[str]) -> Known[float]:
    return Known(int(found.value[:3]) / 100, found.origin, found.where)


_CELLS = regex(r"\s*\|(?P<cells>.*)\|\s*\Z")


def _read_rows(capture: Capture) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the index of each row of a table, and its cells by the words of the head."""
    head: list[str] = []
    for index, line in enumerate(capture.lines):
        match = _CELLS.match(line)
        if match is None:
            continue
        cells = [cell.strip() for cell in match["cells"].split("|")]
        if "Neighbor Port" in cells or "Admin State" in cells:
            head = cells
        elif head and len(cells) == len(head):
            yield index, dict(zip(head, cells, strict=True))


def read_lldp_table(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show system lldp neighbor`: a row for each neighbour."""
    states = [LineState.IGNORED] * len(capture.lines)
    meeting = Meeting()
    for index, row in _read_rows(capture):
        where = capture.where(index)
        states[index] = LineState.MODELLED
        if port := find_port(ports, row.get("Name", ""), where):
            names = row.get("Neighbor System Name", ""), row.get("Neighbor Port", "")
            meeting.add(port, *names, where, row.get("Neighbor Chassis ID", ""))
    return states


def read_brief(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface brief`: the administrative state and the speed of each port."""
    states = [LineState.IGNORED] * len(capture.lines)
    for index, row in _read_rows(capture):
        where = capture.where(index)
        states[index] = LineState.MODELLED
        if port := find_port(ports, row.get("Port", ""), where):
            port.enabled = Known(row.get("Admin State") == "enable", Origin.LEARNED, where)
            _learn_speed(port, row.get("Speed", ""), where)
    return states


_HEAD = regex(
    r"\s*(?P<port>ethernet-[\d/m]+) is (?P<link>up|down)(?:, reason (?P<reason>[\w-]+))?(?:, speed (?P<speed>\w+))?"
)

_TYPE = regex(r"\s+Type\s*: (?P<type>routed|bridged)\s*\Z")


def read_interfaces(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface`: a line for each port, with its speed or why it is down, and the types of subinterfaces."""
    states = []
    port: DetailedPort | None = None
    for index, line in enumerate(capture.lines):
        match, where = _HEAD.match(line), capture.where(index)
        kind = None if match or port is None else _TYPE.match(line)
        states.append(LineState.MODELLED if match or kind else LineState.IGNORED)
        if match and (port := find_port(ports, match["port"], where)):
            if match["link"] == "up" or match["reason"] == "port-admin-disabled":
                port.enabled = Known(match["link"] == "up", Origin.LEARNED, where)
            _learn_speed(port, match["speed"] or "", where)
        elif kind and port:
            port.learn_type(kind["type"], where)
    return states


def _learn_speed(port: OperationalPort, word: str, where: Where) -> None:
    rate = parse_gbps(word)
    if rate is not None:
        port.speed_gbps = Known(rate, Origin.LEARNED, where)


HOSTNAME = regex(r"Hostname\s*: (?P<value>\S+)")
MODEL = regex(r"Chassis Type\s*: (?P<value>\S.{0,60}?)\s*\Z")
RELEASE = regex(r"Software Version\s*: v?(?P<value>\S+)")


def read_version(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `show version`: the name, the model and the release."""
    patterns = (HOSTNAME, MODEL, RELEASE)
    found = (any(pattern.match(line.strip()) for pattern in patterns) for line in capture.lines)
    return [LineState.MODELLED if each else LineState.IGNORED for each in found]
