"""RDMA devices and the netdevs they run on: `show_gids`, `ibdev2netdev` and `rdma`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from auditor.model.dump import Capture
from auditor.model.nic import Gid, Nic
from auditor.model.port import Port
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import adapters, jsontext, text
from auditor.systems.linux.command import RDMA_DEVICE, Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import MLX, SCRIPT, Fetch
from auditor.systems.linux.linkstate import describe_link, parse_link_state
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util import masks
from auditor.util.regex import regex

_GID_ROW = regex(
    rf"(\S+)\s+(\d{{1,3}})\s+(\d{{1,5}})\s+({masks.ADDRESS})\s+"
    r"(?:([\dxX*#]{1,3}(?:\.[\dxX*#]{1,3}){3})\s+)?"
    r"((?:RoCE )?v[12]|IB/RoCE v1)(?:\s+(\S+))?"
)
_GID_HEAD = regex(r"DEV\s+PORT\s+INDEX.*|[-\s]+|n_gids_found\s*=\s*\d+")
_LINK = regex(r"(?:link\s+|\d+/\d+:\s+)(\S+)/(\d{1,3}|-):?\s+(.*)")
_DEVICE = regex(r"\d{1,9}:\s+([^\s:]+):\s+(.*)")
_PRETTY_LINK = regex(r"link \S+/\d{1,3}:?")
_PRETTY_COUNTER = regex(r"[a-z][a-z0-9_]* \d+")
_PORTS = range(1, 256)
_NOT_COUNTERS = frozenset({"ifindex", "ifname", "port", "dev"})
_OBJECTS = frozenset({"lqpn", "cntn", "mrn", "qp-type", "pid", "comm"})
_PORT = regex(r" port (\d{1,3})(?: \([\w ]{1,20}\))? *$")
_PART = regex(r"\(MT(\d{4,5})\b")
_FIRMWARE = regex(r"\bfw (\d+(?:\.\d+)+)\b")
_LINK_KEYS = frozenset({"ifname", "port", "netdev", "state"})
_DEVICE_KEYS = frozenset({"ifname", "fw", "node_type", "protocol"})
_NODE_TYPES = {"rnic": "iwarp", "unspecified": "efa", "usnic": "usnic", "usnic_udp": "usnic"}
"""Types of nodes of one protocol each; the driver efa alone leaves its type unspecified (include/rdma/ib_verbs.h)."""
_STATE = regex(r"\((\w+)\)\s*$")
_PROTOCOLS = {
    "roce": "roce",
    "iw": "iwarp",
    "iwarp": "iwarp",
    "ib": "infiniband",
    "opa": "omni_path",
    "usnic": "usnic",
}
"""What the kernel calls the protocol of an RDMA device (drivers/infiniband/core/nldev.c)."""


def make_identity(name: str, where: Where) -> Port:
    """Return a port with an RDMA device and no other setting."""
    return make_nic_port(Nic(), where, name)


def read_gids(capture: Capture, _: Call) -> Events:
    """Yield the GID tables that `show_gids` prints; a row without a netdev makes no port of its device.

    A table with a row that is not understood is not whole, and therefore unknown.
    """
    tables: dict[Subject, list[Gid]] = {}
    torn: set[str] = set()
    first: dict[Subject, Where] = {}
    for index, shown in text.list_lines(capture):
        line = shown.replace("|", " ").strip()  # some releases draw the borders of their columns
        row = _GID_ROW.fullmatch(line)
        if row:
            about = Subject(rdma=row[1], rdma_port=int(row[2]))
            tables.setdefault(about, []).append(Gid(int(row[3]), row[4], row[6][-2:], row[7], capture.where(index)))
            first.setdefault(about, capture.where(index))
            if row[7]:
                named = Subject(netdev=row[7], rdma=row[1], rdma_port=int(row[2]))
                yield PortFact(named, make_identity(row[1], capture.where(index)))
            yield mark_modelled(index)
        elif _GID_HEAD.fullmatch(line):
            yield mark_ignored(index)
        elif not text.is_error(line):
            torn.add(line.split()[0] if line else "")
            yield text.make_doubt(capture, index, "device, port, index, GID, IPv4 address, version and netdev of a GID")
    for about, gids in tables.items():
        if about.rdma in torn:
            continue
        where = first[about]
        table = Known(tuple(gids), Origin.LEARNED, where)
        yield PortFact(about, make_nic_port(Nic(), where, about.rdma, table), Strength.LISTED)


def read_ibdev2netdev(capture: Capture, _: Call) -> Events:
    """Yield the netdev of each RDMA device and port."""
    for index, line in text.list_lines(capture):
        left, arrow, right = line.partition("==>")
        words, netdev, shown = left.split(), right.split(), _PORT.search(left)
        number = text.parse_whole(shown[1], _PORTS) if shown else None
        if arrow and netdev and number is not None:
            pci = parse_pci(words[0])
            rdma = words[1] if pci else words[0]
            about = Subject(netdev=netdev[0], rdma=rdma, rdma_port=number, pci=pci)
            yield PortFact(about, make_identity(rdma, capture.where(index)))
            yield from _describe_adapter(about, left, capture.where(index))
            state = _STATE.search(line)
            yield from _describe_state(about, state[1] if state else "", capture.where(index), Rank.RUNNING)
            yield mark_modelled(index)
        elif arrow:
            yield text.make_doubt(capture, index, "an RDMA device, its port and its netdev")


def _describe_adapter(about: Subject, told: str, where: Where) -> Events:
    """Yield model and firmware of an adapter, which `ibdev2netdev -v` prints before its port."""
    part, firmware = _PART.search(told), _FIRMWARE.search(told)
    if part:
        yield from adapters.describe_adapter(about, "NVIDIA", int(part[1]), where)
    if firmware:
        said = Nic(vendor=Known("NVIDIA", Origin.LEARNED, where), firmware=Known(firmware[1], Origin.LEARNED, where))
        yield PortFact(about, make_nic_port(said, where), rank=Rank.FALLBACK)


def _describe_state(about: Subject, state: str, where: Where, rank: Rank = Rank.FALLBACK) -> Events:
    is_up = parse_link_state(state)
    if is_up is not None:
        yield describe_link(about, is_up, where, rank)


def read_link(capture: Capture, _: Call) -> Events:
    """Yield the RDMA links of `rdma link`, text or JSON."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _LINK_KEYS)
        if root is None:
            return
        for node in root.items():
            number = node.get("port")
            about = Subject(node.text("netdev"), node.text("ifname"), number.whole(_PORTS) if number else None)
            if about.rdma:
                yield PortFact(about, make_identity(about.rdma, node.where))
                yield from _describe_state(about, node.text("state"), node.where)
            else:
                yield node.doubt("an RDMA link with its ifname")
        return
    for index, line in text.list_lines(capture):
        match = _LINK.fullmatch(line)
        if match:
            words = match[3].split()
            options = dict(zip(words[::2], words[1::2], strict=False))
            netdev = options.get("netdev", "")
            about = Subject(netdev=netdev, rdma=match[1], rdma_port=text.parse_whole(match[2], _PORTS))
            yield PortFact(about, make_identity(match[1], capture.where(index)))
            yield from _describe_state(about, options.get("state", ""), capture.where(index))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_not_modelled(index)


