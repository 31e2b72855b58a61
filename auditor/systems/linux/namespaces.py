"""Whether network namespaces, and so pods, share the RDMA devices of a host: `rdma system`."""

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.setting import Known, Origin
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_modelled
from auditor.util.regex import regex

_MODES = ("shared", "exclusive")
_SYSTEM = regex(r"netns (shared|exclusive)\b")


def read_system(capture: Capture, _: Call) -> Events:
    """Yield whether network namespaces share RDMA devices."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, frozenset({"netns"}))
        for node in root.items() if root else ():
            if node.text("netns") in _MODES:
                yield HostFact(Host(rdma_netns=Known(node.text("netns"), Origin.LEARNED, node.where)))
        return
    for index, line in text.list_lines(capture):
        match = _SYSTEM.match(line)
        if match:
            yield HostFact(Host(rdma_netns=Known(match[1], Origin.LEARNED, capture.where(index))))
            yield mark_modelled(index)


COMMANDS = (
    Command(
        "rdma system",
        r"rdma(?: -[a-z]+)* sys(?:tem)?(?: show)?(?: .+)?",
        read_system,
        (),
        r"^netns (?:shared|exclusive)",
        "whether namespaces share RDMA devices",
        fetch=(Fetch(("rdma system",), "whether pods share RDMA devices", needs="/sys/class/infiniband"),),
    ),
)
