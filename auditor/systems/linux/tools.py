"""What tests and scripts print about an RDMA device: `ib_write_bw` and its relatives, and `show_counters`."""

from collections.abc import Iterator
from dataclasses import replace

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_FIELD = regex(r"([A-Za-z][\w .*/-]{1,24}?)\s*:\s+(\S+)")
_TRANSPORTS = {"IB": "roce", "IW": "iwarp"}
"""What the tests call the transport of a device on Ethernet."""
_COUNTER = regex(r"([a-z][a-z0-9_]*)\s*:\s*(\d+)")
_COUNTED_PORT = regex(r"Port (\d{1,3}) (?:hw )?counters:")


def read_test(capture: Capture, call: Call) -> Events:
    """Yield device, link layer and transport, which a test of bandwidth or latency prints before its results.

    A user can make a test print InfiniBand for any device, so Ethernet alone counts.
    """
    named: dict[str, str] = {}
    for index, line in text.list_lines(capture):
        fields = _list_fields(line) if "Device" not in named or "Link type" not in named else {}
        is_read = bool(fields.keys() & {"Device", "Link type", "Transport type"})
        named |= fields
        yield mark_modelled(index) if is_read else mark_not_modelled(index)
    rdma, where = named.get("Device") or call.subject.rdma, capture.where(0)
    if not rdma:
        return
    is_ethernet = named.get("Link type") == "Ethernet"
    transport = _TRANSPORTS.get(named.get("Transport type", "")) if is_ethernet else None
    nic = Nic(
        link_layer=Known("ethernet", Origin.LEARNED, where) if is_ethernet else NOT_COLLECTED,
        transport=Known(transport, Origin.LEARNED, where) if transport else NOT_COLLECTED,
    )
    yield PortFact(Subject(rdma=rdma), make_nic_port(nic, where, rdma))


def _list_fields(line: str) -> dict[str, str]:
    """Return the fields of a line, which holds one or two.

    >>> _list_fields("Dual-port       : OFF          Device         : mlx5_0")
    {'Dual-port': 'OFF', 'Device': 'mlx5_0'}
    """
    return {match[1].strip(): match[2] for match in _FIELD.finditer(line)}


def read_counters(capture: Capture, call: Call) -> Events:
    """Yield the counters of each port of the device that `show_counters` names."""
    counted: dict[int, dict[str, Known[int]]] = {}
    number = 1
    for index, line in text.list_lines(capture):
        head, match = _COUNTED_PORT.fullmatch(line), _COUNTER.fullmatch(line)
        if head:
            number = int(head[1])
            yield mark_modelled(index)
        elif match:
            counted.setdefault(number, {})[match[1]] = Known(int(match[2]), Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_not_modelled(index)
    yield from _describe_counters(capture, call.subject.rdma, counted)


def _describe_counters(capture: Capture, rdma: str, counted: dict[int, dict[str, Known[int]]]) -> Iterator[PortFact]:
    where = capture.where(0)
    for number, counters in counted.items():
        about = Subject(rdma=rdma, rdma_port=number) if rdma else Subject()
        said = make_nic_port(Nic(), where, rdma) if rdma else make_port(PortConfig(), where)
        yield PortFact(about, replace(said, counters=counters))


COMMANDS = (
    Command(
        "ib_write_bw[ -d {rdma}]",
        r"ib_(?:write|read|send|atomic)_(?:bw|lat)(?: .*)?",
        read_test,
        (),
        r"^ *(?:RDMA_|Atomic_)?[A-Z][A-Za-z]+ (?:Bidirectional |Post List )?(?:BW|Latency) Test *$",
        "link layer and transport of the device under test",
    ),
    Command(
        "show_counters[ {rdma}]",
        r"show_counters(?: {rdma})?",
        read_counters,
        (),
        r"^Port \d+ (?:hw )?counters:",
        "counters of an RDMA device",
    ),
)