def read_device(capture: Capture, _: Call) -> Events:
    """Yield the RDMA devices of `rdma dev`, text or JSON, with their firmware."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _DEVICE_KEYS)
        if root is None:
            return
        for node in root.items():
            options = {key: node.text(key) for key in ("fw", "node_type", "protocol")}
            if node.text("ifname"):
                yield _describe_device(node.text("ifname"), options, node.where)
        return
    for index, line in text.list_lines(capture):
        match = _DEVICE.fullmatch(line)
        if match:
            words = match[2].split()
            options = dict(zip(words[::2], words[1::2], strict=False))
            yield _describe_device(match[1], options, capture.where(index))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_not_modelled(index)


def _describe_device(name: str, options: Mapping[str, str], where: Where) -> PortFact:
    firmware, protocol = options.get("fw"), _PROTOCOLS.get(options.get("protocol", ""))
    transport = protocol or _NODE_TYPES.get(options.get("node_type", ""))
    nic = Nic(
        firmware=Known(firmware, Origin.LEARNED, where) if firmware else NOT_COLLECTED,
        transport=Known(transport, Origin.LEARNED, where) if transport else NOT_COLLECTED,
    )
    return PortFact(Subject(rdma=name), make_nic_port(nic, where, name))


def read_statistic(capture: Capture, _: Call) -> Events:
    """Yield the counters of `rdma statistic`, text or JSON."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture)
        if root is None:
            return
        names: set[str] = {"ifname", "port"}
        for node in root.items():
            if _OBJECTS & {key for key, _value in node.members()}:
                continue
            counters = {
                key: Known(count, Origin.LEARNED, value.where)
                for key, value in node.members()
                if key not in _NOT_COUNTERS and (count := value.whole(range(text.MAX_COUNT))) is not None
            }
            names |= counters.keys()
            number = node.get("port")
            about = Subject(rdma=node.text("ifname"), rdma_port=number.whole(_PORTS) if number else None)
            if about.rdma:
                yield _describe_counters(about, counters, node.where)
        yield from jsontext.mark_lines(root, frozenset(names))
        return
    for index, line in _join_pretty(capture):
        match = _LINK.fullmatch(line)
        if not match:
            continue
        words = match[3].split()
        if _OBJECTS & set(words[::2]):  # counters of a queue pair or a memory region, not of the port
            yield mark_not_modelled(index)
            continue
        values = {
            name: text.parse_whole(value, range(text.MAX_COUNT))
            for name, value in zip(words[::2], words[1::2], strict=False)
        }
        if len(words) % 2 or None in values.values():
            yield text.make_doubt(capture, index, "pairs of a counter and its count")
        else:
            yield mark_modelled(index)
        about = Subject(rdma=match[1], rdma_port=text.parse_whole(match[2], _PORTS))
        where = capture.where(index)
        counted = {n: Known(count, Origin.LEARNED, where) for n, count in values.items() if count is not None}
        yield _describe_counters(about, counted, where)


