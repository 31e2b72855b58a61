"""`ls` and `readlink` below `/sys/class`: the netdev, RDMA device and PCI function that are one."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.systems.linux import text
from auditor.systems.linux.command import RDMA_DEVICE, Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import PULL, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, is_placeholder, parse_pci
from auditor.systems.linux.rdma import make_identity
from auditor.util.regex import regex

_PAIR = regex(r"/sys/class/(infiniband|net)/([^/\s:]+)/device/(net|infiniband)(?:/([^/\s:]+))?/?:?")
_LINK = regex(r"(?:\S+\s+)*?(\S+) -> \S*?/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])/(net|infiniband)/\S+")
_DEVICE = regex(r"/sys/class/(infiniband|net)/([^/\s]+)/device/?(?:\s|$)")
_FUNCTION = regex(r"(?:\S*/)?([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])")
_ENTRY = regex(r"(?:[dl-][rwx-]{9}\S?\s.*\s)?([A-Za-z][\w.-]*)(?: -> \S+)?")


def read_listing(capture: Capture, call: Call) -> Events:
    """Yield which netdev, RDMA device and PCI function are one; a path of the command stands in for its heading."""
    parts = [each for each in _PAIR.findall(call.text) if not is_placeholder(each[1]) and not each[3].strip("*")]
    current = parts[0] if len(parts) == 1 else None
    named = [each for each in _DEVICE.findall(call.text) if not is_placeholder(each[1])]
    for index, line in text.list_lines(capture):
        pair, link, entry = _PAIR.fullmatch(line), _LINK.fullmatch(line), _ENTRY.fullmatch(line)
        function = _FUNCTION.fullmatch(line)
        if pair and pair[4]:
            yield from _describe_pair(pair[1], pair[2], pair[4], capture, index)
        elif pair and not is_placeholder(pair[2]):
            current = (pair[1], pair[2], pair[3], "")
            yield mark_ignored(index)
        elif link:
            yield from _describe_function(link[3], link[1], link[2], capture, index)
        elif function and len(named) == 1:
            yield from _describe_function(named[0][0], named[0][1], function[1], capture, index)
        elif line.startswith("total ") or line in {".", ".."}:
            yield mark_ignored(index)
        elif entry and current:
            yield from _describe_pair(current[0], current[1], entry[1], capture, index)
        elif not text.is_error(line):
            yield mark_not_modelled(index)


def _describe_pair(kind: str, name: str, other: str, capture: Capture, index: int) -> Events:
    """Yield the netdev and the RDMA device; *kind* is the class of the first *name*."""
    rdma, netdev = (name, other) if kind == "infiniband" else (other, name)
    where = capture.where(index)
    yield PortFact(Subject(netdev=netdev, rdma=rdma), make_identity(rdma, where), rank=Rank.FALLBACK)
    yield mark_modelled(index)


def _describe_function(kind: str, name: str, pci: str, capture: Capture, index: int) -> Events:
    """Yield the PCI function of a netdev or an RDMA device."""
    where = capture.where(index)
    if kind == "infiniband":
        yield PortFact(Subject(rdma=name, pci=parse_pci(pci)), make_identity(name, where), rank=Rank.FALLBACK)
    else:
        about = Subject(netdev=name, pci=parse_pci(pci))
        yield PortFact(about, make_nic_port(Nic(), where), Strength.LISTED, Rank.FALLBACK)
    yield mark_modelled(index)


COMMANDS = (
    Command(
        "ls /sys/class/infiniband/*/device/net",
        r"(?:ls|readlink)(?: -[A-Za-z]+)* (?:sys class (?:infiniband|net)\b.*)",
        read_listing,
        RDMA_DEVICE,
        r"^/sys/class/(?:infiniband|net)/[^/\s]+/device/(?:net|infiniband)(?:/[^/\s]+)?:?$"
        r"|^l\S{9} .* -> \S*/[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]/(?:net|infiniband)/\S+$",
        "which netdev, RDMA device and PCI function are one",
        fetch=(
            Fetch(
                ("ls -d /sys/class/infiniband/*/device/net/*",),
                "which port belongs to which RDMA device",
                by=PULL,
                finds=(r"/sys/class/infiniband/(?P<rdma>[^/]+)/device/net/(?P<netdev>\S+)",),
            ),
            Fetch(
                ("readlink -f /sys/class/infiniband/*/device",),
                "which PCI function is which RDMA device",
                by=PULL,
                finds=(r"/(?P<pci>[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s*$",),
            ),
        ),
    ),
)