def _join_pretty(capture: Capture) -> Iterator[tuple[int, str]]:
    """Yield the lines of `rdma statistic`; with `-p` a counter a line, which gets the device above it."""
    link = ""
    for index, line in text.list_lines(capture):
        head, counter = _PRETTY_LINK.fullmatch(line), _PRETTY_COUNTER.fullmatch(line)
        link = head[0] if head else link if counter else ""
        if not head:
            yield index, f"{link.removesuffix(':')} {line}" if counter and link else line


def _describe_counters(about: Subject, counters: Mapping[str, Known[int]], where: Where) -> PortFact:
    return PortFact(about, replace(make_identity(about.rdma, where), counters=counters))


def read_resource(capture: Capture, _: Call) -> Events:
    """Yield the RDMA devices that `rdma resource` names; the number of their objects is no setting."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, frozenset({"ifname"}))
        if root is None:
            return
        for node in root.items():
            if node.text("ifname"):
                about = Subject(rdma=node.text("ifname"))
                yield PortFact(about, make_identity(about.rdma, node.where), rank=Rank.FALLBACK)
        return
    for index, line in text.list_lines(capture):
        match = _DEVICE.fullmatch(line) or _LINK.fullmatch(line)
        if match:
            where = capture.where(index)
            yield PortFact(Subject(rdma=match[1]), make_identity(match[1], where), rank=Rank.FALLBACK)
        yield mark_not_modelled(index)


COMMANDS = (
    Command(
        "show_gids",
        r"show_gids(?: {rdma})?",
        read_gids,
        ("rdma.gids",),
        r"^\W*DEV[\s|]+PORT[\s|]+INDEX[\s|]+GID|n_gids_found=",
        "GID table: RoCE version and netdev of each GID",
        fetch=(Fetch(("show_gids",), "GIDs with their RoCE version", drivers=MLX),),
    ),
    Command(
        "ibdev2netdev",
        r"ibdev2netdev(?: -v)?",
        read_ibdev2netdev,
        RDMA_DEVICE,
        r"^\S+ port \d+ ==> |^\S+ \S+ \(.{1,300}? port \d+ \(\w+\) +==> ",
        "which netdev belongs to which RDMA device",
        fetch=(Fetch(("ibdev2netdev",), "which interface an RDMA device runs on", drivers=MLX),),
    ),
    Command(
        "rdma statistic",
        r"rdma(?: -[a-z]+)* stat(?:istics?)?(?: show)?(?: link)?(?: .+)?",
        read_statistic,
        (),
        r"^link \S+/\d+ (?:rx_|tx_|out_|[a-z_]+ \d+ )"
        r"|\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"port\"\s*:\s*\d+\s*,\s*\"(?:rx|tx|out|req|resp)_",
        "counters of RDMA devices",
        fetch=(
            Fetch(
                ("rdma -j statistic show",),
                "counters of CNPs, ECN marks and retransmissions",
                needs="/sys/class/infiniband",
                counts=True,
            ),
        ),
    ),
    Command(
        "rdma link",
        r"rdma(?: -[a-z]+)* link(?: show)?(?: .+)?",
        read_link,
        RDMA_DEVICE,
        r"^(?:link |\d+/\d+: )\S+/\d+:? (?:subnet_prefix \S+ .*)?state |\"physical_state\" *:",
        "which netdev belongs to which RDMA device",
        fetch=(
            Fetch(
                ("rdma -j link", "rdma link"), "which interface an RDMA device runs on", needs="/sys/class/infiniband"
            ),
        ),
    ),
    Command(
        "rdma dev",
        r"rdma(?: -[a-z]+)* dev(?: show)?(?: .+)?",
        read_device,
        (),
        r"^\d+: \S+: node_type |\"node_type\" *:",
        "RDMA devices, firmware, iWARP",
        fetch=(
            Fetch(("rdma -j dev", "rdma dev"), "firmware of RDMA devices", needs="/sys/class/infiniband", by=SCRIPT),
        ),
    ),
    Command(
        "rdma resource",
        r"rdma(?: -[a-z]+)* res(?:ource)?(?: show)?(?: .+)?",
        read_resource,
        (),
        r"^\d+: \S+: (?:pd|qp|cq|mr|cm_id|ctx) \d|^link \S+/\d+ lqpn ",
        "RDMA devices",
    ),
)
